// SPDX-License-Identifier: Apache-2.0
//
// Datatype conversion. A conversion is prepared once for a pair of datatypes and then applied to any number
// of tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include <filigree/conversion.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::type {

using format::DatatypeMessage;

/// The identifier of an object in the global heap of a file.
struct HeapObject {
  Address collection = Address::undefined;
  std::uint32_t index = 0;
};

/// The interface through which conversions read and write the variable-length values of a file.
class FileValues {
 public:
  virtual ~FileValues() = default;
  struct Content {
    Bytes bytes;
    std::shared_ptr<const void> owner;  ///< keeps `bytes` alive
  };
  virtual std::uint8_t offset_bytes() const = 0;
  /// Reads an object. *Throws* Error(corrupt) if it does not exist.
  virtual Content fetch(const HeapObject& object) = 0;
  /// Writes an object to the heap and returns its identifier.
  virtual HeapObject store(Bytes content) = 0;
};

/// A value that has no exact counterpart in the destination type, for the fault handler.
struct FaultyValue {
  ConversionFault fault;
  const DatatypeMessage& from;
  const DatatypeMessage& to;
  const std::byte* value;  ///< the source element
  std::byte* result;       ///< the destination element, which the handler may write
};
/// Decides about a faulty value (H5Pset_type_conv_cb).
using FaultHandler = std::function<FaultHandling(const FaultyValue&)>;

/// The environment of a running conversion.
struct Context {
  FileValues* from_file = nullptr;  ///< file of variable-length source values; null if they are in memory
  FileValues* to_file = nullptr;    ///< file of variable-length results; null if they go to memory
  const FaultHandler* on_fault = nullptr;
  void* memory = nullptr;  ///< passed to Container::resize
};

/// Elements to convert. Strides are in bytes and may exceed the size of an element. The two sides must not
/// overlap, unless the conversion works in place. Neither side needs to be aligned.
struct Tile {
  const std::byte* from = nullptr;
  std::size_t from_stride = 0;
  std::byte* to = nullptr;
  std::size_t to_stride = 0;
  std::size_t count = 0;
};

/// A conversion between two datatypes. Bytes of the destination without a source member (padding, and members
/// that the source lacks) are not changed.
///
/// *Thread safety*: a conversion is immutable and may be applied by several threads, unless it uses files.
class Conversion {
 public:
  virtual ~Conversion() = default;
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  /// Converts the elements of a tile. *Throws* Error(conversion) if the fault handler aborts.
  void apply(const Tile& tile, const Context& context) const {
    if (tile.count != 0) do_apply(tile, context);
  }

  /// The properties of a conversion.
  struct Traits {
    bool copies = false;    ///< the result equals the source bytes
    bool in_place = false;  ///< both sides may be the same memory, if there are no gaps and no fault handler
    bool partial = false;   ///< some members of the destination have no source and are not changed
    bool uses_files = false;  ///< needs Context::from_file or to_file, so only one thread may apply it
    std::uint32_t from_bytes = 0;
    std::uint32_t to_bytes = 0;
  };
  const Traits& traits() const { return traits_; }

 protected:
  explicit Conversion(const Traits& traits) : traits_(traits) {}

 private:
  virtual void do_apply(const Tile& tile, const Context& context) const = 0;
  Traits traits_;
};

using ConversionPointer = std::shared_ptr<const Conversion>;

/// User-defined conversions, which take precedence over the built-in ones.
///
/// *Thread safety*: find() may be called from any thread.
class CustomConversions {
 public:
  virtual ~CustomConversions() = default;
  /// Returns null if there is no conversion for this pair.
  virtual ConversionPointer find(const DatatypeMessage& from, const DatatypeMessage& to) const = 0;
};

/// The rules that decide which pairs of datatypes are convertible.
class Rules {
 public:
  enum Kind : std::uint8_t {
    hdf5,     ///< exactly those of HDF5
    natural,  ///< also fixed-length to variable-length strings, ASCII to UTF-8 (and back), integers to
              ///< enumerations; a string that is too long is Error(limit) instead of being truncated
  };

  constexpr Rules(Kind kind, const CustomConversions* custom = nullptr) : kind_(kind), custom_(custom) {}
  const CustomConversions* custom() const { return custom_; }
  friend constexpr bool operator==(const Rules& rules, Kind kind) { return rules.kind_ == kind; }

 private:
  Kind kind_;
  const CustomConversions* custom_;
};

/// Returns the conversion between two datatypes. A variable-length type with a `container` is in memory,
/// others are in a file. *Throws* Error(wrong_type), naming both types, if there is no conversion.
ConversionPointer prepare(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules = Rules::hdf5);

}  // namespace filigree::type
