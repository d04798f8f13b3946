// SPDX-License-Identifier: Apache-2.0
//
// Links in a fractal heap, found by name hash and by creation order through version 2 B-trees.
#pragma once

#include <optional>
#include <string_view>

#include <filigree/object.hpp>

#include "base/function_ref.hpp"
#include "format/messages/link.hpp"

namespace filigree::store {
class FileStore;
}

namespace filigree::model {

class DenseLinks {
 public:
  DenseLinks(store::FileStore& store, const format::LinkInfo& info) : store_(store), info_(info) {}

  /// Makes empty storage and notes its addresses in `info`.
  static void create(store::FileStore& store, format::LinkInfo& info);

  std::uint64_t size() const;
  /// What trees and heap take in the file.
  MetadataBytes metadata_bytes() const;
  std::optional<format::LinkMessage> find(std::string_view name) const;
  void insert(const format::LinkMessage& link);
  std::optional<format::LinkMessage> remove(std::string_view name);
  /// In order of name hash.
  bool for_each(FunctionRef<bool(const format::LinkMessage&)> see) const;
  /// In order of creation; the storage must be indexed by it.
  bool for_each_in_order(FunctionRef<bool(const format::LinkMessage&)> see) const;
  void destroy();

 private:
  format::LinkMessage read(Bytes heap_id) const;

  store::FileStore& store_;
  const format::LinkInfo& info_;
};

}  // namespace filigree::model
