// SPDX-License-Identifier: Apache-2.0
//
// Types of ids with the numbers of HDF5 1.10. Later releases inserted types for maps and connectors, and
// removed the type of references.
#include <hdf5.h>

#include "capi/abi110/next.hpp"

namespace {

/// The last type of 1.10 that is followed by user-defined types.
constexpr int user_types_110 = 14;
constexpr int added_types = H5I_NTYPES - user_types_110;

/// The numbers of 1.14 in the order of those of 1.10. Nothing has the type of references; the type of maps
/// stands for it, of which there are none either.
constexpr H5I_type_t from_110[user_types_110] = {static_cast<H5I_type_t>(0),
                                                 H5I_FILE,
                                                 H5I_GROUP,
                                                 H5I_DATATYPE,
                                                 H5I_DATASPACE,
                                                 H5I_DATASET,
                                                 H5I_ATTR,
                                                 H5I_MAP,
                                                 H5I_VFL,
                                                 H5I_GENPROP_CLS,
                                                 H5I_GENPROP_LST,
                                                 H5I_ERROR_CLASS,
                                                 H5I_ERROR_MSG,
                                                 H5I_ERROR_STACK};

H5I_type_t to_114(H5I_type_t type) {
  const int number = type;
  if (number <= 0) return type;
  return number < user_types_110 ? from_110[number] : static_cast<H5I_type_t>(number + added_types);
}

/// Returns H5I_BADID for types that 1.10 does not have.
H5I_type_t to_110(H5I_type_t type) {
  if (type <= 0) return type;
  if (type >= H5I_NTYPES) return static_cast<H5I_type_t>(type - added_types);
  for (int number = 1; number < user_types_110; ++number)
    if (from_110[number] == type) return static_cast<H5I_type_t>(number);
  return H5I_BADID;
}

}  // namespace

extern "C" {

H5_DLL H5I_type_t H5Iget_type(hid_t id) { return to_110(FILIGREE_NEXT(H5Iget_type)(id)); }

H5_DLL H5I_type_t H5Iregister_type(size_t hash_size, unsigned reserved, H5I_free_t free_func) {
  return to_110(FILIGREE_NEXT(H5Iregister_type)(hash_size, reserved, free_func));
}

H5_DLL hid_t H5Iregister(H5I_type_t type, const void* object) {
  return FILIGREE_NEXT(H5Iregister)(to_114(type), object);
}

H5_DLL void* H5Iobject_verify(hid_t id, H5I_type_t type) {
  return FILIGREE_NEXT(H5Iobject_verify)(id, to_114(type));
}

H5_DLL void* H5Iremove_verify(hid_t id, H5I_type_t type) {
  return FILIGREE_NEXT(H5Iremove_verify)(id, to_114(type));
}

H5_DLL herr_t H5Iclear_type(H5I_type_t type, hbool_t force) {
  return FILIGREE_NEXT(H5Iclear_type)(to_114(type), force);
}

H5_DLL herr_t H5Idestroy_type(H5I_type_t type) { return FILIGREE_NEXT(H5Idestroy_type)(to_114(type)); }

H5_DLL int H5Iinc_type_ref(H5I_type_t type) { return FILIGREE_NEXT(H5Iinc_type_ref)(to_114(type)); }

H5_DLL int H5Idec_type_ref(H5I_type_t type) { return FILIGREE_NEXT(H5Idec_type_ref)(to_114(type)); }

H5_DLL int H5Iget_type_ref(H5I_type_t type) { return FILIGREE_NEXT(H5Iget_type_ref)(to_114(type)); }

H5_DLL void* H5Isearch(H5I_type_t type, H5I_search_func_t func, void* key) {
  return FILIGREE_NEXT(H5Isearch)(to_114(type), func, key);
}

H5_DLL herr_t H5Inmembers(H5I_type_t type, hsize_t* num_members) {
  return FILIGREE_NEXT(H5Inmembers)(to_114(type), num_members);
}

H5_DLL htri_t H5Itype_exists(H5I_type_t type) { return FILIGREE_NEXT(H5Itype_exists)(to_114(type)); }

}  // extern "C"
