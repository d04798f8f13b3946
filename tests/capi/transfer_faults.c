/* SPDX-License-Identifier: Apache-2.0
 *
 * The callback for filters that fail while data are read: it sees the filter, and may let its data pass. */
#include "show.h"

enum { COUNT = 16 };
static int calls, answer;

static H5Z_cb_return_t on_fault(H5Z_filter_t filter, void* buffer, size_t bytes, void* data) {
  (void)buffer;
  ++calls;
  printf("    filter %d failed with %lu bytes, %s\n", (int)filter, (unsigned long)bytes, (const char*)data);
  return (H5Z_cb_return_t)answer;
}

/* A dataset of one chunk with a checksum, of which one byte is wrong. */
static void damage(hid_t file, const char* name) {
  const hsize_t dims[1] = {COUNT}, zero[1] = {0};
  unsigned char bytes[256];
  unsigned mask = 0;
  int values[COUNT], i;
  hsize_t stored = 0;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, dims, NULL), set;
  for (i = 0; i < COUNT; ++i) values[i] = 100 + i;
  H5Pset_chunk(list, 1, dims);
  H5Pset_fletcher32(list);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  H5Dget_chunk_storage_size(set, zero, &stored);
  H5Dread_chunk(set, NONE, zero, &mask, bytes);
  bytes[4] ^= 0x40;
  H5Dwrite_chunk(set, NONE, mask, zero, stored, bytes);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

static void read_all(hid_t file, hid_t transfer) {
  int values[COUNT], i;
  hid_t set = H5Dopen2(file, "d", NONE);
  memset(values, 0, sizeof values);
  calls = 0;
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, values));
  printf("  %d calls:", calls);
  for (i = 0; i < COUNT; ++i) printf(" %d", values[i]);
  printf("\n");
  H5Dclose(set);
}

int main(void) {
  hid_t file, transfer = H5Pcreate(H5P_DATASET_XFER);
  quiet();
  file = new_file("faults.h5");
  damage(file, "d");
  read_all(file, NONE);
  CALL(H5Pset_filter_callback(transfer, (H5Z_filter_func_t)on_fault, (void*)"noticed"));
  answer = H5Z_CB_FAIL;
  read_all(file, transfer);
  answer = H5Z_CB_CONT;
  read_all(file, transfer);
  H5Pset_edc_check(transfer, H5Z_DISABLE_EDC);
  H5Fclose(file);
  file = H5Fopen("faults.h5", H5F_ACC_RDONLY, NONE);
  read_all(file, transfer);
  H5Fclose(file);
  H5Pclose(transfer);
  return 0;
}
