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
  return 0;
}
