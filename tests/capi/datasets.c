/* SPDX-License-Identifier: Apache-2.0
 *
 * Datasets: creation, I/O, extension, raw chunks, and errors. */
#include "show.h"

static void show_numbers(const char* title, const int* numbers, int count) {
  int i;
  printf("%s:", title);
  for (i = 0; i < count; ++i) printf(" %d", numbers[i]);
  printf("\n");
}

static void plain(hid_t file) {
  const hsize_t dims[2] = {4, 6}, start[2] = {1, 2}, count[2] = {2, 3}, line[1] = {6}, off[1] = {3};
  int numbers[24], back[24], i;
  hid_t space = H5Screate_simple(2, dims, NULL), set, part, memory;
  H5D_space_status_t status;
  for (i = 0; i < 24; ++i) numbers[i] = i - 5;
  set = H5Dcreate2(file, "plain", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(set);
  CALL_ID(H5Dcreate2(file, "plain", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Dget_storage_size(set));
  CALL(H5Dget_space_status(set, &status));
  CALL(status);
  memset(back, 7, sizeof back);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_numbers("unwritten", back, 24);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  CALL(H5Dget_storage_size(set));
  CALL(H5Dget_space_status(set, &status));
  CALL(status);
  part = H5Scopy(space);
  H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, count, NULL);
  memset(back, 0, sizeof back);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, part, H5P_DEFAULT, back));
  show_numbers("at the same points", back, 24);
  memory = H5Screate_simple(1, line, NULL);
  memset(back, 0, sizeof back);
  CALL(H5Dread(set, H5T_NATIVE_INT, memory, part, H5P_DEFAULT, back));
  show_numbers("one after the other", back, 6);
  H5Sselect_hyperslab(memory, H5S_SELECT_SET, off, NULL, off, NULL);
  CALL(H5Dread(set, H5T_NATIVE_INT, memory, part, H5P_DEFAULT, back));
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, NULL));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, NULL));
  CALL(H5Dread(set, H5T_C_S1, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Dread(space, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Dread(set, space, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Dset_extent(set, dims));
  H5Sselect_hyperslab(part, H5S_SELECT_SET, dims, NULL, count, NULL);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, part, H5P_DEFAULT, back));
  CALL(H5Tequal(H5Dget_type(set), H5T_STD_I16BE));
  CALL(H5Sextent_equal(H5Dget_space(set), space));
  CALL_ID(H5Dopen2(file, "missing", H5P_DEFAULT));
  CALL_ID(H5Dopen2(file, NULL, H5P_DEFAULT));
  CALL_ID(H5Dopen2(file, "", H5P_DEFAULT));
  CALL_ID(H5Dopen2(file, "/", H5P_DEFAULT));
  CALL_ID(H5Dopen2(space, "plain", H5P_DEFAULT));
  CALL_ID(H5Dcreate2(file, "x", space, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Dcreate2(file, "x", H5T_NATIVE_INT, file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Dcreate2(file, "a/b", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(part);
  H5Sclose(memory);
  H5Sclose(space);
  CALL(H5Dclose(set));
  CALL(H5Dclose(set));
}

static int see_chunk(const hsize_t* offset, unsigned mask, haddr_t address, hsize_t size, void* data) {
  (void)address;
  (void)data;
  printf("chunk %lld %lld mask %u size %lld\n", (long long)offset[0], (long long)offset[1], mask,
         (long long)size);
  return 0;
}

static void chunked(hid_t file) {
  const hsize_t dims[2] = {5, 7}, most[2] = {H5S_UNLIMITED, 20}, chunk[2] = {2, 3}, grown[2] = {8, 9},
                less[2] = {3, 4};
  const hsize_t at[2] = {2, 3}, wide[2] = {8, 21};
  int numbers[72], back[72], fill = -1, i, raw[6] = {10, 20, 30, 40, 50, 60};
  hsize_t n = 0, offset[2], bytes = 0;
  unsigned mask = 9;
  uint32_t filters = 9;
  haddr_t address;
  hid_t space = H5Screate_simple(2, dims, most), list = H5Pcreate(H5P_DATASET_CREATE), set, all;
  for (i = 0; i < 72; ++i) numbers[i] = i;
  CALL(H5Pset_chunk(list, 2, chunk));
  CALL(H5Pset_fill_value(list, H5T_NATIVE_INT, &fill));
  set = H5Dcreate2(file, "chunked", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  all = H5Dget_space(set);
  CALL(H5Dget_num_chunks(set, all, &n));
  CALL(n);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  CALL(H5Dget_num_chunks(set, all, &n));
  CALL(n);
  CALL(H5Dget_chunk_info(set, all, 4, offset, &mask, &address, &bytes));
  printf("%lld %lld %u %lld\n", (long long)offset[0], (long long)offset[1], mask, (long long)bytes);
  CALL(H5Dget_chunk_info_by_coord(set, at, &mask, &address, &bytes));
  CALL(bytes);
  CALL(H5Dget_chunk_info_by_coord(set, grown, &mask, &address, &bytes));
  CALL(H5Dset_extent(set, grown));
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_numbers("grown", back, 72);
  CALL(H5Dset_extent(set, less));
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_numbers("less", back, 12);
  CALL(H5Dset_extent(set, grown));
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_numbers("grown again", back, 72);
  CALL(H5Dset_extent(set, wide));
  CALL(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, sizeof raw, raw));
  CALL(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, 0, raw));
  CALL(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, sizeof raw, NULL));
  CALL(H5Dget_chunk_storage_size(set, at, &bytes));
  CALL(bytes);
  memset(raw, 0, sizeof raw);
  CALL(H5Dread_chunk(set, H5P_DEFAULT, at, &filters, raw));
  show_numbers("raw", raw, 6);
  CALL(filters);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_numbers("after", back, 72);
  {
    hid_t made = H5Dget_create_plist(set);
    hsize_t got[2];
    int value = 0;
    CALL(H5Pget_layout(made));
    CALL(H5Pget_chunk(made, 2, got));
    printf("%lld %lld\n", (long long)got[0], (long long)got[1]);
    CALL(H5Pget_fill_value(made, H5T_NATIVE_INT, &value));
    CALL(value);
    H5Pclose(made);
  }
  (void)see_chunk;
  H5Sclose(all);
  H5Dclose(set);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  CALL_ID(H5Dcreate2(file, "growing in one piece", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CALL(H5Pset_deflate(list, 6));
  H5Sclose(space);
  space = H5Screate_simple(2, dims, NULL);
  CALL_ID(H5Dcreate2(file, "filtered in one piece", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CALL(H5Pset_chunk(list, 1, chunk));
  CALL_ID(H5Dcreate2(file, "wrong rank", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CALL(H5Pset_chunk(list, 2, grown));
  CALL_ID(H5Dcreate2(file, "too large", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list);
  H5Sclose(space);
}

static void texts(hid_t file) {
  const char* words[3] = {"one", "", NULL};
  char* back[3] = {NULL, NULL, NULL};
  const hsize_t dims[1] = {3};
  hsize_t bytes = 0;
  hid_t space = H5Screate_simple(1, dims, NULL), type = H5Tcopy(H5T_C_S1), set;
  int i;
  H5Tset_size(type, H5T_VARIABLE);
  set = H5Dcreate2(file, "texts", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words));
  CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  for (i = 0; i < 3; ++i) printf("'%s' ", back[i] == NULL ? "NULL" : back[i]);
  printf("\n");
  CALL(H5Dvlen_get_buf_size(set, type, space, &bytes));
  CALL(bytes);
  CALL(H5Dvlen_reclaim(type, space, H5P_DEFAULT, back));
  H5Dclose(set);
  H5Tclose(type);
  H5Sclose(space);
}

static herr_t sum(void* element, hid_t type, unsigned rank, const hsize_t* point, void* data) {
  (void)type;
  *(int*)data += *(int*)element * (int)(point[rank - 1] + 1);
  return *(int*)element == 99 ? 5 : 0;
}

static void memory_only(void) {
  const hsize_t dims[2] = {3, 4}, start[2] = {1, 1}, count[2] = {2, 2};
  int numbers[12], i, total = 0, five = 5;
  short small = 7;
  hid_t space = H5Screate_simple(2, dims, NULL);
  for (i = 0; i < 12; ++i) numbers[i] = i;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Diterate(numbers, H5T_NATIVE_INT, space, sum, &total));
  CALL(total);
  numbers[9] = 99;
  CALL(H5Diterate(numbers, H5T_NATIVE_INT, space, sum, &total));
  CALL(H5Dfill(&five, H5T_NATIVE_INT, numbers, H5T_NATIVE_INT, space));
  show_numbers("filled", numbers, 12);
  CALL(H5Dfill(&small, H5T_NATIVE_SHORT, numbers, H5T_NATIVE_INT, space));
  show_numbers("converted", numbers, 12);
  CALL(H5Dfill(NULL, H5T_NATIVE_INT, numbers, H5T_NATIVE_INT, space));
  show_numbers("zeros", numbers, 12);
  CALL(H5Diterate(NULL, H5T_NATIVE_INT, space, sum, &total));
  CALL(H5Diterate(numbers, H5T_NATIVE_INT, space, NULL, &total));
  H5Sclose(space);
}

int main(void) {
  hid_t file;
  quiet();
  file = H5Fcreate("datasets.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  plain(file);
  chunked(file);
  texts(file);
  memory_only();
  CALL(H5Fclose(file));
  return 0;
}
