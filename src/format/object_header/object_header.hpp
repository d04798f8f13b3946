// SPDX-License-Identifier: Apache-2.0
//
// Object headers: the prefixes of both versions, message prefixes, and the splitting of a
// message area into messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/object_header/message_type.hpp"

namespace filigree::format {

inline constexpr std::string_view object_header_signature = "OHDR";       ///< version 2 only
inline constexpr std::string_view continuation_block_signature = "OCHK";  ///< version 2 only

/// The 16 bytes before the first message area of a version 1 header.
struct ObjectHeaderPrefixV1 {
  static constexpr std::string_view structure = "object header";
  std::uint16_t messages = 0;  ///< of all blocks, NIL and continuations too; real files lie, trust the blocks
  std::uint32_t links = 1;     ///< hard links to this object
  std::uint32_t area_bytes = 0;
};

/// Seconds since 1970.
struct ObjectTimes {
  std::uint32_t access = 0;
  std::uint32_t modification = 0;
  std::uint32_t change = 0;
  std::uint32_t birth = 0;
};

/// When attributes move between the header and dense storage.
struct AttributePhase {
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
};

/// From the signature through the size field of a version 2 header. The message area and the
/// checksum of the whole block follow.
struct ObjectHeaderPrefixV2 {
  static constexpr std::string_view structure = "object header";
  bool tracks_attribute_order = false;  ///< every message prefix then carries a creation index
  bool indexes_attribute_order = false;
  std::optional<ObjectTimes> times;
  std::optional<AttributePhase> attribute_phase;
  std::uint8_t size_width = 1;  ///< 1, 2, 4 or 8: bytes of the size field
  std::uint64_t area_bytes = 0;
};

/// What a reader of messages must know of their header.
struct HeaderShape {
  std::uint8_t version = 1;
  bool has_creation_index = false;  ///< version 2 only

  std::uint32_t prefix_bytes() const { return version == 1 ? 8 : has_creation_index ? 6 : 4; }
};

/// What stands before the body of a message. The caller sets `shape` before decoding.
struct MessagePrefix {
  static constexpr std::string_view structure = "object header message";
  HeaderShape shape;
  MessageType type = MessageType::nil;
  std::uint16_t body_bytes = 0;
  std::uint8_t flags = 0;
  std::uint16_t creation_index = 0;
};

/// One message of a block. Positions count from the start of the block.
struct MessageSlot {
  MessageType type = MessageType::nil;
  std::uint8_t flags = 0;
  std::uint16_t creation_index = 0;
  std::uint32_t prefix_at = 0;
  std::uint32_t body_at = 0;
  std::uint32_t body_bytes = 0;
};

/// Splits `area`, which begins `area_at` bytes into the block at `where`, into its messages. Returns the
/// bytes of the gap, a rest too short for a message prefix. Unknown types keep their number. Throws
/// Error(corrupt) that names the object header and the byte.
std::uint32_t for_each_message(Bytes area, std::uint32_t area_at, HeaderShape shape, Address where,
                               FunctionRef<void(const MessageSlot&)> visit);
/// The same in a vector.
std::vector<MessageSlot> walk_messages(Bytes area, std::uint32_t area_at, HeaderShape shape, Address where,
                                       std::uint32_t& gap_bytes);

}  // namespace filigree::format
