/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs about property lists share: calls printed with their results and the codes of their errors. */
#ifndef FILIGREE_TESTS_CAPI_PROPERTIES_H
#define FILIGREE_TESTS_CAPI_PROPERTIES_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Releases before 1.12 call ids atoms. */
static void show_code(const char *text) {
  const char *atom = strstr(text, "atom");
  if (atom == NULL)
    printf("%s", text);
  else
    printf("%.*sID%s", (int)(atom - text), text, atom + 4);
}

/* The outermost record comes first downwards. */
static herr_t see_outermost(unsigned number, const H5E_error2_t *record, void *data) {
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

static void show_result(const char *text, long long value) {
  hid_t stack = H5Eget_current_stack();
  printf("%s = %lld", text, value);
  if (value < 0 && H5Eget_num(stack) > 0) H5Ewalk2(stack, H5E_WALK_DOWNWARD, see_outermost, NULL);
  H5Eclose_stack(stack);
  printf("\n");
}

/* A number, and what went wrong. */
#define CALL(expression) show_result(#expression, (long long)(expression))
/* Of ids only whether they are. */
#define CALL_ID(expression) show_result(#expression, (long long)((expression) < 0 ? -1 : 0))
#define VALUE(expression) printf("  %s: %lld\n", #expression, (long long)(expression))

static void quiet(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

#endif
