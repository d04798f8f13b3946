// SPDX-License-Identifier: Apache-2.0
//
// The types and flags of object header messages.
#pragma once

#include <cstdint>
#include <string_view>

namespace filigree::format {

/// The message types. Other numbers are kept unchanged, since unknown messages must survive when a header is
/// rewritten.
enum class MessageType : std::uint16_t {
  nil = 0,
  dataspace = 1,
  link_info = 2,
  datatype = 3,
  fill_value_old = 4,
  fill_value = 5,
  link = 6,
  external_files = 7,
  layout = 8,
  bogus = 9,
  group_info = 10,
  filter_pipeline = 11,
  attribute = 12,
  comment = 13,
  modification_time_old = 14,
  shared_message_table = 15,
  continuation = 16,
  symbol_table = 17,
  modification_time = 18,
  btree_k = 19,
  driver_info = 20,
  attribute_info = 21,
  reference_count = 22,
  file_space_info = 23,
  cache_image = 24,
  section_filters = 25,  ///< of prototypes of structured chunks, and of Filigree
};

/// The name of a type, such as "filter pipeline"; "unknown" for other numbers.
std::string_view to_string(MessageType type);

/// Whether the type is one of those above.
bool is_known(MessageType type);

/// Whether messages of this type may be stored in the shared message heap.
bool is_shareable(MessageType type);

namespace message_flag {
inline constexpr std::uint8_t constant = 0x01;
inline constexpr std::uint8_t shared = 0x02;  ///< the body is a SharedReference
inline constexpr std::uint8_t dont_share = 0x04;
inline constexpr std::uint8_t fail_if_unknown_for_write = 0x08;
inline constexpr std::uint8_t mark_if_unknown = 0x10;
inline constexpr std::uint8_t was_unknown =
    0x20;  ///< a writer that does not know the type has changed the object
inline constexpr std::uint8_t shareable = 0x40;
inline constexpr std::uint8_t fail_if_unknown_always = 0x80;
}  // namespace message_flag

/// The reason why this combination of flags is invalid, as "has ..." or "is ..."; empty if it is valid.
std::string_view illegal_message_flags(std::uint8_t flags);

}  // namespace filigree::format
