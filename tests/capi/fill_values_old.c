/* SPDX-License-Identifier: Apache-2.0 */
/* Fill values of files that early releases of HDF5 wrote: without a fill value message, or with the old one.
 * The files are made by changing the messages of new ones. Also fill values with user-defined conversions. */
#include "show.h"

enum { none, old_empty, first_version, first_version_undefined, only_old };
static const char* const kinds[] = {"none", "old and empty", "version 1", "version 1, undefined",
                                    "only the old"};

/* Changes all fill value messages of a file. They begin with type, bytes of the body, flags and 3 zeros. */
static void change_messages(const char* name, int kind) {
  static const unsigned char head[] = {5, 0, 8, 0, 1, 0, 0, 0, 2};
  static unsigned char bytes[1 << 16];
  FILE* file = fopen(name, "r+b");
  size_t size = fread(bytes, 1, sizeof bytes, file), i;
  int found = 0;
  for (i = 0; i + 32 < size; i += 8) {
    unsigned char* message = bytes + i;
    unsigned char* body = message + 8;
    if (memcmp(message, head, 2) != 0 || memcmp(message + 4, head + 4, 5) != 0) continue;
    ++found;
    if (kind == first_version || kind == first_version_undefined) body[0] = 1;
    if (kind == first_version_undefined) memset(body + 4, 0xff, 4);
    if (kind == none || kind == only_old || kind == old_empty) {
      memset(body, 0, message[2]);
      message[0] = kind == old_empty ? 4 : 0;
      message[4] = kind == old_empty;
    }
  }
  fseek(file, 0, SEEK_SET);
  fwrite(bytes, 1, size, file);
  fclose(file);
  printf("%d messages changed\n", found);
}

static void new_set(hid_t file, const char* name, hid_t plist, int write) {
  hsize_t size = 8, start = 1, one = 1;
  int value = 5;
  hid_t space = H5Screate_simple(1, &size, NULL), scalar = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, plist, NONE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL);
  if (write) H5Dwrite(set, H5T_NATIVE_INT, scalar, space, NONE, &value);
  H5Dclose(set);
  H5Sclose(space);
  H5Sclose(scalar);
}

static void show_set(hid_t file, const char* name) {
  hid_t set = H5Dopen2(file, name, NONE), plist = H5Dget_create_plist(set);
  H5D_fill_value_t status = H5D_FILL_VALUE_ERROR;
  H5D_fill_time_t fill_time = H5D_FILL_TIME_ERROR;
  H5D_alloc_time_t alloc_time = H5D_ALLOC_TIME_ERROR;
  int value = 77, values[8], i;
  printf("-- %s\n", name);
  TRY(H5Pfill_value_defined(plist, &status));
  VALUE(status);
  CALL(H5Pget_fill_value(plist, H5T_NATIVE_INT, &value));
  VALUE(value);
  H5Pget_fill_time(plist, &fill_time);
  H5Pget_alloc_time(plist, &alloc_time);
  printf("fill time %d, allocation time %d\n", fill_time, alloc_time);
  for (i = 0; i < 8; ++i) values[i] = -1;
  TRY(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  for (i = 0; i < 8; ++i) printf(" %d", values[i]);
  printf("\n");
  H5Pclose(plist);
  H5Dclose(set);
}

static void old_file(int kind) {
  hsize_t chunk = 4;
  int fill = 9;
  hid_t file, plain, chunked, filled;
  char name[32];
  snprintf(name, sizeof name, "fill_values_%d.h5", kind);
  printf("== %s\n", kinds[kind]);
  file = new_file(name);
  plain = H5Pcreate(H5P_DATASET_CREATE);
  chunked = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(chunked, 1, &chunk);
  filled = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(filled, 1, &chunk);
  H5Pset_fill_value(filled, H5T_NATIVE_INT, &fill);
  if (kind != only_old) {
    new_set(file, "contiguous", plain, 0);
    new_set(file, "chunked", chunked, 0);
    new_set(file, "chunked and written", chunked, 1);
  } else {
    new_set(file, "filled", filled, 0);
    new_set(file, "filled and written", filled, 1);
  }
  H5Fclose(file);
  change_messages(name, kind);
  file = H5Fopen(name, H5F_ACC_RDONLY, NONE);
  if (kind != only_old) {
    show_set(file, "contiguous");
    show_set(file, "chunked");
    show_set(file, "chunked and written");
  } else {
    show_set(file, "filled");
    show_set(file, "filled and written");
  }
  H5Fclose(file);
}

/* A conversion that no library has: from a bit field to an integer. */
static herr_t to_integer(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride, size_t back,
                         void* buffer, void* background, hid_t plist) {
  size_t i;
  if (data->command == H5T_CONV_CONV)
    for (i = 0; i < count; ++i) ((unsigned char*)buffer)[i] += 100;
  return 0;
}

static void with_conversion(hid_t file, const char* name, hid_t type, hid_t as, const void* fill) {
  hsize_t size = 4;
  unsigned char found[64];
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL), set;
  if (fill != NULL) H5Pset_fill_value(plist, type, fill);
  set = H5Dcreate2(file, name, type, space, NONE, plist, NONE);
  H5Pclose(plist);
  plist = H5Dget_create_plist(set);
  memset(found, 0x5a, sizeof found);
  printf("-- %s\n", name);
  CALL(H5Pget_fill_value(plist, as, found));
  show_bytes("fill", found, 2);
  memset(found, 0x5a, sizeof found);
  CALL(H5Pget_fill_value(plist, type, found));
  show_bytes("fill", found, 2);
  H5Pclose(plist);
  H5Dclose(set);
  H5Sclose(space);
}

/* A fill value that is made undefined. */
static void without_value(void) {
  static const hid_t invalid = -1;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5D_fill_value_t status = H5D_FILL_VALUE_ERROR;
  int value = 3;
  CALL(H5Pset_fill_value(plist, invalid, NULL));
  CALL(H5Pfill_value_defined(plist, &status));
  VALUE(status);
  CALL(H5Pget_fill_value(plist, H5T_NATIVE_INT, &value));
  CALL(H5Pset_fill_value(plist, invalid, &value));
  CALL(H5Pset_fill_value(plist, H5T_NATIVE_INT, &value));
  CALL(H5Pset_fill_value(plist, H5T_NATIVE_INT, NULL));
  CALL(H5Pfill_value_defined(plist, &status));
  VALUE(status);
  CALL(H5Pget_fill_value(invalid, H5T_NATIVE_INT, &value));
  CALL(H5Pget_fill_value(plist, invalid, &value));
  CALL(H5Pget_fill_value(plist, H5T_NATIVE_INT, NULL));
  H5Pclose(plist);
}

int main(void) {
  int kind;
  unsigned char seven = 7, eight[8] = {8};
  hid_t file, opaque = H5Tcreate(H5T_OPAQUE, 8);
  quiet();
  without_value();
  for (kind = none; kind <= only_old; ++kind) old_file(kind);
  file = new_file("fill_values.hdf");
  H5Tset_tag(opaque, "tag");
  with_conversion(file, "bit field, default", H5T_STD_B8LE, H5T_NATIVE_UCHAR, NULL);
  with_conversion(file, "bit field", H5T_STD_B8LE, H5T_NATIVE_UCHAR, &seven);
  with_conversion(file, "opaque, default", opaque, H5T_NATIVE_UCHAR, NULL);
  with_conversion(file, "opaque", opaque, H5T_NATIVE_UCHAR, eight);
  with_conversion(file, "reference, default", H5T_STD_REF_OBJ, opaque, NULL);
  with_conversion(file, "reference", H5T_STD_REF_OBJ, opaque, eight);
  H5Tregister(H5T_PERS_HARD, "to integer", H5T_STD_B8LE, H5T_NATIVE_UCHAR, to_integer);
  with_conversion(file, "bit field, default, registered", H5T_STD_B8LE, H5T_NATIVE_UCHAR, NULL);
  with_conversion(file, "bit field, registered", H5T_STD_B8LE, H5T_NATIVE_UCHAR, &seven);
  H5Fclose(file);
  return 0;
}
