/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a growing file, reads one in SWMR mode, or checks the file of a killed writer. The values follow
 * from the coordinates, so that a reader knows what to find. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MANY H5S_UNLIMITED
#define DATASETS 6

typedef struct {
  const char* name;
  int rank;
  hsize_t most[2], chunk[2];
  int packed;
  hsize_t step[2], fixed[2]; /* the extent after k steps is fixed + k * step */
} Form;

static const Form forms[DATASETS] = {
    {"array", 1, {MANY}, {4}, 0, {3}, {0}},
    {"packed array", 2, {MANY, 5}, {2, 5}, 1, {1, 0}, {0, 5}},
    {"fixed", 1, {3000}, {2}, 0, {5}, {0}},
    {"packed fixed", 1, {3000}, {3}, 1, {5}, {1}},
    {"tree", 2, {MANY, MANY}, {1, 2}, 0, {1, 0}, {0, 7}},
    {"packed tree", 2, {MANY, MANY}, {3, 3}, 1, {1, 0}, {1, 8}},
};

static void fail(const char* what, const char* name) {
  printf("%s: %s\n", what, name);
  exit(1);
}

static void extent(const Form* form, int step, hsize_t* dims) {
  for (int d = 0; d < form->rank; d++) dims[d] = form->fixed[d] + form->step[d] * (hsize_t)step;
}

static int value(hsize_t row, hsize_t column) { return (int)((row * row * 7 + column * 13 + row) % 100003); }

static void pause_for(long microseconds) {
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
}

static hid_t make(hid_t file, const Form* form) {
  hsize_t dims[2];
  extent(form, 0, dims);
  hid_t space = H5Screate_simple(form->rank, dims, form->most);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, form->rank, form->chunk);
  if (form->packed) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 4);
  }
  hid_t made = H5Dcreate2(file, form->name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  if (made < 0) fail("cannot make", form->name);
  H5Sclose(space);
  H5Pclose(list);
  return made;
}

/* All rows from `first` on. */
static void write_rows(hid_t dataset, const Form* form, hsize_t first, const hsize_t* dims) {
  hsize_t start[2] = {first, 0}, count[2] = {dims[0] - first, form->rank == 2 ? dims[1] : 1};
  if (count[0] == 0) return;
  int* values = malloc(count[0] * count[1] * sizeof *values);
  for (hsize_t r = 0; r < count[0]; r++)
    for (hsize_t c = 0; c < count[1]; c++) values[r * count[1] + c] = value(first + r, c);
  hid_t space = H5Dget_space(dataset);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  hid_t memory = H5Screate_simple(form->rank, count, NULL);
  if (H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values) < 0)
    fail("cannot write", form->name);
  H5Sclose(memory);
  H5Sclose(space);
  free(values);
}

/* Stops after step `hold` until standard input has a line or ends, so that readers can catch up. */
static int write_file(const char* path, int steps, long pause, int hold) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), sets[DATASETS];
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  for (int i = 0; i < DATASETS; i++) {
    hsize_t dims[2];
    sets[i] = make(file, &forms[i]);
    extent(&forms[i], 0, dims);
    write_rows(sets[i], &forms[i], 0, dims);
  }
  if (H5Fstart_swmr_write(file) < 0) fail("cannot start", path);
  printf("0\n");
  fflush(stdout);
  for (int k = 1; k <= steps; k++) {
    for (int i = 0; i < DATASETS; i++) {
      hsize_t before[2], dims[2];
      extent(&forms[i], k - 1, before);
      extent(&forms[i], k, dims);
      if (H5Dset_extent(sets[i], dims) < 0) fail("cannot extend", forms[i].name);
      write_rows(sets[i], &forms[i], before[0], dims);
      if (k % 2 == 0 && H5Dflush(sets[i]) < 0) fail("cannot flush", forms[i].name);
    }
    if (k % 2 == 1 && H5Fflush(file, H5F_SCOPE_LOCAL) < 0) fail("cannot flush", path);
    printf("%d\n", k);
    fflush(stdout);
    pause_for(pause);
    if (k == hold) getchar();
  }
  for (int i = 0; i < DATASETS; i++) H5Dclose(sets[i]);
  return H5Fclose(file) < 0;
}

/* Returns the number of elements. Fewer than after `step` steps, or wrong ones, end the process. */
static hsize_t check_dataset(hid_t dataset, const Form* form, int step, int* step_found) {
  hsize_t dims[2] = {0, 1}, least[2];
  hid_t space = H5Dget_space(dataset);
  if (space < 0 || H5Sget_simple_extent_dims(space, dims, NULL) != form->rank) fail("no extent", form->name);
  H5Sclose(space);
  extent(form, step, least);
  if (dims[0] < least[0] || (dims[0] - form->fixed[0]) % form->step[0] != 0) fail("wrong extent", form->name);
  *step_found = (int)((dims[0] - form->fixed[0]) / form->step[0]);
  hsize_t elements = dims[0] * (form->rank == 2 ? dims[1] : 1), columns = form->rank == 2 ? dims[1] : 1;
  int* values = malloc((elements + 1) * sizeof *values);
  if (H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail("cannot read", form->name);
  for (hsize_t i = 0; i < elements; i++)
    if (values[i] != value(i / columns, i % columns)) {
      printf("%s: element %lld of %lld is %d, not %d\n", form->name, (long long)i, (long long)elements,
             values[i], value(i / columns, i % columns));
      exit(1);
    }
  free(values);
  return elements;
}

static int read_swmr_file(const char* path, int steps) {
  hid_t sets[DATASETS];
  int at[DATASETS] = {0}, news = 0, reported = 0;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  if (file < 0) fail("cannot open for SWMR reading", path);
  for (int i = 0; i < DATASETS; i++) sets[i] = H5Dopen2(file, forms[i].name, H5P_DEFAULT);
  for (int behind = 1; behind;) {
    int begun = 1;
    behind = 0;
    for (int i = 0; i < DATASETS; i++) {
      int found;
      if (H5Drefresh(sets[i]) < 0) fail("cannot refresh", forms[i].name);
      check_dataset(sets[i], &forms[i], at[i], &found);
      news += found > at[i];
      at[i] = found;
      behind |= found < steps;
      begun &= found > 0;
    }
    if (begun && !reported) {
      printf("begun\n");
      fflush(stdout);
      reported = 1;
    }
  }
  for (int i = 0; i < DATASETS; i++) H5Dclose(sets[i]);
  if (H5Fclose(file) < 0) fail("cannot close", path);
  printf("read %s\n", news > DATASETS ? "step by step" : "in one go");
  return 0;
}

static int check_file(const char* path, int step, unsigned flags) {
  hid_t file = H5Fopen(path, flags, H5P_DEFAULT);
  if (file < 0) fail("cannot open", path);
  for (int i = 0; i < DATASETS; i++) {
    int found;
    hid_t dataset = H5Dopen2(file, forms[i].name, H5P_DEFAULT);
    check_dataset(dataset, &forms[i], step, &found);
    H5Dclose(dataset);
  }
  if (H5Fclose(file) < 0) fail("cannot close", path);
  printf("checked\n");
  return 0;
}

int main(int count, char** given) {
  if (count == 6 && strcmp(given[1], "write") == 0)
    return write_file(given[2], atoi(given[3]), atol(given[4]), atoi(given[5]));
  if (count == 4 && strcmp(given[1], "read_swmr") == 0) return read_swmr_file(given[2], atoi(given[3]));
  if (count == 4 && strcmp(given[1], "check") == 0)
    return check_file(given[2], atoi(given[3]), H5F_ACC_RDONLY);
  if (count == 4 && strcmp(given[1], "look") == 0) /* once, during the write */
    return check_file(given[2], atoi(given[3]), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ);
  return 2;
}
