/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator of a list and its driver, set separately. */
#undef H5_USE_110_API
#define H5_USE_114_API 1
#include "../ranks.h"

static void show_parameters(hid_t access) {
  MPI_Comm comm = MPI_COMM_SELF;
  MPI_Info info = MPI_INFO_NULL;
  CALL(H5Pget_mpi_params(access, &comm, &info));
  printf("communicator: %s, hints: %s\n", comm == MPI_COMM_NULL ? "none" : "some",
         info == MPI_INFO_NULL ? "none" : "some");
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
}

/* HDF5 1.10 compares the handles of communicators. */
static void compare_lists(void) {
  hid_t one = mpio_access(), other = mpio_access(), copy = H5Pcopy(one);
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "cb_nodes", "1");
  CALL(H5Pequal(one, copy));
  CALL(H5Pequal(one, other));
  H5Pset_fapl_mpio(other, MPI_COMM_WORLD, hints);
  CALL(H5Pequal(one, other));
  H5Pset_fapl_mpio(one, MPI_COMM_WORLD, hints);
  CALL(H5Pequal(one, other));
  H5Pset_fapl_mpio(one, MPI_COMM_SELF, hints);
  CALL(H5Pequal(one, other) == (ranks == 1));
  MPI_Info_free(&hints);
  H5Pclose(one);
  H5Pclose(other);
  H5Pclose(copy);
}

int main(int argc, char** argv) {
  hid_t access, other, file;
  MPI_Info hints;
  start(&argc, &argv);
  access = H5Pcreate(H5P_FILE_ACCESS);
  other = H5Pcreate(H5P_DATASET_XFER);
  show_parameters(access);
  CALL(H5Pset_driver_by_name(access, "mpio", NULL));
  CALL(H5Pget_driver(access) == H5FD_MPIO);
  CALL_ID(H5Fcreate("parameters.h5", H5F_ACC_TRUNC, NONE, access)); /* without a communicator */
  CALL(H5Pset_mpi_params(H5P_DEFAULT, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_mpi_params(other, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_mpi_params(access, MPI_COMM_NULL, MPI_INFO_NULL));
  CALL(H5Pget_mpi_params(other, NULL, NULL));
  MPI_Info_create(&hints);
  CALL(H5Pset_mpi_params(access, MPI_COMM_WORLD, hints));
  MPI_Info_free(&hints);
  show_parameters(access);
  file = H5Fcreate("parameters.h5", H5F_ACC_TRUNC, NONE, access);
  CALL_ID(file);
  CALL(H5Fclose(file));
  CALL(H5Pset_fapl_sec2(access));
  CALL(H5Pget_driver(access) == H5FD_MPIO);
  show_parameters(access);
  CALL(H5Pset_driver_by_value(access, H5_VFD_MPIO, NULL));
  CALL(H5Fis_accessible("parameters.h5", access));
  CALL(H5Fdelete("parameters.h5", access));
  CALL(H5Fdelete("parameters.h5", access));
  H5Pclose(access);
  H5Pclose(other);
  compare_lists();
  MPI_Finalize();
  /* MPI cannot be used any more. */
  access = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_mpi_params(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_driver_by_name(access, "mpio", NULL));
  CALL_ID(H5Fcreate("late.h5", H5F_ACC_TRUNC, NONE, access));
  H5Pclose(access);
  return 0;
}
