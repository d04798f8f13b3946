// SPDX-License-Identifier: Apache-2.0
//
// Huge objects of a fractal heap, which are too long for its blocks. Each has its own space in the file, and
// a version 2 B-tree indexes them.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/btrees/btree2_records.hpp"
#include "format/codec/codec.hpp"
#include "store/btrees/btree2.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap_parts.hpp"

namespace filigree::store {
namespace {

using format::FractalHeapHeader;
using format::HeapId;
using format::HeapIdKind;
using format::HugeDirectFilteredRecord;
using format::HugeDirectRecord;
using format::HugeIndirectFilteredRecord;
using format::HugeIndirectRecord;

struct Kind {
  std::uint8_t type;
  std::uint16_t record_bytes;
};

template <class Record>
Kind kind_of(const format::Widths& widths) {
  return {Record::type, Record::record_bytes(widths)};
}

Kind record_kind(const format::HeapIdLayout& ids) {
  if (ids.huge_direct) {
    return ids.filtered ? kind_of<HugeDirectFilteredRecord>(ids.widths)
                        : kind_of<HugeDirectRecord>(ids.widths);
  }
  return ids.filtered ? kind_of<HugeIndirectFilteredRecord>(ids.widths)
                      : kind_of<HugeIndirectRecord>(ids.widths);
}

/// The fields of the four kinds of records, as far as the records of this heap have them.
struct Record {
  Address at = Address::undefined;
  std::uint64_t stored_bytes = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t bytes = 0;
  std::uint64_t key = 0;
};

Record read_record(Bytes bytes, const format::HeapIdLayout& ids) {
  const auto read = [&]<class T>(T) {
    const T r = format::decode<T>(bytes, ids.widths);
    Record out{r.at, r.bytes, 0, r.bytes, 0};
    if constexpr (requires { r.filter_mask; }) {
      out.filter_mask = r.filter_mask;
      out.bytes = r.unfiltered_bytes;
    }
    if constexpr (requires { r.id; }) out.key = r.id;
    return out;
  };
  if (ids.huge_direct) return ids.filtered ? read(HugeDirectFilteredRecord{}) : read(HugeDirectRecord{});
  return ids.filtered ? read(HugeIndirectFilteredRecord{}) : read(HugeIndirectRecord{});
}

Buffer encode_record(const HeapId& id, const format::HeapIdLayout& ids) {
  const auto& widths = ids.widths;
  if (!ids.filtered && ids.huge_direct)
    return format::encode(HugeDirectRecord{id.address, id.length}, widths);
  if (!ids.filtered) return format::encode(HugeIndirectRecord{id.address, id.length, id.key}, widths);
  if (ids.huge_direct)
    return format::encode(HugeDirectFilteredRecord{id.address, id.length, id.filter_mask, id.object_bytes},
                          widths);
  return format::encode(
      HugeIndirectFilteredRecord{id.address, id.length, id.filter_mask, id.object_bytes, id.key}, widths);
}

template <class T>
int compare(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

/// Compares a record with the key of a search: by ID, or by address and length.
int compare_record(Bytes bytes, const Record& sought, const format::HeapIdLayout& ids) {
  const Record record = read_record(bytes, ids);
  if (!ids.huge_direct) return compare(record.key, sought.key);
  if (const int by_address = compare(record.at, sought.at)) return by_address;
  return compare(record.stored_bytes, sought.stored_bytes);
}

BTree2 tree_of(FileStore& store, const HeapHeaderEntry& heap) {
  if (!is_valid(heap.header.huge_btree)) throw_corrupt(heap.address(), "has no huge objects");
  const Kind kind = record_kind(heap.ids);
  return {store, heap.header.huge_btree, kind.type, kind.record_bytes};
}

}  // namespace

FractalHeap::Huge FractalHeap::find_huge(const HeapId& id) const {
  if (heap_->ids.huge_direct) return {id.address, id.length, id.filter_mask, id.object_bytes};
  const auto found = tree_of(*store_, *heap_).find([&](Bytes record) {
    return compare_record(record, {.key = id.key}, heap_->ids);
  });
  if (!found) throw_corrupt(address(), fmt::format("has no huge object {}", id.key));
  const Record record = read_record(*found, heap_->ids);
  return {record.at, record.stored_bytes, record.filter_mask, record.bytes};
}

std::uint64_t FractalHeap::new_huge_key() {
  const std::uint64_t largest =
      std::min(widest_word(heap_->ids.key_bytes), widest_word(heap_->ids.widths.length_bytes));
  FractalHeapHeader& h = edit().header;
  if (!h.huge_ids_wrapped) {
    const std::uint64_t key = ++h.next_huge_id;
    if (key >= largest) h.huge_ids_wrapped = true;
    return key;
  }
  // All keys were used once: finds the first one that is free again.
  std::uint64_t key = 1;
  tree_of(*store_, *heap_).visit([&](Bytes record) {
    if (read_record(record, heap_->ids).key != key) return false;
    ++key;
    return true;
  });
  if (key > largest) throw Error(ErrorKind::limit, "fractal heap: no more IDs for huge objects");
  return key;
}

Buffer FractalHeap::insert_huge(Bytes object) {
  if (!is_valid(heap_->header.huge_btree)) {
    const Kind kind = record_kind(heap_->ids);
    edit().header.huge_btree =
        BTree2::create(*store_, {.type = kind.type, .record_bytes = kind.record_bytes});
  }
  BTree2 tree = tree_of(*store_, *heap_);
  HeapId id;
  id.kind = HeapIdKind::huge;
  id.object_bytes = object.size();
  Buffer filtered;
  if (heap_->ids.filtered) filtered = filter_heap_bytes(*heap_, object, id.filter_mask);
  const Bytes stored = heap_->ids.filtered ? Bytes(filtered) : object;
  id.length = stored.size();
  if (!heap_->ids.huge_direct) id.key = new_huge_key();
  id.address = store_->space().allocate(SpaceKind::raw, stored.size());
  store_->write(id.address, stored);
  const Buffer record = encode_record(id, heap_->ids);
  const Record sought{.at = id.address, .stored_bytes = id.length, .key = id.key};
  if (!tree.insert(record, [&](Bytes other) { return compare_record(other, sought, heap_->ids); })) {
    throw_corrupt(address(), fmt::format("already has a huge object {}", id.key));
  }
  FractalHeapHeader& h = edit().header;
  ++h.huge_objects;
  h.huge_bytes += object.size();
  return encode_heap_id(id, heap_->ids);
}

void FractalHeap::remove_huge(const HeapId& id) {
  BTree2 tree = tree_of(*store_, *heap_);
  const Record sought{.at = id.address, .stored_bytes = id.length, .key = id.key};
  const auto removed = tree.remove([&](Bytes other) { return compare_record(other, sought, heap_->ids); });
  if (!removed) throw_corrupt(address(), "has no such huge object");
  const Record record = read_record(*removed, heap_->ids);
  store_->space().release(SpaceKind::raw, record.at, record.stored_bytes);
  FractalHeapHeader& h = edit().header;
  h.huge_objects -= std::min<std::uint64_t>(h.huge_objects, 1);
  h.huge_bytes -= std::min(h.huge_bytes, record.bytes);
  if (tree.size() == 0) destroy_huge();
}

std::uint64_t FractalHeap::huge_tree_bytes() const {
  return is_valid(heap_->header.huge_btree) ? tree_of(*store_, *heap_).file_bytes() : 0;
}

void FractalHeap::destroy_huge() {
  if (!is_valid(heap_->header.huge_btree)) return;
  BTree2 tree = tree_of(*store_, *heap_);
  std::vector<Record> all;
  tree.visit([&](Bytes record) {
    all.push_back(read_record(record, heap_->ids));
    return true;
  });
  for (const Record& record : all) store_->space().release(SpaceKind::raw, record.at, record.stored_bytes);
  tree.destroy();
  FractalHeapHeader& h = edit().header;
  h.huge_btree = Address::undefined;
  h.huge_ids_wrapped = false;
  h.next_huge_id = h.huge_objects = h.huge_bytes = 0;
}

}  // namespace filigree::store
