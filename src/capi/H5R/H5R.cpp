// SPDX-License-Identifier: Apache-2.0
//
// References: those of HDF5 1.8, which are only valid in one file, and those of HDF5 1.12.
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "capi/H5G/traverse.hpp"
#include "capi/H5R/references.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {
namespace {

Code cannot_create() { return {&H5E_REFERENCE_g, &H5E_CANTCREATE_g}; }
Code cannot_open() { return {&H5E_REFERENCE_g, &H5E_CANTOPENOBJ_g}; }
Code cannot_get() { return {&H5E_REFERENCE_g, &H5E_CANTGET_g}; }

RegionReference region_at(const void* reference) {
  RegionReference region;
  static_assert(sizeof region.bytes == sizeof(hdset_reg_ref_t));
  std::memcpy(region.bytes.data(), reference, region.bytes.size());
  return region;
}

ObjectReference object_at(const void* reference) {
  ObjectReference object;
  static_assert(sizeof object.address == sizeof(hobj_ref_t));
  std::memcpy(&object.address, reference, sizeof object.address);
  return object;
}

void check_kind(H5R_type_t kind) {
  if (kind != H5R_OBJECT1 && kind != H5R_DATASET_REGION1)
    bad_value("ref_type is neither that of an object nor that of a region");
}

/// Returns the object that a reference of HDF5 1.8 leads to.
Location referenced(hid_t id, H5R_type_t kind, const void* reference) {
  const Location at = location(id);
  required(reference, "ref");
  check_kind(kind);
  const File& file = at.open->file;
  if (kind == H5R_OBJECT1) return {at.open, file.open_object(object_at(reference)), ""};
  return {at.open, file.open_region(region_at(reference)).dataset, ""};
}

ssize_t referenced_name(hid_t id, H5R_type_t kind, const void* reference, char* name, std::size_t size) {
  const Location at = location(id);
  required(reference, "ref");
  check_kind(kind);
  if (kind == H5R_OBJECT1) {
    // No path leads to an address without an object, or to an object without links.
    try {
      const Location found{at.open, at.open->file.open_object(object_at(reference)), ""};
      return copy_string(find_path(found), name, size);
    } catch (const Error&) {
      return copy_string("", name, size);
    }
  }
  return copy_string(find_path(referenced(id, kind, reference)), name, size);
}

H5O_type_t object_type(const Object& object) {
  switch (object.kind()) {
    case ObjectKind::group:
      return H5O_TYPE_GROUP;
    case ObjectKind::dataset:
      return H5O_TYPE_DATASET;
    case ObjectKind::datatype:
      return H5O_TYPE_NAMED_DATATYPE;
  }
  return H5O_TYPE_UNKNOWN;
}

/// Returns the selection that a reference stores. As in HDF5, it does not include the offset.
Selection region_selection(SpaceValue space) {
  space.offset.clear();
  return public_selection(space, "the");
}

space::Selection selection_of(const SpaceValue& space) {
  return api::to_space(region_selection(space), space.extent.dims());
}

hid_t add_region(const Dataset& dataset, space::Selection selection) {
  SpaceValue value;
  value.extent = dataset.space();
  if (selection.kind() != space::Selection::Kind::all) value.selection = std::move(selection);
  return add_space(std::move(value));
}

/// Returns the object that a reference of HDF5 1.12 leads to. The reference must have been read through an
/// open file.
Location referenced(const H5R_ref_t* reference) {
  const Reference& value = get_reference(reference);
  if (value.file == nullptr) bad_value("the reference belongs to no open file");
  return {value.file, value.file->file.open_object(ObjectReference{value.address()}), ""};
}

void check_access(hid_t plist) {
  if (plist < 0) bad_type("not a property list");
  if (plist != H5P_DEFAULT) as_nested_error([&] { return get_plist(plist); });
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree;
using namespace filigree::capi;

herr_t H5Rcreate(void* ref, hid_t loc_id, const char* name, H5R_type_t ref_type, hid_t space_id) {
  return api_call({"H5Rcreate", cannot_create(), "unable to create the reference"}, [&] {
    required(ref, "ref");
    const Location start = location(loc_id);
    required_string(name, "name");
    check_kind(ref_type);
    if (ref_type == H5R_DATASET_REGION1 && space_id == H5I_INVALID_HID)
      bad_value("a region needs a dataspace");
    const auto given = space_id == H5I_INVALID_HID ? nullptr : get_space(space_id);
    const auto space = ref_type == H5R_DATASET_REGION1 ? given : nullptr;
    const Location at = traverse(start, name, link_access(H5P_DEFAULT));
    if (space == nullptr) {
      const hobj_ref_t address = at.object.address();
      std::memcpy(ref, &address, sizeof address);
      return;
    }
    const RegionReference region = Dataset(at.object).region_reference(region_selection(*space));
    std::memcpy(ref, region.bytes.data(), region.bytes.size());
  });
}

hid_t H5Rdereference2(hid_t obj_id, hid_t oapl_id, H5R_type_t ref_type, const void* ref) {
  return api_call({"H5Rdereference2", cannot_open(), "unable to follow the reference"}, [&] {
    location(obj_id);
    required(ref, "ref");
    check_kind(ref_type);
    check_access(oapl_id);
    return add_object(referenced(obj_id, ref_type, ref));
  });
}

hid_t H5Rdereference1(hid_t obj_id, H5R_type_t ref_type, const void* ref) {
  return api_call({"H5Rdereference1", {&H5E_REFERENCE_g, &H5E_CANTINIT_g}, "unable to follow the reference"},
                  [&] { return add_object(referenced(obj_id, ref_type, ref)); });
}

herr_t H5Rget_obj_type2(hid_t id, H5R_type_t ref_type, const void* ref, H5O_type_t* obj_type) {
  return api_call({"H5Rget_obj_type2", cannot_get(), "unable to find the type of the object"}, [&] {
    const H5O_type_t found = object_type(referenced(id, ref_type, ref).object);
    if (obj_type != nullptr) *obj_type = found;
  });
}

hid_t H5Rget_region(hid_t dataset, H5R_type_t ref_type, const void* ref) {
  return api_call({"H5Rget_region", cannot_get(), "unable to get the region"}, [&] {
    const Location at = location(dataset);
    required(ref, "ref");
    if (ref_type != H5R_DATASET_REGION1) bad_value("ref_type is not that of a region");
    const Region region = at.open->file.open_region(region_at(ref));
    return add_region(region.dataset, api::to_space(region.selection, region.dataset.space().dims()));
  });
}

ssize_t H5Rget_name(hid_t loc_id, H5R_type_t ref_type, const void* ref, char* name, size_t size) {
  return api_call({"H5Rget_name", cannot_get(), "unable to get the name of the object"},
                  [&] { return referenced_name(loc_id, ref_type, ref, name, size); });
}

herr_t H5Rcreate_object(hid_t loc_id, const char* name, hid_t oapl_id, H5R_ref_t* ref_ptr) {
  return api_call({"H5Rcreate_object", cannot_create(), "unable to create the reference"}, [&] {
    required(ref_ptr, "ref_ptr");
    required_string(name, "name");
    check_access(oapl_id);
    const Location at = traverse(location(loc_id), name, link_access(H5P_DEFAULT));
    Reference made = Reference::to_object(at.object.address());
    made.file = in_use(at.open);
    store_reference(ref_ptr, std::move(made));
  });
}

herr_t H5Rcreate_region(hid_t loc_id, const char* name, hid_t space_id, hid_t oapl_id, H5R_ref_t* ref_ptr) {
  return api_call({"H5Rcreate_region", cannot_create(), "unable to create the reference"}, [&] {
    required(ref_ptr, "ref_ptr");
    required_string(name, "name");
    if (space_id == H5I_INVALID_HID) bad_value("a region needs a dataspace");
    check_access(oapl_id);
    const auto space = get_space(space_id);
    const Location at = traverse(location(loc_id), name, link_access(H5P_DEFAULT));
    const Dataset dataset(at.object);
    Reference made = Reference::to_region(at.object.address(), dataset.space(), selection_of(*space));
    made.file = in_use(at.open);
    store_reference(ref_ptr, std::move(made));
  });
}

herr_t H5Rdestroy(H5R_ref_t* ref_ptr) {
  return api_call({"H5Rdestroy", {&H5E_REFERENCE_g, &H5E_CANTFREE_g}, "unable to free the reference"},
                  [&] { destroy_reference(required(ref_ptr, "ref_ptr")); });
}

H5R_type_t H5Rget_type(const H5R_ref_t* ref_ptr) {
  return api_call_or(H5R_BADTYPE, {"H5Rget_type", cannot_get(), "unable to get the type of the reference"},
                     [&] { return get_reference(ref_ptr).kind(); });
}

herr_t H5Rget_obj_type3(H5R_ref_t* ref_ptr, hid_t rapl_id, H5O_type_t* obj_type) {
  return api_call({"H5Rget_obj_type3", cannot_get(), "unable to find the type of the object"}, [&] {
    check_access(rapl_id);
    const H5O_type_t found = object_type(referenced(ref_ptr).object);
    if (obj_type != nullptr) *obj_type = found;
  });
}

hid_t H5Ropen_object(H5R_ref_t* ref_ptr, hid_t rapl_id, hid_t oapl_id) {
  return api_call({"H5Ropen_object", cannot_open(), "unable to open the object"}, [&] {
    check_access(rapl_id);
    check_access(oapl_id);
    return add_object(referenced(ref_ptr));
  });
}

hid_t H5Ropen_region(H5R_ref_t* ref_ptr, hid_t rapl_id, hid_t oapl_id) {
  return api_call({"H5Ropen_region", cannot_open(), "unable to open the region"}, [&] {
    check_access(rapl_id);
    check_access(oapl_id);
    const Reference& value = get_reference(ref_ptr);
    if (value.kind() != H5R_DATASET_REGION2) bad_value("the reference is not one to a region");
    const Dataset dataset(referenced(ref_ptr).object);
    return add_region(dataset, value.selection(space::Frame(dataset.space().dims())));
  });
}
