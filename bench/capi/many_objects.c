/* SPDX-License-Identifier: Apache-2.0 */
/* Many small objects through the C API. The first argument says what is done, the second how many objects
 * there are. `datasets` and `groups` create objects in a new file, open them at random, and print the seconds
 * of processor time of both. `write`, `read` and `list` print the peak memory of the process in bytes. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char file_name[] = "many_objects.h5";
static hid_t fapl;
static int count, numbers[4] = {1, 2, 3, 4};

static double now(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double peak_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

static void create_datasets(hid_t file, int with_attributes) {
  const hsize_t four = 4;
  hid_t space = H5Screate_simple(1, &four, NULL), scalar = H5Screate(H5S_SCALAR), set, attribute;
  char name[32];
  for (int i = 0; i < count; ++i) {
    sprintf(name, "d%06d", i);
    set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    numbers[0] = i;
    if (H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) exit(1);
    if (with_attributes) {
      attribute = H5Acreate2(set, "a", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
      if (H5Awrite(attribute, H5T_NATIVE_INT, numbers) < 0) exit(1);
      H5Aclose(attribute);
    }
    H5Dclose(set);
  }
  H5Sclose(space);
  H5Sclose(scalar);
}

static void create_groups(hid_t file) {
  char name[32];
  for (int i = 0; i < count; ++i) {
    sprintf(name, "g%06d", i);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) exit(1);
    H5Gclose(group);
  }
}

static void open_at_random(hid_t file, int groups) {
  unsigned long long state = 1;
  char name[32];
  for (int i = 0; i < count; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sprintf(name, groups ? "g%06d" : "d%06d", (int)((state >> 33) % (unsigned)count));
    hid_t object = groups ? H5Gopen2(file, name, H5P_DEFAULT) : H5Dopen2(file, name, H5P_DEFAULT);
    if (object < 0) exit(1);
    groups ? H5Gclose(object) : H5Dclose(object);
  }
}

static void race(int groups) {
  double start = now(), created;
  hid_t file = H5Fcreate(file_name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  groups ? create_groups(file) : create_datasets(file, 1);
  if (H5Fclose(file) < 0) exit(1);
  created = now() - start;
  start = now();
  file = H5Fopen(file_name, H5F_ACC_RDONLY, fapl);
  open_at_random(file, groups);
  H5Fclose(file);
  printf("%.4f %.4f\n", created, now() - start);
}

static void write_all(void) {
  hid_t file = H5Fcreate(file_name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  create_datasets(file, 0);
  if (H5Fclose(file) < 0) exit(1);
}

static void read_all(void) {
  hid_t file = H5Fopen(file_name, H5F_ACC_RDONLY, fapl);
  char name[32];
  for (int i = 0; i < count; ++i) {
    sprintf(name, "d%06d", i);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0 || numbers[0] != i) exit(1);
    H5Dclose(set);
  }
  H5Fclose(file);
}

static herr_t count_link(hid_t group, const char* name, const H5L_info_t* info, void* counted) {
  (void)group, (void)name, (void)info;
  ++*(int*)counted;
  return 0;
}

static void list_all(void) {
  hid_t file = H5Fopen(file_name, H5F_ACC_RDONLY, fapl);
  int counted = 0;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, (H5L_iterate_t)count_link, &counted);
  H5Fclose(file);
  if (counted != count) exit(1);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "datasets";
  count = argc > 2 ? atoi(argv[2]) : 20000;
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  if (strcmp(what, "datasets") == 0 || strcmp(what, "groups") == 0) {
    race(what[0] == 'g');
    return 0;
  }
  if (strcmp(what, "write") == 0) write_all();
  if (strcmp(what, "read") == 0) read_all();
  if (strcmp(what, "list") == 0) list_all();
  printf("%.0f\n", peak_bytes());
  return 0;
}
