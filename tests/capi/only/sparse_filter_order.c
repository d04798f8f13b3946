/* SPDX-License-Identifier: Apache-2.0
 *
 * Filters of sparse chunks that are set before or after the layout, limits of the chunk's size, and the names
 * of driver operations as the proposal of selection I/O spells them. */
#include "show.h"

static void show_counts(hid_t dcpl) {
  int section, n = -1;
  for (section = 0; section < 3; ++section) {
    H5Pget_nfilter2(dcpl, (uint64_t)section, &n);
    printf("section %d has %d filters\n", section, n);
  }
}

static void set_filters(hid_t dcpl) {
  CALL(H5Pset_shuffle(dcpl));
  CALL(H5Pset_deflate(dcpl, 6));
  CALL(H5Pset_szip(dcpl, H5_SZIP_NN_OPTION_MASK, 8));
}

/* Writes two elements of a sparse dataset and reads all back. */
static void round_trip(hid_t file, const char* name, hid_t dcpl) {
  hsize_t dims[1] = {64}, at[2] = {3, 40};
  int values[2] = {7, 9}, back[64], i, others = 0;
  hid_t space = H5Screate_simple(1, dims, NULL), two = H5Screate_simple(1, (hsize_t[]){2}, NULL), set;
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  VALUE(set >= 0);
  H5Sselect_elements(space, H5S_SELECT_SET, 2, at);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, two, space, H5P_DEFAULT, values));
  CALL(H5Dclose(set));
  set = H5Dopen2(file, name, H5P_DEFAULT);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  for (i = 0; i < 64; ++i) others += back[i] != 0;
  printf("%d %d, %d elements differ from zero\n", back[3], back[40], others);
  H5Dclose(set);
  H5Sclose(space);
  H5Sclose(two);
}

int main(void) {
  const hsize_t chunk[1] = {64}, many[2] = {(hsize_t)1 << 32, (hsize_t)1 << 32},
                most[2] = {(hsize_t)1 << 32, ((hsize_t)1 << 32) - 1};
  unsigned parameters[2] = {H5_SZIP_NN_OPTION_MASK, 8};
  hid_t after, before, access, file;
  quiet();
  after = H5Pcreate(H5P_DATASET_CREATE);
  before = H5Pcreate(H5P_DATASET_CREATE);
  puts("layout first");
  CALL(H5Pset_sparse_chunk(after, 1, chunk));
  set_filters(after);
  show_counts(after);
  puts("filters first");
  set_filters(before);
  CALL(H5Pset_sparse_chunk(before, 1, chunk));
  show_counts(before);
  VALUE(H5Pequal(after, before));
  puts("the layout again adds nothing");
  CALL(H5Pset_sparse_chunk(before, 1, chunk));
  show_counts(before);
  CALL(H5Pset_filter2(after, H5Z_FLAG_SPARSE_SELECTION, H5Z_FILTER_SZIP, 0, sizeof parameters, parameters));

  puts("in a file");
  access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("sparse_filter_order.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  round_trip(file, "after", after);
  round_trip(file, "before", before);
  CALL(H5Fclose(file));

  puts("limits");
  CALL(H5Pset_sparse_chunk(after, 2, many));
  CALL(H5Pset_struct_chunk(after, 2, many, H5D_SPARSE_CHUNK));
  CALL(H5Pset_sparse_chunk(after, 2, most));

  VALUE(H5FD_CTL__COBEGIN == H5FD_CTL_COBEGIN_OPCODE && H5FD_CTL__COEND == H5FD_CTL_COEND_OPCODE);
  VALUE(H5FD_CTL__GET_MPI_COMMUNICATOR == H5FD_CTL_GET_MPI_COMMUNICATOR_OPCODE);
  VALUE(H5FD_CTL__GET_MPI_RANK == H5FD_CTL_GET_MPI_RANK_OPCODE);
  VALUE(H5FD_CTL__GET_MPI_SIZE == H5FD_CTL_GET_MPI_SIZE_OPCODE);
  H5Pclose(access);
  H5Pclose(after);
  H5Pclose(before);
  return 0;
}
