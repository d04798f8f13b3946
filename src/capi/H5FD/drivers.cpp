// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/drivers.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <filigree/driver.hpp>
#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "capi/H5FD/library_drivers.hpp"
#include "capi/H5FD/mpio.hpp"
#include "capi/core/library.hpp"

namespace filigree::capi {
namespace {

/// The ids of hdf5_drivers().
std::array<std::atomic<hid_t>, hdf5_driver_count>& driver_ids() {
  static std::array<std::atomic<hid_t>, hdf5_driver_count> all{};
  return all;
}

std::atomic<hid_t>& mpio_id() {
  static std::atomic<hid_t> id{H5I_INVALID_HID};
  return id;
}

bool environment_names_mpio() {
  const char* const name = std::getenv("HDF5_DRIVER");
  return name != nullptr && std::string_view(name) == "mpio";
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

/// The kind of data in whose file another kind is.
H5FD_mem_t file_of(const MultiInfo& info, H5FD_mem_t kind) {
  const H5FD_mem_t mapped = info.map[static_cast<std::size_t>(kind)];
  return mapped == H5FD_MEM_DEFAULT ? kind : mapped;
}

MultiDriver multi_of(const MultiInfo& info) {
  MultiDriver driver;
  std::array<bool, H5FD_MEM_NTYPES> known{};
  for (std::size_t kind = 1; kind < info.map.size(); ++kind) {
    driver.map[kind - 1] = static_cast<std::uint8_t>(info.map[kind]);
    const auto file = static_cast<std::size_t>(file_of(info, static_cast<H5FD_mem_t>(kind)));
    if (!std::exchange(known[file], true)) driver.members.push_back({info.addresses[file], info.names[file]});
  }
  return driver;
}

/// Nothing unless all metadata are in one file and raw data in another one.
std::optional<SplitDriver> split_of(const MultiInfo& info) {
  const auto in = [&](H5FD_mem_t kind) { return file_of(info, kind); };
  const H5FD_mem_t metadata = in(H5FD_MEM_SUPER);
  const bool together = in(H5FD_MEM_BTREE) == metadata && in(H5FD_MEM_GHEAP) == metadata &&
                        in(H5FD_MEM_LHEAP) == metadata && in(H5FD_MEM_OHDR) == metadata;
  const std::string metadata_name = extension(info.names[static_cast<std::size_t>(metadata)]);
  const std::string raw_name = extension(info.names[static_cast<std::size_t>(in(H5FD_MEM_DRAW))]);
  if (!together || in(H5FD_MEM_DRAW) == metadata || metadata_name.empty() || raw_name.empty())
    return std::nullopt;
  return SplitDriver{metadata_name, raw_name};
}

/// The driver of a list for one of the two files.
DriverChoice channel_of(const std::shared_ptr<const FileAccessSettings>& access) {
  if (access == nullptr) return {};
  if (!driver_of(access->driver)->of_library)
    throw Error(ErrorKind::unsupported, "the splitter driver takes drivers of the library only");
  AccessOptions options;
  choose_driver(*access, options);
  return options.driver;
}

SplitterDriver splitter_of(const SplitterInfo& info) {
  return {info.copy_path, info.log_path, info.ignore_copy_faults, channel_of(info.access),
          channel_of(info.copy_access)};
}

DriverChoice choice_of(const MultiInfo& info) {
  if (const auto split = split_of(info)) return *split;
  return multi_of(info);
}

}  // namespace

void DriverHandle::close() {
  if (functions.terminate == nullptr) return;
  if (functions.terminate() < 0)
    throw Failure({&H5E_VFL_g, &H5E_CLOSEERROR_g}, fmt::format("the driver '{}' did not terminate", name));
}

std::shared_ptr<const void> retained(hid_t id) {
  ids().retain(id);
  return {&ids(), [id](const void*) {
            try {
              ids().release(id);
            } catch (const std::exception&) {  // the library was taken down meanwhile
            }
          }};
}

std::shared_ptr<const void> copy_driver_info(hid_t driver, const void* info) {
  const auto handle = ids().get<DriverHandle>(driver, "a file driver ID");
  auto keep = retained(driver);
  if (info == nullptr) return {std::move(keep), nullptr};
  const H5FD_class_t& calls = handle->functions;
  if (calls.fapl_copy == nullptr && calls.fapl_size == 0)
    throw NestedFailure({&H5E_VFL_g, &H5E_UNSUPPORTED_g}, "the driver cannot copy its info");
  if (calls.fapl_copy == nullptr) {
    const auto* const bytes = static_cast<const std::byte*>(info);
    const auto copy = std::make_shared<std::vector<std::byte>>(bytes, bytes + calls.fapl_size);
    const auto both = std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
        std::move(keep), copy);
    return {both, copy->data()};
  }
  void* const copy = calls.fapl_copy(info);
  if (copy == nullptr) throw NestedFailure({&H5E_VFL_g, &H5E_CANTCOPY_g}, "fapl_copy of the driver failed");
  return {copy, [release = calls.fapl_free, keep = std::move(keep)](void* old) {
            release != nullptr ? static_cast<void>(release(old)) : std::free(old);
          }};
}

std::shared_ptr<const FileAccessSettings> without_driver_info(
    std::shared_ptr<const FileAccessSettings> settings) {
  const DriverSetting& driver = settings->driver;
  const bool has_info = driver.info != nullptr && !driver_of(driver)->of_library;
  const bool has_image = !settings->image.empty() || settings->image.functions->given();
  if (!has_info && !has_image) return settings;
  auto stripped = std::make_shared<FileAccessSettings>(*settings);
  if (has_info) stripped->driver.info = copy_driver_info(driver.driver, nullptr);
  stripped->image = {};
  return stripped;
}

bool DriverSetting::operator==(const DriverSetting& other) const {
  if (driver != other.driver || configuration != other.configuration) return false;
  if (info == other.info) return true;
  const auto handle = ids().find_as<DriverHandle>(driver);
  if (info == nullptr || other.info == nullptr || handle == nullptr || handle->of_library) return false;
  const std::size_t bytes = handle->functions.fapl_size;
  return bytes > 0 && std::memcmp(info.get(), other.info.get(), bytes) == 0;
}

hid_t driver_id(H5FD_class_value_t value) {
  const auto all = hdf5_drivers();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].value == value) return driver_ids()[i];
  return value == H5_VFD_MPIO ? mpio_id().load() : H5I_INVALID_HID;
}

hid_t default_driver_id() {
  const hid_t mpio = mpio_id();
  return mpio >= 0 && environment_names_mpio() ? mpio : driver_id(H5_VFD_SEC2);
}

void add_mpio_driver() { mpio_id() = ids().add(std::make_shared<DriverHandle>(mpio_driver_class(), true)); }

hid_t find_driver_id(const std::string& name) {
  static Mutex mutex;
  const MutexLock lock(mutex);
  for (const hid_t id : ids().of_type(H5I_VFL))
    if (const auto driver = ids().find_as<DriverHandle>(id); driver != nullptr && driver->name == name)
      return id;
  if (!drivers::find(name)) return H5I_INVALID_HID;
  static auto* const names = new std::set<std::string>;  // classes point to them
  const std::string& kept = *names->insert(name).first;
  return ids().add(std::make_shared<DriverHandle>(table_driver(kept.c_str()), true));
}

std::shared_ptr<DriverHandle> driver_of(const DriverSetting& setting) {
  const hid_t id = setting.driver < 0 ? default_driver_id() : setting.driver;
  const auto found = ids().find_as<DriverHandle>(id);
  if (found == nullptr) bad_value("the file driver of the property list is not registered any more");
  return found;
}

std::shared_ptr<const MpioParameters> mpio_parameters(const FileAccessSettings& settings) {
  if (settings.mpio.parameters != nullptr) return settings.mpio.parameters;
  if (environment_names_mpio()) return mpio_library()->world();
  throw Error(ErrorKind::invalid_argument,
              "the list has no communicator: H5Pset_fapl_mpio or H5Pset_mpi_params sets it");
}

void choose_driver(const FileAccessSettings& settings, AccessOptions& options) {
  const DriverSetting& setting = settings.driver;
  const auto driver = driver_of(setting);
  if (!driver->of_library) return;  // user_driver() is for these
  if (driver->functions.value == H5_VFD_INVALID) {
    options.driver = DriverChoice(driver->name, setting.configuration);
    return;
  }
  switch (driver->functions.value) {
    case H5_VFD_CORE:
      // Without write tracking HDF5 writes everything back; here only changed pages are, in any case.
      options.driver = MemoryDriver{driver_info<CoreInfo>(setting, H5_VFD_CORE)->backing_store,
                                    settings.tracks_writes ? settings.tracked_page_bytes : 0};
      break;
    case H5_VFD_FAMILY:
      options.driver = FamilyDriver{driver_info<FamilyInfo>(setting, H5_VFD_FAMILY)->member_bytes};
      break;
    case H5_VFD_MULTI:
      options.driver = choice_of(*driver_info<MultiInfo>(setting, H5_VFD_MULTI));
      break;
    case H5_VFD_SPLITTER:
      options.driver = splitter_of(*driver_info<SplitterInfo>(setting, H5_VFD_SPLITTER));
      break;
    case H5_VFD_LOG:
      if (const auto info = driver_info<LogInfo>(setting, H5_VFD_LOG); info != nullptr && info->flags != 0)
        options.log = log_to(*info);
      break;
    case H5_VFD_MPIO:
      options.driver = mpio_parameters(settings)->driver(mpio_parameters(settings));
      break;
    default:
      break;
  }
}

void set_up_drivers() {
  const auto all = hdf5_drivers();
  for (std::size_t i = 0; i < all.size(); ++i)
    driver_ids()[i] = ids().add(std::make_shared<DriverHandle>(all[i], true));
  if (mpio_library() != nullptr) add_mpio_driver();
}

}  // namespace filigree::capi
