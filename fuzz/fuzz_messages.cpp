// SPDX-License-Identifier: Apache-2.0
//
// The body of one object header message. The first byte is its type (one more than the last for a
// reference to a shared message), the second chooses the widths.
#include <cstdint>

#include "format/messages/attribute.hpp"
#include "format/messages/attribute_info.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/datatype.hpp"
#include "format/messages/file_messages.hpp"
#include "format/messages/fill_value.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/link.hpp"
#include "format/messages/object_messages.hpp"
#include "format/messages/pipeline.hpp"
#include "format/object_header/message_type.hpp"
#include "format/object_header/shared_reference.hpp"
#include "round_trip.hpp"

namespace {

using namespace filigree;
using format::MessageType;

template <class T>
void message(Bytes body, const format::Widths& widths) {
  fuzz::round_trip(T{}, body, widths);
}

void attribute(Bytes body, const format::Widths& widths) {
  if (!fuzz::round_trip(format::AttributeMessage{}, body, widths)) return;
  const auto parsed = format::decode<format::AttributeMessage>(body, widths);
  fuzz::survives([&] {
    const auto type = format::decode_datatype(parsed, widths);
    const auto space = format::decode_dataspace(parsed, widths);
    if (format::attribute_elements(parsed, type, space).size() > body.size()) std::abort();
  });
}

void dataspace(Bytes body, const format::Widths& widths) {
  if (!fuzz::round_trip(format::DataspaceMessage{}, body, widths)) return;
  fuzz::survives(
      [&] { (void)format::element_count(format::decode<format::DataspaceMessage>(body, widths)); });
}

void driver_info(Bytes body, const format::Widths& widths) {
  if (!fuzz::round_trip(format::DriverInfoMessage{}, body, widths)) return;
  const auto driver = format::decode<format::DriverInfoMessage>(body, widths);
  fuzz::round_trip(format::MultiDriverInfo{}, driver.info, widths);
  fuzz::round_trip(format::FamilyDriverInfo{}, driver.info, widths);
}

/// In the message of its own, and in the one of pipelines.
void section_filters(Bytes body, const format::Widths& widths) {
  using Message = format::SectionPipelinesMessage;
  for (const std::uint8_t version : {Message::own_version, Message::pipeline_version}) {
    Message expected;
    expected.version = version;
    fuzz::round_trip(expected, body, widths);
  }
}

void any_message(MessageType type, Bytes body, const format::Widths& widths) {
  switch (type) {
    case MessageType::nil:
    case MessageType::bogus:
      return;
    case MessageType::dataspace:
      return dataspace(body, widths);
    case MessageType::link_info:
      return message<format::LinkInfo>(body, widths);
    case MessageType::datatype:
      return message<format::DatatypeMessage>(body, widths);
    case MessageType::fill_value_old:
      return message<format::FillValueOld>(body, widths);
    case MessageType::fill_value:
      return message<format::FillValue>(body, widths);
    case MessageType::link:
      return message<format::LinkMessage>(body, widths);
    case MessageType::external_files:
      return message<format::ExternalFiles>(body, widths);
    case MessageType::layout:
      return message<format::LayoutMessage>(body, widths);
    case MessageType::group_info:
      return message<format::GroupInfo>(body, widths);
    case MessageType::filter_pipeline:
      return message<format::PipelineMessage>(body, widths);
    case MessageType::attribute:
      return attribute(body, widths);
    case MessageType::comment:
      return message<format::Comment>(body, widths);
    case MessageType::modification_time_old:
      if (fuzz::round_trip(format::ModificationTimeOld{}, body, widths)) {
        (void)format::find_seconds(format::decode<format::ModificationTimeOld>(body, widths));
      }
      return;
    case MessageType::shared_message_table:
      return message<format::SharedMessageTableInfo>(body, widths);
    case MessageType::continuation:
      return message<format::Continuation>(body, widths);
    case MessageType::symbol_table:
      return message<format::SymbolTableMessage>(body, widths);
    case MessageType::modification_time:
      return message<format::ModificationTime>(body, widths);
    case MessageType::btree_k:
      return message<format::BTreeK>(body, widths);
    case MessageType::driver_info:
      return driver_info(body, widths);
    case MessageType::attribute_info:
      return message<format::AttributeInfo>(body, widths);
    case MessageType::reference_count:
      return message<format::ReferenceCount>(body, widths);
    case MessageType::file_space_info:
      return message<format::FileSpaceInfo>(body, widths);
    case MessageType::cache_image:
      return message<format::CacheImageMessage>(body, widths);
    case MessageType::section_filters:
      return section_filters(body, widths);
  }
  message<format::SharedReference>(body, widths);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr unsigned types = static_cast<unsigned>(MessageType::section_filters) + 2;
  const Bytes body(reinterpret_cast<const std::byte*>(data) + 2, size - 2);
  any_message(static_cast<MessageType>(data[0] % types), body, fuzz::choose_widths(data[1]));
  return 0;
}
