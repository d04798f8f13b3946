/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the offset of a selection (H5Soffset_simple) counts, and where it does not. */
#include "virtual.h"

static void show_bounds(const char* what, hid_t space) {
  hsize_t low = 99, high = 99;
  herr_t result = H5Sget_select_bounds(space, &low, &high);
  printf("%s: %d, %lld to %lld\n", what, (int)result, (long long)low, (long long)high);
}

int main(void) {
  const hsize_t points[2] = {3, 5};
  const hssize_t offset = 1;
  hsize_t one = 1, two = 2, seven = 7;
  hid_t spaces[4], file, list, copy, back, set;
  hdset_reg_ref_t region;
  char buffer[1000];
  int values[4], i;
  size_t bytes;
  quiet();
  file = new_file("spaces_offset.h5");
  new_source(file, "d", 20, 100);
  set = H5Dopen2(file, "d", NONE);
  spaces[0] = part(20, 2, 3, 3, 1);
  spaces[1] = line(20);
  H5Sselect_elements(spaces[1], H5S_SELECT_SET, 2, points);
  spaces[2] = line(20);
  H5Sselect_hyperslab(spaces[2], H5S_SELECT_SET, &one, NULL, &one, NULL);
  H5Sselect_hyperslab(spaces[2], H5S_SELECT_OR, &seven, NULL, &two, NULL);
  spaces[3] = line(20);
  for (i = 0; i < 4; ++i) {
    printf("-- space %d\n", i);
    CALL(H5Soffset_simple(spaces[i], &offset));
    show_bounds("bounds", spaces[i]);
    CALL(H5Sselect_valid(spaces[i]));
    copy = H5Scopy(spaces[i]);
    show_bounds("copy", copy);
    bytes = sizeof buffer;
    CALL(H5Sencode(spaces[i], buffer, &bytes));
    back = H5Sdecode(buffer);
    show_bounds("decoded", back);
    CALL(H5Rcreate(&region, file, "d", H5R_DATASET_REGION, spaces[i]));
    back = H5Rget_region(file, H5R_DATASET_REGION, &region);
    show_bounds("region", back);
    values[0] = values[1] = values[2] = -1;
    if (i < 3) {
      CALL(H5Dread(set, H5T_NATIVE_INT, line((hsize_t)H5Sget_select_npoints(spaces[i])), spaces[i], NONE,
                   values));
      printf("%d %d %d\n", values[0], values[1], values[2]);
    }
  }
  list = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_virtual(list, spaces[0], ".", "d", spaces[0]));
  bytes = sizeof buffer;
  CALL(H5Pencode(list, buffer, &bytes));
  copy = H5Pdecode(buffer);
  show_mappings("decoded list", copy);
  H5Dclose(set);
  CALL(H5Fclose(file));
  return 0;
}
