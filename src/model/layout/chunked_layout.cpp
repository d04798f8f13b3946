// SPDX-License-Identifier: Apache-2.0
#include "model/layout/chunked_layout.hpp"

#include <functional>
#include <optional>
#include <utility>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/immortal.hpp"
#include "chunk/raw/chunk_copier.hpp"
#include "chunk/raw/index_conversion.hpp"
#include "chunk/raw/release_chunks.hpp"
#include "chunk/raw/resizer.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/chunk_reader.hpp"
#include "chunk/transfer/chunk_writer.hpp"
#include "chunk/transfer/selected_chunk_reader.hpp"
#include "chunk/transfer/selected_chunk_writer.hpp"
#include "format/codec/codec.hpp"
#include "index/chunk_index.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/filter_facts.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/file_values.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/layout/new_extent.hpp"
#include "model/layout/plausible_bytes.hpp"
#include "model/layout/selected_values.hpp"
#include "model/object/object.hpp"
#include "space/huge_selection.hpp"
#include "space/point_order.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::AllocationTime;

namespace {

/// Elements that are partitioned at once are processed chunk by chunk in any order. More points than that are
/// sorted first, so that not every batch visits all chunks.
space::Matched in_chunk_order(const Transfer& transfer, space::Side destination) {
  const bool repeats = destination == space::Side::memory && !transfer.memory_elements.is_set();
  if (!repeats && transfer.file_elements.elements() <= space::PartitionLimits{}.most_runs)
    return {transfer.file_elements, transfer.memory_elements};
  return space::in_file_order(transfer.file_elements, transfer.memory_elements, destination);
}

/// Returns whether chunks can be converted on several threads in any order.
bool is_order_free(const Transfer& transfer, const type::Conversion& conversion) {
  return !conversion.traits().uses_files && transfer.on_fault == nullptr;
}

type::Context make_context(const Transfer& transfer) {
  type::Context context;
  context.on_fault = transfer.on_fault;
  context.memory = transfer.memory;
  return context;
}

filter::Decoding decoding_of(const Transfer& transfer) {
  return {transfer.verify_checksums ? filter::Checksums::verify : filter::Checksums::ignore,
          transfer.on_filter_fault};
}

/// The elements that a program writes, with all that their conversion refers to.
class WrittenValues {
 public:
  WrittenValues(const Dataset& dataset, const Transfer& transfer, type::ConversionPointer conversion,
                const std::byte* memory)
      : conversion_(std::move(conversion)),
        heap_(dataset.file()),
        context_(make_context(transfer)),
        release_([&dataset](Bytes before, Bytes now) {
          release_chunk_values(dataset.file(), dataset.messages(), before, now);
        }),
        replaced_(release_),
        values_{*conversion_, context_, const_cast<std::byte*>(memory), transfer.memory_type.size} {
    context_.to_file = &heap_;
    if (conversion_->traits().uses_files && owns_heap_values(dataset.messages()))
      values_.replaced = &replaced_;
  }
  WrittenValues(const WrittenValues&) = delete;
  WrittenValues& operator=(const WrittenValues&) = delete;

  const chunk::Values& get() const { return values_; }

 private:
  type::ConversionPointer conversion_;
  HeapFileValues heap_;
  type::Context context_;
  std::function<void(Bytes, Bytes)> release_;
  FunctionRef<void(Bytes, Bytes)> replaced_;
  chunk::Values values_;
};

chunk::SelectedWriteOptions selected_write(const Dataset& dataset, const Transfer& transfer,
                                           const type::Conversion& conversion) {
  return {!transfer.merges && writes_complete_elements(dataset, conversion),
          is_order_free(transfer, conversion), decoding_of(transfer), dataset.file().parallel() != nullptr};
}

/// As in HDF5, elements of a dataset without any chunk need a fill value.
void require_fill_value(const DatasetMessages& messages, const chunk::ChunkTable& table) {
  const bool undefined = messages.layout.layout == format::LayoutClass::chunked &&
                         messages.fill.state == format::FillState::undefined &&
                         messages.fill.write != format::FillTime::never;
  if (undefined && !is_valid(messages.layout.address) && !table.cache().has_dirty(table.cache_owner()))
    throw Error(ErrorKind::not_found, "nothing has been written to it, and it has no fill value");
}

/// Whether chunks are too large for versions before 5.
bool needs_version_5(const NewDataset& made) {
  std::optional<std::uint64_t> bytes = made.type.size;
  for (const std::uint64_t dim : made.chunk) bytes = bytes ? try_multiply(*bytes, dim) : bytes;
  return !bytes || *bytes > 0xffffffff;
}

}  // namespace

const Layout& chunked_layout() {
  static const Immortal<ChunkedLayout> layout;
  return *layout;
}

void ChunkedLayout::check_new(File&, const NewDataset& made, std::uint64_t) const {
  require(made.space.kind == format::DataspaceKind::simple, "only arrays can be stored in chunks");
  require(!made.chunk.empty(), "a chunked dataset needs the dimensions of its chunks");
  require(made.filters.size() <= 32, "at most 32 filters are possible");
}

void ChunkedLayout::describe_new(File& file, const NewDataset& made, DatasetMessages& messages) const {
  messages.pipeline = prepare_filters(made, file.formats().pipeline());
  choose_index(file, made, messages);
}

void ChunkedLayout::choose_index(File& file, const NewDataset& made, DatasetMessages& messages) {
  index::IndexChoice choice;
  choice.layout_version = file.formats().chunked_layout(!messages.pipeline.filters.empty());
  if (needs_version_5(made) && file.formats().at_least(Version::v2_0)) choice.layout_version = 5;
  choice.allocate_early = messages.fill.allocation == AllocationTime::early;
  choice.raw_partial_chunks = !made.filter_partial_chunks;
  messages.layout = index::choose_index(chunk_facts(file, messages), made.chunk, made.type.size, choice);
}

bool ChunkedLayout::is_constant(const DatasetMessages& messages) const {
  return messages.fill.allocation == AllocationTime::early && messages.pipeline.filters.empty() &&
         messages.elements > 0;
}

void ChunkedLayout::allocate_early(const Dataset& dataset) const {
  if (dataset.messages().fill.allocation == AllocationTime::early)
    chunk::allocate_all_chunks(*open_chunks(dataset));
}

void ChunkedLayout::load_filters(File& file, Address header, DatasetMessages& messages) const {
  if (const auto body = find_message(file, header, format::MessageType::filter_pipeline))
    messages.pipeline = format::decode<format::PipelineMessage>(*body, file.store().widths(), header);
}

void ChunkedLayout::read(const Dataset& dataset, const Transfer& transfer,
                         const type::ConversionPointer& conversion, std::byte* memory) const {
  const auto table = open_chunks(dataset);
  require_fill_value(dataset.messages(), *table);
  const space::Matched elements = in_chunk_order(transfer, space::Side::memory);
  HeapFileValues heap(dataset.file(), elements.file.elements());
  type::Context context = make_context(transfer);
  context.from_file = &heap;
  const chunk::Values values{*conversion, context, memory, transfer.memory_type.size};
  chunk::ChunkReader(*table, decoding_of(transfer))
      .read(elements.file, elements.memory, values, is_order_free(transfer, *conversion));
}

void ChunkedLayout::write(const Dataset& dataset, const Transfer& transfer,
                          const type::ConversionPointer& conversion, const std::byte* memory) const {
  const auto table = open_chunks(dataset);
  const space::Matched elements = in_chunk_order(transfer, space::Side::file);
  const WrittenValues values(dataset, transfer, conversion, memory);
  chunk::ChunkWriter(*table, decoding_of(transfer))
      .write(elements.file, elements.memory, values.get(), is_order_free(transfer, *conversion));
  if (dataset.excerpt() != nullptr) table->flush();
}

bool ChunkedLayout::sends_selections(const Dataset& dataset) const {
  return chunk::transfers_selections(*open_chunks(dataset));
}

bool ChunkedLayout::plan_read(const Dataset& dataset, const Transfer& transfer,
                              const type::ConversionPointer& conversion, std::byte* memory,
                              io::SelectionReads& batch) const {
  const auto table = open_chunks(dataset);
  require_fill_value(dataset.messages(), *table);
  const auto elements =
      space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::memory);
  chunk::SelectedChunkReader(table, decoding_of(transfer), is_order_free(transfer, *conversion))
      .read(elements, SelectedValues::make(dataset.file(), transfer, conversion, memory), batch);
  return true;
}

void ChunkedLayout::plan_read_before_write(const Dataset& dataset, const Transfer& transfer,
                                           const type::ConversionPointer& conversion,
                                           io::SelectionReads& batch) const {
  const auto elements =
      space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::file);
  chunk::SelectedChunkWriter(open_chunks(dataset), selected_write(dataset, transfer, *conversion))
      .read_merged(elements, batch);
}

bool ChunkedLayout::plan_write(const Dataset& dataset, const Transfer& transfer,
                               const type::ConversionPointer& conversion, const std::byte* memory,
                               io::SelectionWrites& batch) const {
  const auto elements =
      space::in_file_order(transfer.file_elements, transfer.memory_elements, space::Side::file);
  const WrittenValues values(dataset, transfer, conversion, memory);
  chunk::SelectedChunkWriter(open_chunks(dataset), selected_write(dataset, transfer, *conversion))
      .write(elements, values.get(), batch);
  return true;
}

bool ChunkedLayout::write_shared(const Dataset& dataset, const Transfer& transfer,
                                 const type::ConversionPointer& conversion, const std::byte* memory) const {
  if (!is_order_free(transfer, *conversion)) return false;
  const auto table = open_chunks(dataset);
  if (dataset.sends_selections(transfer)) return false;
  DatasetExclusiveAccess access(dataset, table);
  const space::Matched elements = in_chunk_order(transfer, space::Side::file);
  const type::Context context = make_context(transfer);
  const chunk::Values values{*conversion, context, const_cast<std::byte*>(memory), transfer.memory_type.size};
  return chunk::ChunkWriter(*table, decoding_of(transfer))
      .write(elements.file, elements.memory, values, true, access);
}

ParallelWrite ChunkedLayout::parallel_write(const DatasetMessages& messages) const {
  if (messages.pipeline.filters.empty()) return {ParallelWrite::Form::in_place, "a chunked dataset"};
  return {ParallelWrite::Form::gathered, "a dataset with filters"};
}

bool ChunkedLayout::wants_early_space(const NewDataset& made) const { return made.filters.empty(); }

void ChunkedLayout::allocate_all(const Dataset& dataset) const {
  const auto table = open_chunks(dataset);
  if (!is_valid(table->index().layout().address)) chunk::allocate_all_chunks(*table);
}

void ChunkedLayout::require_data(const Dataset& dataset, std::uint64_t elements,
                                 std::uint64_t memory_bytes) const {
  const std::uint64_t plausible =
      try_add(unfiltered_bytes(dataset.file().store().file_bytes()), most_unwritten_bytes)
          .value_or(~std::uint64_t{0});
  require_plausible(wanted_bytes(dataset, elements, memory_bytes), plausible);
}

void ChunkedLayout::resize(const Dataset& dataset, const std::vector<std::uint64_t>& dims) const {
  const format::DataspaceMessage space = make_new_extent(dataset, dims);
  if (dataset.messages().fill.allocation == AllocationTime::early && space::is_huge(dims))
    throw Error(ErrorKind::limit, "all chunks of an extent of 2^64 elements or more cannot be allocated");
  const auto table = open_chunks(dataset);
  chunk::Resizer(*table).resize(dims);
  store_extent(dataset, space);
  const DatasetMessages& before = dataset.messages();
  if (before.fill.allocation == AllocationTime::early) chunk::allocate_all_chunks(*table, before.space.dims);
}

void ChunkedLayout::downgrade(const Dataset& dataset) const {
  File& file = dataset.file();
  const auto table = open_chunks(dataset);
  table->flush();
  table->drop_cached();
  chunk::IndexConversion conversion(*table, chunk_facts(file, dataset.messages()));
  const format::LayoutMessage layout = conversion.build();
  replace_body(file, dataset.header(), format::MessageType::layout,
               format::encode(layout, file.store().widths()));
  touch(file, dataset.header());
  file.chunks().forget(dataset.header());
  conversion.finish();
}

std::uint64_t ChunkedLayout::stored_bytes(const Dataset& dataset) const {
  const bool has_index = is_valid(dataset.messages().layout.address);
  if (!has_index && dataset.file().chunks().find(dataset.header()) == nullptr) return 0;
  const auto table = open_chunks(dataset);
  flush_chunks(dataset.file(), *table);
  return table->index().stored_bytes();
}

MetadataBytes ChunkedLayout::metadata_bytes(const Dataset& dataset) const {
  File& file = dataset.file();
  const DatasetMessages& messages = dataset.messages();
  // An open chunk index may be newer than the header.
  const auto in_use = file.chunks().find(dataset.header());
  MetadataBytes bytes;
  bytes.index =
      in_use ? in_use->index().index_bytes()
             : index::make_index(file.store(), messages.layout, chunk_facts(file, messages))->index_bytes();
  return bytes;
}

std::shared_ptr<chunk::ChunkTable> ChunkedLayout::open_chunks(const Dataset& dataset) const {
  return dataset.file().chunks().open(dataset);
}

format::LayoutMessage ChunkedLayout::copy_to(const Dataset& dataset, File& to) const {
  File& from = dataset.file();
  const DatasetMessages& messages = dataset.messages();
  const bool has_heap_in_chunks = messages.layout.composition.has_heap();
  const auto copy_values = [&](MutableBytes elements) {
    if (has_heap_in_chunks) return clear_references(messages.type, elements);
    copy_heap_values(from, to, messages.type, elements);
  };
  chunk::ChunkCopier::Adapt adapt(copy_values);
  const bool refers_to_heap = has_heap_values(messages.type) && !has_heap_in_chunks;
  const bool must_adapt = refers_to_heap || (&from != &to && has_references(messages.type));
  return chunk::ChunkCopier(*open_chunks(dataset))
      .copy_to(to.store(), chunk_facts(to, messages), must_adapt ? &adapt : nullptr);
}

void ChunkedLayout::discard(File& file, const DatasetMessages& messages,
                            const format::LayoutMessage& layout) const {
  if (!is_valid(layout.address)) return;
  chunk::release_chunks(file.store(), *index::make_index(file.store(), layout, chunk_facts(file, messages)));
}

void ChunkedLayout::for_each_value(const Dataset& dataset, FunctionRef<void(Bytes)> use) const {
  if (owns_heap_values(dataset.messages())) chunk::ChunkReader(*open_chunks(dataset)).for_each_value(use);
}

void ChunkedLayout::release_values(const Dataset& dataset, Bytes elements) const {
  release_chunk_values(dataset.file(), dataset.messages(), elements, {});
}

void ChunkedLayout::free(const Dataset& dataset, const format::LayoutMessage&) const {
  // The chunk index alone decides, because filters may be unavailable.
  dataset.file().chunks().forget(dataset.header());
  discard(dataset.file(), dataset.messages(), dataset.messages().layout);
}

}  // namespace filigree::model
