/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Dread_multi and H5Dwrite_multi of datasets of every layout, through a driver that takes selections, have
 * the same effect as single calls through a built-in driver. Some calls list a dataset twice; sometimes the
 * driver fails, and the call is repeated. */
#include "../memory_driver.h"
#include "../show.h"

#define NONE H5P_DEFAULT
#define ROWS 17
#define COLUMNS 13
#define ALL (ROWS * COLUMNS)
#define KINDS 9
#define MOST 12

enum { CONTIGUOUS, CHUNKED, FILTERED, EDGES, SPARSE, SPARSE_FILTERED, COMPACT, SWAPPED, VIRTUAL };

static unsigned long state = 987654321;

static int below(int n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned long)n);
}

static hid_t create(hid_t file, int kind) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, chunk[2] = {5, 4};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
  const hid_t type = kind == SWAPPED ? H5T_STD_I64BE : H5T_NATIVE_INT;
  const int fill = 42;
  char name[8];
  hid_t set;
  sprintf(name, "%d", kind);
  if (kind == COMPACT) H5Pset_layout(list, H5D_COMPACT);
  if (kind == CHUNKED || kind == FILTERED || kind == EDGES || kind == SWAPPED) H5Pset_chunk(list, 2, chunk);
  if (kind == SPARSE || kind == SPARSE_FILTERED) H5Pset_sparse_chunk(list, 2, chunk);
  if (kind == EDGES) H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  if (kind == FILTERED || kind == EDGES || kind == SPARSE_FILTERED || kind == SWAPPED)
    H5Pset_deflate(list, 2);
  if (kind == VIRTUAL) {
    hsize_t start[2] = {0, 0}, count[2] = {8, COLUMNS};
    const hid_t part = H5Scopy(space);
    H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Pset_virtual(list, part, ".", "/2", part);
    start[0] = 8, count[0] = 5;
    H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Pset_virtual(list, part, ".", "/0", part);
    H5Sclose(part);
  }
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  set = H5Dcreate2(file, name, type, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

/* A box, a strided hyperslab, a union of two boxes, points, or everything. */
static hid_t select_some(void) {
  const hsize_t dims[2] = {ROWS, COLUMNS};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  const int form = below(5);
  int i, d;
  if (form == 0) return space;
  if (form == 1) {
    hsize_t points[2 * 9];
    for (i = 0; i < 18; ++i) points[i] = (hsize_t)below(i % 2 == 0 ? ROWS : COLUMNS);
    H5Sselect_elements(space, H5S_SELECT_SET, 9, points);
    return space;
  }
  for (i = 0; i < (form == 2 ? 2 : 1); ++i) {
    hsize_t start[2], stride[2], count[2], block[2];
    for (d = 0; d < 2; ++d) {
      const int n = (int)dims[d];
      block[d] = 1 + (hsize_t)below(form == 3 ? n : 3);
      stride[d] = block[d] + (hsize_t)below(3);
      start[d] = (hsize_t)below(n - (int)block[d] + 1);
      count[d] = 1 + (hsize_t)below((n - (int)start[d] - (int)block[d]) / (int)stride[d] + 1);
    }
    H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, start, stride, count, block);
  }
  return space;
}

static hid_t sets[2][KINDS];
static int values[MOST][ALL], got[2][MOST][ALL];

static int is_same(void) { return memcmp(got[0], got[1], sizeof got[0]) == 0; }

static int read_all(void) {
  int i, j, bad = 0;
  memset(got, 0, sizeof got);
  for (i = 0; i < 2; ++i)
    for (j = 0; j < KINDS; ++j)
      bad += H5Dread(sets[i][j], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got[i][j]) < 0;
  return bad + !is_same();
}

/* One call with several datasets for the driver, single calls in the same order for the twin. */
static int step(int failing) {
  const int count = 2 + below(MOST - 2), writes = below(2);
  hid_t listed[MOST], types[MOST], memory[MOST], file[MOST];
  const void* from[MOST];
  void* into[MOST];
  hsize_t size;
  int kinds[MOST], i, j, bad = 0;
  memset(got, 0, sizeof got);
  for (i = 0; i < count; ++i) {
    /* Sources of the virtual dataset are not written in the same call: the order is the driver's. */
    kinds[i] = below(writes ? VIRTUAL : KINDS);
    listed[i] = sets[0][kinds[i]], types[i] = H5T_NATIVE_INT;
    file[i] = select_some();
    size = (hsize_t)H5Sget_select_npoints(file[i]);
    memory[i] = H5Screate_simple(1, &size, NULL);
    from[i] = values[i], into[i] = got[0][i];
    for (j = 0; j < ALL; ++j) values[i][j] = below(1000);
  }
  if (failing) {
    memory_fail_at = memory_calls + 1 + below(2);
    H5E_BEGIN_TRY {
      if (writes)
        H5Dwrite_multi((size_t)count, listed, types, memory, file, NONE, from);
      else
        H5Dread_multi((size_t)count, listed, types, memory, file, NONE, into);
    }
    H5E_END_TRY
    memory_fail_at = 0;
    memset(got, 0, sizeof got);
  }
  if (writes)
    bad += H5Dwrite_multi((size_t)count, listed, types, memory, file, NONE, from) < 0;
  else
    bad += H5Dread_multi((size_t)count, listed, types, memory, file, NONE, into) < 0;
  for (i = 0; i < count; ++i) {
    const hid_t twin = sets[1][kinds[i]];
    if (writes)
      bad += H5Dwrite(twin, H5T_NATIVE_INT, memory[i], file[i], NONE, values[i]) < 0;
    else
      bad += H5Dread(twin, H5T_NATIVE_INT, memory[i], file[i], NONE, got[1][i]) < 0;
    H5Sclose(memory[i]), H5Sclose(file[i]);
  }
  return bad + !is_same();
}

int main(void) {
  int round, i, j, form, bad = 0;
  for (form = 0; form < 2; ++form) {
    const H5FD_class_t cls = memory_class(form == 1, form == 0);
    const hid_t driver = H5FDregister(&cls), ours = H5Pcreate(H5P_FILE_ACCESS),
                core = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_driver(ours, driver, NULL);
    H5Pset_fapl_core(core, 1 << 16, 0);
    H5Pset_libver_bounds(ours, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_libver_bounds(core, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    for (round = 0; round < 30; ++round) {
      hid_t files[2];
      /* The second half of the rounds has a cache that holds no chunk. */
      const size_t cache = round < 15 ? 1 << 20 : 0;
      H5Pset_cache(ours, 0, 101, cache, 0.75), H5Pset_cache(core, 0, 101, cache, 0.75);
      for (i = 0; i < 2; ++i) {
        files[i] = H5Fcreate("multi_twin", H5F_ACC_TRUNC, NONE, i == 0 ? ours : core);
        for (j = 0; j < KINDS; ++j) sets[i][j] = create(files[i], j);
      }
      for (i = 0; i < 25; ++i) {
        bad += step(round % 3 == 2 && i % 5 == 4);
        if (below(6) == 0) bad += H5Fflush(files[0], H5F_SCOPE_GLOBAL) < 0;
      }
      bad += read_all();
      for (i = 0; i < 2; ++i) {
        for (j = 0; j < KINDS; ++j) H5Dclose(sets[i][j]);
        if (i == 0) bad += H5Fclose(files[i]) < 0;
      }
      files[0] = H5Fopen("multi_twin", H5F_ACC_RDONLY, ours);
      memcpy(values, got[1], sizeof values);
      memset(got[0], 0, sizeof got[0]);
      for (j = 0; j < KINDS; ++j) {
        char name[8];
        sprintf(name, "%d", j);
        sets[0][j] = H5Dopen2(files[0], name, NONE);
        bad += H5Dread(sets[0][j], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got[0][j]) < 0;
        H5Dclose(sets[0][j]);
      }
      bad += memcmp(got[0], values, sizeof values) != 0;
      for (i = 0; i < 2; ++i) H5Fclose(files[i]);
    }
    H5Pclose(ours), H5Pclose(core), H5FDunregister(driver);
  }
  SHOW(bad);
  SHOW(memory_open);
  SHOW(memory_clashes);
  return bad != 0;
}
