// SPDX-License-Identifier: Apache-2.0
//
// Chunks in a fixed or an extensible array: the coordinates of a chunk give its place.
#pragma once

#include <memory>
#include <vector>

#include "format/chunk_index/chunk_record.hpp"
#include "index/chunk_array.hpp"
#include "index/chunk_index.hpp"

namespace filigree::index {

/// How coordinates become the number of an element: row-major over the greatest extent, with the dimension
/// that has none, if any, as the slowest.
class ArrayOrder {
 public:
  /// Throws Error(limit) when the numbers of elements pass 2^64, Error(corrupt) when more than one
  /// dimension is without bound.
  explicit ArrayOrder(const std::vector<std::uint64_t>& max_counts);

  /// All elements; only without an unlimited dimension.
  std::uint64_t elements() const { return elements_; }
  /// Elements are in row-major order of the coordinates.
  bool row_major() const { return dims_.front() == 0; }
  /// Of coordinates within the greatest extent; none when it passes 2^64.
  std::optional<std::uint64_t> number(ChunkCoordinates at) const;
  /// The least number that stands not before `at`, which may be any; ~0 when all do. Only when row_major().
  std::uint64_t lower_bound(ChunkCoordinates at) const;
  void coordinates(std::uint64_t number, std::span<std::uint64_t> at) const;
  /// How many elements further the next chunk along that dimension is.
  std::uint64_t stride(std::size_t dim) const { return strides_[dim]; }

 private:
  std::vector<std::size_t> dims_;       ///< the slowest first
  std::vector<std::uint64_t> counts_;   ///< by dimension
  std::vector<std::uint64_t> strides_;  ///< by dimension
  std::uint64_t elements_ = 1;
};

class ArrayIndex : public ChunkIndex {
 public:
  ArrayIndex(store::FileStore& store, const format::LayoutMessage& layout, const DatasetFacts& facts);

  std::uint64_t index_bytes() const override { return array_ ? array_->file_bytes() : 0; }
  void allocate() override;

 private:
  std::optional<ChunkLocation> do_find(ChunkCoordinates at) const override;
  void do_find_many(std::span<const std::uint64_t> coordinates,
                    std::span<ChunkLocation> found) const override;
  bool do_for_each(Visitor see, ChunkCoordinates from) const override;
  std::optional<ChunkLocation> do_insert(ChunkCoordinates at, const ChunkLocation& location) override;
  void do_insert_many(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
                      std::size_t& done) override;
  std::optional<ChunkLocation> do_remove(ChunkCoordinates at) override;
  void do_destroy() override;
  void do_for_each_from_shrunk(const std::vector<std::uint64_t>& before, Visitor see) const override;

  void open();
  std::optional<ChunkLocation> location(const ArrayRun& run, std::uint64_t number) const;
  std::uint64_t get_number(ChunkCoordinates at) const;
  void write(std::uint64_t number, const ChunkLocation& location);
  void encode(const ChunkLocation& location, MutableBytes element) const;
  /// In the array's own order.
  bool for_each_number(std::uint64_t first, FunctionRef<bool(std::uint64_t, const ChunkLocation&)> see) const;
  bool for_each_sorted(Visitor see, ChunkCoordinates from) const;

  ArrayOrder order_;
  format::ChunkRecordForm form_;
  std::unique_ptr<ChunkArray> array_;  ///< null while the index is not in the file
};

}  // namespace filigree::index
