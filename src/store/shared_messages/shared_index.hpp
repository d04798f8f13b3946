// SPDX-License-Identifier: Apache-2.0
//
// One index of the shared message table: its records, in a list or a B-tree, and the heap that they refer to.
// Only the sources of shared messages include this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/object_header/shared_message_index.hpp"
#include "store/btrees/btree2.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/shared_messages/shared_message_entries.hpp"

namespace filigree::store {

class FileStore;
class HeaderEntry;

/// The key of a search for a message.
struct SharedKey {
  SharedKey(format::MessageType message_type, Bytes message_body)
      : type(message_type),
        hash(format::shared_message_hash(message_type, message_body)),
        body(message_body) {}
  /// The key of `record`. `message_body` may be empty when no other record has this hash.
  SharedKey(const format::SharedMessageRecord& record, Bytes message_body)
      : type(record.type), hash(record.hash), body(message_body) {}

  format::MessageType type;
  std::uint32_t hash;
  Bytes body;
  Address header = Address::undefined;  ///< of a message that is in its header: it is compared by address
};

/// A handle that is valid for one operation on the table.
class SharedIndex {
 public:
  using Record = format::SharedMessageRecord;
  static constexpr std::uint16_t most_messages = 0xffff;

  SharedIndex(FileStore& store, std::shared_ptr<const SharedTableEntry> table, std::size_t number);

  const format::SharedMessageIndex& state() const { return table_->table.indexes[number_]; }
  /// The size of the list or the B-tree.
  std::uint64_t index_bytes() const;
  /// Whether the index has as many messages as the table can count.
  bool full() const { return state().messages == most_messages; }
  /// *Throws* Error(corrupt) when there is no heap, or its IDs do not fit a reference.
  FractalHeap heap() const;

  std::optional<Record> find(const SharedKey& key) const;
  /// Stores `body` in the heap, which is created with the first message.
  format::SharedHeapId store_body(Bytes body);
  /// Adds a record. *Requires* that the index does not have the message.
  void add(const SharedKey& key, const Record& record);
  /// Overwrites a record. *Requires* that the index has the message.
  void replace(const SharedKey& key, const Record& record);
  /// Removes a record; with the last one, also the list or B-tree, and the heap. Returns whether it was the
  /// last one. *Requires* that the index has the message.
  bool remove(const SharedKey& key);

 private:
  /// *Throws* Error(corrupt), naming the table and the index.
  [[noreturn]] void fail(const char* what) const;
  /// Compares `record` with `key`: negative before it, 0 when it matches.
  int compare(const Record& record, const SharedKey& key) const;
  int compare_in_header(const Record& record, Bytes body) const;
  /// The body of a message that is still in its header.
  Bytes body_in_header(const Record& record, std::shared_ptr<const HeaderEntry>& header) const;
  /// The body of a message in the heap or in its header.
  Buffer body_of(const Record& record) const;
  std::optional<std::size_t> position(const SharedListEntry& list, const SharedKey& key) const;

  BTree2 tree() const;
  Record decode(Bytes bytes) const;
  Buffer encode(const Record& record) const;
  format::SharedMessageIndex& edit_state();
  void set_count(std::uint64_t messages);

  void make_list(std::vector<Record> records);
  BTree2 new_tree();
  void set_tree(const BTree2& tree);
  void insert_all(BTree2& tree, const std::vector<Record>& records);
  // Conversions at the limits `list_maximum` and `btree_minimum` of the index.
  void list_to_tree();
  void tree_to_list();
  void drop_records();

  FileStore* store_;
  std::shared_ptr<const SharedTableEntry> table_;
  std::size_t number_;
};

}  // namespace filigree::store
