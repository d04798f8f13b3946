/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and objects return property lists with the values that they were created with. */
#include "show.h"

static void make_file(void) {
  hid_t fcpl = H5Pcreate(H5P_FILE_CREATE), fapl = H5Pcreate(H5P_FILE_ACCESS), file;
  unsigned order = 9;
  H5Pset_userblock(fcpl, 512);
  H5Pset_sizes(fcpl, 8, 4);
  H5Pset_sym_k(fcpl, 20, 6);
  H5Pset_istore_k(fcpl, 50);
  H5Pset_link_creation_order(fcpl, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_shared_mesg_nindexes(fcpl, 1);
  H5Pset_shared_mesg_index(fcpl, 0, H5O_SHMESG_DTYPE_FLAG, 20);
  H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 3);
  H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  file = H5Fcreate("lists.h5", H5F_ACC_TRUNC, fcpl, fapl);
  CALL_ID(file);
  H5Pclose(fcpl);
  /* HDF5 knows the root group's creation properties only for a file that was just created. */
  fcpl = H5Fget_create_plist(file);
  CALL(H5Pget_link_creation_order(fcpl, &order));
  VALUE(order);
  H5Fclose(file);
  H5Pclose(fcpl);
  H5Pclose(fapl);
}

static void show_file(hid_t file) {
  hid_t fcpl = H5Fget_create_plist(file);
  hsize_t userblock = 9, threshold = 9;
  size_t addresses = 9, sizes = 9;
  unsigned ik = 9, lk = 9, chunk_k = 9, indexes = 9, types = 9, least = 9;
  H5F_fspace_strategy_t strategy = H5F_FSPACE_STRATEGY_NONE;
  hbool_t persist = 9;
  H5Pget_userblock(fcpl, &userblock);
  H5Pget_sizes(fcpl, &addresses, &sizes);
  H5Pget_sym_k(fcpl, &ik, &lk);
  H5Pget_istore_k(fcpl, &chunk_k);
  H5Pget_shared_mesg_nindexes(fcpl, &indexes);
  CALL(H5Pget_shared_mesg_index(fcpl, 0, &types, &least));
  H5Pget_file_space_strategy(fcpl, &strategy, &persist, &threshold);
  printf("file: %d %d %d %u %u %u %u %x %u %d %d %d\n", (int)userblock, (int)addresses, (int)sizes, ik, lk,
         chunk_k, indexes, types, least, (int)strategy, (int)persist, (int)threshold);
  CALL(H5Pclose(fcpl));
}

static void groups(hid_t file) {
  hid_t gcpl = H5Pcreate(H5P_GROUP_CREATE), group, back;
  unsigned a = 9, b = 9, order = 9;
  H5Pset_link_phase_change(gcpl, 30, 20);
  H5Pset_est_link_info(gcpl, 5, 12);
  H5Pset_link_creation_order(gcpl, H5P_CRT_ORDER_TRACKED);
  H5Pset_attr_phase_change(gcpl, 4, 2);
  H5Pset_attr_creation_order(gcpl, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  group = H5Gcreate2(file, "group", H5P_DEFAULT, gcpl, H5P_DEFAULT);
  CALL_ID(group);
  back = H5Gget_create_plist(group);
  H5Pget_link_phase_change(back, &a, &b);
  printf("links: %u %u\n", a, b);
  H5Pget_est_link_info(back, &a, &b);
  printf("expected: %u %u\n", a, b);
  H5Pget_link_creation_order(back, &order);
  VALUE(order);
  H5Pget_attr_phase_change(back, &a, &b);
  printf("attributes: %u %u\n", a, b);
  H5Pget_attr_creation_order(back, &order);
  VALUE(order);
  H5Pclose(back);
  H5Gclose(group);
  H5Pclose(gcpl);
}

static void show_dataset(hid_t dataset) {
  hid_t dcpl = H5Dget_create_plist(dataset);
  hsize_t chunk[2] = {9, 9};
  H5D_alloc_time_t when;
  H5D_fill_time_t fill_time;
  H5D_fill_value_t state;
  int value = 99, i, n;
  unsigned flags, values[8], j;
  size_t count;
  char name[20];
  VALUE(H5Pget_layout(dcpl));
  if (H5Pget_layout(dcpl) == H5D_CHUNKED) {
    CALL(H5Pget_chunk(dcpl, 2, chunk));
    printf("chunk: %d %d\n", (int)chunk[0], (int)chunk[1]);
  }
  H5Pget_alloc_time(dcpl, &when);
  VALUE(when);
  H5Pget_fill_time(dcpl, &fill_time);
  VALUE(fill_time);
  H5Pfill_value_defined(dcpl, &state);
  VALUE(state);
  CALL(H5Pget_fill_value(dcpl, H5T_NATIVE_INT, &value));
  VALUE(value);
  n = H5Pget_nfilters(dcpl);
  VALUE(n);
  for (i = 0; i < n; ++i) {
    count = 8;
    VALUE(H5Pget_filter2(dcpl, (unsigned)i, &flags, &count, values, sizeof name, name, NULL));
    printf("%s: flags %u,", name, flags);
    for (j = 0; j < count; ++j) printf(" %u", values[j]);
    printf("\n");
  }
  H5Pclose(dcpl);
}

static void datasets(hid_t file) {
  hsize_t dims[2] = {20, 30}, chunk[2] = {5, 7};
  hid_t space = H5Screate_simple(2, dims, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE), dataset;
  short fill = -5;
  dataset = H5Dcreate2(file, "plain", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  show_dataset(dataset);
  H5Dclose(dataset);
  H5Pset_chunk(dcpl, 2, chunk);
  H5Pset_shuffle(dcpl);
  H5Pset_deflate(dcpl, 4);
  H5Pset_fletcher32(dcpl);
  H5Pset_fill_value(dcpl, H5T_NATIVE_SHORT, &fill);
  H5Pset_fill_time(dcpl, H5D_FILL_TIME_ALLOC);
  dataset = H5Dcreate2(file, "chunked", H5T_STD_I32BE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  show_dataset(dataset);
  H5Dclose(dataset);
  H5Pclose(dcpl);
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(dcpl, H5D_COMPACT);
  H5Pset_fill_value(dcpl, H5T_NATIVE_SHORT, NULL);
  H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
  dataset = H5Dcreate2(file, "compact", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  show_dataset(dataset);
  H5Dclose(dataset);
  H5Pclose(dcpl);
  H5Sclose(space);
}

static void texts(hid_t file) {
  hsize_t dims[1] = {2};
  hid_t space = H5Screate_simple(1, dims, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE),
        type = H5Tcopy(H5T_C_S1);
  hid_t dataset, back;
  const char* fill = "empty";
  char* found = NULL;
  char* all[2] = {NULL, NULL};
  H5Tset_size(type, H5T_VARIABLE);
  H5Pset_fill_value(dcpl, type, &fill);
  dataset = H5Dcreate2(file, "texts", type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  CALL_ID(dataset);
  CALL(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all));
  printf("%s %s\n", all[0], all[1]);
  back = H5Dget_create_plist(dataset);
  CALL(H5Pget_fill_value(back, type, &found));
  printf("%s\n", found);
  H5Pclose(back);
  H5Dclose(dataset);
  H5Tclose(type);
  H5Pclose(dcpl);
  H5Sclose(space);
}

int main(void) {
  hid_t file;
  quiet();
  make_file();
  file = H5Fopen("lists.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  show_file(file);
  groups(file);
  datasets(file);
  texts(file);
  CALL(H5Fclose(file));
  return 0;
}
