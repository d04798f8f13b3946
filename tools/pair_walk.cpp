// SPDX-License-Identifier: Apache-2.0
#include "pair_walk.hpp"

#include <algorithm>
#include <utility>

#include <filigree/error.hpp>

namespace filigree::tools {

void PairWalk::run() {
  const Item top_a{a_.top, {}}, top_b{b_.top, {}};
  if (visitor_.is_excluded("/")) return;
  see("/", &top_a, &top_b);
  while (!levels_.empty()) {
    Level& level = levels_.back();
    prefix_.resize(level.prefix_bytes);
    const Link *a = level.a.first(), *b = level.b.first();
    if (a == nullptr && b == nullptr) {
      levels_.pop_back();
      continue;
    }
    if (a != nullptr && b != nullptr && a->name != b->name) (a->name < b->name ? b : a) = nullptr;
    if (a != nullptr) ++level.a.next;
    if (b != nullptr) ++level.b.next;
    follow(a, b);
  }
}

/// Opens what the links of the same name lead to. Requires: one of them is not null.
void PairWalk::follow(const Link* a, const Link* b) {
  const std::string path = prefix_ + (a != nullptr ? a : b)->name;
  if (visitor_.is_excluded(path)) return;
  Item in_a, in_b;
  if (a != nullptr) in_a = open(a_, *a, path);
  if (b != nullptr) in_b = open(b_, *b, path);
  see(path, a != nullptr ? &in_a : nullptr, b != nullptr ? &in_b : nullptr);
}

void PairWalk::see(const std::string& path, const Item* a, const Item* b) {
  visitor_.visit(path, a, b);
  const std::optional<std::uint64_t> new_in_a = mark(a_, a), new_in_b = mark(b_, b);
  bool is_whole = (a == nullptr || !a->is_broken()) && (b == nullptr || !b->is_broken());
  Level level;
  if (new_in_a && is_whole) level.a.all = links_of(a_, *a, path, is_whole);
  if (new_in_b && is_whole) level.b.all = links_of(b_, *b, path, is_whole);
  if (!is_whole) {
    // Without all links of both, what exists in one group only is not known. Another path may lead to both.
    if (new_in_a) a_.entered.erase(*new_in_a);
    if (new_in_b) b_.entered.erase(*new_in_b);
    return;
  }
  if (level.a.all.empty() && level.b.all.empty()) return;
  prefix_ = path == "/" ? path : path + "/";
  level.prefix_bytes = prefix_.size();
  levels_.push_back(std::move(level));
}

Item PairWalk::open(const Side& side, const Link& link, const std::string& path) const {
  if (link.kind != LinkKind::hard) return {std::nullopt, link};
  try {
    Link from_top = link;
    from_top.name = path.substr(1);
    return {side.top.open(from_top), std::nullopt};
  } catch (const Error& error) {
    visitor_.fail(path, &side == &a_, error);
    return {};
  }
}

/// Marks a group as visited, and returns its address if it was not. Returns nothing for other items.
std::optional<std::uint64_t> PairWalk::mark(Side& side, const Item* item) {
  if (item == nullptr || !item->object || item->object->kind() != ObjectKind::group) return std::nullopt;
  const std::uint64_t address = item->object->address();
  if (!side.entered.insert(address).second) return std::nullopt;
  return address;
}

std::vector<Link> PairWalk::links_of(const Side& side, const Item& item, const std::string& path,
                                     bool& is_whole) const {
  try {
    std::vector<Link> links = Group(*item.object).links();
    std::ranges::sort(links, {}, &Link::name);
    return links;
  } catch (const Error& error) {
    visitor_.fail(path, &side == &a_, error);
    is_whole = false;
    return {};
  }
}

}  // namespace filigree::tools
