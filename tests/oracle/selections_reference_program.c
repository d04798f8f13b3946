/* SPDX-License-Identifier: Apache-2.0
 *
 * Selections as the HDF5 library makes them: reads commands, one a line, and prints the properties of the
 * results. The commands are described in selections_reference_test.py.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

#define SLOTS 4
#define RANK 8

static hid_t spaces[SLOTS] = {-1, -1, -1, -1};

static hsize_t number(void) {
  const char* word = strtok(NULL, " \n");
  if (word == NULL) exit(2);
  return strtoull(word, NULL, 10);
}

static void numbers(int count, hsize_t* into) {
  for (int i = 0; i < count; ++i) into[i] = number();
}

static void print_numbers(const char* name, hsize_t count, const hsize_t* from) {
  printf(" %s", name);
  for (hsize_t i = 0; i < count; ++i) printf(" %" PRIu64, (uint64_t)from[i]);
}

static int rank_of(hid_t space) { return H5Sget_simple_extent_ndims(space); }

static void make_space(hid_t* space) {
  hsize_t dims[RANK];
  const int rank = (int)number();
  numbers(rank, dims);
  if (*space >= 0) H5Sclose(*space);
  *space = H5Screate_simple(rank, dims, NULL);
}

static herr_t select_slab(hid_t space) {
  hsize_t start[RANK], stride[RANK], count[RANK], block[RANK];
  const H5S_seloper_t op = (H5S_seloper_t)number();
  for (int d = 0; d < rank_of(space); ++d) {
    start[d] = number();
    stride[d] = number();
    count[d] = number();
    block[d] = number();
  }
  return H5Sselect_hyperslab(space, op, start, stride, count, block);
}

static herr_t select_points(hid_t space) {
  const H5S_seloper_t op = (H5S_seloper_t)number();
  const size_t count = (size_t)number();
  hsize_t* coordinates = calloc(count * (size_t)rank_of(space) + 1, sizeof(hsize_t));
  numbers((int)count * rank_of(space), coordinates);
  const herr_t status = H5Sselect_elements(space, op, count, coordinates);
  free(coordinates);
  return status;
}

static void show_blocks(hid_t space, hsize_t first, hsize_t count) {
  const hsize_t width = 2 * (hsize_t)rank_of(space);
  hsize_t* corners = calloc((size_t)(count * width) + 1, sizeof(hsize_t));
  if (H5Sget_select_hyper_blocklist(space, first, count, corners) < 0) {
    printf(" blocks refused");
  } else {
    print_numbers("blocks", count * width, corners);
  }
  free(corners);
}

static void show_slabs(hid_t space) {
  const hssize_t blocks = H5Sget_select_hyper_nblocks(space);
  if (blocks >= 0) {
    printf(" nblocks %" PRId64, (int64_t)blocks);
    show_blocks(space, 0, (hsize_t)blocks);
    if (blocks > 2) show_blocks(space, (hsize_t)blocks / 3, (hsize_t)blocks / 2);
  } else {
    printf(" nblocks refused");
  }
  hsize_t start[RANK], stride[RANK], count[RANK], block[RANK];
  const htri_t regular = H5Sis_regular_hyperslab(space);
  printf(" regular %d", (int)regular);
  if (regular > 0) {
    H5Sget_regular_hyperslab(space, start, stride, count, block);
    for (int d = 0; d < rank_of(space); ++d) {
      const hsize_t all[4] = {start[d], stride[d], count[d], block[d]};
      print_numbers("dimension", 4, all);
    }
  }
}

static void show(hid_t space) {
  hsize_t low[RANK], high[RANK];
  const H5S_sel_type type = H5Sget_select_type(space);
  printf("type %d points %" PRId64 " valid %d", (int)type, (int64_t)H5Sget_select_npoints(space),
         (int)H5Sselect_valid(space));
  if (H5Sget_select_bounds(space, low, high) >= 0) {
    print_numbers("from", (hsize_t)rank_of(space), low);
    print_numbers("to", (hsize_t)rank_of(space), high);
  }
  if (type == H5S_SEL_HYPERSLABS) show_slabs(space);
  printf("\n");
}

static void report(herr_t status) {
  if (status < 0) printf("refused\n");
}

int main(void) {
  static char line[1 << 16];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  while (fgets(line, sizeof line, stdin) != NULL) {
    const char* command = strtok(line, " \n");
    if (command == NULL) continue;
    hid_t* space = &spaces[number()];
    if (strcmp(command, "space") == 0) make_space(space);
    if (strcmp(command, "all") == 0) report(H5Sselect_all(*space));
    if (strcmp(command, "none") == 0) report(H5Sselect_none(*space));
    if (strcmp(command, "slab") == 0) report(select_slab(*space));
    if (strcmp(command, "points") == 0) report(select_points(*space));
    if (strcmp(command, "show") == 0) show(*space);
    if (strcmp(command, "same") == 0)
      printf("same %d\n", (int)H5Sselect_shape_same(*space, spaces[number()]));
    if (strcmp(command, "case") == 0) printf("case %s\n", strtok(NULL, "\n"));
  }
  return 0;
}
