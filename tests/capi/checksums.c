/* SPDX-License-Identifier: Apache-2.0 */
/* H5Pset_edc_check: chunks whose checksum does not match their data. */
#include "show.h"

static unsigned flags_seen;

static size_t checked(unsigned flags, size_t count, const unsigned* values, size_t bytes, size_t* size,
                      void** buffer) {
  if (flags & H5Z_FLAG_REVERSE) flags_seen = flags;
  if ((flags & H5Z_FLAG_REVERSE) && !(flags & H5Z_FLAG_SKIP_EDC)) return 0;
  return bytes;
}
static const H5Z_class2_t checked_filter = {H5Z_CLASS_T_VERS, 401, 1, 1, "checked", NULL, NULL, checked};

static hid_t new_set(hid_t file, const char* name, H5Z_filter_t filter, int deflate) {
  hsize_t size = 8, chunk = 4;
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  hid_t space = H5Screate_simple(1, &size, NULL), plist = H5Pcreate(H5P_DATASET_CREATE), set;
  H5Pset_chunk(plist, 1, &chunk);
  if (deflate) H5Pset_deflate(plist, 6);
  H5Pset_filter(plist, filter, H5Z_FLAG_MANDATORY, 0, NULL);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, plist, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Pclose(plist);
  H5Sclose(space);
  return set;
}

/* Changes the last byte of the second chunk, which belongs to the checksum. */
static void damage(hid_t set) {
  unsigned char bytes[64];
  unsigned mask;
  hsize_t offset = 4, size = 0;
  H5Dget_chunk_storage_size(set, &offset, &size);
  H5Dread_chunk(set, NONE, &offset, &mask, bytes);
  bytes[size - 1] ^= 0x55;
  H5Dwrite_chunk(set, NONE, mask, &offset, (size_t)size, bytes);
}

static void read_all(hid_t set, hid_t transfer) {
  int values[8] = {0}, i;
  herr_t result = H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, values);
  printf("read: %d\n", result);
  if (result < 0) return;
  for (i = 0; i < 8; ++i) printf(" %d", values[i]);
  printf("\n");
}

static void with_filter(hid_t file, const char* name, H5Z_filter_t filter, int deflate, hid_t unchecked) {
  hsize_t start = 5, one = 1;
  int value = 50;
  hid_t set = new_set(file, name, filter, deflate), space, scalar = H5Screate(H5S_SCALAR);
  printf("-- %s\n", name);
  if (filter == H5Z_FILTER_FLETCHER32) damage(set);
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  read_all(set, NONE);
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  read_all(set, unchecked);
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  space = H5Dget_space(set);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL);
  TRY(H5Dwrite(set, H5T_NATIVE_INT, scalar, space, NONE, &value));
  TRY(H5Dwrite(set, H5T_NATIVE_INT, scalar, space, unchecked, &value));
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  read_all(set, filter == H5Z_FILTER_FLETCHER32 ? NONE : unchecked);
  H5Dclose(set);
  H5Sclose(space);
  H5Sclose(scalar);
}

int main(void) {
  hid_t file, unchecked;
  quiet();
  H5Zregister(&checked_filter);
  unchecked = H5Pcreate(H5P_DATASET_XFER);
  CALL(H5Pset_edc_check(unchecked, H5Z_DISABLE_EDC));
  CALL(H5Pget_edc_check(unchecked));
  file = new_file("checksums.hdf");
  with_filter(file, "fletcher32", H5Z_FILTER_FLETCHER32, 0, unchecked);
  with_filter(file, "deflate and fletcher32", H5Z_FILTER_FLETCHER32, 1, unchecked);
  with_filter(file, "user-defined", 401, 0, unchecked);
  printf("skips: %d\n", (flags_seen & H5Z_FLAG_SKIP_EDC) != 0);
  H5Fclose(file);
  return 0;
}
