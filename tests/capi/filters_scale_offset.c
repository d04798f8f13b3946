/* SPDX-License-Identifier: Apache-2.0 */
/* Scale-offset with a kind that does not fit the datatype: the filter is skipped. */
#include "show.h"

static void exchange(hid_t file, const char* name, hid_t type, H5Z_SO_scale_type_t kind) {
  hsize_t size = 4, offset = 0, bytes = 0;
  unsigned mask = 99;
  haddr_t address;
  double numbers[4] = {1, 2, 3, 4}, found[4] = {0};
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL), set;
  H5Pset_chunk(plist, 1, &size);
  CALL(H5Pset_scaleoffset(plist, kind, 0));
  set = H5Dcreate2(file, name, type, space, NONE, plist, NONE);
  printf("-- %s, kind %d\n", name, (int)kind);
  CALL_ID(set);
  if (set >= 0) {
    herr_t written = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, numbers);
    herr_t flushed = H5Dflush(set);
    printf("written: %s\n", written < 0 || flushed < 0 ? "no" : "yes");
    H5Dget_chunk_info_by_coord(set, &offset, &mask, &address, &bytes);
    VALUE(mask);
    CALL(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, found));
    printf("%g %g %g %g\n", found[0], found[1], found[2], found[3]);
    H5Dclose(set);
  }
  H5Sclose(space);
  H5Pclose(plist);
}

int main(void) {
  static const H5Z_SO_scale_type_t kinds[] = {H5Z_SO_FLOAT_DSCALE, H5Z_SO_FLOAT_ESCALE, H5Z_SO_INT};
  size_t i;
  hid_t file;
  quiet();
  file = new_file("filters_scale_offset.hdf");
  for (i = 0; i < 3; ++i) {
    char name[32];
    snprintf(name, sizeof name, "int %d", (int)i);
    exchange(file, name, H5T_STD_I32LE, kinds[i]);
    snprintf(name, sizeof name, "byte %d", (int)i);
    exchange(file, name, H5T_STD_U8LE, kinds[i]);
    snprintf(name, sizeof name, "float %d", (int)i);
    exchange(file, name, H5T_IEEE_F32LE, kinds[i]);
    snprintf(name, sizeof name, "double %d", (int)i);
    exchange(file, name, H5T_IEEE_F64BE, kinds[i]);
    snprintf(name, sizeof name, "bit field %d", (int)i);
    exchange(file, name, H5T_STD_B8LE, kinds[i]);
  }
  H5Fclose(file);
  return 0;
}
