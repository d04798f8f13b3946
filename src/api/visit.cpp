// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <unordered_map>

#include <filigree/error.hpp>
#include <filigree/group.hpp>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"

namespace filigree {

namespace {

using VisitFunction = std::function<bool(const Visited&)>;

/// The first paths to objects. Each is stored as its last component and its parent, because the full paths of
/// deeply nested groups would need far more memory than the file.
class FirstPaths {
 public:
  explicit FirstPaths(std::uint64_t start) : start_(start) { steps_.emplace(start, Step{start, "."}); }

  /// Returns whether this is the first path to the object.
  bool add(std::uint64_t address, std::uint64_t parent, const std::string& name) {
    return steps_.try_emplace(address, Step{parent, name}).second;
  }
  std::string path(std::uint64_t address) const {
    if (address == start_) return ".";
    std::vector<const std::string*> names;
    while (address != start_) {
      const Step& step = steps_.at(address);
      names.push_back(&step.name);
      address = step.parent;
    }
    std::string text = *names.back();
    for (auto name = std::next(names.rbegin()); name != names.rend(); ++name) text += "/" + **name;
    return text;
  }

 private:
  struct Step {
    std::uint64_t parent;
    std::string name;
  };
  const std::uint64_t start_;
  std::unordered_map<std::uint64_t, Step> steps_;  ///< by address of the header
};

/// A depth-first walk with an explicit stack, because groups may be nested deeper than the call stack allows.
class Walk {
 public:
  /// `expect` is called with the headers that will be read.
  Walk(const Group& start, const VisitFunction& fn, const VisitOptions& options,
       FunctionRef<void(const std::vector<Address>&)> expect)
      : start_(start), fn_(fn), options_(options), expect_(expect), seen_(start.address()) {}

  bool run() {
    Visited visited;
    visited.path = ".";
    visited.object = start_;
    if (!enter(visited, start_.address())) return false;
    while (!levels_.empty()) {
      Level& level = levels_.back();
      prefix_.resize(level.prefix_bytes);
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
    std::uint64_t address;
    std::size_t prefix_bytes;  ///< of prefix_
    std::vector<Link> links;
    std::size_t next = 0;
  };

  /// Runs `work`. Its Error is thrown, or returned with keep_going.
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
    visited.path = prefix_ + link.name;
    visited.link = &link;
    if (link.kind != LinkKind::hard) return fn_(visited);
    const auto broken = attempt([&] {
      Link from_start;
      from_start.name = visited.path;
      from_start.address = link.address;
      visited.object = start_.open(from_start);
    });
    if (broken) {
      visited.error = &*broken;
      return fn_(visited);
    }
    const bool fresh = seen_.add(link.address, level.address, link.name);
    visited.seen_before = !fresh;
    if (!fresh) visited.first_path = seen_.path(link.address);
    const bool goes_on = fresh && options_.into_groups && visited.object->kind() == ObjectKind::group;
    if (!goes_on) return fn_(visited);
    prefix_ = visited.path + "/";
    return enter(visited, link.address);
  }

  bool enter(Visited& visited, std::uint64_t address) {
    const Group group(*visited.object);
    std::vector<Link> links;
    const auto broken = attempt([&] {
      group.for_each([&](const Link& link) {
        links.push_back(link);
        return true;
      });
    });
    if (broken) visited.error = &*broken;
    std::vector<Address> headers;
    for (const Link& link : links)
      if (link.kind == LinkKind::hard) headers.push_back(to_address(link.address));
    expect_(headers);
    levels_.push_back({address, prefix_.size(), std::move(links), 0});
    return fn_(visited);
  }

  const Group& start_;
  const VisitFunction& fn_;
  VisitOptions options_;
  FunctionRef<void(const std::vector<Address>&)> expect_;
  FirstPaths seen_;
  std::vector<Level> levels_;
  std::string prefix_;  ///< of the links of the last level
};

}  // namespace

bool Group::visit(const std::function<bool(const Visited&)>& fn, const VisitOptions& options) const {
  const auto expect = [this](const std::vector<Address>& headers) {
    impl_->file()->store().prefetch(headers);
  };
  return Walk(*this, fn, options, expect).run();
}

}  // namespace filigree
