/* SPDX-License-Identifier: Apache-2.0
 *
 * The filters that a hint at the density leaves to the library, and calls that do what they say. */
#include "show.h"

static void show_filters(hid_t file, const char* name, hid_t type, hid_t dcpl) {
  const hsize_t dims[2] = {100, 100};
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  hid_t found = H5Dget_create_plist(data);
  uint64_t section;
  printf("%s: layout %d\n", name, (int)H5Pget_layout(found));
  for (section = 0; section < 3; ++section) {
    int n = 0, i;
    H5Pget_nfilter2(found, section, &n);
    printf("  section %d:", (int)section);
    for (i = 0; i < n; ++i)
      printf(" %d", (int)H5Pget_filter3(found, section, (unsigned)i, NULL, NULL, NULL, 0, NULL, NULL));
    puts("");
  }
  H5Pclose(found);
  H5Dclose(data);
  H5Sclose(space);
}

int main(void) {
  const hsize_t chunk[2] = {10, 10};
  hid_t file, hint, filtered, explicit_chunk, text = H5Tcopy(H5T_C_S1);
  quiet();
  H5Tset_size(text, H5T_VARIABLE);
  file = H5Fcreate("density_filters.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

  hint = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_chunk(hint, 2, chunk));
  CALL(H5Pset_density(hint, H5D_DENSITY_SPARSE));
  show_filters(file, "hint, integers", H5T_STD_U16LE, hint);
  show_filters(file, "hint, floats", H5T_IEEE_F64LE, hint);
  show_filters(file, "hint, strings", text, hint);

  filtered = H5Pcopy(hint);
  CALL(H5Pset_deflate(filtered, 4));
  show_filters(file, "hint and deflate", H5T_STD_U16LE, filtered);

  explicit_chunk = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_struct_chunk(explicit_chunk, 2, chunk, H5D_SPARSE_CHUNK));
  show_filters(file, "structured chunks", H5T_STD_U16LE, explicit_chunk);
  CALL(H5Pset_density(explicit_chunk, H5D_DENSITY_SPARSE));
  show_filters(file, "structured chunks and hint", H5T_STD_U16LE, explicit_chunk);
  CALL(H5Fclose(file));
  return 0;
}
