// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/object_header.hpp"

#include <bit>
#include <limits>

#include <fmt/format.h>

#include "format/codec/codec_instantiate.hpp"
#include "format/codec/presence.hpp"

namespace filigree::format {

namespace {

namespace header_flag {
constexpr unsigned size_width = 0x03;  // log2 of the width of the size field
constexpr unsigned track_attribute_order = 0x04;
constexpr unsigned index_attribute_order = 0x08;
constexpr unsigned attribute_phase = 0x10;
constexpr unsigned times = 0x20;
constexpr unsigned known = 0x3f;
}  // namespace header_flag

std::uint8_t flags_of(const ObjectHeaderPrefixV2& m) {
  unsigned flags = std::bit_width(m.size_width) - 1u;
  if (m.tracks_attribute_order) flags |= header_flag::track_attribute_order;
  if (m.indexes_attribute_order) flags |= header_flag::index_attribute_order;
  if (m.attribute_phase) flags |= header_flag::attribute_phase;
  if (m.times) flags |= header_flag::times;
  return static_cast<std::uint8_t>(flags);
}

template <class Io, class M>
void describe_header_flags(Io& io, M& m) {
  std::uint8_t flags = 0;
  if constexpr (!Io::decodes) {
    io.require(std::has_single_bit(m.size_width) && m.size_width <= 8, "size width", "is not 1, 2, 4 or 8");
    flags = flags_of(m);
  }
  io.u8("flags", flags);
  io.require((flags & ~header_flag::known) == 0, "flags", "has unknown bits");
  if constexpr (Io::decodes) {
    m.size_width = static_cast<std::uint8_t>(1u << (flags & header_flag::size_width));
    m.tracks_attribute_order = flags & header_flag::track_attribute_order;
    m.indexes_attribute_order = flags & header_flag::index_attribute_order;
  }
  presence(io, m.times, flags & header_flag::times);
  presence(io, m.attribute_phase, flags & header_flag::attribute_phase);
}

[[noreturn]] void fail(Address where, std::uint64_t at, std::string_view what) {
  const std::string location = is_valid(where) ? " at " + to_string(where) : "";
  throw Error(ErrorKind::corrupt, fmt::format("object header{}: message at byte {} {}", location, at, what));
}

MessageSlot read_prefix(const std::byte* from, HeaderShape shape) {
  MessageSlot slot;
  const unsigned type_bytes = shape.version == 1 ? 2 : 1;
  slot.type = static_cast<MessageType>(load_word(from, type_bytes));
  slot.body_bytes = static_cast<std::uint32_t>(load_word(from + type_bytes, 2));
  slot.flags = static_cast<std::uint8_t>(load_word(from + type_bytes + 2, 1));
  if (shape.version != 1 && shape.has_creation_index) {
    slot.creation_index = static_cast<std::uint16_t>(load_word(from + 4, 2));
  }
  return slot;
}

/// The reason why a message of this type cannot have these flags; empty if it can. HDF5 looks at the
/// shareable flag of types that it knows.
std::string_view illegal_flags(MessageType type, std::uint8_t flags) {
  const bool never_shared = type <= MessageType::cache_image && type != MessageType::bogus &&
                            type != MessageType::fill_value_old && !is_shareable(type);
  if ((flags & message_flag::shareable) && never_shared) return "may be shared, but its type is never shared";
  return illegal_message_flags(flags);
}

}  // namespace

template <class Io, Model<ObjectHeaderPrefixV1> M>
void describe(Io& io, M& m) {
  io.constant("version", 1);
  io.reserved(1);
  io.u16("messages", m.messages);
  io.u32("links", m.links);
  io.u32("area bytes", m.area_bytes);
  io.reserved(4);
}

template <class Io, Model<ObjectHeaderPrefixV2> M>
void describe(Io& io, M& m) {
  io.signature(object_header_signature);
  io.constant("version", 2);
  describe_header_flags(io, m);
  if (m.times) {
    io.u32("access time", m.times->access);
    io.u32("modification time", m.times->modification);
    io.u32("change time", m.times->change);
    io.u32("birth time", m.times->birth);
  }
  if (m.attribute_phase) {
    io.u16("max compact attributes", m.attribute_phase->max_compact);
    io.u16("min dense attributes", m.attribute_phase->min_dense);
    io.require(m.attribute_phase->max_compact >= m.attribute_phase->min_dense, "min dense attributes",
               "is above max compact");
  }
  io.word("area bytes", m.area_bytes, m.size_width);
}

template <class Io, Model<MessagePrefix> M>
void describe(Io& io, M& m) {
  io.word("type", m.type, m.shape.version == 1 ? 2 : 1);
  io.u16("body bytes", m.body_bytes);
  io.require(m.shape.version != 1 || m.body_bytes % 8 == 0, "body bytes", "is not a multiple of 8");
  io.u8("flags", m.flags);
  const std::string_view illegal = illegal_flags(m.type, m.flags);
  io.require(illegal.empty(), "flags", illegal);
  if (m.shape.version == 1) {
    io.reserved(3);
  } else if (m.shape.has_creation_index) {
    io.u16("creation index", m.creation_index);
  }
}

FILIGREE_DESCRIBED(ObjectHeaderPrefixV1);
FILIGREE_DESCRIBED(ObjectHeaderPrefixV2);
FILIGREE_DESCRIBED(MessagePrefix);

std::uint32_t for_each_message(Bytes area, std::uint32_t area_at, HeaderShape shape, Address where,
                               FunctionRef<void(const MessageSlot&)> visit) {
  if (area.size() > std::numeric_limits<std::uint32_t>::max() - area_at) {
    fail(where, area_at, "begins an area beyond 4 GiB");
  }
  const std::uint32_t prefix_bytes = shape.prefix_bytes();
  std::size_t at = 0;
  while (area.size() - at >= prefix_bytes) {
    MessageSlot slot = read_prefix(area.data() + at, shape);
    slot.prefix_at = area_at + static_cast<std::uint32_t>(at);
    slot.body_at = slot.prefix_at + prefix_bytes;
    if (shape.version == 1 && slot.body_bytes % 8 != 0) {
      fail(where, slot.prefix_at, fmt::format("has {} bytes, not a multiple of 8", slot.body_bytes));
    }
    if (slot.body_bytes > area.size() - at - prefix_bytes) {
      fail(where, slot.prefix_at, fmt::format("has {} bytes and runs past its block", slot.body_bytes));
    }
    if (const auto illegal = illegal_flags(slot.type, slot.flags); !illegal.empty())
      fail(where, slot.prefix_at, illegal);
    visit(slot);
    at += prefix_bytes + slot.body_bytes;
  }
  // Version 1 has no gaps, but HDF5 leaves one of 6 bytes when it copies a header with a NIL message.
  return static_cast<std::uint32_t>(area.size() - at);
}

std::vector<MessageSlot> walk_messages(Bytes area, std::uint32_t area_at, HeaderShape shape, Address where,
                                       std::uint32_t& gap_bytes) {
  std::vector<MessageSlot> slots;
  gap_bytes =
      for_each_message(area, area_at, shape, where, [&](const MessageSlot& slot) { slots.push_back(slot); });
  return slots;
}

}  // namespace filigree::format
