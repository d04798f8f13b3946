// SPDX-License-Identifier: Apache-2.0
//
// Values of variable length where they stand: in the heap of a file, or in the memory of a program.
#pragma once

#include <memory>

#include "type/conversion.hpp"

namespace filigree::type {

/// A value to convert. `bytes` lives as long as `owner` and the element it came from.
struct VariableValue {
  const std::byte* elements = nullptr;
  std::size_t count = 0;
  bool missing = true;
  std::shared_ptr<const void> owner;

  Bytes bytes(std::size_t element_bytes) const { return {elements, count * element_bytes}; }
};

/// One side of a conversion.
class VariableStorage {
 public:
  explicit VariableStorage(const DatatypeMessage& type);

  bool in_file() const { return container_ == nullptr; }
  std::uint32_t element_bytes() const { return element_bytes_; }  ///< of the base type
  const Container* container() const { return container_; }

  /// Checks that the context has a heap as the type needs it; before the first get or put.
  void check(FileValues* file) const;
  /// Throws Error(corrupt) when the heap holds less than the element claims.
  VariableValue get(const std::byte* element, FileValues* file) const;
  /// To a file only.
  void store(std::byte* element, std::size_t count, Bytes content, FileValues* file) const;
  void clear(std::byte* element) const;

 private:
  const Container* container_;
  std::uint32_t bytes_;
  std::uint32_t element_bytes_;
};

}  // namespace filigree::type
