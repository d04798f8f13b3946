// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/messages.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/dataset/storage.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
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
  // Version 3 and the old message can hold a value of size 0, which means the default.
  if (fill.state == format::FillState::user && fill.value.empty())
    fill.state = format::FillState::default_value;
  return fill;
}

void check_external(const DatasetMessages& messages, Address header) {
  if (messages.layout.layout != LayoutClass::contiguous)
    contradict(header, "it has external files, but is not contiguous");
  const std::uint64_t held = external_bytes(messages.external);
  if (held < messages.data_bytes) {
    contradict(header, fmt::format("its external files have room for {} bytes, but its elements need {}",
                                   held, messages.data_bytes));
  }
}

void check_structured(const DatasetMessages& messages, Address header) {
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

void check_messages(const DatasetMessages& messages, Address header) {
  const bool sized_fill = messages.fill.state == format::FillState::user;
  if (sized_fill && messages.fill.value.size() != messages.type.size) {
    contradict(header, fmt::format("its fill value has {} bytes, but its elements have {}",
                                   messages.fill.value.size(), messages.type.size));
  }
  if (!messages.external.empty()) return check_external(messages, header);
  const format::LayoutMessage& layout = messages.layout;
  if (layout.layout == LayoutClass::compact && layout.compact_data.size() != messages.data_bytes) {
    contradict(header, fmt::format("it stores {} bytes in its header, but its elements need {}",
                                   layout.compact_data.size(), messages.data_bytes));
  }
  if (layout.layout == LayoutClass::structured) check_structured(messages, header);
  // Before version 3 the layout message has no size.
  const bool too_small = layout.layout == LayoutClass::contiguous && layout.version >= 3 &&
                         is_valid(layout.address) && layout.contiguous_bytes < messages.data_bytes;
  if (too_small) {
    contradict(header, fmt::format("its storage has {} bytes, but its elements need {}",
                                   layout.contiguous_bytes, messages.data_bytes));
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

namespace {

/// Decodes and checks all messages of a dataset; see load_messages().
DatasetMessages decode_messages(File& file, Address header) {
  if (const ObjectKind kind = object_kind(file, header); kind != ObjectKind::dataset) {
    throw Error(ErrorKind::wrong_type,
                fmt::format("the object at {} is a {}, not a dataset", to_string(header), to_string(kind)));
  }
  DatasetMessages messages;
  messages.type = object_datatype(file, header);
  messages.committed = committed_type(file, header);
  messages.space = object_dataspace(file, header);
  messages.layout = format::decode<format::LayoutMessage>(get_message(file, header, MessageType::layout),
                                                          file.store().widths(), header);
  messages.fill = load_fill(file, header);
  if (messages.fill.allocation == AllocationTime::by_layout)
    messages.fill.allocation = usual_allocation(messages.layout.layout);
  messages.external = load_external(file, header);
  if (messages.layout.layout == LayoutClass::chunked) {
    if (const auto body = find_message(file, header, MessageType::filter_pipeline))
      messages.pipeline = format::decode<format::PipelineMessage>(*body, file.store().widths(), header);
  }
  if (messages.layout.layout == LayoutClass::structured) {
    if (const auto body = find_message(file, header, MessageType::filter_pipeline))
      messages.section_filters =
          format::decode<format::SectionPipelinesMessage>(*body, file.store().widths(), header);
  }
  messages.elements = format::element_count(messages.space);
  messages.data_bytes = checked_multiply(messages.elements, messages.type.size, "the size of the dataset");
  check_messages(messages, header);
  return messages;
}

}  // namespace

std::shared_ptr<const DatasetMessages> find_messages(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  return std::static_pointer_cast<const DatasetMessages>(entry->derived());
}

std::shared_ptr<const DatasetMessages> load_messages(File& file, Address header) {
  // The entry is held until the end, so that it cannot leave the cache between decoding and set_derived().
  const auto entry = store::ObjectHeader(file.store(), header).load();
  if (auto known = std::static_pointer_cast<const DatasetMessages>(entry->derived())) return known;
  auto messages = std::make_shared<const DatasetMessages>(decode_messages(file, header));
  entry->set_derived(messages);
  return messages;
}

}  // namespace filigree::model
