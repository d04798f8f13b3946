/* SPDX-License-Identifier: Apache-2.0
 *
 * Combining, moving, copying and projecting selections. */
#include "show.h"

static hid_t slab(hsize_t row, hsize_t column, hsize_t rows, hsize_t columns) {
  const hsize_t dims[2] = {8, 8};
  const hsize_t start[2] = {row, column}, count[2] = {rows, columns};
  hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  return space;
}

static void show(hid_t space) {
  hsize_t low[2], high[2];
  hssize_t blocks;
  if (space < 0) {
    printf("  none\n");
    return;
  }
  printf("  %lld elements, type %d", (long long)H5Sget_select_npoints(space), (int)H5Sget_select_type(space));
  if (H5Sget_select_npoints(space) > 0) {
    H5Sget_select_bounds(space, low, high);
    blocks = H5Sget_select_hyper_nblocks(space);
    printf(", (%d %d) to (%d %d) in %lld blocks", (int)low[0], (int)low[1], (int)high[0], (int)high[1],
           (long long)blocks);
  }
  printf("\n");
}

static void combine(void) {
  const H5S_seloper_t operators[] = {H5S_SELECT_OR, H5S_SELECT_AND, H5S_SELECT_XOR, H5S_SELECT_NOTB,
                                     H5S_SELECT_NOTA};
  const hsize_t start[2] = {2, 2}, count[2] = {4, 4};
  hid_t a = slab(0, 0, 4, 4), b = slab(2, 2, 4, 4), c, all;
  int i;
  for (i = 0; i < 5; ++i) {
    c = H5Scombine_select(a, operators[i], b);
    show(c);
    H5Sclose(c);
    c = H5Scombine_hyperslab(a, operators[i], start, NULL, count, NULL);
    show(c);
    CALL(H5Smodify_select(c, operators[i], b));
    show(c);
    H5Sclose(c);
  }
  all = H5Scopy(a);
  H5Sselect_all(all);
  TRY(H5Scombine_select(a, H5S_SELECT_OR, all));
  TRY(H5Scombine_select(a, H5S_SELECT_SET, b));
  TRY(H5Smodify_select(a, H5S_SELECT_SET, b));
  TRY(H5Smodify_select(a, H5S_SELECT_OR, all));
  TRY(H5Scombine_select(-1, H5S_SELECT_OR, b));
  H5Sclose(all);
  H5Sclose(a);
  H5Sclose(b);
}

static void move(void) {
  const hssize_t by[2] = {2, 3};
  const hsize_t low[2] = {0, 0}, high[2] = {1, 1}, far_low[2] = {6, 6}, far_high[2] = {7, 7}, bad[2] = {0, 1};
  hid_t a = slab(3, 4, 2, 2), b = slab(0, 0, 1, 1);
  CALL(H5Sselect_adjust(a, by));
  show(a);
  CALL(H5Sselect_copy(b, a));
  show(b);
  CALL(H5Sselect_intersect_block(b, low, high));
  CALL(H5Sselect_intersect_block(b, far_low, far_high));
  TRY(H5Sselect_intersect_block(b, high, bad));
  TRY(H5Sselect_intersect_block(b, NULL, high));
  TRY(H5Sselect_adjust(b, NULL));
  TRY(H5Sselect_copy(b, -1));
  H5Sclose(a);
  H5Sclose(b);
}

static void project(void) {
  const hsize_t dims[1] = {16};
  hid_t from = slab(0, 0, 4, 4), part = slab(1, 1, 2, 2), onto = H5Screate_simple(1, dims, NULL), result;
  result = H5Sselect_project_intersection(from, onto, part);
  CALL_ID(result);
  VALUE(H5Sget_select_npoints(result));
  H5Sclose(result);
  H5Sselect_none(part);
  result = H5Sselect_project_intersection(from, onto, part);
  VALUE(H5Sget_select_npoints(result));
  H5Sclose(result);
  H5Sselect_none(onto);
  TRY(H5Sselect_project_intersection(from, onto, part));
  H5Sclose(from);
  H5Sclose(part);
  H5Sclose(onto);
}

int main(void) {
  quiet();
  combine();
  move();
  project();
  return 0;
}
