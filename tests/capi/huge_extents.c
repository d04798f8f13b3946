/* SPDX-License-Identifier: Apache-2.0 */
/* Chunked datasets whose elements would take 2^64 bytes and more, if they all existed. */
#include "show.h"

static void exchange(hid_t file, const char* name, const hsize_t* dims, hid_t type) {
  hsize_t chunk[2] = {16, 1024}, start[2], count[2] = {2, 3}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, size;
  long long values[6] = {1, 2, 3, 4, 5, 6}, found[6] = {0};
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, most), memory, set;
  int i;
  printf("-- %s\n", name);
  CALL_ID(space);
  H5Pset_chunk(plist, 2, chunk);
  set = H5Dcreate2(file, name, type, space, NONE, plist, NONE);
  CALL_ID(set);
  if (set < 0) return;
  memory = H5Screate_simple(2, count, NULL);
  start[0] = dims[0] - 2;
  start[1] = dims[1] - 3;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Dwrite(set, H5T_NATIVE_LLONG, memory, space, NONE, values));
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  CALL_ID(set);
  CALL(H5Dread(set, H5T_NATIVE_LLONG, memory, space, NONE, found));
  for (i = 0; i < 6; ++i) printf(" %lld", found[i]);
  printf("\n");
  start[0] = 7;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Dread(set, H5T_NATIVE_LLONG, memory, space, NONE, found));
  for (i = 0; i < 6; ++i) printf(" %lld", found[i]);
  printf("\n");
  VALUE(H5Sget_simple_extent_npoints(space));
  VALUE(H5Dget_storage_size(set));
  H5Sselect_all(space);
  CALL(H5Dget_num_chunks(set, space, &size));
  VALUE(size);
  CALL(H5Ocopy(file, name, file, "copied", NONE, NONE));
  CALL(H5Ldelete(file, "copied", NONE));
  H5Dclose(set);
  H5Sclose(space);
  H5Sclose(memory);
  H5Pclose(plist);
}

int main(void) {
  const hsize_t square[2] = {(hsize_t)1 << 31, (hsize_t)1 << 31},
                large[2] = {(hsize_t)1 << 32, (hsize_t)1 << 30};
  hid_t file;
  quiet();
  file = new_file("huge_extents.hdf");
  exchange(file, "2^62 characters", square, H5T_STD_I8LE);
  exchange(file, "2^62 numbers of 2 bytes", square, H5T_STD_I16LE);
  exchange(file, "2^62 numbers of 4 bytes", square, H5T_STD_I32LE);
  exchange(file, "2^62 numbers of 8 bytes", large, H5T_STD_I64LE);
  H5Fclose(file);
  return 0;
}
