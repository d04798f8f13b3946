// SPDX-License-Identifier: Apache-2.0
//
// Where the chunks of one dataset are: one interface over the six kinds of index that the format has.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/chunk_index/section_table.hpp"
#include "format/messages/layout.hpp"

namespace filigree::store {
class FileStore;
}

namespace filigree::index {

/// What an index says of one chunk.
struct ChunkLocation {
  Address address = Address::undefined;
  std::uint64_t stored_bytes = 0;
  std::uint32_t filter_mask = 0;  ///< bit i set: filter i was skipped; of dense chunks
  format::SectionTable sections{};
  friend bool operator==(const ChunkLocation&, const ChunkLocation&) = default;
};

/// What an index has to know of its dataset beside the layout message, which tells of sections.
struct DatasetFacts {
  std::vector<std::uint64_t> extent;      ///< in elements
  std::vector<std::uint64_t> max_extent;  ///< format::unlimited where without bound
  bool filtered = false;                  ///< the pipeline, or that of any section, has a filter
  std::uint16_t btree1_k = 32;            ///< from the superblock: half of the most children of a node
};

/// Coordinates of a chunk: those of its first element, divided by the dimensions of a chunk.
using ChunkCoordinates = std::span<const std::uint64_t>;

/// The chunks of a dataset cut into a grid. Derived from layout message and dataset.
struct IndexGrid {
  /// Throws Error(corrupt) when the two do not fit each other.
  IndexGrid(const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::size_t rank() const { return dims.size(); }
  void set_extent(std::span<const std::uint64_t> extent);
  /// Whether a dataset of the current extent has that chunk.
  bool inside(ChunkCoordinates at) const;

  std::vector<std::uint64_t> dims;        ///< of a chunk, in elements
  std::uint64_t chunk_bytes = 0;          ///< before any filter
  std::vector<std::uint64_t> counts;      ///< chunks along each dimension of the current extent
  std::vector<std::uint64_t> max_counts;  ///< of the maximum extent; format::unlimited where without bound
};

/// An index. Reading is safe on any number of threads; changing needs the caller to be alone with the
/// index and with the metadata of its file. Chunk bytes are the caller's: except where preallocates_chunks(),
/// an index neither allocates nor frees them. Changes touch only the blocks that they concern; the caller
/// writes the layout message again when layout_revision() has changed. An index knows its dataset's extent
/// and layout: all who use one dataset share one index.
class ChunkIndex {
 public:
  /// Gets chunks in row-major order of their coordinates; returns false to stop.
  using Visitor = FunctionRef<bool(ChunkCoordinates at, const ChunkLocation&)>;
  /// Gets chunks that the index no longer holds, so that the caller frees their bytes.
  using OnRemoved = FunctionRef<void(ChunkCoordinates at, const ChunkLocation&)>;

  virtual ~ChunkIndex() = default;

  /// As it is to stand in the dataset's header.
  const format::LayoutMessage& layout() const { return layout_; }
  std::uint64_t layout_revision() const { return revision_; }
  const IndexGrid& grid() const { return grid_; }
  /// Chunks have their places from the start, one after another in the file; the index owns that space,
  /// find() knows all chunks as soon as allocate() was called, and insert() accepts nothing else.
  virtual bool preallocates_chunks() const { return false; }

  /// Throws Error(corrupt, truncated) for a chunk that cannot be where the index says.
  std::optional<ChunkLocation> find(ChunkCoordinates at) const;
  /// Many at once: rank coordinates for every element of `found`, best in row-major order. Reads every
  /// block of the index at most once. The address stays undefined where there is no chunk.
  void find(std::span<const std::uint64_t> coordinates, std::span<ChunkLocation> found) const;
  /// Shows all chunks from `from` (when not empty) on, whether or not there is a chunk of these
  /// coordinates; whether `see` never returned false. `see` must not change the index.
  bool for_each(Visitor see, ChunkCoordinates from = {}) const;
  /// Chunks that have a place in the file. Reads the whole index unless it is a version 2 B-tree.
  virtual std::uint64_t count() const;
  /// Their bytes as stored.
  std::uint64_t stored_bytes() const;
  /// What the index itself takes in the file.
  virtual std::uint64_t index_bytes() const = 0;

  /// Makes the index in the file, which otherwise waits for the first chunk.
  virtual void allocate() = 0;
  /// Adds a chunk, or gives it another place; returns what was known of it. Throws
  /// Error(invalid_argument) for coordinates that the maximum extent excludes, for a size that an index
  /// without sizes cannot express, and for other sections than the layout has or in no order; Error(limit)
  /// for a size too large for its field.
  std::optional<ChunkLocation> insert(ChunkCoordinates at, const ChunkLocation& location);
  /// Many at once, best in row-major order; `done` says how many are in when this throws.
  void insert(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
              std::size_t& done);
  std::optional<ChunkLocation> remove(ChunkCoordinates at);
  /// The dataset has a new extent. Chunks that lie outside are removed and given to `outside`.
  void resize(std::span<const std::uint64_t> extent, OnRemoved outside);
  /// Removes the index from the file; all chunks go to `chunks`. The layout's address is undefined then.
  void destroy(OnRemoved chunks);
  /// An index of the same kind for a copy of the dataset in `target`, empty or with the chunks that
  /// `place` gives a location to (it returns where the copy of a chunk is).
  std::unique_ptr<ChunkIndex> clone(
      store::FileStore& target, const DatasetFacts& facts,
      FunctionRef<ChunkLocation(ChunkCoordinates at, const ChunkLocation&)> place) const;

 protected:
  ChunkIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  virtual std::optional<ChunkLocation> do_find(ChunkCoordinates at) const = 0;
  virtual void do_find_many(std::span<const std::uint64_t> coordinates, std::span<ChunkLocation> found) const;
  virtual bool do_for_each(Visitor see, ChunkCoordinates from) const = 0;
  virtual std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) = 0;
  /// Counts `done` up.
  virtual void do_insert_many(std::span<const std::uint64_t> coordinates,
                              std::span<const ChunkLocation> locations, std::size_t& done);
  virtual std::optional<ChunkLocation> do_remove(ChunkCoordinates at) = 0;
  /// Frees what the index itself takes.
  virtual void do_destroy() = 0;
  /// Shows, in any order, at least the chunks that lie outside of grid().counts, which has shrunk.
  virtual void do_for_each_from_shrunk(const std::vector<std::uint64_t>& before, Visitor see) const;

  ChunkCoordinates nth(std::span<const std::uint64_t> coordinates, std::size_t i) const {
    return coordinates.subspan(i * grid_.rank(), grid_.rank());
  }
  /// Throws when the chunk cannot be there, or its sections not be in it.
  void check(ChunkCoordinates at, const ChunkLocation& location) const;
  format::LayoutMessage& edit_layout() {
    ++revision_;
    return layout_;
  }

  store::FileStore& store_;
  const DatasetFacts facts_;
  IndexGrid grid_;

 private:
  void require_rank(std::size_t numbers, std::size_t chunks) const;
  /// Throws Error(invalid_argument) for what the index has no fields for.
  void require_expressible(ChunkCoordinates at, const ChunkLocation& location) const;
  void require_insertable(ChunkCoordinates at, const ChunkLocation& location) const;

  format::LayoutMessage layout_;
  std::uint64_t revision_ = 0;
};

/// The index that `layout`, a chunked or structured one, describes. An undefined address means that it is
/// still to be made. Throws Error(corrupt) when layout and dataset do not fit, or the index is one of another
/// dataset.
std::unique_ptr<ChunkIndex> make_index(store::FileStore& store, const format::LayoutMessage& layout,
                                       const DatasetFacts& facts);

/// What else decides on the kind of a new index.
struct IndexChoice {
  std::uint8_t layout_version = 3;  ///< as the file's bounds ask; from 4 on there is a choice of indexes
  bool allocate_early = false;
  bool raw_partial_chunks = false;         ///< chunks that the extent cuts stay unfiltered; needs version 4
  format::ChunkComposition composition{};  ///< with sections: structured chunks, which need version 5
};

/// The layout message of a new dataset, with the kind of index that stock would take and no address. Sparse
/// datasets of many chunks get a tree where stock's choice would be an array.
/// `chunk` are the chunk's dimensions in elements. Throws Error(invalid_argument) for chunks that stock
/// refuses.
format::LayoutMessage choose_index(const DatasetFacts& facts, std::span<const std::uint64_t> chunk,
                                   std::uint64_t element_bytes, const IndexChoice& choice);

}  // namespace filigree::index
