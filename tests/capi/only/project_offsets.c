/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Sselect_project_intersection of dataspaces with an offset, which HDF5 ignores. */
#include "../show.h"

static hid_t slab(hsize_t start, hsize_t count, hssize_t offset) {
  const hsize_t size = 20;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
  H5Soffset_simple(space, &offset);
  return space;
}

int main(void) {
  hssize_t source, part, destination;
  for (source = 0; source <= 3; source += 3)
    for (part = 0; part <= 2; part += 2)
      for (destination = -2; destination <= 0; destination += 2) {
        /* Elements 2 to 7 correspond to 5 to 10; wanted are those that 4 and 5 are among. */
        const hid_t from = slab(2, 6, source), onto = slab(5, 6, destination), among = slab(4, 2, part);
        const hid_t result = H5Sselect_project_intersection(from, onto, among);
        hsize_t low = 99, high = 99;
        printf("offsets %d, %d, %d: %d elements", (int)source, (int)part, (int)destination,
               (int)H5Sget_select_npoints(result));
        if (H5Sget_select_bounds(result, &low, &high) >= 0) printf(" from %d to %d", (int)low, (int)high);
        printf(", valid: %d\n", (int)H5Sselect_valid(result));
        H5Sclose(from), H5Sclose(onto), H5Sclose(among), H5Sclose(result);
      }
  return 0;
}
