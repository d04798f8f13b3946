/* SPDX-License-Identifier: Apache-2.0
 *
 * Property lists of structured chunks, which HDF5 does not have. */
#include "show.h"

static void show_pipelines(hid_t dcpl, int sections) {
  int section, n, i;
  for (section = 0; section < sections; ++section) {
    CALL(H5Pget_nfilter2(dcpl, (uint64_t)section, &n));
    for (i = 0; i < n; ++i) {
      uint64_t flags = 99;
      unsigned values[4] = {0, 0, 0, 0};
      size_t bytes = sizeof values;
      char name[20] = "";
      printf("  %d", H5Pget_filter3(dcpl, (uint64_t)section, (unsigned)i, &flags, &bytes, values, sizeof name,
                                    name, NULL));
      printf(" %s flags %d, %d bytes, first %u\n", name, (int)flags, (int)bytes, values[0]);
    }
  }
}

int main(void) {
  hid_t dcpl;
  hsize_t dims[2] = {10, 20}, back[2] = {0, 0};
  unsigned flag = 99, level = 5;
  uint64_t flags = 0;
  int n = 0;
  H5_section_type_t sections[4];
  quiet();
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_struct_chunk(dcpl, 2, dims, 0));
  CALL(H5Pset_struct_chunk(dcpl, 2, dims, 8));
  CALL(H5Pset_struct_chunk(dcpl, 0, dims, H5D_SPARSE_CHUNK));
  CALL(H5Pget_struct_chunk(dcpl, 2, back, &flag));
  CALL(H5Pget_struct_chunk_sections(dcpl, &n, sections));
  CALL(H5Pset_struct_chunk(dcpl, 2, dims, H5D_SPARSE_CHUNK | H5D_VL_CHUNK));
  CALL(H5Pget_layout(dcpl));
  CALL(H5Pget_chunk(dcpl, 2, back));
  CALL(H5Pget_struct_chunk(dcpl, 2, back, &flag));
  printf("%d %d, %u\n", (int)back[0], (int)back[1], flag);
  CALL(H5Pget_struct_chunk_sections(dcpl, &n, NULL));
  VALUE(n);
  CALL(H5Pget_struct_chunk_sections(dcpl, &n, sections));
  printf("%d %d %d\n", (int)sections[0], (int)sections[1], (int)sections[2]);

  puts("filters of all sections, and of one");
  CALL(H5Pset_deflate(dcpl, 3));
  CALL(H5Pset_nbit(dcpl));
  CALL(H5Pset_filter2(dcpl, H5Z_FLAG_SPARSE_VL_DATA, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level,
                      &level));
  CALL(H5Pset_filter2(dcpl, H5Z_FLAG_SPARSE_SELECTION, H5Z_FILTER_NBIT, H5Z_FLAG_OPTIONAL, 0, NULL));
  CALL(H5Pset_filter2(dcpl, 4, H5Z_FILTER_DEFLATE, 0, sizeof level, &level));
  CALL(H5Pset_filter2(dcpl, 0, H5Z_FILTER_DEFLATE, 0, 3, &level));
  show_pipelines(dcpl, 3);
  level = 8;
  CALL(H5Pmodify_filter2(dcpl, 1, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, sizeof level, &level));
  CALL(H5Pmodify_filter2(dcpl, 0, H5Z_FILTER_NBIT, 0, 0, NULL));
  CALL(H5Pget_filter_by_id3(dcpl, 1, H5Z_FILTER_DEFLATE, &flags, NULL, NULL, 0, NULL, NULL));
  CALL(H5Pget_filter_by_id3(dcpl, 0, H5Z_FILTER_NBIT, &flags, NULL, NULL, 0, NULL, NULL));
  CALL(H5Premove_filter2(dcpl, 0, H5Z_FILTER_DEFLATE));
  CALL(H5Premove_filter2(dcpl, 1, H5Z_FILTER_SHUFFLE));
  show_pipelines(dcpl, 3);
  CALL(H5Premove_filter(dcpl, H5Z_FILTER_ALL));
  show_pipelines(dcpl, 3);

  puts("values of variable length alone");
  CALL(H5Pset_struct_chunk(dcpl, 2, dims, H5D_VL_CHUNK));
  CALL(H5Pget_struct_chunk_sections(dcpl, &n, sections));
  printf("%d: %d %d\n", n, (int)sections[0], (int)sections[1]);
  CALL(H5Pget_sparse_chunk(dcpl, 2, back));
  CALL(H5Pset_sparse_chunk(dcpl, 1, dims));
  CALL(H5Pget_sparse_chunk(dcpl, 2, back));

  puts("density");
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pget_density(dcpl, &flag));
  VALUE(flag);
  CALL(H5Pset_density(dcpl, 7));
  CALL(H5Pset_density(dcpl, H5D_DENSITY_SPARSE));
  CALL(H5Pset_chunk(dcpl, 2, dims));
  CALL(H5Pget_layout(dcpl));
  CALL(H5Pget_density(dcpl, &flag));
  VALUE(flag);
  CALL(H5Pset_density(dcpl, H5D_DENSITY_DENSE));
  CALL(H5Pget_layout(dcpl));
  return 0;
}
