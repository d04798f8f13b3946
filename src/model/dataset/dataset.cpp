// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/dataset.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/table/chunk_store.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/dataset/storage.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "model/virtual/virtual_sources.hpp"
#include "store/file_store.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

using format::AllocationTime;
using format::LayoutClass;
using format::MessageType;

namespace {

[[noreturn]] void contradict(Address header, const std::string& what) {
  throw Error(ErrorKind::corrupt, fmt::format("dataset at {}: {}", to_string(header), what));
}

format::FillValue load_fill(File& file, Address header) {
  const format::Widths& widths = file.store().widths();
  format::FillValue fill;
  fill.allocation = AllocationTime::by_layout;
  if (const auto body = find_message(file, header, MessageType::fill_value)) {
    fill = format::decode<format::FillValue>(*body, widths, header);
  } else if (const auto old = find_message(file, header, MessageType::fill_value_old)) {
    fill.value = format::decode<format::FillValueOld>(*old, widths, header).value;
    fill.state = format::FillState::user;
  }
  // Version 3 and the old message can say "a value of no bytes".
  if (fill.state == format::FillState::user && fill.value.empty())
    fill.state = format::FillState::default_value;
  return fill;
}

void check_external(const DatasetParts& parts, Address header) {
  if (parts.layout.layout != LayoutClass::contiguous)
    contradict(header, "it has external files, but is not contiguous");
  const std::uint64_t held = external_bytes(parts.external);
  if (held < parts.data_bytes) {
    contradict(header, fmt::format("its external files have room for {} bytes, but its elements need {}",
                                   held, parts.data_bytes));
  }
}

void check_structured(const DatasetParts& parts, Address header) {
  const format::ChunkComposition& composition = parts.layout.composition;
  if (parts.layout.dims.empty() || parts.layout.dims.back() != parts.type.size)
    contradict(header, "its chunks have elements of another size than its datatype");
  for (const format::SectionPipeline& section : parts.section_filters.sections) {
    if (section.section >= composition.sections)
      contradict(header, fmt::format("it has filters for section {}, but its chunks have {} sections",
                                     section.section, composition.sections));
  }
  if (composition.has_heap() != type::has_variable_parts(parts.type))
    contradict(header, "whether its chunks have a heap contradicts its datatype");
}

void check_parts(const DatasetParts& parts, Address header) {
  const bool sized_fill = parts.fill.state == format::FillState::user;
  if (sized_fill && parts.fill.value.size() != parts.type.size) {
    contradict(header, fmt::format("its fill value has {} bytes, but its elements have {}",
                                   parts.fill.value.size(), parts.type.size));
  }
  if (!parts.external.empty()) return check_external(parts, header);
  const format::LayoutMessage& layout = parts.layout;
  if (layout.layout == LayoutClass::compact && layout.compact_data.size() != parts.data_bytes) {
    contradict(header, fmt::format("it stores {} bytes in its header, but its elements need {}",
                                   layout.compact_data.size(), parts.data_bytes));
  }
  if (layout.layout == LayoutClass::structured) check_structured(parts, header);
  // Before version 3 only the extent tells the size.
  const bool too_small = layout.layout == LayoutClass::contiguous && layout.version >= 3 &&
                         is_valid(layout.address) && layout.contiguous_bytes < parts.data_bytes;
  if (too_small) {
    contradict(header, fmt::format("its storage has {} bytes, but its elements need {}",
                                   layout.contiguous_bytes, parts.data_bytes));
  }
}

}  // namespace

AllocationTime usual_allocation(LayoutClass layout) {
  switch (layout) {
    case LayoutClass::compact:
      return AllocationTime::early;
    case LayoutClass::contiguous:
      return AllocationTime::late;
    case LayoutClass::chunked:
    case LayoutClass::virtual_dataset:
    case LayoutClass::structured:
      break;
  }
  return AllocationTime::incremental;
}

Address committed_type(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  const auto* m = entry->find(MessageType::datatype);
  if (m == nullptr || (m->slot.flags & format::message_flag::shared) == 0) return Address::undefined;
  const auto reference =
      format::decode<format::SharedReference>(entry->body(*m), file.store().widths(), header);
  return reference.kind == format::SharedKind::header ? reference.header : Address::undefined;
}

DatasetParts load_dataset(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  if (const ObjectKind kind = object_kind(file, header); kind != ObjectKind::dataset) {
    throw Error(ErrorKind::wrong_type,
                fmt::format("the object at {} is a {}, not a dataset", to_string(header), to_string(kind)));
  }
  DatasetParts parts;
  parts.type = object_datatype(file, header);
  parts.committed = committed_type(file, header);
  parts.space = object_dataspace(file, header);
  parts.layout = format::decode<format::LayoutMessage>(get_message(file, header, MessageType::layout),
                                                       file.store().widths(), header);
  parts.fill = load_fill(file, header);
  if (parts.fill.allocation == AllocationTime::by_layout)
    parts.fill.allocation = usual_allocation(parts.layout.layout);
  parts.external = load_external(file, header);
  if (parts.layout.layout == LayoutClass::chunked) {
    if (const auto body = find_message(file, header, MessageType::filter_pipeline))
      parts.pipeline = format::decode<format::PipelineMessage>(*body, file.store().widths(), header);
  }
  if (parts.layout.layout == LayoutClass::structured) {
    if (const auto body = find_message(file, header, MessageType::filter_pipeline))
      parts.section_filters =
          format::decode<format::SectionPipelinesMessage>(*body, file.store().widths(), header);
  }
  parts.elements = format::element_count(parts.space);
  parts.data_bytes = checked_multiply(parts.elements, parts.type.size, "the size of the dataset");
  check_parts(parts, header);
  return parts;
}

format::LayoutMessage allocate_contiguous(File& file, Address header, const DatasetParts& parts,
                                          bool about_to_cover) {
  format::LayoutMessage layout = parts.layout;
  const bool has_space = layout.layout != LayoutClass::contiguous || is_valid(layout.address);
  if (has_space || parts.data_bytes == 0 || !parts.external.empty()) return layout;
  layout.address = make_contiguous(file, parts, about_to_cover);
  layout.contiguous_bytes = parts.data_bytes;
  try {
    replace_body(file, header, MessageType::layout, format::encode(layout, file.store().widths()));
  } catch (...) {
    file.store().space().release(store::SpaceKind::raw, layout.address, parts.data_bytes);
    throw;
  }
  touch(file, header);
  return layout;
}

void store_compact(File& file, Address header, const DatasetParts& parts, Buffer elements) {
  if (parts.layout.layout != LayoutClass::compact || elements.size() != parts.data_bytes)
    throw Error(ErrorKind::internal, "compact elements that do not fit their dataset");
  format::LayoutMessage layout = parts.layout;
  layout.compact_data = std::move(elements);
  replace_body(file, header, MessageType::layout, format::encode(layout, file.store().widths()));
  touch(file, header);
}

namespace {

void check_new_dims(const DatasetParts& parts, const std::vector<std::uint64_t>& dims) {
  const format::DataspaceMessage& space = parts.space;
  if (space.kind != format::DataspaceKind::simple || dims.size() != space.dims.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} dimensions for a dataset that has {}", dims.size(), space.dims.size()));
  }
  const auto& most = space.max_dims ? *space.max_dims : space.dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] > most[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} cannot become {}: its maximum is {}", i, dims[i], most[i]));
    }
  }
}

void check_mapped_dims(const VirtualLayout& layout, const std::vector<std::uint64_t>& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < layout.least_dims[i]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("dimension {} cannot become {}: mappings of the virtual dataset need {}", i,
                              dims[i], layout.least_dims[i]));
    }
  }
}

}  // namespace

void resize_dataset(File& file, Address header, const std::vector<std::uint64_t>& dims) {
  const DatasetParts parts = load_dataset(file, header);
  const bool chunked = parts.layout.in_chunks();
  const bool is_virtual = parts.layout.layout == LayoutClass::virtual_dataset;
  if (!chunked && !is_virtual && parts.external.empty())
    throw Error(ErrorKind::invalid_argument, "a dataset that is stored in one piece cannot be resized");
  check_new_dims(parts, dims);
  if (is_virtual) check_mapped_dims(*file.virtuals().layout(file, header, parts), dims);
  format::DataspaceMessage space = parts.space;
  if (!space.max_dims) space.max_dims = space.dims;
  space.dims = dims;
  const std::uint64_t bytes =
      checked_multiply(format::element_count(space), parts.type.size, "the size of the dataset");
  if (const std::uint64_t held = external_bytes(parts.external); !parts.external.empty() && bytes > held) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("elements of {} bytes do not fit the {} bytes of the external files", bytes, held));
  }
  if (chunked) file.chunks().open(file, header, parts)->resize(dims);
  // As in stock, the layout of external data keeps the bytes that it was created with.
  replace_body(file, header, MessageType::dataspace, format::encode(space, file.store().widths()));
  touch(file, header);
  const bool early = chunked && parts.fill.allocation == AllocationTime::early;
  if (early) file.chunks().open(file, header, parts)->allocate_all(parts.space.dims);
}

}  // namespace filigree::model
