// SPDX-License-Identifier: Apache-2.0
//
// Shared object header messages: the bodies that several headers have in common are stored once, in a heap,
// and are found by the shared message table of the file (HDF5 File Format Specification, section "Shared
// Object Header Message Table").
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

/// Which messages a new index shares.
struct SharedIndexShape {
  std::uint16_t message_types = 0;   ///< bit t is set for message type t
  std::uint32_t smallest_bytes = 0;  ///< of a body that is shared
};

/// The sizes of the structures of shared messages in the file.
struct SharedMessageBytes {
  std::uint64_t table = 0;
  std::uint64_t indexes = 0;
  std::uint64_t heaps = 0;
};

/// The shared messages of one file. The object keeps their table in the cache. Bodies are not padded, and are
/// not references themselves, although an attribute may hold references to its datatype and dataspace.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class SharedMessages {
 public:
  /// Creates a table of 1 to 8 empty indexes and returns its address. *Throws* Error(invalid_argument) when a
  /// type cannot be shared or is in two indexes, or the limits are inconsistent.
  static Address create(FileStore& store, std::span<const SharedIndexShape> indexes,
                        std::uint16_t list_maximum, std::uint16_t btree_minimum);

  /// `table` and `index_count` come from the shared message table message of the superblock extension.
  SharedMessages(FileStore& store, Address table, std::uint8_t index_count);

  const format::SharedMessageTable& table() const;
  bool tracks(format::MessageType type) const;
  /// As HDF5 counts them: a list that has no messages yet has its size nevertheless. Damaged indexes and
  /// heaps do not count.
  SharedMessageBytes file_bytes() const;

  Buffer read(format::MessageType type, const format::SharedHeapId& id) const;
  /// The number of messages that refer to `id`, including one that another writer left in its header.
  std::uint32_t references(format::MessageType type, const format::SharedHeapId& id) const;

  /// Stores `body`, or adds a reference to it if it is stored already. Returns nothing when the message must
  /// stay in its header: its type is not shared, its body is too short, or a count is at its limit.
  std::optional<format::SharedHeapId> share(format::MessageType type, Bytes body);

  /// Removes one reference. With the last one the message is removed and its body returned, so that the
  /// caller can free what it refers to.
  std::optional<Buffer> release(format::MessageType type, const format::SharedHeapId& id);

  /// Called when a message with the flag `shareable` is removed from the header at `header`. Removes its
  /// record or, when another header shares it by the heap, one reference. `body` may be padded, as in version
  /// 1 headers. Does nothing for a message that no index has.
  void forget_in_header(format::MessageType type, Address header, Bytes body);

 private:
  std::optional<std::size_t> find_index(format::MessageType type) const;
  SharedIndex index(format::MessageType type) const;
  format::SharedMessageRecord get_record(const SharedIndex& in, const SharedKey& key,
                                         const format::SharedHeapId& id) const;
  /// Returns whether the message was removed with its last reference.
  bool drop_reference(SharedIndex& from, const SharedKey& key, format::SharedMessageRecord record);

  FileStore* store_;
  std::shared_ptr<const SharedTableEntry> table_;
};

/// The body of the message of `type` that the SharedReference `reference`, in a header at `where`, refers to.
/// `shared` is null in files without a shared message table. *Throws* Error(corrupt) when there is no such
/// message, or it is a reference itself.
Buffer resolve_shared(FileStore& store, const SharedMessages* shared, format::MessageType type,
                      Bytes reference, Address where);

}  // namespace filigree::store
