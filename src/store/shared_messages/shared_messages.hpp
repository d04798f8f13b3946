// SPDX-License-Identifier: Apache-2.0
//
// Shared object header messages: bodies that several headers have in common are kept once, in heaps, and
// found through the file's shared message table (hdf5-format.md §7).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/object_header/message_type.hpp"
#include "format/object_header/shared_message_index.hpp"
#include "format/object_header/shared_reference.hpp"

namespace filigree::store {

class FileStore;
class SharedIndex;
class SharedTableEntry;
struct SharedKey;

/// What a new index tracks.
struct SharedIndexShape {
  std::uint16_t message_types = 0;   ///< bit t stands for message type t
  std::uint32_t smallest_bytes = 0;  ///< of a body worth sharing
};

/// The shared messages of one file; it keeps their table in the cache. Reading is safe on any number of
/// threads; changing needs the caller to be alone with the file.
///
/// Bodies are plain ones: never padded, never references themselves (although an attribute may hold
/// references to its datatype and dataspace).
class SharedMessages {
 public:
  /// Makes a table of 1 to 8 empty indexes and returns its address. Throws Error(invalid_argument) when a
  /// type cannot be shared or stands twice, or the limits contradict each other.
  static Address create(FileStore& store, std::span<const SharedIndexShape> indexes,
                        std::uint16_t list_maximum, std::uint16_t btree_minimum);

  /// `index_count` stands beside `table` in the superblock extension's message.
  SharedMessages(FileStore& store, Address table, std::uint8_t index_count);

  const format::SharedMessageTable& table() const;
  bool tracks(format::MessageType type) const;

  Buffer read(format::MessageType type, const format::SharedHeapId& id) const;
  /// How many messages refer to `id`; one that another writer left in its header counts as well.
  std::uint32_t references(format::MessageType type, const format::SharedHeapId& id) const;

  /// Stores `body`, or finds it stored and counts one reference more. Nothing when the type is not tracked,
  /// the body too short, or a count at its limit: the message then stays in its header.
  std::optional<format::SharedHeapId> share(format::MessageType type, Bytes body);

  /// Drops one reference. With the last one the message goes, and its body is returned, so that the caller
  /// can drop what it refers to.
  std::optional<Buffer> release(format::MessageType type, const format::SharedHeapId& id);

  /// A message with the flag `shareable` leaves the header at `header`: drops its record or, when a second
  /// user has brought the message into the heap, one reference. `body` may be padded, as in version 1
  /// headers. A message that no index knows is left alone.
  void forget_in_header(format::MessageType type, Address header, Bytes body);

 private:
  std::optional<std::size_t> find_index(format::MessageType type) const;
  SharedIndex index(format::MessageType type) const;
  format::SharedMessageRecord get_record(const SharedIndex& in, const SharedKey& key,
                                         const format::SharedHeapId& id) const;
  /// Whether the message has gone with it.
  bool drop_reference(SharedIndex& from, const SharedKey& key, format::SharedMessageRecord record);

  FileStore* store_;
  std::shared_ptr<const SharedTableEntry> table_;
};

/// The plain body of the message of `type` that has the SharedReference `reference` in its place, in a
/// header at `where`. `shared` is null in files without a shared message table. Throws Error(corrupt)
/// when the reference leads nowhere or to another reference.
Buffer resolve_shared(FileStore& store, const SharedMessages* shared, format::MessageType type,
                      Bytes reference, Address where);

}  // namespace filigree::store
