// SPDX-License-Identifier: Apache-2.0
#include "model/layout/dataset_chunks.hpp"

#include "chunk/format/dense_format.hpp"
#include "chunk/format/sparse_format.hpp"
#include "chunk/format/variable_format.hpp"
#include "chunk/table/chunk_store.hpp"
#include "filter/packed_selection/packed_selection.hpp"
#include "filter/pipeline.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/pipeline.hpp"
#include "index/chunk_index.hpp"
#include "model/dataset/storage.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

filter::Pipeline bind_filters(const std::vector<format::PipelineFilter>& filters,
                              const filter::ElementLayout& layout) {
  std::vector<filter::FilterSpec> specs;
  for (const format::PipelineFilter& f : filters) specs.push_back({f.id, f.name, f.optional(), f.parameters});
  return filter::Pipeline(specs, layout);
}

std::unique_ptr<const chunk::ChunkFormat> make_dense_format(const DatasetParts& parts,
                                                            const index::IndexGrid& grid) {
  chunk::DenseShape shape;
  shape.element_bytes = parts.type.size;
  shape.elements = grid.chunk_bytes / parts.type.size;
  if (parts.fill.state == format::FillState::user) shape.fill = parts.fill.value;
  shape.filter_cut_chunks = !parts.layout.raw_partial_chunks;
  const filter::ElementLayout layout{shape.element_bytes, shape.elements};
  return std::make_unique<chunk::DenseFormat>(std::move(shape), bind_filters(parts.pipeline.filters, layout));
}

/// The fill value, and a heap for what it has in the heap of the file.
chunk::VariableCells chunk_fill(File& file, const DatasetParts& parts) {
  chunk::VariableCells fill;
  if (parts.fill.state != format::FillState::user) return fill;
  fill.elements = parts.fill.value;
  chunk::HeapWriter heap(fill.heap, file.store().widths().offset_bytes);
  if (parts.layout.composition.has_heap()) fetch_heap_values(file, heap, parts.type, fill.elements);
  return fill;
}

std::unique_ptr<const chunk::ChunkFormat> make_structured_format(File& file, const DatasetParts& parts,
                                                                 const index::IndexGrid& grid) {
  const format::ChunkComposition& composition = parts.layout.composition;
  std::shared_ptr<const chunk::VariableLayout> variable;
  if (composition.has_heap()) variable = std::make_shared<chunk::VariableLayout>(parts.type);
  std::vector<chunk::SectionRule> rules;
  for (std::uint8_t i = 0; i < composition.sections; ++i) {
    const format::SectionPipeline* const filters = parts.section_filters.find(i);
    chunk::SectionRule rule;
    if (filters != nullptr) rule.pipeline = bind_filters(filters->filters, {parts.type.size, 0});
    rule.checked = composition.has_checksum(i);
    rules.push_back(std::move(rule));
  }
  chunk::VariableCells fill = chunk_fill(file, parts);
  const bool filter_cut_chunks = !parts.layout.raw_partial_chunks;
  if (composition.sparse()) {
    chunk::SparseShape shape;
    shape.chunk = space::Frame(grid.dims);
    shape.element_bytes = parts.type.size;
    shape.variable = std::move(variable);
    shape.fill = std::move(fill.elements);
    shape.fill_heap = std::move(fill.heap);
    shape.filter_cut_chunks = filter_cut_chunks;
    const format::SectionPipeline* const selection = parts.section_filters.find(0);
    shape.selection_packed = selection != nullptr && selection->filters.size() == 1 &&
                             selection->filters[0].id == filter::packed_selection_id;
    return std::make_unique<chunk::SparseFormat>(std::move(shape), std::move(rules));
  }
  chunk::VariableShape shape;
  shape.elements = grid.chunk_bytes / parts.type.size;
  shape.layout = std::move(variable);
  shape.fill = std::move(fill.elements);
  shape.fill_heap = std::move(fill.heap);
  shape.filter_cut_chunks = filter_cut_chunks;
  return std::make_unique<chunk::VariableFormat>(std::move(shape), std::move(rules));
}

/// A store with a cache that nobody else uses.
struct Apart {
  Apart(store::FileStore& file, chunk::ChunkStoreSetup setup, const chunk::ChunkCacheLimits& limits)
      : cache(limits), store(file, std::move(setup), cache) {}
  chunk::ChunkCache cache;
  chunk::ChunkStore store;
};

/// Values in the heap come and go with the elements that have them.
void follow_heap_values(File& file, const DatasetParts& parts, chunk::ChunkStoreSetup& setup) {
  setup.cut_off = [&file, parts](Bytes before, Bytes now) {
    try {
      release_chunk_values(file, parts, before, now);
    } catch (const Error& error) {
      // References that lead nowhere: nothing was freed.
      if (error.kind() != ErrorKind::corrupt && error.kind() != ErrorKind::limit) throw;
    }
  };
  if (parts.fill.state != format::FillState::user) return;
  setup.separate = [&file, type = parts.type, fill = parts.fill.value](MutableBytes elements) {
    separate_heap_values(file, type, elements, fill);
  };
}

chunk::ChunkStoreSetup make_setup(File& file, Address header, const DatasetParts& parts) {
  chunk::ChunkStoreSetup setup;
  setup.index = index::make_index(file.store(), parts.layout, chunk_facts(file, parts));
  setup.extent = parts.space.dims;
  setup.element_bytes = parts.type.size;
  setup.reads_blank =
      parts.fill.state != format::FillState::undefined && parts.fill.write != format::FillTime::never;
  setup.layout_changed = [&file, header](const format::LayoutMessage& layout) {
    replace_body(file, header, format::MessageType::layout, format::encode(layout, file.store().widths()));
  };
  setup.allocates_late = parts.layout.layout == format::LayoutClass::chunked &&
                         parts.fill.allocation == format::AllocationTime::late;
  if (owns_heap_values(parts)) follow_heap_values(file, parts, setup);
  setup.format = parts.layout.layout == format::LayoutClass::structured
                     ? make_structured_format(file, parts, setup.index->grid())
                     : make_dense_format(parts, setup.index->grid());
  return setup;
}

std::shared_ptr<chunk::ChunkStore> make_store(File& file, Address header, const DatasetParts& parts,
                                              const chunk::ChunkCacheLimits* limits) {
  auto setup = make_setup(file, header, parts);
  if (limits == nullptr) {
    // Images of structured chunks have another size than their volume.
    if (parts.layout.layout == format::LayoutClass::chunked)
      chunk::ChunkCache::shared().expect_chunks_of(setup.index->grid().chunk_bytes);
    return std::make_shared<chunk::ChunkStore>(file.store(), std::move(setup));
  }
  const auto apart = std::make_shared<Apart>(file.store(), std::move(setup), *limits);
  return {apart, &apart->store};
}

}  // namespace

index::DatasetFacts chunk_facts(File& file, const DatasetParts& parts) {
  index::DatasetFacts facts;
  facts.extent = parts.space.dims;
  facts.max_extent = parts.space.max_dims.value_or(parts.space.dims);
  facts.filtered = !parts.pipeline.filters.empty() || !parts.section_filters.sections.empty();
  facts.btree1_k = file.superblock().chunk_k;
  return facts;
}

bool owns_heap_values(const DatasetParts& parts) {
  return parts.layout.layout == format::LayoutClass::chunked && has_heap_values(parts.type);
}

void release_chunk_values(File& file, const DatasetParts& parts, Bytes before, Bytes now) {
  Buffer old(before.begin(), before.end());
  if (parts.fill.state == format::FillState::user) spare_heap_values(parts.type, old, parts.fill.value);
  if (now.empty()) return release_heap_values(file, parts.type, old);
  release_replaced_values(file, parts.type, old, now);
}

DatasetChunks::~DatasetChunks() = default;

std::shared_ptr<chunk::ChunkStore> DatasetChunks::open(File& file, Address header,
                                                       const DatasetParts& parts) {
  const MutexLock lock(mutex_);
  auto& store = stores_[to_number(header)];
  if (!store) {
    try {
      const auto limits = limits_.find(to_number(header));
      store = make_store(file, header, parts, limits == limits_.end() ? nullptr : &limits->second);
    } catch (...) {
      stores_.erase(to_number(header));
      throw;
    }
  }
  return store;
}

std::shared_ptr<chunk::ChunkStore> DatasetChunks::find(Address header) const {
  const MutexLock lock(mutex_);
  const auto found = stores_.find(to_number(header));
  return found == stores_.end() ? nullptr : found->second;
}

void DatasetChunks::set_cache(Address header, const std::optional<chunk::ChunkCacheLimits>& limits) {
  const MutexLock lock(mutex_);
  const auto had = limits_.find(to_number(header));
  const bool same = limits ? had != limits_.end() && had->second == *limits : had == limits_.end();
  if (same) return;
  if (const auto store = stores_.find(to_number(header)); store != stores_.end()) {
    store->second->flush();
    stores_.erase(store);
  }
  if (limits) {
    limits_.insert_or_assign(to_number(header), *limits);
  } else {
    limits_.erase(had);
  }
}

void DatasetChunks::flush() {
  const MutexLock lock(mutex_);
  for (const auto& [header, store] : stores_) store->flush();
}

void DatasetChunks::refresh() {
  const MutexLock lock(mutex_);
  stores_.clear();
}

void DatasetChunks::forget(Address header) {
  const MutexLock lock(mutex_);
  stores_.erase(to_number(header));
  limits_.erase(to_number(header));
}

bool change_chunks(File& file, Address header, const std::shared_ptr<chunk::ChunkStore>& chunks,
                   const std::vector<std::uint64_t>& extent, FunctionRef<void()> work) {
  const Change change(file, "write a dataset");
  if (file.chunks().find(header) != chunks || chunks->grid().extent().dims() != extent) return false;
  work();
  return true;
}

void tidy_chunks(File& file, FunctionRef<void()> work) {
  try {
    const Change change(file, "free space");
    work();
  } catch (...) {  // there is more to be said of why, or the write is tried again
  }
}

}  // namespace filigree::model
