/* SPDX-License-Identifier: Apache-2.0
 *
 * Dataspaces: extents, selections of every kind, and errors. */
#include "show.h"

static void show_space(const char* title, hid_t space) {
  hsize_t dims[32], most[32], low[32], high[32];
  int rank = H5Sget_simple_extent_dims(space, dims, most), d;
  printf("%s: class %d, rank %d, %lld points, simple %d, selection type %d of %lld, valid %d", title,
         (int)H5Sget_simple_extent_type(space), rank, (long long)H5Sget_simple_extent_npoints(space),
         (int)H5Sis_simple(space), (int)H5Sget_select_type(space), (long long)H5Sget_select_npoints(space),
         (int)H5Sselect_valid(space));
  for (d = 0; d < rank; ++d) printf(" %lld/%lld", (long long)dims[d], (long long)most[d]);
  if (H5Sget_select_type(space) != H5S_SEL_NONE && H5Sget_select_bounds(space, low, high) >= 0)
    for (d = 0; d < rank; ++d) printf(" [%lld %lld]", (long long)low[d], (long long)high[d]);
  printf("\n");
}

static void show_blocks(hid_t space, int rank) {
  hsize_t list[512];
  hssize_t n = H5Sget_select_hyper_nblocks(space), i;
  printf("%lld blocks, regular %d:", (long long)n, (int)H5Sis_regular_hyperslab(space));
  if (n > 0 && n < 512 / (2 * rank) && H5Sget_select_hyper_blocklist(space, 0, (hsize_t)n, list) >= 0)
    for (i = 0; i < n * 2 * rank; ++i) printf(" %lld", (long long)list[i]);
  printf("\n");
}

static void extents(void) {
  const hsize_t dims[2] = {4, 6}, most[2] = {H5S_UNLIMITED, 6}, small[2] = {3, 6},
                endless[2] = {H5S_UNLIMITED, 1};
  hid_t scalar = H5Screate(H5S_SCALAR), null = H5Screate(H5S_NULL), open = H5Screate(H5S_SIMPLE);
  hid_t simple = H5Screate_simple(2, dims, most), copy = H5Scopy(simple),
        zero = H5Screate_simple(0, NULL, NULL);
  show_space("scalar", scalar);
  show_space("null", null);
  show_space("open", open);
  show_space("simple", simple);
  show_space("rank 0", zero);
  CALL(H5Sextent_equal(simple, copy));
  CALL(H5Sset_extent_simple(open, 2, dims, NULL));
  show_space("open", open);
  CALL(H5Sextent_equal(simple, open));
  CALL(H5Sextent_copy(open, simple));
  CALL(H5Sextent_equal(simple, open));
  CALL(H5Sset_extent_none(copy));
  CALL(H5Sget_simple_extent_type(copy));
  CALL_ID(H5Screate_simple(33, dims, NULL));
  CALL_ID(H5Screate_simple(-1, dims, NULL));
  CALL_ID(H5Screate_simple(2, NULL, NULL));
  CALL_ID(H5Screate_simple(2, dims, small));
  CALL_ID(H5Screate_simple(2, endless, NULL));
  CALL_ID(H5Screate((H5S_class_t)7));
  CALL(H5Sclose(scalar));
  CALL(H5Sclose(scalar));
  CALL(H5Sclose(H5S_ALL));
  CALL(H5Sget_simple_extent_ndims(H5T_NATIVE_INT));
  H5Sclose(null);
  H5Sclose(open);
  H5Sclose(simple);
  H5Sclose(copy);
  H5Sclose(zero);
}

static void hyperslabs(void) {
  const hsize_t dims[2] = {10, 12};
  const hsize_t start[2] = {1, 2}, stride[2] = {3, 4}, count[2] = {3, 2}, block[2] = {2, 1};
  const hsize_t start2[2] = {0, 0}, count2[2] = {5, 5}, none[2] = {0, 1}, far_[2] = {9, 9}, zero[2] = {0, 3};
  hsize_t a[2], b[2], c[2], d[2];
  const H5S_seloper_t ops[] = {H5S_SELECT_SET, H5S_SELECT_OR,   H5S_SELECT_AND,
                               H5S_SELECT_XOR, H5S_SELECT_NOTB, H5S_SELECT_NOTA};
  hid_t space = H5Screate_simple(2, dims, NULL), other = H5Screate_simple(2, dims, NULL);
  int i, from;
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block));
  show_space("regular", space);
  show_blocks(space, 2);
  CALL(H5Sget_regular_hyperslab(space, a, b, c, d));
  printf("%lld %lld %lld %lld, %lld %lld %lld %lld\n", (long long)a[0], (long long)b[0], (long long)c[0],
         (long long)d[0], (long long)a[1], (long long)b[1], (long long)c[1], (long long)d[1]);
  for (from = 0; from < 3; ++from) {
    for (i = 0; i < 6; ++i) {
      if (from == 0) H5Sselect_all(space);
      if (from == 1) H5Sselect_none(space);
      if (from == 2) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
      printf("from %d op %d: %d ", from, i,
             (int)H5Sselect_hyperslab(space, ops[i], start2, NULL, count2, NULL));
      show_space("", space);
      if (H5Sget_select_type(space) == H5S_SEL_HYPERSLABS) show_blocks(space, 2);
      printf("empty operand %d ", (int)H5Sselect_hyperslab(space, ops[i], start, NULL, none, NULL));
      show_space("", space);
    }
  }
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, far_, NULL, count2, NULL));
  show_space("outside", space);
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, zero, count, NULL));
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, count2));
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, NULL, stride, count, NULL));
  CALL(H5Sselect_hyperslab(space, (H5S_seloper_t)42, start, stride, count, NULL));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start2, NULL, count2, NULL);
  H5Sselect_hyperslab(other, H5S_SELECT_SET, start2, NULL, count2, NULL);
  CALL(H5Sselect_shape_same(space, other));
  {
    const hssize_t offset[2] = {2, -1};
    CALL(H5Soffset_simple(space, offset));
    show_space("with an offset", space);
    CALL(H5Sselect_none(space));
    CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count2, NULL));
    show_space("which sticks", space);
  }
  H5Sclose(space);
  H5Sclose(other);
}

static void points(void) {
  const hsize_t dims[2] = {5, 5}, list[6] = {1, 1, 4, 0, 2, 3}, more[2] = {0, 4}, out[2] = {9, 9};
  hsize_t got[16];
  hid_t space = H5Screate_simple(2, dims, NULL);
  int i;
  CALL(H5Sselect_elements(space, H5S_SELECT_SET, 3, list));
  CALL(H5Sselect_elements(space, H5S_SELECT_APPEND, 1, more));
  CALL(H5Sselect_elements(space, H5S_SELECT_PREPEND, 1, more));
  show_space("points", space);
  CALL(H5Sget_select_elem_npoints(space));
  CALL(H5Sget_select_elem_pointlist(space, 1, 3, got));
  for (i = 0; i < 6; ++i) printf("%lld ", (long long)got[i]);
  printf("\n");
  CALL(H5Sselect_elements(space, H5S_SELECT_OR, 1, more));
  CALL(H5Sselect_elements(space, H5S_SELECT_SET, 0, more));
  CALL(H5Sselect_elements(space, H5S_SELECT_SET, 1, NULL));
  CALL(H5Sget_select_hyper_nblocks(space));
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_OR, list, NULL, list, NULL));
  CALL(H5Sselect_elements(space, H5S_SELECT_SET, 1, out));
  show_space("outside", space);
  H5Sselect_all(space);
  CALL(H5Sget_select_elem_npoints(space));
  CALL(H5Sselect_elements(space, H5S_SELECT_APPEND, 1, more));
  show_space("a new list", space);
  H5Sclose(space);
}

static void unlimited(void) {
  const hsize_t dims[2] = {4, 4}, most[2] = {H5S_UNLIMITED, 4}, start[2] = {1, 0}, stride[2] = {2, 1},
                count[2] = {H5S_UNLIMITED, 4};
  const hsize_t box[2] = {3, 2};
  hsize_t a[2], b[2], c[2], d[2];
  hid_t space = H5Screate_simple(2, dims, most);
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL));
  CALL(H5Sget_select_type(space));
  CALL(H5Sget_select_npoints(space));
  CALL(H5Sis_regular_hyperslab(space));
  CALL(H5Sget_regular_hyperslab(space, a, b, c, d));
  printf("%lld %lld %lld %lld\n", (long long)a[0], (long long)b[0], (long long)c[0], (long long)d[0]);
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_AND, start, NULL, box, NULL));
  show_space("clipped", space);
  show_blocks(space, 2);
  H5Sclose(space);
}

static void encoded(void) {
  const hsize_t dims[2] = {20, 30}, start[2] = {1, 2}, count[2] = {3, 4}, list[4] = {1, 2, 3, 4};
  unsigned char bytes[512];
  size_t capacity = sizeof bytes, i;
  int kind;
  hid_t space = H5Screate_simple(2, dims, NULL), back;
  for (kind = 0; kind < 5; ++kind) {
    if (kind == 1) H5Sselect_none(space);
    if (kind == 2) H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (kind == 3) H5Sselect_hyperslab(space, H5S_SELECT_OR, list, NULL, count, NULL);
    if (kind == 4) H5Sselect_elements(space, H5S_SELECT_SET, 2, list);
    CALL(H5Sencode(space, NULL, &capacity));
    printf("%d ", (int)H5Sencode(space, bytes, &capacity));
    for (i = 0; i < capacity; ++i) printf("%02x", bytes[i]);
    back = H5Sdecode(bytes);
    printf("\n");
    show_space("back", back);
    CALL(H5Sextent_equal(space, back));
    CALL(H5Sselect_shape_same(space, back));
    H5Sclose(back);
  }
  CALL_ID(H5Sdecode(NULL));
  H5Sclose(space);
}

int main(void) {
  quiet();
  extents();
  hyperslabs();
  points();
  unlimited();
  encoded();
  return 0;
}
