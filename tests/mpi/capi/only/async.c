/* SPDX-License-Identifier: Apache-2.0 */
/* Asynchronous calls on files of MPI processes run at once, on the thread of the program. */
#undef H5_USE_110_API
#define H5_USE_114_API 1
#include "../ranks.h"

int main(int argc, char** argv) {
  hid_t access, together, set, file, space, data, rows, memory;
  hsize_t dims, start_at, count = 5;
  int values[5] = {1, 2, 3, 4, 5}, read[5] = {0}, i, sum = 0;
  size_t left = 99;
  hbool_t failed = 9;
  start(&argc, &argv);
  dims = 5 * (hsize_t)ranks;
  start_at = 5 * (hsize_t)rank;
  access = mpio_access();
  together = transfer_list(H5FD_MPIO_COLLECTIVE);
  set = H5EScreate();
  file = H5Fcreate_async("async.h5", H5F_ACC_TRUNC, NONE, access, set);
  CALL_ID(file);
  space = H5Screate_simple(1, &dims, NULL);
  data = H5Dcreate_async(file, "data", H5T_STD_I32LE, space, NONE, NONE, NONE, set);
  CALL_ID(data);
  rows = H5Scopy(space);
  H5Sselect_hyperslab(rows, H5S_SELECT_SET, &start_at, NULL, &count, NULL);
  memory = H5Screate_simple(1, &count, NULL);
  CALL(H5Dwrite_async(data, H5T_NATIVE_INT, memory, rows, together, values, set));
  CALL(H5Dread_async(data, H5T_NATIVE_INT, memory, rows, together, read, set));
  for (i = 0; i < 5; ++i) sum += read[i];
  VALUE(sum);
  CALL(H5Dclose_async(data, set));
  CALL(H5Fclose_async(file, set));
  CALL(H5ESwait(set, H5ES_WAIT_FOREVER, &left, &failed));
  VALUE(left);
  VALUE(failed);
  CALL(H5ESclose(set));
  H5Sclose(rows);
  H5Sclose(memory);
  H5Sclose(space);
  H5Pclose(access);
  H5Pclose(together);
  MPI_Finalize();
  return 0;
}
