// SPDX-License-Identifier: Apache-2.0
//
// Objects whose datatype HDF5 1.10 does not know are not opened, as in 1.10: references of 1.12 need other
// buffers than programs of 1.10 have, and complex numbers are a class that they cannot handle.
#include <hdf5.h>

#include "capi/abi110/fail.hpp"
#include "capi/abi110/next.hpp"
#include "capi/abi110/owned_id.hpp"

using filigree::abi110::ErrorText;
using filigree::abi110::fail;
using filigree::abi110::OwnedId;

namespace {

constexpr int classes_110 = H5T_ARRAY + 1;

bool is_known(hid_t type);

bool are_members_known(hid_t type) {
  const int count = H5Tget_nmembers(type);
  for (int i = 0; i < count; ++i)
    if (!is_known(OwnedId(H5Tget_member_type(type, static_cast<unsigned>(i))))) return false;
  return true;
}

/// Whether programs of 1.10 know the datatype and all that it consists of.
bool is_known(hid_t type) {
  const H5T_class_t type_class = H5Tget_class(type);
  switch (type_class) {
    case H5T_COMPOUND:
      return are_members_known(type);
    case H5T_ARRAY:
    case H5T_VLEN:
      return is_known(OwnedId(H5Tget_super(type)));
    case H5T_REFERENCE:
      return H5Tequal(type, H5T_STD_REF) <= 0;
    default:
      return type_class < classes_110;
  }
}

bool is_known_object(hid_t id) {
  switch (FILIGREE_NEXT(H5Iget_type)(id)) {
    case H5I_DATASET:
      return is_known(OwnedId(H5Dget_type(id)));
    case H5I_ATTR:
      return is_known(OwnedId(H5Aget_type(id)));
    case H5I_DATATYPE:
      return is_known(id);
    default:
      return true;
  }
}

/// Leaves the errors that 1.10 leaves.
herr_t refuse(const char* function, const ErrorText& summary) {
  return fail(function, summary,
              {H5E_OHDR, H5E_VERSION, "the datatype came with a later release than HDF5 1.10"});
}

/// Returns an id that was opened, or refuses it. `kind` is the major code of the function.
hid_t opened(const char* function, hid_t kind, const char* text, hid_t id) {
  if (id < 0 || is_known_object(id)) return id;
  H5Idec_ref(id);
  refuse(function, {kind, H5E_CANTOPENOBJ, text});
  return H5I_INVALID_HID;
}

herr_t refuse_iteration(const char* function, const char* text) {
  return refuse(function, {H5E_ATTR, H5E_BADITER, text});
}

herr_t check_attribute(hid_t object, const char* name, const H5A_info_t*, void*) {
  const hid_t attribute = FILIGREE_NEXT(H5Aopen)(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  const bool known = is_known_object(attribute);
  H5Aclose(attribute);
  return known ? 0 : 1;
}

/// HDF5 decodes all attributes before it calls the function of the program for the first.
bool are_attributes_known(hid_t object, const char* name, hid_t lapl) {
  return FILIGREE_NEXT(H5Aiterate_by_name)(object, name, H5_INDEX_NAME, H5_ITER_INC, nullptr, check_attribute,
                                           nullptr, lapl) <= 0;
}

}  // namespace

extern "C" {

H5_DLL hid_t H5Dopen1(hid_t loc_id, const char* name) {
  return opened(__func__, H5E_DATASET, "unable to open dataset", FILIGREE_NEXT(H5Dopen1)(loc_id, name));
}

H5_DLL hid_t H5Dopen2(hid_t loc_id, const char* name, hid_t dapl_id) {
  return opened(__func__, H5E_DATASET, "unable to open dataset",
                FILIGREE_NEXT(H5Dopen2)(loc_id, name, dapl_id));
}

H5_DLL hid_t H5Topen1(hid_t loc_id, const char* name) {
  return opened(__func__, H5E_DATATYPE, "unable to open named datatype",
                FILIGREE_NEXT(H5Topen1)(loc_id, name));
}

H5_DLL hid_t H5Topen2(hid_t loc_id, const char* name, hid_t tapl_id) {
  return opened(__func__, H5E_DATATYPE, "unable to open named datatype",
                FILIGREE_NEXT(H5Topen2)(loc_id, name, tapl_id));
}

H5_DLL hid_t H5Tdecode(const void* buf) {
  const hid_t id = FILIGREE_NEXT(H5Tdecode)(buf);
  if (id < 0 || is_known_object(id)) return id;
  H5Idec_ref(id);
  refuse(__func__, {H5E_DATATYPE, H5E_CANTDECODE, "can't decode object"});
  return H5I_INVALID_HID;
}

H5_DLL hid_t H5Oopen(hid_t loc_id, const char* name, hid_t lapl_id) {
  return opened(__func__, H5E_OHDR, "unable to open object", FILIGREE_NEXT(H5Oopen)(loc_id, name, lapl_id));
}

H5_DLL hid_t H5Oopen_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                            hsize_t n, hid_t lapl_id) {
  return opened(__func__, H5E_OHDR, "unable to open object",
                FILIGREE_NEXT(H5Oopen_by_idx)(loc_id, group_name, idx_type, order, n, lapl_id));
}

H5_DLL hid_t H5Oopen_by_addr(hid_t loc_id, haddr_t addr) {
  return opened(__func__, H5E_OHDR, "unable to open object", FILIGREE_NEXT(H5Oopen_by_addr)(loc_id, addr));
}

H5_DLL hid_t H5Rdereference1(hid_t obj_id, H5R_type_t ref_type, const void* ref) {
  return opened(__func__, H5E_REFERENCE, "unable to dereference object",
                FILIGREE_NEXT(H5Rdereference1)(obj_id, ref_type, ref));
}

H5_DLL hid_t H5Rdereference2(hid_t obj_id, hid_t oapl_id, H5R_type_t ref_type, const void* ref) {
  return opened(__func__, H5E_REFERENCE, "unable to dereference object",
                FILIGREE_NEXT(H5Rdereference2)(obj_id, oapl_id, ref_type, ref));
}

H5_DLL hid_t H5Aopen(hid_t obj_id, const char* attr_name, hid_t aapl_id) {
  return opened(__func__, H5E_ATTR, "unable to open attribute",
                FILIGREE_NEXT(H5Aopen)(obj_id, attr_name, aapl_id));
}

H5_DLL hid_t H5Aopen_by_name(hid_t loc_id, const char* obj_name, const char* attr_name, hid_t aapl_id,
                             hid_t lapl_id) {
  return opened(__func__, H5E_ATTR, "can't open attribute",
                FILIGREE_NEXT(H5Aopen_by_name)(loc_id, obj_name, attr_name, aapl_id, lapl_id));
}

H5_DLL hid_t H5Aopen_by_idx(hid_t loc_id, const char* obj_name, H5_index_t idx_type, H5_iter_order_t order,
                            hsize_t n, hid_t aapl_id, hid_t lapl_id) {
  return opened(__func__, H5E_ATTR, "unable to open attribute",
                FILIGREE_NEXT(H5Aopen_by_idx)(loc_id, obj_name, idx_type, order, n, aapl_id, lapl_id));
}

H5_DLL hid_t H5Aopen_name(hid_t loc_id, const char* name) {
  return opened(__func__, H5E_ATTR, "can't open attribute", FILIGREE_NEXT(H5Aopen_name)(loc_id, name));
}

H5_DLL hid_t H5Aopen_idx(hid_t loc_id, unsigned idx) {
  return opened(__func__, H5E_ATTR, "unable to open attribute", FILIGREE_NEXT(H5Aopen_idx)(loc_id, idx));
}

H5_DLL herr_t H5Aiterate1(hid_t loc_id, unsigned* idx, H5A_operator1_t op, void* op_data) {
  if (!are_attributes_known(loc_id, ".", H5P_DEFAULT))
    return refuse_iteration(__func__, "error iterating over attributes");
  return FILIGREE_NEXT(H5Aiterate1)(loc_id, idx, op, op_data);
}

H5_DLL herr_t H5Aiterate2(hid_t loc_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx,
                          H5A_operator2_t op, void* op_data) {
  if (!are_attributes_known(loc_id, ".", H5P_DEFAULT))
    return refuse_iteration(__func__, "error iterating over attributes");
  return FILIGREE_NEXT(H5Aiterate2)(loc_id, idx_type, order, idx, op, op_data);
}

H5_DLL herr_t H5Aiterate_by_name(hid_t loc_id, const char* obj_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t* idx, H5A_operator2_t op, void* op_data,
                                 hid_t lapl_id) {
  if (!are_attributes_known(loc_id, obj_name, lapl_id))
    return refuse_iteration(__func__, "attribute iteration failed");
  return FILIGREE_NEXT(H5Aiterate_by_name)(loc_id, obj_name, idx_type, order, idx, op, op_data, lapl_id);
}

}  // extern "C"
