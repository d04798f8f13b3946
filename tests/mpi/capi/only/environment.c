/* SPDX-License-Identifier: Apache-2.0 */
/* A program that knows nothing of MPI, and is started with HDF5_DRIVER=mpio. */
#undef H5_USE_110_API
#define H5_USE_114_API 1
#include "../ranks.h"

int main(void) {
  int initialised = -1, chosen;
  hid_t access, file, group;
  quiet();
  access = H5Pcreate(H5P_FILE_ACCESS);
  chosen = H5Pget_driver(access) == H5FD_MPIO;
  file = H5Fcreate("environment.h5", H5F_ACC_TRUNC, NONE, NONE);
  MPI_Initialized(&initialised);
  if (!initialised) return 2;
  start_printing();
  VALUE(chosen);
  CALL_ID(file);
  group = H5Gcreate2(file, "group", NONE, NONE, NONE);
  CALL_ID(group);
  CALL(H5Gclose(group));
  CALL(H5Fclose(file));
  file = H5Fopen("environment.h5", H5F_ACC_RDWR, access);
  CALL_ID(file);
  CALL(H5Lexists(file, "group", NONE));
  CALL(H5Pset_fapl_sec2(access));
  CALL(H5Pget_driver(access) == H5FD_SEC2);
  H5Pclose(access);
  return 0; /* which closes the file, and ends MPI */
}
