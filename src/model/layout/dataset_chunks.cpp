// SPDX-License-Identifier: Apache-2.0
#include "model/layout/dataset_chunks.hpp"

#include <algorithm>

#include "chunk/format/heap_section.hpp"
#include "chunk/format/make_format.hpp"
#include "chunk/table/chunk_table.hpp"
#include "chunk/table/excerpt_table.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/pipeline.hpp"
#include "index/chunk_index.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/header_messages.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// Returns the fill value. Values in the global heap are copied to a heap of its own.
chunk::VariableCells chunk_fill(File& file, const DatasetMessages& parts) {
  chunk::VariableCells fill;
  if (parts.fill.state != format::FillState::user) return fill;
  fill.elements = parts.fill.value;
  const bool is_structured = parts.layout.layout == format::LayoutClass::structured;
  chunk::HeapWriter heap(fill.heap, file.store().widths().offset_bytes);
  if (is_structured && parts.layout.composition.has_heap())
    fetch_heap_values(file, heap, parts.type, fill.elements);
  return fill;
}

/// A table that does not use the shared cache.
struct TableWithCache {
  TableWithCache(store::FileStore& file, chunk::ChunkTableSetup setup, const chunk::ChunkCacheLimits& limits)
      : cache(limits), table(file, std::move(setup), cache) {}
  chunk::ChunkCache cache;
  chunk::ChunkTable table;
};

/// Sets callbacks that free heap values with their elements, and copy them before elements would share them.
void track_heap_values(File& file, const DatasetMessages& parts, chunk::ChunkTableCallbacks& callbacks) {
  callbacks.elements_removed = [&file, parts](Bytes before, Bytes now) {
    try {
      release_chunk_values(file, parts, before, now);
    } catch (const Error& error) {
      // References to missing heap objects are ignored; nothing was freed.
      if (error.kind() != ErrorKind::corrupt && error.kind() != ErrorKind::limit) throw;
    }
  };
  if (parts.fill.state != format::FillState::user) return;
  callbacks.separate_values = [&file, type = parts.type, fill = parts.fill.value](MutableBytes elements) {
    separate_heap_values(file, type, elements, fill);
  };
}

chunk::ChunkTableSetup make_setup(const Dataset& dataset) {
  File& file = dataset.file();
  const DatasetMessages& parts = dataset.messages();
  chunk::ChunkTableSetup setup;
  setup.index = index::make_index(file.store(), parts.layout, chunk_facts(file, parts));
  setup.extent = parts.space.dims;
  setup.traits.element_bytes = parts.type.size;
  // Elements that a sparse dataset does not define have the fill value, whether it is ever written or not.
  const bool fills =
      parts.fill.state != format::FillState::undefined && parts.fill.write != format::FillTime::never;
  setup.traits.reads_blank = fills || parts.is_sparse();
  setup.traits.allocates_late = parts.layout.layout == format::LayoutClass::chunked &&
                                parts.fill.allocation == format::AllocationTime::late &&
                                !space::is_huge(parts.space.dims);
  setup.callbacks.layout_changed = [&file, header = dataset.header()](const format::LayoutMessage& layout) {
    replace_body(file, header, format::MessageType::layout, format::encode(layout, file.store().widths()));
  };
  if (owns_heap_values(parts)) track_heap_values(file, parts, setup.callbacks);
  const auto& grid = setup.index->grid();
  setup.format = chunk::make_format({parts.layout, parts.type, parts.pipeline, parts.section_filters,
                                     grid.dims, grid.chunk_bytes, chunk_fill(file, parts)});
  return setup;
}

std::shared_ptr<chunk::ChunkTable> make_table(const Dataset& dataset, const chunk::ChunkCacheLimits* limits) {
  store::FileStore& store = dataset.file().store();
  auto setup = make_setup(dataset);
  if (limits == nullptr) {
    // The size of decoded structured chunks is not that of the chunk dimensions.
    if (dataset.messages().layout.layout == format::LayoutClass::chunked)
      chunk::ChunkCache::shared().expect_chunks_of(setup.index->grid().chunk_bytes);
    return std::make_shared<chunk::ChunkTable>(store, std::move(setup));
  }
  const auto owner = std::make_shared<TableWithCache>(store, std::move(setup), *limits);
  return {owner, &owner->table};
}

}  // namespace

index::DatasetFacts chunk_facts(File& file, const DatasetMessages& parts) {
  index::DatasetFacts facts;
  facts.extent = parts.space.dims;
  facts.max_extent = parts.space.max_dims.value_or(parts.space.dims);
  facts.filtered = !parts.pipeline.filters.empty() || !parts.section_filters.sections.empty();
  facts.btree1_k = file.superblock().chunk_k;
  return facts;
}

bool owns_heap_values(const DatasetMessages& parts) {
  return parts.layout.layout == format::LayoutClass::chunked && has_heap_values(parts.type);
}

void release_chunk_values(File& file, const DatasetMessages& parts, Bytes before, Bytes now) {
  Buffer old(before.begin(), before.end());
  if (parts.fill.state == format::FillState::user) spare_heap_values(parts.type, old, parts.fill.value);
  if (now.empty()) return release_heap_values(file, parts.type, old);
  release_replaced_values(file, parts.type, old, now);
}

void flush_chunks(File& file, chunk::ChunkTable& table) {
  if (!table.has_dirty()) return;
  const Change change(file, "write chunks");
  table.flush();
}

DatasetChunks::~DatasetChunks() = default;

std::shared_ptr<chunk::ChunkTable> DatasetChunks::open(const Dataset& dataset) {
  if (dataset.excerpt() == nullptr) return open_all(dataset);
  /// The table of the dataset lives as long as that of the excerpt.
  struct Held {
    std::shared_ptr<chunk::ChunkTable> all;
    std::unique_ptr<chunk::ChunkTable> excerpt;
  };
  auto held = std::make_shared<Held>();
  held->all = open_all(dataset);
  held->excerpt = chunk::make_excerpt_table(*held->all, dataset.excerpt());
  return {held, held->excerpt.get()};
}

std::shared_ptr<chunk::ChunkTable> DatasetChunks::open_all(const Dataset& dataset) {
  const MutexLock lock(mutex_);
  const std::uint64_t header = to_number(dataset.header());
  auto& table = tables_[header];
  if (!table) {
    try {
      const auto limits = limits_.find(header);
      table = make_table(dataset, limits == limits_.end() ? nullptr : &limits->second);
    } catch (...) {
      tables_.erase(header);
      throw;
    }
  }
  return table;
}

std::shared_ptr<chunk::ChunkTable> DatasetChunks::find(Address header) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(to_number(header));
  return found == tables_.end() ? nullptr : found->second;
}

void DatasetChunks::set_cache(Address header, const std::optional<chunk::ChunkCacheLimits>& limits) {
  const MutexLock lock(mutex_);
  const auto current = limits_.find(to_number(header));
  const bool same =
      limits ? current != limits_.end() && current->second == *limits : current == limits_.end();
  if (same) return;
  if (const auto table = tables_.find(to_number(header)); table != tables_.end()) {
    table->second->flush();
    tables_.erase(table);
  }
  if (limits) {
    limits_.insert_or_assign(to_number(header), *limits);
  } else {
    limits_.erase(current);
  }
}

void DatasetChunks::flush() {
  const MutexLock lock(mutex_);
  std::vector<std::uint64_t> dirty;
  for (const auto& [header, table] : tables_)
    if (table->has_dirty()) dirty.push_back(header);
  // The members of a communicator have different tables, and write the same chunks in the same order.
  std::ranges::sort(dirty);
  for (const std::uint64_t header : dirty) tables_.at(header)->flush();
}

void DatasetChunks::refresh() {
  const MutexLock lock(mutex_);
  tables_.clear();
}

void DatasetChunks::forget(Address header) {
  const MutexLock lock(mutex_);
  tables_.erase(to_number(header));
  limits_.erase(to_number(header));
}

bool DatasetExclusiveAccess::run(FunctionRef<void()> work) {
  File& file = dataset_.file();
  const Change change(file, "write a dataset");
  const bool unchanged = file.chunks().find(dataset_.header()) == table_ &&
                         table_->geometry().dims() == dataset_.messages().space.dims;
  if (unchanged) work();
  return unchanged;
}

void DatasetExclusiveAccess::run_best_effort(FunctionRef<void()> work) noexcept {
  try {
    const Change change(dataset_.file(), "free space");
    work();
  } catch (...) {  // best effort: the original error is already being reported
  }
}

}  // namespace filigree::model
