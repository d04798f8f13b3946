/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes sparse.h5 and prints what its property lists say. Compiled with H5_USE_SPARSE_PROTOTYPE_API the
 * calls have the signatures of the prototype, without it those of the RFC.
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#ifdef H5_USE_SPARSE_PROTOTYPE_API
#define COUNT(n) (n)
#define SPARSE 0
typedef unsigned flags_type;
#else
#define COUNT(n) ((n) * sizeof(unsigned))
#define SPARSE H5D_SPARSE_CHUNK
typedef uint64_t flags_type;
#endif
#define CALL(call) \
  if ((call) < 0) return printf("line %d failed\n", __LINE__), 1

static int show(hid_t dcpl) {
  for (int section = 0; section < 3; ++section) {
    int filters = -1;
    CALL(H5Pget_nfilters2(dcpl, (H5_section_type_t)section, &filters));
    for (int i = 0; i < filters; ++i) {
      flags_type flags = 9;
      size_t count = COUNT(8);
      unsigned values[8] = {0}, config = 0;
      char name[20] = "";
      H5Z_filter_t id =
          H5Pget_filter3(dcpl, section, (unsigned)i, &flags, &count, values, sizeof name, name, &config);
      printf("section %d: filter %d '%s', flags %d, %d parameters:", section, (int)id, name, (int)flags,
             (int)(count / COUNT(1)));
      for (size_t k = 0; k < count / COUNT(1); ++k) printf(" %u", values[k]);
      puts("");
      CALL(H5Pget_filter_by_id3(dcpl, section, id, &flags, NULL, NULL, 0, NULL, NULL));
    }
  }
  return 0;
}

static int set_filters(hid_t dcpl) {
  const unsigned six = 6, nine = 9, four[4] = {1, 2, 3, 4};
  CALL(H5Pset_filter2(dcpl, H5_SECTION_SELECTION, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, COUNT(1), &six));
  CALL(H5Pset_filter2(dcpl, H5_SECTION_FIXED, H5Z_FILTER_SHUFFLE, H5Z_FLAG_OPTIONAL, 0, NULL));
  CALL(H5Pset_filter2(dcpl, H5_SECTION_FIXED, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, COUNT(1), &six));
  CALL(H5Pset_filter2(dcpl, H5_SECTION_FIXED, 300, H5Z_FLAG_OPTIONAL, COUNT(4), four));
  CALL(H5Pset_filter2(dcpl, H5_SECTION_FIXED, H5Z_FILTER_FLETCHER32, H5Z_FLAG_MANDATORY, 0, NULL));
  CALL(H5Pmodify_filter2(dcpl, H5_SECTION_SELECTION, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, COUNT(1), &nine));
  CALL(show(dcpl));
  CALL(H5Premove_filter2(dcpl, H5_SECTION_FIXED, H5Z_FILTER_FLETCHER32));
  return 0;
}

int main(void) {
  hsize_t dims[2] = {10, 10}, chunk[2] = {5, 5}, start[2] = {3, 2}, count[2] = {2, 3};
  const int values[6] = {32, 33, 34, 42, 43, 44};
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  CALL(H5Pset_obj_track_times(dcpl, 0));
  CALL(H5Pset_struct_chunk(dcpl, 2, chunk, SPARSE));
  CALL(set_filters(dcpl));
  hid_t file = H5Fcreate("sparse.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  hid_t space = H5Screate_simple(2, dims, NULL), memory = H5Screate_simple(2, count, NULL);
  hid_t data = H5Dcreate2(file, "d", H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  CALL(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  CALL(H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  hid_t stored = H5Dget_create_plist(data);
  unsigned flag = 9;
  CALL(H5Pget_struct_chunk(stored, 0, NULL, &flag));
  printf("sparse %d\n", (flag & H5D_SPARSE_CHUNK) != 0);
  CALL(show(stored));
  CALL(H5Dclose(data));
  CALL(H5Fclose(file));
  return 0;
}
