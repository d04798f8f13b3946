// SPDX-License-Identifier: Apache-2.0
#include "model/link/dense_links.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/btrees/btree2_records.hpp"
#include "format/codec/codec.hpp"
#include "model/heap/heap_budget.hpp"
#include "store/btrees/btree2.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap.hpp"

namespace filigree::model {

using format::LinkMessage;

namespace {

// The records of both B-trees: name hash or creation order, then the heap ID.
constexpr std::uint8_t name_tree_type = 5;
constexpr std::uint8_t order_tree_type = 6;
constexpr std::size_t heap_id_bytes = 7;
constexpr std::uint16_t name_record_bytes = 4 + heap_id_bytes;
constexpr std::uint16_t order_record_bytes = 8 + heap_id_bytes;

Bytes id_of_name_record(Bytes record) { return record.subspan(4, heap_id_bytes); }
Bytes id_of_order_record(Bytes record) { return record.subspan(8, heap_id_bytes); }

store::BTree2 name_tree(store::FileStore& store, const format::LinkInfo& info) {
  return store::BTree2(store, info.name_tree, name_tree_type, name_record_bytes);
}
store::BTree2 order_tree(store::FileStore& store, const format::LinkInfo& info) {
  return store::BTree2(store, info.order_tree, order_tree_type, order_record_bytes);
}

int compare(std::uint64_t a, std::uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_order(Bytes record, std::int64_t order) {
  const auto stored = static_cast<std::int64_t>(load_word(record.data(), 8));
  return stored < order ? -1 : stored > order ? 1 : 0;
}

/// Orders records by hash, and by name for equal hashes.
struct ByName {
  store::FileStore& store;
  const store::FractalHeap& heap;
  std::string_view name;
  std::uint32_t hash;
  LinkMessage* last = nullptr;  ///< gets the last link of an equal hash

  int operator()(Bytes record) const {
    if (const int order = compare(load_word(record.data(), 4), hash); order != 0) return order;
    LinkMessage own;
    LinkMessage& link = last == nullptr ? own : * last = {};
    heap.read(id_of_name_record(record), [&](Bytes bytes) { format::decode(link, bytes, store.widths()); });
    return link.name.compare(name);
  }
};

}  // namespace

void DenseLinks::create(store::FileStore& store, format::LinkInfo& info, Buffer filters) {
  auto shape = store::FractalHeapShape::links();
  shape.pipeline = std::move(filters);
  info.heap = store::FractalHeap::create(store, shape);
  info.name_tree = store::BTree2::create(store, {name_tree_type, name_record_bytes});
  if (info.indexes_order)
    info.order_tree = store::BTree2::create(store, {order_tree_type, order_record_bytes});
}

LinkMessage DenseLinks::read(Bytes heap_id) const {
  LinkMessage link;
  store::FractalHeap(store_, info_.heap).read(heap_id, [&](Bytes bytes) {
    format::decode(link, bytes, store_.widths());
  });
  return link;
}

std::uint64_t DenseLinks::size() const { return name_tree(store_, info_).size(); }

MetadataBytes DenseLinks::metadata_bytes() const {
  MetadataBytes bytes{name_tree(store_, info_).file_bytes(),
                      store::FractalHeap(store_, info_.heap).file_bytes()};
  if (info_.indexes_order) bytes.index += order_tree(store_, info_).file_bytes();
  return bytes;
}

std::optional<LinkMessage> DenseLinks::find(std::string_view name) const {
  const store::FractalHeap heap(store_, info_.heap);
  LinkMessage link;
  const ByName by_name{store_, heap, name, lookup3(as_bytes(name)), &link};
  const auto record = name_tree(store_, info_).find(by_name);
  if (!record) return std::nullopt;
  // The search ends with the link that it finds, unless the file is damaged.
  return link.name == name ? link : read(id_of_name_record(*record));
}

void DenseLinks::insert(const LinkMessage& link, Bytes body) {
  store::FractalHeap heap(store_, info_.heap);
  const std::uint32_t hash = lookup3(as_bytes(link.name));
  const Buffer id = heap.insert(body);
  std::byte record[order_record_bytes];
  store_word(record, hash, 4);
  std::ranges::copy(id, record + 4);
  if (!name_tree(store_, info_)
           .insert(Bytes(record, name_record_bytes), ByName{store_, heap, link.name, hash})) {
    heap.remove(id);
    throw Error(ErrorKind::already_exists, "a link named '" + link.name + "' exists already");
  }
  if (!info_.indexes_order) return;
  const std::int64_t order = link.creation_order.value_or(0);
  store_word(record, static_cast<std::uint64_t>(order), 8);
  std::ranges::copy(id, record + 8);
  order_tree(store_, info_).insert(Bytes(record, order_record_bytes), [&](Bytes other) {
    return compare_order(other, order);
  });
}

std::optional<LinkMessage> DenseLinks::remove(std::string_view name) {
  store::FractalHeap heap(store_, info_.heap);
  const auto record = name_tree(store_, info_).remove(ByName{store_, heap, name, lookup3(as_bytes(name))});
  if (!record) return std::nullopt;
  const LinkMessage link = read(id_of_name_record(*record));
  heap.remove(id_of_name_record(*record));
  if (info_.indexes_order) {
    const std::int64_t order = link.creation_order.value_or(0);
    order_tree(store_, info_).remove([&](Bytes other) { return compare_order(other, order); });
  }
  return link;
}

bool DenseLinks::for_each(FunctionRef<bool(const LinkMessage&)> visit) const {
  // Heap and B-tree are read level by level, so that each level of both is one request.
  const std::array headers{info_.heap, info_.name_tree};
  store_.prefetch(headers);
  const store::FractalHeap heap(store_, info_.heap);
  const store::BTree2 tree = name_tree(store_, info_);
  const std::array roots{tree.root(), heap.root_block()};
  store_.prefetch(roots);
  std::vector<Address> wanted = tree.first_nodes();
  const std::vector<Address> blocks = heap.first_blocks();
  wanted.insert(wanted.end(), blocks.begin(), blocks.end());
  store_.prefetch(wanted);
  HeapBudget budget(store_);
  LinkMessage link;
  return tree.visit([&](Bytes record) {
    heap.read(id_of_name_record(record), [&](Bytes bytes) {
      budget.spend(bytes.size());
      format::decode(link, bytes, store_.widths());
    });
    return visit(link);
  });
}

bool DenseLinks::for_each_in_order(FunctionRef<bool(const LinkMessage&)> visit) const {
  HeapBudget budget(store_);
  return order_tree(store_, info_).visit([&](Bytes record) {
    const LinkMessage link = read(id_of_order_record(record));
    budget.spend(link.name.size() + link.target.size() + link.user_data.size());
    return visit(link);
  });
}

void DenseLinks::destroy() {
  name_tree(store_, info_).destroy();
  if (info_.indexes_order) order_tree(store_, info_).destroy();
  store::FractalHeap(store_, info_.heap).destroy();
}

}  // namespace filigree::model
