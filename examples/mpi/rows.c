/* SPDX-License-Identifier: Apache-2.0 */
/* Every rank of an MPI program writes rows of one dataset, and reads those of its neighbour. The same program
 * compiles with parallel HDF5.
 *
 *   h5pcc rows.c -o rows
 *   mpirun -n 4 ./rows rows.h5
 */
#include <hdf5.h>
#include <stdio.h>

#define ROWS 3 /* of each rank */
#define COLUMNS 100

/* Selects the rows of a rank in the dataset. */
static hid_t rows_of(hid_t data, int rank) {
  const hsize_t start[2] = {(hsize_t)ROWS * (hsize_t)rank, 0}, count[2] = {ROWS, COLUMNS};
  hid_t space = H5Dget_space(data);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  return space;
}

/* All ranks make the file, and the same groups, datasets and attributes. Each writes rows of its own. */
static int write_file(const char* path, hid_t access, hid_t together, int rank, int ranks) {
  const hsize_t dims[2] = {(hsize_t)ROWS * (hsize_t)ranks, COLUMNS}, chunk[2] = {ROWS, COLUMNS};
  const hsize_t count[2] = {ROWS, COLUMNS};
  double mine[ROWS][COLUMNS];
  herr_t written;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t space = H5Screate_simple(2, dims, NULL), memory = H5Screate_simple(2, count, NULL);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), data, rows;
  H5Pset_chunk(creation, 2, chunk);
  H5Pset_deflate(creation, 1);
  data = H5Dcreate2(file, "rows", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  for (int i = 0; i < ROWS * COLUMNS; ++i) mine[i / COLUMNS][i % COLUMNS] = rank + 1;
  rows = rows_of(data, rank);
  written = H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, rows, together, mine);
  H5Sclose(rows);
  H5Sclose(memory);
  H5Sclose(space);
  H5Pclose(creation);
  H5Dclose(data);
  return H5Fclose(file) < 0 || written < 0 ? -1 : 0;
}

/* Reads alone: nobody waits for the others. */
static double sum_of(const char* path, hid_t access, int rank) {
  const hsize_t count[2] = {ROWS, COLUMNS};
  double found[ROWS][COLUMNS] = {{0}}, sum = 0;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access), data = H5Dopen2(file, "rows", H5P_DEFAULT);
  hid_t rows = rows_of(data, rank), memory = H5Screate_simple(2, count, NULL);
  H5Dread(data, H5T_NATIVE_DOUBLE, memory, rows, H5P_DEFAULT, found);
  for (int i = 0; i < ROWS * COLUMNS; ++i) sum += found[i / COLUMNS][i % COLUMNS];
  H5Sclose(memory);
  H5Sclose(rows);
  H5Dclose(data);
  H5Fclose(file);
  return sum;
}

int main(int argc, char** argv) {
  const char* path;
  int rank, ranks, failed;
  double sum, total = 0;
  hid_t access, together;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  path = argc > 1 ? argv[1] : "rows.h5";
  access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  together = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(together, H5FD_MPIO_COLLECTIVE);
  failed = write_file(path, access, together, rank, ranks) < 0;
  if (!failed) {
    sum = sum_of(path, access, (rank + 1) % ranks);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d ranks: the sum is %g\n", ranks, total);
  }
  H5Pclose(together);
  H5Pclose(access);
  MPI_Finalize();
  return failed;
}
