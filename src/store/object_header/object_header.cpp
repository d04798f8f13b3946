// SPDX-License-Identifier: Apache-2.0
#include "store/object_header/object_header.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header_layout.hpp"

namespace filigree::store {

using format::MessageType;

const HeaderEntry::Message* HeaderEntry::find(MessageType type) const {
  for (const Message& m : messages) {
    if (m.slot.type == type) return &m;
  }
  return nullptr;
}

std::size_t HeaderEntry::memory_bytes() const {
  // Headers are small and many, so what comes with each allocation, and with an entry of the cache, counts.
  constexpr std::size_t of_allocation = 16, of_cache = 64;
  std::size_t bytes = of_cache + sizeof(*this) + of_allocation;
  bytes += messages.capacity() * sizeof(Message) + of_allocation;
  bytes += blocks.capacity() * sizeof(Block) + of_allocation;
  for (const Block& b : blocks) bytes += b.bytes.capacity() + of_allocation;
  return bytes;
}

void HeaderEntry::encode(EncodedBlocks& out) const {
  for (const Block& b : blocks) {
    if (shape.version == 1) {
      out.push_back({b.at, {}, b.bytes});
      continue;
    }
    EncodedBlock encoded{b.at, b.bytes};
    store_word(encoded.bytes.data() + b.area_end, lookup3(Bytes(encoded.bytes).first(b.area_end)), 4);
    out.push_back(std::move(encoded));
  }
}

namespace {

/// Most headers have no more messages.
constexpr std::size_t usual_messages = 7;
/// The offset of the times in a version 2 prefix: after signature, version and flags.
constexpr std::size_t times_at = 6;

void write_times(HeaderEntry& entry, const format::ObjectTimes& times) {
  std::byte* to = entry.blocks[0].bytes.data() + times_at;
  store_word(to, times.access, 4);
  store_word(to + 4, times.modification, 4);
  store_word(to + 8, times.change, 4);
  store_word(to + 12, times.birth, 4);
}

Buffer first_block(const HeaderShape& shape, std::uint32_t area, std::uint32_t& area_at) {
  const format::Widths widths;  // a header's prefix holds no offset and no length
  Buffer bytes;
  if (shape.version == 1) {
    format::ObjectHeaderPrefixV1 prefix;
    prefix.links = 1;
    prefix.area_bytes = area;
    bytes = format::encode(prefix, widths);
    area_at = static_cast<std::uint32_t>(bytes.size());
    bytes.resize(area_at + area);
    return bytes;
  }
  format::ObjectHeaderPrefixV2 prefix;
  prefix.tracks_attribute_order = shape.attribute_order_tracked;
  prefix.indexes_attribute_order = shape.attribute_order_indexed;
  prefix.times = shape.times;
  prefix.attribute_phase = shape.attribute_phase;
  prefix.area_bytes = area;
  prefix.size_width = static_cast<std::uint8_t>(area_size_width(area));
  bytes = format::encode(prefix, widths);
  area_at = static_cast<std::uint32_t>(bytes.size());
  bytes.resize(area_at + area + 4);
  return bytes;
}

}  // namespace

ObjectHeader ObjectHeader::create(FileStore& store, const HeaderShape& shape, std::uint32_t area_bytes) {
  const std::uint32_t area = shape.version == 1 ? static_cast<std::uint32_t>(pad8(std::max(area_bytes, 24u)))
                                                : std::max(area_bytes, 22u);
  auto entry = std::make_shared<HeaderEntry>();
  entry->shape = shape;
  entry->messages.reserve(usual_messages);
  HeaderEntry::Block block;
  block.bytes = first_block(shape, area, block.area_at);
  block.area_end = block.area_at + area;
  block.at = store.space().allocate(SpaceKind::object_header, block.bytes.size());
  const Address at = block.at;
  entry->blocks.push_back(std::move(block));
  HeaderLayout(store, *entry).clear();
  return ObjectHeader(store, at, store.cache().insert(at, std::move(entry)));
}

std::optional<Buffer> ObjectHeader::find(MessageType type) const {
  const auto entry = load();
  const HeaderEntry::Message* m = entry->find(type);
  if (m == nullptr) return std::nullopt;
  const Bytes body = entry->body(*m);
  return Buffer(body.begin(), body.end());
}

void ObjectHeader::add(MessageType type, std::uint8_t flags, Bytes body, std::uint16_t creation_index) {
  HeaderLayout(*store_, store_->cache().edit(load())).add({type, flags, creation_index, body});
}

void ObjectHeader::replace(std::size_t index, Bytes body) {
  const auto entry = load();
  replace(index, body, entry->messages.at(index).slot.flags);
}

void ObjectHeader::replace(std::size_t index, Bytes body, std::uint8_t flags) {
  HeaderLayout(*store_, store_->cache().edit(load())).replace(index, body, flags);
}

void ObjectHeader::change_body(std::size_t index, FunctionRef<void(MutableBytes)> change) {
  HeaderEntry& entry = store_->cache().edit(load());
  const HeaderEntry::Message& m = entry.messages.at(index);
  change(MutableBytes(entry.blocks[m.block].bytes).subspan(m.slot.body_at, m.slot.body_bytes));
}

void ObjectHeader::remove(std::size_t index) {
  HeaderLayout(*store_, store_->cache().edit(load())).remove(index);
}

bool ObjectHeader::remove(MessageType type) {
  const auto entry = load();
  const HeaderEntry::Message* m = entry->find(type);
  if (m == nullptr) return false;
  remove(static_cast<std::size_t>(m - entry->messages.data()));
  return true;
}

void ObjectHeader::set(MessageType type, std::uint8_t flags, Bytes body) {
  const auto entry = load();
  const HeaderEntry::Message* m = entry->find(type);
  if (m == nullptr) return add(type, flags, body);
  replace(static_cast<std::size_t>(m - entry->messages.data()), body, flags);
}

std::uint32_t ObjectHeader::link_count() const {
  const auto entry = load();
  if (entry->shape.version == 1) return entry->link_count_v1;
  const HeaderEntry::Message* m = entry->find(MessageType::reference_count);
  if (m == nullptr) return 1;
  return format::decode<format::ReferenceCount>(entry->body(*m), store_->widths(), at_).links;
}

void ObjectHeader::set_link_count(std::uint32_t count) {
  const auto entry = load();
  if (entry->shape.version == 1) {
    HeaderEntry& changed = store_->cache().edit(entry);
    changed.link_count_v1 = count;
    store_word(changed.blocks[0].bytes.data() + 4, count, 4);
    return;
  }
  if (count == 1) {
    remove(MessageType::reference_count);
    return;
  }
  format::ReferenceCount body;
  body.links = count;
  set(MessageType::reference_count, format::message_flag::dont_share, format::encode(body, store_->widths()));
}

void ObjectHeader::set_times(const format::ObjectTimes& times) {
  const auto entry = load();
  if (!entry->shape.times) return;
  HeaderEntry& changed = store_->cache().edit(entry);
  changed.shape.times = times;
  write_times(changed, times);
}

void ObjectHeader::destroy() {
  const auto entry = load();
  for (const HeaderEntry::Block& b : entry->blocks)
    store_->space().release(SpaceKind::object_header, b.at, b.bytes.size());
  store_->cache().forget(at_);
}

}  // namespace filigree::store
