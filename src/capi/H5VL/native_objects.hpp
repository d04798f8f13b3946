// SPDX-License-Identifier: Apache-2.0
//
// Objects of the native connector, as other connectors hold them: pointers to the handles of ids.
#pragma once

#include "capi/H5F/file_ids.hpp"
#include "capi/H5VL/connectors.hpp"

namespace filigree::capi {

/// Returns the id of an object. It searches all ids, so that a pointer to anything else is found out.
/// *Throws* bad_value().
hid_t native_id(const void* object);
/// Returns the object of an id, or null for an invalid id.
void* native_object(hid_t id);

/// The id of the object that location parameters lead to. The destructor closes it if it was opened here.
class LocationId {
 public:
  /// *Throws* Failure.
  LocationId(void* object, const H5VL_loc_params_t* parameters);
  ~LocationId();
  LocationId(const LocationId&) = delete;
  LocationId& operator=(const LocationId&) = delete;
  hid_t get() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  bool opened_ = false;
};

/// A scope in which failures of this thread are not reported, because the caller reports them.
class QuietScope {
 public:
  QuietScope();
  ~QuietScope();
  QuietScope(const QuietScope&) = delete;
  QuietScope& operator=(const QuietScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> before_;
};

/// Runs a callback of the native connector. No exception leaves it.
template <class Result, class Work>
Result native_call(Result failed, Work&& work) noexcept {
  const ApiFunction entry("native connector", {&H5E_VOL_g, &H5E_CANTOPERATE_g}, "the operation failed");
  return api_call_keeping_errors(failed, entry, work);
}

// The parts of the class of the native connector.
extern const H5VL_attr_class_t native_attributes;
extern const H5VL_dataset_class_t native_datasets;
extern const H5VL_datatype_class_t native_datatypes;
extern const H5VL_file_class_t native_files;
extern const H5VL_group_class_t native_groups;
extern const H5VL_link_class_t native_links;
extern const H5VL_object_class_t native_object_calls;

}  // namespace filigree::capi
