// SPDX-License-Identifier: Apache-2.0
//
// Access to variable-length values in the global heap of a file or in the memory of a program.
#pragma once

#include <memory>

#include "type/conversion.hpp"

namespace filigree::type {

/// A value to convert. The elements are valid as long as `owner` and the element that they were read from.
struct VariableValue {
  const std::byte* elements = nullptr;
  std::size_t count = 0;
  bool missing = true;
  std::shared_ptr<const void> owner;

  Bytes bytes(std::size_t element_bytes) const { return {elements, count * element_bytes}; }
};

/// The storage of variable-length values on one side of a conversion: a file, or a container in memory.
class VariableStorage {
 public:
  explicit VariableStorage(const DatatypeMessage& type);

  bool in_file() const { return container_ == nullptr; }
  std::uint32_t element_bytes() const { return element_bytes_; }  ///< size of the base type
  const Container* container() const { return container_; }

  /// Checks that `file` is suitable for the type. *Requires* a call before the first get() or store().
  void check(FileValues* file) const;
  /// Reads a value. *Throws* Error(corrupt) if the heap object is smaller than the element declares.
  VariableValue get(const std::byte* element, FileValues* file) const;
  /// Writes a value to the heap of a file. *Requires* in_file().
  void store(std::byte* element, std::size_t count, Bytes content, FileValues* file) const;
  /// Makes the element a null value.
  void clear(std::byte* element) const;

 private:
  const Container* container_;
  std::uint32_t bytes_;
  std::uint32_t element_bytes_;
};

}  // namespace filigree::type
