// SPDX-License-Identifier: Apache-2.0
//
// The chunk index of a dataset: one interface over the six kinds of index that the format has (docs/format/
// chunk-indexes.md).
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

/// What an index records for one chunk.
struct ChunkLocation {
  Address address = Address::undefined;
  std::uint64_t stored_bytes = 0;
  std::uint32_t filter_mask = 0;  ///< bit i is set when filter i was skipped; dense chunks only
  format::SectionTable sections{};
  friend bool operator==(const ChunkLocation&, const ChunkLocation&) = default;
};

/// What an index needs to know of its dataset beside the layout message.
struct DatasetFacts {
  std::vector<std::uint64_t> extent;      ///< in elements
  std::vector<std::uint64_t> max_extent;  ///< in elements; format::unlimited for an unlimited dimension
  bool filtered = false;                  ///< the pipeline, or the pipeline of any section, has a filter
  std::uint16_t btree1_k = 32;  ///< from the superblock: half of the maximum number of children of a node
};

/// The scaled coordinates of a chunk: those of its first element, divided by the chunk dimensions.
using ChunkCoordinates = std::span<const std::uint64_t>;

/// The grid of chunks of a dataset, in units of chunks.
struct IndexGrid {
  /// *Throws* Error(corrupt) when layout message and dataset are inconsistent.
  IndexGrid(const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::size_t rank() const { return dims.size(); }
  void set_extent(std::span<const std::uint64_t> extent);
  /// Whether the current extent contains the chunk.
  bool inside(ChunkCoordinates at) const;

  std::vector<std::uint64_t> dims;    ///< chunk dimensions, in elements
  std::uint64_t chunk_bytes = 0;      ///< before filters
  std::vector<std::uint64_t> counts;  ///< chunks in each dimension of the current extent
  std::vector<std::uint64_t>
      max_counts;  ///< of the maximum extent; format::unlimited for an unlimited dimension
};

/// The index of one dataset. It records where chunks are stored. Unless preallocates_chunks(), it neither
/// allocates nor frees the space of the chunks themselves. It holds the extent and the layout message of the
/// dataset, so all users of a dataset share one index. The caller rewrites the layout message when
/// layout_revision() has changed.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class ChunkIndex {
 public:
  /// Called for chunks in row-major order of their coordinates; returns false to stop.
  using Visitor = FunctionRef<bool(ChunkCoordinates at, const ChunkLocation&)>;
  /// Called for chunks that were removed from the index, so that the caller frees their space.
  using OnRemoved = FunctionRef<void(ChunkCoordinates at, const ChunkLocation&)>;

  virtual ~ChunkIndex() = default;

  /// The layout message as it is to be stored in the object header.
  const format::LayoutMessage& layout() const { return layout_; }
  std::uint64_t layout_revision() const { return revision_; }
  const IndexGrid& grid() const { return grid_; }
  /// Whether the pipeline, or the pipeline of any section, has a filter.
  bool is_filtered() const { return facts_.filtered; }
  /// Whether allocate() allocates all chunks, contiguously. The index owns their space then: find() finds
  /// every chunk, and insert() accepts only the location that the chunk already has.
  virtual bool preallocates_chunks() const { return false; }

  /// The location of a chunk, if it is allocated. *Throws* Error(corrupt or truncated) when the location is
  /// impossible.
  std::optional<ChunkLocation> find(ChunkCoordinates at) const;
  /// Finds many chunks. `coordinates` has the coordinates of each element of `found`, preferably in row-major
  /// order: then every block of the index is read at most once. The address stays undefined for a chunk that
  /// is not allocated.
  void find(std::span<const std::uint64_t> coordinates, std::span<ChunkLocation> found) const;
  /// Calls `visitor` for all allocated chunks, or for those that are not before `from`. Returns whether
  /// `visitor` never returned false. `visitor` must not change the index.
  bool for_each(Visitor visitor, ChunkCoordinates from = {}) const;
  /// The number of allocated chunks. Reads the whole index unless it is a version 2 B-tree.
  virtual std::uint64_t count() const;
  /// The bytes of all allocated chunks as stored.
  std::uint64_t stored_bytes() const;
  /// The bytes of the index itself in the file.
  virtual std::uint64_t index_bytes() const = 0;

  /// Creates the index in the file. Otherwise the first insert() does.
  virtual void allocate() = 0;
  /// Adds a chunk, or changes its location; returns the previous location.
  /// *Throws* Error(invalid_argument) for coordinates outside of the maximum extent, for a size that an index
  /// without sizes cannot record, and for sections that differ from the layout or are out of order. *Throws*
  /// Error(limit) for a size that is too large for its field.
  std::optional<ChunkLocation> insert(ChunkCoordinates at, const ChunkLocation& location);
  /// Inserts many chunks, preferably in row-major order. `done` counts them, also when this throws.
  void insert(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
              std::size_t& done);
  /// Removes a chunk; returns its location, if it was allocated.
  std::optional<ChunkLocation> remove(ChunkCoordinates at);
  /// Changes the extent of the dataset. Removes the chunks outside of it, and calls `outside` for each.
  void resize(std::span<const std::uint64_t> extent, OnRemoved outside);
  /// Removes the index from the file, and calls `removed` for every chunk. The layout has no address
  /// afterwards.
  void destroy(OnRemoved removed);
  /// Creates an index of the same kind for a copy of the dataset in `target`. `copy` is called for every
  /// chunk, and returns the location of its copy.
  std::unique_ptr<ChunkIndex> clone(
      store::FileStore& target, const DatasetFacts& facts,
      FunctionRef<ChunkLocation(ChunkCoordinates at, const ChunkLocation&)> copy_chunk) const;

 protected:
  ChunkIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  virtual std::optional<ChunkLocation> do_find(ChunkCoordinates at) const = 0;
  virtual void do_find_many(std::span<const std::uint64_t> coordinates, std::span<ChunkLocation> found) const;
  virtual bool do_for_each(Visitor visitor, ChunkCoordinates from) const = 0;
  virtual std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) = 0;
  /// Increments `done` for every chunk that was inserted.
  virtual void do_insert_many(std::span<const std::uint64_t> coordinates,
                              std::span<const ChunkLocation> locations, std::size_t& done);
  virtual std::optional<ChunkLocation> do_remove(ChunkCoordinates at) = 0;
  /// Frees the space of the index itself.
  virtual void do_destroy() = 0;
  /// Calls `visitor`, in any order, for at least all chunks outside of grid().counts, which has shrunk.
  virtual void do_for_each_from_shrunk(const std::vector<std::uint64_t>& before, Visitor visitor) const;

  ChunkCoordinates nth(std::span<const std::uint64_t> coordinates, std::size_t i) const {
    return coordinates.subspan(i * grid_.rank(), grid_.rank());
  }
  /// *Throws* Error(corrupt or truncated) when the chunk, or its sections, cannot be at this location.
  void check(ChunkCoordinates at, const ChunkLocation& location) const;
  /// The layout message, for a change that the caller of the index has to store.
  format::LayoutMessage& edit_layout() {
    ++revision_;
    return layout_;
  }

  store::FileStore& store_;
  const DatasetFacts facts_;
  IndexGrid grid_;

 private:
  void require_rank(std::size_t numbers, std::size_t chunks) const;
  /// *Throws* Error(invalid_argument) for values that the index has no fields for.
  void require_representable(ChunkCoordinates at, const ChunkLocation& location) const;
  void require_insertable(ChunkCoordinates at, const ChunkLocation& location) const;

  format::LayoutMessage layout_;
  std::uint64_t revision_ = 0;
};

/// The index that `layout`, of the chunked or the structured class, describes. With an undefined address the
/// index is not in the file yet. *Throws* Error(corrupt) when layout and dataset are inconsistent, or the
/// index belongs to another dataset.
std::unique_ptr<ChunkIndex> make_index(store::FileStore& store, const format::LayoutMessage& layout,
                                       const DatasetFacts& facts);

/// What the choice of an index depends on, beside the dataset.
struct IndexChoice {
  std::uint8_t layout_version =
      3;  ///< by the version bounds of the file; from 4 on there is a choice of indexes
  bool allocate_early = false;
  bool raw_partial_chunks = false;         ///< partial edge chunks stay unfiltered; needs version 4
  format::ChunkComposition composition{};  ///< with sections for structured chunks, which need version 5
};

/// The layout message of a new dataset, with the kind of index that HDF5 would choose and no address. Sparse
/// datasets of many chunks get a B-tree where HDF5 would choose an array. `chunk` has the chunk dimensions in
/// elements. *Throws* Error(invalid_argument) for chunks that HDF5 refuses.
format::LayoutMessage choose_index(const DatasetFacts& facts, std::span<const std::uint64_t> chunk,
                                   std::uint64_t element_bytes, const IndexChoice& choice);

}  // namespace filigree::index
