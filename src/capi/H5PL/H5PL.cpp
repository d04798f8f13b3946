// SPDX-License-Identifier: Apache-2.0
//
// Plugins: the search path, and filters in plugins.
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/mutex.hpp"
#include "capi/H5Z/filters.hpp"
#include "capi/core/strings.hpp"

/// The search path without HDF5_PLUGIN_PATH. The library for HDF5 1.10 sets the folder of the distribution.
extern "C" {
H5_DLLVAR const char* filigree_default_plugin_path;
}
const char* filigree_default_plugin_path = H5_DEFAULT_PLUGINDIR;

namespace filigree::capi {
namespace {

/// The folders of the search path.
class PluginFolders {
 public:
  PluginFolders() {
    const char* const given = std::getenv("HDF5_PLUGIN_PATH");
    std::string_view left = given == nullptr ? filigree_default_plugin_path : given;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find(':'), left.size());
      if (end > 0) folders_.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  template <class Work>
  auto with(Work&& work) {
    const MutexLock lock(mutex_);
    return work(folders_);
  }
  std::vector<std::string> list() {
    return with([](const auto& folders) { return folders; });
  }

 private:
  Mutex mutex_;
  std::vector<std::string> folders_ FILIGREE_GUARDED_BY(mutex_);
};

PluginFolders& plugin_folders() {
  static auto* const folders = new PluginFolders;
  return *folders;
}

using Folders = std::vector<std::string>;

void check_index(const Folders& folders, unsigned index) {
  if (index < folders.size()) return;
  throw Failure({&H5E_ARGS_g, &H5E_BADRANGE_g},
                fmt::format("there is no folder {}: there are {}", index, folders.size()));
}

bool plugins_allowed() {
  const char* const preload = std::getenv("HDF5_PLUGIN_PRELOAD");
  return preload == nullptr || std::strcmp(preload, H5PL_NO_PLUGIN) != 0;
}

/// Returns the filter class of a plugin. The plugin stays loaded if it has the filter.
std::optional<H5Z_class2_t> filter_in(const std::filesystem::path& path, H5Z_filter_t id) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  const auto type_of = reinterpret_cast<H5PL_type_t (*)()>(dlsym(library, "H5PLget_plugin_type"));
  const auto info_of = reinterpret_cast<const void* (*)()>(dlsym(library, "H5PLget_plugin_info"));
  if (type_of != nullptr && info_of != nullptr && type_of() == H5PL_TYPE_FILTER) {
    const auto* const info = static_cast<const H5Z_class2_t*>(info_of());
    if (info != nullptr && info->version == H5Z_CLASS_T_VERS && info->id == id && info->filter != nullptr)
      return *info;
  }
  dlclose(library);
  return std::nullopt;
}

bool looks_like_plugin(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("lib") && name.find(".so") != std::string::npos;
}

std::vector<std::filesystem::path> plugins_in(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  std::filesystem::directory_iterator at(folder, ignored), end;
  for (; !ignored && at != end; at.increment(ignored))
    if (looks_like_plugin(at->path())) found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::optional<H5Z_class2_t> find_plugin_filter(H5Z_filter_t id) {
  if (!plugins_allowed()) return std::nullopt;
  for (const std::string& folder : plugin_folders().list()) {
    for (const std::filesystem::path& path : plugins_in(folder))
      if (auto found = filter_in(path, id)) return found;
  }
  return std::nullopt;
}

}  // namespace filigree::capi

using namespace filigree::capi;

namespace {
Code cannot_add() { return {&H5E_PLUGIN_g, &H5E_CANTAPPEND_g}; }
}  // namespace

herr_t H5PLappend(const char* search_path) {
  return api_call({"H5PLappend", cannot_add(), "unable to append the folder"}, [&] {
    required_string(search_path, "search_path");
    plugin_folders().with([&](Folders& folders) { folders.emplace_back(search_path); });
  });
}

herr_t H5PLprepend(const char* search_path) {
  return api_call({"H5PLprepend", cannot_add(), "unable to prepend the folder"}, [&] {
    required_string(search_path, "search_path");
    plugin_folders().with([&](Folders& folders) { folders.emplace(folders.begin(), search_path); });
  });
}

herr_t H5PLinsert(const char* search_path, unsigned int index) {
  return api_call({"H5PLinsert", cannot_add(), "unable to insert the folder"}, [&] {
    required_string(search_path, "search_path");
    plugin_folders().with([&](Folders& folders) {
      check_index(folders, index);
      folders.emplace(folders.begin() + index, search_path);
    });
  });
}

herr_t H5PLreplace(const char* search_path, unsigned int index) {
  return api_call({"H5PLreplace", cannot_add(), "unable to replace the folder"}, [&] {
    required_string(search_path, "search_path");
    plugin_folders().with([&](Folders& folders) {
      check_index(folders, index);
      folders[index] = search_path;
    });
  });
}

herr_t H5PLremove(unsigned int index) {
  return api_call({"H5PLremove", {&H5E_PLUGIN_g, &H5E_CANTDELETE_g}, "unable to remove the folder"}, [&] {
    plugin_folders().with([&](Folders& folders) {
      check_index(folders, index);
      folders.erase(folders.begin() + index);
    });
  });
}

ssize_t H5PLget(unsigned int index, char* path_buf, size_t buf_size) {
  return api_call({"H5PLget", {&H5E_PLUGIN_g, &H5E_CANTGET_g}, "unable to get the folder"}, [&] {
    return plugin_folders().with([&](Folders& folders) {
      check_index(folders, index);
      return copy_string(folders[index], path_buf, buf_size);
    });
  });
}

herr_t H5PLsize(unsigned int* num_paths) {
  return api_call({"H5PLsize", {&H5E_PLUGIN_g, &H5E_CANTGET_g}, "unable to count the folders"}, [&] {
    required(num_paths, "num_paths");
    *num_paths =
        plugin_folders().with([](Folders& folders) { return static_cast<unsigned>(folders.size()); });
  });
}
