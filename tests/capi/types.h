/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs about datatypes share: calls printed with their results and the codes of their errors. */
#ifndef FILIGREE_TESTS_CAPI_TYPES_H
#define FILIGREE_TESTS_CAPI_TYPES_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The outermost record comes first downwards. */
static herr_t see_outermost(unsigned number, const H5E_error2_t *record, void *data) {
  char major[128] = "", minor[128] = "";
  (void)data;
  if (number != 0) return 0;
  H5Eget_msg(record->maj_num, NULL, major, sizeof major);
  H5Eget_msg(record->min_num, NULL, minor, sizeof minor);
  printf("  [%s | %s]", major, minor);
  return 0;
}

static void show_result(const char *text, long long value) {
  hid_t stack = H5Eget_current_stack();
  printf("%s = %lld", text, value);
  if (H5Eget_num(stack) > 0) H5Ewalk2(stack, H5E_WALK_DOWNWARD, see_outermost, NULL);
  H5Eclose_stack(stack);
  printf("\n");
}

/* A number, and what went wrong. */
#define CALL(expression) show_result(#expression, (long long)(expression))
/* Of ids only whether they are. */
#define CALL_ID(expression) show_result(#expression, (long long)((expression) < 0 ? -1 : 0))

static void quiet(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void show_bytes(const char *what, const void *data, size_t bytes) {
  size_t i;
  printf("%s:", what);
  for (i = 0; i < bytes; ++i) printf(" %02x", ((const unsigned char *)data)[i]);
  printf("\n");
}

static void show_text(const char *what, char *text) {
  printf("%s: %s\n", what, text ? text : "(null)");
  H5free_memory(text);
}

/* Everything that can be asked of a type. */
static void show_type(const char *name, hid_t type) {
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

#endif
