// SPDX-License-Identifier: Apache-2.0
//
// The table, lists and records that index shared messages in a heap.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"
#include "format/object_header/message_type.hpp"
#include "format/object_header/shared_reference.hpp"

namespace filigree::format {

enum class SharedIndexKind : std::uint8_t { list = 0, btree = 1 };

/// One index and the message types that it tracks.
struct SharedMessageIndex {
  SharedIndexKind kind = SharedIndexKind::list;
  std::uint16_t message_types = 0;   ///< bit t is set if it tracks message type t
  std::uint32_t smallest_bytes = 0;  ///< smallest size of a message body that is shared
  std::uint16_t list_maximum = 50;   ///< with more messages, the index becomes a B-tree
  std::uint16_t btree_minimum = 40;  ///< with fewer messages, the index becomes a list
  std::uint16_t messages = 0;
  Address records = Address::undefined;  ///< address of the list or the B-tree
  Address heap = Address::undefined;
};

/// The table ("SMTB"). The caller sets `index_count` (from SharedMessageTableInfo) before decoding.
struct SharedMessageTable {
  static constexpr std::string_view structure = "shared message table";
  std::uint8_t index_count = 0;
  std::vector<SharedMessageIndex> indexes = {};
};

enum class SharedLocation : std::uint8_t { heap = 0, header = 1 };

/// A record of a list or of a B-tree of type 7.
struct SharedMessageRecord {
  static constexpr std::string_view structure = "shared message record";
  SharedLocation location = SharedLocation::heap;
  std::uint32_t hash = 0;               ///< see shared_message_hash
  std::uint32_t references = 0;         ///< for messages in the heap
  SharedHeapId heap_id{};               ///< for messages in the heap
  MessageType type = MessageType::nil;  ///< for messages in a header
  std::uint16_t index = 0;              ///< for messages in a header: index among the messages of `type`
  Address header = Address::undefined;  ///< for messages in a header
};

/// The used part of a list ("SMLI"). The caller sets `record_count` (from the index) before decoding.
struct SharedMessageList {
  static constexpr std::string_view structure = "shared message list";
  std::uint16_t record_count = 0;
  std::vector<SharedMessageRecord> records = {};
};

/// The size of one record.
constexpr std::size_t shared_message_record_bytes(const Widths& widths) {
  return 5u + (widths.offset_bytes > 8 ? 4u + widths.offset_bytes : 12u);
}

/// The hash of a message, which is the key of its record.
std::uint32_t shared_message_hash(MessageType type, Bytes body);

}  // namespace filigree::format
