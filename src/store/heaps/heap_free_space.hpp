// SPDX-License-Identifier: Apache-2.0
//
// The free space of a fractal heap: holes in its direct blocks, and blocks that were skipped.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"
#include "format/free_space/free_space.hpp"
#include "format/heaps/fractal_heap.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;
class HeapHeaderEntry;

/// Consecutive cells of one indirect block that have no blocks although the iterator of the heap has passed
/// them. All of them are in rows of direct blocks. HDF5 calls this an indirect section.
struct HeapRun {
  static constexpr unsigned most_cells = 65535;  ///< limit of a stored section
  std::uint64_t block_offset = 0;                ///< heap offset of the indirect block
  unsigned first = 0;                            ///< cell: row * width + column
  unsigned cells = 0;
};

/// The free-space manager of a heap: its header and its section list. All offsets are heap offsets.
class HeapFreeSpace : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::free_space;

  HeapFreeSpace(const HeapHeaderEntry& heap, const format::Widths& widths);
  /// Reads the manager at `at`. *Throws* Error(corrupt) when it does not fit `heap`.
  static std::shared_ptr<HeapFreeSpace> load(const FileStore& store, Address at, const HeapHeaderEntry& heap);
  static std::size_t header_bytes(const format::Widths& widths);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  /// Allocates `bytes` from the start of the smallest hole that holds them.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  /// Adds a hole and merges it with adjacent holes. *Throws* Error(corrupt) when part of it is free already.
  void free(std::uint64_t offset, std::uint64_t bytes);

  /// Removes a hole that free() has added.
  void take(std::uint64_t offset, std::uint64_t bytes);

  void add_run(const HeapRun& run);
  /// Adds a run and merges it with adjacent runs of the same indirect block.
  void add_freed(HeapRun run);
  /// Removes the cells from heap offset `end` on.
  void cut_runs(std::uint64_t end);
  /// Removes the smallest skipped cell whose block holds `bytes` from its run, which is split.
  std::optional<HeapRun> allocate_cell(std::uint64_t bytes);

  /// Excludes the runs that `usable` refuses from allocate_cell(); they are stored again unchanged.
  void set_aside_runs(FunctionRef<bool(const HeapRun&)> usable);

  /// Whether there are sections over cells of indirect blocks, which only HDF5 writes.
  bool has_opaque() const { return !opaque_.empty(); }
  bool empty() const { return holes_.empty() && runs_.empty() && opaque_.empty(); }
  /// Frees the space of the section list. *Requires* a call after every change.
  void release_list(FileStore& store);
  /// Allocates exactly the space of the section list: HDF5 cannot change a list that is smaller than its
  /// space.
  void allocate_for_flush(FileStore& store) override;

  /// Bytes of header and section list in the file. The list has its final size after a flush.
  std::uint64_t file_bytes() const { return header_bytes(widths_) + header_.list_allocated_bytes; }

  const std::map<std::uint64_t, std::uint64_t>& holes() const { return holes_; }  ///< offset to bytes
  std::vector<HeapRun> runs() const;
  /// The header as encode() would write it.
  format::FreeSpaceHeader header() const;

 private:
  std::uint64_t run_offset(const HeapRun& run) const;
  /// Free bytes and ghost sections as the format counts them: one block and one section for each row.
  std::uint64_t run_bytes(const HeapRun& run) const;
  unsigned run_ghosts(const HeapRun& run) const;
  void add_stored(const format::FreeSection& section);
  bool add_stored_run(const format::FreeSection& section);
  format::FreeSection section_of(const HeapRun& run) const;
  std::vector<format::FreeSection> sections() const;

  format::DoublingTable table_;
  format::Widths widths_;
  format::FreeSpaceHeader header_;  ///< address and capacity of the list; header() computes the counts
  std::map<std::uint64_t, std::uint64_t> holes_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> holes_by_size_;
  std::uint64_t hole_bytes_ = 0;
  std::map<std::uint64_t, HeapRun> runs_;  ///< by heap offset of the first cell
  /// Sections over cells of indirect blocks, or within blocks that do not exist. They are stored again
  /// unchanged, with their share of the totals.
  std::vector<format::FreeSection> opaque_;
  std::uint64_t opaque_bytes_ = 0;
  std::uint64_t opaque_ghosts_ = 0;
};

}  // namespace filigree::store
