// SPDX-License-Identifier: Apache-2.0
//
// Elements of numpy arrays as the library reads and writes them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <filigree/datatype.hpp>
#include <filigree/values.hpp>

#include "core.hpp"

namespace filigree::python {

class ElementPlan;

/// How the elements of a dtype are transferred.
///
/// Elements without objects are in numpy's memory exactly as `memory_type()` says. Those with objects
/// (strings and sequences of variable length, references) pass through a buffer in which a value is a length
/// and an address.
///
/// Thread safety: immutable. The functions that take arrays need the interpreter's lock and release it while
/// `transfer` runs.
class Elements {
 public:
  /// *Requires*: `type` describes the bytes of `dtype`, with its offsets (filigree.dtypes makes it).
  Elements(Datatype type, const py::dtype& dtype);
  ~Elements();
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  const Datatype& memory_type() const { return memory_type_; }
  /// The size of an element in the array.
  std::size_t bytes() const { return bytes_; }
  bool has_objects() const { return plan_ != nullptr; }
  /// Conversions that are allowed: those of HDF5, with strings also between fixed and variable length.
  ConversionRules rules() const { return has_objects() ? ConversionRules::natural : ConversionRules::hdf5; }

  /// Fills `count` elements at `array` with what `transfer` reads.
  void read(void* array, std::size_t count, const std::function<void(void*)>& transfer) const;
  /// Hands `count` elements at `array` to `transfer`.
  void write(const void* array, std::size_t count, const std::function<void(const void*)>& transfer) const;

  /// The number of elements in an array.
  /// Throws: ValueError unless it is contiguous and holds complete elements.
  std::size_t count_in(const py::array& array) const;

  /// How values with objects are converted; null for others.
  const ElementPlan* plan() const { return plan_.get(); }

 private:
  Datatype memory_type_;
  std::unique_ptr<const ElementPlan> plan_;
  std::size_t bytes_;
};

/// A buffer of values {length, address} that a read fills, or of elements that need no conversion. It frees
/// what the values refer to.
class ReadBuffer {
 public:
  ReadBuffer(const Elements& elements, std::size_t count);
  ~ReadBuffer();
  ReadBuffer(const ReadBuffer&) = delete;
  ReadBuffer& operator=(const ReadBuffer&) = delete;

  void* data() { return bytes_.data(); }
  /// Converts the first `count` elements into an array. *Requires*: the interpreter's lock.
  void convert(void* array, std::size_t count) const;

 private:
  const Elements& elements_;
  std::vector<std::byte> bytes_;
  std::size_t count_;
};

}  // namespace filigree::python
