// SPDX-License-Identifier: Apache-2.0
//
// The links of groups outside of their headers: symbol tables and dense storage.
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/checksum.hpp"
#include "format/btrees/btree2_records.hpp"
#include "format/btrees/symbol_node.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "model/file/file.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/object_header/object_header.hpp"
#include "store/symbol_table/symbol_table.hpp"

namespace filigree::model {

using format::SymbolNode;

namespace {

/// The string at an offset of a local heap. Throws: Error(corrupt).
std::string string_at(Address heap, const Buffer& data, std::uint64_t offset) {
  const auto fail = [&](std::string_view what) {
    throw Error(ErrorKind::corrupt,
                fmt::format("local heap at {}: offset {} {}", to_string(heap), offset, what));
  };
  if (offset >= data.size()) fail(fmt::format("is beyond its {} bytes", data.size()));
  const std::string_view rest = as_text(Bytes(data).subspan(offset));
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) fail("begins a string that does not end");
  return std::string(rest.substr(0, end));
}

/// HDF5 uses the addresses that an entry caches, instead of those in the header of the group. A header that
/// cannot be read is a finding when it is visited.
void check_cached_group(FileWalk& walk, std::string_view structure, Address at,
                        const format::SymbolTableEntry& entry) {
  if (entry.cache != format::EntryCache::group) return;
  std::optional<format::SymbolTableMessage> message;
  try {
    const auto body = store::ObjectHeader(walk.store(), entry.header).find(format::MessageType::symbol_table);
    if (body) message = format::decode<format::SymbolTableMessage>(*body, walk.widths(), entry.header);
  } catch (const Error&) {
    return;
  }
  // A group that got the new form keeps what was cached.
  if (!message || (message->btree == entry.cached_btree && message->heap == entry.cached_heap)) return;
  walk.damage(structure, at,
              fmt::format("{} at {}: the B-tree and heap that it caches are not those of the group at {}",
                          structure, to_string(at), to_string(entry.header)));
}

/// The nodes of one symbol table.
class SymbolTableVisit {
 public:
  SymbolTableVisit(FileWalk& walk, Address heap, const Buffer& names)
      : walk_(walk), heap_(heap), names_(names) {}

  void visit(Address at) {
    SymbolNode node;
    node.leaf_k = walk_.file().superblock().group_leaf_k;
    const std::uint64_t bytes = is_valid(at) ? std::min<std::uint64_t>(node.allocated_bytes(walk_.widths()),
                                                                       walk_.store().available(at))
                                             : 0;
    if (!walk_.load(node, {at, bytes, bytes, true})) return;
    for (const format::SymbolTableEntry& entry : node.entries)
      walk_.guarded(SymbolNode::structure, at, [&] { visit(at, entry); });
  }

 private:
  void visit(Address at, const format::SymbolTableEntry& entry) {
    const std::string name = string_at(heap_, names_, entry.name_offset);
    if (name <= last_ && has_last_) {
      walk_.damage(SymbolNode::structure, at,
                   fmt::format("{} at {}: link '{}' is not in the order of names after '{}'",
                               SymbolNode::structure, to_string(at), name, last_));
    }
    last_ = name;
    has_last_ = true;
    if (entry.cache == format::EntryCache::soft_link)
      return void(string_at(heap_, names_, entry.link_offset));
    walk_.link(name, entry.header);
    check_cached_group(walk_, SymbolNode::structure, at, entry);
  }

  FileWalk& walk_;
  const Address heap_;
  const Buffer& names_;
  std::string last_;
  bool has_last_ = false;
};

}  // namespace

void visit_symbol_table(FileWalk& walk, const format::SymbolTableMessage& message) {
  const std::uint64_t before = walk.damages();
  const std::optional<Buffer> names = visit_local_heap(walk, message.heap);
  format::BTree1Node like;
  like.type = format::BTree1Type::group;
  like.k = walk.file().superblock().group_internal_k;
  const Buffer none;
  SymbolTableVisit leaves(walk, message.heap, names ? *names : none);
  visit_btree1(walk, message.btree, like, [&](const format::BTree1Node& node) {
    if (!names) return;  // no link has a name
    for (const Address leaf : node.children) leaves.visit(leaf);
  });
  if (!names || walk.damages() > before) return;
  const store::SymbolTableShape shape{walk.file().superblock().group_leaf_k, like.k};
  walk.guarded(format::SymbolTableMessage::structure, message.btree, [&] {
    store::SymbolTable(walk.store(), {message.btree, message.heap}, shape).check();
  });
}

void check_root_entry(FileWalk& walk) {
  const format::Superblock& superblock = walk.file().superblock();
  if (superblock.version <= 1)
    check_cached_group(walk, format::Superblock::structure, Address{0}, superblock.root);
}

void visit_link(FileWalk& walk, const format::LinkMessage& link) {
  if (link.kind == format::LinkKind::hard) walk.link(link.name, link.header);
}

namespace {

/// What the records of a tree by name must have in common with the heap objects that they lead to.
void check_hash(std::string_view structure, Address tree, std::uint32_t stored, std::string_view name) {
  if (stored == lookup3(as_bytes(name))) return;
  throw Error(ErrorKind::corrupt, fmt::format("{}: the record of '{}' in the B-tree at {} has another hash",
                                              structure, name, to_string(tree)));
}

}  // namespace

void visit_dense_links(FileWalk& walk, const format::LinkInfo& info) {
  if (!is_valid(info.heap)) return;
  const bool has_heap = visit_fractal_heap(walk, info.heap);
  std::uint64_t names = 0, orders = 0;
  std::uint32_t last_hash = 0;
  const auto see_name = [&](Bytes bytes) {
    ++names;
    constexpr std::string_view structure = format::LinkNameRecord::structure;
    walk.guarded(structure, info.name_tree, [&] {
      const auto record = format::decode<format::LinkNameRecord>(bytes, walk.widths(), info.name_tree);
      if (record.hash < last_hash)
        throw Error(ErrorKind::corrupt, fmt::format("{}: not in the order of hashes", structure));
      last_hash = record.hash;
      const Buffer body = store::FractalHeap(walk.store(), info.heap).read(record.heap_id);
      const auto link = format::decode<format::LinkMessage>(body, walk.widths(), info.heap);
      visit_link(walk, link);
      check_hash(structure, info.name_tree, record.hash, link.name);
    });
  };
  const bool sound = visit_btree2(walk, info.name_tree, format::LinkNameRecord::type, see_name) && has_heap;
  if (!is_valid(info.order_tree)) return;
  const bool ordered =
      visit_btree2(walk, info.order_tree, format::LinkOrderRecord::type, [&](Bytes) { ++orders; });
  if (sound && ordered && names != orders) {
    walk.damage("link info message", info.order_tree,
                fmt::format("{} links are indexed by name, but {} by creation order", names, orders));
  }
}

}  // namespace filigree::model
