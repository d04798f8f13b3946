// SPDX-License-Identifier: Apache-2.0
//
// Changes the extent of a chunked dataset.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"

namespace filigree::chunk {

/// *Requires*: the exclusive lock.
class Resizer {
 public:
  explicit Resizer(ChunkTable& table) : table_(table), format_(table.format()) {}

  /// Frees chunks outside of the new extent. Elements outside of it in partial edge chunks are erased, so
  /// that they do not reappear when the extent grows again. *Throws* Error(unsupported) for a SWMR writer
  /// whose partial edge chunks are encoded differently.
  void resize(std::span<const std::uint64_t> extent);

 private:
  void remove_outside(std::span<const std::uint64_t> extent);
  void release(std::span<PendingRead> removed);
  using CutVisitor = FunctionRef<void(std::span<const std::uint64_t>)>;
  using EdgeBefore = FunctionRef<ChunkEdge(std::uint64_t)>;  ///< gets the number of a chunk
  void find_cut(const std::vector<std::uint64_t>& before, CutVisitor visit) const;
  void rewrite_in_groups(const ChunkGeometry& before);
  void rewrite_one_by_one(const ChunkGeometry& before);
  void rewrite(std::span<const std::uint64_t> chunks, EdgeBefore edge_before);
  std::vector<PendingRead> load_stored(std::span<const std::uint64_t> chunks, EdgeBefore edge_before) const;
  void erase_outside(std::uint64_t chunk, DecodedChunk& decoded) const;
  bool is_empty(const DecodedChunk& decoded) const;
  Buffer all_values(const DecodedChunk& decoded) const;

  ChunkTable& table_;
  const ChunkFormat& format_;
};

}  // namespace filigree::chunk
