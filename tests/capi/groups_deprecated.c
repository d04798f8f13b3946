/* SPDX-License-Identifier: Apache-2.0
 *
 * Deprecated functions on groups, which H5L and H5O have replaced. */
#include "show.h"

static int calls;
static herr_t see(hid_t group, const char* name, void* data) {
  H5G_stat_t stat;
  printf("  %s %d\n", name, H5Gget_objinfo(group, name, 0, &stat));
  ++calls;
  return *(int*)data == calls ? 5 : 0;
}

static void show_object(hid_t file, const char* name, hbool_t follow) {
  H5G_stat_t stat;
  memset(&stat, 0, sizeof stat);
  printf("-- %s %d\n", name, (int)follow);
  CALL(H5Gget_objinfo(file, name, follow, &stat));
  printf("type %d, %u links, value of %lu bytes\n", (int)stat.type, stat.nlink, (unsigned long)stat.linklen);
}

int main(void) {
  char text[50] = "?";
  hsize_t count = 99, n;
  int at = 0, stop = 0;
  hid_t file, group;
  quiet();
  file = new_file("old.h5");
  CALL_ID(group = H5Gcreate1(file, "g", 100));
  CALL_ID(H5Gcreate1(file, "g", 0));
  CALL_ID(H5Gcreate1(file, "", 0));
  new_dataset(group, "d");
  new_type(group, "t");
  CALL(H5Glink(file, H5L_TYPE_SOFT, "g/d", "soft"));
  CALL(H5Glink(file, H5L_TYPE_HARD, "g/d", "hard"));
  CALL(H5Glink(file, H5L_TYPE_EXTERNAL, "g/d", "never"));
  CALL(H5Glink(file, H5L_TYPE_HARD, "missing", "never"));
  CALL(H5Glink2(group, "d", H5L_TYPE_HARD, file, "hard2"));
  CALL(H5Glink2(group, "nowhere", H5L_TYPE_SOFT, file, "dangling"));
  CALL(H5Glink2(group, NULL, H5L_TYPE_SOFT, file, "never"));
  H5Lcreate_external("x.h5", "y", file, "ext", NONE, NONE);
  CALL(H5Gget_num_objs(file, &count));
  printf("%lu\n", (unsigned long)count);
  CALL(H5Gget_num_objs(file, NULL));
  CALL(H5Gget_num_objs(-1, &count));
  for (n = 0; n < 8; ++n) {
    CALL(H5Gget_objname_by_idx(file, n, text, sizeof text));
    CALL(H5Gget_objtype_by_idx(file, n));
    puts(text);
  }
  CALL(H5Gget_objname_by_idx(file, 0, text, 3));
  puts(text);
  CALL(H5Gget_objname_by_idx(file, 0, NULL, 0));
  show_object(file, "g", 1);
  show_object(file, "g/d", 0);
  show_object(file, "g/t", 0);
  show_object(file, "soft", 0);
  show_object(file, "soft", 1);
  show_object(file, "dangling", 0);
  show_object(file, "dangling", 1);
  show_object(file, "ext", 0);
  show_object(file, "missing", 1);
  CALL(H5Gget_objinfo(file, "g", 1, NULL));
  CALL(H5Gget_objinfo(file, NULL, 1, NULL));
  CALL(H5Gget_linkval(file, "soft", sizeof text, text));
  puts(text);
  CALL(H5Gget_linkval(file, "g", sizeof text, text));
  CALL(H5Gget_linkval(file, "missing", sizeof text, text));
  CALL(H5Gset_comment(file, "g", "a comment"));
  CALL(H5Gget_comment(file, "g", sizeof text, text));
  puts(text);
  CALL(H5Gget_comment(file, "g", 4, text));
  CALL(H5Gget_comment(file, "missing", 4, text));
  CALL(H5Gset_comment(file, "missing", "x"));
  CALL(H5Giterate(file, "/", NULL, see, &stop));
  stop = 2;
  calls = 0;
  CALL(H5Giterate(file, "/", &at, see, &stop));
  printf("next %d\n", at);
  CALL(H5Giterate(file, "g", NULL, see, &stop));
  CALL(H5Giterate(file, "missing", NULL, see, &stop));
  CALL(H5Giterate(file, "/", NULL, NULL, &stop));
  at = -1;
  CALL(H5Giterate(file, "/", &at, see, &stop));
  CALL(H5Gmove(file, "soft", "soft moved"));
  CALL(H5Gmove2(file, "hard", group, "hard moved"));
  CALL(H5Gmove(file, "missing", "x"));
  CALL(H5Gunlink(file, "soft moved"));
  CALL(H5Gunlink(file, "soft moved"));
  CALL(H5Gclose(group));
  CALL_ID(group = H5Gopen1(file, "g"));
  CALL_ID(H5Gopen1(file, "missing"));
  show_name(group);
  H5Gclose(group);
  H5Fclose(file);
  return 0;
}
