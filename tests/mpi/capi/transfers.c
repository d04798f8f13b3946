/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers of datasets that MPI processes share. The first argument says what is done with the file of the
 * second.
 *
 *   write FILE    makes the file
 *   extend FILE   adds to a file that either library made, in parallel
 *   read FILE     reads all of it
 */
#include "ranks.h"

#define ROWS 5 /* of each rank */
#define COLUMNS 7

typedef enum { CONTIGUOUS, CHUNKED, GROWING, DEFLATED, SCALAR, COMPACT, KINDS } kind_t;
static const char* const names[KINDS] = {"contiguous", "chunked", "growing", "deflated", "scalar", "compact"};

static hid_t make(hid_t file, kind_t kind) {
  const hsize_t dims[2] = {(hsize_t)(ROWS * ranks), COLUMNS}, max[2] = {H5S_UNLIMITED, COLUMNS},
                chunk[2] = {3, 4};
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space, set;
  int fill = -5;
  if (kind == SCALAR) {
    space = H5Screate(H5S_SCALAR);
  } else {
    space = H5Screate_simple(2, dims, kind == GROWING ? max : NULL);
  }
  if (kind == CHUNKED || kind == GROWING || kind == DEFLATED) H5Pset_chunk(creation, 2, chunk);
  if (kind == DEFLATED) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 1);
  }
  if (kind == COMPACT) H5Pset_layout(creation, H5D_COMPACT);
  if (kind == CHUNKED) H5Pset_fill_value(creation, H5T_NATIVE_INT, &fill);
  set = H5Dcreate2(file, names[kind], H5T_STD_I32LE, space, NONE, creation, NONE);
  CALL_ID(set);
  H5Sclose(space);
  H5Pclose(creation);
  return set;
}

/* Selects the rows of this rank, or none of them. */
static hid_t own_rows(hid_t set, int some, hsize_t first, hsize_t* elements) {
  hid_t space = H5Dget_space(set);
  hsize_t start[2] = {first, 0}, count[2] = {ROWS, COLUMNS};
  if (H5Sget_simple_extent_ndims(space) == 2) {
    start[0] += (hsize_t)(ROWS * rank);
    if (some)
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    else
      H5Sselect_none(space);
  } else if (!some) {
    H5Sselect_none(space);
  }
  *elements = (hsize_t)H5Sget_select_npoints(space);
  return space;
}

static void fill_values(int* values, int base) {
  int i;
  for (i = 0; i < ROWS * COLUMNS; ++i) values[i] = base + 1000 * rank + i;
}

static void write_rows(hid_t set, hid_t transfer, int some, hsize_t first, int base) {
  int values[ROWS * COLUMNS];
  hsize_t elements;
  hid_t space = own_rows(set, some, first, &elements), memory = H5Screate_simple(1, &elements, NULL);
  fill_values(values, base);
  if (elements == 0) H5Sselect_none(memory);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, elements == 0 ? NULL : values));
  H5Sclose(memory);
  H5Sclose(space);
}

static void write_file(const char* name) {
  hid_t file = create_file(name), together = transfer_list(H5FD_MPIO_COLLECTIVE),
        alone = transfer_list(H5FD_MPIO_INDEPENDENT);
  hid_t group, attribute, space;
  int kind, value = 11;
  CALL_ID(file);
  group = H5Gcreate2(file, "group", NONE, NONE, NONE);
  CALL_ID(group);
  space = H5Screate(H5S_SCALAR);
  attribute = H5Acreate2(group, "attribute", H5T_STD_I32LE, space, NONE, NONE);
  CALL(H5Awrite(attribute, H5T_NATIVE_INT, &value));
  H5Aclose(attribute);
  H5Sclose(space);
  H5Gclose(group);
  for (kind = 0; kind < KINDS; ++kind) {
    hid_t set = make(file, (kind_t)kind);
    printf("%s\n", names[kind]);
    if (kind == SCALAR) {
      value = 77;
      CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, &value));
    } else if (kind == COMPACT) {
      int* all = malloc(sizeof(int) * (size_t)(ROWS * COLUMNS * ranks));
      int i;
      for (i = 0; i < ROWS * COLUMNS * ranks; ++i) all[i] = i * 3;
      CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, all));
      free(all);
    } else {
      write_rows(set, together, 1, 0, 10 * kind);
      show_transfer(together);
      if (kind != DEFLATED) {
        if (rank % 2 == 0) write_rows(set, alone, 1, 0, 20 * kind);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank % 2 == 0) show_transfer(alone);
      }
      write_rows(set, together, rank != 0, 0, 30 * kind);
      show_transfer(together);
    }
    CALL(H5Dclose(set));
  }
  CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
  CALL(H5Pclose(together));
  CALL(H5Pclose(alone));
  CALL(H5Fclose(file));
}

static void extend_file(const char* name) {
  hid_t file = open_file(name, H5F_ACC_RDWR), together = transfer_list(H5FD_MPIO_COLLECTIVE), set, space,
        group;
  hsize_t dims[2];
  CALL_ID(file);
  set = H5Dopen2(file, "growing", NONE);
  space = H5Dget_space(set);
  H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  const hsize_t before = dims[0];
  dims[0] += (hsize_t)(ROWS * ranks);
  CALL(H5Dset_extent(set, dims));
  write_rows(set, together, 1, before, 500);
  CALL(H5Dclose(set));
  set = H5Dopen2(file, "deflated", NONE);
  write_rows(set, together, rank != ranks - 1, 0, 600);
  CALL(H5Dclose(set));
  group = H5Gcreate2(file, "added", NONE, NONE, NONE);
  CALL_ID(group);
  CALL(H5Gclose(group));
  CALL(H5Ldelete(file, "scalar", NONE));
  CALL(H5Pclose(together));
  CALL(H5Fclose(file));
}

static void read_set(hid_t file, const char* name) {
  hid_t set = H5Dopen2(file, name, NONE), space = H5Dget_space(set), creation = H5Dget_create_plist(set);
  hid_t together = transfer_list(H5FD_MPIO_COLLECTIVE), transfer[2];
  hssize_t elements = H5Sget_simple_extent_npoints(space);
  hsize_t own, size = 0;
  int i, times;
  H5D_fill_time_t fill_time;
  H5D_alloc_time_t allocation;
  printf("%s: %lld elements\n", name, (long long)elements);
  CALL(H5Pget_fill_time(creation, &fill_time));
  VALUE(fill_time);
  if (strcmp(name, "deflated") != 0) {
    CALL(H5Pget_alloc_time(creation, &allocation));
    VALUE(allocation);
    VALUE(size = H5Dget_storage_size(set));
  }
  transfer[0] = together;
  transfer[1] = H5P_DEFAULT;
  for (times = 0; times < 2; ++times) {
    int* values = calloc((size_t)elements, sizeof(int));
    long long sum = 0;
    CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer[times], values));
    for (i = 0; i < elements; ++i) sum += (long long)values[i] * (i + 1);
    VALUE(sum);
    free(values);
  }
  if (H5Sget_simple_extent_ndims(space) == 2 && rank == 0) {
    int values[ROWS * COLUMNS] = {0};
    hid_t rows = own_rows(set, 1, 0, &own), memory = H5Screate_simple(1, &own, NULL);
    long long sum = 0;
    CALL(H5Dread(set, H5T_NATIVE_INT, memory, rows, H5P_DEFAULT, values));
    for (i = 0; i < ROWS * COLUMNS; ++i) sum += values[i];
    VALUE(sum);
    H5Sclose(memory);
    H5Sclose(rows);
  }
  H5Pclose(together);
  H5Pclose(creation);
  H5Sclose(space);
  CALL(H5Dclose(set));
}

static herr_t see_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  H5O_info_t object;
  (void)info;
  (void)data;
  H5Oget_info_by_name(group, name, &object, NONE);
  printf("link %s to a %d\n", name, (int)object.type);
  if (object.type == H5O_TYPE_DATASET) read_set(group, name);
  return 0;
}

static void read_file(const char* name) {
  hid_t file = open_file(name, H5F_ACC_RDONLY);
  CALL_ID(file);
  CALL(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, see_link, NULL));
  CALL(H5Aexists_by_name(file, "group", "attribute", NONE));
  CALL(H5Fclose(file));
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  if (strcmp(argv[1], "write") == 0) write_file(argv[2]);
  if (strcmp(argv[1], "extend") == 0) extend_file(argv[2]);
  if (strcmp(argv[1], "read") == 0) read_file(argv[2]);
  MPI_Finalize();
  return 0;
}
