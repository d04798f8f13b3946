// SPDX-License-Identifier: Apache-2.0
#include "model/attribute/dense_attributes.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "format/codec/codec.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_budget.hpp"
#include "store/btrees/btree2.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {
namespace {

// The records of both B-trees: heap ID, message flags, creation order; the name index adds the hash.
constexpr std::uint8_t name_tree_type = 8;
constexpr std::uint8_t order_tree_type = 9;
constexpr std::size_t flags_at = 8;
constexpr std::size_t order_at = 9;
constexpr std::size_t hash_at = 13;
constexpr std::uint16_t name_record_bytes = 17;
constexpr std::uint16_t order_record_bytes = 13;

store::BTree2 name_tree(store::FileStore& store, const format::AttributeInfo& info) {
  return store::BTree2(store, info.name_tree, name_tree_type, name_record_bytes);
}
store::BTree2 order_tree(store::FileStore& store, const format::AttributeInfo& info) {
  return store::BTree2(store, info.order_tree, order_tree_type, order_record_bytes);
}

int compare(std::uint64_t a, std::uint64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

}  // namespace

void DenseAttributes::create(File& file, format::AttributeInfo& info) {
  store::FileStore& store = file.store();
  info.heap = store::FractalHeap::create(store, store::FractalHeapShape::attributes());
  info.name_tree = store::BTree2::create(store, {name_tree_type, name_record_bytes});
  if (info.indexes_order)
    info.order_tree = store::BTree2::create(store, {order_tree_type, order_record_bytes});
}

StoredAttribute DenseAttributes::read(Bytes record) const {
  StoredAttribute attribute;
  attribute.order = static_cast<std::uint32_t>(load_word(record.data() + order_at, 4));
  const bool shared = (std::to_integer<unsigned>(record[flags_at]) & format::message_flag::shared) != 0;
  if (shared) {
    format::SharedHeapId id;
    std::copy_n(record.begin(), id.size(), id.begin());
    if (file_.shared_messages() == nullptr)
      throw Error(ErrorKind::corrupt, "an attribute is marked as shared, but the file shares no messages");
    format::decode(attribute.message, file_.shared_messages()->read(format::MessageType::attribute, id),
                   file_.store().widths());
    attribute.shared = id;
    return attribute;
  }
  store::FractalHeap(file_.store(), info_.heap).read(record.first(8), [&](Bytes bytes) {
    format::decode(attribute.message, bytes, file_.store().widths());
  });
  return attribute;
}

int DenseAttributes::compare_name(Bytes record, std::uint32_t hash, std::string_view name) const {
  if (const int order = compare(load_word(record.data() + hash_at, 4), hash); order != 0) return order;
  return read(record).message.name.compare(name);
}

std::uint64_t DenseAttributes::size() const { return name_tree(file_.store(), info_).size(); }

MetadataBytes DenseAttributes::metadata_bytes() const {
  MetadataBytes bytes{name_tree(file_.store(), info_).file_bytes(),
                      store::FractalHeap(file_.store(), info_.heap).file_bytes()};
  if (info_.indexes_order) bytes.index += order_tree(file_.store(), info_).file_bytes();
  return bytes;
}

std::optional<StoredAttribute> DenseAttributes::find(std::string_view name) const {
  const std::uint32_t hash = lookup3(as_bytes(name));
  const auto record =
      name_tree(file_.store(), info_).find([&](Bytes other) { return compare_name(other, hash, name); });
  if (!record) return std::nullopt;
  return read(*record);
}

void DenseAttributes::insert(const StoredAttribute& attribute) {
  store::FileStore& store = file_.store();
  std::byte record[name_record_bytes] = {};
  if (attribute.shared) {
    std::ranges::copy(*attribute.shared, record);
    record[flags_at] = std::byte{format::message_flag::shared};
  } else {
    std::ranges::copy(
        store::FractalHeap(store, info_.heap).insert(format::encode(attribute.message, store.widths())),
        record);
  }
  const std::uint32_t hash = lookup3(as_bytes(attribute.message.name));
  store_word(record + order_at, attribute.order, 4);
  store_word(record + hash_at, hash, 4);
  const std::string& name = attribute.message.name;
  name_tree(store, info_).insert(record, [&](Bytes other) { return compare_name(other, hash, name); });
  if (!info_.indexes_order) return;
  order_tree(store, info_).insert(Bytes(record, order_record_bytes), [&](Bytes other) {
    return compare(load_word(other.data() + order_at, 4), attribute.order);
  });
}

std::optional<StoredAttribute> DenseAttributes::remove(std::string_view name) {
  store::FileStore& store = file_.store();
  const std::uint32_t hash = lookup3(as_bytes(name));
  const auto record =
      name_tree(store, info_).remove([&](Bytes other) { return compare_name(other, hash, name); });
  if (!record) return std::nullopt;
  const StoredAttribute attribute = read(*record);
  if (!attribute.shared) store::FractalHeap(store, info_.heap).remove(Bytes(*record).first(8));
  if (info_.indexes_order) {
    order_tree(store, info_).remove([&](Bytes other) {
      return compare(load_word(other.data() + order_at, 4), attribute.order);
    });
  }
  return attribute;
}

bool DenseAttributes::for_each(FunctionRef<bool(const StoredAttribute&)> visit) const {
  HeapBudget budget(file_.store());
  return name_tree(file_.store(), info_).visit([&](Bytes record) {
    const StoredAttribute attribute = read(record);
    budget.spend(attribute.message.name.size() + attribute.message.data.size());
    return visit(attribute);
  });
}

void DenseAttributes::destroy() {
  name_tree(file_.store(), info_).destroy();
  if (info_.indexes_order) order_tree(file_.store(), info_).destroy();
  store::FractalHeap(file_.store(), info_.heap).destroy();
}

}  // namespace filigree::model
