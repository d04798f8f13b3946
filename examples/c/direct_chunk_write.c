/* SPDX-License-Identifier: Apache-2.0 */
/* Direct chunk write: the program compresses chunks itself, as in the example of the Direct Chunk Write RFC,
 * appendix B. Then it replaces the first chunk by an uncompressed one, which the filter mask says. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { rows = 200, columns = 1000, chunk_rows = 50, chunk_columns = 250 };

static int fail(const char* what) {
  fprintf(stderr, "%s failed\n", what);
  return 1;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "direct_chunk_write.h5";
  const hsize_t dims[2] = {rows, columns}, chunk[2] = {chunk_rows, chunk_columns};
  static int numbers[chunk_rows][chunk_columns];
  static long back[rows][columns];
  hsize_t offset[2];
  int i, j;

  for (i = 0; i < chunk_rows; ++i)
    for (j = 0; j < chunk_columns; ++j) numbers[i][j] = i * chunk_columns + j;
  uLongf packed_bytes = compressBound(sizeof numbers);
  Bytef* packed = malloc(packed_bytes);
  if (packed == NULL || compress2(packed, &packed_bytes, (const Bytef*)numbers, sizeof numbers, 9) != Z_OK)
    return fail("compressing a chunk");

  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk);
  H5Pset_deflate(creation, 9);
  hid_t dataset = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset < 0) return fail("creating the dataset");

  for (offset[0] = 0; offset[0] < rows; offset[0] += chunk_rows)
    for (offset[1] = 0; offset[1] < columns; offset[1] += chunk_columns)
      if (H5DOwrite_chunk(dataset, H5P_DEFAULT, 0, offset, packed_bytes, packed) < 0)
        return fail("writing a chunk");
  offset[0] = offset[1] = 0;
  if (H5DOwrite_chunk(dataset, H5P_DEFAULT, 0x1, offset, sizeof numbers, numbers) < 0)
    return fail("writing an unfiltered chunk");

  if (H5Dread(dataset, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0) return fail("reading");
  for (i = 0; i < rows; ++i)
    for (j = 0; j < columns; ++j)
      if (back[i][j] != numbers[i % chunk_rows][j % chunk_columns]) return fail("the comparison");
  printf("%d chunks of %lu bytes each, stored in %lu\n", rows / chunk_rows * (columns / chunk_columns),
         (unsigned long)sizeof numbers, (unsigned long)packed_bytes);

  free(packed);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  return H5Fclose(file) < 0;
}
