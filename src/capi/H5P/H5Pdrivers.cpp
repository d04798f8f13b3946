// SPDX-License-Identifier: Apache-2.0
//
// Which driver files are reached through, and the ids of drivers.
#include <cstdlib>
#include <cstring>
#include <functional>

#include <H5FDwindows.h>

#include "capi/H5FD/drivers.hpp"
#include "capi/H5P/plist_calls.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Access = FileAccessSettings;

/// The functions for drivers tell of other lists by a record of their own.
std::shared_ptr<PropertyListHandle> access_list(hid_t id) {
  const auto plist = ids().find_as<PropertyListHandle>(id);
  if (plist == nullptr || dynamic_cast<const Access*>(plist->settings().get()) == nullptr)
    bad_type("not a file access property list");
  return plist;
}

std::shared_ptr<const Access> access_settings(hid_t id) {
  return std::static_pointer_cast<const Access>(access_list(id)->settings());
}

/// Settings of a list for members; null for the default.
std::shared_ptr<const Access> member_access(hid_t id) {
  if (id == H5P_DEFAULT) return nullptr;
  auto copy = std::make_shared<Access>(*access_settings(id));
  copy->make_own_copies();
  return copy;
}

hid_t member_list(const std::shared_ptr<const Access>& access) {
  auto copy = access == nullptr ? std::make_unique<Access>() : access->clone();
  copy->make_own_copies();
  return add_plist(std::move(copy));
}

template <class Info>
void set_driver(hid_t id, H5FD_class_value_t value, Info info) {
  access_list(id)->change<Access>({"vfd_info"}, [&](auto& s) {
    s.driver = {driver_id(value), std::make_shared<const Info>(std::move(info)), {}};
  });
}

void set_driver(hid_t id, H5FD_class_value_t value) {
  access_list(id)->change<Access>({"vfd_info"}, [&](auto& s) { s.driver = {driver_id(value), nullptr, {}}; });
}

template <class Info>
std::shared_ptr<const Info> get_info(hid_t id, H5FD_class_value_t value) {
  const auto settings = access_settings(id);
  if (driver_of(settings->driver)->functions.value != value)
    throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "the list asks for another driver");
  auto info = driver_info<Info>(settings->driver, value);
  if (info == nullptr) throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "the list has no driver info");
  return info;
}

ApiFunction driver_call(const char* function) {
  return property_call(function, &H5E_CANTSET_g, "can't set driver");
}

constexpr const char* letters = "Xsbrglo";

/// The defaults of HDF5 for a null argument: each memory type has its own file and its own address range.
MultiInfo usual_members() {
  MultiInfo info;
  for (std::size_t kind = 0; kind < info.map.size(); ++kind) {
    info.names[kind] = std::string("%s-") + letters[kind] + ".h5";
    info.addresses[kind] = kind > 1 ? (kind - 1) * (HADDR_MAX / (info.map.size() - 1)) : 0;
  }
  return info;
}

/// "%s" stands for the name of the file; without it the extension follows the name.
std::string member_name(const char* extension, const char* usual) {
  const std::string text = extension == nullptr ? usual : extension;
  return text.find("%s") == std::string::npos ? "%s" + text : text;
}

void check_splitter_config(const H5FD_splitter_vfd_config_t* config) {
  required(config, "config_ptr");
  if (config->magic != H5FD_SPLITTER_MAGIC) bad_value("invalid configuration: magic number mismatch");
  if (config->version != H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION)
    bad_value("invalid configuration: version number mismatch");
}

/// The list for a channel of the splitter driver. The copy must be a file that any driver can open.
std::shared_ptr<const Access> channel_access(hid_t id, bool compatible) {
  const auto access = with_error_code({&H5E_PLIST_g, &H5E_CANTGET_g}, [&] { return member_access(id); });
  unsigned long features = 0;
  if (access == nullptr || !compatible) return access;
  driver_of(access->driver)->functions.query(nullptr, &features);
  if ((features & H5FD_FEAT_DEFAULT_VFD_COMPATIBLE) == 0)
    throw Failure({&H5E_VFL_g, &H5E_BADVALUE_g},
                  "the driver of the copy is not compatible with the default driver");
  return access;
}

/// The driver "sec2". Lists with the default driver are equal to those that say nothing.
DriverSetting system_calls() {
  const hid_t id = driver_id(H5_VFD_SEC2);
  return id == default_driver_id() ? DriverSetting{} : DriverSetting{id, nullptr, {}};
}

/// For the functions that programs name a driver to.
void set_driver(hid_t plist_id, hid_t driver_id, const void* info, const char* configuration) {
  get_plist(plist_id);
  const auto handle = ids().get<DriverHandle>(driver_id, "a file driver ID");
  const auto plist = ids().get<PropertyListHandle>(plist_id, "a property list");
  if (dynamic_cast<const Access*>(plist->settings().get()) == nullptr)
    throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not a file access property list");
  DriverSetting setting{driver_id, nullptr, configuration == nullptr ? "" : configuration};
  if (!handle->of_library) setting.info = copy_driver_info(driver_id, info);
  // The built-in drivers have driver info of their own. A program can only assume the structures of HDF5.
  const H5FD_class_value_t value = handle->of_library ? handle->functions.value : H5_VFD_INVALID;
  if (value == H5_VFD_SEC2 && setting.configuration.empty()) setting = system_calls();
  if (value == H5_VFD_CORE) setting.info = std::make_shared<const CoreInfo>();
  if (value == H5_VFD_FAMILY) setting.info = std::make_shared<const FamilyInfo>();
  if (value == H5_VFD_SPLITTER) setting.info = std::make_shared<const SplitterInfo>();
  if (value == H5_VFD_MULTI) setting.info = std::make_shared<const MultiInfo>(usual_members());
  plist->change<Access>({"vfd_info"}, [&](auto& s) { s.driver = setting; });
}

/// The first driver that is registered and fits. Throws NestedFailure.
hid_t find_driver(const std::function<bool(const DriverHandle&)>& fits) {
  for (const hid_t id : ids().of_type(H5I_VFL))
    if (const auto driver = ids().find_as<DriverHandle>(id); driver != nullptr && fits(*driver)) return id;
  throw NestedFailure({&H5E_VFL_g, &H5E_NOTFOUND_g}, "no such driver is registered");
}

}  // namespace

herr_t H5Pset_fapl_sec2(hid_t fapl_id) {
  return api_call(driver_call("H5Pset_fapl_sec2"), [&] {
    access_list(fapl_id)->change<Access>({"vfd_info"}, [&](auto& s) { s.driver = system_calls(); });
  });
}

// A Windows system has the same driver under this name.
herr_t H5Pset_fapl_windows(hid_t fapl_id) {
  return api_call(driver_call("H5Pset_fapl_windows"), [&] {
    access_list(fapl_id)->change<Access>({"vfd_info"}, [&](auto& s) { s.driver = system_calls(); });
  });
}

herr_t H5Pset_fapl_stdio(hid_t fapl_id) {
  return api_call(driver_call("H5Pset_fapl_stdio"), [&] {
    get_plist(fapl_id);
    with_error_code({&H5E_PLIST_g, &H5E_BADTYPE_g}, [&] { set_driver(fapl_id, H5_VFD_STDIO); });
  });
}

herr_t H5Pset_fapl_log(hid_t fapl_id, const char* logfile, unsigned long long flags, size_t buf_size) {
  return api_call(driver_call("H5Pset_fapl_log"), [&] {
    set_driver(fapl_id, H5_VFD_LOG, LogInfo{logfile == nullptr ? "" : logfile, flags, buf_size});
  });
}

herr_t H5Pset_fapl_core(hid_t fapl_id, size_t increment, hbool_t backing_store) {
  return api_call(driver_call("H5Pset_fapl_core"), [&] {
    CoreInfo info;
    info.increment = increment;
    info.backing_store = backing_store;
    set_driver(fapl_id, H5_VFD_CORE, info);
  });
}

herr_t H5Pget_fapl_core(hid_t fapl_id, size_t* increment, hbool_t* backing_store) {
  return api_call(driver_call("H5Pget_fapl_core"), [&] {
    const auto info = get_info<CoreInfo>(fapl_id, H5_VFD_CORE);
    store_if(increment, info->increment);
    store_if(backing_store, info->backing_store);
  });
}

// The driver need not be chosen yet: the properties are its own, not its info.
herr_t H5Pset_core_write_tracking(hid_t fapl_id, hbool_t is_enabled, size_t page_size) {
  return api_call(plist_call("H5Pset_core_write_tracking"), [&] {
    if (page_size == 0) bad_value("page_size cannot be zero");
    change_settings<Access>(fapl_id, {"core_write_tracking_flag", "core_write_tracking_page_size"},
                            [&](auto& s) {
                              s.tracks_writes = is_enabled;
                              s.tracked_page_bytes = page_size;
                            });
  });
}

herr_t H5Pget_core_write_tracking(hid_t fapl_id, hbool_t* is_enabled, size_t* page_size) {
  return api_call(plist_call("H5Pget_core_write_tracking"), [&] {
    const auto settings = get_settings<Access>(fapl_id);
    store_if(is_enabled, settings->tracks_writes);
    store_if(page_size, settings->tracked_page_bytes);
  });
}

herr_t H5Pset_fapl_family(hid_t fapl_id, hsize_t memb_size, hid_t memb_fapl_id) {
  return api_call(driver_call("H5Pset_fapl_family"), [&] {
    access_list(fapl_id);
    set_driver(fapl_id, H5_VFD_FAMILY, FamilyInfo{memb_size, member_access(memb_fapl_id)});
  });
}

herr_t H5Pget_fapl_family(hid_t fapl_id, hsize_t* memb_size, hid_t* memb_fapl_id) {
  return api_call(driver_call("H5Pget_fapl_family"), [&] {
    const auto info = get_info<FamilyInfo>(fapl_id, H5_VFD_FAMILY);
    store_if(memb_size, info->member_bytes);
    if (memb_fapl_id != nullptr) *memb_fapl_id = member_list(info->member_access);
  });
}

herr_t H5Pset_fapl_multi(hid_t fapl_id, const H5FD_mem_t* memb_map, const hid_t* memb_fapl,
                         const char* const* memb_name, const haddr_t* memb_addr, hbool_t relax) {
  return api_call(driver_call("H5Pset_fapl_multi"), [&] {
    MultiInfo info = usual_members();
    for (std::size_t kind = 0; kind < info.map.size(); ++kind) {
      if (memb_map != nullptr) {
        info.map[kind] = memb_map[kind];
        if (info.map[kind] < H5FD_MEM_DEFAULT || info.map[kind] >= H5FD_MEM_NTYPES)
          throw Failure({&H5E_INTERNAL_g, &H5E_BADRANGE_g}, "memb_map has an unknown kind");
      }
      if (memb_fapl != nullptr && memb_fapl[kind] > 0) info.access[kind] = member_access(memb_fapl[kind]);
      if (memb_name != nullptr) info.names[kind] = memb_name[kind] == nullptr ? "" : memb_name[kind];
      if (memb_addr != nullptr) info.addresses[kind] = memb_addr[kind];
    }
    info.relax = relax;
    with_error_code({&H5E_PLIST_g, &H5E_BADVALUE_g},
                    [&] { set_driver(fapl_id, H5_VFD_MULTI, std::move(info)); });
  });
}

herr_t H5Pget_fapl_multi(hid_t fapl_id, H5FD_mem_t* memb_map, hid_t* memb_fapl, char** memb_name,
                         haddr_t* memb_addr, hbool_t* relax) {
  return api_call(driver_call("H5Pget_fapl_multi"), [&] {
    with_error_code({&H5E_PLIST_g, &H5E_BADTYPE_g}, [&] { access_settings(fapl_id); });
    const auto info = get_info<MultiInfo>(fapl_id, H5_VFD_MULTI);
    for (std::size_t kind = 0; kind < info->map.size(); ++kind) {
      if (memb_map != nullptr) memb_map[kind] = info->map[kind];
      if (memb_fapl != nullptr) memb_fapl[kind] = member_list(info->access[kind]);
      if (memb_name != nullptr)
        memb_name[kind] = info->names[kind].empty() ? nullptr : new_string(info->names[kind]);
      if (memb_addr != nullptr) memb_addr[kind] = info->addresses[kind];
    }
    store_if(relax, info->relax);
  });
}

herr_t H5Pset_fapl_split(hid_t fapl, const char* meta_ext, hid_t meta_plist_id, const char* raw_ext,
                         hid_t raw_plist_id) {
  return api_call(driver_call("H5Pset_fapl_split"), [&] {
    if (ids().find_as<PropertyListHandle>(fapl) == nullptr ||
        dynamic_cast<const Access*>(get_plist(fapl)->settings().get()) == nullptr)
      throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "not a file access property list");
    constexpr auto metadata = static_cast<std::size_t>(H5FD_MEM_SUPER);
    constexpr auto raw = static_cast<std::size_t>(H5FD_MEM_DRAW);
    MultiInfo info;
    info.map.fill(H5FD_MEM_SUPER);
    info.map[raw] = H5FD_MEM_DRAW;
    info.names[metadata] = member_name(meta_ext, ".meta");
    info.names[raw] = member_name(raw_ext, ".raw");
    info.access[metadata] = member_access(meta_plist_id);
    info.access[raw] = member_access(raw_plist_id);
    info.addresses.fill(HADDR_UNDEF);
    info.addresses[metadata] = 0;
    info.addresses[raw] = HADDR_MAX / 2;
    set_driver(fapl, H5_VFD_MULTI, std::move(info));
  });
}

herr_t H5Pset_fapl_splitter(hid_t fapl_id, H5FD_splitter_vfd_config_t* config_ptr) {
  return api_call(driver_call("H5Pset_fapl_splitter"), [&] {
    check_splitter_config(config_ptr);
    access_list(fapl_id);
    SplitterInfo info;
    info.access = channel_access(config_ptr->rw_fapl_id, false);
    info.copy_access = channel_access(config_ptr->wo_fapl_id, true);
    info.copy_path.assign(config_ptr->wo_path, strnlen(config_ptr->wo_path, H5FD_SPLITTER_PATH_MAX));
    info.log_path.assign(config_ptr->log_file_path,
                         strnlen(config_ptr->log_file_path, H5FD_SPLITTER_PATH_MAX));
    info.ignore_copy_faults = config_ptr->ignore_wo_errs;
    set_driver(fapl_id, H5_VFD_SPLITTER, std::move(info));
  });
}

herr_t H5Pget_fapl_splitter(hid_t fapl_id, H5FD_splitter_vfd_config_t* config_ptr) {
  return api_call(driver_call("H5Pget_fapl_splitter"), [&] {
    access_list(fapl_id);
    check_splitter_config(config_ptr);
    config_ptr->rw_fapl_id = config_ptr->wo_fapl_id = H5I_INVALID_HID;
    const auto info = get_info<SplitterInfo>(fapl_id, H5_VFD_SPLITTER);
    const auto copy = [](const std::string& from, char* to) {
      std::memset(to, 0, H5FD_SPLITTER_PATH_MAX + 1);
      std::memcpy(to, from.data(), from.size());
    };
    copy(info->copy_path, config_ptr->wo_path);
    copy(info->log_path, config_ptr->log_file_path);
    config_ptr->ignore_wo_errs = info->ignore_copy_faults;
    config_ptr->rw_fapl_id = member_list(info->access);
    config_ptr->wo_fapl_id = member_list(info->copy_access);
  });
}

herr_t H5Pset_driver(hid_t plist_id, hid_t driver_id, const void* driver_info) {
  return api_call(property_call("H5Pset_driver", &H5E_CANTSET_g, "can't set driver info"),
                  [&] { set_driver(plist_id, driver_id, driver_info, ""); });
}

herr_t H5Pset_driver_by_name(hid_t plist_id, const char* driver_name, const char* driver_config) {
  return api_call(property_call(__func__, &H5E_CANTSET_g, "can't set driver info"), [&] {
    required_string(driver_name, "driver_name");
    const hid_t id = find_driver_id(driver_name);
    if (id < 0) throw NestedFailure({&H5E_VFL_g, &H5E_NOTFOUND_g}, "no such driver is registered");
    set_driver(plist_id, id, nullptr, driver_config);
  });
}

herr_t H5Pset_driver_by_value(hid_t plist_id, H5FD_class_value_t driver_value, const char* driver_config) {
  return api_call(property_call(__func__, &H5E_CANTSET_g, "can't set driver info"), [&] {
    if (driver_value < 0 || driver_value > H5_VFD_MAX) bad_value("invalid value for the driver");
    const hid_t id =
        find_driver([&](const DriverHandle& driver) { return driver.functions.value == driver_value; });
    set_driver(plist_id, id, nullptr, driver_config);
  });
}

ssize_t H5Pget_driver_config_str(hid_t fapl_id, char* config_buf, size_t buf_size) {
  return api_call(property_call(__func__, &H5E_CANTGET_g, "can't get driver configuration string"), [&] {
    if (config_buf == nullptr && buf_size != 0) bad_value("config_buf cannot be NULL");
    return copy_string(access_settings(fapl_id)->driver.configuration, config_buf, buf_size);
  });
}

hid_t H5Pget_driver(hid_t plist_id) {
  return api_call(property_call("H5Pget_driver", &H5E_CANTGET_g, "can't get driver"), [&] {
    const auto plist = get_plist(plist_id);
    const auto settings = std::dynamic_pointer_cast<const Access>(plist->settings());
    if (settings == nullptr)
      throw NestedFailure({&H5E_PLIST_g, &H5E_BADTYPE_g}, "not a file access property list");
    return settings->driver.driver < 0 ? default_driver_id() : settings->driver.driver;
  });
}

const void* H5Pget_driver_info(hid_t plist_id) {
  const ApiFunction entry = property_call("H5Pget_driver_info", &H5E_CANTGET_g, "can't get driver info");
  return api_call_or<const void*>(nullptr, entry, [&]() -> const void* {
    const auto settings = std::dynamic_pointer_cast<const Access>(get_plist(plist_id)->settings());
    if (settings == nullptr)
      throw NestedFailure({&H5E_PLIST_g, &H5E_BADTYPE_g}, "not a file access property list");
    if (settings->driver.info == nullptr) throw Failure(entry.code, "the driver has no info");
    return settings->driver.info.get();
  });
}

hid_t H5FD_sec2_init(void) {
  return api_call(driver_call("H5FD_sec2_init"), [] { return driver_id(H5_VFD_SEC2); });
}
hid_t H5FD_core_init(void) {
  return api_call(driver_call("H5FD_core_init"), [] { return driver_id(H5_VFD_CORE); });
}
hid_t H5FD_log_init(void) {
  return api_call(driver_call("H5FD_log_init"), [] { return driver_id(H5_VFD_LOG); });
}
hid_t H5FD_family_init(void) {
  return api_call(driver_call("H5FD_family_init"), [] { return driver_id(H5_VFD_FAMILY); });
}
hid_t H5FD_multi_init(void) {
  return api_call(driver_call("H5FD_multi_init"), [] { return driver_id(H5_VFD_MULTI); });
}
hid_t H5FD_stdio_init(void) {
  return api_call(driver_call("H5FD_stdio_init"), [] { return driver_id(H5_VFD_STDIO); });
}

hid_t H5FD_splitter_init(void) {
  return api_call(driver_call("H5FD_splitter_init"), [] { return driver_id(H5_VFD_SPLITTER); });
}

hid_t H5FDperform_init(H5FD_init_t op) {
  return api_call(driver_call("H5FDperform_init"), [&] { return required(op, "op")(); });
}
