// SPDX-License-Identifier: Apache-2.0
//
// Which parts of a dataset are stored.
#pragma once

#include <cstdint>
#include <vector>

#include <filigree/dataset.hpp>

namespace filigree::api {

using Coordinates = std::vector<std::uint64_t>;

/// Returns the product, or the largest number if it does not fit.
std::uint64_t product(std::uint64_t a, std::uint64_t b);

struct Box {
  Coordinates start, count;

  std::uint64_t elements() const {
    std::uint64_t all = 1;
    for (const std::uint64_t n : count) all = product(all, n);
    return all;
  }
  std::uint64_t end(std::size_t d) const { return start[d] + count[d]; }
  Selection selection() const { return start.empty() ? Selection::all() : Selection::box(start, count); }
};

/// Whether the dataset has chunks, of whatever kind.
bool has_chunks(const DatasetInfo& info);

/// The stored elements of a dataset. Of those without chunks, all are stored or none.
class StoredParts {
 public:
  explicit StoredParts(const Dataset& data);

  /// Whether nothing is stored at all.
  bool none() const;
  /// Whether something is stored in the box. Costs one query of the chunk index.
  bool any(const Box& box) const;
  /// Returns the elements of the box that are in stored chunks.
  Selection elements(const Box& box) const;
  /// Returns the box without those chunks of another dataset in which nothing is stored. `dims` are their
  /// dimensions; empty: the other dataset has none. Requires: the box begins with such a chunk.
  Selection within_chunks(const Box& box, const Coordinates& dims) const;

 private:
  struct Grid;
  void mark(const Coordinates& offset, Grid& grid) const;
  Selection marked(const Grid& grid) const;

  const Dataset& data_;
  const DatasetInfo info_;
  const Coordinates extent_;
};

}  // namespace filigree::api
