/* SPDX-License-Identifier: Apache-2.0
 *
 * Portable sparse chunks: defined elements, erasing, chunks by their sections and as they are stored. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW(expression) printf(#expression " = %lld\n", (long long)(expression))

static int see(const hsize_t* offset, H5D_struct_chunk_info_t* info, haddr_t* address, hsize_t* size,
               void* data) {
  ++*(int*)data;
  printf("chunk %lld %lld of type %u, %u sections, %lld bytes of values, placed %d, with an envelope %d\n",
         (long long)offset[0], (long long)offset[1], info->type, (unsigned)info->num_sections,
         (long long)info->section_size[1], *address != HADDR_UNDEF,
         *size == 54 + 4 + info->section_size[0] + info->section_size[1]);
  return 0;
}

int main(void) {
  const hsize_t dims[2] = {8, 10}, chunk[2] = {4, 5}, start[2] = {2, 2}, count[2] = {2, 3};
  hsize_t first[2] = {0, 0}, second[2] = {4, 5}, bytes = 0;
  int numbers[8][10], back[8][10], chunks = 0, i, j;
  for (i = 0; i < 8; ++i)
    for (j = 0; j < 10; ++j) numbers[i][j] = 10 * i + j;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  SHOW(H5Pset_struct_chunk(creation, 2, chunk, H5D_SPARSE_CHUNK));
  SHOW(H5Pset_sparse_portable(creation, 1));
  /* The default version bounds: such chunks are ordinary ones. */
  hid_t file = H5Fcreate("portable.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t set = H5Dcreate2(file, "matrix", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  hid_t copy = H5Dcreate2(file, "copy", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, space, space, H5P_DEFAULT, numbers));
  hid_t defined = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT);
  SHOW(H5Sget_select_npoints(defined));
  SHOW(H5Sextent_equal(defined, space));
  SHOW(H5Dflush(set));
  SHOW(H5Dstruct_chunk_iter(set, H5P_DEFAULT, see, &chunks));
  SHOW(chunks);

  /* By sections. */
  uint16_t masks[2] = {9, 9};
  size_t sizes[2] = {0, 0}, originals[2] = {0, 0};
  H5D_struct_chunk_info_t info = {0, 2, masks, sizes, originals};
  SHOW(H5Dread_struct_chunk(set, H5P_DEFAULT, first, &info, NULL));
  SHOW(sizes[1]);
  void* sections[2] = {malloc(sizes[0]), malloc(sizes[1])};
  SHOW(H5Dread_struct_chunk(set, H5P_DEFAULT, first, &info, sections));
  for (i = 0; i < 6; ++i) printf("%d ", ((int*)sections[1])[i]);
  printf("mask %u %u\n", masks[0], masks[1]);
  SHOW(H5Dwrite_struct_chunk(copy, H5P_DEFAULT, &info, second, sections));
  ((char*)sections[0])[0] ^= 1;
  SHOW(H5Dwrite_struct_chunk(copy, H5P_DEFAULT, &info, second, sections));

  /* As stored, with the envelope. */
  uint32_t mask = 7;
  SHOW(H5Dget_chunk_storage_size(set, first, &bytes));
  char* stored = malloc(bytes);
  SHOW(H5Dread_chunk(set, H5P_DEFAULT, first, &mask, stored));
  printf("%.4s, mask %u\n", stored, mask);
  SHOW(H5Dwrite_chunk(copy, H5P_DEFAULT, 0, first, bytes, stored));
  SHOW(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  for (i = 2; i < 8; ++i)
    for (j = 0; j < 10; ++j)
      if (back[i][j] != 0) printf("%d %d: %d\n", i, j, back[i][j]);

  /* A row becomes undefined. */
  const hsize_t row[2] = {1, 10}, corner[2] = {2, 0};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, corner, NULL, row, NULL);
  SHOW(H5Derase(copy, space, H5P_DEFAULT));
  hid_t rest = H5Dget_defined(copy, H5S_ALL, H5P_DEFAULT);
  SHOW(H5Sget_select_npoints(rest));

  free(stored);
  free(sections[0]);
  free(sections[1]);
  H5Sclose(rest);
  H5Sclose(defined);
  H5Sclose(space);
  H5Dclose(copy);
  H5Dclose(set);
  H5Pclose(creation);
  SHOW(H5Fclose(file));
  return 0;
}
