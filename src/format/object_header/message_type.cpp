// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/message_type.hpp"

namespace filigree::format {

std::string_view to_string(MessageType type) {
  switch (type) {
    case MessageType::nil:
      return "nil";
    case MessageType::dataspace:
      return "dataspace";
    case MessageType::link_info:
      return "link info";
    case MessageType::datatype:
      return "datatype";
    case MessageType::fill_value_old:
      return "old fill value";
    case MessageType::fill_value:
      return "fill value";
    case MessageType::link:
      return "link";
    case MessageType::external_files:
      return "external files";
    case MessageType::layout:
      return "layout";
    case MessageType::bogus:
      return "bogus";
    case MessageType::group_info:
      return "group info";
    case MessageType::filter_pipeline:
      return "filter pipeline";
    case MessageType::attribute:
      return "attribute";
    case MessageType::comment:
      return "comment";
    case MessageType::modification_time_old:
      return "old modification time";
    case MessageType::shared_message_table:
      return "shared message table";
    case MessageType::continuation:
      return "continuation";
    case MessageType::symbol_table:
      return "symbol table";
    case MessageType::modification_time:
      return "modification time";
    case MessageType::btree_k:
      return "B-tree K";
    case MessageType::driver_info:
      return "driver info";
    case MessageType::attribute_info:
      return "attribute info";
    case MessageType::reference_count:
      return "reference count";
    case MessageType::file_space_info:
      return "file space info";
    case MessageType::cache_image:
      return "cache image";
    case MessageType::section_filters:
      return "section filters";
  }
  return "unknown";
}

bool is_known(MessageType type) { return type <= MessageType::section_filters; }

bool is_shareable(MessageType type) {
  return type == MessageType::dataspace || type == MessageType::datatype || type == MessageType::fill_value ||
         type == MessageType::filter_pipeline || type == MessageType::attribute;
}

std::string_view illegal_message_flags(std::uint8_t flags) {
  using namespace message_flag;
  if ((flags & shared) && (flags & dont_share)) return "is both shared and not to be shared";
  if ((flags & was_unknown) && (flags & fail_if_unknown_for_write)) {
    return "was unknown to a writer that should have refused";
  }
  if ((flags & was_unknown) && !(flags & mark_if_unknown)) return "was marked unknown without asking for it";
  return {};
}

}  // namespace filigree::format
