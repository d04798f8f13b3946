// SPDX-License-Identifier: Apache-2.0
//
// References of HDF5 1.8, which are only valid in one file.
#include <cstring>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "capi/H5G/traverse.hpp"
#include "capi/H5L/link_info.hpp"
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

/// Returns the selection that a reference stores. As in HDF5, it does not include the offset.
Selection region_selection(SpaceValue space) {
  space.offset.clear();
  return public_selection(space, "the");
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
    const H5O_type_t found = object_type(referenced(id, ref_type, ref).object.kind());
    if (obj_type != nullptr) *obj_type = found;
  });
}

H5G_obj_t H5Rget_obj_type1(hid_t id, H5R_type_t ref_type, const void* ref) {
  return api_call_or(H5G_UNKNOWN, {"H5Rget_obj_type1", cannot_get(), "unable to find the type of the object"},
                     [&] {
                       switch (referenced(id, ref_type, ref).object.kind()) {
                         case ObjectKind::group:
                           return H5G_GROUP;
                         case ObjectKind::dataset:
                           return H5G_DATASET;
                         case ObjectKind::datatype:
                           return H5G_TYPE;
                       }
                       return H5G_UNKNOWN;
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
