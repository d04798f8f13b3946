/* SPDX-License-Identifier: Apache-2.0
 *
 * A user-defined driver fails at its n-th call, for every n: the library reports it, closes what it opened,
 * and leaks nothing. */
#include "../memory_driver.h"
#include "../show.h"

static int values[50][50];

/* When closing fails, the id stays open, so that the call can be repeated. */
static int closed(hid_t file) {
  if (H5Fclose(file) >= 0) return 0;
  if (H5Iis_valid(file) > 0 && H5Fclose(file) < 0) printf("cannot be closed\n");
  return 1;
}

/* The number of failed calls. */
static int scenario(hid_t fapl) {
  const hsize_t dims[2] = {50, 50}, chunk[2] = {10, 50};
  int failed = 0;
  hid_t file, space, data, dcpl, group;
  file = H5Fcreate("faulty", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  if (file < 0) return 1;
  space = H5Screate_simple(2, dims, NULL);
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  data = H5Dcreate2(file, "plain", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  failed += data < 0;
  if (data >= 0) {
    failed += H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    failed += H5Dclose(data) < 0;
  }
  H5Pset_chunk(dcpl, 2, chunk);
  data = H5Dcreate2(file, "chunks", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  failed += data < 0;
  if (data >= 0) {
    failed += H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    failed += H5Fflush(file, H5F_SCOPE_LOCAL) < 0;
    failed += H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    failed += H5Dclose(data) < 0;
  }
  group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  failed += group < 0;
  if (group >= 0) failed += H5Gclose(group) < 0;
  H5Pclose(dcpl);
  H5Sclose(space);
  failed += closed(file);
  file = H5Fopen("faulty", H5F_ACC_RDONLY, fapl);
  if (file < 0) return failed + 1;
  return failed + closed(file);
}

int main(void) {
  int form;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (form = 0; form < 3; ++form) {
    const H5FD_class_t cls = memory_class(form > 0, form > 1);
    const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), driver = H5FDregister(&cls);
    int n, calls, silent = 0, left = 0, again = 0;
    H5Pset_driver(fapl, driver, NULL);
    H5FDunregister(driver);
    memory_calls = memory_fail_at = 0;
    SHOW(scenario(fapl));
    calls = memory_calls;
    for (n = 1; n <= calls; ++n) {
      memory_calls = 0;
      memory_fail_at = n;
      silent += scenario(fapl) == 0;
      left += memory_open != 0 || H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) != 0;
      memory_fail_at = 0;
      again += scenario(fapl) != 0;
    }
    printf("%d: %s calls failed one by one, %d in silence, %d left something open, %d could not begin anew\n",
           form, calls > 20 ? "many" : "few", silent, left, again);
    SHOW(H5Pclose(fapl));
  }
  SHOW(memory_open);
  SHOW(memory_terminated);
  SHOW(memory_clashes);
  return 0;
}
