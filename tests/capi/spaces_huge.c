/* SPDX-License-Identifier: Apache-2.0
 *
 * Selections in extents of 2^64 elements and more. */
#include "show.h"

enum { most_numbers = 256 };

static void show_numbers(const hsize_t* numbers, long long count) {
  long long i;
  for (i = 0; i < count; ++i) printf(" %llu", (unsigned long long)numbers[i]);
  printf("\n");
}

static void show_blocks(hid_t space, int rank) {
  hsize_t list[most_numbers], start[3], stride[3], count[3], block[3];
  const long long blocks = H5Sget_select_hyper_nblocks(space);
  int d;
  printf("  %lld blocks", blocks);
  if (blocks * 2 * rank <= most_numbers) {
    H5Sget_select_hyper_blocklist(space, 0, (hsize_t)blocks, list);
    show_numbers(list, blocks * 2 * rank);
  } else {
    printf("\n");
  }
  VALUE(H5Sis_regular_hyperslab(space));
  if (H5Sis_regular_hyperslab(space) <= 0) return;
  H5Sget_regular_hyperslab(space, start, stride, count, block);
  for (d = 0; d < rank; ++d)
    printf("  %llu by %llu: %llu times %llu\n", (unsigned long long)start[d], (unsigned long long)stride[d],
           (unsigned long long)count[d], (unsigned long long)block[d]);
}

static void show_space(const char* what, hid_t space) {
  hsize_t low[3] = {0}, high[3] = {0}, list[most_numbers];
  const int rank = H5Sget_simple_extent_ndims(space);
  printf("-- %s\n", what);
  VALUE(H5Sget_select_type(space));
  VALUE(H5Sget_select_npoints(space));
  VALUE(H5Sget_simple_extent_npoints(space));
  VALUE(H5Sselect_valid(space));
  if (H5Sget_select_type(space) == H5S_SEL_NONE) return;
  CALL(H5Sget_select_bounds(space, low, high));
  show_numbers(low, rank);
  show_numbers(high, rank);
  if (H5Sget_select_type(space) == H5S_SEL_HYPERSLABS) show_blocks(space, rank);
  if (H5Sget_select_type(space) != H5S_SEL_POINTS) return;
  VALUE(H5Sget_select_elem_npoints(space));
  CALL(H5Sget_select_elem_pointlist(space, 0, (hsize_t)H5Sget_select_elem_npoints(space), list));
  show_numbers(list, H5Sget_select_elem_npoints(space) * rank);
}

static void show_boxes(hid_t space, int rank, const hsize_t* dims) {
  static const hsize_t ones[3] = {1, 1, 1}, count[3] = {3, 4, 2};
  const hssize_t offset[3] = {-1, 2, -3}, none[3] = {0, 0, 0};
  hsize_t start[3], next[3], stride[3], twice[3] = {2, 2, 2};
  int d;
  hid_t copy;
  for (d = 0; d < rank; ++d) {
    start[d] = dims[d] / 2 - 1;
    next[d] = start[d] + 1;
    stride[d] = dims[d] / 3;
  }
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, ones, count));
  show_space("box", space);
  CALL(H5Soffset_simple(space, offset));
  show_space("box with offset", space);
  H5Soffset_simple(space, none);
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_OR, next, NULL, ones, count));
  show_space("union of neighbours", space);
  copy = H5Scopy(space);
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_AND, next, NULL, ones, count));
  show_space("intersection", space);
  CALL(H5Sselect_hyperslab(copy, H5S_SELECT_NOTB, start, NULL, ones, ones));
  show_space("without an element", copy);
  CALL(H5Sselect_hyperslab(copy, H5S_SELECT_OR, ones, NULL, ones, ones));
  show_space("union of distant boxes", copy);
  CALL(H5Sselect_hyperslab(copy, H5S_SELECT_XOR, start, NULL, ones, count));
  show_space("exclusive or", copy);
  CALL(H5Sselect_hyperslab(copy, H5S_SELECT_NOTA, start, NULL, ones, count));
  show_space("only the new one", copy);
  CALL(H5Sselect_hyperslab(copy, H5S_SELECT_SET, ones, stride, twice, NULL));
  show_space("strided", copy);
  CALL(H5Sselect_copy(copy, space));
  show_space("copied", copy);
  start[0] = dims[0] - 1;
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, ones, count));
  VALUE(H5Sselect_valid(space));
  H5Sclose(copy);
}

static void show_points(hid_t space, int rank, const hsize_t* dims) {
  hsize_t points[6];
  int d;
  for (d = 0; d < rank; ++d) {
    points[d] = dims[d] - 1;
    points[rank + d] = (hsize_t)d;
  }
  CALL(H5Sselect_elements(space, H5S_SELECT_SET, 2, points));
  show_space("points", space);
  CALL(H5Sselect_elements(space, H5S_SELECT_APPEND, 1, points + rank));
  CALL(H5Sselect_elements(space, H5S_SELECT_PREPEND, 1, points));
  show_space("more points", space);
}

static void show_encoded(hid_t space) {
  static char bytes[4096];
  size_t size = sizeof bytes;
  hid_t decoded;
  CALL(H5Sencode(space, bytes, &size));
  decoded = H5Sdecode(bytes);
  CALL_ID(decoded);
  show_space("decoded", decoded);
  H5Sclose(decoded);
}

static void show_extent(int rank, const hsize_t* dims, int encodes) {
  hid_t space = H5Screate_simple(rank, dims, NULL);
  printf("== extent:");
  show_numbers(dims, rank);
  show_space("all", space);
  CALL(H5Sselect_none(space));
  show_space("none", space);
  show_boxes(space, rank, dims);
  if (encodes) show_encoded(space);
  show_points(space, rank, dims);
  if (encodes) show_encoded(space);
  CALL(H5Sselect_all(space));
  show_space("all again", space);
  H5Sclose(space);
}

int main(void) {
  const hsize_t power[2] = {(hsize_t)1 << 32, (hsize_t)1 << 32},
                large[2] = {(hsize_t)1 << 62, (hsize_t)1 << 62},
                cube[3] = {1000000007, 1000000007, 1000000007},
                odd[3] = {((hsize_t)1 << 61) + 1, 3000, ((hsize_t)1 << 40) + 7};
  quiet();
  show_extent(2, power, 1);
  show_extent(2, large, 0);
  show_extent(3, cube, 1);
  show_extent(3, odd, 0);
  return 0;
}
