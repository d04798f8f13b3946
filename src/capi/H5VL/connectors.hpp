// SPDX-License-Identifier: Apache-2.0
//
// VOL connectors: the native one, HDF5's pass-through connector, and classes that programs register.
//
// Files are opened by the native connector, directly or through the pass-through connector. Calls of the API
// do not go through user-defined classes.
#pragma once

#include <memory>
#include <string>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5P/settings.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

/// The handle of a connector's id.
class ConnectorHandle final : public Handle {
 public:
  enum class Kind : std::uint8_t { native, pass_through, of_program };

  ConnectorHandle(const H5VL_class_t& given, Kind kind);
  H5I_type_t type() const override { return H5I_VOL; }
  bool permanent() const override { return kind_ == Kind::native; }
  void close() override;  ///< calls `terminate`
  Kind kind() const { return kind_; }
  const H5VL_class_t& functions() const { return functions_; }

 private:
  std::string name_;
  H5VL_class_t functions_;
  Kind kind_;
};

/// Returns the connector of an id. *Throws* bad_type().
std::shared_ptr<ConnectorHandle> get_connector(hid_t id);
/// Return the ids of the two connectors of the library. That of the pass-through connector is created here.
hid_t native_connector();
hid_t pass_through_connector();
/// Return the id of a registered connector, or H5I_INVALID_HID.
hid_t find_connector(const char* name);
hid_t find_connector(H5VL_class_value_t value);
/// Registers a class, and calls its `initialize`. *Throws* Failure.
hid_t add_connector(const H5VL_class_t& functions, ConnectorHandle::Kind kind, hid_t initialize_plist);
/// Registers a class that a plugin has. *Throws* NestedFailure when there is no such plugin.
hid_t load_connector(const char* name, H5VL_class_value_t value, hid_t initialize_plist);

/// Returns a connector with a copy of its info, which the connector copies and frees itself. *Throws*
/// Failure.
ConnectorSetting connector_setting(hid_t connector, const void* info);
/// Returns a copy of an info that the program frees. *Throws* Failure.
void* copy_connector_info(const H5VL_class_t& functions, const void* info);
/// Frees such a copy. *Throws* Failure when the connector reports an error.
void free_connector_info(const H5VL_class_t& functions, void* info);
/// Compares like strcmp(), with null before everything else.
int compare_connector_infos(const H5VL_class_t& functions, const void* a, const void* b);
/// Compares value, name, version and size of the info.
int compare_connectors(const H5VL_class_t& a, const H5VL_class_t& b);

/// Returns the connector that a list asks for. A list without one has the default connector, which the
/// environment variable HDF5_VOL_CONNECTOR names. *Throws* Failure for an unknown one there.
ConnectorSetting chosen_connector(const FileAccessSettings& access);
/// *Throws* NestedFailure unless the connector leads to the native one.
void require_native(const FileAccessSettings& access);

/// Returns the handle of an id of a file, or of something in one. *Throws* bad_type().
std::shared_ptr<InFileHandle> object_in_file(hid_t id);
/// Returns the size of addresses in the file of an object. *Throws* bad_type().
unsigned address_bytes(hid_t object);
/// Convert between addresses and tokens in the file of an object. They *throw* bad_type().
H5O_token_t native_token(hid_t object, haddr_t address);
haddr_t native_address(hid_t object, const H5O_token_t& token);
/// Returns what a connector says that it can do. *Throws* Failure.
std::uint64_t capabilities(const H5VL_class_t& functions, const void* info);

/// The class of the native connector, whose objects are the handles of ids.
const H5VL_class_t& native_class();
/// The class of the pass-through connector, whose objects are those of the native connector.
const H5VL_class_t& pass_through_class();

}  // namespace filigree::capi
