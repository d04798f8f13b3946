// SPDX-License-Identifier: Apache-2.0
//
// Private functions of HDF5's high-level library that its Fortran library calls.
#include <hdf5_hl.h>

extern "C" {

/// Replaces an attribute of the object at a path by one with `size` values.
H5_DLL herr_t H5LT_set_attribute_numerical(hid_t loc_id, const char* obj_name, const char* attr_name,
                                           size_t size, hid_t type_id, const void* data) {
  const hid_t object = H5Oopen(loc_id, obj_name, H5P_DEFAULT);
  if (object < 0) return -1;
  const hsize_t dims = size;
  const hid_t space = H5Screate_simple(1, &dims, nullptr);
  const bool ready = H5Aexists(object, attr_name) <= 0 || H5Adelete(object, attr_name) >= 0;
  const hid_t attribute =
      ready ? H5Acreate2(object, attr_name, type_id, space, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
  const herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, type_id, data);
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Oclose(object);
  return result;
}

/// Returns 1 if the image has a palette, else 0.
H5_DLL herr_t H5IM_find_palette(hid_t loc_id) { return H5LTfind_attribute(loc_id, "PALETTE"); }

}  // extern "C"
