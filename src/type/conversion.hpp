// SPDX-License-Identifier: Apache-2.0
//
// Turning elements of one type into elements of another. A conversion is prepared once for a
// pair of types and then applied to any number of tiles.
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

/// An object of a file's global heap.
struct HeapObject {
  Address collection = Address::undefined;
  std::uint32_t index = 0;
};

/// The heap of one file, as conversions of variable-length values see it.
class FileValues {
 public:
  virtual ~FileValues() = default;
  struct Content {
    Bytes bytes;
    std::shared_ptr<const void> owner;  ///< keeps `bytes` alive
  };
  virtual std::uint8_t offset_bytes() const = 0;
  /// Throws Error(corrupt) when there is no such object.
  virtual Content fetch(const HeapObject& object) = 0;
  virtual HeapObject store(Bytes content) = 0;
};

struct FaultyValue {
  ConversionFault fault;
  const DatatypeMessage& from;
  const DatatypeMessage& to;
  const std::byte* value;  ///< the source element
  std::byte* result;       ///< where the handler may write the destination element
};
using FaultHandler = std::function<FaultHandling(const FaultyValue&)>;

/// What a conversion may need while it runs.
struct Context {
  FileValues* from_file = nullptr;  ///< where variable-length source values are, unless in memory
  FileValues* to_file = nullptr;    ///< where variable-length results go, unless in memory
  const FaultHandler* on_fault = nullptr;
  void* memory = nullptr;  ///< handed to Container::resize
};

/// Elements to convert. Strides are in bytes and may exceed the element's size; the two sides do not overlap,
/// unless the conversion says that it works in place. Neither side needs to be aligned.
struct Tile {
  const std::byte* from = nullptr;
  std::size_t from_stride = 0;
  std::byte* to = nullptr;
  std::size_t to_stride = 0;
  std::size_t count = 0;
};

/// Immutable, so that many threads may apply it. Bytes of the destination that no source member goes to
/// (holes, members that the source lacks) keep what they held.
class Conversion {
 public:
  virtual ~Conversion() = default;
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  void apply(const Tile& tile, const Context& context) const {
    if (tile.count != 0) do_apply(tile, context);
  }

  struct Traits {
    bool copies = false;      ///< source bytes are the result
    bool in_place = false;    ///< both sides may be the same, without gaps and without a fault handler
    bool partial = false;     ///< some member of the destination has no source: it keeps what it held
    bool uses_files = false;  ///< needs Context::from_file or to_file: not for many threads
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

/// Conversions of a program, which go before those that we have. Thread-safe.
class CustomConversions {
 public:
  virtual ~CustomConversions() = default;
  /// Null when there is none for this pair.
  virtual ConversionPointer find(const DatatypeMessage& from, const DatatypeMessage& to) const = 0;
};

/// Which pairs of types are convertible.
class Rules {
 public:
  enum Kind : std::uint8_t {
    hdf5,     ///< exactly those of the stock library
    natural,  ///< also fixed to variable strings and back, ASCII to UTF-8 and back, integers to enumerations;
              ///< a string too long for its destination is Error(limit) instead of being cut
  };

  constexpr Rules(Kind kind, const CustomConversions* custom = nullptr) : kind_(kind), custom_(custom) {}
  const CustomConversions* custom() const { return custom_; }
  friend constexpr bool operator==(const Rules& rules, Kind kind) { return rules.kind_ == kind; }

 private:
  Kind kind_;
  const CustomConversions* custom_;
};

/// A node of variable length whose type has a `container` is in memory, others are in a file.
/// Throws Error(wrong_type) naming both types when there is no conversion.
ConversionPointer prepare(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules = Rules::hdf5);

}  // namespace filigree::type
