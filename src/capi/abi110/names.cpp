// SPDX-License-Identifier: Apache-2.0
//
// The plain function names of HDF5 1.10. Later headers turned these names into macros for numbered functions.
// Binaries of HDF5 1.10 mean the first version of each.
#include <hdf5.h>

#undef H5Lget_info
#undef H5Lget_info_by_idx
#undef H5Literate
#undef H5Literate_by_name
#undef H5Lvisit
#undef H5Lvisit_by_name
#undef H5Oget_info
#undef H5Oget_info_by_idx
#undef H5Oget_info_by_name
#undef H5Ovisit
#undef H5Ovisit_by_name
#undef H5Sencode

extern "C" {

H5_DLL herr_t H5Lget_info(hid_t loc, const char* name, H5L_info1_t* info, hid_t lapl) {
  return H5Lget_info1(loc, name, info, lapl);
}

H5_DLL herr_t H5Lget_info_by_idx(hid_t loc, const char* group, H5_index_t index, H5_iter_order_t order,
                                 hsize_t n, H5L_info1_t* info, hid_t lapl) {
  return H5Lget_info_by_idx1(loc, group, index, order, n, info, lapl);
}

H5_DLL herr_t H5Literate(hid_t group, H5_index_t index, H5_iter_order_t order, hsize_t* position,
                         H5L_iterate1_t visit, void* data) {
  return H5Literate1(group, index, order, position, visit, data);
}

H5_DLL herr_t H5Literate_by_name(hid_t loc, const char* group, H5_index_t index, H5_iter_order_t order,
                                 hsize_t* position, H5L_iterate1_t visit, void* data, hid_t lapl) {
  return H5Literate_by_name1(loc, group, index, order, position, visit, data, lapl);
}

H5_DLL herr_t H5Lvisit(hid_t group, H5_index_t index, H5_iter_order_t order, H5L_iterate1_t visit,
                       void* data) {
  return H5Lvisit1(group, index, order, visit, data);
}

H5_DLL herr_t H5Lvisit_by_name(hid_t loc, const char* group, H5_index_t index, H5_iter_order_t order,
                               H5L_iterate1_t visit, void* data, hid_t lapl) {
  return H5Lvisit_by_name1(loc, group, index, order, visit, data, lapl);
}

H5_DLL herr_t H5Oget_info(hid_t object, H5O_info1_t* info) { return H5Oget_info1(object, info); }

H5_DLL herr_t H5Oget_info_by_idx(hid_t loc, const char* group, H5_index_t index, H5_iter_order_t order,
                                 hsize_t n, H5O_info1_t* info, hid_t lapl) {
  return H5Oget_info_by_idx1(loc, group, index, order, n, info, lapl);
}

H5_DLL herr_t H5Oget_info_by_name(hid_t loc, const char* name, H5O_info1_t* info, hid_t lapl) {
  return H5Oget_info_by_name1(loc, name, info, lapl);
}

H5_DLL herr_t H5Ovisit(hid_t object, H5_index_t index, H5_iter_order_t order, H5O_iterate1_t visit,
                       void* data) {
  return H5Ovisit1(object, index, order, visit, data);
}

H5_DLL herr_t H5Ovisit_by_name(hid_t loc, const char* object, H5_index_t index, H5_iter_order_t order,
                               H5O_iterate1_t visit, void* data, hid_t lapl) {
  return H5Ovisit_by_name1(loc, object, index, order, visit, data, lapl);
}

/// Programs derive the available functions and constants from the version, so this is the version that they
/// were built with.
H5_DLL herr_t H5get_libversion(unsigned* major, unsigned* minor, unsigned* release) {
  if (major != nullptr) *major = 1;
  if (minor != nullptr) *minor = 10;
  if (release != nullptr) *release = 8;
  return 0;
}

H5_DLL herr_t H5Sencode(hid_t space, void* buffer, size_t* bytes) { return H5Sencode1(space, buffer, bytes); }

}  // extern "C"
