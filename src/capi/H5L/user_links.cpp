// SPDX-License-Identifier: Apache-2.0
#include "capi/H5L/user_links.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "capi/H5G/path_traversal.hpp"
#include "capi/H5L/link_operations.hpp"

namespace filigree::capi {
namespace {

namespace fs = std::filesystem;

struct Classes {
  Mutex mutex;
  std::map<int, std::shared_ptr<const LinkClass>> by_kind FILIGREE_GUARDED_BY(mutex);
};

Classes& classes() {
  static auto* const made = new Classes;
  return *made;
}

int kind_of(const Link& link) {
  return link.kind == LinkKind::external ? static_cast<int>(H5L_TYPE_EXTERNAL)
                                         : static_cast<int>(link.user_kind);
}

void check(herr_t result, const char* what) {
  if (result < 0)
    throw NestedFailure({&H5E_LINK_g, &H5E_CALLBACK_g},
                        fmt::format("{} callback of the link class failed", what));
}

/// Returns the paths at which HDF5 looks for the file of an external link, in its order.
std::vector<fs::path> candidates(const OpenFile& parent, const std::string& name, const std::string& prefix) {
  std::vector<fs::path> all;
  fs::path wanted = name;
  if (wanted.is_absolute()) {
    all.push_back(wanted);
    wanted = wanted.filename();
  }
  if (const char* const paths = std::getenv("HDF5_EXT_PREFIX"); paths != nullptr) {
    std::string_view left = paths;
    while (!left.empty()) {
      const auto colon = left.find(':');
      if (const auto one = left.substr(0, colon); !one.empty()) all.push_back(fs::path(one) / wanted);
      if (colon == std::string_view::npos) break;
      left.remove_prefix(colon + 1);
    }
  }
  if (!prefix.empty()) all.push_back(fs::path(prefix) / wanted);
  all.push_back(fs::path(parent.name).parent_path() / wanted);
  all.push_back(wanted);
  std::error_code ignored;
  const fs::path real = fs::canonical(parent.name, ignored);
  if (!ignored) all.push_back(real.parent_path() / wanted);
  return all;
}

struct ExternalAccess {
  unsigned flags = 0;
  std::shared_ptr<const FileAccessSettings> access;
};

ExternalAccess external_access(const LinkLocation& link_location, const LinkAccess& how) {
  ExternalAccess made;
  const LinkAccessSettings& settings = *how.settings;
  made.flags = settings.external_flags == flags::by_default ? link_location.parent.open->flags()
                                                            : settings.external_flags;
  made.access =
      settings.external_access == nullptr ? link_location.parent.open->access : settings.external_access;
  if (settings.external_callback != nullptr) {
    const Link& link = *link_location.link;
    const ScopedId plist(add_plist(made.access->clone()));
    check(settings.external_callback(
              link_location.parent.open->name.c_str(), link_location.parent.name.c_str(), link.file.c_str(),
              link.target.c_str(), &made.flags, plist.get(), settings.external_callback_data),
          "the external link");
    made.access = get_settings<FileAccessSettings>(plist.get(), "a file access property list");
    if ((made.flags & ~static_cast<unsigned>(flags::read_write | flags::swmr_read | flags::swmr_write)) != 0)
      throw NestedFailure({&H5E_LINK_g, &H5E_BADVALUE_g}, "the callback of external links set invalid flags");
  }
  // A file that is already open keeps its close degree. A file that only a link leads to is closed with its
  // last object.
  if (made.access->close_degree != H5F_CLOSE_DEFAULT) {
    auto weak = std::make_shared<FileAccessSettings>(*made.access);
    weak->close_degree = H5F_CLOSE_DEFAULT;
    made.access = std::move(weak);
  }
  return made;
}

std::shared_ptr<OpenFile> open_external(const LinkLocation& link_location, const LinkAccess& how) {
  const ExternalAccess access = external_access(link_location, how);
  const std::string& name = link_location.link->file;
  for (const fs::path& candidate :
       candidates(*link_location.parent.open, name, how.settings->external_prefix)) {
    std::error_code ignored;
    if (!fs::exists(candidate, ignored)) continue;
    try {
      return in_use(OpenFile::open(candidate.string(), access.flags, access.access, false));
    } catch (const Error&) {  // The next path may lead to the file.
    } catch (const Failure&) {
    }
  }
  throw NestedFailure(
      {&H5E_FILE_g, &H5E_CANTOPENFILE_g},
      fmt::format("unable to open the file '{}' of external link '{}'", name, link_location.path()));
}

}  // namespace

std::shared_ptr<const LinkClass> find_link_class(int kind) {
  const MutexLock lock(classes().mutex);
  const auto found = classes().by_kind.find(kind);
  return found == classes().by_kind.end() ? nullptr : found->second;
}

void add_link_class(std::shared_ptr<const LinkClass> made) {
  const MutexLock lock(classes().mutex);
  classes().by_kind[static_cast<int>(made->functions.id)] = std::move(made);
}

bool remove_link_class(int kind) {
  const MutexLock lock(classes().mutex);
  return classes().by_kind.erase(kind) > 0;
}

Location follow_external_link(const LinkLocation& link_location, const LinkAccess& access,
                              unsigned& followed) {
  const std::shared_ptr<OpenFile> file = open_external(link_location, access);
  PathTraversal traversal(access, nullptr, followed);
  // An external link leads to the root group of the file itself, even if the file is mounted somewhere.
  const Location root{file, file->file.root(), "/"};
  std::string_view target = link_location.link->target;
  while (target.starts_with('/')) target.remove_prefix(1);
  Location at = traversal.traverse(root, target.empty() ? "." : target);
  followed = traversal.followed();
  return at;
}

namespace {

/// Counts the user-defined links that the thread is resolving. A user-defined link may lead to itself, and
/// its callback need not pass on the count of links.
class NestingGuard {
 public:
  explicit NestingGuard(const std::string& name) {
    constexpr unsigned deepest = 128;
    if (depth == deepest)
      throw NestedFailure({&H5E_LINK_g, &H5E_NLINKS_g},
                          fmt::format("{} user-defined links lead into each other at '{}'", deepest, name));
    ++depth;
  }
  ~NestingGuard() { --depth; }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;

 private:
  static thread_local unsigned depth;
};

thread_local unsigned NestingGuard::depth = 0;

/// Returns the class of a link, or null for the class of external links, which has no callbacks. *Throws*
/// NestedFailure for classes that are not registered.
std::shared_ptr<const LinkClass> required_class(const Link& link) {
  const int kind = kind_of(link);
  auto used = find_link_class(kind);
  if (used == nullptr && kind != H5L_TYPE_EXTERNAL)
    throw NestedFailure({&H5E_LINK_g, &H5E_NOTREGISTERED_g},
                        fmt::format("no link class is registered for kind {}", kind));
  return used;
}

}  // namespace

Location follow_user_link(const LinkLocation& link_location, const LinkAccess& access) {
  const Link& link = *link_location.link;
  const NestingGuard guard(link.name);
  const auto used = find_link_class(link.user_kind);
  if (used == nullptr)
    throw NestedFailure({&H5E_LINK_g, &H5E_NOTREGISTERED_g},
                        fmt::format("no link class is registered for kind {}", link.user_kind));
  const ScopedId group(add_object(link_location.parent));
  const hid_t reached =
      used->old_traverse != nullptr
          ? used->old_traverse(link.name.c_str(), group.get(), link.user_data.data(), link.user_data.size(),
                               access.id)
          : used->functions.trav_func(link.name.c_str(), group.get(), link.user_data.data(),
                                      link.user_data.size(), access.id, H5P_LST_DATASET_XFER_ID_g);
  if (reached < 0)
    throw NestedFailure({&H5E_LINK_g, &H5E_CALLBACK_g}, "traversal callback returned invalid ID");
  const ScopedId keep(reached);
  Location at = location(reached);
  at.open = in_use(at.open);  // The id is released, but the file must stay open.
  return at;
}

void user_link_created(const Location& group, const std::string& name, int kind,
                       std::span<const std::byte> data, hid_t creation) {
  const auto used = find_link_class(kind);
  if (used == nullptr || used->functions.create_func == nullptr) return;
  const ScopedId id(add_object(group));
  check(used->functions.create_func(name.c_str(), id.get(), data.data(), data.size(), creation), "creation");
}

void user_link_moved(const Location& group, const std::string& name, const Link& link, bool copied) {
  if (link.kind != LinkKind::user && link.kind != LinkKind::external) return;
  const auto used = required_class(link);
  if (used == nullptr) return;
  const auto function = copied ? used->functions.copy_func : used->functions.move_func;
  if (function == nullptr) return;
  const ScopedId id(add_object(group));
  check(function(name.c_str(), id.get(), link.user_data.data(), link.user_data.size()),
        copied ? "copy" : "move");
}

void user_link_deleted(const Location& group, const std::string& name, const Link& link) {
  if (link.kind != LinkKind::user) return;
  const auto used = required_class(link);
  if (used == nullptr || used->functions.del_func == nullptr) return;
  const ScopedId id(add_object({group.open, group.open->file.root(), "/"}));
  check(used->functions.del_func(name.c_str(), id.get(), link.user_data.data(), link.user_data.size()),
        "deletion");
}

}  // namespace filigree::capi
