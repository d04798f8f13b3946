/* SPDX-License-Identifier: Apache-2.0 */
/* A user-defined driver with the class of HDF5 1.14. Its files are buffers in memory that outlive closing. It
 * counts its calls, and can be made to fail. */
#ifndef MEMORY_DRIVER_H
#define MEMORY_DRIVER_H

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_FILES 8

typedef struct {
  char name[64];
  unsigned char* bytes;
  size_t size;
} memory_store_t;

typedef struct {
  H5FD_t base; /* the first member of every driver's file */
  memory_store_t* store;
  haddr_t eoa;
  int info;
} memory_file_t;

/* The info that property lists hold for the driver. */
typedef struct {
  int number;
} memory_info_t;

static memory_store_t memory_stores[MEMORY_FILES];
static int memory_open, memory_infos; /* open files, and copies of infos that are alive */
static int memory_reads, memory_vectors, memory_selections; /* calls by their form; writes count too */
static int memory_calls, memory_fail_at;                    /* the call that fails; 0: none */
static int memory_inside, memory_clashes;                   /* two calls at once */
static int memory_locks, memory_flushes, memory_terminated;
static int memory_pieces;                               /* of all requests of selections */
static void (*memory_watch)(hid_t memory, hid_t space); /* sees their dataspaces, if it is set */

static int memory_begin(void) {
  if (++memory_inside != 1) ++memory_clashes;
  return ++memory_calls == memory_fail_at ? -1 : 0;
}

static herr_t memory_end(herr_t result) {
  --memory_inside;
  if (result < 0)
    H5Epush2(H5E_DEFAULT, "memory_driver.h", "memory", 1, H5E_ERR_CLS, H5E_VFL, H5E_CANTINIT, "asked to fail");
  return result;
}

static memory_store_t* memory_find(const char* name) {
  int i;
  for (i = 0; i < MEMORY_FILES; ++i)
    if (strcmp(memory_stores[i].name, name) == 0) return &memory_stores[i];
  return NULL;
}

static H5FD_t* memory_opens(const char* name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
  memory_store_t* store = memory_find(name);
  const memory_info_t* info = NULL;
  memory_file_t* file;
  (void)maxaddr;
  if (memory_end(memory_begin()) < 0) return NULL;
  if (store != NULL && (flags & 0x04) != 0) return NULL; /* exclusive */
  if (store == NULL) {
    if ((flags & 0x10) == 0 || (store = memory_find("")) == NULL) return NULL;
    strncpy(store->name, name, sizeof store->name - 1);
  }
  if ((flags & 0x02) != 0) store->size = 0;
  file = (memory_file_t*)calloc(1, sizeof *file);
  file->store = store;
  H5E_BEGIN_TRY { info = (const memory_info_t*)H5Pget_driver_info(fapl); }
  H5E_END_TRY
  file->info = info == NULL ? -1 : info->number;
  ++memory_open;
  return &file->base;
}

static herr_t memory_closes(H5FD_t* file) {
  const int result = memory_end(memory_begin());
  --memory_open;
  free(file);
  return result;
}

static int memory_cmp(const H5FD_t* a, const H5FD_t* b) {
  const memory_store_t *first = ((const memory_file_t*)a)->store, *second = ((const memory_file_t*)b)->store;
  return first == second ? 0 : (first < second ? -1 : 1);
}

static herr_t memory_query(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t memory_get_eoa(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const memory_file_t*)file)->eoa;
}

static herr_t memory_set_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((memory_file_t*)file)->eoa = end;
  return memory_end(memory_begin());
}

static haddr_t memory_get_eof(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const memory_file_t*)file)->store->size;
}

static herr_t memory_get_handle(H5FD_t* file, hid_t fapl, void** handle) {
  (void)fapl;
  *handle = ((memory_file_t*)file)->store;
  return 0;
}

static int memory_move(memory_file_t* file, haddr_t at, size_t size, void* into, const void* from) {
  memory_store_t* store = file->store;
  if (at + size > file->eoa) return -1; /* as in HDF5's drivers */
  if (from != NULL) {
    if (at + size > store->size) {
      store->bytes = (unsigned char*)realloc(store->bytes, at + size);
      memset(store->bytes + store->size, 0, at + size - store->size);
      store->size = at + size;
    }
    memcpy(store->bytes + at, from, size);
  } else {
    const size_t there = at >= store->size ? 0 : (size < store->size - at ? size : store->size - at);
    if (there > 0) memcpy(into, store->bytes + at, there);
    memset((char*)into + there, 0, size - there);
  }
  return 0;
}

static herr_t memory_read(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size, void* into) {
  (void)type, (void)dxpl;
  ++memory_reads;
  return memory_end(memory_begin() < 0 ? -1 : memory_move((memory_file_t*)f, at, size, into, NULL));
}

static herr_t memory_write(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size,
                           const void* from) {
  (void)type, (void)dxpl;
  ++memory_reads;
  return memory_end(memory_begin() < 0 ? -1 : memory_move((memory_file_t*)f, at, size, NULL, from));
}

/* An invalid entry at index 1 is a shorthand: all entries equal the first one. */
static herr_t memory_vector(H5FD_t* f, uint32_t count, haddr_t addrs[], size_t sizes[], void* into[],
                            const void* from[]) {
  const int repeats = count > 1 && sizes[1] == 0;
  uint32_t i;
  int result;
  ++memory_vectors;
  result = memory_begin();
  for (i = 0; i < count && result >= 0; ++i) {
    result = memory_move((memory_file_t*)f, addrs[i], sizes[repeats ? 0 : i], into == NULL ? NULL : into[i],
                         from == NULL ? NULL : from[i]);
  }
  return memory_end(result);
}

static herr_t memory_read_vector(H5FD_t* f, hid_t dxpl, uint32_t count, H5FD_mem_t types[], haddr_t addrs[],
                                 size_t sizes[], void* bufs[]) {
  (void)dxpl, (void)types;
  return memory_vector(f, count, addrs, sizes, bufs, NULL);
}

static herr_t memory_write_vector(H5FD_t* f, hid_t dxpl, uint32_t count, H5FD_mem_t types[], haddr_t addrs[],
                                  size_t sizes[], const void* bufs[]) {
  (void)dxpl, (void)types;
  return memory_vector(f, count, addrs, sizes, NULL, bufs);
}

/* Iterates over both selections element by element: slow, but simple. */
static int memory_walk(memory_file_t* f, hid_t memory, hid_t space, haddr_t offset, size_t element,
                       char* into, const char* from) {
  const hid_t in_file = H5Ssel_iter_create(space, element, 0),
              in_memory = H5Ssel_iter_create(memory, element, 0);
  int result = 0;
  for (;;) {
    size_t n_file = 0, n_memory = 0, bytes_file = 0, bytes_memory = 0, size_file, size_memory;
    hsize_t at_file, at_memory;
    H5Ssel_iter_get_seq_list(in_file, 1, 1, &n_file, &bytes_file, &at_file, &size_file);
    H5Ssel_iter_get_seq_list(in_memory, 1, 1, &n_memory, &bytes_memory, &at_memory, &size_memory);
    if (n_file == 0 || n_memory == 0 || result < 0) break;
    result = memory_move(f, offset + at_file, element, into == NULL ? NULL : into + at_memory,
                         from == NULL ? NULL : from + at_memory);
  }
  H5Ssel_iter_close(in_file);
  H5Ssel_iter_close(in_memory);
  return result;
}

static herr_t memory_selection(H5FD_t* f, size_t count, hid_t memory[], hid_t spaces[], haddr_t offsets[],
                               size_t elements[], void* into[], const void* from[]) {
  const int repeats = count > 1 && elements[1] == 0;
  const int same = count > 1 && (into == NULL ? from[1] == NULL : into[1] == NULL);
  size_t i;
  int result;
  ++memory_selections;
  memory_pieces += (int)count;
  result = memory_begin();
  for (i = 0; i < count && result >= 0; ++i) {
    const size_t buffer = same ? 0 : i;
    if (memory_watch != NULL) memory_watch(memory[i], spaces[i]);
    result = memory_walk((memory_file_t*)f, memory[i], spaces[i], offsets[i], elements[repeats ? 0 : i],
                         into == NULL ? NULL : (char*)into[buffer],
                         from == NULL ? NULL : (const char*)from[buffer]);
  }
  return memory_end(result);
}

static herr_t memory_read_selection(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, size_t count, hid_t memory[],
                                    hid_t spaces[], haddr_t offsets[], size_t elements[], void* bufs[]) {
  (void)dxpl, (void)type;
  return memory_selection(f, count, memory, spaces, offsets, elements, bufs, NULL);
}

static herr_t memory_write_selection(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, size_t count, hid_t memory[],
                                     hid_t spaces[], haddr_t offsets[], size_t elements[],
                                     const void* bufs[]) {
  (void)dxpl, (void)type;
  return memory_selection(f, count, memory, spaces, offsets, elements, NULL, bufs);
}

static herr_t memory_flush(H5FD_t* f, hid_t dxpl, hbool_t closing) {
  (void)f, (void)dxpl, (void)closing;
  ++memory_flushes;
  return memory_end(memory_begin());
}

static herr_t memory_truncate(H5FD_t* f, hid_t dxpl, hbool_t closing) {
  memory_file_t* file = (memory_file_t*)f;
  const int result = memory_begin();
  (void)dxpl, (void)closing;
  if (result >= 0 && file->eoa != file->store->size) {
    file->store->bytes = (unsigned char*)realloc(file->store->bytes, file->eoa + 1);
    if (file->eoa > file->store->size)
      memset(file->store->bytes + file->store->size, 0, file->eoa - file->store->size);
    file->store->size = file->eoa;
  }
  return memory_end(result);
}

static herr_t memory_lock(H5FD_t* f, hbool_t rw) {
  (void)f, (void)rw;
  ++memory_locks;
  return memory_end(memory_begin());
}

static herr_t memory_unlock(H5FD_t* f) {
  (void)f;
  --memory_locks;
  return 0;
}

static herr_t memory_del(const char* name, hid_t fapl) {
  memory_store_t* store = memory_find(name);
  (void)fapl;
  if (store == NULL || *name == '\0') return -1;
  store->name[0] = '\0';
  store->size = 0;
  return 0;
}

static herr_t memory_ctl(H5FD_t* f, uint64_t op, uint64_t flags, const void* input, void** output) {
  (void)f;
  if (op == H5FD_CTL_OPC_EXPER_MIN + 5) {
    **(int**)output = *(const int*)input * 2;
    return 0;
  }
  return (flags & H5FD_CTL_FAIL_IF_UNKNOWN_FLAG) != 0 ? -1 : 0;
}

static herr_t memory_terminate(void) {
  ++memory_terminated;
  return 0;
}

static void* memory_info_copy(const void* info) {
  memory_info_t* made = (memory_info_t*)malloc(sizeof *made);
  *made = *(const memory_info_t*)info;
  ++memory_infos;
  return made;
}

static herr_t memory_info_free(void* info) {
  free(info);
  --memory_infos;
  return 0;
}

static H5FD_class_t memory_class(int with_vectors, int with_selections) {
  const H5FD_mem_t map[] = H5FD_FLMAP_SINGLE;
  H5FD_class_t made;
  memset(&made, 0, sizeof made);
  made.version = H5FD_CLASS_VERSION;
  made.value = 500;
  made.name = "memory";
  made.maxaddr = (haddr_t)1 << 40;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.terminate = memory_terminate;
  made.fapl_size = sizeof(memory_info_t);
  made.fapl_copy = memory_info_copy;
  made.fapl_free = memory_info_free;
  made.open = memory_opens;
  made.close = memory_closes;
  made.cmp = memory_cmp;
  made.query = memory_query;
  made.get_eoa = memory_get_eoa;
  made.set_eoa = memory_set_eoa;
  made.get_eof = memory_get_eof;
  made.get_handle = memory_get_handle;
  made.read = memory_read;
  made.write = memory_write;
  if (with_vectors) {
    made.read_vector = memory_read_vector;
    made.write_vector = memory_write_vector;
  }
  if (with_selections) {
    made.read_selection = memory_read_selection;
    made.write_selection = memory_write_selection;
  }
  made.flush = memory_flush;
  made.truncate = memory_truncate;
  made.lock = memory_lock;
  made.unlock = memory_unlock;
  made.del = memory_del;
  made.ctl = memory_ctl;
  memcpy(made.fl_map, map, sizeof map);
  return made;
}

#endif
