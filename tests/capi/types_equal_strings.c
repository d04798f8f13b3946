/* SPDX-License-Identifier: Apache-2.0 */
/* Equality of strings: padding and character set count for strings of a fixed size only. */
#include "show.h"

static void compare(size_t size) {
  hid_t first = H5Tcopy(H5T_C_S1), second, outer, other;
  H5Tset_size(first, size);
  second = H5Tcopy(first);
  VALUE(H5Tequal(first, second));
  H5Tset_cset(second, H5T_CSET_UTF8);
  VALUE(H5Tequal(first, second));
  outer = H5Tvlen_create(first);
  other = H5Tvlen_create(second);
  VALUE(H5Tequal(outer, other));
  H5Tset_cset(second, H5T_CSET_ASCII);
  H5Tset_strpad(second, H5T_STR_SPACEPAD);
  VALUE(H5Tequal(first, second));
  VALUE(H5Tequal(first, outer));
  outer = H5Tcreate(H5T_COMPOUND, 16);
  other = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(outer, "name", 0, first);
  H5Tinsert(other, "name", 0, second);
  VALUE(H5Tequal(outer, other));
}

int main(void) {
  quiet();
  compare(H5T_VARIABLE);
  compare(5);
  return 0;
}
