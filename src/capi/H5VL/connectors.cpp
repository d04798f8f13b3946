// SPDX-License-Identifier: Apache-2.0
#include "capi/H5VL/connectors.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "base/mutex.hpp"
#include "capi/H5FD/drivers.hpp"
#include "capi/H5PL/plugins.hpp"
#include "capi/core/library.hpp"
#include "capi/core/nested_error.hpp"

namespace filigree::capi {
namespace {

std::atomic<hid_t> native_id{H5I_INVALID_HID};
std::atomic<hid_t> pass_through_id{H5I_INVALID_HID};

Mutex& registering() {
  static auto* const mutex = new Mutex;
  return *mutex;
}

template <class Fits>
hid_t first_connector(Fits fits) {
  for (const hid_t id : ids().of_type(H5I_VOL)) {
    const auto connector = ids().peek_as<ConnectorHandle>(id);
    if (connector != nullptr && fits(connector->functions())) return id;
  }
  return H5I_INVALID_HID;
}

/// Returns the connector that the environment names, with its info.
ConnectorSetting environment_connector(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos)
    throw NestedFailure({&H5E_VOL_g, &H5E_BADVALUE_g}, "HDF5_VOL_CONNECTOR has no name of a connector");
  text.remove_prefix(start);
  const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
  const std::string name(text.substr(0, end));
  hid_t id = name == H5VL_PASSTHRU_NAME ? pass_through_connector() : find_connector(name.c_str());
  if (id < 0) id = load_connector(name.c_str(), H5_VOL_INVALID, H5P_LST_VOL_INITIALIZE_ID_g);
  const std::string info(text.substr(std::min(end + 1, text.size())));
  const H5VL_class_t& functions = get_connector(id)->functions();
  if (info.empty() || functions.info_cls.from_str == nullptr) return connector_setting(id, nullptr);
  void* made = nullptr;
  if (functions.info_cls.from_str(info.c_str(), &made) < 0)
    throw NestedFailure({&H5E_VOL_g, &H5E_CANTDECODE_g},
                        fmt::format("the connector '{}' does not understand '{}'", name, info));
  ConnectorSetting setting = connector_setting(id, made);
  free_connector_info(functions, made);
  return setting;
}

}  // namespace

ConnectorHandle::ConnectorHandle(const H5VL_class_t& given, Kind kind)
    : name_(given.name), functions_(given), kind_(kind) {
  functions_.name = name_.c_str();
}

void ConnectorHandle::close() {
  if (kind_ == Kind::pass_through) pass_through_id = H5I_INVALID_HID;
  if (functions_.terminate != nullptr && functions_.terminate() < 0)
    throw NestedFailure({&H5E_VOL_g, &H5E_CANTCLOSEOBJ_g},
                        fmt::format("the VOL connector '{}' did not terminate cleanly", name_));
}

std::shared_ptr<ConnectorHandle> get_connector(hid_t id) {
  return ids().get<ConnectorHandle>(id, "a VOL connector ID");
}

hid_t native_connector() { return native_id.load(); }

hid_t pass_through_connector() {
  const MutexLock lock(registering());
  if (pass_through_id.load() < 0)
    pass_through_id =
        add_connector(pass_through_class(), ConnectorHandle::Kind::pass_through, H5P_LST_VOL_INITIALIZE_ID_g);
  return pass_through_id.load();
}

void set_up_connectors() {
  const H5VL_class_t& native = native_class();
  native_id = ids().add(std::make_shared<ConnectorHandle>(native, ConnectorHandle::Kind::native));
  ids().retain(native_id);  // H5VL_native_register() returns a count that programs may release
}

hid_t find_connector(const char* name) {
  if (name == nullptr) return H5I_INVALID_HID;
  return first_connector([&](const H5VL_class_t& known) { return std::strcmp(known.name, name) == 0; });
}

hid_t find_connector(H5VL_class_value_t value) {
  return first_connector([&](const H5VL_class_t& known) { return known.value == value; });
}

hid_t add_connector(const H5VL_class_t& functions, ConnectorHandle::Kind kind, hid_t initialize_plist) {
  if (functions.initialize != nullptr && functions.initialize(initialize_plist) < 0)
    throw CallbackFailure({&H5E_VOL_g, &H5E_CANTREGISTER_g},
                          fmt::format("the VOL connector '{}' failed to initialise", functions.name));
  return ids().add(std::make_shared<ConnectorHandle>(functions, kind));
}

hid_t load_connector(const char* name, H5VL_class_value_t value, hid_t initialize_plist) {
  const H5VL_class_t* const found = find_plugin_connector(name, value);
  if (found == nullptr) {
    const std::string which = name == nullptr ? fmt::format("of value {}", value) : fmt::format("'{}'", name);
    throw NestedFailure({&H5E_VOL_g, &H5E_CANTINIT_g},
                        fmt::format("there is no VOL connector {}, and no plugin with one", which));
  }
  return add_connector(*found, ConnectorHandle::Kind::of_program, initialize_plist);
}

void* copy_connector_info(const H5VL_class_t& functions, const void* info) {
  if (info == nullptr) return nullptr;
  const Code cannot_copy{&H5E_VOL_g, &H5E_CANTCOPY_g};
  if (functions.info_cls.copy != nullptr) {
    void* const copy = functions.info_cls.copy(info);
    if (copy == nullptr)
      throw NestedFailure(cannot_copy,
                          fmt::format("the VOL connector '{}' failed to copy its info", functions.name));
    return copy;
  }
  if (functions.info_cls.size == 0)
    throw NestedFailure({&H5E_VOL_g, &H5E_UNSUPPORTED_g},
                        fmt::format("the VOL connector '{}' cannot copy its info", functions.name));
  void* const copy = std::malloc(functions.info_cls.size);
  if (copy == nullptr) throw std::bad_alloc();
  return std::memcpy(copy, info, functions.info_cls.size);
}

void free_connector_info(const H5VL_class_t& functions, void* info) {
  if (info == nullptr) return;
  if (functions.info_cls.free == nullptr) return std::free(info);
  if (functions.info_cls.free(info) < 0)
    throw NestedFailure({&H5E_VOL_g, &H5E_CANTRELEASE_g},
                        fmt::format("the VOL connector '{}' failed to free its info", functions.name));
}

int compare_connector_infos(const H5VL_class_t& functions, const void* a, const void* b) {
  if (a == nullptr || b == nullptr) return (a != nullptr) - (b != nullptr);
  if (functions.info_cls.cmp == nullptr) return std::memcmp(a, b, functions.info_cls.size);
  int result = 0;
  if (functions.info_cls.cmp(&result, a, b) < 0)
    throw NestedFailure({&H5E_VOL_g, &H5E_CANTCOMPARE_g},
                        fmt::format("the VOL connector '{}' failed to compare its infos", functions.name));
  return result;
}

int compare_connectors(const H5VL_class_t& a, const H5VL_class_t& b) {
  const auto order = [](auto first, auto second) { return first < second ? -1 : first > second ? 1 : 0; };
  if (a.value != b.value) return order(a.value, b.value);
  if (const int names = std::strcmp(a.name, b.name); names != 0) return names;
  if (a.version != b.version) return order(a.version, b.version);
  return order(a.info_cls.size, b.info_cls.size);
}

ConnectorSetting connector_setting(hid_t id, const void* info) {
  const auto connector = get_connector(id);
  auto keep = retained(id);
  void* const copy = copy_connector_info(connector->functions(), info);
  return {id, std::shared_ptr<const void>(copy, [connector, keep = std::move(keep)](void* old) {
            try {
              free_connector_info(connector->functions(), old);
            } catch (...) {  // There is nowhere left to report to.
            }
          })};
}

bool ConnectorSetting::operator==(const ConnectorSetting& other) const {
  const auto mine = ids().find_as<ConnectorHandle>(id < 0 ? native_connector() : id);
  const auto theirs = ids().find_as<ConnectorHandle>(other.id < 0 ? native_connector() : other.id);
  if (mine == nullptr || theirs == nullptr) return mine == theirs;
  if (compare_connectors(mine->functions(), theirs->functions()) != 0) return false;
  return compare_connector_infos(mine->functions(), info.get(), other.info.get()) == 0;
}

ConnectorSetting ConnectorSetting::copied() const {
  return id < 0 ? ConnectorSetting{} : connector_setting(id, info.get());
}

ConnectorSetting chosen_connector(const FileAccessSettings& access) {
  if (access.connector.id >= 0) return access.connector;
  const char* const text = std::getenv("HDF5_VOL_CONNECTOR");
  if (text == nullptr || *text == '\0') return {native_connector(), nullptr};
  // The environment counts as it is when the first file is opened.
  static const std::string first = text;
  return environment_connector(first);
}

void require_native(const FileAccessSettings& access) {
  ConnectorSetting setting = chosen_connector(access);
  hid_t id = setting.id;
  const void* info = setting.info.get();
  for (;;) {
    const auto connector = ids().find_as<ConnectorHandle>(id);
    if (connector == nullptr) throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not a VOL connector ID");
    if (connector->kind() == ConnectorHandle::Kind::native) return;
    const char* const name = connector->functions().name;
    if (connector->kind() == ConnectorHandle::Kind::of_program)
      throw NestedFailure({&H5E_VOL_g, &H5E_UNSUPPORTED_g},
                          fmt::format("files cannot be opened through the VOL connector '{}': only 'native' "
                                      "and 'pass_through' open files",
                                      name));
    if (info == nullptr)
      throw NestedFailure({&H5E_VOL_g, &H5E_BADVALUE_g},
                          fmt::format("the VOL connector '{}' needs an info that names the next one", name));
    const auto* const next = static_cast<const H5VL_pass_through_info_t*>(info);
    id = next->under_vol_id;
    info = next->under_vol_info;
  }
}

}  // namespace filigree::capi
