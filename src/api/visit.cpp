// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include <filigree/error.hpp>
#include <filigree/group.hpp>

namespace filigree {

namespace {

using VisitFunction = std::function<bool(const Visited&)>;

/// Depth first, with a stack of its own: groups may be nested deeper than the call stack allows.
class Walk {
 public:
  Walk(const VisitFunction& fn, const VisitOptions& options) : fn_(fn), options_(options) {}

  bool run(const Group& start) {
    seen_.emplace(start.address(), ".");
    Visited visited;
    visited.path = ".";
    visited.object = start;
    if (!enter(visited, "")) return false;
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.next == level.links.size()) {
        levels_.pop_back();
      } else if (!follow(level)) {
        return false;
      }
    }
    return true;
  }

 private:
  struct Level {
    Group group;
    std::string prefix;
    std::vector<Link> links;
    std::size_t next = 0;
  };

  /// Does `work`; its Error is thrown, or returned when the walk is to go on.
  template <class Work>
  std::optional<Error> attempt(Work&& work) const {
    try {
      work();
    } catch (const Error& error) {
      if (!options_.keep_going) throw;
      return error;
    }
    return std::nullopt;
  }

  bool follow(Level& level) {
    const Link link = std::move(level.links[level.next++]);
    Visited visited;
    visited.path = level.prefix + link.name;
    visited.link = &link;
    if (link.kind != LinkKind::hard) return fn_(visited);
    const auto broken = attempt([&] { visited.object = level.group.open(link); });
    if (broken) {
      visited.error = &*broken;
      return fn_(visited);
    }
    const auto [known, fresh] = seen_.try_emplace(link.address, visited.path);
    visited.seen_before = !fresh;
    if (!fresh) visited.first_path = known->second;
    const bool goes_on = fresh && options_.into_groups && visited.object->kind() == ObjectKind::group;
    return goes_on ? enter(visited, visited.path + "/") : fn_(visited);
  }

  bool enter(Visited& visited, std::string prefix) {
    const Group group(*visited.object);
    std::vector<Link> links;
    const auto broken = attempt([&] {
      group.for_each([&](const Link& link) {
        links.push_back(link);
        return true;
      });
    });
    if (broken) visited.error = &*broken;
    levels_.push_back({group, std::move(prefix), std::move(links), 0});
    return fn_(visited);
  }

  const VisitFunction& fn_;
  VisitOptions options_;
  std::unordered_map<std::uint64_t, std::string> seen_;  ///< by address of the header
  std::vector<Level> levels_;
};

}  // namespace

bool Group::visit(const std::function<bool(const Visited&)>& fn, const VisitOptions& options) const {
  return Walk(fn, options).run(*this);
}

}  // namespace filigree
