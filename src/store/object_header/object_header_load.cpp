// SPDX-License-Identifier: Apache-2.0
//
// Reading object headers.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::store {
namespace {

using format::MessageType;

constexpr std::size_t first_read_bytes = 512;

/// Loads the blocks of one header, in the order in which continuation messages refer to them.
class Loader {
 public:
  Loader(const FileStore& store, Address at)
      : store_(store), at_(at), entry_(std::make_shared<HeaderEntry>()) {
    // Most headers have no more: one allocation for each list, instead of one for every doubling.
    entry_->blocks.reserve(2);
    entry_->messages.reserve(6);
  }

  std::shared_ptr<HeaderEntry> load() {
    load_first_block();
    for (std::size_t i = 0; i < pending_.size(); ++i) load_continuation(pending_[i].block, pending_[i].bytes);
    return entry_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::corrupt, fmt::format("object header at {}: {}", to_string(at_), what));
  }

  void load_first_block() {
    std::array<std::byte, first_read_bytes> buffer;
    const Bytes start = store_.read_up_to(at_, buffer, "object header");
    if (start.size() >= 4 && as_text(start.first(4)) == "OHDR") {
      load_version2(start);
    } else if (std::to_integer<int>(start[0]) == 1) {
      load_version1(start);
    } else {
      throw Error(
          ErrorKind::corrupt,
          fmt::format(
              "object header at {}: field 'version' at byte 0 is {}, and there is no signature 'OHDR'",
              to_string(at_), std::to_integer<int>(start[0])));
    }
  }

  void load_version1(Bytes start) {
    format::ObjectHeaderPrefixV1 prefix;
    const auto used = static_cast<std::uint32_t>(format::decode(prefix, start, store_.widths(), at_));
    entry_->shape.version = 1;
    entry_->link_count_v1 = prefix.links;
    add_block(at_, used, used + std::uint64_t{prefix.area_bytes}, 0, start);
  }

  void load_version2(Bytes start) {
    format::ObjectHeaderPrefixV2 prefix;
    const auto used = static_cast<std::uint32_t>(format::decode(prefix, start, store_.widths(), at_));
    HeaderShape& shape = entry_->shape;
    shape.version = 2;
    shape.attribute_order_tracked = prefix.tracks_attribute_order;
    shape.attribute_order_indexed = prefix.indexes_attribute_order;
    shape.times = prefix.times;
    shape.attribute_phase = prefix.attribute_phase;
    if (prefix.area_bytes > store_.available(at_))
      fail(fmt::format("field 'area bytes' is {}, beyond the end of the file", prefix.area_bytes));
    add_block(at_, used, used + prefix.area_bytes, 4, start);
  }

  void load_continuation(Address block, std::uint64_t bytes) {
    if (entry_->shape.version == 1) {
      add_block(block, 0, bytes, 0, {});
      return;
    }
    if (bytes < 8)
      fail(fmt::format("the continuation block at {} has {} bytes, less than its signature and checksum",
                       to_string(block), bytes));
    add_block(block, 4, bytes - 4, 4, {});
    if (as_text(Bytes(entry_->blocks.back().bytes).first(4)) != "OCHK") {
      fail(fmt::format("the continuation block at {} lacks the signature 'OCHK'", to_string(block)));
    }
  }

  /// `start` holds the first bytes of the block if they were read already.
  void add_block(Address at, std::uint32_t area_at, std::uint64_t area_end, std::uint32_t checksum_bytes,
                 Bytes start) {
    const std::uint64_t bytes = area_end + checksum_bytes;
    check_apart(at, bytes);
    total_bytes_ += bytes;
    // Only then asks for the bytes of all parts, which is slower.
    if (bytes > 0xffffffffu ||
        (total_bytes_ > store_.available(to_address(0)) && total_bytes_ > store_.file_bytes()))
      fail("its blocks are larger than the file");
    HeaderEntry::Block block;
    block.at = at;
    block.bytes = bytes <= start.size() ? Buffer(start.begin(), start.begin() + bytes)
                                        : store_.read(at, bytes, "object header block");
    block.area_at = area_at;
    block.area_end = static_cast<std::uint32_t>(area_end);
    if (checksum_bytes > 0) check_sum(block);
    entry_->blocks.push_back(std::move(block));
    add_messages();
  }

  /// Refuses a block that occurs twice, which is a cycle, and blocks that overlap, which could not be
  /// written.
  void check_apart(Address at, std::uint64_t bytes) {
    constexpr std::size_t few = 16;  // most headers have fewer; for more blocks a map is faster
    const auto& blocks = entry_->blocks;
    const auto meets = [&](std::uint64_t other, std::uint64_t other_bytes) {
      if (other == to_number(at)) fail(fmt::format("its blocks form a cycle through {}", to_string(at)));
      const bool before = other < to_number(at);
      if (before ? to_number(at) - other < other_bytes : other - to_number(at) < bytes) {
        fail(fmt::format("its block at {} overlaps another of its blocks", to_string(at)));
      }
    };
    if (blocks.size() < few) {
      for (const auto& b : blocks) meets(to_number(b.at), b.bytes.size());
      return;
    }
    if (seen_.empty()) {
      for (const auto& b : blocks) seen_.emplace(to_number(b.at), b.bytes.size());
    }
    const auto next = seen_.lower_bound(to_number(at));
    if (next != seen_.end()) meets(next->first, next->second);
    if (next != seen_.begin()) meets(std::prev(next)->first, std::prev(next)->second);
    seen_.emplace_hint(next, to_number(at), bytes);
  }

  void check_sum(const HeaderEntry::Block& block) const {
    const std::uint32_t computed = lookup3(Bytes(block.bytes).first(block.area_end));
    const auto stored = static_cast<std::uint32_t>(load_word(block.bytes.data() + block.area_end, 4));
    if (!checksum_holds(stored, computed)) {
      fail(fmt::format("field 'checksum' of its block at {} is {:#010x}, the bytes give {:#010x}",
                       to_string(block.at), stored, computed));
    }
  }

  void add_messages() {
    const auto number = static_cast<std::uint32_t>(entry_->blocks.size() - 1);
    const HeaderEntry::Block& block = entry_->blocks.back();
    const format::HeaderShape shape{entry_->shape.version, entry_->shape.attribute_order_tracked};
    const Bytes area = Bytes(block.bytes).subspan(block.area_at, block.area_end - block.area_at);
    format::for_each_message(area, block.area_at, shape, block.at, [&](const format::MessageSlot& slot) {
      check_known(slot);
      entry_->messages.push_back({slot, number});
      if (slot.type != MessageType::continuation) return;
      const auto next = format::decode<format::Continuation>(entry_->body(entry_->messages.back()),
                                                             store_.widths(), block.at);
      pending_.push_back(next);
    });
  }

  void check_known(const format::MessageSlot& slot) const {
    if (format::is_known(slot.type)) return;
    const bool refuse =
        (slot.flags & format::message_flag::fail_if_unknown_always) != 0 ||
        ((slot.flags & format::message_flag::fail_if_unknown_for_write) != 0 && store_.writable());
    if (refuse) {
      throw Error(ErrorKind::unsupported, fmt::format("object header at {}: message type {} is unknown, and "
                                                      "its flags require readers to understand it",
                                                      to_string(at_), static_cast<unsigned>(slot.type)));
    }
  }

  const FileStore& store_;
  const Address at_;
  std::shared_ptr<HeaderEntry> entry_;
  std::vector<format::Continuation> pending_;
  std::map<std::uint64_t, std::uint64_t> seen_;  ///< blocks: address, bytes
  std::uint64_t total_bytes_ = 0;
};

}  // namespace

std::shared_ptr<const HeaderEntry> ObjectHeader::load() const {
  if (kept_ != nullptr) return kept_;
  return store_->cache().get<HeaderEntry>(at_, [this] { return Loader(*store_, at_).load(); });
}

}  // namespace filigree::store
