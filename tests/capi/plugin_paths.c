/* SPDX-License-Identifier: Apache-2.0
 *
 * The search path of plugins. */
#include "show.h"

static void show_paths(void) {
  unsigned n = 0, i;
  CALL(H5PLsize(&n));
  printf("%u:", n);
  for (i = 0; i < n; ++i) {
    char path[64] = "";
    ssize_t length = H5PLget(i, path, sizeof path);
    printf(" %s (%d)", path, (int)length);
  }
  printf("\n");
}

static void show_states(void) {
  unsigned mask = 99;
  CALL(H5PLget_loading_state(&mask));
  printf("%x\n", mask);
  CALL(H5PLset_loading_state(H5PL_FILTER_PLUGIN));
  CALL(H5PLget_loading_state(&mask));
  printf("%x\n", mask);
  CALL(H5PLset_loading_state(0x12340));
  CALL(H5PLget_loading_state(&mask));
  printf("%x\n", mask);
  CALL(H5PLset_loading_state(0));
  CALL(H5PLget_loading_state(&mask));
  printf("%x\n", mask);
  CALL(H5PLset_loading_state(H5PL_ALL_PLUGIN));
  CALL(H5PLget_loading_state(NULL));
}

int main(void) {
  char path[4] = "###";
  quiet();
  CALL(H5PLremove(0));
  show_paths();
  CALL(H5PLappend("/b"));
  CALL(H5PLprepend("/a"));
  CALL(H5PLinsert("/between", 1));
  show_paths();
  CALL(H5PLreplace("/instead", 1));
  show_paths();
  CALL(H5PLget(1, NULL, 0));
  CALL(H5PLget(1, path, sizeof path));
  printf("%s\n", path);
  CALL(H5PLget(9, path, sizeof path));
  CALL(H5PLremove(1));
  CALL(H5PLremove(9));
  CALL(H5PLreplace("/x", 9));
  CALL(H5PLinsert("/x", 9));
  CALL(H5PLappend(NULL));
  CALL(H5PLappend(""));
  CALL(H5PLprepend(NULL));
  CALL(H5PLprepend(""));
  CALL(H5PLinsert(NULL, 0));
  CALL(H5PLreplace("", 0));
  CALL(H5PLsize(NULL));
  show_paths();
  show_states();
  return 0;
}
