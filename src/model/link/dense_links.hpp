// SPDX-License-Identifier: Apache-2.0
//
// Dense link storage: a fractal heap, indexed by name hash and creation order in version 2 B-trees.
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

/// The dense link storage that a link info message describes.
/// Requires: the file lock, exclusively for functions that are not const; `info` outlives this object.
class DenseLinks {
 public:
  DenseLinks(store::FileStore& store, const format::LinkInfo& info) : store_(store), info_(info) {}

  /// Creates empty storage and sets its addresses in `info`. `filters` is the body of a filter pipeline
  /// message, or empty. Throws: Error if a mandatory filter is not available.
  static void create(store::FileStore& store, format::LinkInfo& info, Buffer filters);

  std::uint64_t size() const;
  /// Returns the sizes of B-trees and heap.
  MetadataBytes metadata_bytes() const;
  /// Returns the link; empty if there is none of that name.
  std::optional<format::LinkMessage> find(std::string_view name) const;
  /// Adds a link, of which `body` is the encoded message.
  void insert(const format::LinkMessage& link, Bytes body);
  std::optional<format::LinkMessage> remove(std::string_view name);
  /// Visits links in the order of their name hashes until `visit` returns false.
  bool for_each(FunctionRef<bool(const format::LinkMessage&)> visit) const;
  /// Visits links in creation order.
  /// Requires: the creation order is indexed.
  bool for_each_in_order(FunctionRef<bool(const format::LinkMessage&)> visit) const;
  /// Frees B-trees and heap.
  void destroy();

 private:
  format::LinkMessage read(Bytes heap_id) const;

  store::FileStore& store_;
  const format::LinkInfo& info_;
};

}  // namespace filigree::model
