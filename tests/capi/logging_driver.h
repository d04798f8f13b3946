/* SPDX-License-Identifier: Apache-2.0 */
/* A user-defined driver that compiles with the class of every release. It keeps one file in memory, and
 * prints a line for each of the selected calls. */
#ifndef LOGGING_DRIVER_H
#define LOGGING_DRIVER_H

#include "show.h"

typedef struct {
  H5FD_t base; /* the first member of every driver's file */
  haddr_t eoa;
} told_file_t;

typedef struct {
  int number;
} told_info_t;

static unsigned char* told_bytes;
static size_t told_size;
/* The calls that are printed, as bits. */
enum { INFOS = 1, FILES = 2, SPACE = 4, RECORDS = 8, ENDS = 16 };
static int told_talks;
static int told_infos;   /* that are alive */
static haddr_t told_gap; /* bytes that alloc skips before each allocation */
static int told_open_files;
static unsigned long told_flags;

#define TELL(what, ...)                                \
  do {                                                 \
    if ((told_talks & what) != 0) printf(__VA_ARGS__); \
  } while (0)

static void* told_info_copy(const void* info) {
  told_info_t* made = (told_info_t*)malloc(sizeof *made);
  *made = *(const told_info_t*)info;
  ++told_infos;
  TELL(INFOS, "    fapl_copy of %d\n", made->number);
  return made;
}
static herr_t told_info_free(void* info) {
  TELL(INFOS, "    fapl_free of %d\n", ((told_info_t*)info)->number);
  --told_infos;
  free(info);
  return 0;
}
static void* told_info_get(H5FD_t* file) {
  told_info_t* made = (told_info_t*)malloc(sizeof *made);
  (void)file;
  made->number = 1000;
  ++told_infos;
  TELL(INFOS, "    fapl_get\n");
  return made;
}

static H5FD_t* told_open(const char* name, unsigned flags, hid_t fapl, haddr_t maxaddr) {
  told_file_t* file;
  (void)name, (void)fapl, (void)maxaddr;
  if (told_size == 0 && (flags & H5F_ACC_CREAT) == 0) return NULL;
  if ((flags & H5F_ACC_TRUNC) != 0) told_size = 0;
  file = (told_file_t*)calloc(1, sizeof *file);
  ++told_open_files;
  TELL(FILES, "    open\n");
  return &file->base;
}
static herr_t told_close(H5FD_t* file) {
  TELL(FILES, "    close\n");
  --told_open_files;
  free(file);
  return 0;
}
static herr_t told_query(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  *flags = told_flags;
  return 0;
}
static haddr_t told_get_eoa(const H5FD_t* file, H5FD_mem_t type) {
  (void)type;
  return ((const told_file_t*)file)->eoa;
}
static herr_t told_set_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t end) {
  TELL(ENDS, "    set_eoa %d: %llu\n", (int)type, (unsigned long long)end);
  ((told_file_t*)file)->eoa = end;
  return 0;
}
static haddr_t told_get_eof(const H5FD_t* file, H5FD_mem_t type) {
  (void)file, (void)type;
  return told_size;
}
static haddr_t told_alloc(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, hsize_t size) {
  told_file_t* file = (told_file_t*)f;
  const haddr_t at = file->eoa + told_gap;
  (void)dxpl;
  file->eoa = at + size;
  TELL(SPACE, "    alloc %d: %llu bytes at %llu\n", (int)type, (unsigned long long)size,
       (unsigned long long)at);
  return at;
}
static herr_t told_free(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, hsize_t size) {
  (void)f, (void)dxpl;
  TELL(SPACE, "    free %d: %llu bytes at %llu\n", (int)type, (unsigned long long)size,
       (unsigned long long)at);
  return 0;
}
static herr_t told_read(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size, void* into) {
  const size_t there = at >= told_size ? 0 : (size < told_size - at ? size : told_size - at);
  (void)type, (void)dxpl;
  if (at + size > ((told_file_t*)f)->eoa) return -1;
  if (there > 0) memcpy(into, told_bytes + at, there);
  memset((char*)into + there, 0, size - there);
  return 0;
}
static herr_t told_write(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size, const void* from) {
  (void)type, (void)dxpl;
  if (at + size > ((told_file_t*)f)->eoa) return -1;
  if (at + size > told_size) {
    told_bytes = (unsigned char*)realloc(told_bytes, at + size);
    memset(told_bytes + told_size, 0xee, at + size - told_size);
    told_size = at + size;
  }
  memcpy(told_bytes + at, from, size);
  return 0;
}
static herr_t told_truncate(H5FD_t* f, hid_t dxpl, hbool_t closing) {
  told_file_t* file = (told_file_t*)f;
  (void)dxpl, (void)closing;
  if (file->eoa != told_size) {
    told_bytes = (unsigned char*)realloc(told_bytes, file->eoa + 1);
    if (file->eoa > told_size) memset(told_bytes + told_size, 0, file->eoa - told_size);
    told_size = file->eoa;
  }
  return 0;
}

static hsize_t told_sb_size(H5FD_t* file) {
  (void)file;
  return 8;
}
static herr_t told_sb_encode(H5FD_t* file, char* name, unsigned char* bytes) {
  (void)file;
  memcpy(name, "TOLDdrvr", 9);
  memset(bytes, 7, 8);
  return 0;
}
static herr_t told_sb_decode(H5FD_t* file, const char* name, const unsigned char* bytes) {
  (void)file;
  TELL(RECORDS, "    sb_decode %s %d\n", name, bytes[0]);
  return 0;
}

static H5FD_class_t told_class(void) {
  const H5FD_mem_t map[] = H5FD_FLMAP_SINGLE;
  H5FD_class_t made;
  memset(&made, 0, sizeof made);
#if H5_VERSION_GE(1, 13, 2)
  made.version = H5FD_CLASS_VERSION;
  made.value = 501;
#endif
  made.name = "told";
  made.maxaddr = (haddr_t)1 << 40;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.fapl_size = sizeof(told_info_t);
  made.fapl_copy = told_info_copy;
  made.fapl_free = told_info_free;
  made.open = told_open;
  made.close = told_close;
  made.query = told_query;
  made.get_eoa = told_get_eoa;
  made.set_eoa = told_set_eoa;
  made.get_eof = told_get_eof;
  made.read = told_read;
  made.write = told_write;
  made.truncate = told_truncate;
  memcpy(made.fl_map, map, sizeof map);
  return made;
}

#endif
