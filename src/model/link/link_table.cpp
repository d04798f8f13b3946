// SPDX-License-Identifier: Apache-2.0
#include "model/link/link_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "model/file/file.hpp"
#include "model/link/dense_links.hpp"
#include "model/link/group_filters.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/symbol_table/symbol_table.hpp"

namespace filigree::model {

using format::LinkKind;
using format::MessageType;
namespace flag = format::message_flag;

namespace {

LinkMessage from_symbol(const store::SymbolTableLink& symbol) {
  LinkMessage link;
  link.name = symbol.name;
  link.kind = symbol.is_soft() ? LinkKind::soft : LinkKind::hard;
  link.header = symbol.header;
  link.target = symbol.soft_target;
  return link;
}

store::SymbolTableShape table_shape(const File& file) {
  store::SymbolTableShape shape;
  shape.leaf_k = file.superblock().group_leaf_k;
  shape.internal_k = file.superblock().group_internal_k;
  return shape;
}

store::SymbolTable symbol_table(const File& file, const GroupState& state) {
  return store::SymbolTable(file.store(), {state.symbols.btree, state.symbols.heap}, table_shape(file));
}

/// Symbol tables can store only hard and soft links with ASCII names.
bool fits_symbol_table(const LinkMessage& link) {
  return (link.kind == LinkKind::hard || link.kind == LinkKind::soft) &&
         link.charset == format::CharacterSet::ascii;
}

std::uint32_t estimated_area(const File& file, const GroupOptions& options, const GroupState& state,
                             std::uint8_t header_version) {
  const std::size_t filter_bytes = state.filters.size();
  const format::Widths& widths = file.store().widths();
  const std::uint32_t prefix = header_version == 1 ? 8 : options.attributes.track_order ? 6 : 4;
  const auto stored = [&](std::size_t body) {
    return prefix + static_cast<std::uint32_t>(header_version == 1 ? pad8(body) : body);
  };
  std::uint32_t bytes =
      stored(format::encoded_bytes(state.info, widths)) + stored(format::encoded_bytes(state.group, widths));
  if (filter_bytes > 0) bytes += stored(filter_bytes);
  LinkMessage typical;
  typical.name.assign(std::max<std::uint16_t>(options.expected_name_bytes, 1), 'x');
  typical.header = to_address(0);
  if (options.track_order) typical.creation_order = 0;
  const std::uint64_t links =
      std::uint64_t{options.expected_links} * stored(format::encoded_bytes(typical, widths));
  if (options.expected_links <= options.max_compact && links < 65536)
    bytes += static_cast<std::uint32_t>(links);
  return bytes;
}

Address create_old_style(File& file, const store::HeaderShape& shape, const GroupOptions& options) {
  store::FileStore& store = file.store();
  const std::uint32_t prefix = shape.version == 1 ? 8 : 4;
  auto header = store::ObjectHeader::create(store, shape, prefix + 2u * store.widths().offset_bytes);
  store::SymbolTableShape table = table_shape(file);
  // The estimates may come from a copied group and be as large as 4 GiB.
  const std::uint64_t expected =
      8 + options.expected_links * pad8(options.expected_name_bytes + 1u) + 2u * store.widths().length_bytes;
  table.heap_bytes_hint =
      options.local_heap_bytes > 0 ? options.local_heap_bytes : std::min<std::uint64_t>(expected, 1u << 20);
  const auto addresses = store::SymbolTable::create(store, table);
  const format::SymbolTableMessage message{addresses.btree, addresses.heap};
  header.add(MessageType::symbol_table, 0, format::encode(message, store.widths()));
  return header.address();
}

}  // namespace

LinkTable::LinkTable(File& file, Address header)
    : file_(file), header_(store::ObjectHeader::keeping(file.store(), header)) {}

bool LinkTable::is_group(const store::HeaderEntry& header) {
  return header.find(MessageType::symbol_table) != nullptr || header.find(MessageType::link_info) != nullptr;
}

Address LinkTable::create_group(File& file, const GroupOptions& options) {
  if ((options.index_order && !options.track_order) ||
      (options.attributes.index_order && !options.attributes.track_order)) {
    throw Error(ErrorKind::invalid_argument, "creation order can be indexed only where it is tracked");
  }
  if (options.max_compact < options.min_dense ||
      options.attributes.max_compact < options.attributes.min_dense) {
    throw Error(ErrorKind::invalid_argument, "max_compact must not be below min_dense");
  }
  const store::HeaderShape shape = make_header_shape(file, options.attributes, options.track_times);
  if (!file.formats().new_style_group(options)) return create_old_style(file, shape, options);

  GroupState state;
  state.storage = GroupStorage::compact;
  state.info.tracks_order = options.track_order;
  state.info.indexes_order = options.index_order;
  if (options.max_compact != 8 || options.min_dense != 6)
    state.group.phase = format::LinkPhase{options.max_compact, options.min_dense};
  if (options.expected_links != 4 || options.expected_name_bytes != 8) {
    state.group.estimate = format::LinkEstimate{options.expected_links, options.expected_name_bytes};
  }
  state.filters = encode_group_filters(file, options.filters);
  store::FileStore& store = file.store();
  auto header =
      store::ObjectHeader::create(store, shape, estimated_area(file, options, state, shape.version));
  header.add(MessageType::link_info, 0, format::encode(state.info, store.widths()));
  header.add(MessageType::group_info, flag::constant, format::encode(state.group, store.widths()));
  if (!state.filters.empty()) header.add(MessageType::filter_pipeline, flag::constant, state.filters);
  return header.address();
}

GroupState LinkTable::state() const {
  const auto entry = header_.load();
  const format::Widths& widths = file_.store().widths();
  GroupState state;
  if (const auto* m = entry->find(MessageType::symbol_table)) {
    state.symbols = format::decode<format::SymbolTableMessage>(entry->body(*m), widths, header_.address());
    return state;
  }
  const auto* info = entry->find(MessageType::link_info);
  if (info == nullptr)
    throw Error(ErrorKind::wrong_type,
                fmt::format("the object at {} is not a group", to_string(header_.address())));
  state.info = format::decode<format::LinkInfo>(entry->body(*info), widths, header_.address());
  if (const auto* m = entry->find(MessageType::group_info)) {
    state.group = format::decode<format::GroupInfo>(entry->body(*m), widths, header_.address());
  }
  state.storage = is_valid(state.info.heap) ? GroupStorage::dense : GroupStorage::compact;
  return state;
}

std::vector<std::pair<std::size_t, LinkMessage>> LinkTable::compact_links() const {
  const auto entry = header_.load();
  std::vector<std::pair<std::size_t, LinkMessage>> links;
  for (std::size_t i = 0; i < entry->messages.size(); ++i) {
    if (entry->messages[i].slot.type != MessageType::link) continue;
    links.emplace_back(i, format::decode<LinkMessage>(entry->body(entry->messages[i]), file_.store().widths(),
                                                      header_.address()));
  }
  return links;
}

std::uint64_t LinkTable::compact_size() const {
  const auto entry = header_.load();
  return std::ranges::count_if(entry->messages,
                               [](const auto& m) { return m.slot.type == MessageType::link; });
}

MetadataBytes LinkTable::metadata_bytes() const {
  const GroupState now = state();
  switch (now.storage) {
    case GroupStorage::symbol_table: {
      const store::SymbolTable table = symbol_table(file_, now);
      return {table.index_bytes(), table.heap_bytes()};
    }
    case GroupStorage::compact:
      break;
    case GroupStorage::dense:
      return DenseLinks(file_.store(), now.info).metadata_bytes();
  }
  return {};
}

std::uint64_t LinkTable::size() const {
  const GroupState now = state();
  switch (now.storage) {
    case GroupStorage::symbol_table:
      return symbol_table(file_, now).size();
    case GroupStorage::compact:
      return compact_size();
    case GroupStorage::dense:
      return DenseLinks(file_.store(), now.info).size();
  }
  return 0;
}

std::optional<LinkMessage> LinkTable::find(std::string_view name) const {
  const GroupState now = state();
  switch (now.storage) {
    case GroupStorage::symbol_table: {
      const auto symbol = symbol_table(file_, now).find(name);
      if (!symbol) return std::nullopt;
      return from_symbol(*symbol);
    }
    case GroupStorage::compact:
      for (auto& [index, link] : compact_links()) {
        if (link.name == name) return std::move(link);
      }
      return std::nullopt;
    case GroupStorage::dense:
      return DenseLinks(file_.store(), now.info).find(name);
  }
  return std::nullopt;
}

void LinkTable::insert_symbol(const GroupState& now, const LinkMessage& link) {
  store::SymbolTableLink symbol;
  symbol.name = link.name;
  if (link.kind == LinkKind::soft) {
    symbol.cache = format::EntryCache::soft_link;
    symbol.soft_target = link.target;
  } else {
    symbol.header = link.header;
    // HDF5 caches the B-tree and heap addresses of a symbol-table group in the entry that links to it.
    const auto target = store::ObjectHeader(file_.store(), link.header).load();
    if (const auto* m = target->find(MessageType::symbol_table)) {
      const auto table = format::decode<format::SymbolTableMessage>(target->body(*m), file_.store().widths());
      symbol.cache = format::EntryCache::group;
      symbol.cached_btree = table.btree;
      symbol.cached_heap = table.heap;
    }
  }
  if (!symbol_table(file_, now).insert(symbol)) {
    throw Error(ErrorKind::already_exists, "a link named '" + link.name + "' exists already");
  }
}

void LinkTable::insert(LinkMessage link) {
  file_.note_change("make link", link.name);
  GroupState now = state();
  if (now.storage == GroupStorage::symbol_table) {
    if (fits_symbol_table(link)) return insert_symbol(now, link);
    convert_to_new_style(now);
    now = state();
  }
  link.creation_order.reset();
  if (now.info.tracks_order) link.creation_order = now.info.next_order++;
  const Buffer body = format::encode(link, file_.store().widths());
  const bool too_large = body.size() > store::ObjectHeader::largest_body;
  if (now.storage == GroupStorage::compact && (too_large || compact_size() >= now.phase().max_compact))
    convert_to_dense(now);
  if (now.storage == GroupStorage::dense) {
    DenseLinks(file_.store(), now.info).insert(link, body);
  } else {
    header_.add(MessageType::link, 0, body);
  }
  if (now.info.tracks_order) store_info(now.info);
}

std::optional<LinkMessage> LinkTable::remove(std::string_view name) {
  file_.note_change("remove link", name);
  GroupState now = state();
  std::optional<LinkMessage> removed;
  switch (now.storage) {
    case GroupStorage::symbol_table: {
      const auto symbol = symbol_table(file_, now).remove(name);
      if (!symbol) return std::nullopt;
      return from_symbol(*symbol);
    }
    case GroupStorage::compact: {
      for (auto& [index, link] : compact_links()) {
        if (link.name != name) continue;
        header_.remove(index);
        removed = std::move(link);
        break;
      }
      break;
    }
    case GroupStorage::dense: {
      removed = DenseLinks(file_.store(), now.info).remove(name);
      const std::uint64_t left = DenseLinks(file_.store(), now.info).size();
      if (removed && (left < now.phase().min_dense || left == 0)) convert_to_compact(now);
      break;
    }
  }
  if (removed && now.info.tracks_order && size() == 0) {
    now.info.next_order = 0;
    store_info(now.info);
  }
  return removed;
}

void LinkTable::store_info(const format::LinkInfo& info) {
  header_.set(MessageType::link_info, 0, format::encode(info, file_.store().widths()));
}

void LinkTable::convert_to_new_style(const GroupState& now) {
  store::SymbolTable table = symbol_table(file_, now);
  std::vector<LinkMessage> links;
  table.visit([&](const store::SymbolTableLink& symbol) {
    links.push_back(from_symbol(symbol));
    return true;
  });
  table.destroy();
  header_.remove(MessageType::symbol_table);
  header_.add(MessageType::link_info, 0, format::encode(format::LinkInfo{}, file_.store().widths()));
  header_.add(MessageType::group_info, flag::constant,
              format::encode(format::GroupInfo{}, file_.store().widths()));
  if (header_.address() == file_.root()) file_.root_changed();
  for (LinkMessage& link : links) insert(std::move(link));
}

void LinkTable::convert_to_dense(GroupState& now) {
  DenseLinks::create(file_.store(), now.info, stored_group_filters(file_, header_.address()));
  DenseLinks dense(file_.store(), now.info);
  for (const auto& [index, link] : compact_links())
    dense.insert(link, format::encode(link, file_.store().widths()));
  while (header_.remove(MessageType::link)) {
  }
  now.storage = GroupStorage::dense;
  store_info(now.info);
}

void LinkTable::convert_to_compact(GroupState& now) {
  DenseLinks dense(file_.store(), now.info);
  std::vector<Buffer> bodies;
  const bool all_fit = dense.for_each([&](const LinkMessage& link) {
    bodies.push_back(format::encode(link, file_.store().widths()));
    return bodies.back().size() <= store::ObjectHeader::largest_body;
  });
  if (!all_fit) return;
  dense.destroy();
  now.info.heap = now.info.name_tree = now.info.order_tree = Address::undefined;
  now.storage = GroupStorage::compact;
  store_info(now.info);
  for (const Buffer& body : bodies) header_.add(MessageType::link, 0, body);
}

bool LinkTable::for_each_stored(FunctionRef<bool(const LinkMessage&)> visit) const {
  const GroupState now = state();
  switch (now.storage) {
    case GroupStorage::symbol_table:
      return symbol_table(file_, now).visit([&](const store::SymbolTableLink& symbol) {
        return visit(from_symbol(symbol));
      });
    case GroupStorage::compact:
      return std::ranges::all_of(compact_links(), [&](const auto& l) { return visit(l.second); });
    case GroupStorage::dense:
      return DenseLinks(file_.store(), now.info).for_each(visit);
  }
  return true;
}

std::deque<LinkMessage> LinkTable::sorted(IndexBy by) const {
  std::deque<LinkMessage> links;  // grows without a second copy of all links
  for_each_stored([&](const LinkMessage& link) {
    links.push_back(link);
    return true;
  });
  if (by == IndexBy::name) {
    std::ranges::sort(links, {}, &LinkMessage::name);
  } else {
    std::ranges::sort(links, {}, [](const LinkMessage& l) { return l.creation_order.value_or(0); });
  }
  return links;
}

bool LinkTable::for_each(IndexBy by, Direction direction, FunctionRef<bool(const LinkMessage&)> visit) const {
  const GroupState now = state();
  if (by == IndexBy::creation_order && !now.info.tracks_order) {
    throw Error(ErrorKind::invalid_argument, "the group does not track the creation order of its links");
  }
  const bool ascending = direction != Direction::descending;
  const bool by_order_tree = by == IndexBy::creation_order && now.info.indexes_order;
  if (direction == Direction::native && (now.storage != GroupStorage::dense || !by_order_tree))
    return for_each_stored(visit);
  if (now.storage == GroupStorage::symbol_table && ascending) return for_each_stored(visit);
  if (now.storage == GroupStorage::dense && ascending && by_order_tree) {
    return DenseLinks(file_.store(), now.info).for_each_in_order(visit);
  }
  std::deque<LinkMessage> links = sorted(by);
  if (!ascending) std::ranges::reverse(links);
  // Callers mostly keep what they visit, so a link is freed as soon as it was visited.
  for (; !links.empty(); links.pop_front())
    if (!visit(links.front())) return false;
  return true;
}

void LinkTable::destroy() {
  const GroupState now = state();
  switch (now.storage) {
    case GroupStorage::symbol_table:
      symbol_table(file_, now).destroy();
      break;
    case GroupStorage::compact:
      break;
    case GroupStorage::dense:
      DenseLinks(file_.store(), now.info).destroy();
      break;
  }
}

}  // namespace filigree::model
