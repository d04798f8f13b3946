// SPDX-License-Identifier: Apache-2.0
//
// Properties of dataset transfer.
#include <filigree/error.hpp>

#include "capi/H5P/plist_calls.hpp"
#include "capi/H5Z/data_transform.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Transfer = TransferSettings;

}  // namespace

herr_t H5Pset_data_transform(hid_t plist_id, const char* expression) {
  return api_call(plist_call("H5Pset_data_transform"), [&] {
    if (expression == nullptr) bad_value("expression cannot be NULL");
    const auto plist = find_plist<Transfer>(plist_id);
    try {
      DataTransform::parse(expression);
    } catch (const Error& error) {
      throw Failure({&H5E_PLINE_g, &H5E_NOSPACE_g}, error.what());
    }
    plist->change<Transfer>({"data_transform"}, [&](auto& s) { s.expression = expression; });
  });
}

ssize_t H5Pget_data_transform(hid_t plist_id, char* expression, size_t size) {
  return api_call(plist_call("H5Pget_data_transform"), [&] {
    const auto settings = get_settings<Transfer>(plist_id);
    if (settings->expression.empty())
      throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "no data transform has been set");
    return copy_string(settings->expression, expression, size);
  });
}

herr_t H5Pset_edc_check(hid_t plist_id, H5Z_EDC_t check) {
  return api_call(plist_call("H5Pset_edc_check"), [&] {
    if (check != H5Z_ENABLE_EDC && check != H5Z_DISABLE_EDC) bad_value("check is to enable or to disable");
    change_settings<Transfer>(plist_id, {"err_detect"}, [&](auto& s) { s.edc = check; });
  });
}

H5Z_EDC_t H5Pget_edc_check(hid_t plist_id) {
  return api_call(plist_call("H5Pget_edc_check"), [&] { return get_settings<Transfer>(plist_id)->edc; });
}

herr_t H5Pset_buffer(hid_t plist_id, size_t size, void* tconv, void* bkg) {
  return api_call(plist_call("H5Pset_buffer"), [&] {
    if (size == 0) bad_value("the size of the buffer must not be zero");
    change_settings<Transfer>(plist_id, {"max_temp_buf", "tconv_buf", "bkgr_buf"}, [&](auto& s) {
      s.buffer_bytes = size;
      s.conversion_buffer = tconv;
      s.background_buffer = bkg;
    });
  });
}

size_t H5Pget_buffer(hid_t plist_id, void** tconv, void** bkg) {
  return api_call_or<size_t>(0, plist_call("H5Pget_buffer"), [&] {
    const auto settings = get_settings<Transfer>(plist_id);
    if (tconv != nullptr) *tconv = settings->conversion_buffer;
    if (bkg != nullptr) *bkg = settings->background_buffer;
    return settings->buffer_bytes;
  });
}

herr_t H5Pset_preserve(hid_t plist_id, hbool_t status) {
  return api_call(plist_call("H5Pset_preserve"), [&] {
    change_settings<Transfer>(plist_id, {"bkgr_buf_type"}, [&](auto& s) { s.preserve = status; });
  });
}

int H5Pget_preserve(hid_t plist_id) {
  return api_call(plist_call("H5Pget_preserve"),
                  [&] { return get_settings<Transfer>(plist_id)->preserve ? 1 : 0; });
}

herr_t H5Pset_type_conv_cb(hid_t dxpl_id, H5T_conv_except_func_t op, void* operate_data) {
  return api_call(plist_call("H5Pset_type_conv_cb"), [&] {
    change_settings<Transfer>(dxpl_id, {"type_conv_cb"}, [&](auto& s) {
      s.conversion_callback = op;
      s.conversion_data = operate_data;
    });
  });
}

herr_t H5Pget_type_conv_cb(hid_t dxpl_id, H5T_conv_except_func_t* op, void** operate_data) {
  return api_call(plist_call("H5Pget_type_conv_cb"), [&] {
    const auto settings = get_settings<Transfer>(dxpl_id);
    if (op != nullptr) *op = settings->conversion_callback;
    if (operate_data != nullptr) *operate_data = settings->conversion_data;
  });
}

herr_t H5Pset_vlen_mem_manager(hid_t plist_id, H5MM_allocate_t alloc_func, void* alloc_info,
                               H5MM_free_t free_func, void* free_info) {
  return api_call(plist_call("H5Pset_vlen_mem_manager"), [&] {
    get_settings<Transfer>(plist_id == H5P_DEFAULT ? H5I_INVALID_HID : plist_id,
                           "a dataset transfer property list");
    change_settings<Transfer>(plist_id, {"vlen_alloc", "vlen_alloc_info", "vlen_free", "vlen_free_info"},
                              [&](auto& s) {
                                s.allocate = alloc_func;
                                s.allocate_info = alloc_info;
                                s.release = free_func;
                                s.release_info = free_info;
                              });
  });
}

herr_t H5Pget_vlen_mem_manager(hid_t plist_id, H5MM_allocate_t* alloc_func, void** alloc_info,
                               H5MM_free_t* free_func, void** free_info) {
  return api_call(plist_call("H5Pget_vlen_mem_manager"), [&] {
    const auto settings = get_settings<Transfer>(plist_id);
    if (alloc_func != nullptr) *alloc_func = settings->allocate;
    if (alloc_info != nullptr) *alloc_info = settings->allocate_info;
    if (free_func != nullptr) *free_func = settings->release;
    if (free_info != nullptr) *free_info = settings->release_info;
  });
}

// HDF5 splits nodes of B-trees of version 1 by these ratios; see docs/differences-from-hdf5.md.
herr_t H5Pset_btree_ratios(hid_t plist_id, double left, double middle, double right) {
  return api_call(plist_call("H5Pset_btree_ratios"), [&] {
    for (const double ratio : {left, middle, right})
      if (!(ratio >= 0.0 && ratio <= 1.0)) bad_value("a split ratio is from 0 to 1");
    change_settings<Transfer>(plist_id, {"btree_split_ratio"}, [&](auto& s) {
      s.btree_ratios = {left, middle, right};
    });
  });
}

herr_t H5Pget_btree_ratios(hid_t plist_id, double* left, double* middle, double* right) {
  return api_call(plist_call("H5Pget_btree_ratios"), [&] {
    const auto settings = get_settings<Transfer>(plist_id);
    store_if(left, settings->btree_ratios[0]);
    store_if(middle, settings->btree_ratios[1]);
    store_if(right, settings->btree_ratios[2]);
  });
}

herr_t H5Pset_hyper_vector_size(hid_t plist_id, size_t vector_size) {
  return api_call(plist_call("H5Pset_hyper_vector_size"), [&] {
    if (vector_size < 1) bad_value("vector size too small");
    change_settings<Transfer>(plist_id, {"vec_size"}, [&](auto& s) { s.vector_size = vector_size; });
  });
}

herr_t H5Pget_hyper_vector_size(hid_t plist_id, size_t* vector_size) {
  return api_call(plist_call("H5Pget_hyper_vector_size"),
                  [&] { store_if(vector_size, get_settings<Transfer>(plist_id)->vector_size); });
}

herr_t H5Pset_filter_callback(hid_t plist_id, H5Z_filter_func_t func, void* op_data) {
  return api_call(plist_call("H5Pset_filter_callback"), [&] {
    change_settings<Transfer>(plist_id, {"filter_cb"}, [&](auto& s) {
      s.filter_callback = func;
      s.filter_data = op_data;
    });
  });
}
