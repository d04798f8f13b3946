// SPDX-License-Identifier: Apache-2.0
#include "store/btrees/btree2.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "io/virtual_file.hpp"
#include "store/btrees/btree2_editor.hpp"
#include "store/btrees/btree2_entry.hpp"
#include "store/corrupt.hpp"

namespace filigree::store {
namespace {

[[noreturn]] void throw_corrupt_node(Address at, std::string_view what) {
  throw_corrupt(format::BTree2Node::structure, at, what);
}

}  // namespace

namespace {

void move_changed(FileStore& store, Address& at) {
  if (!is_valid(at)) return;
  const auto node = store.cache().find<BTree2NodeEntry>(at);
  if (!node || !node->dirty()) return;
  if (node->in_file()) {
    const Address to = store.space().allocate(SpaceKind::btree, node->frame().geometry.node_bytes());
    store.cache().move(at, to);
    store.space().release(SpaceKind::btree, std::exchange(at, to), node->frame().geometry.node_bytes());
  }
  if (node->leaf()) return;
  for (auto& child : store.cache().edit(node).value.children) move_changed(store, child.at);
}

}  // namespace

void BTree2HeaderEntry::move_for_swmr_readers(FileStore& store) { move_changed(store, value.root); }

struct BTree2::Match {
  std::shared_ptr<const BTree2NodeEntry> node;  ///< null when nothing matches
  std::uint32_t index = 0;
};

Address BTree2::create(FileStore& store, const BTree2Shape& shape) {
  store.require_writable("create a B-tree");
  format::BTree2Header header;
  header.type = shape.type;
  header.node_bytes = shape.node_bytes;
  header.record_bytes = shape.record_bytes;
  header.split_percent = shape.split_percent;
  header.merge_percent = shape.merge_percent;
  // Four records with the widest pointers fit, so that nodes of every level can be split.
  const std::uint64_t least = 10 + 4ull * (shape.record_bytes + store.widths().offset_bytes + 10);
  if (shape.record_bytes == 0 || shape.node_bytes < least || shape.node_bytes / shape.record_bytes > 65535) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("B-tree nodes of {} bytes are too small or too large for records of {} bytes",
                            shape.node_bytes, shape.record_bytes));
  }
  const std::size_t bytes = format::encoded_bytes(header, store.widths());
  const Address at = store.space().allocate(SpaceKind::btree, bytes);
  store.cache().insert(at, std::make_shared<BTree2HeaderEntry>(at, header, store.widths()));
  return at;
}

BTree2::BTree2(FileStore& store, Address header, std::uint8_t expected_type,
               std::uint16_t expected_record_bytes)
    : store_(&store), header_(load_btree2_header(store, header)) {
  const auto& found = header_->value;
  if (found.type != expected_type || found.record_bytes != expected_record_bytes) {
    throw Error(
        ErrorKind::corrupt,
        fmt::format(
            "{} at {}: is of type {} with records of {} bytes, but type {} with {} bytes belongs here",
            format::BTree2Header::structure, to_string(header), found.type, found.record_bytes, expected_type,
            expected_record_bytes));
  }
}

Address BTree2::address() const { return header_->address(); }

std::uint64_t BTree2::size() const { return header_->value.total_records; }

std::shared_ptr<const BTree2NodeEntry> BTree2::load(const format::BTree2Child& child,
                                                    std::uint16_t depth) const {
  return load_btree2_node(*store_, header_->frame, child, depth);
}

BTree2::Match BTree2::locate(Compare compare) const {
  if (!is_valid(header_->value.root)) return {};
  std::uint16_t depth = header_->value.depth;
  auto node = load(header_->root(), depth);
  for (;;) {
    const auto position = search_node(*node, compare);
    if (position.match) return {std::move(node), position.index};
    if (depth == 0) return {};
    node = load(node->value.children[position.index], --depth);
  }
}

std::optional<Buffer> BTree2::find(Compare compare) const {
  const Match found = locate(compare);
  if (!found.node) return std::nullopt;
  const Bytes record = found.node->record(found.index);
  return Buffer(record.begin(), record.end());
}

bool BTree2::update(Compare compare, FunctionRef<void(MutableBytes)> change) {
  store_->require_writable("change a B-tree");
  const auto match = BTree2Editor(*store_, header_).edit_match(compare);
  if (match) change(*match);
  return match.has_value();
}

bool BTree2::insert(Bytes record, Compare compare) {
  return BTree2Editor(*store_, header_).insert(record, compare);
}

std::optional<Buffer> BTree2::remove(Compare compare) {
  return BTree2Editor(*store_, header_).remove(compare);
}

Buffer BTree2::at(std::uint64_t index) const {
  if (index >= size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("record {} is out of range: the B-tree has {} records", index, size()));
  }
  std::uint16_t depth = header_->value.depth;
  auto node = load(header_->root(), depth);
  for (;;) {
    std::uint32_t i = 0;
    if (depth == 0) {
      i = static_cast<std::uint32_t>(std::min<std::uint64_t>(index, node->count()));
      index -= i;
    } else {
      const auto& children = node->value.children;
      while (i < node->count() && index > children[i].total) index -= children[i++].total + 1;
      if (index < children[i].total) {
        node = load(children[i], --depth);
        continue;
      }
      index -= children[i].total;
    }
    if (i >= node->count() || index != 0)
      throw_corrupt_node(node->address(), "holds fewer records than its parent says");
    const Bytes record = node->record(i);
    return Buffer(record.begin(), record.end());
  }
}

namespace {

std::vector<Address> addresses_of(const std::vector<format::BTree2Child>& children) {
  std::vector<Address> result;
  result.reserve(children.size());
  for (const auto& child : children) result.push_back(child.at);
  return result;
}

}  // namespace

Address BTree2::root() const { return header_->value.root; }

std::vector<Address> BTree2::first_nodes() const {
  if (!is_valid(header_->value.root)) return {};
  if (header_->value.depth == 0) return {header_->value.root};
  return addresses_of(load(header_->root(), header_->value.depth)->value.children);
}

bool BTree2::visit(FunctionRef<bool(Bytes)> visitor, std::uint64_t first) const {
  if (!is_valid(header_->value.root)) return true;
  return visit_below(*load(header_->root(), header_->value.depth), visitor, first);
}

bool BTree2::visit_below(const BTree2NodeEntry& node, FunctionRef<bool(Bytes)> visitor,
                         std::uint64_t first) const {
  const auto& children = node.value.children;
  if (node.leaf()) {
    for (std::uint64_t i = first; i < node.count(); ++i) {
      if (!visitor(node.record(static_cast<std::uint32_t>(i)))) return false;
    }
    return true;
  }
  if (first == 0) {
    store_->prefetch(addresses_of(children));
    if (node.value.depth > 1 && store_->file().capabilities().concurrent) {
      // Fetches the next level with one request too, not with one for each child.
      std::vector<Address> below;
      for (const auto& child : children) {
        const auto next = addresses_of(load(child, node.value.depth - 1)->value.children);
        below.insert(below.end(), next.begin(), next.end());
      }
      store_->prefetch(below);
    }
  }
  for (std::uint32_t i = 0; i <= node.count(); ++i) {
    if (first < children[i].total) {
      if (!visit_below(*load_counted(children[i], node.value.depth - 1), visitor, first)) return false;
      first = 0;
    } else {
      first -= children[i].total;
    }
    if (i == node.count()) break;
    if (first > 0) {
      --first;
    } else if (!visitor(node.record(i))) {
      return false;
    }
  }
  return true;
}

std::shared_ptr<const BTree2NodeEntry> BTree2::load_counted(const format::BTree2Child& child,
                                                            std::uint16_t depth) const {
  auto node = load(child, depth);
  // Checked for cached nodes too: consistent totals bound the walk.
  if (node->total() != child.total) throw_corrupt_node(child.at, "has two parents");
  return node;
}

bool BTree2::visit_from(Compare compare, FunctionRef<bool(Bytes)> visitor) const {
  if (!is_valid(header_->value.root)) return true;
  return visit_from_below(*load(header_->root(), header_->value.depth), compare, visitor);
}

bool BTree2::visit_from_below(const BTree2NodeEntry& node, Compare compare,
                              FunctionRef<bool(Bytes)> visitor) const {
  const auto position = search_node(node, compare);
  const auto& children = node.value.children;
  if (!node.leaf() && !position.match) {
    const auto child = load_counted(children[position.index], node.value.depth - 1);
    if (!visit_from_below(*child, compare, visitor)) return false;
  }
  for (std::uint32_t i = position.index; i < node.count(); ++i) {
    if (!visitor(node.record(i))) return false;
    if (node.leaf()) continue;
    if (!visit_below(*load_counted(children[i + 1], node.value.depth - 1), visitor, 0)) return false;
  }
  return true;
}

struct BTree2::ManyKeys {
  FunctionRef<int(Bytes, std::size_t)> compare;
  FunctionRef<void(std::size_t, Bytes)> found;
};

void BTree2::find_many(std::size_t keys, FunctionRef<int(Bytes, std::size_t)> compare,
                       FunctionRef<void(std::size_t, Bytes)> found) const {
  if (keys == 0 || !is_valid(header_->value.root)) return;
  find_below(*load(header_->root(), header_->value.depth), 0, keys, {compare, found});
}

/// Searches for keys [first, last), all of which are in the range of `node`.
void BTree2::find_below(const BTree2NodeEntry& node, std::size_t first, std::size_t last,
                        const ManyKeys& keys) const {
  while (first < last) {
    const auto position = search_node(node, [&](Bytes record) { return keys.compare(record, first); });
    if (position.match) {
      keys.found(first++, node.record(position.index));
      continue;
    }
    // All keys before the next record are in the same child.
    std::size_t end = first + 1;
    if (position.index == node.count()) {
      end = last;
    } else if (end < last && keys.compare(node.record(position.index), end) > 0) {
      std::size_t high = last;
      while (end < high) {
        const std::size_t middle = end + (high - end) / 2;
        if (keys.compare(node.record(position.index), middle) > 0) {
          end = middle + 1;
        } else {
          high = middle;
        }
      }
    }
    if (!node.leaf())
      find_below(*load(node.value.children[position.index], node.value.depth - 1), first, end, keys);
    first = end;
  }
}

std::uint64_t BTree2::file_bytes() const {
  std::vector<Address> nodes;
  if (is_valid(header_->value.root)) collect_below(header_->root(), header_->value.depth, nodes);
  return format::encoded_bytes(header_->value, store_->widths()) + nodes.size() * header_->value.node_bytes;
}

void BTree2::collect_below(const format::BTree2Child& child, std::uint16_t depth,
                           std::vector<Address>& nodes) const {
  nodes.push_back(child.at);
  if (depth == 0) return;
  const auto node = load_counted(child, depth);
  for (const auto& next : node->value.children) collect_below(next, depth - 1, nodes);
}

void BTree2::destroy() {
  store_->require_writable("delete a B-tree");
  std::vector<Address> nodes;
  if (is_valid(header_->value.root)) collect_below(header_->root(), header_->value.depth, nodes);
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice != nodes.end()) throw_corrupt_node(*twice, "has two parents");
  for (const Address node : nodes) {
    store_->cache().forget(node);
    store_->space().release(SpaceKind::btree, node, header_->value.node_bytes);
  }
  const Address at = address();
  const std::size_t bytes = format::encoded_bytes(header_->value, store_->widths());
  store_->cache().forget(at);
  store_->space().release(SpaceKind::btree, at, bytes);
}

void BTree2::check(FunctionRef<int(Bytes, Bytes)> order) const {
  if (!is_valid(header_->value.root)) return;
  Buffer previous;
  check_below(header_->root(), header_->value.depth, [&](Bytes record) {
    if (!previous.empty() && order(previous, record) >= 0)
      throw_corrupt_node(header_->value.root, "records out of order");
    previous.assign(record.begin(), record.end());
  });
}

void BTree2::check_below(const format::BTree2Child& child, std::uint16_t depth,
                         FunctionRef<void(Bytes)> next) const {
  const auto node = load(child, depth);
  if (node->total() != child.total) throw_corrupt_node(child.at, "its total differs from that in its parent");
  if (node->count() > node->max_records()) throw_corrupt_node(child.at, "holds more records than fit");
  if (node->count() == 0) throw_corrupt_node(child.at, "is empty");
  if (node->value.children.size() != (depth == 0 ? 0 : node->count() + 1u))
    throw_corrupt_node(child.at, "has too few children");
  for (std::uint32_t i = 0; i < node->count(); ++i) {
    if (depth > 0) check_below(node->value.children[i], depth - 1, next);
    next(node->record(i));
  }
  if (depth > 0) check_below(node->value.children.back(), depth - 1, next);
}

}  // namespace filigree::store
