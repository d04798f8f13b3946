/* SPDX-License-Identifier: Apache-2.0
 *
 * Random transfers through a driver that takes selections have the same effect as through a built-in driver.
 */
#include "../memory_driver.h"
#include "../show.h"

#define NONE H5P_DEFAULT
#define MOST 8192

static unsigned long state = 12345;

static hsize_t below(hsize_t n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (hsize_t)(state >> 33) % n;
}

static hid_t types[4];

static hid_t create(hid_t file, int kind, int rank, const hsize_t* dims, const hsize_t* chunk, int type) {
  const hsize_t most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE),
              space = H5Screate_simple(rank, dims, kind == 0 ? NULL : most);
  const int fill = 42;
  char name[32];
  hid_t set;
  sprintf(name, "set%d", (int)H5Fget_obj_count(file, H5F_OBJ_DATASET));
  if (kind > 0) H5Pset_chunk(list, rank, chunk);
  if (kind == 2) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (kind == 3) H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  set = H5Dcreate2(file, name, types[type], space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

/* A random selection: a hyperslab, a union of two, or points. Files get the same one. */
static hid_t select_some(int rank, const hsize_t* dims) {
  const hid_t space = H5Screate_simple(rank, dims, NULL);
  const int form = (int)below(5);
  int i, d;
  if (form == 4) {
    hsize_t points[3 * 40];
    const hsize_t count = 1 + below(40);
    for (i = 0; i < (int)count * rank; ++i) points[i] = below(dims[i % rank]);
    H5Sselect_elements(space, H5S_SELECT_SET, count, points);
    return space;
  }
  for (i = 0; i < (form == 3 ? 2 : 1); ++i) {
    hsize_t start[3], stride[3], count[3], block[3];
    for (d = 0; d < rank; ++d) {
      block[d] = 1 + below(dims[d] < 4 ? dims[d] : 4);
      stride[d] = block[d] + below(3);
      start[d] = below(dims[d] - block[d] + 1);
      count[d] = 1 + below((dims[d] - start[d] - block[d]) / stride[d] + 1);
    }
    H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, start, stride, count, block);
  }
  return space;
}

/* Memory for so many elements: contiguous, every second one, or backwards as points. */
static hid_t select_memory(hsize_t count) {
  const hsize_t size = 2 * count + 3, start = below(3), two = 2;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  hsize_t i, *points;
  switch (below(3)) {
    case 0:
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
      break;
    case 1:
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &two, &count, NULL);
      break;
    default:
      points = (hsize_t*)malloc(count * sizeof *points);
      for (i = 0; i < count; ++i) points[i] = count - 1 - i;
      H5Sselect_elements(space, H5S_SELECT_SET, count, points);
      free(points);
  }
  return space;
}

static int values[MOST], got[2][MOST];

static int step(hid_t sets[2], int rank, hsize_t* dims, int chunked) {
  const hid_t file = select_some(rank, dims), memory = select_memory((hsize_t)H5Sget_select_npoints(file));
  const int what = (int)below(chunked ? 12 : 10), base = (int)below(1000);
  int i, bad = 0;
  memset(got, 0, sizeof got);
  for (i = 0; i < MOST; ++i) values[i] = base + i;
  for (i = 0; i < 2; ++i) {
    if (what < 5)
      bad += H5Dwrite(sets[i], H5T_NATIVE_INT, memory, file, NONE, values) < 0;
    else if (what < 9)
      bad += H5Dread(sets[i], H5T_NATIVE_INT, memory, file, NONE, got[i]) < 0;
    else if (what == 9)
      bad += H5Fflush(sets[i], H5F_SCOPE_GLOBAL) < 0;
  }
  if (what >= 10) {
    for (i = 0; i < rank; ++i) dims[i] = 1 + below(14);
    for (i = 0; i < 2; ++i) bad += H5Dset_extent(sets[i], dims) < 0;
  }
  H5Sclose(file), H5Sclose(memory);
  return bad + (memcmp(got[0], got[1], sizeof got[0]) != 0);
}

static int whole(hid_t sets[2]) {
  int i, bad = 0;
  memset(got, 0, sizeof got);
  for (i = 0; i < 2; ++i) bad += H5Dread(sets[i], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got[i]) < 0;
  return bad + (memcmp(got[0], got[1], sizeof got[0]) != 0);
}

int main(void) {
  const H5FD_class_t cls = memory_class(0, 1);
  const hid_t driver = H5FDregister(&cls), ours = H5Pcreate(H5P_FILE_ACCESS),
              core = H5Pcreate(H5P_FILE_ACCESS);
  int round, i, bad = 0;
  H5Pset_driver(ours, driver, NULL);
  H5Pset_fapl_core(core, 1 << 16, 0);
  types[0] = H5T_NATIVE_INT, types[1] = H5T_STD_I64BE, types[2] = H5T_IEEE_F32LE, types[3] = H5T_STD_I32BE;
  for (round = 0; round < 120; ++round) {
    const int kind = round % 4, rank = 1 + (int)below(3), type = (int)below(4), newest = (int)below(2);
    hsize_t dims[3], chunk[3];
    hid_t files[2], sets[2];
    for (i = 0; i < rank; ++i) dims[i] = 1 + below(14), chunk[i] = 1 + below(5);
    for (i = 0; i < 2; ++i) {
      const hid_t fapl = i == 0 ? ours : core;
      H5Pset_libver_bounds(fapl, newest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
      files[i] = H5Fcreate("twin", H5F_ACC_TRUNC, NONE, fapl);
      sets[i] = create(files[i], kind, rank, dims, chunk, type);
    }
    for (i = 0; i < 40; ++i) bad += step(sets, rank, dims, kind > 0);
    bad += whole(sets);
    for (i = 0; i < 2; ++i) H5Dclose(sets[i]), bad += H5Fclose(files[i]) < 0;
    files[0] = H5Fopen("twin", H5F_ACC_RDONLY, ours);
    sets[0] = H5Dopen2(files[0], "set0", NONE);
    memcpy(values, got[1], sizeof values);
    memset(got, 0, sizeof got);
    bad += H5Dread(sets[0], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got[0]) < 0 ||
           memcmp(got[0], values, sizeof values) != 0;
    H5Dclose(sets[0]), H5Fclose(files[0]);
  }
  SHOW(bad);
  SHOW(memory_selections > 1000);
  SHOW(memory_open);
  H5Pclose(ours), H5Pclose(core), H5FDunregister(driver);
  return bad != 0;
}
