/* SPDX-License-Identifier: Apache-2.0
 *
 * Structured chunks: defined elements, erasing, and chunks by their sections. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW(expression) printf(#expression " = %lld\n", (long long)(expression))

static int see(const hsize_t* offset, H5D_struct_chunk_info_t* info, haddr_t* address, hsize_t* size,
               void* data) {
  (void)size;
  ++*(int*)data;
  printf("chunk %lld %lld of type %u, %u sections, %lld bytes of values, placed %d\n", (long long)offset[0],
         (long long)offset[1], info->type, (unsigned)info->num_sections, (long long)info->section_size[1],
         *address != HADDR_UNDEF);
  return 0;
}

static int see_native(const hsize_t* offset, void* data) {
  *(hsize_t*)data += offset[0] + offset[1];
  return 0;
}

int main(void) {
  const hsize_t dims[2] = {8, 10}, chunk[2] = {4, 5}, start[2] = {2, 2}, count[2] = {2, 3}, other[2] = {4, 5},
                out[2] = {9, 0};
  int numbers[8][10], back[8][10], i, j, chunks = 0;
  hsize_t n = 0, offset[2] = {0, 0}, bytes = 0, sum = 0;
  haddr_t address = 0;
  for (i = 0; i < 8; ++i)
    for (j = 0; j < 10; ++j) numbers[i][j] = 10 * (3 * i + 1) + 3 * (j - 2) - 4;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

  hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
  SHOW(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  SHOW(H5Pset_struct_chunk(creation, 2, chunk, H5D_SPARSE_CHUNK));
  hid_t file = H5Fcreate("structured.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t set = H5Dcreate2(file, "matrix", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  hid_t copy = H5Dcreate2(file, "copy", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, space, space, H5P_DEFAULT, numbers));
  SHOW(H5Dflush(set));
  SHOW(H5Dget_num_chunks(set, H5S_ALL, &n));
  SHOW(n);
  SHOW(H5Dget_struct_chunk_info(set, H5S_ALL, 0, offset, NULL, &address, &bytes));
  SHOW(H5Dget_chunk_storage_size(set, offset, &n));
  SHOW(n == bytes);
  SHOW(H5Dstruct_chunk_iter(set, H5P_DEFAULT, see, &chunks));
  SHOW(chunks);

  /* The sizes of the sections, then the sections. */
  uint16_t masks[2] = {9, 9};
  size_t sizes[2] = {0, 0}, originals[2] = {0, 0};
  H5D_struct_chunk_info_t info = {0, 2, masks, sizes, originals};
  SHOW(H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &info, NULL));
  void* sections[2] = {malloc(sizes[0]), malloc(sizes[1])};
  SHOW(sizes[1] == originals[1]);
  SHOW(H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &info, sections));
  for (i = 0; i < 6; ++i) printf("%d ", ((int*)sections[1])[i]);
  printf("mask %u %u\n", masks[0], masks[1]);
  hid_t decoded = H5Sdecode(sections[0]);
  SHOW(H5Sget_select_npoints(decoded));

  /* The same chunk in another dataset, and errors. */
  SHOW(H5Dwrite_struct_chunk(copy, H5P_DEFAULT, &info, offset, sections));
  memset(back, 0, sizeof back);
  SHOW(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  SHOW(back[2][2] == numbers[2][2] && back[3][4] == numbers[3][4] && back[0][0] == 0);
  ((char*)sections[0])[0] ^= 1;
  SHOW(H5Dwrite_struct_chunk(copy, H5P_DEFAULT, &info, offset, sections));
  info.num_sections = 1;
  SHOW(H5Dwrite_struct_chunk(copy, H5P_DEFAULT, &info, offset, sections));
  info.num_sections = 2;
  SHOW(H5Dwrite_struct_chunk(copy, H5P_DEFAULT, NULL, offset, sections));
  sizes[1] = 1;
  SHOW(H5Dread_struct_chunk(set, H5P_DEFAULT, offset, &info, sections));
  SHOW(H5Dread_struct_chunk(set, H5P_DEFAULT, other, &info, NULL));
  SHOW(H5Dget_struct_chunk_info_by_coord(set, other, &info, &address, &bytes));
  SHOW(address == HADDR_UNDEF && bytes == 0);
  SHOW(H5Dget_struct_chunk_info_by_coord(set, out, &info, &address, &bytes));

  /* Functions on unstructured chunks. */
  uint32_t mask = 0;
  SHOW(H5Dread_chunk(set, H5P_DEFAULT, offset, &mask, back));
  SHOW(H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset, sizeof back, back));
  SHOW(H5Dget_chunk_info(set, H5S_ALL, 0, offset, NULL, NULL, NULL));

  /* The native functions, on every kind of chunk. */
  unsigned parts = 0;
  H5D_native_section_type_t types[3];
  H5D_native_section_info_t native[2];
  SHOW(H5Dnative_get_section_count(set, &parts));
  SHOW(parts);
  SHOW(H5Dnative_get_section_types(set, types));
  SHOW(types[0] == H5D_NATIVE_SECTION_SELECTION && types[1] == H5D_NATIVE_SECTION_FIXED);
  SHOW(H5Dnative_get_chunk_info(set, offset, native, &address, &bytes));
  SHOW(native[1].size);
  SHOW(H5Dnative_read_chunk(set, H5P_DEFAULT, offset, 2, native, sections));
  SHOW(H5Dnative_write_chunk(copy, H5P_DEFAULT, offset, 2, native, (const void**)sections));
  SHOW(H5Dnative_chunk_iter(copy, H5P_DEFAULT, see_native, &sum));
  SHOW(sum);
  SHOW(H5Dnative_get_num_chunks(copy, H5S_ALL, &n));
  SHOW(n);

  /* Defined and erased elements. */
  hid_t defined = H5Dget_defined(copy, H5S_ALL, H5P_DEFAULT);
  SHOW(H5Sget_select_npoints(defined));
  SHOW(H5Derase(copy, defined, H5P_DEFAULT));
  H5Sclose(defined);
  defined = H5Dget_defined(copy, H5S_ALL, H5P_DEFAULT);
  SHOW(H5Sget_select_npoints(defined));
  SHOW(H5Dget_num_chunks(copy, H5S_ALL, &n));
  SHOW(n);
  free(sections[0]);
  free(sections[1]);
  H5Sclose(defined);
  H5Sclose(decoded);
  H5Sclose(space);
  H5Pclose(access);
  H5Pclose(creation);
  SHOW(H5Dclose(set));
  SHOW(H5Dclose(copy));
  SHOW(H5Fclose(file));
  return 0;
}
