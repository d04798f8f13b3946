/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving, copying and deleting links, and the names of open objects. */
#include "show.h"

static unsigned links_to(hid_t id) {
  H5O_info1_t info;
  if (H5Oget_info1(id, &info) < 0) return 999;
  return info.rc;
}

int main(void) {
  hid_t file, other, a, b, d;
  quiet();
  file = new_file("move.h5");
  other = new_file("move_other.h5");
  new_group(file, "a");
  new_group(file, "a/b");
  new_group(file, "a/b/c");
  new_dataset(file, "a/b/d");
  H5Lcreate_soft("/a/b", file, "soft", NONE, NONE);
  a = H5Gopen2(file, "a", NONE);
  b = H5Gopen2(file, "soft", NONE);
  d = H5Dopen2(b, "d", NONE);
  show_name(a);
  show_name(b);
  show_name(d);

  CALL(H5Lmove(file, "a/b", file, "moved", NONE, NONE));
  show_name(a);
  show_name(b);
  show_name(d);
  H5Dclose(d);
  H5Gclose(b);
  b = H5Gopen2(file, "moved", NONE);
  d = H5Dopen2(b, "d", NONE);
  CALL(H5Lmove(file, "moved", a, "again", NONE, NONE));
  show_name(b);
  CALL(H5Lmove(b, "d", H5L_SAME_LOC, "e", NONE, NONE));
  CALL(H5Lmove(file, "a", file, "z", NONE, NONE));
  show_name(a);
  show_name(b);

  CALL(H5Lmove(file, "missing", file, "x", NONE, NONE));
  CALL(H5Lmove(file, "z", file, "soft", NONE, NONE));
  CALL(H5Lmove(file, "z", other, "z", NONE, NONE));
  CALL(H5Lmove(file, NULL, file, "x", NONE, NONE));
  CALL(H5Lmove(file, "z", file, "", NONE, NONE));
  CALL(H5Lmove(H5L_SAME_LOC, "z", H5L_SAME_LOC, "y", NONE, NONE));
  CALL(H5Lmove(file, "z", file, "no/way", NONE, NONE));
  CALL(H5Lmove(file, "/", file, "x", NONE, NONE));

  CALL(links_to(d));
  CALL(H5Lcopy(b, "e", file, "copy", NONE, NONE));
  CALL(links_to(d));
  CALL(H5Lcopy(file, "soft", file, "soft copy", NONE, NONE));
  CALL(H5Lcopy(file, "soft", other, "soft copy", NONE, NONE));
  CALL(H5Lcopy(file, "copy", other, "copy", NONE, NONE));
  CALL(H5Lcopy(file, "copy", file, "z", NONE, NONE));
  CALL(H5Lcopy(file, "missing", file, "y", NONE, NONE));
  CALL(H5Lexists(other, "soft copy", NONE));

  CALL(H5Ldelete(b, "e", NONE));
  CALL(links_to(d));
  CALL(H5Ldelete(file, "copy", NONE));
  CALL(links_to(d));
  {
    int value = 0;
    CALL(H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value));
    printf("%d\n", value);
  }
  CALL(H5Olink(d, file, "revived", NONE, NONE));
  CALL(links_to(d));
  CALL(H5Ldelete(file, "z", NONE));
  show_name(a);
  show_name(b);
  CALL(H5Ldelete(file, "z", NONE));
  CALL(H5Ldelete(file, "/", NONE));
  CALL(H5Ldelete(file, ".", NONE));
  CALL(H5Ldelete(file, "no/way", NONE));
  CALL(H5Ldelete(file, NULL, NONE));
  CALL(H5Ldelete(-1, "x", NONE));
  CALL(H5Ldelete_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_DEC, 0, NONE));
  CALL(H5Ldelete_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_DEC, 9, NONE));
  CALL(H5Ldelete_by_idx(file, "/", H5_INDEX_CRT_ORDER, H5_ITER_DEC, 0, NONE));
  CALL(H5Lexists(file, "soft copy", NONE));
  CALL(H5Lexists(file, "soft", NONE));
  CALL(H5Dclose(d));
  CALL(H5Gclose(a));
  CALL(H5Gclose(b));
  CALL(H5Fclose(other));
  CALL(H5Fclose(file));
  return 0;
}
