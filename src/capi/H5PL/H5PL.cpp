// SPDX-License-Identifier: Apache-2.0
//
// Plugins: the search path, which types of plugins may be loaded, and filters and connectors in plugins.
#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/mutex.hpp"
#include "capi/H5PL/plugins.hpp"
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

/// Whether the environment allows plugins at all.
bool plugins_allowed() {
  static const bool allowed = [] {
    const char* const preload = std::getenv("HDF5_PLUGIN_PRELOAD");
    return preload == nullptr || std::strcmp(preload, H5PL_NO_PLUGIN) != 0;
  }();
  return allowed;
}

std::atomic<unsigned>& loading_mask() {
  static std::atomic<unsigned> mask{plugins_allowed() ? unsigned{H5PL_ALL_PLUGIN} : 0};
  return mask;
}

/// Returns the class of a plugin of that type. The plugin stays loaded if the class fits.
const void* class_in(const std::filesystem::path& path, H5PL_type_t type,
                     const std::function<bool(const void*)>& fits) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto type_of = reinterpret_cast<H5PL_type_t (*)()>(dlsym(library, "H5PLget_plugin_type"));
  const auto info_of = reinterpret_cast<const void* (*)()>(dlsym(library, "H5PLget_plugin_info"));
  if (type_of != nullptr && info_of != nullptr && type_of() == type) {
    const void* const info = info_of();
    if (info != nullptr && fits(info)) return info;
  }
  dlclose(library);
  return nullptr;
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

/// Searches the folders for a plugin of a type that programs allow. Returns its class, or null.
const void* find_plugin(H5PL_type_t type, unsigned mask, const std::function<bool(const void*)>& fits) {
  if ((loading_mask().load() & mask) == 0) return nullptr;
  for (const std::string& folder : plugin_folders().list()) {
    for (const std::filesystem::path& path : plugins_in(folder))
      if (const void* const found = class_in(path, type, fits)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<H5Z_class2_t> find_plugin_filter(H5Z_filter_t id) {
  const void* const found = find_plugin(H5PL_TYPE_FILTER, H5PL_FILTER_PLUGIN, [&](const void* info) {
    const auto* const filter = static_cast<const H5Z_class2_t*>(info);
    return filter->version == H5Z_CLASS_T_VERS && filter->id == id && filter->filter != nullptr;
  });
  if (found == nullptr) return std::nullopt;
  return *static_cast<const H5Z_class2_t*>(found);
}

const H5VL_class_t* find_plugin_connector(const char* name, H5VL_class_value_t value) {
  return static_cast<const H5VL_class_t*>(find_plugin(H5PL_TYPE_VOL, H5PL_VOL_PLUGIN, [&](const void* info) {
    const auto* const connector = static_cast<const H5VL_class_t*>(info);
    if (connector->version != H5VL_VERSION || connector->name == nullptr) return false;
    return name == nullptr ? connector->value == value : std::strcmp(connector->name, name) == 0;
  }));
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

herr_t H5PLset_loading_state(unsigned int plugin_control_mask) {
  return api_call({"H5PLset_loading_state", {&H5E_ARGS_g, &H5E_CANTSET_g}, "unable to set the types"}, [&] {
    // As in HDF5, the environment has the last word, without an error.
    if (plugins_allowed()) loading_mask() = plugin_control_mask;
  });
}

herr_t H5PLget_loading_state(unsigned int* plugin_control_mask) {
  return api_call({"H5PLget_loading_state", {&H5E_ARGS_g, &H5E_CANTGET_g}, "unable to get the types"},
                  [&] { *required(plugin_control_mask, "plugin_control_mask") = loading_mask().load(); });
}
