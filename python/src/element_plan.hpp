// SPDX-License-Identifier: Apache-2.0
//
// Plans for elements with objects. In numpy's memory, strings and sequences of variable length and references
// are addresses of Python objects. In the memory that the library transfers, strings and sequences are a
// length and an address, and references are bytes.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include <filigree/datatype.hpp>

#include "core.hpp"

namespace filigree::python {

/// Keeps alive what values refer to while they are written.
class WriteArena {
 public:
  /// Keeps an object. *Requires*: the interpreter's lock, here and in the destructor.
  void keep(py::object object) { objects_.push_back(std::move(object)); }
  std::byte* allocate(std::size_t bytes) { return blocks_.emplace_back(bytes).data(); }

 private:
  std::vector<py::object> objects_;
  std::deque<std::vector<std::byte>> blocks_;
};

/// How one element, or a part of it, is converted. Immutable.
class ElementPlan {
 public:
  explicit ElementPlan(Datatype memory_type)
      : memory_type_(std::move(memory_type)), memory_bytes_(memory_type_.size()) {}
  virtual ~ElementPlan() = default;

  const Datatype& memory_type() const { return memory_type_; }
  std::size_t memory_bytes() const { return memory_bytes_; }

  /// Converts a value into numpy's memory. What is there before is replaced.
  virtual void to_python(const std::byte* value, std::byte* element) const = 0;
  /// Converts from numpy's memory; `arena` keeps what the value refers to.
  virtual void from_python(const std::byte* element, std::byte* value, WriteArena& arena) const = 0;
  /// Frees what a value that was read refers to.
  virtual void release(std::byte* value) const = 0;

 private:
  Datatype memory_type_;
  std::size_t memory_bytes_;
};

/// *Throws*: ValueError unless elements of `type`, which have no objects, have the size that numpy gives
/// them.
void require_size(const Datatype& type, std::size_t numpy_bytes);

/// *Requires*: `type` describes the bytes of `dtype`, with its offsets.
std::unique_ptr<const ElementPlan> make_plan(const Datatype& type, const py::dtype& dtype);

/// The objects that stand for references in arrays.
void bind_references(py::module_& module);

}  // namespace filigree::python
