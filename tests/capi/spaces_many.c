/* SPDX-License-Identifier: Apache-2.0 */
/* Selections that are built by many small steps, with looks at them in between. */
#include "show.h"

static unsigned state = 12345;
static unsigned next(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static void show_selection(const char* what, hid_t space) {
  hsize_t low[3], high[3], blocks[60];
  hssize_t count = H5Sget_select_npoints(space);
  printf("%s: type %d, %lld elements", what, (int)H5Sget_select_type(space), (long long)count);
  if (count > 0 && H5Sget_select_bounds(space, low, high) >= 0)
    printf(", bounds %llu %llu to %llu %llu", (unsigned long long)low[0], (unsigned long long)low[1],
           (unsigned long long)high[0], (unsigned long long)high[1]);
  if (H5Sget_select_type(space) == H5S_SEL_HYPERSLABS) {
    hssize_t n = H5Sget_select_hyper_nblocks(space);
    printf(", %lld blocks", (long long)n);
    if (H5Sget_select_hyper_blocklist(space, 0, (hsize_t)(n < 10 ? n : 10), blocks) >= 0)
      for (int i = 0; i < (n < 10 ? n : 10) * 4; ++i) printf(" %llu", (unsigned long long)blocks[i]);
  } else if (H5Sget_select_type(space) == H5S_SEL_POINTS) {
    hssize_t n = H5Sget_select_elem_npoints(space);
    if (H5Sget_select_elem_pointlist(space, 0, (hsize_t)(n < 10 ? n : 10), blocks) >= 0)
      for (int i = 0; i < (n < 10 ? n : 10) * 2; ++i) printf(" %llu", (unsigned long long)blocks[i]);
  }
  printf("\n");
}

static void slab(hid_t space, H5S_seloper_t op, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns) {
  hsize_t start[2], count[2];
  start[0] = row, start[1] = column, count[0] = rows, count[1] = columns;
  if (H5Sselect_hyperslab(space, op, start, NULL, count, NULL) < 0) printf("failed\n");
}

int main(void) {
  const hsize_t dims[2] = {60, 80}, larger[2] = {90, 100};
  const H5S_seloper_t ops[3] = {H5S_SELECT_OR, H5S_SELECT_XOR, H5S_SELECT_NOTB};
  hid_t space = H5Screate_simple(2, dims, NULL), copy;

  H5Sselect_none(space);
  for (int i = 0; i < 400; ++i) slab(space, H5S_SELECT_OR, next(60), next(80), 1, 1);
  show_selection("points united", space);
  for (int i = 0; i < 100; ++i) slab(space, H5S_SELECT_OR, next(60), next(40), 1, 1 + next(40));
  show_selection("rows united", space);
  for (int i = 0; i < 300; ++i) slab(space, ops[next(3)], next(60), next(60), 1, 1 + next(20));
  show_selection("operators in turn", space);
  for (int i = 0; i < 30; ++i) {
    slab(space, H5S_SELECT_OR, next(50), next(60), 1 + next(10), 1 + next(20));
    slab(space, H5S_SELECT_NOTB, next(60), next(80), 1, 1);
    slab(space, H5S_SELECT_NOTB, next(60), next(80), 1, 1);
  }
  show_selection("boxes among them", space);

  /* A copy, and what happens to it, do not change the original. */
  copy = H5Scopy(space);
  slab(space, H5S_SELECT_OR, 0, 0, 1, 3);
  slab(copy, H5S_SELECT_OR, 1, 1, 1, 3);
  show_selection("original", space);
  show_selection("copy", copy);
  for (int i = 0; i < 50; ++i) slab(space, H5S_SELECT_OR, next(60), next(80), 1, 1);
  H5Sselect_copy(copy, space);
  show_selection("selection copied", copy);
  printf("same shape: %d\n", (int)H5Sselect_shape_same(copy, space));

  /* Beyond the extent, and back; then another extent. */
  slab(space, H5S_SELECT_OR, 70, 10, 1, 1);
  slab(space, H5S_SELECT_OR, 5, 90, 1, 2);
  printf("valid: %d\n", (int)H5Sselect_valid(space));
  slab(space, H5S_SELECT_NOTB, 70, 10, 1, 1);
  slab(space, H5S_SELECT_NOTB, 5, 90, 1, 2);
  printf("valid: %d\n", (int)H5Sselect_valid(space));
  show_selection("back in the extent", space);
  slab(space, H5S_SELECT_OR, 7, 7, 1, 1);
  H5Sset_extent_simple(space, 2, larger, NULL);
  show_selection("larger extent", space);
  slab(space, H5S_SELECT_SET, 0, 0, 2, 2);
  for (int i = 0; i < 40; ++i) slab(space, H5S_SELECT_OR, next(90), next(100), 1, 1);
  show_selection("again", space);
  for (int i = 0; i < 90; ++i) slab(space, H5S_SELECT_NOTB, (hsize_t)i, 0, 1, 100);
  show_selection("nothing left", space);
  slab(space, H5S_SELECT_OR, 3, 4, 1, 5);
  show_selection("a row", space);

  /* Points one by one, in their order, with repetitions; in between a prepended one. */
  for (int i = 0; i < 300; ++i) {
    hsize_t point[4];
    point[0] = next(90), point[1] = next(100), point[2] = next(90), point[3] = next(100);
    if (H5Sselect_elements(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_APPEND, 1 + next(2), point) < 0)
      printf("failed\n");
    if (i % 100 == 50) H5Sselect_elements(space, H5S_SELECT_PREPEND, 1, point);
    if (i % 100 == 99) show_selection("points", space);
  }
  copy = H5Scopy(space);
  show_selection("copy of points", copy);
  {
    const hsize_t outside[2] = {95, 120}, inside[2] = {0, 1};
    H5Sselect_elements(space, H5S_SELECT_APPEND, 1, outside);
    printf("valid: %d\n", (int)H5Sselect_valid(space));
    H5Sselect_elements(space, H5S_SELECT_APPEND, 1, inside);
    show_selection("points outside", space);
    TRY(H5Sselect_hyperslab(space, H5S_SELECT_OR, inside, NULL, dims, NULL));
  }
  return 0;
}
