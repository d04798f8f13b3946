// SPDX-License-Identifier: Apache-2.0
#include "store/btrees/btree2_editor.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::store {
namespace {

constexpr std::uint32_t least_splittable = 3;  // one for each half, and one that separates them

/// Copies the record counts of `node` to the child pointer at `i`.
void refresh_pointer(BTree2NodeEntry& parent, std::uint32_t i, const BTree2NodeEntry& node) {
  parent.value.children[i].records = node.count();
  parent.value.children[i].total = node.total();
}

void set_count(BTree2NodeEntry& node) {
  node.value.count =
      static_cast<std::uint32_t>(node.value.records.size() / node.frame().geometry.record_bytes());
}

/// Moves the last records of `left` through the separator to `right`, until `kept` remain.
void move_right(BTree2NodeEntry& left, MutableBytes separator, BTree2NodeEntry& right, std::uint32_t kept) {
  auto& from = left.value.records;
  auto& to = right.value.records;
  const std::size_t cut = std::size_t{kept} * separator.size();
  to.insert(to.begin(), separator.begin(), separator.end());
  to.insert(to.begin(), from.begin() + cut + separator.size(), from.end());
  std::copy_n(from.begin() + cut, separator.size(), separator.begin());
  from.resize(cut);
  if (!left.leaf()) {
    auto& children = left.value.children;
    right.value.children.insert(right.value.children.begin(), children.begin() + kept + 1, children.end());
    children.resize(kept + 1);
  }
  set_count(left);
  set_count(right);
}

/// Moves the first `moved` records of `right`, at least one, through the separator to `left`.
void move_left(BTree2NodeEntry& left, MutableBytes separator, BTree2NodeEntry& right, std::uint32_t moved) {
  auto& from = right.value.records;
  auto& to = left.value.records;
  const auto next = from.begin() + std::size_t{moved - 1} * separator.size();
  to.insert(to.end(), separator.begin(), separator.end());
  to.insert(to.end(), from.begin(), next);
  std::copy_n(next, separator.size(), separator.begin());
  from.erase(from.begin(), next + separator.size());
  if (!left.leaf()) {
    auto& children = right.value.children;
    left.value.children.insert(left.value.children.end(), children.begin(), children.begin() + moved);
    children.erase(children.begin(), children.begin() + moved);
  }
  set_count(left);
  set_count(right);
}

}  // namespace

BTree2Editor::BTree2Editor(FileStore& store, const std::shared_ptr<const BTree2HeaderEntry>& header)
    : store_(store), header_(header) {
  store.require_writable("change a B-tree");
}

BTree2Editor::NodePointer BTree2Editor::load(const format::BTree2Child& child, std::uint16_t depth) const {
  return load_btree2_node(store_, header_->frame, child, depth);
}

BTree2Editor::NodePointer BTree2Editor::add_node(std::uint16_t depth) {
  auto node = std::make_shared<BTree2NodeEntry>(header_->frame, depth);
  const Address at = store_.space().allocate(SpaceKind::btree, header_->value.node_bytes);
  return store_.cache().insert(at, std::move(node));
}

void BTree2Editor::drop_node(Address at) {
  store_.cache().forget(at);
  store_.space().release(SpaceKind::btree, at, header_->value.node_bytes);
}

bool BTree2Editor::descend(BTree2::Compare compare) {
  path_.clear();
  std::uint16_t depth = header_->value.depth;
  path_.reserve(depth + 2u);
  path_.push_back({load(header_->root(), depth), 0});
  for (;;) {
    Step& step = path_.back();
    const NodePosition position = search_node(*step.node, compare);
    step.index = position.index;
    if (position.match || depth == 0) return position.match;
    path_.push_back({load(step.node->value.children[position.index], --depth), 0});
  }
}

void BTree2Editor::descend_to_predecessor() {
  while (!path_.back().node->leaf()) {
    const Step& step = path_.back();
    NodePointer next = load(step.node->value.children[step.index], step.node->value.depth - 1);
    const std::uint32_t last = next->count();
    path_.push_back({std::move(next), last});
  }
  Step& leaf = path_.back();
  if (leaf.node->count() == 0) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} at {}: is empty, but not the root", format::BTree2Node::structure,
                            to_string(leaf.node->address())));
  }
  leaf.index = leaf.node->count() - 1;
}

void BTree2Editor::count_change(std::int64_t change) {
  for (std::size_t i = path_.size() - 1; i-- > 0;) {
    auto& child = edit(path_[i].node).value.children[path_[i].index];
    child.total += change;
    child.records = path_[i + 1].node->count();
  }
  auto& header = edit_header();
  header.total_records += change;
  header.root_records = static_cast<std::uint16_t>(path_.front().node->count());
}

void BTree2Editor::update_count(std::size_t i) {
  const std::uint32_t records = path_[i].node->count();
  if (i == 0) {
    edit_header().root_records = static_cast<std::uint16_t>(records);
  } else {
    edit(path_[i - 1].node).value.children[path_[i - 1].index].records = records;
  }
}

void BTree2Editor::set_step(std::size_t i, const NodePointer& left, const NodePointer& right,
                            std::uint32_t position) {
  const bool in_left = position <= left->count();
  path_[i].node = in_left ? left : right;
  path_[i].index = in_left ? position : position - left->count() - 1;
}

BTree2Editor::Siblings BTree2Editor::siblings(std::size_t i, bool with_left,
                                              const NodePointer& sibling) const {
  const std::uint32_t child = path_[i - 1].index;
  if (!with_left) return {path_[i].node, sibling, child, path_[i].index};
  return {sibling, path_[i].node, child - 1, path_[i].index + sibling->count() + 1};
}

void BTree2Editor::shift(std::size_t i, bool with_left, const NodePointer& sibling,
                         std::uint32_t left_records) {
  const auto [left, right, separator, position] = siblings(i, with_left, sibling);
  auto& parent = edit(path_[i - 1].node);
  if (left_records < left->count()) {
    move_right(edit(left), parent.record(separator), edit(right), left_records);
  } else if (left_records > left->count()) {
    move_left(edit(left), parent.record(separator), edit(right), left_records - left->count());
  }
  refresh_pointer(parent, separator, *left);
  refresh_pointer(parent, separator + 1, *right);
  set_step(i, left, right, position);
  path_[i - 1].index = path_[i].node == left ? separator : separator + 1;
}

// ---- insertion ----

bool BTree2Editor::insert(Bytes record, BTree2::Compare compare) {
  const auto& geometry = header_->geometry();
  if (record.size() != geometry.record_bytes()) {
    throw Error(ErrorKind::internal,
                fmt::format("a B-tree record has {} bytes, but the records of the tree have {}",
                            record.size(), geometry.record_bytes()));
  }
  if (!is_valid(header_->value.root)) {
    insert_first(record);
    return true;
  }
  if (descend(compare)) return false;
  if (header_->value.total_records >= widest_word(store_.widths().length_bytes)) {
    throw Error(ErrorKind::limit, fmt::format("B-tree of {} records is full", header_->value.total_records));
  }
  std::size_t last = path_.size() - 1;
  ensure_capacity(last);
  edit(path_[last].node).insert_record(path_[last].index, record);
  count_change(1);
  return true;
}

void BTree2Editor::insert_first(Bytes record) {
  const NodePointer root = add_node(0);
  edit(root).insert_record(0, record);
  auto& header = edit_header();
  header.root = root->address();
  header.root_records = 1;
  header.total_records = 1;
  header.depth = 0;
}

void BTree2Editor::ensure_capacity(std::size_t& i) {
  if (path_[i].node->count() < path_[i].node->max_records()) return;
  if (path_[i].node->max_records() < least_splittable) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("{} at {}: holds only {} records and cannot be split", format::BTree2Node::structure,
                    to_string(path_[i].node->address()), path_[i].node->max_records()));
  }
  if (i == 0) {
    grow_root();
    ++i;
  } else {
    if (try_share(i)) return;
    std::size_t parent = i - 1;
    ensure_capacity(parent);
    i = parent + 1;
  }
  split(i);
}

bool BTree2Editor::try_share(std::size_t i) {
  const BTree2NodeEntry& node = *path_[i].node;
  const BTree2NodeEntry& parent = *path_[i - 1].node;
  const std::uint32_t at = path_[i - 1].index;
  const std::uint32_t max = node.max_records();
  // Moving fewer records does not pay: the node would soon be full again.
  const std::uint32_t worthwhile = std::max(2u, max / 16);
  for (const bool with_left : {true, false}) {
    if (with_left ? at == 0 : at == parent.count()) continue;
    const auto& pointer = parent.value.children[with_left ? at - 1 : at + 1];
    if (max - std::min(max, pointer.records) < worthwhile) continue;
    // At the outer edges records are inserted in order, and the other node gets no more: it stays full.
    std::uint32_t left_records = (node.count() + pointer.records) / 2;
    if (with_left && at == parent.count() && path_[i].index == node.count()) left_records = max;
    if (!with_left && at == 0 && path_[i].index == 0) left_records = pointer.records;
    if (left_records == 0) continue;
    shift(i, with_left, load(pointer, node.value.depth), left_records);
    return true;
  }
  return false;
}

void BTree2Editor::grow_root() {
  const std::uint16_t depth = header_->value.depth + 1;
  if (depth >= header_->geometry().levels() ||
      header_->geometry().level(depth).max_records < least_splittable) {
    throw Error(ErrorKind::limit,
                fmt::format("{} at {}: cannot grow deeper than {}", format::BTree2Header::structure,
                            to_string(header_->address()), header_->value.depth));
  }
  const NodePointer root = add_node(depth);
  edit(root).value.children.push_back(header_->root());
  auto& header = edit_header();
  header.root = root->address();
  header.root_records = 0;
  header.depth = depth;
  path_.insert(path_.begin(), Step{root, 0});
}

void BTree2Editor::split(std::size_t i) {
  const NodePointer left = path_[i].node;
  Step& parent_step = path_[i - 1];
  const std::uint32_t position = path_[i].index;
  const std::uint32_t at = parent_step.index;
  const std::uint32_t kept = left->count() / 2;
  const std::size_t record_bytes = header_->value.record_bytes;

  const NodePointer right = add_node(left->value.depth);
  auto& from = edit(left).value;
  auto& to = edit(right).value;
  auto& parent = edit(parent_step.node);
  parent.insert_record(at, left->record(kept));
  parent.value.children.insert(parent.value.children.begin() + at + 1,
                               format::BTree2Child{right->address(), 0, 0});
  to.records.reserve(from.records.capacity());
  to.records.assign(from.records.begin() + (kept + 1) * record_bytes, from.records.end());
  from.records.resize(kept * record_bytes);
  if (!left->leaf()) {
    to.children.assign(from.children.begin() + kept + 1, from.children.end());
    from.children.resize(kept + 1);
  }
  set_count(edit(left));
  set_count(edit(right));
  refresh_pointer(parent, at, *left);
  refresh_pointer(parent, at + 1, *right);
  set_step(i, left, right, position);
  if (path_[i].node == right) ++parent_step.index;
  update_count(i - 1);
}

// ---- removal ----

std::optional<Buffer> BTree2Editor::remove(BTree2::Compare compare) {
  if (!is_valid(header_->value.root) || !descend(compare)) return std::nullopt;
  if (path_.back().node->leaf()) return remove_from_leaf();
  const Bytes match = path_.back().node->record(path_.back().index);
  Buffer removed(match.begin(), match.end());
  // The preceding record replaces the match. The match is searched again, because it may have moved while the
  // leaf was changed.
  descend_to_predecessor();
  replace_match(remove_from_leaf(), compare);
  return removed;
}

void BTree2Editor::replace_match(Bytes record, BTree2::Compare compare) {
  if (!is_valid(header_->value.root) || !descend(compare)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} at {}: its records are out of order", format::BTree2Header::structure,
                            to_string(header_->address())));
  }
  edit_path();
  const MutableBytes match = edit(path_.back().node).record(path_.back().index);
  std::copy(record.begin(), record.end(), match.begin());
}

void BTree2Editor::edit_path() {
  if (!store_.swmr_writer()) return;
  edit_header();
  for (const Step& step : path_) edit(step.node);
}

std::optional<MutableBytes> BTree2Editor::edit_match(BTree2::Compare compare) {
  if (!is_valid(header_->value.root) || !descend(compare)) return std::nullopt;
  edit_path();
  return edit(path_.back().node).record(path_.back().index);
}

Buffer BTree2Editor::remove_from_leaf() {
  ensure_spare_record(path_.size() - 1);
  Step& leaf = path_.back();
  const Bytes record = leaf.node->record(leaf.index);
  Buffer taken(record.begin(), record.end());
  edit(leaf.node).erase_record(leaf.index);
  count_change(-1);
  shrink_root();
  return taken;
}

void BTree2Editor::ensure_spare_record(std::size_t i) {
  if (i == 0) return;
  const BTree2NodeEntry& node = *path_[i].node;
  const BTree2NodeEntry& parent = *path_[i - 1].node;
  const std::uint16_t depth = node.value.depth;
  if (node.count() > header_->frame->least_records(depth) || parent.count() == 0) return;
  const bool with_left = path_[i - 1].index > 0;
  const auto& pointer = parent.value.children[with_left ? path_[i - 1].index - 1 : path_[i - 1].index + 1];
  const NodePointer sibling = load(pointer, depth);
  // A merged node is not full, so that the next insertion does not split it again.
  const std::uint32_t together = node.count() + sibling->count() + 1;
  if (together > node.max_records() - node.max_records() / 8) {
    const std::uint32_t half = (together - 1) / 2;
    shift(i, with_left, sibling, with_left ? half : together - 1 - half);
    return;
  }
  ensure_spare_record(i - 1);  // may add children to the parent, but removes none
  merge(i, with_left, sibling);
}

void BTree2Editor::merge(std::size_t i, bool with_left, const NodePointer& sibling) {
  const auto [left, right, separator, position] = siblings(i, with_left, sibling);
  auto& parent = edit(path_[i - 1].node);
  auto& into = edit(left);
  const Bytes separating = parent.record(separator);
  auto& to = into.value;
  to.records.insert(to.records.end(), separating.begin(), separating.end());
  to.records.insert(to.records.end(), right->value.records.begin(), right->value.records.end());
  to.children.insert(to.children.end(), right->value.children.begin(), right->value.children.end());
  set_count(into);
  parent.erase_record(separator);
  parent.value.children.erase(parent.value.children.begin() + separator + 1);
  refresh_pointer(parent, separator, *left);
  const Address merged = right->address();
  path_[i] = {left, position};
  path_[i - 1].index = separator;
  update_count(i - 1);
  drop_node(merged);
}

void BTree2Editor::shrink_root() {
  auto& header = edit_header();
  if (header.total_records == 0) {
    for (const Step& step : path_) drop_node(step.node->address());
    header.root = Address::undefined;
    header.root_records = 0;
    header.depth = 0;
    return;
  }
  for (std::size_t i = 0; path_[i].node->count() == 0 && !path_[i].node->leaf(); ++i) {
    const format::BTree2Child only = path_[i].node->value.children.front();
    drop_node(path_[i].node->address());
    header.root = only.at;
    header.root_records = static_cast<std::uint16_t>(only.records);
    --header.depth;
  }
}

}  // namespace filigree::store
