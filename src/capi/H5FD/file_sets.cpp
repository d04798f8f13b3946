// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/file_sets.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "capi/H5FD/drivers.hpp"

namespace filigree::capi {

bool is_file_set(const FileAccessSettings& access) {
  return driver_of(access.driver)->functions.value == H5_VFD_MULTI;
}

void require_all_members(const FileAccessSettings& access, const std::string& path) {
  if (!is_file_set(access)) return;
  const auto info = driver_info<MultiInfo>(access.driver, H5_VFD_MULTI);
  if (info == nullptr || info->relax) return;
  for (std::size_t kind = 1; kind < info->map.size(); ++kind) {
    const auto mapped = static_cast<std::size_t>(info->map[kind]);
    std::string name = info->names[mapped == 0 ? kind : mapped];
    if (const auto at = name.find("%s"); at != std::string::npos) name.replace(at, 2, path);
    std::error_code ignored;
    if (!std::filesystem::exists(name, ignored))
      throw NestedFailure({&H5E_FILE_g, &H5E_CANTOPENFILE_g},
                          fmt::format("'{}', a file of the set, does not exist", name));
  }
}

}  // namespace filigree::capi
