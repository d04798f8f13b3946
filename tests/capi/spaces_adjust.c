/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Sselect_adjust on selections of every kind, and beyond the limits. */
#include "show.h"

static const hsize_t dims[2] = {10, 10}, most[2] = {H5S_UNLIMITED, 10};
static const hsize_t start[2] = {3, 3}, count[2] = {2, 2}, points[4] = {3, 3, 4, 4};

static void nothing(hid_t space) { H5Sselect_none(space); }
static void slab(hid_t space) { H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL); }
static void two_points(hid_t space) { H5Sselect_elements(space, H5S_SELECT_SET, 2, points); }
static void without_end(hid_t space) {
  hsize_t counts[2] = {H5S_UNLIMITED, 2}, stride[2] = {3, 1}, block[2] = {2, 1};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, counts, block);
}

static void adjust(hid_t space, hssize_t first, hssize_t second) {
  hssize_t by[2] = {first, second};
  hsize_t low[2] = {99, 99}, high[2] = {99, 99};
  printf("by %lld %lld: ", (long long)first, (long long)second);
  CALL(H5Sselect_adjust(space, by));
  printf("%lld points, ", (long long)H5Sget_select_npoints(space));
  if (H5Sget_select_npoints(space) != 0) {
    CALL(H5Sget_select_bounds(space, low, high));
    printf("from %lld %lld", (long long)low[0], (long long)low[1]);
    /* HDF5 also moves the end of an unlimited selection. */
    if (H5Sget_select_npoints(space) > 0) printf(" to %lld %lld", (long long)high[0], (long long)high[1]);
  }
  printf(", type %d, valid %d\n", H5Sget_select_type(space), H5Sselect_valid(space));
  H5Sclose(space);
}

static void adjust_all(const char* what, void (*select)(hid_t)) {
  static const hssize_t by[][2] = {{0, 0},  {3, 3},  {4, 0}, {0, 4},      {-5, 0},
                                   {-7, 0}, {3, -1}, {1, 1}, {-100, -100}};
  size_t i;
  printf("-- %s\n", what);
  for (i = 0; i < sizeof by / sizeof *by; ++i) {
    hid_t space = H5Screate_simple(2, dims, most);
    if (select != NULL) select(space);
    adjust(space, by[i][0], by[i][1]);
  }
}

int main(void) {
  hssize_t by[2] = {0, 0};
  hid_t space, closed;
  quiet();
  adjust_all("all", NULL);
  adjust_all("none", nothing);
  adjust_all("slab", slab);
  adjust_all("points", two_points);
  adjust_all("unlimited", without_end);
  adjust(H5Screate(H5S_SCALAR), 3, 3);
  adjust(H5Screate(H5S_NULL), 3, 3);
  space = H5Screate_simple(2, dims, most);
  closed = H5Scopy(space);
  H5Sclose(closed);
  CALL(H5Sselect_adjust(space, NULL));
  CALL(H5Sselect_adjust(closed, by));
  CALL(H5Sselect_adjust(-1, NULL));
  CALL(H5Sselect_adjust(0, by));
  CALL(H5Sselect_adjust(H5T_STD_I32LE, by));
  H5Sclose(space);
  return 0;
}
