// SPDX-License-Identifier: Apache-2.0
//
// The fixed and the extensible array index: the coordinates of a chunk determine its array element.
#pragma once

#include <memory>
#include <vector>

#include "format/chunk_index/chunk_record.hpp"
#include "index/chunk_array.hpp"
#include "index/chunk_index.hpp"

namespace filigree::index {

/// The mapping from coordinates to array elements: row-major over the maximum extent, with the unlimited
/// dimension, if there is one, as the slowest.
class ArrayOrder {
 public:
  /// *Throws* Error(limit) when there are more than 2^64 elements, Error(corrupt) for several unlimited
  /// dimensions.
  explicit ArrayOrder(const std::vector<std::uint64_t>& max_counts);

  /// The number of elements. *Requires* that no dimension is unlimited.
  std::uint64_t elements() const { return elements_; }
  /// Whether the elements are in row-major order of the coordinates.
  bool row_major() const { return dims_.front() == 0; }
  /// The element of a chunk inside of the maximum extent; none when its number is above 2^64.
  std::optional<std::uint64_t> number(ChunkCoordinates at) const;
  /// The first element that is not before `at`, which may be any coordinates; ~0 if there is none. *Requires*
  /// row_major().
  std::uint64_t lower_bound(ChunkCoordinates at) const;
  /// The coordinates of an element: the inverse of number().
  void coordinates(std::uint64_t number, std::span<std::uint64_t> at) const;
  /// The distance in elements to the next chunk in a dimension.
  std::uint64_t stride(std::size_t dim) const { return strides_[dim]; }

 private:
  std::vector<std::size_t> dims_;       ///< the slowest first
  std::vector<std::uint64_t> counts_;   ///< by dimension
  std::vector<std::uint64_t> strides_;  ///< by dimension
  std::uint64_t elements_ = 1;
};

/// The index over either kind of array.
class ArrayIndex : public ChunkIndex {
 public:
  ArrayIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::uint64_t index_bytes() const override { return array_ ? array_->file_bytes() : 0; }
  void allocate() override;

 private:
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  void do_find_many(std::span<const std::uint64_t> coordinates,
                    std::span<ChunkLocation> found) const override;
  bool do_for_each(Visitor visitor, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  void do_insert_many(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
                      std::size_t& done) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;
  void do_for_each_from_shrunk(const std::vector<std::uint64_t>& before, Visitor visitor) const override;

  /// Opens the array at the address of the layout message.
  void open();
  /// Decodes element `number` of `run`; nothing when its chunk is not allocated.
  std::optional<ChunkLocation> location(const ArrayRun& run, std::uint64_t number) const;
  /// The element of a chunk. *Throws* Error(limit) when there is none.
  std::uint64_t get_number(ChunkCoordinates at) const;
  /// Encodes a location into element `number`.
  void write(std::uint64_t number, const ChunkLocation& location);
  /// Encodes a location into an element of the array.
  void encode(const ChunkLocation& location, MutableBytes element) const;
  /// Visits the chunks in the order of the array.
  bool for_each_number(std::uint64_t first,
                       FunctionRef<bool(std::uint64_t, const ChunkLocation&)> visitor) const;
  /// Visits the chunks in row-major order when the order of the array is another.
  bool for_each_sorted(Visitor visitor, ChunkCoordinates from) const;

  ArrayOrder order_;
  format::ChunkRecordLayout record_layout_;
  std::unique_ptr<ChunkArray> array_;  ///< null while the index is not in the file
};

}  // namespace filigree::index
