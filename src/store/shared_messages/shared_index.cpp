// SPDX-License-Identifier: Apache-2.0
#include "store/shared_messages/shared_index.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"

namespace filigree::store {
namespace {

using format::SharedIndexKind;
using format::SharedLocation;

constexpr std::uint8_t tree_type = 7;

int compare_bytes(Bytes a, Bytes b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.empty() ? 0 : std::memcmp(a.data(), b.data(), a.size());
}

}  // namespace

SharedIndex::SharedIndex(FileStore& store, std::shared_ptr<const SharedTableEntry> table, std::size_t number)
    : store_(&store), table_(std::move(table)), number_(number) {}

void SharedIndex::fail(const char* what) const {
  throw Error(ErrorKind::corrupt, fmt::format("shared message table at {}: index {} {}",
                                              to_string(table_->address()), number_, what));
}

FractalHeap SharedIndex::heap() const {
  if (!is_valid(state().heap)) fail("has no heap");
  FractalHeap heap(*store_, state().heap);
  if (heap.id_bytes() != format::SharedHeapId{}.size()) fail("has a heap whose IDs do not fit a reference");
  return heap;
}

std::uint64_t SharedIndex::index_bytes() const {
  if (state().kind == format::SharedIndexKind::list)
    return shared_list_bytes(state().list_maximum, store_->widths());
  return is_valid(state().records) ? tree().file_bytes() : 0;
}

BTree2 SharedIndex::tree() const {
  const std::size_t record_bytes = format::shared_message_record_bytes(store_->widths());
  return BTree2(*store_, state().records, tree_type, static_cast<std::uint16_t>(record_bytes));
}

SharedIndex::Record SharedIndex::decode(Bytes bytes) const {
  return format::decode<Record>(bytes, store_->widths(), state().records);
}

Buffer SharedIndex::encode(const Record& record) const { return format::encode(record, store_->widths()); }

format::SharedMessageIndex& SharedIndex::edit_state() {
  return store_->cache().edit(table_).table.indexes[number_];
}

void SharedIndex::set_count(std::uint64_t messages) {
  edit_state().messages = static_cast<std::uint16_t>(std::min<std::uint64_t>(messages, most_messages));
}

int SharedIndex::compare(const Record& record, const SharedKey& key) const {
  if (record.hash != key.hash) return record.hash < key.hash ? -1 : 1;
  if (record.location == SharedLocation::header) {
    // Messages of different types may have the same hash: it depends on the sum of type and length, and
    // zeros, such as padding, do not change it.
    if (record.type != key.type) return record.type < key.type ? -1 : 1;
    if (is_valid(key.header) && record.header == key.header) return 0;
    return compare_in_header(record, key.body);
  }
  int order = 0;
  heap().read(record.heap_id, [&](Bytes object) { order = compare_bytes(object, key.body); });
  return order;
}

int SharedIndex::compare_in_header(const Record& record, Bytes body) const {
  std::shared_ptr<const HeaderEntry> header;
  const Bytes stored = body_in_header(record, header);
  const std::size_t body_bytes = header->shape.version == 1 ? pad8(body.size()) : body.size();
  if (stored.size() != body_bytes) return stored.size() < body_bytes ? -1 : 1;
  return compare_bytes(stored.first(body.size()), body);
}

Bytes SharedIndex::body_in_header(const Record& record, std::shared_ptr<const HeaderEntry>& header) const {
  header = ObjectHeader(*store_, record.header).load();
  std::size_t before = record.index;
  for (const auto& message : header->messages) {
    if (message.slot.type != record.type || before-- > 0) continue;
    if (message.slot.flags & format::message_flag::shared)
      fail("has a record of a message that is a reference");
    return header->body(message);
  }
  fail("has a record of a message that its header does not hold");
}

Buffer SharedIndex::body_of(const Record& record) const {
  if (record.location == SharedLocation::heap) return heap().read(record.heap_id);
  std::shared_ptr<const HeaderEntry> header;
  const Bytes stored = body_in_header(record, header);
  // Version 1 headers pad messages; the hash shows where the body ends.
  const std::size_t shortest =
      header->shape.version == 1 ? stored.size() - std::min<std::size_t>(7, stored.size()) : stored.size();
  for (std::size_t bytes = stored.size() + 1; bytes-- > shortest;) {
    const Bytes body = stored.first(bytes);
    if (format::shared_message_hash(record.type, body) == record.hash)
      return Buffer(body.begin(), body.end());
  }
  fail("has a record whose hash is not that of its message");
}

std::optional<std::size_t> SharedIndex::position(const SharedListEntry& list, const SharedKey& key) const {
  const auto& records = list.list.records;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (compare(records[i], key) == 0) return i;
  }
  return std::nullopt;
}

std::optional<SharedIndex::Record> SharedIndex::find(const SharedKey& key) const {
  if (!is_valid(state().records)) {
    if (state().messages > 0) fail("has messages but no records");
    return std::nullopt;
  }
  if (state().kind == SharedIndexKind::list) {
    const auto list = load_shared_list(*store_, state());
    const auto at = position(*list, key);
    return at ? std::optional(list->list.records[*at]) : std::nullopt;
  }
  const auto found = tree().find([&](Bytes bytes) { return compare(decode(bytes), key); });
  return found ? std::optional(decode(*found)) : std::nullopt;
}

format::SharedHeapId SharedIndex::store_body(Bytes body) {
  if (!is_valid(state().heap)) {
    const Address heap = FractalHeap::create(*store_, FractalHeapShape::attributes());
    edit_state().heap = heap;
  }
  const Buffer id = heap().insert(body);
  format::SharedHeapId out{};
  std::copy_n(id.begin(), out.size(), out.begin());
  return out;
}

void SharedIndex::add(const SharedKey& key, const Record& record) {
  if (!is_valid(state().records)) {
    if (state().list_maximum > 0) {
      make_list({});
    } else {
      set_tree(new_tree());
    }
  }
  if (state().kind == SharedIndexKind::list && state().messages >= state().list_maximum) list_to_tree();
  if (state().kind == SharedIndexKind::list) {
    const auto list = load_shared_list(*store_, state());
    store_->cache().edit(list).list.records.push_back(record);
    set_count(list->list.records.size());
  } else {
    BTree2 records = tree();
    records.insert(encode(record), [&](Bytes bytes) { return compare(decode(bytes), key); });
    set_count(records.size());
  }
}

void SharedIndex::replace(const SharedKey& key, const Record& record) {
  if (state().kind == SharedIndexKind::list) {
    const auto list = load_shared_list(*store_, state());
    if (const auto at = position(*list, key)) store_->cache().edit(list).list.records[*at] = record;
    return;
  }
  const Buffer bytes = encode(record);
  tree().update([&](Bytes there) { return compare(decode(there), key); },
                [&](MutableBytes there) { std::ranges::copy(bytes, there.begin()); });
}

bool SharedIndex::remove(const SharedKey& key) {
  std::uint64_t left = 0;
  if (state().kind == SharedIndexKind::list) {
    const auto list = load_shared_list(*store_, state());
    const auto at = position(*list, key);
    auto& records = store_->cache().edit(list).list.records;
    if (at) records.erase(records.begin() + static_cast<std::ptrdiff_t>(*at));
    left = records.size();
  } else {
    BTree2 records = tree();
    records.remove([&](Bytes bytes) { return compare(decode(bytes), key); });
    left = records.size();
  }
  set_count(left);
  if (left == 0) {
    drop_records();
    if (is_valid(state().heap)) heap().destroy();
    edit_state().heap = Address::undefined;
    return true;
  }
  const bool to_list = left < state().btree_minimum && left <= state().list_maximum;
  if (state().kind == SharedIndexKind::btree && to_list) tree_to_list();
  return false;
}

void SharedIndex::make_list(std::vector<Record> records) {
  const format::Widths& widths = store_->widths();
  const std::uint16_t maximum = state().list_maximum;
  const Address at = store_->space().allocate(SpaceKind::btree, shared_list_bytes(maximum, widths));
  format::SharedMessageList list{.records = std::move(records)};
  store_->cache().insert(at, std::make_shared<SharedListEntry>(std::move(list), maximum, widths));
  auto& index = edit_state();
  index.kind = SharedIndexKind::list;
  index.records = at;
}

BTree2 SharedIndex::new_tree() {
  const std::size_t record_bytes = format::shared_message_record_bytes(store_->widths());
  const BTree2Shape shape{.type = tree_type, .record_bytes = static_cast<std::uint16_t>(record_bytes)};
  return BTree2(*store_, BTree2::create(*store_, shape), tree_type, shape.record_bytes);
}

void SharedIndex::set_tree(const BTree2& tree) {
  auto& index = edit_state();
  index.kind = SharedIndexKind::btree;
  index.records = tree.address();
}

void SharedIndex::insert_all(BTree2& tree, const std::vector<Record>& records) {
  std::unordered_map<std::uint32_t, unsigned> hashes;
  for (const Record& record : records) ++hashes[record.hash];
  for (const Record& record : records) {
    // Bodies, which may be in many headers, are read only when hashes are equal.
    const Buffer body = hashes[record.hash] > 1 ? body_of(record) : Buffer();
    const SharedKey key(record, body);
    if (!tree.insert(encode(record), [&](Bytes bytes) { return compare(decode(bytes), key); })) {
      fail("holds the same message twice");
    }
  }
}

void SharedIndex::list_to_tree() {
  const auto list = load_shared_list(*store_, state());
  BTree2 tree = new_tree();
  try {
    insert_all(tree, list->list.records);
  } catch (...) {
    tree.destroy();
    throw;
  }
  drop_records();
  set_tree(tree);
}

void SharedIndex::tree_to_list() {
  std::vector<Record> records;
  tree().visit([&](Bytes bytes) {
    records.push_back(decode(bytes));
    return true;
  });
  drop_records();
  make_list(std::move(records));
}

/// Frees the list or B-tree. An empty index that may be a list is a list again.
void SharedIndex::drop_records() {
  if (state().kind == SharedIndexKind::list) {
    const Address at = state().records;
    store_->cache().forget(at);
    store_->space().release(SpaceKind::btree, at, shared_list_bytes(state().list_maximum, store_->widths()));
  } else {
    tree().destroy();
  }
  auto& index = edit_state();
  if (index.btree_minimum > 0) index.kind = SharedIndexKind::list;
  index.records = Address::undefined;
}

}  // namespace filigree::store
