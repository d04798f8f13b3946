/* SPDX-License-Identifier: Apache-2.0
 *
 * A user-defined driver that passes everything on to another driver: driver information block, space, locks,
 * ctl operations down to the terminal driver, threads, and the class of releases before 1.14. */
#include <pthread.h>
#include <stdlib.h>
#include "../show.h"

typedef struct {
  H5FD_t base;
  H5FD_t* below;
  int number; /* the expected contents of the driver information block */
} pass_file_t;

static int open_files, allocations, frees, calls, inside, clashes;
static int wanted_number = 7, alloc_elsewhere, no_locks;

static H5FD_t* below(const H5FD_t* f) { return ((const pass_file_t*)f)->below; }

static H5FD_t* pass_open(const char* name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
  const hid_t plain = H5Pcreate(H5P_FILE_ACCESS);
  H5FD_t* const next = H5FDopen(name, flags, plain, maxaddr);
  pass_file_t* file;
  (void)fapl;
  H5Pclose(plain);
  if (next == NULL) return NULL;
  file = (pass_file_t*)calloc(1, sizeof *file);
  file->below = next;
  file->number = wanted_number;
  ++open_files;
  return &file->base;
}

static herr_t pass_close(H5FD_t* f) {
  const herr_t result = H5FDclose(below(f));
  free(f);
  --open_files;
  return result;
}

static int pass_cmp(const H5FD_t* a, const H5FD_t* b) { return H5FDcmp(below(a), below(b)); }
static herr_t pass_query(const H5FD_t* f, unsigned long* flags) {
  if (f != NULL) return H5FDquery(below(f), flags);
  *flags = 0;
  return 0;
}
static haddr_t pass_get_eoa(const H5FD_t* f, H5FD_mem_t type) { return H5FDget_eoa(below(f), type); }
static herr_t pass_set_eoa(H5FD_t* f, H5FD_mem_t type, haddr_t end) {
  return H5FDset_eoa(below(f), type, end);
}
static haddr_t pass_get_eof(const H5FD_t* f, H5FD_mem_t type) { return H5FDget_eof(below(f), type); }
static herr_t pass_get_handle(H5FD_t* f, hid_t fapl, void** handle) {
  return H5FDget_vfd_handle(below(f), fapl, handle);
}

static herr_t pass_read(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size, void* into) {
  herr_t result;
  ++calls;
  clashes += ++inside != 1;
  result = H5FDread(below(f), type, dxpl, at, size, into);
  --inside;
  return result;
}

static herr_t pass_write(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size, const void* from) {
  ++calls;
  return H5FDwrite(below(f), type, dxpl, at, size, from);
}

static haddr_t pass_alloc(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, hsize_t size) {
  const haddr_t at = H5FDalloc(below(f), type, dxpl, size);
  ++allocations;
  return alloc_elsewhere ? at + 8 : at;
}

static herr_t pass_free(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, hsize_t size) {
  ++frees;
  return H5FDfree(below(f), type, dxpl, at, size);
}

static herr_t pass_flush(H5FD_t* f, hid_t dxpl, hbool_t closing) {
  return H5FDflush(below(f), dxpl, closing);
}
static herr_t pass_truncate(H5FD_t* f, hid_t dxpl, hbool_t closing) {
  return H5FDtruncate(below(f), dxpl, closing);
}
static herr_t pass_lock(H5FD_t* f, hbool_t rw) { return no_locks ? -1 : H5FDlock(below(f), rw); }
static herr_t pass_unlock(H5FD_t* f) { return H5FDunlock(below(f)); }

static herr_t pass_ctl(H5FD_t* f, uint64_t op, uint64_t flags, const void* input, void** output) {
  if (op == H5FD_CTL_OPC_EXPER_MIN) return 0;
  if ((flags & H5FD_CTL_ROUTE_TO_TERMINAL_VFD_FLAG) != 0) return H5FDctl(below(f), op, flags, input, output);
  return (flags & H5FD_CTL_FAIL_IF_UNKNOWN_FLAG) != 0 ? -1 : 0;
}

static hsize_t pass_sb_size(H5FD_t* f) {
  (void)f;
  return 1;
}
static herr_t pass_sb_encode(H5FD_t* f, char* name, unsigned char* p) {
  strcpy(name, "TESTpass");
  *p = (unsigned char)((pass_file_t*)f)->number;
  return 0;
}
static herr_t pass_sb_decode(H5FD_t* f, const char* name, const unsigned char* p) {
  return strcmp(name, "TESTpass") == 0 && *p == ((pass_file_t*)f)->number ? 0 : -1;
}

static H5FD_class_t pass_class(void) {
  H5FD_class_t made;
  memset(&made, 0, sizeof made);
  made.version = H5FD_CLASS_VERSION;
  made.value = 501;
  made.name = "pass";
  made.maxaddr = (haddr_t)1 << 40;
  made.fc_degree = H5F_CLOSE_STRONG;
  made.open = pass_open;
  made.close = pass_close;
  made.cmp = pass_cmp;
  made.query = pass_query;
  made.get_eoa = pass_get_eoa;
  made.set_eoa = pass_set_eoa;
  made.get_eof = pass_get_eof;
  made.get_handle = pass_get_handle;
  made.read = pass_read;
  made.write = pass_write;
  made.flush = pass_flush;
  made.truncate = pass_truncate;
  made.lock = pass_lock;
  made.unlock = pass_unlock;
  made.ctl = pass_ctl;
  return made;
}

static hid_t list_for(const H5FD_class_t* cls) {
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), driver = H5FDregister(cls);
  H5Pset_driver(fapl, driver, NULL);
  H5FDunregister(driver);
  return fapl;
}

static void fill(hid_t file) {
  const hsize_t size = 100000;
  static int values[100000];
  const hid_t space = H5Screate_simple(1, &size, NULL);
  const hid_t data = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int i;
  for (i = 0; i < 100000; ++i) values[i] = i;
  SHOW(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  H5Dclose(data);
  H5Sclose(space);
}

static void* reader(void* id) {
  int round, values[100], wrong = 0, i;
  const hsize_t hundred = 100;
  const hid_t memory = H5Screate_simple(1, &hundred, NULL), data = *(hid_t*)id, space = H5Dget_space(data);
  for (round = 0; round < 200; ++round) {
    const hsize_t start = (hsize_t)(round * 499 % 99900);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &hundred, NULL);
    if (H5Dread(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values) < 0) ++wrong;
    for (i = 0; i < 100; ++i) wrong += values[i] != (int)start + i;
  }
  H5Sclose(memory);
  H5Sclose(space);
  return wrong == 0 ? NULL : id;
}

static void plain_file(void) {
  const H5FD_class_t cls = pass_class();
  const hid_t fapl = list_for(&cls);
  hid_t file, data, copy;
  void* handle = NULL;
  pthread_t threads[4];
  int i, failed = 0;
  printf("-- over sec2\n");
  file = H5Fcreate("stacked.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  SHOW_ID(file);
  fill(file);
  SHOW(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle));
  SHOW(*(int*)handle > 2);
  copy = H5Fget_access_plist(file);
  SHOW(H5Pget_driver(copy) == H5Pget_driver(fapl));
  H5Pclose(copy);
  data = H5Dopen2(file, "data", H5P_DEFAULT);
  SHOW(H5Fclose(file)); /* the class asks for a strong close: it closes all objects */
  SHOW(H5Iis_valid(data));
  SHOW(open_files);
  file = H5Fopen("stacked.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  SHOW(H5Lexists(file, "data", H5P_DEFAULT));
  SHOW(H5Fclose(file));
  file = H5Fopen("stacked.h5", H5F_ACC_RDONLY, fapl);
  data = H5Dopen2(file, "data", H5P_DEFAULT);
  calls = 0;
  for (i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, reader, &data);
  for (i = 0; i < 4; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    failed += result != NULL;
  }
  SHOW(failed);
  SHOW(clashes);
  SHOW(calls > 0);
  SHOW(H5Fclose(file));
  no_locks = 1;
  SHOW_FAILURE(H5Fopen("stacked.h5", H5F_ACC_RDWR, fapl));
  no_locks = 0;
  SHOW(open_files);
  H5Pclose(fapl);
}

static void operations(void) {
  const uint64_t fail = H5FD_CTL_FAIL_IF_UNKNOWN_FLAG, route = H5FD_CTL_ROUTE_TO_TERMINAL_VFD_FLAG;
  const H5FD_class_t cls = pass_class();
  const hid_t fapl = list_for(&cls);
  H5FD_t* const f = H5FDopen("stacked.h5", H5F_ACC_RDONLY, fapl, HADDR_UNDEF);
  printf("-- operations\n");
  SHOW(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN, fail, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_COBEGIN_OPCODE, fail | route, NULL, NULL)); /* sec2 implements it */
  SHOW(H5FDctl(f, H5FD_CTL_COEND_OPCODE, fail | route, NULL, NULL));
  SHOW_FAILURE(H5FDctl(f, H5FD_CTL_COBEGIN_OPCODE, fail, NULL, NULL));
  SHOW_FAILURE(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 9, fail | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 9, route, NULL, NULL));
  SHOW(H5FDclose(f));
  H5Pclose(fapl);
}

static void records(int latest) {
  H5FD_class_t cls = pass_class();
  hid_t fapl, without, file;
  printf("-- what files say, %s\n", latest ? "new form" : "old form");
  without = list_for(&cls);
  cls.sb_size = pass_sb_size;
  cls.sb_encode = pass_sb_encode;
  cls.sb_decode = pass_sb_decode;
  fapl = list_for(&cls);
  if (latest) H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  file = H5Fcreate("says.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  fill(file);
  SHOW(H5Fclose(file));
  file = H5Fopen("says.h5", H5F_ACC_RDWR, fapl);
  SHOW_ID(file);
  SHOW(H5Fclose(file));
  wanted_number = 8;
  SHOW_FAILURE(H5Fopen("says.h5", H5F_ACC_RDONLY, fapl));
  wanted_number = 7;
  file = H5Fopen("says.h5", H5F_ACC_RDONLY, H5P_DEFAULT); /* the library's own drivers accept it */
  SHOW_ID(file);
  SHOW(H5Fclose(file));
  file = H5Fopen("says.h5", H5F_ACC_RDONLY, without); /* a class without the callback, as in HDF5 */
  SHOW_ID(file);
  SHOW(H5Fclose(file));
  SHOW(open_files);
  H5Pclose(fapl);
  H5Pclose(without);
}

static void space(void) {
  H5FD_class_t cls = pass_class();
  hid_t fapl, file;
  printf("-- space\n");
  cls.alloc = pass_alloc;
  cls.free = pass_free;
  cls.fc_degree = H5F_CLOSE_WEAK;
  fapl = list_for(&cls);
  file = H5Fcreate("space.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  fill(file);
  SHOW(H5Ldelete(file, "data", H5P_DEFAULT));
  SHOW(H5Fclose(file));
  SHOW(allocations > 0);
  SHOW(frees > 0);
  alloc_elsewhere = 1;
  SHOW_FAILURE(H5Fcreate("space.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl));
  alloc_elsewhere = 0;
  H5Pclose(fapl);
  cls = pass_class();
  cls.truncate = NULL;
  cls.flush = NULL;
  cls.lock = NULL;
  cls.unlock = NULL;
  cls.query = NULL;
  cls.cmp = NULL;
  cls.get_handle = NULL;
  cls.ctl = NULL;
  fapl = list_for(&cls);
  file = H5Fcreate("least.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  fill(file);
  SHOW(H5Fclose(file));
  file = H5Fopen("least.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  SHOW(H5Lexists(file, "data", H5P_DEFAULT));
  SHOW(H5Fclose(file));
  SHOW(open_files);
  H5Pclose(fapl);
}

/* As in the headers of HDF5 1.10. */
typedef struct {
  const char* name;
  haddr_t maxaddr;
  H5F_close_degree_t fc_degree;
  void* before[11]; /* to dxpl_free; two of them are sizes */
  H5FD_t* (*open)(const char*, unsigned, hid_t, haddr_t);
  herr_t (*close)(H5FD_t*);
  int (*cmp)(const H5FD_t*, const H5FD_t*);
  herr_t (*query)(const H5FD_t*, unsigned long*);
  void* type_map;
  void *alloc, *free;
  haddr_t (*get_eoa)(const H5FD_t*, H5FD_mem_t);
  herr_t (*set_eoa)(H5FD_t*, H5FD_mem_t, haddr_t);
  haddr_t (*get_eof)(const H5FD_t*, H5FD_mem_t);
  void* get_handle;
  herr_t (*read)(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, void*);
  herr_t (*write)(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*);
  herr_t (*flush)(H5FD_t*, hid_t, hbool_t);
  herr_t (*truncate)(H5FD_t*, hid_t, hbool_t);
  herr_t (*lock)(H5FD_t*, hbool_t);
  herr_t (*unlock)(H5FD_t*);
  H5FD_mem_t fl_map[H5FD_MEM_NTYPES];
} old_class_t;

static void old_program(void) {
  old_class_t old;
  hid_t fapl, file;
  printf("-- a class of 1.10\n");
  memset(&old, 0, sizeof old);
  old.name = "older";
  old.maxaddr = (haddr_t)1 << 40;
  old.open = pass_open;
  old.close = pass_close;
  old.cmp = pass_cmp;
  old.query = pass_query;
  old.get_eoa = pass_get_eoa;
  old.set_eoa = pass_set_eoa;
  old.get_eof = pass_get_eof;
  old.read = pass_read;
  old.write = pass_write;
  old.flush = pass_flush;
  old.truncate = pass_truncate;
  old.lock = pass_lock;
  old.unlock = pass_unlock;
  fapl = list_for((const H5FD_class_t*)(const void*)&old);
  SHOW(H5FDis_driver_registered_by_name("older"));
  file = H5Fcreate("older.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  fill(file);
  SHOW(H5Fclose(file));
  SHOW(open_files);
  H5Pclose(fapl);
}

int main(void) {
  plain_file();
  operations();
  records(0);
  records(1);
  space();
  old_program();
  return 0;
}
