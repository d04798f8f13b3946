// SPDX-License-Identifier: Apache-2.0
//
// The layouts of datasets that are stored in chunks.
#pragma once

#include "model/layout/layout.hpp"
#include "model/layout/sparse_operations.hpp"

namespace filigree::model {

/// Elements in chunks of fixed dimensions, found through a chunk index. The chunk format decides what the
/// bytes of a chunk are; see chunk::ChunkFormat.
class ChunkedLayout : public Layout {
 public:
  void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const override;
  void describe_new(File& file, const NewDataset& made, DatasetMessages& messages) const override;
  bool is_constant(const DatasetMessages& messages) const override;
  void allocate_early(const Dataset& dataset) const override;
  void load_filters(File& file, Address header, DatasetMessages& messages) const override;
  void read(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
            std::byte* memory) const override;
  void write(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
             const std::byte* memory) const override;
  bool sends_selections(const Dataset& dataset) const override;
  bool plan_read(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                 std::byte* memory, io::SelectionReads& batch) const override;
  bool plan_write(const Dataset& dataset, const Transfer& transfer, const type::ConversionPointer& conversion,
                  const std::byte* memory, io::SelectionWrites& batch) const override;
  void plan_read_before_write(const Dataset& dataset, const Transfer& transfer,
                              const type::ConversionPointer& conversion,
                              io::SelectionReads& batch) const override;
  bool write_shared(const Dataset& dataset, const Transfer& transfer,
                    const type::ConversionPointer& conversion, const std::byte* memory) const override;
  ParallelWrite parallel_write(const DatasetMessages& messages) const override;
  bool wants_early_space(const NewDataset& made) const override;
  void allocate_all(const Dataset& dataset) const override;
  bool reads_huge_in_parallel() const override { return false; }
  void require_data(const Dataset& dataset, std::uint64_t elements,
                    std::uint64_t memory_bytes) const override;
  void resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const override;
  void downgrade(const Dataset& dataset) const override;
  bool has_newer_form(const format::LayoutMessage& layout) const override {
    return layout.index != format::ChunkIndexType::btree_v1;
  }
  std::uint64_t stored_bytes(const Dataset& dataset) const override;
  MetadataBytes metadata_bytes(const Dataset& dataset) const override;
  std::shared_ptr<chunk::ChunkTable> open_chunks(const Dataset& dataset) const override;
  format::LayoutMessage copy_to(const Dataset& dataset, File& to) const override;
  void discard(File& file, const DatasetMessages& messages,
               const format::LayoutMessage& layout) const override;
  void for_each_value(const Dataset& dataset, FunctionRef<void(Bytes)> use) const override;
  void release_values(const Dataset& dataset, Bytes elements) const override;
  void free(const Dataset& dataset, const format::LayoutMessage& layout) const override;

 protected:
  /// Chooses the chunk index. Requires: the messages have their filters.
  static void choose_index(File& file, const NewDataset& made, DatasetMessages& messages);
};

/// Elements in chunks with several sections. Values of variable length are in a section of the chunk.
class StructuredLayout : public ChunkedLayout {
 public:
  void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const override;
  void describe_new(File& file, const NewDataset& made, DatasetMessages& messages) const override;
  bool is_constant(const DatasetMessages&) const override { return false; }
  void allocate_early(const Dataset&) const override {}
  void load_filters(File& file, Address header, DatasetMessages& messages) const override;
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::gathered, "a dataset of structured chunks"};
  }
  bool wants_early_space(const NewDataset&) const override { return false; }
  bool reads_huge_in_parallel() const override { return true; }
  void downgrade(const Dataset& dataset) const override;
  void check(const DatasetMessages& messages, Address header) const override;
  bool has_sections() const override { return true; }
};

/// Structured chunks that hold only defined elements.
class SparseLayout final : public StructuredLayout {
 public:
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::gathered, "a sparse dataset"};
  }
  const SparseOperations* sparse() const override { return &sparse_operations(); }
};

/// The same in the form that HDF5 reads with a plug-in: ordinary chunks with one filter, whose parameters
/// describe the sections. See chunk::PortableFormat.
class PortableLayout final : public ChunkedLayout {
 public:
  void check_new(File& file, const NewDataset& made, std::uint64_t bytes) const override;
  void describe_new(File& file, const NewDataset& made, DatasetMessages& messages) const override;
  bool is_constant(const DatasetMessages&) const override { return false; }
  ParallelWrite parallel_write(const DatasetMessages&) const override {
    return {ParallelWrite::Form::gathered, "a sparse dataset"};
  }
  /// Chunks get their space when they are written: only those with defined elements are stored.
  bool wants_early_space(const NewDataset&) const override { return false; }
  const SparseOperations* sparse() const override { return &sparse_operations(); }
};

}  // namespace filigree::model
