/* SPDX-License-Identifier: Apache-2.0 */
/* Operations are asynchronous and in order: a filter blocks until this thread lets it go. Failures,
 * cancelling and callbacks. */
#include <hdf5.h>

#include <H5ESdevelop.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILTER 300
#define CHECK(condition) \
  if (!(condition)) printf("line %d: not %s\n", __LINE__, #condition)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int closed, inside;

/* Returns the bytes unchanged, after waiting at the gate. */
static size_t gate(unsigned flags, size_t n, const unsigned values[], size_t bytes, size_t* size,
                   void** buffer) {
  pthread_mutex_lock(&mutex);
  ++inside;
  pthread_cond_broadcast(&changed);
  while (closed) pthread_cond_wait(&changed, &mutex);
  --inside;
  pthread_mutex_unlock(&mutex);
  return bytes;
}

static void set_gate(int how) {
  pthread_mutex_lock(&mutex);
  closed = how;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void wait_until_inside(void) {
  pthread_mutex_lock(&mutex);
  while (inside == 0) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

static int data[16], zeros[16];

static void write_file(const char* name) {
  hsize_t dims[1] = {16};
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(dcpl, 1, dims);
  H5Pset_filter(dcpl, FILTER, 0, 0, NULL);
  hid_t dataset = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  H5Dclose(dataset);
  H5Pclose(dcpl);
  H5Sclose(space);
  H5Fclose(file);
}

static size_t wait_for(hid_t es, uint64_t nanoseconds, int expect_failure) {
  size_t in_progress = 99;
  hbool_t failed = 1;
  CHECK(H5ESwait(es, nanoseconds, &in_progress, &failed) == 0);
  CHECK((int)failed == expect_failure);
  return in_progress;
}

static size_t count_of(hid_t es) {
  size_t count = 99;
  H5ESget_count(es, &count);
  return count;
}

static hid_t read_later(hid_t file, int* back, hid_t es) {
  hid_t dataset = H5Dopen_async(file, "d", H5P_DEFAULT, es);
  CHECK(H5Dread_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back, es) == 0);
  return dataset;
}

static void really_asynchronous(void) {
  puts("-- asynchronous");
  int back[16] = {0}, other[16] = {0};
  hid_t es = H5EScreate(), es2 = H5EScreate();
  set_gate(1);
  hid_t file = H5Fopen_async("a.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  hid_t dataset = read_later(file, back, es);
  hid_t group = H5Gcreate_async(file, "after", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  wait_until_inside();
  CHECK(memcmp(back, zeros, sizeof back) == 0); /* the call has returned, and the elements are not there */
  CHECK(wait_for(es, 0, 0) == 2);               /* the first two have ended */
  CHECK(wait_for(es, 20000000, 0) == 2);
  CHECK(count_of(es) == 2);
  CHECK(H5ESclose(es) < 0);
  /* Another file is not held up. */
  hid_t file2 = H5Fopen_async("plain.h5", H5F_ACC_RDWR, H5P_DEFAULT, es2);
  hid_t group2 = H5Gcreate_async(file2, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es2);
  CHECK(wait_for(es2, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(H5Lexists(file2, "g", H5P_DEFAULT) == 1);
  CHECK(H5Gclose(group2) == 0 && H5Fclose(file2) == 0);
  CHECK(wait_for(es, 0, 0) == 2);
  set_gate(0);
  /* A synchronous call waits for what was queued before it. */
  CHECK(H5Lexists(file, "after", H5P_DEFAULT) == 1);
  CHECK(memcmp(back, data, sizeof back) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(H5Dclose(dataset) == 0 && H5Gclose(group) == 0);
  CHECK(H5Fget_obj_count(file, H5F_OBJ_ALL) == 1);
  /* H5Fclose waits as well. */
  set_gate(1);
  CHECK(H5Fclose(file) == 0);
  file = H5Fopen("a.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  dataset = read_later(file, other, es);
  CHECK(H5Dclose_async(dataset, es) == 0);
  wait_until_inside();
  set_gate(0);
  CHECK(H5Fclose(file) == 0);
  CHECK(memcmp(other, data, sizeof other) == 0);
  CHECK(wait_for(es, 0, 0) == 0);
  uint64_t inserted = 0;
  H5ESget_op_counter(es, &inserted);
  CHECK(inserted == 7);
  CHECK(H5ESclose(es) == 0 && H5ESclose(es2) == 0);
}

static void cancelling(void) {
  puts("-- cancelling");
  int back[16] = {0}, other[16] = {7};
  hid_t es = H5EScreate();
  hid_t file = H5Fopen("a.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  set_gate(1);
  hid_t dataset = read_later(file, back, es);
  wait_until_inside();
  CHECK(wait_for(es, 0, 0) == 1);
  hid_t group = H5Gcreate_async(file, "cancelled", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  CHECK(H5Dclose_async(dataset, es) == 0);
  size_t left = 99;
  hbool_t failed = 1;
  CHECK(H5EScancel(es, &left, &failed) == 0);
  CHECK(left == 1 && !failed && count_of(es) == 1);
  set_gate(0);
  CHECK(H5Iis_valid(group) == 0);   /* there is no such group */
  CHECK(H5Iis_valid(dataset) == 1); /* it was not closed */
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(memcmp(back, data, sizeof back) == 0);
  CHECK(H5Lexists(file, "cancelled", H5P_DEFAULT) == 0);
  CHECK(H5EScancel(es, &left, &failed) == 0);
  CHECK(left == 0 && !failed);
  CHECK(H5Dclose(dataset) == 0);
  CHECK(H5Fclose(file) == 0);
  CHECK(H5ESclose(es) == 0);
}

static void failures(void) {
  puts("-- failures");
  int back[16] = {0};
  hid_t es = H5EScreate();
  hid_t file = H5Fopen("a.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t first = H5Gcreate_async(file, "first", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  hid_t missing = H5Dopen_async(file, "missing", H5P_DEFAULT, es);
  unsigned line = __LINE__ - 1;
  CHECK(missing >= 0);
  CHECK(H5Dread_async(missing, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back, es) == 0);
  CHECK(H5Dclose_async(missing, es) == 0);
  hid_t last = H5Gcreate_async(file, "last", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  CHECK(H5Lexists(file, "last", H5P_DEFAULT) == 1); /* others go on */
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);   /* stops at the first failure */
  CHECK(count_of(es) == 3);
  CHECK(H5Gopen_async(file, "first", H5P_DEFAULT, es) < 0); /* no new operations in this set */
  CHECK(H5Gclose_async(first, es) < 0);
  CHECK(H5Iis_valid(first) == 1);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(count_of(es) == 0);
  size_t errors = 99, cleared = 99;
  hbool_t status = 0;
  H5ESget_err_count(es, &errors);
  H5ESget_err_status(es, &status);
  CHECK(errors == 3 && status);
  H5ES_err_info_t info[4];
  CHECK(H5ESget_err_info(es, 4, info, &cleared) == 0);
  CHECK(cleared == 3);
  for (size_t i = 0; i < cleared && i < 3; ++i) {
    printf("%s in %s, number %d, records %d, has times %d\n", info[i].api_name, info[i].app_func_name,
           (int)info[i].op_ins_count, (int)H5Eget_num(info[i].err_stack_id) > 0,
           info[i].op_exec_ts >= info[i].op_ins_ts);
    CHECK(strstr(info[i].app_file_name, "async_order.c") != NULL);
  }
  CHECK(info[0].app_line_num == line);
  CHECK(strncmp(info[0].api_args, "loc_id=0x", 9) == 0 &&
        strstr(info[0].api_args, ", name=\"missing\", dapl_id=0, es_id=0x"));
  CHECK(H5ESfree_err_info(3, info) == 0);
  H5ESget_err_count(es, &errors);
  CHECK(errors == 0);
  CHECK(H5Iis_valid(missing) == 0);
  CHECK(H5Dclose(missing) < 0);
  CHECK(H5Gclose(first) == 0 && H5Gclose(last) == 0);
  CHECK(H5ESclose(es) == 0);

  /* A file that cannot be opened, and a set that is closed with its failures. */
  es = H5EScreate();
  hid_t none = H5Fopen_async("missing.h5", H5F_ACC_RDONLY, H5P_DEFAULT, es);
  hid_t in_none = H5Dopen_async(none, "d", H5P_DEFAULT, es);
  CHECK(H5Dget_type(in_none) < 0); /* a synchronous use waits, and finds nothing */
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);
  CHECK(H5ESclose(es) == 0);

  /* Closing fails while objects are open, and the id stays. */
  es = H5EScreate();
  CHECK(H5Fclose(file) == 0);
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(fapl, H5F_CLOSE_SEMI);
  file = H5Fopen_async("a.h5", H5F_ACC_RDWR, fapl, es);
  hid_t dataset = H5Dopen_async(file, "d", H5P_DEFAULT, es);
  CHECK(H5Fclose_async(file, es) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);
  CHECK(H5Iis_valid(file) == 1);
  CHECK(H5Dclose(dataset) == 0 && H5Fclose(file) == 0);
  H5Pclose(fapl);
  CHECK(H5ESclose(es) == 0);
}

static int on_insert(const H5ES_op_info_t* info, void* context) {
  printf("inserted %s as %d\n", info->api_name, (int)info->op_ins_count);
  return *(int*)context;
}

static int on_complete(const H5ES_op_info_t* info, H5ES_status_t status, hid_t stack, void* context) {
  printf("completed %s as %d, status %d, errors %d\n", info->api_name, (int)info->op_ins_count, (int)status,
         stack >= 0 && H5Eget_num(stack) > 0);
  return *(int*)context;
}

static void callbacks(void) {
  puts("-- callbacks");
  int answer = 0, fine = 0;
  hid_t es = H5EScreate();
  H5ESregister_insert_func(es, on_insert, &answer);
  H5ESregister_complete_func(es, on_complete, &fine);
  hid_t file = H5Fopen_async("a.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  hid_t object = H5Oopen_async(file, "first", H5P_DEFAULT, es);
  CHECK(H5Iget_type(object) == H5I_GROUP);
  CHECK(H5Oclose_async(object, es) == 0);
  answer = -1;
  CHECK(H5Gcreate_async(file, "refused", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es) < 0);
  CHECK(H5Fclose_async(file, es) < 0);
  CHECK(H5Iis_valid(file) == 1);
  CHECK(H5Lexists(file, "refused", H5P_DEFAULT) == 0);
  CHECK(count_of(es) == 3);
  answer = 0;
  H5Dopen_async(file, "missing", H5P_DEFAULT, es);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 1) == 0);
  CHECK(H5Fclose(file) == 0);
  CHECK(H5ESclose(es) == 0);

  es = H5EScreate();
  H5ESregister_complete_func(es, on_complete, &fine);
  file = H5Fopen_async("a.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  set_gate(1);
  int back[16];
  hid_t dataset = read_later(file, back, es);
  wait_until_inside();
  H5Dclose_async(dataset, es);
  size_t left = 99;
  hbool_t failed = 1;
  H5EScancel(es, &left, &failed);
  CHECK(left == 3); /* two are done, and one is running */
  set_gate(0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(H5Dclose(dataset) == 0 && H5Fclose(file) == 0);
  CHECK(H5ESclose(es) == 0);
}

static void requests(void) {
  puts("-- requests");
  hid_t es = H5EScreate(), es2 = H5EScreate();
  set_gate(1);
  int back[16] = {0};
  hid_t file = H5Fopen_async("a.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  hid_t dataset = read_later(file, back, es);
  void *up[3] = {0}, *down[3] = {0};
  size_t count = 0;
  CHECK(H5ESget_requests(es, H5_ITER_INC, NULL, up, 3, &count) == 0 && count == 3);
  CHECK(H5ESget_requests(es, H5_ITER_DEC, NULL, down, 2, &count) == 0 && count == 3);
  CHECK(up[2] == down[0] && up[1] == down[1]);
  CHECK(H5ESinsert_request(es2, H5I_INVALID_HID, up[2]) == 0);
  wait_until_inside();
  CHECK(wait_for(es2, 0, 0) == 1);
  set_gate(0);
  CHECK(wait_for(es2, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(memcmp(back, data, sizeof back) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(H5Dclose(dataset) == 0 && H5Fclose(file) == 0);
  CHECK(H5ESclose(es) == 0 && H5ESclose(es2) == 0);
}

static herr_t from_callback(hid_t group, const char* name, const H5L_info2_t* info, void* data) {
  /* Functions called inside of an operation do not wait for it. */
  hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  CHECK(object >= 0);
  CHECK(H5Oclose(object) == 0);
  ++*(int*)data;
  return 0;
}

static void inside_of_operations(void) {
  puts("-- inside of operations");
  hid_t es = H5EScreate();
  int visited = 0;
  hsize_t at = 0;
  hid_t file = H5Fopen_async("a.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  CHECK(H5Literate_async(file, H5_INDEX_NAME, H5_ITER_INC, &at, from_callback, &visited, es) == 0);
  CHECK(wait_for(es, H5ES_WAIT_FOREVER, 0) == 0);
  CHECK(visited == 4);
  hid_t id = H5Iget_file_id(file);
  CHECK(id == file); /* the id of the file is the one that the call returned */
  CHECK(H5Fclose(id) == 0 && H5Fclose(file) == 0);
  CHECK(H5ESclose(es) == 0);
}

int main(int argc, char** argv) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const H5Z_class2_t class = {H5Z_CLASS_T_VERS, FILTER, 1, 1, "gate", NULL, NULL, gate};
  H5Zregister(&class);
  for (int i = 0; i < 16; ++i) data[i] = i * i + 1;
  if (argc > 1) { /* exit without waiting */
    static int back[16];
    hid_t es = H5EScreate();
    hid_t file = H5Fcreate_async("exit.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT, es);
    for (int i = 0; i < 200; ++i) {
      char name[16];
      sprintf(name, "g%d", i);
      H5Gclose_async(H5Gcreate_async(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es), es);
    }
    if (argc > 2) H5close();
    return 0;
  }
  write_file("a.h5");
  H5Fclose(H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  really_asynchronous();
  cancelling();
  failures();
  callbacks();
  requests();
  inside_of_operations();
  for (int how = 0; how < 2; ++how) {
    char command[1000];
    snprintf(command, sizeof command, "%s exit %s", argv[0], how ? "close" : "");
    CHECK(system(command) == 0);
    hid_t file = H5Fopen("exit.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    H5G_info_t info = {0};
    H5Gget_info(file, &info);
    CHECK(info.nlinks == 200);
    H5Fclose(file);
    remove("exit.h5");
  }
  puts("done");
  return 0;
}
