/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads: separate files and datasets at the same time, a shared file and dataset, an error stack for each
 * thread, and shared ids. */
#include <pthread.h>

#include "show.h"

enum { threads = 8, rounds = 25, length = 2000 };

static hid_t shared_file, shared_set, shared_type, shared_list, common_fapl;
static int failures[threads];

static hid_t make_set(hid_t where, const char* name, hsize_t elements) {
  const hsize_t chunk[1] = {100};
  hid_t space = H5Screate_simple(1, &elements, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set;
  H5Pset_chunk(list, 1, chunk);
  H5Pset_deflate(list, 1);
  set = H5Dcreate2(where, name, H5T_STD_I32BE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list);
  H5Sclose(space);
  return set;
}

static int transfer(hid_t set, hsize_t start, int seed) {
  static const hsize_t count[1] = {length};
  int out[length], in[length], i, bad = 0;
  hid_t file_space = H5Dget_space(set), memory = H5Screate_simple(1, count, NULL);
  for (i = 0; i < length; ++i) out[i] = seed * 1000 + i;
  H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, NULL, count, NULL);
  bad += H5Dwrite(set, H5T_NATIVE_INT, memory, file_space, H5P_DEFAULT, out) < 0;
  bad += H5Dread(set, H5T_NATIVE_INT, memory, file_space, H5P_DEFAULT, in) < 0;
  bad += memcmp(out, in, sizeof out) != 0;
  H5Sclose(memory);
  H5Sclose(file_space);
  return bad;
}

/* A file for each thread. */
static void* own_file(void* argument) {
  const int me = *(int*)argument;
  char name[40];
  int i;
  sprintf(name, "own%d.h5", me);
  for (i = 0; i < rounds; ++i) {
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), set;
    set = make_set(file, "set", length);
    failures[me] += file < 0 || set < 0 || transfer(set, 0, me + i) != 0;
    H5Dclose(set);
    failures[me] += H5Fclose(file) < 0;
  }
  remove(name);
  return NULL;
}

/* Groups, datasets and attributes of a shared file. */
static void* own_group(void* argument) {
  const int me = *(int*)argument;
  char name[40];
  int i;
  hid_t group, scalar = H5Screate(H5S_SCALAR);
  sprintf(name, "group%d", me);
  group = H5Gcreate2(shared_file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  failures[me] += group < 0;
  for (i = 0; i < rounds; ++i) {
    hid_t set, attribute;
    sprintf(name, "set%d", i);
    set = make_set(group, name, length);
    failures[me] += set < 0 || transfer(set, 0, me + i) != 0;
    attribute = H5Acreate2(set, "number", shared_type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    failures[me] += H5Awrite(attribute, shared_type, &i) < 0;
    H5Aclose(attribute);
    H5Dclose(set);
    failures[me] += transfer(shared_set, (hsize_t)me * length, me * 100 + i);
  }
  H5Sclose(scalar);
  H5Gclose(group);
  return NULL;
}

static herr_t see(unsigned n, const H5E_error2_t* record, void* data) {
  (void)n;
  if (strcmp(record->func_name, (const char*)data) == 0) return 1;
  return 0;
}

/* Each thread fails differently, and sees its own errors. */
static void* own_errors(void* argument) {
  const int me = *(int*)argument;
  int i;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (i = 0; i < 40 * rounds; ++i) {
    const char* function = me % 2 == 0 ? "H5Dopen2" : "H5Gopen2";
    hid_t id = me % 2 == 0 ? H5Dopen2(shared_file, "absent", H5P_DEFAULT)
                           : H5Gopen2(shared_file, "absent", H5P_DEFAULT);
    failures[me] += id >= 0 || H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, see, (void*)function) != 1;
    failures[me] += H5Iis_valid(shared_file) <= 0;
  }
  return NULL;
}

/* Reference counts of one id, copies of one property list, and thousands of types and dataspaces. */
static void* common_ids(void* argument) {
  const int me = *(int*)argument;
  int i;
  for (i = 0; i < 40 * rounds; ++i) {
    const hsize_t dims[1] = {(hsize_t)i + 1};
    hid_t list = H5Pcopy(shared_list), type = H5Tcopy(shared_type), space = H5Screate_simple(1, dims, NULL);
    failures[me] += H5Iinc_ref(shared_file) < 2;
    failures[me] += H5Pset_deflate(list, (unsigned)(i % 10)) < 0 || H5Pget_nfilters(shared_list) != 0;
    failures[me] += H5Tset_size(type, 8) < 0 || H5Tget_size(shared_type) != 4;
    failures[me] += H5Sget_simple_extent_npoints(space) != i + 1;
    failures[me] += H5Idec_ref(shared_file) < 1;
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(list);
  }
  return NULL;
}

static herr_t count_property(hid_t id, const char* name, void* data) {
  (void)id, (void)name;
  ++*(int*)data;
  return 0;
}

/* One property list that all threads change, read, copy, encode and compare. */
static void* common_lists(void* argument) {
  const int me = *(int*)argument;
  char bytes[4096];
  int i;
  for (i = 0; i < 20 * rounds; ++i) {
    hsize_t threshold = 0, alignment = 0;
    size_t size = sizeof bytes;
    int properties = 0;
    hid_t copy, back;
    failures[me] += H5Pset_alignment(common_fapl, (hsize_t)me + 1, (hsize_t)me + 1) < 0;
    failures[me] += H5Pget_alignment(common_fapl, &threshold, &alignment) < 0 || threshold != alignment;
    failures[me] += H5Pset_sieve_buf_size(common_fapl, (size_t)i + 1) < 0;
    copy = H5Pcopy(common_fapl);
    failures[me] += H5Piterate(copy, NULL, count_property, &properties) < 0 || properties < 30;
    failures[me] += H5Pencode1(copy, bytes, &size) < 0;
    back = H5Pdecode(bytes);
    failures[me] += H5Pequal(copy, back) != 1;
    H5Pclose(back);
    H5Pclose(copy);
  }
  return NULL;
}

static herr_t one_more(const char* name, size_t size, void* value) {
  (void)name, (void)size;
  ++*(int*)value;
  return 0;
}

/* Property list classes with user-defined properties, and files in memory. */
static void* own_classes(void* argument) {
  const int me = *(int*)argument;
  char name[40];
  int i;
  sprintf(name, "class%d", me);
  for (i = 0; i < 4 * rounds; ++i) {
    int value = i, found = 0;
    hid_t made = H5Pcreate_class(H5P_ROOT, name, NULL, NULL, NULL, NULL, NULL, NULL), list, copy, fapl, file;
    failures[me] +=
        H5Pregister2(made, "number", sizeof value, &value, NULL, NULL, NULL, NULL, one_more, NULL, NULL) < 0;
    list = H5Pcreate(made);
    copy = H5Pcopy(list);
    failures[me] += H5Pget(copy, "number", &found) < 0 || found != i + 1;
    H5Pclose(copy);
    H5Pclose(list);
    H5Pclose_class(made);
    fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(fapl, 4096, 0);
    file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    failures[me] += file < 0;
    H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    failures[me] += H5Lexists(file, "group", H5P_DEFAULT) != 1;
    failures[me] += H5Fclose(file) < 0;
    H5Pclose(fapl);
  }
  return NULL;
}

/* Types of each thread, committed to one file, and conversions. */
static void* own_types(void* argument) {
  const int me = *(int*)argument;
  int i;
  for (i = 0; i < 4 * rounds; ++i) {
    char name[40];
    int values[4] = {1, 2, 3, i};
    hid_t type = H5Tcreate(H5T_COMPOUND, 16), found;
    H5Tinsert(type, "a", 0, H5T_NATIVE_INT);
    H5Tinsert(type, "b", 8, H5T_NATIVE_DOUBLE);
    sprintf(name, "type_%d_%d", me, i);
    failures[me] += H5Tcommit2(shared_file, name, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0;
    found = H5Topen2(shared_file, name, H5P_DEFAULT);
    failures[me] += H5Tequal(type, found) != 1;
    H5Tclose(found);
    H5Tclose(type);
    failures[me] += H5Tconvert(H5T_NATIVE_INT, H5T_STD_I32BE, 4, values, NULL, H5P_DEFAULT) < 0;
    failures[me] +=
        H5Tconvert(H5T_STD_I32BE, H5T_NATIVE_INT, 4, values, NULL, H5P_DEFAULT) < 0 || values[3] != i;
  }
  return NULL;
}

/* One file that all threads open and close. */
static void* same_file(void* argument) {
  const int me = *(int*)argument;
  int i;
  for (i = 0; i < 4 * rounds; ++i) {
    int values[4] = {0, 0, 0, 0};
    hid_t file = H5Fopen("common.h5", H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "set", H5P_DEFAULT);
    failures[me] += H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0 || values[3] != 4;
    failures[me] += H5Dclose(set) < 0;
    failures[me] += H5Fclose(file) < 0;
  }
  return NULL;
}

static void make_common(void) {
  const hsize_t four[1] = {4};
  const int values[4] = {1, 2, 3, 4};
  hid_t file = H5Fcreate("common.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, four, NULL);
  hid_t set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

/* One thread closes what others use: each call succeeds or fails. */
static _Atomic hid_t fleeting;

static void* use_fleeting(void* argument) {
  const int me = *(int*)argument;
  int i;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (i = 0; i < 4 * rounds; ++i) {
    if (me == 0) {
      hid_t set = H5Dopen2(shared_file, "shared", H5P_DEFAULT), before = fleeting;
      fleeting = set;
      H5Dclose(before);
    } else {
      int value = -1;
      const hsize_t one[1] = {1}, start[1] = {0};
      hid_t space = H5Dget_space(fleeting), memory = H5Screate_simple(1, one, NULL);
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
      H5Dread(fleeting, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &value);
      H5Sclose(memory);
      H5Sclose(space);
    }
  }
  return NULL;
}

static void run(const char* what, void* (*work)(void*)) {
  pthread_t started[threads];
  int numbers[threads], i, failed = 0;
  memset(failures, 0, sizeof failures);
  for (i = 0; i < threads; ++i) {
    numbers[i] = i;
    pthread_create(&started[i], NULL, work, &numbers[i]);
  }
  for (i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  for (i = 0; i < threads; ++i) failed += failures[i];
  printf("%s: %d failures\n", what, failed);
}

int main(void) {
  quiet();
  shared_file = H5Fcreate("shared.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  shared_set = make_set(shared_file, "shared", (hsize_t)threads * length);
  shared_type = H5Tcopy(H5T_NATIVE_INT);
  shared_list = H5Pcreate(H5P_DATASET_CREATE);
  fleeting = H5Dopen2(shared_file, "shared", H5P_DEFAULT);
  run("files", own_file);
  run("groups", own_group);
  run("errors", own_errors);
  run("ids", common_ids);
  run("closing", use_fleeting);
  common_fapl = H5Pcreate(H5P_FILE_ACCESS);
  run("lists", common_lists);
  H5Pclose(common_fapl);
  run("classes", own_classes);
  run("types", own_types);
  make_common();
  run("one file", same_file);
  CALL(H5Dclose(fleeting));
  CALL(H5Pclose(shared_list));
  CALL(H5Tclose(shared_type));
  CALL(H5Dclose(shared_set));
  CALL(H5Fget_obj_count(shared_file, H5F_OBJ_ALL));
  CALL(H5Fclose(shared_file));
  return 0;
}
