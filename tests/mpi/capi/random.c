/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets of random shapes, chunks, filters and types, with random selections of each rank. The third
 * argument seeds them.
 *
 *   write FILE SEED
 *   read FILE SEED      reads everything in parallel
 */
#include "ranks.h"

#define SETS 8
#define MOST 3 /* dimensions */

static unsigned long state;
static unsigned draw(unsigned below) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (unsigned)(state >> 33) % below;
}

typedef struct {
  int dimensions, chunked, deflated, extensible;
  hsize_t dims[MOST], chunk[MOST];
  hid_t file_type;
} shape_t;

/* All ranks draw the same. The first dimension has rows for every rank. */
static shape_t draw_shape(void) {
  const hid_t types[] = {H5T_STD_I32LE, H5T_STD_I64BE, H5T_STD_U16LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE};
  shape_t shape;
  int d;
  shape.dimensions = 1 + (int)draw(MOST);
  shape.chunked = (int)draw(3) > 0;
  shape.deflated = shape.chunked && draw(2);
  shape.extensible = shape.chunked && draw(2);
  shape.file_type = types[draw(5)];
  /* HDF5 1.10 converts in independent transfers only, and writes filtered chunks in collective ones. */
  if (shape.deflated) shape.file_type = H5T_STD_I32LE;
  for (d = 0; d < shape.dimensions; ++d) {
    shape.dims[d] = (hsize_t)(1 + draw(9)) * (d == 0 ? (hsize_t)ranks : 1);
    shape.chunk[d] = 1 + draw((unsigned)shape.dims[d]);
  }
  return shape;
}

/* A regular pattern in the rows of this rank, and sometimes nothing. */
static hid_t draw_rows(const shape_t* shape, hid_t set) {
  hsize_t start[MOST], stride[MOST], count[MOST], block[MOST];
  hid_t space = H5Dget_space(set);
  unsigned long before = state;
  int d, empty;
  state += (unsigned long)(rank + 1) * 7919UL;
  empty = draw(5) == 0;
  for (d = 0; d < shape->dimensions; ++d) {
    const hsize_t most = d == 0 ? shape->dims[0] / (hsize_t)ranks : shape->dims[d];
    start[d] = draw((unsigned)most);
    block[d] = 1 + draw((unsigned)(most - start[d]));
    stride[d] = block[d] + draw(3);
    count[d] = (most - start[d] - block[d]) / stride[d] + 1;
    if (d == 0) start[0] += most * (hsize_t)rank;
  }
  if (empty)
    H5Sselect_none(space);
  else
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
  state = before;
  draw(2);
  return space;
}

static void write_set(hid_t file, int number, hid_t together) {
  const shape_t shape = draw_shape();
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space, set, rows, memory;
  hsize_t max[MOST], elements;
  char name[20];
  int d, times, fill = 7, *values;
  for (d = 0; d < shape.dimensions; ++d) max[d] = shape.extensible && d == 0 ? H5S_UNLIMITED : shape.dims[d];
  space = H5Screate_simple(shape.dimensions, shape.dims, max);
  if (shape.chunked) H5Pset_chunk(creation, shape.dimensions, shape.chunk);
  if (shape.deflated) H5Pset_deflate(creation, 2);
  /* Without one, HDF5 1.10 leaves bytes in elements that nobody has written. */
  H5Pset_fill_value(creation, H5T_NATIVE_INT, &fill);
  sprintf(name, "set%d", number);
  set = H5Dcreate2(file, name, shape.file_type, space, NONE, creation, NONE);
  CALL_ID(set);
  for (times = 0; times < 3; ++times) {
    const int alone = !shape.deflated && draw(2);
    hsize_t i;
    rows = draw_rows(&shape, set);
    elements = (hsize_t)H5Sget_select_npoints(rows);
    values = malloc(sizeof(int) * (size_t)(elements + 1));
    for (i = 0; i < elements; ++i) values[i] = (int)i + 100 * rank + 1000 * times;
    memory = H5Screate_simple(1, &elements, NULL);
    if (elements == 0) H5Sselect_none(memory);
    CALL(H5Dwrite(set, H5T_NATIVE_INT, memory, rows, alone ? H5P_DEFAULT : together, values));
    free(values);
    H5Sclose(memory);
    H5Sclose(rows);
    if (alone) MPI_Barrier(MPI_COMM_WORLD);
  }
  H5Sclose(space);
  H5Pclose(creation);
  CALL(H5Dclose(set));
}

static void read_set(hid_t file, int number, hid_t together) {
  char name[20];
  hid_t set, space;
  hssize_t elements;
  double* values;
  int times, i;
  sprintf(name, "set%d", number);
  set = H5Dopen2(file, name, NONE);
  space = H5Dget_space(set);
  elements = H5Sget_simple_extent_npoints(space);
  values = malloc(sizeof(double) * (size_t)elements);
  for (times = 0; times < 2; ++times) {
    double sum = 0;
    CALL(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, times ? together : H5P_DEFAULT, values));
    for (i = 0; i < elements; ++i) sum += values[i] * (i % 97 + 1);
    printf("%s: %lld elements, %.17g\n", name, (long long)elements, sum);
  }
  free(values);
  H5Sclose(space);
  H5Dclose(set);
}

int main(int argc, char** argv) {
  hid_t file, together;
  int i;
  start(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  state = (unsigned long)atol(argv[3]) * 104729UL + 1;
  together = transfer_list(H5FD_MPIO_COLLECTIVE);
  file = strcmp(argv[1], "write") == 0 ? create_file(argv[2]) : open_file(argv[2], H5F_ACC_RDONLY);
  CALL_ID(file);
  for (i = 0; i < SETS; ++i) {
    if (strcmp(argv[1], "write") == 0)
      write_set(file, i, together);
    else
      read_set(file, i, together);
  }
  H5Pclose(together);
  CALL(H5Fclose(file));
  MPI_Finalize();
  return 0;
}
