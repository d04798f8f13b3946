// SPDX-License-Identifier: Apache-2.0
#include "capi/drivers.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/library.hpp"

namespace filigree::capi {
namespace {

struct LibraryDriver {
  H5FD_class_value_t value;
  const char* name;
};
constexpr LibraryDriver library_drivers[] = {
    {H5_VFD_SEC2, "sec2"},     {H5_VFD_CORE, "core"},   {H5_VFD_LOG, "log"},
    {H5_VFD_FAMILY, "family"}, {H5_VFD_MULTI, "multi"}, {H5_VFD_STDIO, "stdio"},
};

std::array<std::atomic<hid_t>, std::size(library_drivers)>& driver_ids() {
  static std::array<std::atomic<hid_t>, std::size(library_drivers)> all{};
  return all;
}

DriverLog log_to(const LogInfo& info) {
  std::shared_ptr<std::FILE> file(stderr, [](std::FILE*) {});
  if (!info.path.empty()) {
    std::FILE* const made = std::fopen(info.path.c_str(), "w");
    if (made == nullptr)
      throw Error(ErrorKind::io, fmt::format("cannot create the log file '{}'", info.path));
    file.reset(made, std::fclose);
  }
  DriverLog log;
  log.sink = [file](std::string_view line) {
    fmt::print(file.get(), "{}\n", line);
    std::fflush(file.get());
  };
  return log;
}

/// What a name has after the name of the file, or nothing when it is another.
std::string extension(const std::string& name) {
  return name.starts_with("%s") ? name.substr(2) : std::string();
}

SplitDriver split_of(const MultiInfo& info) {
  const auto file_of = [&](H5FD_mem_t kind) {
    const H5FD_mem_t mapped = info.map[static_cast<std::size_t>(kind)];
    return mapped == H5FD_MEM_DEFAULT ? kind : mapped;
  };
  const H5FD_mem_t metadata = file_of(H5FD_MEM_SUPER);
  const bool together = file_of(H5FD_MEM_BTREE) == metadata && file_of(H5FD_MEM_GHEAP) == metadata &&
                        file_of(H5FD_MEM_LHEAP) == metadata && file_of(H5FD_MEM_OHDR) == metadata;
  const std::string metadata_name = extension(info.names[static_cast<std::size_t>(metadata)]);
  const std::string raw_name = extension(info.names[static_cast<std::size_t>(file_of(H5FD_MEM_DRAW))]);
  if (!together || file_of(H5FD_MEM_DRAW) == metadata || metadata_name.empty() || raw_name.empty()) {
    throw Error(ErrorKind::unsupported,
                "files of several members have one for metadata and one for raw data; other maps of kinds to "
                "members are not supported");
  }
  return {metadata_name, raw_name};
}

}  // namespace

hid_t driver_id(H5FD_class_value_t value) {
  for (std::size_t i = 0; i < std::size(library_drivers); ++i)
    if (library_drivers[i].value == value) return driver_ids()[i];
  return H5I_INVALID_HID;
}

std::shared_ptr<DriverHandle> driver_of(const DriverSetting& setting) {
  const hid_t id = setting.driver < 0 ? driver_id(H5_VFD_SEC2) : setting.driver;
  const auto found = ids().find_as<DriverHandle>(id);
  if (found == nullptr) bad_value("the file driver of the property list is not registered any more");
  return found;
}

void choose_driver(const DriverSetting& setting, AccessOptions& options) {
  const auto driver = driver_of(setting);
  if (driver->functions != nullptr) {
    throw Error(ErrorKind::unsupported,
                fmt::format("files cannot be reached through '{}': drivers of programs are not supported",
                            driver->name));
  }
  switch (driver->value) {
    case H5_VFD_CORE:
      options.driver = MemoryDriver{driver_info<CoreInfo>(setting, H5_VFD_CORE)->backing_store};
      break;
    case H5_VFD_FAMILY:
      options.driver = FamilyDriver{driver_info<FamilyInfo>(setting, H5_VFD_FAMILY)->member_bytes};
      break;
    case H5_VFD_MULTI:
      options.driver = split_of(*driver_info<MultiInfo>(setting, H5_VFD_MULTI));
      break;
    case H5_VFD_LOG:
      if (const auto info = driver_info<LogInfo>(setting, H5_VFD_LOG); info != nullptr && info->flags != 0)
        options.log = log_to(*info);
      break;
    default:
      break;
  }
}

void set_up_drivers() {
  for (std::size_t i = 0; i < std::size(library_drivers); ++i) {
    driver_ids()[i] =
        ids().add(std::make_shared<DriverHandle>(library_drivers[i].value, library_drivers[i].name, nullptr));
  }
}

}  // namespace filigree::capi
