// SPDX-License-Identifier: Apache-2.0
#include "store/object_header/object_header_layout.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "store/file_store.hpp"

namespace filigree::store {

using format::MessageSlot;
using format::MessageType;

namespace {
// The largest NIL body that keeps version 1 messages at multiples of 8.
constexpr std::uint32_t largest_nil_body = 65528;
// Later blocks grow with the header, so that a header with many messages has few blocks.
constexpr std::uint32_t largest_spare_bytes = 16u << 10;
}  // namespace

std::uint32_t area_size_width(std::uint64_t area_bytes) {
  return area_bytes <= 0xff ? 1 : area_bytes <= 0xffff ? 2 : area_bytes <= 0xffffffff ? 4 : 8;
}

std::uint32_t HeaderLayout::stored_bytes(std::size_t body_bytes) const {
  const std::uint64_t body = entry_.shape.version == 1 ? pad8(body_bytes) : body_bytes;
  return entry_.prefix_bytes() + static_cast<std::uint32_t>(body);
}

std::uint32_t HeaderLayout::continuation_bytes() const {
  return stored_bytes(std::size_t{store_.widths().offset_bytes} + store_.widths().length_bytes);
}

HeaderLayout::Range HeaderLayout::messages_of(std::uint32_t block) const {
  if (entry_.blocks.size() == 1) return {0, entry_.messages.size()};
  const auto by_block = [](const HeaderEntry::Message& m, std::uint32_t b) { return m.block < b; };
  const auto& all = entry_.messages;
  const auto first = std::lower_bound(all.begin(), all.end(), block, by_block);
  const auto last = std::lower_bound(first, all.end(), block + 1, by_block);
  return {first - all.begin(), last - all.begin()};
}

std::uint32_t HeaderLayout::free_bytes(std::uint32_t block) const {
  const auto& b = entry_.blocks[block];
  std::uint32_t used = 0;
  const auto [first, last] = messages_of(block);
  for (std::size_t i = first; i < last; ++i) {
    const MessageSlot& slot = entry_.messages[i].slot;
    if (slot.type != MessageType::nil) used += slot.body_at + slot.body_bytes - slot.prefix_at;
  }
  return b.area_end - b.area_at - used;
}

void HeaderLayout::write_prefix(HeaderEntry::Block& block, const MessageSlot& slot) {
  std::byte* to = block.bytes.data() + slot.prefix_at;
  if (entry_.shape.version == 1) {
    store_word(to, static_cast<std::uint16_t>(slot.type), 2);
    store_word(to + 2, slot.body_bytes, 2);
    store_word(to + 4, slot.flags, 4);
    return;
  }
  store_word(to, static_cast<std::uint16_t>(slot.type), 1);
  store_word(to + 1, slot.body_bytes, 2);
  store_word(to + 3, slot.flags, 1);
  if (entry_.shape.attribute_order_tracked) store_word(to + 4, slot.creation_index, 2);
}

void HeaderLayout::normalise(std::uint32_t block) {
  HeaderEntry::Block& b = entry_.blocks[block];
  const auto [first, last] = messages_of(block);
  std::uint32_t at = b.area_at;
  std::size_t kept = first;
  for (std::size_t i = first; i < last; ++i) {
    MessageSlot slot = entry_.messages[i].slot;
    if (slot.type == MessageType::nil) continue;
    const std::uint32_t bytes = slot.body_at + slot.body_bytes - slot.prefix_at;
    std::memmove(b.bytes.data() + at, b.bytes.data() + slot.prefix_at, bytes);
    slot.body_at = at + (slot.body_at - slot.prefix_at);
    slot.prefix_at = at;
    entry_.messages[kept++].slot = slot;
    at += bytes;
  }
  entry_.messages.erase(entry_.messages.begin() + kept, entry_.messages.begin() + last);
  write_tail(block, at);
}

void HeaderLayout::write_tail(std::uint32_t block, std::uint32_t from) {
  HeaderEntry::Block& b = entry_.blocks[block];
  std::fill(b.bytes.begin() + from, b.bytes.begin() + b.area_end, std::byte{0});
  std::size_t index = messages_of(block).second;
  const std::uint32_t prefix = entry_.prefix_bytes();
  while (b.area_end - from >= prefix) {
    std::uint32_t body = std::min(b.area_end - from - prefix, largest_nil_body);
    // The free bytes must not become too few for a NIL message.
    const std::uint32_t after = b.area_end - from - prefix - body;
    if (after > 0 && after < prefix) body -= 8;
    if (entry_.shape.version == 1) body -= body % 8;
    MessageSlot nil{};
    nil.type = MessageType::nil;
    nil.prefix_at = from;
    nil.body_at = from + prefix;
    nil.body_bytes = body;
    write_prefix(b, nil);
    entry_.messages.insert(entry_.messages.begin() + index++, {nil, block});
    from += prefix + body;
  }
  update_message_count();
}

void HeaderLayout::append(std::uint32_t block, const NewMessage& message) {
  // Removes the free tail, writes the message at its start, and adds the rest of the tail again.
  HeaderEntry::Block& b = entry_.blocks[block];
  auto [first, last] = messages_of(block);
  std::size_t live = first;
  bool normal = true;
  for (std::size_t i = first; i < last; ++i) {
    if (entry_.messages[i].slot.type == MessageType::nil) continue;
    normal = normal && i == live;
    ++live;
  }
  if (!normal) {
    normalise(block);
    last = messages_of(block).second;
  }
  entry_.messages.erase(entry_.messages.begin() + live, entry_.messages.begin() + last);
  std::uint32_t at = b.area_at;
  if (live > first) at = entry_.messages[live - 1].slot.body_at + entry_.messages[live - 1].slot.body_bytes;

  MessageSlot slot{};
  slot.type = message.type;
  slot.flags = message.flags;
  slot.creation_index = message.creation_index;
  slot.prefix_at = at;
  slot.body_at = at + entry_.prefix_bytes();
  slot.body_bytes = stored_bytes(message.body.size()) - entry_.prefix_bytes();
  std::fill_n(b.bytes.begin() + slot.body_at, slot.body_bytes, std::byte{0});
  std::copy(message.body.begin(), message.body.end(), b.bytes.begin() + slot.body_at);
  write_prefix(b, slot);
  entry_.messages.insert(entry_.messages.begin() + live, {slot, block});
  write_tail(block, slot.body_at + slot.body_bytes);
}

bool HeaderLayout::add_to_free_space(const NewMessage& message) {
  const std::uint32_t needed = stored_bytes(message.body.size());
  std::optional<std::uint32_t> best;
  std::uint32_t best_free = 0;
  for (std::uint32_t b = 0; b < entry_.blocks.size(); ++b) {
    const std::uint32_t free = free_bytes(b);
    if (free >= needed && (!best || free < best_free)) best = b, best_free = free;
  }
  if (!best) return false;
  append(*best, message);
  return true;
}

std::size_t HeaderLayout::continuation_of(std::uint32_t block) const {
  for (std::size_t i = 0; i < entry_.messages.size(); ++i) {
    const auto& m = entry_.messages[i];
    if (m.slot.type != MessageType::continuation) continue;
    const auto next = format::decode<format::Continuation>(entry_.body(m), store_.widths());
    if (next.block == entry_.blocks[block].at) return i;
  }
  throw Error(ErrorKind::internal, fmt::format("object header at {}: block {} has no continuation message",
                                               to_string(entry_.address()), block));
}

void HeaderLayout::set_continuation_length(std::uint32_t block) {
  const HeaderEntry::Message& m = entry_.messages[continuation_of(block)];
  const format::Continuation next{entry_.blocks[block].at, entry_.blocks[block].bytes.size()};
  const MutableBytes body(entry_.blocks[m.block].bytes.data() + m.slot.body_at, m.slot.body_bytes);
  format::encode(next, body, store_.widths());
}

void HeaderLayout::widen_first_block(std::uint32_t extra, std::uint32_t prefix_growth) {
  HeaderEntry::Block& b = entry_.blocks[0];
  const std::uint32_t area = b.area_end - b.area_at + extra;
  const std::uint32_t width = area_size_width(area);
  const std::uint32_t size_at = b.area_at - (width - prefix_growth);
  b.bytes.insert(b.bytes.begin() + b.area_at, prefix_growth, std::byte{0});
  b.bytes[5] = (b.bytes[5] & ~std::byte{3}) | static_cast<std::byte>(width == 1   ? 0
                                                                     : width == 2 ? 1
                                                                     : width == 4 ? 2
                                                                                  : 3);
  store_word(b.bytes.data() + size_at, area, width);
  b.area_at += prefix_growth;
  b.area_end += prefix_growth;
  for (auto& m : entry_.messages) {
    if (m.block == 0) m.slot.prefix_at += prefix_growth, m.slot.body_at += prefix_growth;
  }
}

bool HeaderLayout::extend(std::uint32_t block, std::uint32_t extra) {
  HeaderEntry::Block& b = entry_.blocks[block];
  const bool first_of_v2 = block == 0 && entry_.shape.version == 2;
  std::uint32_t growth = 0;
  if (first_of_v2) {
    const std::uint32_t stored_width = 1u << (std::to_integer<std::uint32_t>(b.bytes[5]) & 3);
    const std::uint32_t wanted = area_size_width(b.area_end - b.area_at + std::uint64_t{extra});
    // A prefix with a wider size field than necessary is kept.
    if (stored_width > wanted) return false;
    growth = wanted - stored_width;
  }
  if (!store_.space().try_extend(SpaceKind::object_header, b.at, b.bytes.size(), extra + growth))
    return false;
  if (first_of_v2) widen_first_block(extra, growth);
  b.bytes.insert(b.bytes.begin() + b.area_end, extra, std::byte{0});
  b.area_end += extra;
  if (block == 0 && entry_.shape.version == 1) store_word(b.bytes.data() + 8, b.area_end - b.area_at, 4);
  if (block > 0) set_continuation_length(block);
  normalise(block);
  return true;
}

bool HeaderLayout::add_by_extending(const NewMessage& message) {
  const std::uint32_t needed = stored_bytes(message.body.size());
  // Only the first and the newest block may be adjacent to free space.
  for (const std::uint32_t block : {std::uint32_t{0}, static_cast<std::uint32_t>(entry_.blocks.size() - 1)}) {
    const std::uint32_t free = free_bytes(block);
    if (extend(block, needed - free)) {
      append(block, message);
      return true;
    }
  }
  return false;
}

std::uint32_t HeaderLayout::free_space_for_continuation(
    std::vector<std::pair<MessageSlot, Buffer>>& displaced) {
  const std::uint32_t needed = continuation_bytes();
  for (std::uint32_t b = 0; b < entry_.blocks.size(); ++b) {
    if (free_bytes(b) >= needed) return b;
  }
  const auto displace = [&](std::size_t index) {
    const HeaderEntry::Message m = entry_.messages[index];
    const Bytes body = entry_.body(m);
    displaced.emplace_back(m.slot, Buffer(body.begin(), body.end()));
    entry_.messages[index].slot.type = MessageType::nil;
    normalise(m.block);
  };
  // Displaces the smallest message that is large enough, or else as many as necessary from the last block.
  std::optional<std::size_t> best;
  std::uint32_t best_bytes = 0;
  for (std::size_t i = 0; i < entry_.messages.size(); ++i) {
    const auto& m = entry_.messages[i];
    if (m.slot.type == MessageType::nil || m.slot.type == MessageType::continuation) continue;
    const std::uint32_t bytes = stored_bytes(m.slot.body_bytes);
    if (bytes + free_bytes(m.block) >= needed && (!best || bytes < best_bytes)) best = i, best_bytes = bytes;
  }
  if (best) {
    const std::uint32_t block = entry_.messages[*best].block;
    displace(*best);
    return block;
  }
  for (auto block = static_cast<std::uint32_t>(entry_.blocks.size()); block-- > 0;) {
    auto [first, last] = messages_of(block);
    // Checked before anything is displaced: without enough space the header stays unchanged.
    std::uint32_t most = entry_.blocks[block].area_end - entry_.blocks[block].area_at;
    for (std::size_t i = first; i < last; ++i) {
      if (entry_.messages[i].slot.type == MessageType::continuation)
        most -= stored_bytes(entry_.messages[i].slot.body_bytes);
    }
    if (most < needed) continue;
    while (free_bytes(block) < needed && last > first) {
      --last;
      const MessageType type = entry_.messages[last].slot.type;
      if (type != MessageType::nil && type != MessageType::continuation) displace(last);
    }
    if (free_bytes(block) >= needed) return block;
  }
  throw Error(ErrorKind::limit, fmt::format("object header at {}: no space for a continuation message",
                                            to_string(entry_.address())));
}

void HeaderLayout::add_block(const NewMessage& message) {
  std::vector<std::pair<MessageSlot, Buffer>> displaced;
  const std::uint32_t holder = free_space_for_continuation(displaced);
  std::uint32_t area = stored_bytes(message.body.size());
  for (const auto& [slot, body] : displaced) area += stored_bytes(body.size());
  std::uint32_t total = 0;
  for (const auto& b : entry_.blocks) total += b.area_end - b.area_at;
  // From the third block on, there is space for more messages of this size.
  if (entry_.blocks.size() >= 2)
    area += static_cast<std::uint32_t>(pad8(std::min(total / 2, largest_spare_bytes)));
  area = std::max(area, entry_.shape.version == 1 ? 24u : 22u);

  const bool signed_block = entry_.shape.version == 2;
  HeaderEntry::Block fresh;
  fresh.bytes.resize(area + (signed_block ? 8 : 0));
  fresh.at = store_.space().allocate(SpaceKind::object_header, fresh.bytes.size());
  fresh.area_at = signed_block ? 4 : 0;
  fresh.area_end = fresh.area_at + area;
  if (signed_block) std::ranges::copy(as_bytes("OCHK"), fresh.bytes.begin());
  const Buffer link = format::encode(format::Continuation{fresh.at, fresh.bytes.size()}, store_.widths());
  append(holder, {MessageType::continuation, 0, 0, link});
  entry_.blocks.push_back(std::move(fresh));
  const auto number = static_cast<std::uint32_t>(entry_.blocks.size() - 1);
  write_tail(number, entry_.blocks[number].area_at);
  for (const auto& [slot, body] : displaced)
    append(number, {slot.type, slot.flags, slot.creation_index, body});
  append(number, message);
}

void HeaderLayout::add(const NewMessage& message) {
  if (message.body.size() > ObjectHeader::largest_body) {
    throw Error(
        ErrorKind::limit,
        fmt::format("object header at {}: a message of {} bytes is larger than the {} that a header can hold",
                    to_string(entry_.address()), message.body.size(), ObjectHeader::largest_body));
  }
  if (add_to_free_space(message) || add_by_extending(message)) return;
  add_block(message);
}

void HeaderLayout::replace(std::size_t index, Bytes body, std::uint8_t flags) {
  HeaderEntry::Message& m = entry_.messages[index];
  const MessageSlot slot = m.slot;
  HeaderEntry::Block& b = entry_.blocks[m.block];
  if (stored_bytes(body.size()) == stored_bytes(slot.body_bytes)) {
    m.slot.flags = flags;
    write_prefix(b, m.slot);
    std::fill_n(b.bytes.begin() + slot.body_at, slot.body_bytes, std::byte{0});
    std::ranges::copy(body, b.bytes.begin() + slot.body_at);
    return;
  }
  if (body.size() > ObjectHeader::largest_body) {
    throw Error(
        ErrorKind::limit,
        fmt::format("object header at {}: a message of {} bytes is larger than the {} that a header can hold",
                    to_string(entry_.address()), body.size(), ObjectHeader::largest_body));
  }
  m.slot.type = MessageType::nil;
  normalise(m.block);
  add({slot.type, flags, slot.creation_index, body});
}

void HeaderLayout::remove(std::size_t index) {
  const std::uint32_t block = entry_.messages[index].block;
  entry_.messages[index].slot.type = MessageType::nil;
  normalise(block);
  const auto [first, last] = messages_of(block);
  const bool empty =
      std::all_of(entry_.messages.begin() + first, entry_.messages.begin() + last,
                  [](const HeaderEntry::Message& m) { return m.slot.type == MessageType::nil; });
  if (empty && block > 0) return drop_block(block);
  // SWMR readers may have read one of two blocks between which a message moves.
  if (!store_.swmr_writer()) empty_last_block();
}

/// Moves the messages of the last block to the free space of others, if all of them fit, and frees it.
void HeaderLayout::empty_last_block() {
  const auto last_block = static_cast<std::uint32_t>(entry_.blocks.size() - 1);
  if (last_block == 0) return;
  std::vector<std::uint32_t> free(last_block);
  for (std::uint32_t b = 0; b < last_block; ++b) free[b] = free_bytes(b);
  const auto [first, last] = messages_of(last_block);
  std::vector<std::pair<MessageSlot, std::uint32_t>> moves;
  for (std::size_t i = first; i < last; ++i) {
    const MessageSlot& slot = entry_.messages[i].slot;
    if (slot.type == MessageType::nil) continue;
    const std::uint32_t needed = stored_bytes(slot.body_bytes);
    const auto fits = std::ranges::find_if(free, [&](std::uint32_t bytes) { return bytes >= needed; });
    if (fits == free.end()) return;
    *fits -= needed;
    moves.emplace_back(slot, static_cast<std::uint32_t>(fits - free.begin()));
  }
  const Buffer bytes = entry_.blocks[last_block].bytes;
  for (const auto& [slot, to] : moves) {
    append(to,
           {slot.type, slot.flags, slot.creation_index, Bytes(bytes).subspan(slot.body_at, slot.body_bytes)});
  }
  drop_block(last_block);
}

void HeaderLayout::drop_block(std::uint32_t block) {
  const std::size_t link = continuation_of(block);
  store_.space().release(SpaceKind::object_header, entry_.blocks[block].at,
                         entry_.blocks[block].bytes.size());
  const auto [first, last] = messages_of(block);
  const std::size_t link_after = link > first ? link - (last - first) : link;
  entry_.messages.erase(entry_.messages.begin() + first, entry_.messages.begin() + last);
  entry_.blocks.erase(entry_.blocks.begin() + block);
  for (auto& m : entry_.messages) {
    if (m.block > block) --m.block;
  }
  remove(link_after);
}

void HeaderLayout::update_message_count() {
  if (entry_.shape.version != 1) return;
  if (entry_.messages.size() > 0xffff) {
    throw Error(ErrorKind::limit,
                fmt::format("object header at {}: a version 1 header holds at most 65535 messages",
                            to_string(entry_.address())));
  }
  store_word(entry_.blocks[0].bytes.data() + 2, entry_.messages.size(), 2);
}

}  // namespace filigree::store
