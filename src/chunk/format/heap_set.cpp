// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/heap_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/heaps/global_heap.hpp"

namespace filigree::chunk {
namespace {

constexpr std::string_view signature = "HGLS";
constexpr std::size_t head_bytes = 12;
constexpr std::size_t slot_bytes = 16;
constexpr std::uint64_t most_slots = 65536;
constexpr std::size_t most_collection_bytes = 65536;

[[noreturn]] void corrupt(std::string message) {
  throw Error(ErrorKind::corrupt, fmt::format("heap set: {}", message));
}

}  // namespace

bool HeapSet::recognises(Bytes section) {
  return section.size() >= signature.size() && as_text(section.first(signature.size())) == signature;
}

HeapSet::HeapSet(Bytes section) {
  if (section.size() < head_bytes) corrupt(fmt::format("{} bytes", section.size()));
  if (const std::uint64_t version = load_word(section.data() + 4, 4); version != 1)
    corrupt(fmt::format("version and reserved bytes are {:#x}", version));
  const std::uint64_t slots = load_word(section.data() + 8, 4);
  if (slots == 0 || slots > most_slots || slots > (section.size() - head_bytes) / slot_bytes)
    corrupt(fmt::format("{} slots in {} bytes", slots, section.size()));
  std::uint64_t end = head_bytes + slots * slot_bytes;
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    const std::byte* const entry = section.data() + head_bytes + slot * slot_bytes;
    const std::uint64_t offset = load_word(entry, 8);
    const std::uint64_t bytes = load_word(entry + 8, 8);
    if (offset == 0 && bytes == 0) continue;
    // Ascending and without gaps, so that no byte is visited twice.
    if (offset != end || bytes > section.size() - offset)
      corrupt(fmt::format("slot {} has {} bytes at {}, expected at {}", slot, bytes, offset, end));
    read_slot(slot, section.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes)));
    end = offset + bytes;
  }
  if (end != section.size()) corrupt(fmt::format("{} bytes, {} of them used", section.size(), end));
  std::ranges::sort(objects_, {}, [](const auto& object) { return object.first; });
}

void HeapSet::read_slot(std::uint64_t slot, Bytes collection) {
  const auto layout = format::decode_global_heap(collection, {}, Address::undefined);
  for (const format::GlobalHeapObject& object : layout.objects) {
    objects_.emplace_back(
        slot | std::uint64_t{object.index} << 16,
        collection.subspan(static_cast<std::size_t>(object.offset), static_cast<std::size_t>(object.bytes)));
  }
}

Bytes HeapSet::payload(std::uint64_t reference, std::uint64_t bytes) const {
  const auto found = std::ranges::lower_bound(objects_, reference, {}, [](const auto& o) { return o.first; });
  if (found == objects_.end() || found->first != reference)
    corrupt(fmt::format("no object {} in slot {}", reference >> 16, reference & 0xffff));
  if (found->second.size() != bytes)
    corrupt(fmt::format("an object of {} bytes stands for a value of {}", found->second.size(), bytes));
  return found->second;
}

std::uint64_t HeapSetWriter::add(Bytes payload) {
  const format::Widths widths;
  const std::size_t head = format::encoded_bytes(format::GlobalHeapObjectHeader{}, widths);
  const std::size_t bytes = head + pad8(payload.size());
  const bool full = collections_.empty() || last_index_ == 0xffff ||
                    collections_.back().size() + bytes > most_collection_bytes;
  if (full) {
    if (!collections_.empty()) close_collection();
    if (collections_.size() == most_slots) {
      throw Error(ErrorKind::limit, fmt::format("a chunk's heap set of more than {} collections of {} bytes",
                                                most_slots, most_collection_bytes));
    }
    collections_.emplace_back(format::global_heap_header_bytes(widths));
    last_index_ = 0;
  }
  Buffer& collection = collections_.back();
  const std::size_t at = collection.size();
  collection.resize(at + bytes);
  const format::GlobalHeapObjectHeader object{++last_index_, 0, payload.size()};
  format::encode(object, MutableBytes(collection).subspan(at, head), widths);
  std::ranges::copy(payload, collection.begin() + static_cast<std::ptrdiff_t>(at + head));
  return (collections_.size() - 1) | std::uint64_t{last_index_} << 16;
}

void HeapSetWriter::close_collection() {
  const format::Widths widths;
  Buffer& collection = collections_.back();
  const format::GlobalHeapHeader header{collection.size()};
  format::encode(header, MutableBytes(collection).first(format::encoded_bytes(header, widths)), widths);
}

Buffer HeapSetWriter::finish() {
  if (collections_.empty()) return {};
  close_collection();
  Buffer section(head_bytes + collections_.size() * slot_bytes);
  std::ranges::copy(as_bytes(signature), section.begin());
  store_word(section.data() + 4, 1, 4);
  store_word(section.data() + 8, collections_.size(), 4);
  for (std::size_t slot = 0; slot < collections_.size(); ++slot) {
    std::byte* const entry = section.data() + head_bytes + slot * slot_bytes;
    store_word(entry, section.size(), 8);
    store_word(entry + 8, collections_[slot].size(), 8);
    section.insert(section.end(), collections_[slot].begin(), collections_[slot].end());
  }
  return section;
}

}  // namespace filigree::chunk
