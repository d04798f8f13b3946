/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that mpirun starts: each rank prints to a file of its own, printed.RANK. */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>

#include "show.h"

static int rank, ranks;

static void start_printing(void) {
  char name[40];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sprintf(name, "printed.%d", rank);
  if (freopen(name, "w", stdout) == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  quiet();
}

static void start(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  start_printing();
}

static hid_t mpio_access(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  return access;
}

static hid_t transfer_list(H5FD_mpio_xfer_t mode) {
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, mode);
  return transfer;
}

static hid_t create_file(const char* name) {
  hid_t access = mpio_access();
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, NONE, access);
  H5Pclose(access);
  return file;
}

static hid_t open_file(const char* name, unsigned flags) {
  hid_t access = mpio_access();
  hid_t file = H5Fopen(name, flags, access);
  H5Pclose(access);
  return file;
}

/* What the last transfer with the list did. */
static void show_transfer(hid_t transfer) {
  H5D_mpio_actual_io_mode_t io = (H5D_mpio_actual_io_mode_t)99;
  H5D_mpio_actual_chunk_opt_mode_t chunk = (H5D_mpio_actual_chunk_opt_mode_t)99;
  uint32_t local = 999, global = 999;
  CALL(H5Pget_mpio_actual_io_mode(transfer, &io));
  CALL(H5Pget_mpio_actual_chunk_opt_mode(transfer, &chunk));
  CALL(H5Pget_mpio_no_collective_cause(transfer, &local, &global));
  printf("io mode %d, chunk option %d, causes %u and %u\n", (int)io, (int)chunk, local, global);
}

#endif
