/* SPDX-License-Identifier: Apache-2.0 */
/* H5LT: datasets and attributes in one call. */
#include <hdf5_hl.h>
#include <stdlib.h>

#include "show.h"

static const hsize_t dims[2] = {2, 3};

static void datasets(hid_t file) {
  int values[6] = {1, -2, 3, 4, 5, 6}, rank = -5;
  short shorts[6] = {7, 8, 9, 10, 11, 12};
  long longs[6] = {0};
  float floats[6];
  double doubles[6];
  char text[32];
  hsize_t found[3] = {9, 9, 9};
  H5T_class_t type_class;
  size_t size;
  TRY(H5LTmake_dataset(file, "a", 2, dims, H5T_NATIVE_INT, values));
  TRY(H5LTmake_dataset(file, "a", 2, dims, H5T_NATIVE_INT, values));
  TRY(H5LTmake_dataset(file, "unwritten", 2, dims, H5T_NATIVE_INT, NULL));
  TRY(H5LTmake_dataset(file, NULL, 2, dims, H5T_NATIVE_INT, values));
  TRY(H5LTmake_dataset(file, "no", 2, dims, -1, values));
  SHOW_FAILURE(H5LTmake_dataset(file, "no", -1, dims, H5T_NATIVE_INT, values));
  TRY(H5LTmake_dataset(-1, "no", 1, dims, H5T_NATIVE_INT, values));
  TRY(H5LTmake_dataset_int(file, "scalar", 0, dims, values));
  TRY(H5LTmake_dataset_char(file, "chars", 2, dims, "abcdef"));
  TRY(H5LTmake_dataset_short(file, "shorts", 2, dims, shorts));
  TRY(H5LTmake_dataset_long(file, "longs", 2, dims, longs));
  TRY(H5LTmake_dataset_string(file, "text", "hello"));
  TRY(H5LTmake_dataset_string(file, "empty", ""));
  TRY(H5LTmake_dataset_string(file, NULL, "hello"));
  TRY(H5LTmake_dataset_int(file, "g/deep", 1, dims, values));
  TRY(H5LTmake_dataset_int(file, "none/deep", 1, dims, values));
  TRY(H5LTread_dataset_double(file, "a", doubles));
  SHOW_REAL(doubles[1]);
  TRY(H5LTread_dataset_float(file, "a", floats));
  SHOW_REAL(floats[5]);
  TRY(H5LTread_dataset_long(file, "shorts", longs));
  SHOW(longs[5]);
  TRY(H5LTread_dataset(file, "a", H5T_NATIVE_DOUBLE, doubles));
  SHOW_FAILURE(H5LTread_dataset_int(file, "none", values));
  SHOW_FAILURE(H5LTread_dataset_int(file, "g", values));
  TRY(H5LTread_dataset_int(file, NULL, values));
  TRY(H5LTmake_dataset_float(file, "floats", 2, dims, floats));
  TRY(H5LTmake_dataset_double(file, "doubles", 2, dims, doubles));
  TRY(H5LTread_dataset_string(file, "text", text));
  SHOW_TEXT(text);
  TRY(H5LTget_dataset_ndims(file, "a", &rank));
  SHOW(rank);
  TRY(H5LTget_dataset_ndims(file, "scalar", &rank));
  SHOW(rank);
  SHOW_FAILURE(H5LTget_dataset_ndims(file, "none", &rank));
  TRY(H5LTget_dataset_info(file, "a", found, &type_class, &size));
  SHOW(type_class);
  SHOW(size);
  SHOW(found[0]);
  SHOW(found[1]);
  TRY(H5LTget_dataset_info(file, "a", NULL, NULL, NULL));
  TRY(H5LTget_dataset_info(file, "text", found, &type_class, &size));
  SHOW(type_class);
  SHOW(size);
  SHOW_FAILURE(H5LTget_dataset_info(file, "none", found, &type_class, &size));
  TRY(H5LTfind_dataset(file, "a"));
  TRY(H5LTfind_dataset(file, "g"));
  TRY(H5LTfind_dataset(file, "none"));
  TRY(H5LTfind_dataset(file, "g/deep"));
  TRY(H5LTfind_dataset(-1, "a"));
}

/* One dataset of each type, written and read back. */
#define EACH(suffix, type)                                                  \
  do {                                                                      \
    type written[2] = {(type)3, (type)250}, read[2] = {0};                  \
    SHOW(H5LTset_attribute_##suffix(file, "a", "of_" #suffix, written, 2)); \
    SHOW(H5LTget_attribute_##suffix(file, "a", "of_" #suffix, read));       \
    SHOW(read[0] == written[0] && read[1] == written[1]);                   \
  } while (0)

static void attributes(hid_t file) {
  int values[3] = {1, 2, 3}, rank = -5;
  double doubles[3];
  char text[32];
  hsize_t found[2] = {9, 9};
  H5T_class_t type_class;
  size_t size;
  hid_t a;
  EACH(char, char);
  EACH(uchar, unsigned char);
  EACH(short, short);
  EACH(ushort, unsigned short);
  EACH(int, int);
  EACH(uint, unsigned int);
  EACH(long, long);
  EACH(ulong, unsigned long);
  EACH(long_long, long long);
  EACH(float, float);
  EACH(double, double);
  TRY(H5LTset_attribute_int(file, "a", "i", values, 3));
  TRY(H5LTset_attribute_int(file, "a", "i", values, 2));
  TRY(H5LTset_attribute_int(file, "a", "nothing", values, 0));
  SHOW_FAILURE(H5LTset_attribute_int(file, "none", "i", values, 2));
  TRY(H5LTset_attribute_int(file, "a", NULL, values, 2));
  TRY(H5LTset_attribute_int(file, NULL, "i", values, 2));
  TRY(H5LTset_attribute_string(file, "/", "title", "text"));
  TRY(H5LTset_attribute_string(file, "/", "title", "longer text"));
  TRY(H5LTset_attribute_string(file, "g", "empty", ""));
  TRY(H5LTget_attribute_double(file, "a", "i", doubles));
  SHOW_REAL(doubles[1]);
  TRY(H5LTget_attribute(file, "a", "i", H5T_NATIVE_INT, values));
  TRY(H5LTget_attribute_int(file, "a", "none", values));
  SHOW_FAILURE(H5LTget_attribute_int(file, "none", "i", values));
  TRY(H5LTget_attribute_int(file, NULL, "i", values));
  TRY(H5LTget_attribute_int(file, "a", NULL, values));
  TRY(H5LTget_attribute_string(file, "/", "title", text));
  SHOW_TEXT(text);
  TRY(H5LTget_attribute_ndims(file, "a", "i", &rank));
  SHOW(rank);
  TRY(H5LTget_attribute_ndims(file, "/", "title", &rank));
  SHOW(rank);
  TRY(H5LTget_attribute_ndims(file, "a", "none", &rank));
  TRY(H5LTget_attribute_info(file, "a", "i", found, &type_class, &size));
  SHOW(found[0]);
  SHOW(type_class);
  SHOW(size);
  TRY(H5LTget_attribute_info(file, "/", "title", found, &type_class, &size));
  SHOW(type_class);
  SHOW(size);
  TRY(H5LTget_attribute_info(file, "/", "none", found, &type_class, &size));
  a = H5Dopen2(file, "a", H5P_DEFAULT);
  TRY(H5LTfind_attribute(a, "i"));
  TRY(H5LTfind_attribute(a, "none"));
  TRY(H5LTfind_attribute(a, ""));
  TRY(H5LTfind_attribute(-1, "i"));
  H5Dclose(a);
}

static void paths(hid_t file) {
  static const char* const all[] = {"/",       "a",        ".",         "./a",  "/a",     "g/deep",
                                    "/g/deep", "/g//deep", "g/none",    "none", "none/x", "dang",
                                    "dang/x",  "soft",     "soft/deep", "g/",   "a/x"};
  size_t i;
  hid_t group = H5Gopen2(file, "g", H5P_DEFAULT);
  H5Lcreate_soft("/none", file, "dang", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/g", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  for (i = 0; i < sizeof all / sizeof all[0]; ++i) {
    printf("%s: ", all[i]);
    TRY(H5LTpath_valid(file, all[i], 0));
    TRY(H5LTpath_valid(file, all[i], 1));
  }
  TRY(H5LTpath_valid(group, "deep", 1));
  TRY(H5LTpath_valid(group, "/a", 1));
  TRY(H5LTpath_valid(-1, "/", 1));
  TRY(H5LTpath_valid(file, NULL, 1));
  H5Gclose(group);
}

static void image(unsigned flags) {
  int values[6] = {0};
  FILE* file = fopen("lite.h5", "rb");
  size_t bytes;
  void* buffer = malloc(1 << 20);
  hid_t id;
  bytes = fread(buffer, 1, 1 << 20, file);
  fclose(file);
  printf("flags %u\n", flags);
  id = H5LTopen_file_image(buffer, bytes, flags);
  SHOW_ID(id);
  TRY(H5LTread_dataset_int(id, "a", values));
  SHOW(values[1]);
  TRY(H5LTset_attribute_int(id, "a", "late", values, 6) < 0);
  TRY(H5Fclose(id));
  if ((flags & H5LT_FILE_IMAGE_DONT_COPY) == 0 || (flags & H5LT_FILE_IMAGE_DONT_RELEASE) != 0) free(buffer);
}

int main(void) {
  char nothing[16] = "nothing of HDF5";
  hid_t file = H5Fcreate("lite.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  datasets(file);
  attributes(file);
  paths(file);
  H5Fclose(file);
  image(0);
  image(H5LT_FILE_IMAGE_OPEN_RW);
  image(H5LT_FILE_IMAGE_DONT_COPY);
  image(H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_DONT_RELEASE);
  TRY(H5LTopen_file_image(NULL, 16, 0) < 0);
  TRY(H5LTopen_file_image(nothing, 0, 0) < 0);
  TRY(H5LTopen_file_image(nothing, 16, 0) < 0);
  TRY(H5LTopen_file_image(nothing, 16, 8) < 0);
  return 0;
}
