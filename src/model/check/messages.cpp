// SPDX-License-Identifier: Apache-2.0
//
// The structures that the bodies of header messages are, by type.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/codec/codec.hpp"
#include "format/codec/inspect.hpp"
#include "format/messages/attribute.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/fill_value.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/object_messages.hpp"
#include "format/messages/pipeline.hpp"
#include "format/object_header/object_header.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/check/visitors.hpp"

namespace filigree::model {

using format::Inspection;
using format::MessageType;

namespace {

/// Whether a filter pipeline has the filters of sections, which the layout of the dataset decodes.
bool has_section_filters(MessageType type, Bytes body) {
  return type == MessageType::filter_pipeline && !body.empty() &&
         std::to_integer<unsigned>(body[0]) == format::SectionPipelinesMessage::pipeline_version;
}

/// Calls `use` with a blank structure of the type of message; does nothing for types without one.
template <class Use>
void with_structure(MessageType type, Bytes body, Use&& use) {
  switch (type) {
    case MessageType::dataspace:
      return use(format::DataspaceMessage{});
    case MessageType::link_info:
      return use(format::LinkInfo{});
    case MessageType::datatype:
      return use(format::DatatypeMessage{});
    case MessageType::fill_value_old:
      return use(format::FillValueOld{});
    case MessageType::fill_value:
      return use(format::FillValue{});
    case MessageType::link:
      return use(format::LinkMessage{});
    case MessageType::external_files:
      return use(format::ExternalFiles{});
    case MessageType::layout:
      return use(format::LayoutMessage{});
    case MessageType::group_info:
      return use(format::GroupInfo{});
    case MessageType::filter_pipeline:
      if (!has_section_filters(type, body)) use(format::PipelineMessage{});
      return;
    case MessageType::attribute:
      return use(format::AttributeMessage{});
    case MessageType::comment:
      return use(format::Comment{});
    case MessageType::modification_time_old:
      return use(format::ModificationTimeOld{});
    case MessageType::shared_message_table:
      return use(format::SharedMessageTableInfo{});
    case MessageType::continuation:
      return use(format::Continuation{});
    case MessageType::symbol_table:
      return use(format::SymbolTableMessage{});
    case MessageType::modification_time:
      return use(format::ModificationTime{});
    case MessageType::btree_k:
      return use(format::BTreeK{});
    case MessageType::driver_info:
      return use(format::DriverInfoMessage{});
    case MessageType::attribute_info:
      return use(format::AttributeInfo{});
    case MessageType::reference_count:
      return use(format::ReferenceCount{});
    case MessageType::file_space_info:
      return use(format::FileSpaceInfo{});
    case MessageType::cache_image:
      return use(format::CacheImageMessage{});
    case MessageType::nil:
    case MessageType::bogus:
    case MessageType::section_filters:
      return;
  }
}

/// Adds the fields of a part that begins `offset` bytes into the structure.
void append(Inspection& all, Inspection part, std::uint64_t offset, const std::string& prefix) {
  for (format::InspectedField& field : part.fields)
    all.fields.push_back({field.offset + offset, field.bytes, prefix + field.name, std::move(field.value)});
  if (all.fault.empty() && !part.fault.empty()) all.fault = std::move(part.fault);
}

/// The prefix and the body of a message.
void append_message(Inspection& all, const format::MessageSlot& slot, Bytes body,
                    const format::Widths& widths) {
  const std::string name(format::to_string(slot.type));
  all.fields.push_back({slot.prefix_at, slot.body_at - slot.prefix_at, "message",
                        fmt::format("{} (type {}), {} bytes, flags {:#04x}", name,
                                    static_cast<unsigned>(slot.type), slot.body_bytes, slot.flags)});
  if ((slot.flags & format::message_flag::shared) != 0 && slot.type != MessageType::nil) {
    format::SharedReference reference;
    return append(all, format::inspect(reference, body, widths), slot.body_at, "  ");
  }
  append(all, inspect_message(slot.type, body, widths), slot.body_at, "  ");
}

/// The messages of the area of a block. Stops at the first that is malformed.
void append_messages(Inspection& all, Bytes block, std::size_t area_at, std::size_t area_end,
                     format::HeaderShape shape, const format::Widths& widths) {
  try {
    format::for_each_message(block.subspan(area_at, area_end - area_at), static_cast<std::uint32_t>(area_at),
                             shape, Address::undefined, [&](const format::MessageSlot& slot) {
                               append_message(all, slot, block.subspan(slot.body_at, slot.body_bytes),
                                              widths);
                             });
  } catch (const Error& error) {
    if (all.fault.empty()) all.fault = error.message();
  }
}

void append_checksum(Inspection& all, Bytes block, std::size_t at) {
  const auto stored = static_cast<std::uint32_t>(load_word(block.data() + at, 4));
  const std::uint32_t computed = lookup3(block.first(at));
  all.fields.push_back({at, 4, "checksum", fmt::format("{:#010x}", stored)});
  if (all.fault.empty() && !checksum_holds(stored, computed))
    all.fault =
        fmt::format("field 'checksum' at byte {} is {:#010x}, the bytes give {:#010x}", at, stored, computed);
}

/// Area and checksum of a block; they may be longer than the bytes at hand.
void append_area(Inspection& all, Bytes block, std::size_t area_at, std::uint64_t area_bytes,
                 format::HeaderShape shape, const format::Widths& widths) {
  const std::size_t sum_bytes = shape.version == 1 ? 0 : 4;
  const std::size_t rest = block.size() - area_at;
  const bool fits = area_bytes <= rest && rest - area_bytes >= sum_bytes;
  const std::size_t area_end = area_at + (fits ? static_cast<std::size_t>(area_bytes) : rest);
  append_messages(all, block, area_at, area_end, shape, widths);
  if (!fits && all.fault.empty())
    all.fault = fmt::format("{} bytes of messages were expected, but there are {}", area_bytes, rest);
  if (fits && sum_bytes > 0) append_checksum(all, block, area_end);
}

}  // namespace

void decode_message(MessageType type, Bytes body, const format::Widths& widths, Address where) {
  with_structure(type, body, [&](auto model) { format::decode(model, body, widths, where); });
}

Inspection inspect_message(MessageType type, Bytes body, const format::Widths& widths) {
  if (type == MessageType::section_filters || has_section_filters(type, body)) {
    format::SectionPipelinesMessage message;
    if (type == MessageType::filter_pipeline) message.version = message.pipeline_version;
    return format::inspect(message, body, widths);
  }
  Inspection found;
  with_structure(type, body, [&](auto model) { found = format::inspect(model, body, widths); });
  return found;
}

Inspection inspect_header_block(Bytes block, const format::Widths& widths, const store::HeaderEntry* header) {
  if (header != nullptr) {
    Inspection all;
    const format::HeaderShape shape{header->shape.version, header->shape.attribute_order_tracked};
    const std::size_t start = shape.version == 1 ? 0 : 4;
    const std::size_t end = start == 0 ? 0 : 4;
    append_area(all, block, start, block.size() - start - end, shape, widths);
    return all;
  }
  const bool is_new = block.size() >= 4 && as_text(block.first(4)) == format::object_header_signature;
  if (is_new) {
    format::ObjectHeaderPrefixV2 prefix;
    Inspection all = format::inspect(prefix, block, widths);
    if (!all.fault.empty()) return all;
    const std::size_t used = format::encoded_bytes(prefix, widths);
    append_area(all, block, used, prefix.area_bytes, {2, prefix.tracks_attribute_order}, widths);
    return all;
  }
  format::ObjectHeaderPrefixV1 prefix;
  Inspection all = format::inspect(prefix, block, widths);
  if (!all.fault.empty()) return all;
  append_area(all, block, format::encoded_bytes(prefix, widths), prefix.area_bytes, {1, false}, widths);
  return all;
}

}  // namespace filigree::model
