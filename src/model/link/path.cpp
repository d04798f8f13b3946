// SPDX-License-Identifier: Apache-2.0
#include "model/link/path.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "model/file/file.hpp"
#include "model/file/user_file.hpp"
#include "model/link/link_table.hpp"
#include "model/link/names.hpp"
#include "store/file_store.hpp"

namespace filigree::model {

using format::LinkKind;
using format::LinkMessage;

namespace {

namespace fs = std::filesystem;

std::string join(const std::string& path, std::string_view name) {
  return path == "/" ? "/" + std::string(name) : path + "/" + std::string(name);
}

Place root_of(const Place& place) { return {place.file, place.file->root(), "/"}; }

/// One look-up. The budget of links is shared by everything that it leads to.
class Walk {
 public:
  explicit Walk(bool create_parents) : create_parents_(create_parents) {}

  Spot locate(const Place& start, std::string_view path) {
    Place at = path.starts_with('/') ? root_of(start) : start;
    const auto parts = split_path(path);
    if (parts.empty()) return {at, "", std::nullopt};
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) at = step(at, parts[i]);
    auto link = find_link(at, parts.back());
    return {std::move(at), std::string(parts.back()), std::move(link)};
  }

  Place get(const Place& start, std::string_view path) {
    const Spot spot = locate(start, path);
    return spot.name.empty() ? spot.parent : follow(spot);
  }

  Place follow(const Spot& spot) {
    if (!spot.link) {
      throw Error(ErrorKind::not_found, fmt::format("there is no '{}' in group '{}' of '{}'", spot.name,
                                                    spot.parent.path, spot.parent.file->name()));
    }
    const LinkMessage& link = *spot.link;
    switch (link.kind) {
      case LinkKind::hard:
        return {spot.parent.file, link.header, join(spot.parent.path, spot.name)};
      case LinkKind::soft:
        return follow_soft(spot, link);
      case LinkKind::external:
        return follow_external(spot, link);
    }
    throw Error(ErrorKind::unsupported,
                fmt::format("'{}' in '{}' is a link of the user-defined kind {}, which cannot be followed",
                            spot.name, spot.parent.path, static_cast<unsigned>(link.kind)));
  }

 private:
  static std::optional<LinkMessage> find_link(const Place& group, std::string_view name) {
    const FileLock::Shared shared(group.file->lock());
    try {
      return LinkTable(*group.file, group.header).find(name);
    } catch (Error& error) {
      if (error.kind() == ErrorKind::wrong_type) {
        throw Error(ErrorKind::not_found,
                    fmt::format("'{}' of '{}' is not a group, so there is no '{}' in it", group.path,
                                group.file->name(), name));
      }
      error.add_frame(fmt::format("looking for '{}' in '{}' of '{}'", name, group.path, group.file->name()));
      throw;
    }
  }

  Place step(const Place& group, std::string_view name) {
    auto link = find_link(group, name);
    if (!link && create_parents_) {
      group.file->begin_change("create a group");  // a link may have led to another file
      LinkMessage made;
      made.name = name;
      made.charset = charset_of(name);
      made.header = LinkTable::create_group(*group.file, {});
      LinkTable(*group.file, group.header).insert(made);
      link = std::move(made);
    }
    return follow({group, std::string(name), std::move(link)});
  }

  void count(const Spot& spot) {
    if (++followed_ > most_links_followed) {
      throw Error(ErrorKind::limit,
                  fmt::format("more than {} soft and external links on the way to '{}': a loop?",
                              most_links_followed, join(spot.parent.path, spot.name)));
    }
  }

  Place follow_soft(const Spot& spot, const LinkMessage& link) {
    count(spot);
    return in_link(spot, link.target, [&] {
      Place place = get(spot.parent, link.target);
      place.path = join(spot.parent.path, spot.name);
      return place;
    });
  }

  Place follow_external(const Spot& spot, const LinkMessage& link) {
    count(spot);
    return in_link(spot, link.external.file + "//" + link.external.path, [&] {
      const auto file = open_external(*spot.parent.file, link.external.file);
      return get({file, file->root(), "/"}, "/" + link.external.path);
    });
  }

  template <class Work>
  Place in_link(const Spot& spot, const std::string& target, Work&& work) {
    try {
      return work();
    } catch (Error& error) {
      if (error.kind() == ErrorKind::not_found) {
        error.add_frame(
            fmt::format("following link '{}' to '{}'", join(spot.parent.path, spot.name), target));
      }
      throw;
    }
  }

  /// Tries the places in which stock seeks the file of an external link, in its order.
  static std::shared_ptr<File> open_external(const File& parent, const std::string& name) {
    const OpenMode mode = parent.writable() ? OpenMode::read_write : OpenMode::read_only;
    const bool custom = find_user_file(parent.store().file()) != nullptr;  // has names of its own
    std::optional<Error> first_failure;
    for (const fs::path& candidate : candidates(parent, name)) {
      std::error_code ignored;
      if (!custom && !fs::exists(candidate, ignored)) continue;
      try {
        return open_linked(parent, candidate.string(), mode);
      } catch (const Error& error) {
        if (!first_failure) first_failure = error;
      }
    }
    if (first_failure) throw *first_failure;
    throw Error(ErrorKind::not_found, fmt::format("there is no file '{}' for the external link", name));
  }

  static std::vector<fs::path> candidates(const File& parent, const std::string& name) {
    std::vector<fs::path> all;
    fs::path wanted = name;
    if (wanted.is_absolute()) {
      all.push_back(wanted);
      wanted = wanted.filename();
    }
    if (const char* prefixes = std::getenv("HDF5_EXT_PREFIX")) {
      std::string_view rest = prefixes;
      while (!rest.empty()) {
        const auto colon = rest.find(':');
        all.push_back(fs::path(rest.substr(0, colon)) / wanted);
        rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
      }
    }
    if (!parent.access().external_prefix.empty())
      all.push_back(fs::path(parent.access().external_prefix) / wanted);
    const fs::path parent_path = parent.name();
    all.push_back(parent_path.parent_path() / wanted);
    all.push_back(wanted);
    std::error_code failed;
    const fs::path resolved = fs::canonical(parent_path, failed);
    if (!failed) all.push_back(resolved.parent_path() / wanted);
    return all;
  }

  const bool create_parents_;
  unsigned followed_ = 0;
};

}  // namespace

Spot locate(const Place& start, std::string_view path, bool create_parents) {
  return Walk(create_parents).locate(start, path);
}

Place get_object(const Place& start, std::string_view path) { return Walk(false).get(start, path); }

std::optional<Place> find_object(const Place& start, std::string_view path) {
  try {
    return get_object(start, path);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::not_found) return std::nullopt;
    throw;
  }
}

Place follow(const Spot& spot) { return Walk(false).follow(spot); }

}  // namespace filigree::model
