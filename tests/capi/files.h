/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs about files, groups, links and objects share. The older forms of functions that have
 * several are what both libraries have. */
#ifndef FILIGREE_TESTS_CAPI_FILES_H
#define FILIGREE_TESTS_CAPI_FILES_H

#define H5_USE_110_API 1
#include "types.h"

#if !H5_VERSION_GE(1, 12, 0)
#define H5O_info1_t H5O_info_t
#endif

#define NONE H5P_DEFAULT

static hid_t new_file(const char *name) { return H5Fcreate(name, H5F_ACC_TRUNC, NONE, NONE); }

static void new_group(hid_t loc, const char *name) { H5Gclose(H5Gcreate2(loc, name, NONE, NONE, NONE)); }

static void new_dataset(hid_t loc, const char *name) {
  int value = 7;
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(loc, name, H5T_STD_I32LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value);
  H5Dclose(set);
  H5Sclose(space);
}

static void new_type(hid_t loc, const char *name) {
  hid_t type = H5Tcopy(H5T_STD_I32LE);
  H5Tcommit2(loc, name, type, NONE, NONE, NONE);
  H5Tclose(type);
}

/* Opens, tells the name that the object has then, and closes. */
static void show_name(hid_t id) {
  char name[200] = "?";
  long long length = (long long)H5Iget_name(id, name, sizeof name);
  printf("name of %lld bytes: '%s'\n", length, length > 0 ? name : "");
}

#define OPEN(loc, path)                               \
  do {                                                \
    hid_t opened_ = H5Oopen(loc, path, NONE);         \
    show_result("H5Oopen " path, opened_ < 0 ? -1 : 0); \
    if (opened_ >= 0) {                               \
      show_name(opened_);                             \
      H5Oclose(opened_);                              \
    }                                                 \
  } while (0)

#endif
