/* SPDX-License-Identifier: Apache-2.0 */
/* Files that MPI processes share: what they are, what is refused, and what MPI_Finalize closes. */
#include "ranks.h"

static void show_list(hid_t file) {
  hid_t access = H5Fget_access_plist(file);
  MPI_Comm comm = MPI_COMM_NULL;
  int result = -1;
  H5F_close_degree_t degree;
  CALL(H5Pget_driver(access) == H5FD_MPIO);
  CALL(H5Pget_fapl_mpio(access, &comm, NULL));
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
  CALL(result == MPI_CONGRUENT);
  MPI_Comm_free(&comm);
  CALL(H5Pget_fclose_degree(access, &degree));
  VALUE(degree);
  H5Pclose(access);
}

static void atomicity(hid_t file) {
  hbool_t flag = 9;
  hid_t serial;
  CALL(H5Fget_mpi_atomicity(file, &flag));
  VALUE(flag);
  CALL(H5Fset_mpi_atomicity(file, 1));
  CALL(H5Fget_mpi_atomicity(file, &flag));
  VALUE(flag);
  CALL(H5Fset_mpi_atomicity(file, 0));
  CALL(H5Fget_mpi_atomicity(file, &flag));
  VALUE(flag);
  CALL(H5Fset_mpi_atomicity(-1, 1));
  CALL(H5Fget_mpi_atomicity(-1, &flag));
  char name[40];
  sprintf(name, "serial%d.h5", rank);
  serial = new_file(name);
  CALL(H5Fset_mpi_atomicity(serial, 1));
  CALL(H5Fget_mpi_atomicity(serial, &flag));
  H5Fclose(serial);
}

static void handle_of_mpi(hid_t file) {
  MPI_File* handle = NULL;
  int mode = 0;
  CALL(H5Fget_vfd_handle(file, H5P_DEFAULT, (void**)&handle));
  CALL(MPI_File_get_amode(*handle, &mode));
  CALL((mode & MPI_MODE_RDWR) != 0);
}

static void opened_again(const char* name) {
  hid_t access = mpio_access(), file, group, again;
  file = H5Fopen(name, H5F_ACC_RDWR, access);
  again = H5Fopen(name, H5F_ACC_RDWR, access);
  CALL_ID(again);
  CALL(H5Fclose(again));
  group = H5Gopen2(file, "group", NONE);
  CALL_ID(group);
  CALL(H5Fclose(file)); /* not while an object is open */
  CALL(H5Gclose(group));
  CALL(H5Fclose(file));
  CALL_ID(H5Fopen("absent.h5", H5F_ACC_RDONLY, access));
  CALL_ID(H5Fcreate(name, H5F_ACC_EXCL, NONE, access));
  H5Pclose(access);
}

static void left_open(void) {
  hid_t file = create_file("left.h5");
  new_group(file, "group");
  hid_t kept = H5Gopen2(file, "group", NONE);
  CALL_ID(kept);
}

int main(int argc, char** argv) {
  hid_t file;
  start(&argc, &argv);
  file = create_file("files.h5");
  CALL_ID(file);
  new_group(file, "group");
  show_list(file);
  atomicity(file);
  handle_of_mpi(file);
  CALL(H5Fclose(file));
  opened_again("files.h5");
  left_open();
  MPI_Finalize();
  CALL_ID(H5Fopen("left.h5", H5F_ACC_RDONLY, NONE));
  return 0;
}
