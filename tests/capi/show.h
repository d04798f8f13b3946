/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that print the same with every implementation of the HDF5 API: calls with their results and
 * error codes, and helpers for files. */
#ifndef SHOW_H
#define SHOW_H

/* All libraries have the oldest version of functions with several versions. */
#ifndef H5_USE_110_API
#define H5_USE_110_API 1
#endif
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of an expression, and its value as a number. Ids differ between libraries: use SHOW_ID for them.
 */
#define SHOW(expression) printf("%s = %lld\n", #expression, (long long)(expression))
#define SHOW_TEXT(expression) printf("%s = %s\n", #expression, (expression))
#define SHOW_REAL(expression) printf("%s = %.17g\n", #expression, (double)(expression))
#define SHOW_ID(expression) printf("%s %s\n", #expression, (expression) < 0 ? "failed" : "gave an id")
/* Evaluates an expression that may fail, without printing. For failures with different error records. */
#define TRY(expression)                                 \
  do {                                                  \
    long long value_;                                   \
    H5E_BEGIN_TRY { value_ = (long long)(expression); } \
    H5E_END_TRY                                         \
    printf("%s = %lld\n", #expression, value_);         \
  } while (0)
/* Evaluates an expression that should fail, and prints the value with the codes of the outermost record. */
#define SHOW_FAILURE(expression)                        \
  do {                                                  \
    long long value_;                                   \
    H5E_BEGIN_TRY { value_ = (long long)(expression); } \
    H5E_END_TRY                                         \
    printf("%s = %lld", #expression, value_);           \
    print_outermost();                                  \
  } while (0)

static herr_t outermost_(unsigned n, const H5E_error2_t* record, void* data) {
  char major[128] = "", minor[128] = "";
  (void)data;
  if (n != 0) return 0;
  H5Eget_msg(record->maj_num, NULL, major, sizeof major);
  H5Eget_msg(record->min_num, NULL, minor, sizeof minor);
  printf(" in %s: %s / %s", record->func_name, major, minor);
  return 0;
}

static inline void print_outermost(void) {
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, outermost_, NULL);
  printf("\n");
}

/* Releases before 1.12 call ids atoms. */
static void show_code(const char* text) {
  const char* atom = strstr(text, "atom");
  if (atom == NULL)
    printf("%s", text);
  else
    printf("%.*sID%s", (int)(atom - text), text, atom + 4);
}

/* The outermost record comes first in this direction. */
static herr_t see_outermost(unsigned number, const H5E_error2_t* record, void* data) {
  char major[128] = "", minor[128] = "";
  (void)data;
  if (number != 0) return 0;
  H5Eget_msg(record->maj_num, NULL, major, sizeof major);
  H5Eget_msg(record->min_num, NULL, minor, sizeof minor);
  printf("  [");
  show_code(major);
  printf(" | ");
  show_code(minor);
  printf("]");
  return 0;
}

static void show_result(const char* text, long long value) {
  hid_t stack = H5Eget_current_stack();
  printf("%s = %lld", text, value);
  if (H5Eget_num(stack) > 0) H5Ewalk2(stack, H5E_WALK_DOWNWARD, see_outermost, NULL);
  H5Eclose_stack(stack);
  printf("\n");
}

/* A number, and the error. */
#define CALL(expression) show_result(#expression, (long long)(expression))
/* Of ids only whether they are valid. */
#define CALL_ID(expression) show_result(#expression, (long long)((expression) < 0 ? -1 : 0))
#define VALUE(expression) printf("  %s: %lld\n", #expression, (long long)(expression))

static void quiet(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void show_bytes(const char* what, const void* data, size_t bytes) {
  size_t i;
  printf("%s:", what);
  for (i = 0; i < bytes; ++i) printf(" %02x", ((const unsigned char*)data)[i]);
  printf("\n");
}

static void show_text(const char* what, char* text) {
  printf("%s: %s\n", what, text ? text : "(null)");
  H5free_memory(text);
}

/* All properties of a type. */
static void show_type(const char* name, hid_t type) {
  size_t spos = 999, epos = 999, esize = 999, mpos = 999, msize = 999;
  H5T_pad_t lsb = (H5T_pad_t)99, msb = (H5T_pad_t)99;
  hid_t super;
  printf("-- %s\n", name);
  CALL(H5Tget_class(type));
  CALL(H5Tget_size(type));
  CALL(H5Tget_order(type));
  CALL(H5Tget_precision(type));
  CALL(H5Tget_offset(type));
  CALL(H5Tget_pad(type, &lsb, &msb));
  printf("pad %d %d\n", lsb, msb);
  CALL(H5Tget_sign(type));
  CALL(H5Tget_fields(type, &spos, &epos, &esize, &mpos, &msize));
  printf("fields %lu %lu %lu %lu %lu\n", (unsigned long)spos, (unsigned long)epos, (unsigned long)esize,
         (unsigned long)mpos, (unsigned long)msize);
  CALL(H5Tget_ebias(type));
  CALL(H5Tget_norm(type));
  CALL(H5Tget_inpad(type));
  CALL(H5Tget_strpad(type));
  CALL(H5Tget_cset(type));
  show_text("tag", H5Tget_tag(type));
  CALL(H5Tget_nmembers(type));
  CALL(H5Tis_variable_str(type));
  CALL(H5Tcommitted(type));
  CALL(H5Tget_array_ndims(type));
  super = H5Tget_super(type);
  CALL_ID(super);
  if (super >= 0) H5Tclose(super);
}

#if !H5_VERSION_GE(1, 12, 0)
#define H5O_info1_t H5O_info_t
#endif

#define NONE H5P_DEFAULT

static hid_t new_file(const char* name) { return H5Fcreate(name, H5F_ACC_TRUNC, NONE, NONE); }

static void new_group(hid_t loc, const char* name) { H5Gclose(H5Gcreate2(loc, name, NONE, NONE, NONE)); }

static void new_dataset(hid_t loc, const char* name) {
  int value = 7;
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(loc, name, H5T_STD_I32LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value);
  H5Dclose(set);
  H5Sclose(space);
}

static void new_type(hid_t loc, const char* name) {
  hid_t type = H5Tcopy(H5T_STD_I32LE);
  H5Tcommit2(loc, name, type, NONE, NONE, NONE);
  H5Tclose(type);
}

static void show_name(hid_t id) {
  char name[200] = "?";
  long long length = (long long)H5Iget_name(id, name, sizeof name);
  printf("name of %lld bytes: '%s'\n", length, length > 0 ? name : "");
}

/* Opens an object, prints its name, and closes it. */
#define OPEN(loc, path)                                 \
  do {                                                  \
    hid_t opened_ = H5Oopen(loc, path, NONE);           \
    show_result("H5Oopen " path, opened_ < 0 ? -1 : 0); \
    if (opened_ >= 0) {                                 \
      show_name(opened_);                               \
      H5Oclose(opened_);                                \
    }                                                   \
  } while (0)

#endif
