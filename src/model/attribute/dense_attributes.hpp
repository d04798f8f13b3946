// SPDX-License-Identifier: Apache-2.0
//
// Dense attribute storage: a fractal heap, indexed by name hash and creation order in version 2 B-trees.
#pragma once

#include <optional>
#include <string_view>

#include <filigree/object.hpp>

#include "base/function_ref.hpp"
#include "format/messages/attribute_info.hpp"
#include "model/attribute/attribute_table.hpp"

namespace filigree::model {

/// The dense attribute storage that an attribute info message describes.
/// Requires: the file lock, exclusively for functions that are not const; `info` outlives this object.
class DenseAttributes {
 public:
  DenseAttributes(File& file, const format::AttributeInfo& info) : file_(file), info_(info) {}

  /// Creates empty storage and sets its addresses in `info`.
  static void create(File& file, format::AttributeInfo& info);

  std::uint64_t size() const;
  /// Returns the sizes of B-trees and heap.
  MetadataBytes metadata_bytes() const;
  /// Returns the attribute; empty if there is none of that name.
  std::optional<StoredAttribute> find(std::string_view name) const;
  void insert(const StoredAttribute& attribute);
  std::optional<StoredAttribute> remove(std::string_view name);
  /// Visits attributes in the order of their name hashes until `visit` returns false.
  bool for_each(FunctionRef<bool(const StoredAttribute&)> visit) const;
  /// Frees B-trees and heap.
  void destroy();

 private:
  StoredAttribute read(Bytes record) const;
  int compare_name(Bytes record, std::uint32_t hash, std::string_view name) const;

  File& file_;
  const format::AttributeInfo& info_;
};

}  // namespace filigree::model
