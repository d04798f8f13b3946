/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and parameters of filters: those of the file, of the registered filter, and what set_local changes.
 * Filters that decode to more than the chunk. */
#include "show.h"

enum { NUMBER = 300, NO_ENCODER, NO_DECODER, GROWING, UNKNOWN = 400, COUNT = 16 };

static int encodings; /* When they happen differs between libraries. */

static size_t keep(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t* capacity,
                   void** data) {
  size_t i;
  (void)capacity, (void)data;
  if (!(flags & H5Z_FLAG_REVERSE)) {
    encodings += values[0] == 77 || values[0] == 5 ? 1 : 100;
    return bytes;
  }
  printf("  decode with");
  for (i = 0; i < count; ++i) printf(" %u", values[i]);
  printf(", %lu bytes\n", (unsigned long)bytes);
  return bytes;
}

/* Decodes to four times as much as there was. */
static size_t grow(unsigned flags, size_t count, const unsigned values[], size_t bytes, size_t* capacity,
                   void** data) {
  char* larger;
  (void)count, (void)values;
  if (!(flags & H5Z_FLAG_REVERSE)) return bytes;
  larger = calloc(4, bytes);
  memcpy(larger, *data, bytes);
  free(*data);
  *data = larger;
  *capacity = 4 * bytes;
  return 4 * bytes;
}

static htri_t can_apply(hid_t list, hid_t type, hid_t space) {
  (void)list, (void)space;
  printf("  can_apply to class %d of %lu bytes\n", H5Tget_class(type), (unsigned long)H5Tget_size(type));
  return 1;
}

static herr_t set_local(hid_t list, hid_t type, hid_t space) {
  unsigned flags, values[10];
  size_t count = 10;
  hsize_t chunk;
  (void)space;
  H5Pget_filter_by_id2(list, NUMBER, &flags, &count, values, 0, NULL, NULL);
  printf("  set_local with %lu values\n", (unsigned long)count);
  H5Pget_chunk(list, 1, &chunk);
  values[0] = 77;
  values[1] = (unsigned)H5Tget_size(type);
  values[2] = (unsigned)chunk;
  values[3] = 99;
  return H5Pmodify_filter(list, NUMBER, flags, 4, values);
}

static const H5Z_class2_t first = {H5Z_CLASS_T_VERS, NUMBER, 1, 1, "first name", can_apply, set_local, keep};
static const H5Z_class2_t second = {H5Z_CLASS_T_VERS, NUMBER, 1, 1, "a second name", NULL, NULL, keep};
static const H5Z_class2_t no_encoder = {H5Z_CLASS_T_VERS, NO_ENCODER, 0, 1, "reads", NULL, NULL, keep};
static const H5Z_class2_t no_decoder = {H5Z_CLASS_T_VERS, NO_DECODER, 1, 0, NULL, NULL, NULL, keep};
static const H5Z_class2_t growing = {H5Z_CLASS_T_VERS, GROWING, 1, 1, "grows", NULL, NULL, grow};

static void show_filters(hid_t list) {
  int n = H5Pget_nfilters(list), i;
  for (i = 0; i < n; ++i) {
    char name[100] = "unset";
    size_t count = 8, k;
    unsigned values[8] = {0}, flags = 9, configuration = 9;
    int id = H5Pget_filter2(list, i, &flags, &count, values, sizeof name, name, &configuration);
    printf("  filter %d, flags %u, '%s', configuration %u, values", id, flags, name, configuration);
    for (k = 0; k < count; ++k) printf(" %u", values[k]);
    printf("\n");
  }
}

static void show_filters_of(hid_t set) {
  hid_t list = H5Dget_create_plist(set);
  show_filters(list);
  H5Pclose(list);
}

static void make(hid_t file, const char* name, int id, unsigned flags, size_t count) {
  const unsigned values[2] = {5, 6};
  const hsize_t dims = COUNT, chunk = COUNT / 2;
  int elements[COUNT] = {1, 2, 3};
  hid_t space = H5Screate_simple(1, &dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set;
  printf("%s\n", name);
  H5Pset_chunk(list, 1, &chunk);
  TRY(H5Pset_filter(list, id, flags, count, values));
  show_filters(list);
  set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, list, NONE);
  SHOW_ID(set);
  if (set < 0) return;
  show_filters(list);
  show_filters_of(set);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, elements));
  H5Dclose(set);
  VALUE(encodings);
}

static void look(hid_t file, int read) {
  static const char* const names[] = {"set_local", "optional", "no decoder", "reserved", "unknown", "grows"};
  size_t i;
  for (i = 0; i < sizeof names / sizeof *names; ++i) {
    int elements[COUNT] = {0};
    hid_t set = H5Dopen2(file, names[i], NONE);
    printf("%s\n", names[i]);
    show_filters_of(set);
    if (read) {
      CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, elements));
      printf("  %d %d %d\n", elements[0], elements[2], elements[COUNT - 1]);
    }
    H5Dclose(set);
  }
}

/* A new dataset with the list of another one keeps the name. */
static void pass_on(hid_t file) {
  const hsize_t dims = COUNT;
  hid_t space = H5Screate_simple(1, &dims, NULL);
  hid_t set = H5Dopen2(file, "set_local", NONE), list = H5Dget_create_plist(set);
  H5Dclose(set);
  H5Zregister(&second);
  show_filters(list);
  set = H5Dcreate2(file, "passed on", H5T_NATIVE_DOUBLE, space, NONE, list, NONE);
  CALL_ID(set);
  H5Dclose(set);
  CALL(H5Ocopy(file, "set_local", file, "copy", NONE, NONE));
  CALL(H5Zunregister(NUMBER));
  show_filters(list);
  set = H5Dopen2(file, "passed on", NONE);
  show_filters_of(set);
  H5Dclose(set);
  set = H5Dopen2(file, "copy", NONE);
  show_filters_of(set);
  H5Dclose(set);
}

int main(void) {
  unsigned configuration = 9;
  hid_t file;
  quiet();
  CALL(H5Zregister(&first));
  CALL(H5Zregister(&no_encoder));
  CALL(H5Zregister(&no_decoder));
  CALL(H5Zregister(&growing));
  CALL(H5Zget_filter_info(NO_ENCODER, &configuration));
  VALUE(configuration);
  CALL(H5Zget_filter_info(NO_DECODER, &configuration));
  VALUE(configuration);
  file = new_file("names.h5");
  make(file, "set_local", NUMBER, H5Z_FLAG_MANDATORY, 2);
  make(file, "optional", NUMBER, H5Z_FLAG_OPTIONAL, 0);
  make(file, "no encoder", NO_ENCODER, H5Z_FLAG_MANDATORY, 1);
  make(file, "no encoder, optional", NO_ENCODER, H5Z_FLAG_OPTIONAL, 1);
  make(file, "no decoder", NO_DECODER, H5Z_FLAG_MANDATORY, 1);
  make(file, "reserved", 200, H5Z_FLAG_OPTIONAL, 1);
  make(file, "unknown", UNKNOWN, H5Z_FLAG_OPTIONAL, 1);
  make(file, "grows", GROWING, H5Z_FLAG_MANDATORY, 0);
  H5Fclose(file);
  file = H5Fopen("names.h5", H5F_ACC_RDWR, NONE);
  look(file, 1);
  CALL(H5Zregister(&second));
  look(file, 0);
  CALL(H5Zunregister(NUMBER));
  CALL(H5Zunregister(NO_DECODER));
  look(file, 0);
  pass_on(file);
  H5Fclose(file);
  return 0;
}
