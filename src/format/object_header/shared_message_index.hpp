// SPDX-License-Identifier: Apache-2.0
//
// The table, lists and records by which messages shared through a heap are found again.
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

/// One index: which messages it tracks, and where.
struct SharedMessageIndex {
  SharedIndexKind kind = SharedIndexKind::list;
  std::uint16_t message_types = 0;   ///< bit t stands for message type t
  std::uint32_t smallest_bytes = 0;  ///< of a message body worth sharing
  std::uint16_t list_maximum = 50;   ///< with more messages it becomes a B-tree
  std::uint16_t btree_minimum = 40;  ///< with fewer messages it becomes a list
  std::uint16_t messages = 0;
  Address records = Address::undefined;  ///< the list or the B-tree
  Address heap = Address::undefined;
};

/// The block "SMTB". The caller sets `index_count` (from SharedMessageTableInfo) before decoding.
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
  std::uint32_t references = 0;         ///< in the heap
  SharedHeapId heap_id{};               ///< in the heap
  MessageType type = MessageType::nil;  ///< in a header
  std::uint16_t index = 0;              ///< in a header: the n-th message of `type`, from 0
  Address header = Address::undefined;  ///< in a header
};

/// The used part of the block "SMLI". The caller sets `record_count` (from the index) before decoding.
struct SharedMessageList {
  static constexpr std::string_view structure = "shared message list";
  std::uint16_t record_count = 0;
  std::vector<SharedMessageRecord> records = {};
};

/// Bytes of one record, wherever its message is.
constexpr std::size_t shared_message_record_bytes(const Widths& widths) {
  return 5u + (widths.offset_bytes > 8 ? 4u + widths.offset_bytes : 12u);
}

/// The key under which the message of this type and body is filed.
std::uint32_t shared_message_hash(MessageType type, Bytes body);

}  // namespace filigree::format
