/* SPDX-License-Identifier: Apache-2.0
 *
 * Recursive iteration over objects, and copies of objects. */
#include "show.h"

static int stop, calls;
static herr_t see(hid_t id, const char* name, const H5O_info1_t* info, void* data) {
  (void)id;
  (void)data;
  printf("  %s: type %d, %u links\n", name, (int)info->type, info->rc);
  ++calls;
  if (stop > 0 && calls == stop) return 4;
  if (stop < 0 && calls == -stop) return -1;
  return 0;
}

static void walk(hid_t file, const char* name, H5_iter_order_t order, int when) {
  stop = when;
  calls = 0;
  printf("-- %s, order %d, stop %d\n", name, (int)order, when);
  CALL(H5Ovisit_by_name1(file, name, H5_INDEX_NAME, order, see, NULL, NONE));
}

static void copies(hid_t file) {
  hid_t other = new_file("visit_other.h5"), list = H5Pcreate(H5P_OBJECT_COPY),
        link = H5Pcreate(H5P_LINK_CREATE);
  CALL(H5Ocopy(file, "tree", file, "copy", NONE, NONE));
  walk(file, "copy", H5_ITER_INC, 0);
  CALL(H5Ocopy(file, "tree", other, "copy", NONE, NONE));
  walk(other, "/", H5_ITER_INC, 0);
  CALL(H5Ocopy(file, "tree/b/c/d", other, "d", NONE, NONE));
  CALL(H5Ocopy(file, "tree/soft", other, "through soft", NONE, NONE));
  walk(other, "through soft", H5_ITER_INC, 0);
  CALL(H5Ocopy(file, "tree", other, "copy", NONE, NONE));
  CALL(H5Ocopy(file, "missing", other, "never", NONE, NONE));
  CALL(H5Ocopy(file, "tree", other, "no/way", NONE, NONE));
  CALL(H5Ocopy(file, NULL, other, "never", NONE, NONE));
  CALL(H5Ocopy(file, "tree", other, "", NONE, NONE));
  CALL(H5Ocopy(file, "tree", -1, "never", NONE, NONE));
  H5Pset_create_intermediate_group(link, 1);
  CALL(H5Ocopy(file, "tree/a", other, "made/on/the way", NONE, link));
  H5Pset_copy_object(list, H5O_COPY_SHALLOW_HIERARCHY_FLAG);
  CALL(H5Ocopy(file, "tree", other, "shallow", list, NONE));
  walk(other, "shallow", H5_ITER_INC, 0);
  H5Pset_copy_object(list, H5O_COPY_EXPAND_SOFT_LINK_FLAG);
  CALL(H5Ocopy(file, "tree", other, "expanded", list, NONE));
  walk(other, "expanded", H5_ITER_INC, 0);
  CALL(H5Lexists(other, "made/on/the way", NONE));
  H5Pclose(list);
  H5Pclose(link);
  H5Fclose(other);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("visit.h5");
  new_group(file, "tree");
  new_group(file, "tree/b");
  new_group(file, "tree/b/c");
  new_dataset(file, "tree/b/c/d");
  new_dataset(file, "tree/a");
  new_type(file, "tree/type");
  H5Lcreate_hard(file, "tree", file, "tree/b/up", NONE, NONE);
  H5Lcreate_hard(file, "tree/b/c", file, "tree/twin", NONE, NONE);
  H5Lcreate_hard(file, "tree/a", file, "tree/z", NONE, NONE);
  H5Lcreate_soft("/tree/b", file, "tree/soft", NONE, NONE);
  walk(file, "/", H5_ITER_INC, 0);
  walk(file, "tree", H5_ITER_DEC, 0);
  walk(file, "tree/a", H5_ITER_INC, 0);
  walk(file, "tree", H5_ITER_INC, 2);
  walk(file, "tree", H5_ITER_INC, -2);
  walk(file, "missing", H5_ITER_INC, 0);
  walk(file, "tree", H5_ITER_N, 0);
  CALL(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, NULL, NULL));
  CALL(H5Ovisit1(-1, H5_INDEX_NAME, H5_ITER_INC, see, NULL));
  CALL(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, see, NULL, H5O_INFO_BASIC));
  CALL(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, see, NULL, 0x1000));
  copies(file);
  H5Fclose(file);
  return 0;
}
