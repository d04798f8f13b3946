/* SPDX-License-Identifier: Apache-2.0
 *
 * HDF5 files in a user-defined driver, with single requests, vectors and selections. */
#include "../memory_driver.h"
#include "../show.h"

#define N 200

static int values[N][N], back[N][N];

static void reset(void) { memory_reads = memory_vectors = memory_selections = 0; }

static void forms(const char* what) {
  printf("%s: single calls %s, vectors %s, selections %s\n", what, memory_reads ? "yes" : "no",
         memory_vectors ? "yes" : "no", memory_selections ? "yes" : "no");
}

static hid_t every_third(void) {
  const hsize_t dims[2] = {N, N}, start[2] = {1, 0}, stride[2] = {3, 2}, count[2] = {66, 100};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  return space;
}

static void round_trip(hid_t fapl, const char* name) {
  const hsize_t dims[2] = {N, N};
  int i, j, wrong = 0;
  const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  const hid_t space = H5Screate_simple(2, dims, NULL), some = every_third();
  hid_t data, group, again;
  printf("-- %s\n", name);
  reset();
  data = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (i = 0; i < N; ++i)
    for (j = 0; j < N; ++j) values[i][j] = i * N + j;
  SHOW(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  reset();
  SHOW(H5Dwrite(data, H5T_NATIVE_INT, some, some, H5P_DEFAULT, values));
  forms("writing a selection");
  SHOW(H5Gclose(group));
  SHOW(H5Dclose(data));
  again = H5Fopen(name, H5F_ACC_RDWR, fapl);
  SHOW_ID(again);
  SHOW(H5Fget_obj_count(again, H5F_OBJ_FILE));
  SHOW(H5Fclose(again));
  SHOW(H5Fclose(file));
  SHOW(memory_open);
  SHOW(memory_locks);

  again = H5Fopen(name, H5F_ACC_RDONLY, fapl);
  SHOW_ID(again);
  SHOW(H5Lexists(again, "group", H5P_DEFAULT));
  data = H5Dopen2(again, "data", H5P_DEFAULT);
  memset(back, 0, sizeof back);
  reset();
  SHOW(H5Dread(data, H5T_NATIVE_INT, some, some, H5P_DEFAULT, back));
  forms("reading a selection");
  for (i = 0; i < N; ++i)
    for (j = 0; j < N; ++j) wrong += back[i][j] != (i % 3 == 1 && i < 199 && j % 2 == 0 ? values[i][j] : 0);
  SHOW(wrong);
  SHOW(H5Dclose(data));
  SHOW(H5Fclose(again));
  SHOW(memory_open);
  H5Sclose(space);
  H5Sclose(some);
}

/* A list keeps its driver, and its own copy of the info. */
static void lists(void) {
  const H5FD_class_t cls = memory_class(1, 0);
  memory_info_t info = {42};
  void* handle = NULL;
  char text[10] = "";
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), copy, file, given;
  const hid_t driver = H5FDregister(&cls);
  printf("-- lists\n");
  SHOW(H5Pset_driver(fapl, driver, &info));
  info.number = 0;
  SHOW(H5Pget_driver(fapl) == driver);
  SHOW(((const memory_info_t*)H5Pget_driver_info(fapl))->number);
  SHOW(H5FDis_driver_registered_by_name("memory"));
  SHOW(H5FDis_driver_registered_by_value(500));
  SHOW(H5FDis_driver_registered_by_value(501));
  SHOW(H5FDis_driver_registered_by_name("sec2"));
  SHOW_FAILURE(H5FDis_driver_registered_by_name(NULL));
  copy = H5Pcreate(H5P_FILE_ACCESS);
  SHOW(H5Pset_driver_by_name(copy, "memory", "fast"));
  SHOW(H5Pget_driver(copy) == driver);
  SHOW(H5Pget_driver_config_str(copy, text, sizeof text));
  SHOW_TEXT(text);
  SHOW(H5Pset_driver_by_value(copy, H5_VFD_CORE, NULL));
  SHOW(H5Pget_driver(copy) == H5FD_CORE);
  SHOW(H5Pget_driver_config_str(copy, NULL, 0));
  SHOW(H5Pset_driver_by_value(copy, 500, NULL));
  SHOW(H5Pget_driver(copy) == driver);
  SHOW_FAILURE(H5Pset_driver_by_name(copy, "nobody's", NULL));
  SHOW_FAILURE(H5Pset_driver_by_name(copy, NULL, NULL));
  SHOW_FAILURE(H5Pset_driver_by_value(copy, 1234, NULL));
  SHOW_FAILURE(H5Pset_driver_by_value(copy, -5, NULL));
  H5Pclose(copy);
  copy = H5Pcopy(fapl);
  SHOW(H5FDunregister(driver));
  SHOW(memory_terminated);
  file = H5Fcreate("listed", H5F_ACC_TRUNC, H5P_DEFAULT, copy);
  SHOW_ID(file);
  SHOW(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle));
  SHOW(handle == memory_find("listed"));
  given = H5Fget_access_plist(file);
  SHOW(H5Pget_driver(given) == driver);
  SHOW(H5Pget_driver_info(given) == NULL); /* the class has no fapl_get */
  SHOW(H5Pclose(fapl));
  SHOW(H5Pclose(copy));
  SHOW(H5Pclose(given));
  SHOW(memory_terminated);
  SHOW(H5Fclose(file));
  SHOW(memory_terminated);
  SHOW(memory_infos);
  SHOW_FAILURE(H5Pset_driver(H5P_FILE_ACCESS_DEFAULT, driver, NULL));
}

static void refused(hid_t fapl) {
  H5FD_class_t cls;
  hid_t plain;
  printf("-- refused\n");
#define WITHOUT(member)     \
  cls = memory_class(1, 1); \
  cls.member = 0;           \
  printf("%s: ", #member);  \
  SHOW_FAILURE(H5FDregister(&cls))
  WITHOUT(version);
  WITHOUT(open);
  WITHOUT(close);
  WITHOUT(get_eoa);
  WITHOUT(set_eoa);
  WITHOUT(get_eof);
  WITHOUT(read);
  WITHOUT(write);
  WITHOUT(name);
  cls = memory_class(1, 1);
  cls.fl_map[3] = (H5FD_mem_t)77;
  SHOW_FAILURE(H5FDregister(&cls));
  SHOW_FAILURE(H5Fopen("missing", H5F_ACC_RDONLY, fapl));
  SHOW_FAILURE(H5Fcreate("scalar", H5F_ACC_EXCL, H5P_DEFAULT, fapl));
  SHOW_FAILURE(H5Fis_accessible("missing", fapl));
  SHOW(H5Fis_accessible("scalar", fapl));
  SHOW(H5Fdelete("scalar", fapl));
  SHOW_FAILURE(H5Fdelete("scalar", fapl));
  plain = H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  SHOW_FAILURE(H5Fopen("plain.h5", H5F_ACC_RDONLY, fapl));
  SHOW(H5Fclose(plain));
  SHOW(memory_open);
}

int main(void) {
  int form;
  const char* names[] = {"scalar", "vector", "selection"};
  hid_t fapl = H5I_INVALID_HID;
  for (form = 0; form < 3; ++form) {
    const H5FD_class_t cls = memory_class(form > 0, form > 1);
    const hid_t driver = H5FDregister(&cls);
    fapl = H5Pcreate(H5P_FILE_ACCESS);
    SHOW_ID(driver);
    SHOW(H5Pset_driver(fapl, driver, NULL));
    SHOW(H5FDunregister(driver));
    round_trip(fapl, names[form]);
    if (form < 2) H5Pclose(fapl);
  }
  refused(fapl);
  SHOW(H5Pclose(fapl));
  memory_terminated = 0;
  lists();
  SHOW(memory_open);
  SHOW(memory_clashes);
  return 0;
}
