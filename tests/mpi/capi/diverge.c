/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that leaves out a collective call gets an error in its next one, and so do the others in theirs. */
#undef H5_USE_110_API
#define H5_USE_114_API 1
#include "ranks.h"

static herr_t see_innermost(unsigned number, const H5E_error2_t* record, void* data) {
  (void)data;
  if (number == 0) {
    printf("cause: ");
    show_code(H5Eget_major(record->maj_num));
    printf(" | %s\n", H5Eget_minor(record->min_num));
    printf("names the call: %d\n", strstr(record->desc, "Dataset::write of '/data'") != NULL);
  }
  return 0;
}

static void show_failure(herr_t result) {
  VALUE(result);
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, see_innermost, NULL);
}

int main(int argc, char** argv) {
  const hsize_t dims = 10;
  const int values[10] = {0};
  hid_t file, space, data, together;
  herr_t result;
  start(&argc, &argv);
  together = transfer_list(H5FD_MPIO_COLLECTIVE);
  space = H5Screate_simple(1, &dims, NULL);
  file = create_file("diverge.h5");
  data = H5Dcreate2(file, "data", H5T_STD_I32LE, space, NONE, NONE, NONE);
  CALL_ID(data);
  if (rank == 1)
    result = H5Fflush(file, H5F_SCOPE_GLOBAL);
  else
    result = H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, values);
  show_failure(result);
  result = H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, values);
  VALUE(result);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(together);
  if (argc > 1) CALL(H5Fclose(file)); /* else MPI_Finalize does it */
  MPI_Finalize();
  return 0;
}
