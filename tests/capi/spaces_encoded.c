/* SPDX-License-Identifier: Apache-2.0 */
/* H5Sdecode of what H5Sencode returns: selections outside of the extent included. */
#include "show.h"

static void exchange(const char* name, hid_t space) {
  unsigned char bytes[1024];
  size_t size = sizeof bytes;
  hsize_t low[2] = {77, 77}, high[2] = {77, 77};
  hid_t decoded;
  printf("-- %s\n", name);
  CALL(H5Sencode(space, bytes, &size));
  decoded = H5Sdecode(bytes);
  CALL_ID(decoded);
  if (decoded < 0) return;
  VALUE(H5Sget_simple_extent_ndims(decoded));
  VALUE(H5Sget_simple_extent_npoints(decoded));
  VALUE(H5Sget_select_type(decoded));
  VALUE(H5Sget_select_npoints(decoded));
  if (H5Sget_simple_extent_type(decoded) == H5S_SIMPLE) TRY(H5Sget_select_bounds(decoded, low, high));
  printf("%d %d to %d %d\n", (int)low[0], (int)low[1], (int)high[0], (int)high[1]);
  TRY(H5Sselect_valid(decoded));
  TRY(H5Sextent_equal(space, decoded));
  H5Sclose(decoded);
}

int main(void) {
  hsize_t dims[2] = {10, 20}, most[2] = {H5S_UNLIMITED, 20}, start[2] = {8, 5}, one[2] = {1, 1},
          block[2] = {30, 40};
  hsize_t stride[2] = {50, 60}, count[2] = {3, 4}, endless[2] = {H5S_UNLIMITED, 1},
          points[6] = {5, 5, 100, 3, 2, 300};
  hssize_t offset[2] = {40, 5};
  hid_t space;
  quiet();
  space = H5Screate_simple(2, dims, most);
  exchange("all", space);
  H5Sselect_none(space);
  exchange("none", space);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
  exchange("inside", space);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, block);
  exchange("a block beyond", space);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
  exchange("blocks beyond", space);
  start[0] = 1000;
  H5Sselect_hyperslab(space, H5S_SELECT_OR, start, NULL, one, block);
  exchange("irregular", space);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, endless, NULL);
  exchange("unlimited", space);
  H5Sselect_elements(space, H5S_SELECT_SET, 3, points);
  exchange("points", space);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, one, NULL, one, NULL);
  H5Soffset_simple(space, offset);
  exchange("offset", space);
  H5Sclose(space);
  space = H5Screate(H5S_NULL);
  exchange("null", space);
  H5Sclose(space);
  space = H5Screate(H5S_SCALAR);
  exchange("scalar", space);
  H5Sselect_none(space);
  exchange("scalar, none", space);
  H5Sclose(space);
  return 0;
}
