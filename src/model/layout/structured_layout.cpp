// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/immortal.hpp"
#include "format/codec/codec.hpp"
#include "index/chunk_index.hpp"
#include "model/dataset/check.hpp"
#include "model/dataset/filter_facts.hpp"
#include "model/file/file.hpp"
#include "model/layout/chunked_layout.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

const Layout& structured_layout() {
  static const Immortal<StructuredLayout> layout;
  return *layout;
}

const Layout& sparse_layout() {
  static const Immortal<SparseLayout> layout;
  return *layout;
}

namespace {

/// The proposal of sparse chunks allows 2^32 - 1 elements. More are an extension, which an upper version
/// bound before the latest excludes.
void check_elements(const File& file, const std::vector<std::uint64_t>& chunk) {
  constexpr std::uint64_t most = 0xffffffff;
  std::uint64_t elements = 1;
  for (const std::uint64_t dim : chunk) elements = checked_multiply(elements, dim, "the elements of a chunk");
  if (elements <= most || file.formats().bounds.high >= Version::latest) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("a structured chunk has {} elements; unless the upper version bound is the latest, "
                          "the limit is {}",
                          elements, most));
}

}  // namespace

void StructuredLayout::check_new(File& file, const NewDataset& made, std::uint64_t bytes) const {
  ChunkedLayout::check_new(file, made, bytes);
  check_elements(file, made.chunk);
  const bool heap = type::has_variable_parts(made.type);
  require(made.sparse || heap, "chunks have sections when they are sparse, or for values of variable length");
  require(made.sparse || made.selection_filters.empty(), "only sparse chunks say what they define");
  require(heap || made.heap_filters.empty(), "there are no values of variable length to filter");
  require(!made.heap_set || (made.sparse && heap),
          "only sparse chunks of values of variable length have heap sets");
  require(made.allocation == format::AllocationTime::by_layout ||
              made.allocation == format::AllocationTime::incremental,
          "structured chunks get their space when they are written");
  require(made.selection_filters.size() <= 32 && made.heap_filters.size() <= 32,
          "at most 32 filters are possible");
}

void StructuredLayout::describe_new(File& file, const NewDataset& made, DatasetMessages& messages) const {
  messages.section_filters = prepare_section_filters(made);
  index::IndexChoice choice;
  choice.raw_partial_chunks = !made.filter_partial_chunks;
  choice.composition = format::ChunkComposition::make(made.sparse, type::has_variable_parts(made.type));
  if (made.heap_set) choice.composition.kind = 0;
  messages.layout = index::choose_index(chunk_facts(file, messages), made.chunk, made.type.size, choice);
}

void StructuredLayout::load_filters(File& file, Address header, DatasetMessages& messages) const {
  using format::MessageType;
  format::SectionPipelinesMessage& filters = messages.section_filters;
  auto body = find_message(file, header, MessageType::section_filters);
  // The pipeline message has them in files of the format draft and of earlier versions of this library.
  if (auto in_pipeline = find_message(file, header, MessageType::filter_pipeline)) {
    if (body) contradict(header, "it has two messages of filters");
    filters.version = format::SectionPipelinesMessage::pipeline_version;
    body = std::move(in_pipeline);
  }
  if (body) format::decode(filters, *body, file.store().widths(), header);
  const auto entry = store::ObjectHeader(file.store(), header).load();
  for (const auto& message : entry->messages)
    if (!format::is_known(message.slot.type)) messages.unknown = message.slot.type;
}

void StructuredLayout::downgrade(const Dataset&) const {
  throw Error(ErrorKind::unsupported, "structured chunks have no form that older releases read");
}

void StructuredLayout::check(const DatasetMessages& messages, Address header) const {
  const format::ChunkComposition& composition = messages.layout.composition;
  if (messages.layout.dims.empty() || messages.layout.dims.back() != messages.type.size)
    contradict(header, "its chunks have elements of another size than its datatype");
  for (const format::SectionPipeline& section : messages.section_filters.sections) {
    if (section.section >= composition.sections)
      contradict(header, fmt::format("it has filters for section {}, but its chunks have {} sections",
                                     section.section, composition.sections));
  }
  if (composition.has_heap() != type::has_variable_parts(messages.type))
    contradict(header, "whether its chunks have a heap contradicts its datatype");
}

}  // namespace filigree::model
