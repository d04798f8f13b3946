// SPDX-License-Identifier: Apache-2.0
//
// Object headers: the prefixes of both versions, message prefixes, and the parsing of message areas. See
// docs/format/object-headers.md.
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
  std::uint16_t messages =
      0;  ///< number of messages in all blocks, including NIL and continuations; unreliable in real files
  std::uint32_t links = 1;  ///< number of hard links to this object
  std::uint32_t area_bytes = 0;
};

/// Times in seconds since 1970.
struct ObjectTimes {
  std::uint32_t access = 0;
  std::uint32_t modification = 0;
  std::uint32_t change = 0;
  std::uint32_t birth = 0;
};

/// The numbers of attributes at which storage changes between the object header and dense storage.
struct AttributePhase {
  std::uint16_t max_compact = 8;
  std::uint16_t min_dense = 6;
};

/// The prefix of a version 2 header, from the signature to the size field. The message area and the checksum
/// of the block follow.
struct ObjectHeaderPrefixV2 {
  static constexpr std::string_view structure = "object header";
  bool tracks_attribute_order = false;  ///< whether every message prefix has a creation index
  bool indexes_attribute_order = false;
  std::optional<ObjectTimes> times;
  std::optional<AttributePhase> attribute_phase;
  std::uint8_t size_width = 1;  ///< width of the size field: 1, 2, 4 or 8
  std::uint64_t area_bytes = 0;
};

/// The properties of an object header that determine the layout of message prefixes.
struct HeaderShape {
  std::uint8_t version = 1;
  bool has_creation_index = false;  ///< version 2 only

  std::uint32_t prefix_bytes() const { return version == 1 ? 8 : has_creation_index ? 6 : 4; }
};

/// The prefix of a message. The caller sets `shape` before decoding.
struct MessagePrefix {
  static constexpr std::string_view structure = "object header message";
  HeaderShape shape;
  MessageType type = MessageType::nil;
  std::uint16_t body_bytes = 0;
  std::uint8_t flags = 0;
  std::uint16_t creation_index = 0;
};

/// One message of a block. Offsets are relative to the start of the block.
struct MessageSlot {
  MessageType type = MessageType::nil;
  std::uint8_t flags = 0;
  std::uint16_t creation_index = 0;
  std::uint32_t prefix_at = 0;
  std::uint32_t body_at = 0;
  std::uint32_t body_bytes = 0;
};

/// Parses the messages of `area`, which begins `area_at` bytes into the block at address `where`. Unknown
/// types keep their number. Returns the size of the gap: a rest that is too short for a message prefix.
/// *Throws* Error(corrupt), naming the object header and the byte.
std::uint32_t for_each_message(Bytes area, std::uint32_t area_at, HeaderShape shape, Address where,
                               FunctionRef<void(const MessageSlot&)> visit);
/// The same with the messages in a vector.
std::vector<MessageSlot> walk_messages(Bytes area, std::uint32_t area_at, HeaderShape shape, Address where,
                                       std::uint32_t& gap_bytes);

}  // namespace filigree::format
