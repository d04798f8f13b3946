// SPDX-License-Identifier: Apache-2.0
//
// Attributes in a fractal heap, found by name hash and by creation order through version 2 B-trees.
#pragma once

#include <optional>
#include <string_view>

#include <filigree/object.hpp>

#include "base/function_ref.hpp"
#include "format/messages/attribute_info.hpp"
#include "model/attribute/attribute_table.hpp"

namespace filigree::model {

class DenseAttributes {
 public:
  DenseAttributes(File& file, const format::AttributeInfo& info) : file_(file), info_(info) {}

  /// Makes empty storage and notes its addresses in `info`.
  static void create(File& file, format::AttributeInfo& info);

  std::uint64_t size() const;
  /// What trees and heap take in the file.
  MetadataBytes metadata_bytes() const;
  std::optional<StoredAttribute> find(std::string_view name) const;
  void insert(const StoredAttribute& attribute);
  std::optional<StoredAttribute> remove(std::string_view name);
  /// In order of name hash.
  bool for_each(FunctionRef<bool(const StoredAttribute&)> see) const;
  void destroy();

 private:
  StoredAttribute read(Bytes record) const;
  int compare_name(Bytes record, std::uint32_t hash, std::string_view name) const;

  File& file_;
  const format::AttributeInfo& info_;
};

}  // namespace filigree::model
