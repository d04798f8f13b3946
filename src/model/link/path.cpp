// SPDX-License-Identifier: Apache-2.0
#include "model/link/path.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/split_path.hpp"
#include "model/file/file.hpp"
#include "model/file/file_driver.hpp"
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

ObjectLocation root_of(const ObjectLocation& location) { return {location.file, location.file->root(), "/"}; }

/// One look-up. The limit of traversed links applies to all steps together.
class Walk {
 public:
  explicit Walk(bool create_parents) : create_parents_(create_parents) {}

  LinkLocation locate(const ObjectLocation& start, std::string_view path) {
    ObjectLocation at = path.starts_with('/') ? root_of(start) : start;
    const auto parts = split_path(path);
    if (parts.empty()) return {at, "", std::nullopt};
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) at = step(at, parts[i]);
    auto link = find_link(at, parts.back());
    return {std::move(at), std::string(parts.back()), std::move(link)};
  }

  ObjectLocation get(const ObjectLocation& start, std::string_view path) {
    const LinkLocation location = locate(start, path);
    return location.name.empty() ? location.parent : follow(location);
  }

  ObjectLocation follow(const LinkLocation& location) {
    if (!location.link) {
      throw Error(ErrorKind::not_found, fmt::format("there is no '{}' in group '{}' of '{}'", location.name,
                                                    location.parent.path, location.parent.file->name()));
    }
    const LinkMessage& link = *location.link;
    switch (link.kind) {
      case LinkKind::hard:
        return {location.parent.file, link.header, join(location.parent.path, location.name)};
      case LinkKind::soft:
        return follow_soft(location, link);
      case LinkKind::external:
        return follow_external(location, link);
    }
    throw Error(ErrorKind::unsupported,
                fmt::format("'{}' in '{}' is a link of the user-defined kind {}, which cannot be followed",
                            location.name, location.parent.path, static_cast<unsigned>(link.kind)));
  }

 private:
  static std::optional<LinkMessage> find_link(const ObjectLocation& group, std::string_view name) {
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

  ObjectLocation step(const ObjectLocation& group, std::string_view name) {
    auto link = find_link(group, name);
    if (!link && create_parents_) {
      group.file->begin_change("create a group");  // a link may lead to another file
      LinkMessage made;
      made.name = name;
      made.charset = charset_of(name);
      made.header = LinkTable::create_group(*group.file, {});
      LinkTable(*group.file, group.header).insert(made);
      link = std::move(made);
    }
    return follow({group, std::string(name), std::move(link)});
  }

  void count(const LinkLocation& location) {
    if (++followed_ > most_links_followed) {
      throw Error(ErrorKind::limit,
                  fmt::format("more than {} soft and external links on the way to '{}': a loop?",
                              most_links_followed, join(location.parent.path, location.name)));
    }
  }

  ObjectLocation follow_soft(const LinkLocation& location, const LinkMessage& link) {
    count(location);
    return in_link(location, link.target, [&] {
      ObjectLocation target = get(location.parent, link.target);
      target.path = join(location.parent.path, location.name);
      return target;
    });
  }

  ObjectLocation follow_external(const LinkLocation& location, const LinkMessage& link) {
    count(location);
    if (link.external.file.empty())
      throw Error(ErrorKind::corrupt,
                  fmt::format("external link '{}' has a value without a file name and a path",
                              join(location.parent.path, location.name)));
    return in_link(location, link.external.file + "//" + link.external.path, [&] {
      const auto file = open_external(*location.parent.file, link.external.file);
      return get({file, file->root(), "/"}, "/" + link.external.path);
    });
  }

  template <class Work>
  ObjectLocation in_link(const LinkLocation& location, const std::string& target, Work&& work) {
    try {
      return work();
    } catch (Error& error) {
      if (error.kind() == ErrorKind::not_found) {
        error.add_frame(
            fmt::format("following link '{}' to '{}'", join(location.parent.path, location.name), target));
      }
      throw;
    }
  }

  /// Searches the file of an external link in the folders and order of HDF5.
  static std::shared_ptr<File> open_external(const File& parent, const std::string& name) {
    const OpenMode mode = parent.writable() ? OpenMode::read_write : OpenMode::read_only;
    const bool driver_paths = has_driver_paths(parent);
    std::optional<Error> first_failure;
    for (const fs::path& candidate : candidates(parent, name)) {
      std::error_code ignored;
      if (!driver_paths && !fs::exists(candidate, ignored)) continue;
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

LinkLocation locate(const ObjectLocation& start, std::string_view path, bool create_parents) {
  return Walk(create_parents).locate(start, path);
}

ObjectLocation get_object(const ObjectLocation& start, std::string_view path) {
  return Walk(false).get(start, path);
}

std::optional<ObjectLocation> find_object(const ObjectLocation& start, std::string_view path) {
  try {
    return get_object(start, path);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::not_found) return std::nullopt;
    throw;
  }
}

ObjectLocation follow(const LinkLocation& location) { return Walk(false).follow(location); }

}  // namespace filigree::model
