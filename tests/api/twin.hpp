// SPDX-License-Identifier: Apache-2.0
//
// A file's naive twin: groups, links and attributes as maps in memory. Random operations go to both, and
// both must agree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::twin {

struct Node;
using NodeRef = std::shared_ptr<Node>;
using Value = std::variant<std::int32_t, double, std::string, std::vector<double>, std::vector<std::string>>;

struct TwinLink {
  LinkKind kind = LinkKind::hard;
  NodeRef node;  ///< hard
  std::string target, file;
  std::int64_t order = 0;
};

struct TwinAttribute {
  Value value;
  NodeRef type;  ///< the committed datatype that it refers to, if any
  std::uint32_t order = 0;
};

struct Node {
  ObjectKind kind = ObjectKind::group;
  GroupOptions options;  ///< of a group
  std::map<std::string, TwinLink> links;
  std::map<std::string, TwinAttribute> attributes;
  std::int64_t next_link = 0;
  std::uint32_t next_attribute = 0;
  std::string comment;
};

inline void add_link(Node& group, const std::string& name, TwinLink link) {
  link.order = group.next_link++;
  group.links.insert_or_assign(name, std::move(link));
}

inline void remove_link(Node& group, const std::string& name) {
  group.links.erase(name);
  if (group.links.empty()) group.next_link = 0;
}

inline void remove_attribute(Node& node, const std::string& name) {
  node.attributes.erase(name);
  if (node.attributes.empty()) node.next_attribute = 0;
}

/// As Object::set_attribute: numbers replace numbers in place, unless the old ones are shared by some means
/// or refer to a committed datatype; text is written over text of the same shape; the rest is removed and
/// made anew.
inline void set_attribute(Node& node, const std::string& name, Value value, bool shares_attributes) {
  const auto elements = [](const Value& v) -> std::size_t {
    if (const auto* numbers = std::get_if<std::vector<double>>(&v)) return numbers->size();
    if (const auto* texts = std::get_if<std::vector<std::string>>(&v)) return texts->size();
    return 1;
  };
  const auto is_text = [](const Value& v) {
    return std::holds_alternative<std::string>(v) || std::holds_alternative<std::vector<std::string>>(v);
  };
  const auto found = node.attributes.find(name);
  if (found != node.attributes.end()) {
    const Value& old = found->second.value;
    const bool same_text = is_text(value) && old.index() == value.index() && elements(old) == elements(value);
    const bool shared =
        found->second.type || (shares_attributes && elements(old) < 8000);  // messages over 64 KiB are not
    if (same_text || (!is_text(value) && !is_text(old) && !shared)) {
      found->second.value = std::move(value);
      return;
    }
    remove_attribute(node, name);
  }
  node.attributes[name] = {std::move(value), nullptr, node.next_attribute++};
}

/// Whether `to` can be reached from `from` by hard links.
inline bool reaches(const NodeRef& from, const NodeRef& to) {
  if (from == to) return true;
  return std::ranges::any_of(from->links,
                             [&](const auto& l) { return l.second.node && reaches(l.second.node, to); });
}

/// A copy as Group::copy makes it: shared links stay shared, committed datatypes are copied too, order is
/// numbered anew.
inline NodeRef copy(const NodeRef& node, std::map<const Node*, NodeRef>& done) {
  if (const auto known = done.find(node.get()); known != done.end()) return known->second;
  auto made = std::make_shared<Node>();
  done[node.get()] = made;
  made->kind = node->kind;
  made->options = node->options;
  made->comment = node->comment;
  std::vector<std::pair<std::int64_t, std::string>> attributes, links;
  for (const auto& [name, a] : node->attributes) attributes.emplace_back(a.order, name);
  for (const auto& [name, l] : node->links) links.emplace_back(l.order, name);
  std::ranges::sort(attributes);
  std::ranges::sort(links);
  for (const auto& [order, name] : attributes) {
    const TwinAttribute& a = node->attributes.at(name);
    made->attributes[name] = {a.value, a.type ? copy(a.type, done) : nullptr, made->next_attribute++};
  }
  for (const auto& [order, name] : links) {
    TwinLink link = node->links.at(name);
    if (link.node) link.node = copy(link.node, done);
    add_link(*made, name, std::move(link));
  }
  return made;
}

/// How many links and attributes refer to each node.
inline void count_users(const NodeRef& node, std::map<const Node*, std::uint32_t>& users,
                        std::set<const Node*>& seen) {
  if (!seen.insert(node.get()).second) return;
  for (const auto& [name, a] : node->attributes) {
    if (!a.type) continue;
    ++users[a.type.get()];
    count_users(a.type, users, seen);
  }
  for (const auto& [name, l] : node->links) {
    if (!l.node) continue;
    ++users[l.node.get()];
    count_users(l.node, users, seen);
  }
}

/// Compares a file with its twin; `text()` is empty when they agree.
class Comparison {
 public:
  /// `held` are nodes kept alive by handles. In files that share attributes, those with equal contents count
  /// as one user of their datatype.
  Comparison(const Group& root, const NodeRef& twin, const std::vector<NodeRef>& held, bool shares_attributes)
      : shares_attributes_(shares_attributes) {
    std::set<const Node*> seen;
    for (const NodeRef& node : held) count_users(node, users_, seen);
    ++users_[twin.get()];  // the superblock
    count_users(twin, users_, seen);
    compare(root, twin, "/");
  }
  std::string text() const { return differences_.str(); }

 private:
  template <class A, class B>
  void equal(const A& ours, const B& wanted, const std::string& what) {
    if (!(ours == wanted)) differences_ << what << " differs; ";
  }

  void compare(const Object& object, const NodeRef& node, const std::string& path) {
    const ObjectInfo info = object.info();
    const auto [known, fresh] = seen_.try_emplace(info.address, node.get());
    if (known->second != node.get()) differences_ << path << " shares its object with another path; ";
    if (!fresh) return;
    equal(info.kind, node->kind, path + " kind");
    const bool fewer = shares_attributes_ && node->kind == ObjectKind::datatype && info.link_count > 0 &&
                       info.link_count < users_[node.get()];
    if (info.link_count != users_[node.get()] && !fewer) {
      differences_ << path << " has link count " << info.link_count << ", not " << users_[node.get()] << "; ";
    }
    equal(info.attributes, node->attributes.size(), path + " number of attributes");
    equal(object.comment().value_or(""), node->comment, path + " comment");
    compare_attributes(object, *node, path);
    if (node->kind == ObjectKind::group && info.kind == ObjectKind::group)
      compare_links(Group(object), *node, path);
  }

  void compare_attributes(const Object& object, const Node& node, const std::string& path) {
    std::vector<std::string> names;
    for (const Attribute& a : object.attributes()) names.push_back(a.name());
    std::vector<std::string> wanted;
    for (const auto& [name, a] : node.attributes) wanted.push_back(name);
    equal(names, wanted, path + " names of attributes");
    if (names != wanted) return;
    for (const auto& [name, a] : node.attributes) {
      const Attribute attribute = object.attribute(name);
      const Value value = std::visit(
          [&](const auto& v) -> Value { return attribute.read<std::decay_t<decltype(v)>>(); }, a.value);
      equal(value, a.value, path + " attribute " + name);
      if (const auto order = attribute.creation_order(); order && node.options.attributes.track_order) {
        equal(*order, a.order, path + " order of attribute " + name);
      }
    }
  }

  void compare_links(const Group& group, const Node& node, const std::string& path) {
    const std::vector<Link> links = group.links();
    equal(group.size(), node.links.size(), path + " size");
    equal(links.size(), node.links.size(), path + " number of links");
    if (links.size() != node.links.size()) return;
    std::size_t at = 0;
    for (const auto& [name, wanted] : node.links) compare_link(group, links[at++], name, wanted, node, path);
    if (!node.options.track_order) return;
    std::int64_t last = -1;
    for (const Link& link : group.links(IndexBy::creation_order)) {
      if (link.creation_order <= last) differences_ << path << " lists by creation order wrongly; ";
      last = link.creation_order.value_or(-1);
    }
    equal(group.group_info().next_order, node.next_link, path + " next creation order");
  }

  void compare_link(const Group& group, const Link& link, const std::string& name, const TwinLink& wanted,
                    const Node& node, const std::string& path) {
    const std::string here = path + name;
    equal(link.name, name, here + " name");
    equal(link.kind, wanted.kind, here + " kind of link");
    if (link.name != name || link.kind != wanted.kind) return;
    equal(link.target, wanted.target, here + " target");
    equal(link.file, wanted.file, here + " file");
    if (node.options.track_order)
      equal(link.creation_order.value_or(-1), wanted.order, here + " creation order");
    equal(group.find_link(name).has_value(), true, here + " findability");
    if (wanted.node) compare(group.open(name), wanted.node, here + "/");
  }

  const bool shares_attributes_;
  std::map<const Node*, std::uint32_t> users_;
  std::unordered_map<std::uint64_t, const Node*> seen_;
  std::ostringstream differences_;
};

}  // namespace filigree::twin
