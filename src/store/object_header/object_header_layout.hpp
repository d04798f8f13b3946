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
  /// The messages of a block, which are contiguous in HeaderEntry::messages.
  Range messages_of(std::uint32_t block) const;
  /// Bytes of NIL messages and of the gap in a block.
  std::uint32_t free_bytes(std::uint32_t block) const;
  /// Adds a message to a block with enough free space, or to one that can be extended in place. Return false
  /// if there is none.
  bool add_to_free_space(const NewMessage& message);
  bool add_by_extending(const NewMessage& message);
  /// Writes a message to the free space of a block.
  void append(std::uint32_t block, const NewMessage& message);
  /// Moves the messages of a block to its start.
  void normalise(std::uint32_t block);
  /// Writes the free space of a block, which starts at `from`, as NIL messages or as a gap.
  void write_tail(std::uint32_t block, std::uint32_t from);
  void write_prefix(HeaderEntry::Block& block, const format::MessageSlot& slot);
  /// Extends a block in place, if the space after it is free.
  bool extend(std::uint32_t block, std::uint32_t extra);
  void widen_first_block(std::uint32_t extra, std::uint32_t prefix_growth);
  /// Adds a continuation block for a message, and the continuation message that refers to it.
  void add_block(const NewMessage& message);
  /// A block with space for a continuation message. Messages that had to be removed for it go to `displaced`.
  std::uint32_t free_space_for_continuation(std::vector<std::pair<format::MessageSlot, Buffer>>& displaced);
  /// The continuation message that refers to a block.
  std::size_t continuation_of(std::uint32_t block) const;
  void set_continuation_length(std::uint32_t block);
  void empty_last_block();
  /// Frees a continuation block, and removes its continuation message.
  void drop_block(std::uint32_t block);
  void update_message_count();

  FileStore& store_;
  HeaderEntry& entry_;
};

/// The width of the size field in a version 2 prefix, for a message area of `area_bytes`.
std::uint32_t area_size_width(std::uint64_t area_bytes);

}  // namespace filigree::store
