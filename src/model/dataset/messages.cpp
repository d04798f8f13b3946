// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/messages.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/format/portable/portable_format.hpp"
#include "format/codec/codec.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/dataset/external_files.hpp"
#include "model/file/file.hpp"
#include "model/layout/layout.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::AllocationTime;
using format::MessageType;

void contradict(Address header, const std::string& what) {
  throw Error(ErrorKind::corrupt, fmt::format("dataset at {}: {}", to_string(header), what));
}

bool DatasetMessages::is_portable() const {
  return layout.layout == format::LayoutClass::chunked && chunk::is_portable(pipeline);
}

void DatasetMessages::require_known(std::string_view doing) const {
  if (!unknown) return;
  throw Error(
      ErrorKind::unsupported,
      fmt::format("cannot {}: message type {:#x} in the header of this dataset with structured chunks "
                  "is unknown, and may say how they are stored",
                  doing, static_cast<unsigned>(*unknown)));
}

namespace {

/// Decodes the first message of a type, which may be stored elsewhere.
template <class T>
std::optional<T> find_decoded(File& file, const store::HeaderEntry& entry, MessageType type) {
  const auto* m = entry.find(type);
  if (m == nullptr) return std::nullopt;
  const format::Widths& widths = file.store().widths();
  if ((m->slot.flags & format::message_flag::shared) == 0)
    return format::decode<T>(entry.body(*m), widths, entry.address());
  return format::decode<T>(get_message(file, entry.address(), type), widths, entry.address());
}

/// The same for a message that the header must have.
template <class T>
T get_decoded(File& file, const store::HeaderEntry& entry, MessageType type) {
  if (auto found = find_decoded<T>(file, entry, type)) return *std::move(found);
  throw Error(ErrorKind::corrupt, fmt::format("the object at {} has no {} message",
                                              to_string(entry.address()), format::to_string(type)));
}

format::FillValue load_fill(File& file, const store::HeaderEntry& entry) {
  format::FillValue fill;
  if (auto found = find_decoded<format::FillValue>(file, entry, MessageType::fill_value)) {
    fill = *std::move(found);
  } else if (auto old = find_decoded<format::FillValueOld>(file, entry, MessageType::fill_value_old)) {
    fill.value = std::move(old->value);
    fill.state = fill.value.empty() ? format::FillState::undefined : format::FillState::user;
  } else {
    // Releases before 1.6 wrote no message for a dataset without a fill value.
    fill.allocation = AllocationTime::by_layout;
    fill.state = format::FillState::undefined;
  }
  // Version 3 can hold a value of size 0, which means the default.
  if (fill.state == format::FillState::user && fill.value.empty())
    fill.state = format::FillState::default_value;
  return fill;
}

void check_messages(const DatasetMessages& messages, Address header) {
  const bool sized_fill = messages.fill.state == format::FillState::user;
  if (sized_fill && messages.fill.value.size() != messages.type.size) {
    contradict(header, fmt::format("its fill value has {} bytes, but its elements have {}",
                                   messages.fill.value.size(), messages.type.size));
  }
  layout_of(messages).check(messages, header);
}

}  // namespace

Address committed_type(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  const auto* m = entry->find(MessageType::datatype);
  if (m == nullptr || (m->slot.flags & format::message_flag::shared) == 0) return Address::undefined;
  const auto reference =
      format::decode<format::SharedReference>(entry->body(*m), file.store().widths(), header);
  return reference.kind == format::SharedKind::header ? reference.header : Address::undefined;
}

std::uint64_t logical_elements(format::LayoutClass layout, const format::DataspaceMessage& space) {
  const bool in_chunks = layout == format::LayoutClass::chunked || layout == format::LayoutClass::structured;
  const bool may_overflow = in_chunks && space.kind == format::DataspaceKind::simple &&
                            std::ranges::find(space.dims, 0u) == space.dims.end();
  if (!may_overflow) return format::element_count(space);
  return std::accumulate(space.dims.begin(), space.dims.end(), std::uint64_t{1}, saturating_multiply);
}

std::uint64_t logical_bytes(format::LayoutClass layout, const format::DataspaceMessage& space,
                            std::uint64_t element_bytes) {
  const std::uint64_t elements = logical_elements(layout, space);
  if (layout == format::LayoutClass::compact || layout == format::LayoutClass::contiguous)
    return checked_multiply(elements, element_bytes, "the size of the dataset");
  return saturating_multiply(elements, element_bytes);
}

namespace {

/// Decodes and checks all messages of a dataset; see load_messages().
DatasetMessages decode_messages(File& file, const store::HeaderEntry& entry) {
  const Address header = entry.address();
  if (const ObjectKind kind = object_kind(file, header); kind != ObjectKind::dataset) {
    throw Error(ErrorKind::wrong_type,
                fmt::format("the object at {} is a {}, not a dataset", to_string(header), to_string(kind)));
  }
  DatasetMessages messages;
  messages.type = get_decoded<format::DatatypeMessage>(file, entry, MessageType::datatype);
  messages.committed = committed_type(file, header);
  messages.space = get_decoded<format::DataspaceMessage>(file, entry, MessageType::dataspace);
  messages.layout = get_decoded<format::LayoutMessage>(file, entry, MessageType::layout);
  messages.fill = load_fill(file, entry);
  messages.external = load_external(file, header);
  const Layout& layout = layout_of(messages);
  if (messages.fill.allocation == AllocationTime::by_layout)
    messages.fill.allocation = layout.usual_allocation();
  layout.load_filters(file, header, messages);
  messages.elements = logical_elements(messages.layout.layout, messages.space);
  messages.data_bytes = logical_bytes(messages.layout.layout, messages.space, messages.type.size);
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
  auto messages = std::make_shared<const DatasetMessages>(decode_messages(file, *entry));
  file.derived_values().set(entry, messages);
  return messages;
}

}  // namespace filigree::model
