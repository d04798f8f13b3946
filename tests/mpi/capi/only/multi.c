/* SPDX-License-Identifier: Apache-2.0 */
/* Several datasets in one call, together and alone; conversions and data transforms; what the lists tell. */
#undef H5_USE_110_API
#define H5_USE_114_API 1
#include "../ranks.h"

static int rows_rank; /* whose rows are transferred */

#define SETS 3
#define ROWS 4

static hid_t make(hid_t file, int number) {
  const hsize_t dims[2] = {(hsize_t)(ROWS * ranks), 6}, chunk[2] = {3, 4};
  static const char* const names[SETS] = {"contiguous", "chunked", "deflated"};
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL), set;
  if (number > 0) H5Pset_chunk(creation, 2, chunk);
  if (number > 1) H5Pset_deflate(creation, 1);
  set = H5Dcreate2(file, names[number], H5T_STD_I16LE, space, NONE, creation, NONE);
  H5Sclose(space);
  H5Pclose(creation);
  return set;
}

static hid_t own_rows(hid_t set, int some) {
  const hsize_t start[2] = {(hsize_t)(ROWS * rows_rank), 0}, count[2] = {ROWS, 6};
  hid_t space = H5Dget_space(set);
  if (some)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  else
    H5Sselect_none(space);
  return space;
}

typedef struct {
  hid_t sets[SETS], types[SETS], memory[SETS], files[SETS];
  int values[SETS][ROWS * 6];
} call_t;

/* A rank without rows of a dataset passes NULL for it. */
static void prepare(call_t* call, int some, int base) {
  int i, j;
  for (i = 0; i < SETS; ++i) {
    const int has = some || i != 1;
    const hsize_t count = ROWS * 6;
    call->types[i] = H5T_NATIVE_INT;
    call->files[i] = own_rows(call->sets[i], has);
    call->memory[i] = H5Screate_simple(1, &count, NULL);
    if (!has) H5Sselect_none(call->memory[i]);
    for (j = 0; j < ROWS * 6; ++j) call->values[i][j] = base + 100 * i + j;
  }
}

static void finish(call_t* call) {
  int i;
  for (i = 0; i < SETS; ++i) {
    H5Sclose(call->files[i]);
    H5Sclose(call->memory[i]);
  }
}

static void write_all(call_t* call, size_t count, hid_t transfer, int some, int base) {
  const void* from[SETS];
  size_t i;
  prepare(call, some, base);
  for (i = 0; i < SETS; ++i) from[i] = some || i != 1 ? call->values[i] : NULL;
  CALL(H5Dwrite_multi(count, call->sets, call->types, call->memory, call->files, transfer, from));
  finish(call);
}

static void read_all(call_t* call, hid_t transfer) {
  void* to[SETS];
  int i, j;
  prepare(call, 1, 0);
  for (i = 0; i < SETS; ++i) to[i] = memset(call->values[i], 0, sizeof call->values[i]);
  CALL(H5Dread_multi(SETS, call->sets, call->types, call->memory, call->files, transfer, to));
  for (i = 0; i < SETS; ++i) {
    long long sum = 0;
    for (j = 0; j < ROWS * 6; ++j) sum += call->values[i][j] * (j + 1);
    VALUE(sum);
  }
  finish(call);
}

static void show_selection_io(hid_t transfer) {
  uint32_t cause = 99, mode = 99;
  CALL(H5Pget_no_selection_io_cause(transfer, &cause));
  CALL(H5Pget_actual_selection_io_mode(transfer, &mode));
  printf("selection I/O: causes %u, mode %u\n", cause, mode);
}

int main(int argc, char** argv) {
  hid_t file, together, alone;
  call_t call;
  int i;
  start(&argc, &argv);
  rows_rank = rank;
  file = create_file("multi.h5");
  together = transfer_list(H5FD_MPIO_COLLECTIVE);
  alone = transfer_list(H5FD_MPIO_INDEPENDENT);
  for (i = 0; i < SETS; ++i) call.sets[i] = make(file, i);
  write_all(&call, SETS, together, 1, 1);
  show_transfer(together);
  show_selection_io(together);
  read_all(&call, together);
  show_transfer(together);
  write_all(&call, 2, alone, 1, 2);
  show_transfer(alone);
  show_selection_io(alone);
  MPI_Barrier(MPI_COMM_WORLD);
  read_all(&call, alone);
  /* Filtered chunks are written together only. */
  write_all(&call, SETS, alone, 1, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  CALL(H5Pset_data_transform(together, "2*x"));
  rows_rank = rank;
  write_all(&call, SETS, together, rank == 0, 5);
  show_transfer(together);
  CALL(H5Pset_data_transform(together, "x"));
  rows_rank = 0; /* all ranks read the same */
  read_all(&call, together);
  for (i = 0; i < SETS; ++i) H5Dclose(call.sets[i]);
  H5Pclose(together);
  H5Pclose(alone);
  CALL(H5Fclose(file));
  MPI_Finalize();
  return 0;
}
