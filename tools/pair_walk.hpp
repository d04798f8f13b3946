// SPDX-License-Identifier: Apache-2.0
//
// A walk through two groups at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <filigree/filigree.hpp>

namespace filigree::tools {

/// An object or a link of one of the groups.
struct Item {
  std::optional<Object> object;  ///< of a hard link that can be opened
  std::optional<Link> link;      ///< one that is not hard

  bool is_broken() const { return !object && !link; }
};

/// What a walk reports. Paths start at the two groups, which are "/".
struct PairVisitor {
  /// Items of the same path; null if one group has none.
  std::function<void(const std::string& path, const Item* a, const Item* b)> visit;
  /// An object of the first or of the second group cannot be opened, or its links cannot be read.
  std::function<void(const std::string& path, bool in_a, const Error& error)> fail;
  /// Whether to skip the path, and all below it.
  std::function<bool(const std::string& path)> is_excluded;
};

/// Visits everything below two groups by path, in the order of names. The links of a group are visited at the
/// first path that leads to it. Memory grows with the number of objects, whatever the length of their paths.
class PairWalk {
 public:
  PairWalk(const Group& a, const Group& b, PairVisitor visitor)
      : a_{a, {}}, b_{b, {}}, visitor_(std::move(visitor)) {}

  void run();

 private:
  /// One of the groups.
  struct Side {
    Group top;
    std::unordered_set<std::uint64_t> entered;  ///< groups, by the address of their header
  };
  /// The links of one group that are still to be visited, in the order of their names.
  struct Links {
    std::vector<Link> all;
    std::size_t next = 0;

    const Link* first() const { return next < all.size() ? &all[next] : nullptr; }
  };
  struct Level {
    std::size_t prefix_bytes = 0;
    Links a, b;
  };

  void follow(const Link* a, const Link* b);
  void see(const std::string& path, const Item* a, const Item* b);
  Item open(const Side& side, const Link& link, const std::string& path) const;
  static std::optional<std::uint64_t> mark(Side& side, const Item* item);
  std::vector<Link> links_of(const Side& side, const Item& item, const std::string& path,
                             bool& is_whole) const;

  Side a_, b_;
  const PairVisitor visitor_;
  std::vector<Level> levels_;
  std::string prefix_;  ///< the path of the current groups, with a slash at its end
};

}  // namespace filigree::tools
