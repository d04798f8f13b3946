/* SPDX-License-Identifier: Apache-2.0 */
/* A user-defined driver that compiles with the class of every release. It keeps one file in memory, and
 * prints a line for each of the selected calls. */
#ifndef LOGGING_DRIVER_H
#define LOGGING_DRIVER_H

#include "show.h"

typedef struct {
  H5FD_t base; /* the first member of every driver's file */
  haddr_t eoa;
} logging_file_t;

typedef struct {
  int number;
} logging_info_t;

static unsigned char* logging_bytes;
static size_t logging_size;
/* The calls that are printed, as bits. */
enum { INFOS = 1, FILES = 2, SPACE = 4, RECORDS = 8, ENDS = 16 };
static int logged_calls;
static int logging_infos;   /* that are alive */
static haddr_t logging_gap; /* bytes that alloc skips before each allocation */
static int logging_open_files;
static unsigned long logging_flags;

#define LOG(what, ...)                                   \
  do {                                                   \
    if ((logged_calls & what) != 0) printf(__VA_ARGS__); \
  } while (0)

static void* logging_info_copy(const void* info) {
  logging_info_t* made = (logging_info_t*)malloc(sizeof *made);
  *made = *(const logging_info_t*)info;
  ++logging_infos;
  LOG(INFOS, "    fapl_copy of %d\n", made->number);
  return made;
}
static herr_t logging_info_free(void* info) {
  LOG(INFOS, "    fapl_free of %d\n", ((logging_info_t*)info)->number);
  --logging_infos;
  free(info);
  return 0;
}
static void* logging_info_get(H5FD_t* file) {
  logging_info_t* made = (logging_info_t*)malloc(sizeof *made);
  (void)file;
  made->number = 1000;
  ++logging_infos;
  LOG(INFOS, "    fapl_get\n");
  return made;
}

static H5FD_t* logging_open(const char* name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
  logging_file_t* file;
  (void)name, (void)fapl, (void)maxaddr;
  if (logging_size == 0 && (flags & H5F_ACC_CREAT) == 0) return NULL;
  if ((flags & H5F_ACC_TRUNC) != 0) logging_size = 0;
  file = (logging_file_t*)calloc(1, sizeof *file);
  ++logging_open_files;
  LOG(FILES, "    open\n");
  return &file->base;
}
static herr_t logging_close(H5FD_t* file) {
  LOG(FILES, "    close\n");
  --logging_open_files;
  free(file);
  return 0;
}
static herr_t logging_query(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  *flags = logging_flags;
  return 0;
}
static haddr_t logging_get_eoa(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const logging_file_t*)file)->eoa;
}
static herr_t logging_set_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t end) {
  LOG(ENDS, "    set_eoa %d: %llu\n", (int)type, (unsigned long long)end);
  ((logging_file_t*)file)->eoa = end;
  return 0;
}
static haddr_t logging_get_eof(const H5FD_t* file, H5FD_mem_t type) {
  (void)file, (void)type;
  return logging_size;
}
static haddr_t logging_alloc(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, hsize_t size) {
  logging_file_t* file = (logging_file_t*)f;
  const haddr_t at = file->eoa + logging_gap;
  (void)dxpl;
  file->eoa = at + size;
  LOG(SPACE, "    alloc %d: %llu bytes at %llu\n", (int)type, (unsigned long long)size,
      (unsigned long long)at);
  return at;
}
static herr_t logging_free(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, hsize_t size) {
  (void)f, (void)dxpl;
  LOG(SPACE, "    free %d: %llu bytes at %llu\n", (int)type, (unsigned long long)size,
      (unsigned long long)at);
  return 0;
}
static herr_t logging_read(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size, void* into) {
  const size_t there = at >= logging_size ? 0 : (size < logging_size - at ? size : logging_size - at);
  (void)type, (void)dxpl;
  if (at + size > ((logging_file_t*)f)->eoa) return -1;
  if (there > 0) memcpy(into, logging_bytes + at, there);
  memset((char*)into + there, 0, size - there);
  return 0;
}
static herr_t logging_write(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size,
                            const void* from) {
  (void)type, (void)dxpl;
  if (at + size > ((logging_file_t*)f)->eoa) return -1;
  if (at + size > logging_size) {
    logging_bytes = (unsigned char*)realloc(logging_bytes, at + size);
    memset(logging_bytes + logging_size, 0xee, at + size - logging_size);
    logging_size = at + size;
  }
  memcpy(logging_bytes + at, from, size);
  return 0;
}
static herr_t logging_truncate(H5FD_t* f, hid_t dxpl, hbool_t closing) {
  logging_file_t* file = (logging_file_t*)f;
  (void)dxpl, (void)closing;
  if (file->eoa != logging_size) {
    logging_bytes = (unsigned char*)realloc(logging_bytes, file->eoa + 1);
    if (file->eoa > logging_size) memset(logging_bytes + logging_size, 0, file->eoa - logging_size);
    logging_size = file->eoa;
  }
  return 0;
}

static hsize_t logging_sb_size(H5FD_t* file) {
  (void)file;
  return 8;
}
static herr_t logging_sb_encode(H5FD_t* file, char* name, unsigned char* bytes) {
  (void)file;
  memcpy(name, "TOLDdrvr", 9);
  memset(bytes, 7, 8);
  return 0;
}
static herr_t logging_sb_decode(H5FD_t* file, const char* name, const unsigned char* bytes) {
  (void)file;
  LOG(RECORDS, "    sb_decode %s %d\n", name, bytes[0]);
  return 0;
}

static H5FD_class_t logging_class(void) {
  const H5FD_mem_t map[] = H5FD_FLMAP_SINGLE;
  H5FD_class_t made;
  memset(&made, 0, sizeof made);
#if H5_VERSION_GE(1, 13, 2)
  made.version = H5FD_CLASS_VERSION;
  made.value = 501;
#endif
  made.name = "logging";
  made.maxaddr = (haddr_t)1 << 40;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.fapl_size = sizeof(logging_info_t);
  made.fapl_copy = logging_info_copy;
  made.fapl_free = logging_info_free;
  made.open = logging_open;
  made.close = logging_close;
  made.query = logging_query;
  made.get_eoa = logging_get_eoa;
  made.set_eoa = logging_set_eoa;
  made.get_eof = logging_get_eof;
  made.read = logging_read;
  made.write = logging_write;
  made.truncate = logging_truncate;
  memcpy(made.fl_map, map, sizeof map);
  return made;
}

#endif
