// SPDX-License-Identifier: Apache-2.0
//
// Writes elements of chunks from memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "chunk/table/exclusive_access.hpp"
#include "chunk/transfer/chunk_groups.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// *Thread safety*: the caller holds the file's lock, shared or exclusive; `access` says which.
class ChunkWriter {
 public:
  explicit ChunkWriter(ChunkTable& table, filter::Decoding decoding = {})
      : table_(table), format_(table.format()), decoding_(decoding) {}

  /// *Requires*: `file` selects from the extent and has as many elements as `memory`. `parallel`: several
  /// threads may use the conversion. Returns false if exclusive access was refused; earlier groups may
  /// already have been written. *Throws* Error; chunks that were changed in the cache by then are dirty.
  bool write(const space::Selection& file, const space::Selection& memory, const Values& values,
             bool parallel, ExclusiveAccess& access);
  /// The same for a caller that holds the exclusive lock.
  void write(const space::Selection& file, const space::Selection& memory, const Values& values,
             bool parallel) {
    HeldExclusiveAccess held;
    write(file, memory, values, parallel, held);
  }

 private:
  /// One group of chunks, prepared under the shared lock.
  struct Plan {
    std::vector<space::ChunkPiece> covered;  ///< pieces that are all of their chunk
    std::vector<space::ChunkPiece> partial;  ///< all others
    /// For each partial piece: a new chunk with its elements, if no such chunk existed.
    std::vector<std::unique_ptr<DecodedChunk>> fresh{};
    std::vector<PendingWrite> filtered{};     ///< covered chunks, encoded
    std::vector<PendingWrite> unfiltered{};   ///< covered chunks that are written as they are in memory
    std::vector<PendingWrite> unallocated{};  ///< those of them that are new
    bool each_once = false;                   ///< no element is written twice
    bool committing = false;
  };

  bool write_group(Pieces pieces, const Values& values, bool parallel, bool each_once,
                   ExclusiveAccess& access);
  Plan prepare(Pieces pieces, const Values& values, bool parallel, bool each_once, bool ahead) const;
  void prepare_covered(Plan& plan, const Values& values, bool parallel, bool ahead) const;
  std::vector<std::unique_ptr<DecodedChunk>> make_fresh(Pieces pieces, const Values& values,
                                                        bool parallel) const;
  std::vector<PendingWrite> extract_unallocated(std::vector<PendingWrite>& writes) const;
  bool write_unallocated(Plan& plan, const Values& values, bool parallel, ExclusiveAccess& access);
  void commit(Plan& plan, const Values& values, bool parallel);
  void release(const Plan& plan, ExclusiveAccess& access);
  void commit_unfiltered(std::span<PendingWrite> writes, const Values& values, bool parallel);
  void write_unfiltered(std::span<const PendingWrite> writes, const Values& values, bool parallel);
  void write_unfiltered_batch(std::span<const PendingWrite> writes, const Values& values, bool parallel);
  void commit_partial(Plan& plan, const Values& values, bool parallel);
  bool writes_in_place(const Plan& plan, const space::ChunkPiece& piece, const Values& values) const;
  void write_in_place(std::span<const PendingRead> chunks, const Values& values);

  ChunkTable& table_;
  const ChunkFormat& format_;
  const filter::Decoding decoding_;  ///< of chunks that are read because a part of them is written
};

}  // namespace filigree::chunk
