// SPDX-License-Identifier: Apache-2.0
//
// Object headers: the messages that describe a group, dataset or committed datatype, in a first block and its
// continuation blocks (docs/format/object-headers.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"
#include "format/object_header/message_type.hpp"
#include "format/object_header/object_header.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

/// The properties of a header that its prefix stores.
struct HeaderShape {
  std::uint8_t version = 2;
  bool attribute_order_tracked = false;
  bool attribute_order_indexed = false;
  std::optional<format::ObjectTimes> times;               ///< version 2 only
  std::optional<format::AttributePhase> attribute_phase;  ///< absent: the defaults, 8 and 6
};

/// A decoded header. The bodies of its messages stay encoded in the bytes of its blocks, so that unknown
/// messages are kept bit by bit.
class HeaderEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::object_header;
  HeaderEntry() : Entry(entry_kind) {}

  struct Block {
    Address at = Address::undefined;
    Buffer bytes;                ///< the whole block: prefix, messages, gap, checksum
    std::uint32_t area_at = 0;   ///< offset of the first message
    std::uint32_t area_end = 0;  ///< one past the messages and the gap
  };
  struct Message {
    format::MessageSlot slot;
    std::uint32_t block = 0;
  };

  Bytes body(const Message& m) const {
    return Bytes(blocks[m.block].bytes).subspan(m.slot.body_at, m.slot.body_bytes);
  }
  /// The first message of a type, or null.
  const Message* find(format::MessageType type) const;
  /// The size of a message prefix in this header.
  std::uint32_t prefix_bytes() const {
    return shape.version == 1 ? 8 : shape.attribute_order_tracked ? 6 : 4;
  }

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;
  void before_edit() override { set_derived(nullptr); }

  /// A value that a higher layer has derived from the messages, such as the decoded messages of a dataset;
  /// null if there is none. It lasts until the header is edited or leaves the cache. Requires: all users of
  /// one type of object store the same type of value. Thread safety: any number of threads may call both
  /// functions.
  std::shared_ptr<const void> derived() const {
    const MutexLock lock(derived_mutex_);
    return derived_;
  }
  void set_derived(std::shared_ptr<const void> value) const {
    const MutexLock lock(derived_mutex_);
    derived_.swap(value);
  }

  HeaderShape shape;
  std::uint32_t link_count_v1 = 1;  ///< version 1 keeps it in the prefix
  std::vector<Block> blocks;
  std::vector<Message> messages;  ///< in file order, NIL included

 private:
  mutable Mutex derived_mutex_;
  mutable std::shared_ptr<const void> derived_ FILIGREE_GUARDED_BY(derived_mutex_);
};

/// A handle to a header in a file: a cheap value that is valid as long as the FileStore.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class ObjectHeader {
 public:
  ObjectHeader(FileStore& store, Address at) : store_(&store), at_(at) {}

  /// Creates a header with space for `area_bytes` of messages, prefixes included. Its link count is 1. The
  /// result is like that of keeping().
  static ObjectHeader create(FileStore& store, const HeaderShape& shape, std::uint32_t area_bytes);

  /// Returns a handle that keeps the decoded header, so that its functions need no look-ups. *Requires* that
  /// it lives no longer than the caller's hold of the file lock, and not after destroy().
  static ObjectHeader keeping(FileStore& store, Address at) {
    return ObjectHeader(store, at, ObjectHeader(store, at).load());
  }

  Address address() const { return at_; }
  FileStore& store() const { return *store_; }
  std::shared_ptr<const HeaderEntry> load() const;

  /// A copy of the body of the first message of a type.
  std::optional<Buffer> find(format::MessageType type) const;

  /// Adds a message, at any position with enough space. *Throws* Error(limit) when the body is longer than
  /// largest_body.
  void add(format::MessageType type, std::uint8_t flags, Bytes body, std::uint16_t creation_index = 0);
  /// Replaces the body of the message at `index` of load()->messages. *Invalidates* the indexes of messages.
  void replace(std::size_t index, Bytes body);
  void replace(std::size_t index, Bytes body, std::uint8_t flags);
  /// Calls `change` with the body of the message at `index`, which it changes.
  void change_body(std::size_t index, FunctionRef<void(MutableBytes)> change);
  /// Removes the message at `index`. *Invalidates* the indexes of messages.
  void remove(std::size_t index);
  /// Removes the first message of `type`. Returns whether there was one.
  bool remove(format::MessageType type);
  /// Replaces the first message of `type`, or adds it.
  void set(format::MessageType type, std::uint8_t flags, Bytes body);

  std::uint32_t link_count() const;
  void set_link_count(std::uint32_t count);
  void set_times(const format::ObjectTimes& times);

  /// Frees the blocks. The caller frees what the messages refer to.
  void destroy();

  /// The largest body that fits a message.
  static constexpr std::uint32_t largest_body = 65535 - 8;

 private:
  ObjectHeader(FileStore& store, Address at, std::shared_ptr<const HeaderEntry> entry)
      : store_(&store), at_(at), kept_(std::move(entry)) {}

  FileStore* store_;
  Address at_;
  std::shared_ptr<const HeaderEntry> kept_ = nullptr;
};

}  // namespace filigree::store
