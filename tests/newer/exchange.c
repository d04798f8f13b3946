/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes, checks and extends chunked datasets of every index, in the newest format: exchange COMMAND FILE.
 * The other side of the exchange is exchange.py. */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#define NONE H5P_DEFAULT
enum { N = 10, KINDS = 5 };

static const char* const kinds[KINDS] = {"single", "fixed", "implicit", "extensible", "btree2"};
static int values[2 * N][N];

static int grows(int kind) { return kind >= 3; }

static void name_of(int kind, int filtered, char* name) {
  sprintf(name, "%s%s", kinds[kind], filtered ? "_deflate" : "");
}

static hid_t create(hid_t file, int kind, int filtered) {
  const hsize_t dims[2] = {N, N}, any = H5S_UNLIMITED, chunk = kind == 0 ? N : N / 2,
                chunks[2] = {chunk, chunk};
  const hsize_t most[2] = {grows(kind) ? any : N, kind == 4 ? any : N};
  const hid_t space = H5Screate_simple(2, dims, most), list = H5Pcreate(H5P_DATASET_CREATE);
  char name[32];
  hid_t set;
  name_of(kind, filtered, name);
  H5Pset_chunk(list, 2, chunks);
  if (kind == 2) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (filtered) H5Pset_deflate(list, 6);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

static int write_all(hid_t file) {
  int kind, filtered, bad = 0;
  for (kind = 0; kind < KINDS; ++kind)
    for (filtered = 0; filtered < 2; ++filtered) {
      const hid_t set = create(file, kind, filtered);
      bad += set < 0 || H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values) < 0;
      H5Dclose(set);
    }
  return bad;
}

/* Element (i, j) is 10 i + j; after the extension row 0 has 1000 more, and growing datasets have ten more
 * rows. */
static int check_all(hid_t file, int extended) {
  int kind, filtered, i, j, bad = 0;
  for (kind = 0; kind < KINDS; ++kind)
    for (filtered = 0; filtered < 2; ++filtered) {
      const int rows = extended && grows(kind) ? 2 * N : N;
      int got[2 * N][N];
      char name[32];
      hid_t set;
      name_of(kind, filtered, name);
      memset(got, 0, sizeof got);
      set = H5Dopen2(file, name, NONE);
      bad += set < 0 || H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got) < 0;
      for (i = 0; i < rows; ++i)
        for (j = 0; j < N; ++j) bad += got[i][j] != 10 * i + j + (extended && i == 0 ? 1000 : 0);
      H5Dclose(set);
    }
  return bad;
}

static int write_row(hid_t set, hsize_t row, const int* from) {
  const hsize_t start[2] = {row, 0}, count[2] = {1, N};
  const hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL);
  int bad;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  bad = H5Dwrite(set, H5T_NATIVE_INT, memory, space, NONE, from) < 0;
  H5Sclose(space), H5Sclose(memory);
  return bad;
}

static int extend_all(hid_t file) {
  int kind, filtered, i, bad = 0, changed[N];
  for (i = 0; i < N; ++i) changed[i] = 1000 + i;
  for (kind = 0; kind < KINDS; ++kind)
    for (filtered = 0; filtered < 2; ++filtered) {
      const hsize_t dims[2] = {2 * N, N};
      char name[32];
      hid_t set;
      name_of(kind, filtered, name);
      set = H5Dopen2(file, name, NONE);
      bad += set < 0 || write_row(set, 0, changed);
      if (grows(kind)) {
        bad += H5Dset_extent(set, dims) < 0;
        for (i = N; i < 2 * N; ++i) bad += write_row(set, (hsize_t)i, values[i]);
      }
      bad += H5Dclose(set) < 0;
    }
  return bad;
}

int main(int argc, char** argv) {
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  int i, bad = 0;
  hid_t file;
  if (argc < 3) return 2;
  for (i = 0; i < 2 * N * N; ++i) values[i / N][i % N] = i;
  H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  if (strcmp(argv[1], "write") == 0) {
    file = H5Fcreate(argv[2], H5F_ACC_TRUNC, NONE, fapl);
    bad = write_all(file);
  } else if (strcmp(argv[1], "extend") == 0) {
    file = H5Fopen(argv[2], H5F_ACC_RDWR, fapl);
    bad = extend_all(file);
  } else {
    file = H5Fopen(argv[2], H5F_ACC_RDONLY, fapl);
    bad = check_all(file, strcmp(argv[1], "check-extended") == 0);
  }
  bad += file < 0 || H5Fclose(file) < 0;
  H5Pclose(fapl);
  printf("%d faults\n", bad);
  return bad != 0;
}
