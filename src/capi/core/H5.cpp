// SPDX-License-Identifier: Apache-2.0
//
// Functions on the library as a whole (H5open, H5get_libversion and related functions).
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "capi/core/ids.hpp"
#include "capi/core/library.hpp"

using namespace filigree::capi;

herr_t H5open(void) {
  begin_call_keeping_errors();
  return 0;
}

herr_t H5close(void) {
  close_library();
  return 0;
}

herr_t H5dont_atexit(void) { return skip_atexit() ? 0 : -1; }

herr_t H5atclose(H5_atclose_func_t func, void* ctx) {
  return api_call({__func__, {&H5E_LIB_g, &H5E_CANTINSERT_g}, "can't add the function"}, [&] {
    required(func, "func");
    at_library_close([func, ctx] { func(ctx); });
  });
}

herr_t H5garbage_collect(void) {
  return api_call({__func__, {&H5E_RESOURCE_g, &H5E_CANTGC_g}, "can't collect garbage"}, [] {});
}

herr_t H5set_free_list_limits(int, int, int, int, int, int) {
  // Filigree uses the system's allocator and keeps no free lists, so there are no limits to set.
  return api_call({__func__, {&H5E_RESOURCE_g, &H5E_CANTSET_g}, "can't set garbage collection limits"},
                  [] {});
}

herr_t H5get_free_list_sizes(size_t* reg_size, size_t* arr_size, size_t* blk_size, size_t* fac_size) {
  return api_call({__func__, {&H5E_RESOURCE_g, &H5E_CANTGET_g}, "can't get garbage collection sizes"}, [&] {
    for (size_t* const size : {reg_size, arr_size, blk_size, fac_size})
      if (size != nullptr) *size = 0;
  });
}

herr_t H5get_libversion(unsigned* majnum, unsigned* minnum, unsigned* relnum) {
  return api_call({__func__, {&H5E_LIB_g, &H5E_CANTGET_g}, "can't get version"}, [&] {
    if (majnum != nullptr) *majnum = H5_VERS_MAJOR;
    if (minnum != nullptr) *minnum = H5_VERS_MINOR;
    if (relnum != nullptr) *relnum = H5_VERS_RELEASE;
  });
}

herr_t H5check_version(unsigned majnum, unsigned minnum, unsigned relnum) {
  // The exported functions fit the headers of HDF5 1.8 to 2.x. A mismatch is reported, but never aborts.
  (void)relnum;
  const bool fits = (majnum == 1 && minnum >= 8) || majnum == 2;
  if (fits) return 0;
  return api_call({__func__, {&H5E_LIB_g, &H5E_BADVALUE_g}, "can't check version"}, [&] {
    bad_value(fmt::format("the program was built with headers of HDF5 {}.{}, this library serves 1.8 to 2.x",
                          majnum, minnum));
  });
}

herr_t H5is_library_threadsafe(hbool_t* is_ts) {
  return api_call({__func__, {&H5E_LIB_g, &H5E_CANTGET_g}, "can't tell"}, [&] {
    if (is_ts != nullptr) *is_ts = true;
  });
}

herr_t H5is_library_terminating(hbool_t* is_terminating) {
  if (is_terminating == nullptr) return -1;
  *is_terminating = false;
  return 0;
}

herr_t H5free_memory(void* mem) {
  std::free(mem);
  return 0;
}

void* H5allocate_memory(size_t size, hbool_t clear) {
  if (size == 0) return nullptr;
  return clear ? std::calloc(1, size) : std::malloc(size);
}

void* H5resize_memory(void* mem, size_t size) {
  if (size != 0) return std::realloc(mem, size);
  std::free(mem);
  return nullptr;
}
