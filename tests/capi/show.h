/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that print the same with every library that speaks HDF5. */
#ifndef SHOW_H
#define SHOW_H

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

/* The text of an expression, and its value as a number. Ids differ between libraries: use SHOW_ID for them. */
#define SHOW(expression) printf("%s = %lld\n", #expression, (long long)(expression))
#define SHOW_TEXT(expression) printf("%s = %s\n", #expression, (expression))
#define SHOW_REAL(expression) printf("%s = %.17g\n", #expression, (double)(expression))
#define SHOW_ID(expression) printf("%s %s\n", #expression, (expression) < 0 ? "failed" : "gave an id")
/* Evaluates what may fail, without telling. For failures whose records are not the same everywhere. */
#define TRY(expression)                                 \
  do {                                                  \
    long long value_;                                   \
    H5E_BEGIN_TRY { value_ = (long long)(expression); } \
    H5E_END_TRY                                         \
    printf("%s = %lld\n", #expression, value_);         \
  } while (0)
/* Evaluates what should fail, and prints the value with the codes of the outermost record. */
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

#endif
