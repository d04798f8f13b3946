// SPDX-License-Identifier: Apache-2.0
//
// The positions of messages in the blocks of one header, and how they change.
#pragma once

#include <cstdint>
#include <utility>

#include "base/bytes.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::store {

class FileStore;

/// Edits a header. Every block that it changes is left in normal form: messages without holes between them,
/// and then the free bytes as NIL messages, or as a gap (version 2) if they are too few for a message.
class HeaderLayout {
 public:
  struct NewMessage {
    format::MessageType type;
    std::uint8_t flags = 0;
    std::uint16_t creation_index = 0;
    Bytes body;
  };

  HeaderLayout(FileStore& store, HeaderEntry& entry) : store_(store), entry_(entry) {}

  /// Makes the whole first block free.
  void clear() { write_tail(0, entry_.blocks[0].area_at); }
  void add(const NewMessage& message);
  void replace(std::size_t index, Bytes body, std::uint8_t flags);
  void remove(std::size_t index);

 private:
  using Range = std::pair<std::size_t, std::size_t>;

  std::uint32_t stored_bytes(std::size_t body_bytes) const;  ///< prefix, body and padding
  std::uint32_t continuation_bytes() const;
  Range messages_of(std::uint32_t block) const;
  std::uint32_t free_bytes(std::uint32_t block) const;
  bool add_to_free_space(const NewMessage& message);
  bool add_by_extending(const NewMessage& message);
  void append(std::uint32_t block, const NewMessage& message);
  void normalise(std::uint32_t block);
  void write_tail(std::uint32_t block, std::uint32_t from);
  void write_prefix(HeaderEntry::Block& block, const format::MessageSlot& slot);
  bool extend(std::uint32_t block, std::uint32_t extra);
  void widen_first_block(std::uint32_t extra, std::uint32_t prefix_growth);
  void add_block(const NewMessage& message);
  std::uint32_t free_space_for_continuation(std::vector<std::pair<format::MessageSlot, Buffer>>& displaced);
  std::size_t continuation_of(std::uint32_t block) const;
  void set_continuation_length(std::uint32_t block);
  void drop_block(std::uint32_t block);
  void update_message_count();

  FileStore& store_;
  HeaderEntry& entry_;
};

/// The width of the size field in a version 2 prefix, for a message area of `area_bytes`.
std::uint32_t area_size_width(std::uint64_t area_bytes);

}  // namespace filigree::store
