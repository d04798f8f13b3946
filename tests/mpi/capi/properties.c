/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of files that MPI processes share, with right and wrong arguments. */
#include "ranks.h"

/* 1.10 has no such name. */
#ifndef HSIZE_AS_MPI_TYPE
#define HSIZE_AS_MPI_TYPE MPI_UINT64_T
#endif

static void show_communicator(hid_t access) {
  MPI_Comm comm = MPI_COMM_SELF;
  MPI_Info info = MPI_INFO_NULL;
  char value[80] = "";
  int members = -1, result = -1, found = 0;
  CALL(H5Pget_fapl_mpio(access, &comm, &info));
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_size(comm, &members);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
    printf("of %d members, %s\n", members, result == MPI_CONGRUENT ? "a duplicate" : "something else");
    MPI_Comm_free(&comm);
  }
  if (info != MPI_INFO_NULL) {
    MPI_Info_get(info, "cb_nodes", 79, value, &found);
    printf("cb_nodes %s\n", found ? value : "unknown");
    MPI_Info_free(&info);
  }
  CALL(H5Pget_fapl_mpio(access, NULL, NULL));
}

static void file_access_lists(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), plain = H5Pcreate(H5P_FILE_ACCESS);
  hid_t other = H5Pcreate(H5P_DATASET_CREATE), copy;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  CALL(H5Pset_fapl_mpio(H5P_DEFAULT, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_fapl_mpio(other, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_fapl_mpio(-1, MPI_COMM_WORLD, MPI_INFO_NULL));
  CALL(H5Pset_fapl_mpio(access, MPI_COMM_NULL, MPI_INFO_NULL));
  CALL(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, info));
  CALL(H5Pget_driver(access) == H5FD_MPIO);
  CALL(H5Pget_driver(plain) == H5FD_MPIO);
  show_communicator(access);
  CALL(H5Pget_fapl_mpio(plain, &comm, NULL));
  CALL(H5Pget_fapl_mpio(other, NULL, NULL));
  copy = H5Pcopy(access);
  show_communicator(copy);
  CALL(H5Pequal(access, plain));
  CALL(H5Pset_fapl_sec2(copy));
  CALL(H5Pget_driver(copy) == H5FD_SEC2);
  CALL(H5Pget_fapl_mpio(copy, NULL, NULL));
  MPI_Info_free(&info);
  H5Pclose(access);
  H5Pclose(plain);
  H5Pclose(other);
  H5Pclose(copy);
}

static void transfer_lists(void) {
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER), other = H5Pcreate(H5P_FILE_ACCESS), copy;
  H5FD_mpio_xfer_t mode = (H5FD_mpio_xfer_t)9;
  CALL(H5Pget_dxpl_mpio(transfer, &mode));
  VALUE(mode);
  CALL(H5Pset_dxpl_mpio(H5P_DEFAULT, H5FD_MPIO_COLLECTIVE));
  CALL(H5Pset_dxpl_mpio(other, H5FD_MPIO_COLLECTIVE));
  CALL(H5Pset_dxpl_mpio(transfer, (H5FD_mpio_xfer_t)7));
  CALL(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
  CALL(H5Pget_dxpl_mpio(transfer, &mode));
  VALUE(mode);
  CALL(H5Pget_dxpl_mpio(transfer, NULL));
  CALL(H5Pget_dxpl_mpio(other, &mode));
  CALL(H5Pset_dxpl_mpio_collective_opt(H5P_DEFAULT, H5FD_MPIO_INDIVIDUAL_IO));
  CALL(H5Pset_dxpl_mpio_collective_opt(other, H5FD_MPIO_INDIVIDUAL_IO));
  CALL(H5Pset_dxpl_mpio_collective_opt(transfer, H5FD_MPIO_INDIVIDUAL_IO));
  CALL(H5Pset_dxpl_mpio_chunk_opt(H5P_DEFAULT, H5FD_MPIO_CHUNK_ONE_IO));
  CALL(H5Pset_dxpl_mpio_chunk_opt(other, H5FD_MPIO_CHUNK_ONE_IO));
  CALL(H5Pset_dxpl_mpio_chunk_opt(transfer, H5FD_MPIO_CHUNK_ONE_IO));
  CALL(H5Pset_dxpl_mpio_chunk_opt_num(H5P_DEFAULT, 3));
  CALL(H5Pset_dxpl_mpio_chunk_opt_num(other, 3));
  CALL(H5Pset_dxpl_mpio_chunk_opt_num(transfer, 3));
  CALL(H5Pset_dxpl_mpio_chunk_opt_ratio(H5P_DEFAULT, 30));
  CALL(H5Pset_dxpl_mpio_chunk_opt_ratio(other, 30));
  CALL(H5Pset_dxpl_mpio_chunk_opt_ratio(transfer, 30));
  copy = H5Pcopy(transfer);
  CALL(H5Pequal(transfer, copy));
  CALL(H5Pget_dxpl_mpio(copy, &mode));
  VALUE(mode);
  show_transfer(transfer);
  show_transfer(other);
  H5Pclose(copy);
  H5Pclose(other);
  H5Pclose(transfer);
}

static void values_by_name(void) {
  hid_t transfer = transfer_list(H5FD_MPIO_COLLECTIVE);
  static const char* const names[] = {"io_xfer_mode", "mpio_collective_opt", "mpio_chunk_opt_hard",
                                      "mpio_chunk_opt_num", "mpio_chunk_opt_ratio"};
  unsigned value, i;
  size_t bytes;
  for (i = 0; i < sizeof names / sizeof *names; ++i) {
    value = 99;
    bytes = 0;
    CALL(H5Pget_size(transfer, names[i], &bytes));
    CALL(H5Pget(transfer, names[i], &value));
    printf("%s: %u in %lu bytes\n", names[i], value, (unsigned long)bytes);
  }
  H5Pclose(transfer);
}

static void metadata_hints(void) {
  const hid_t classes[] = {H5P_FILE_ACCESS,     H5P_LINK_ACCESS,      H5P_GROUP_ACCESS,   H5P_DATASET_ACCESS,
                           H5P_DATATYPE_ACCESS, H5P_ATTRIBUTE_ACCESS, H5P_DATASET_CREATE, H5P_FILE_CREATE};
  unsigned i;
  hbool_t flag;
  hid_t list;
  for (i = 0; i < sizeof classes / sizeof *classes; ++i) {
    list = H5Pcreate(classes[i]);
    printf("class %u\n", i);
    flag = 9;
    CALL(H5Pget_all_coll_metadata_ops(list, &flag));
    VALUE(flag);
    CALL(H5Pset_all_coll_metadata_ops(list, 1));
    CALL(H5Pget_all_coll_metadata_ops(list, &flag));
    VALUE(flag);
    H5Pclose(list);
  }
  list = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pget_coll_metadata_write(list, &flag));
  VALUE(flag);
  CALL(H5Pset_coll_metadata_write(list, 1));
  CALL(H5Pget_coll_metadata_write(list, &flag));
  VALUE(flag);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_XFER);
  CALL(H5Pset_coll_metadata_write(list, 1));
  CALL(H5Pget_coll_metadata_write(list, &flag));
  H5Pclose(list);
}

static void types_of_mpi(void) {
  hsize_t size = 5 + (hsize_t)rank, sizes = 0;
  haddr_t address = 7, addresses = 0;
  MPI_Allreduce(&size, &sizes, 1, HSIZE_AS_MPI_TYPE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&address, &addresses, 1, HADDR_AS_MPI_TYPE, MPI_SUM, MPI_COMM_WORLD);
  VALUE(sizes);
  VALUE(addresses);
  VALUE(H5FD_mpi_opt_types_g);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  file_access_lists();
  transfer_lists();
  values_by_name();
  metadata_hints();
  types_of_mpi();
  CALL(H5FD_mpio_init() == H5FD_MPIO);
  MPI_Finalize();
  return 0;
}
