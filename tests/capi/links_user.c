/* SPDX-License-Identifier: Apache-2.0
 *
 * User-defined links. */
#include "show.h"

#define MINE 77

static herr_t made(const char* name, hid_t group, const void* data, size_t bytes, hid_t list) {
  printf("made '%s' of %lu bytes, %d %d\n", name, (unsigned long)bytes, H5Iget_type(group) == H5I_GROUP,
         H5Iget_type(list) == H5I_GENPROP_LST);
  (void)data;
  return 0;
}
static herr_t moved(const char* name, hid_t group, const void* data, size_t bytes) {
  printf("moved to '%s': %.*s\n", name, (int)bytes, (const char*)data);
  show_name(group);
  return 0;
}
static herr_t copied(const char* name, hid_t group, const void* data, size_t bytes) {
  printf("copied to '%s': %.*s\n", name, (int)bytes, (const char*)data);
  (void)group;
  return 0;
}
static hid_t follow(const char* name, hid_t group, const void* data, size_t bytes, hid_t list) {
  char path[40] = "";
  memcpy(path, data, bytes);
  printf("follow '%s' to '%s', %d\n", name, path, H5Iget_type(list) == H5I_GENPROP_LST);
  return H5Oopen(group, path, list);
}
static herr_t gone(const char* name, hid_t file, const void* data, size_t bytes) {
  printf("delete '%s': %.*s\n", name, (int)bytes, (const char*)data);
  (void)file;
  return 0;
}
static ssize_t query(const char* name, const void* data, size_t bytes, void* buffer, size_t capacity) {
  (void)name;
  if (buffer != NULL) memcpy(buffer, data, bytes < capacity ? bytes : capacity);
  return (ssize_t)bytes;
}

int main(void) {
  /* The older version of the structure, which both libraries accept. */
#if H5_VERSION_GE(1, 12, 0)
  H5L_class_0_t mine = {0, (H5L_type_t)MINE, "mine", made, moved, copied, follow, gone, query};
#else
  H5L_class_t mine = {
      H5L_LINK_CLASS_T_VERS, (H5L_type_t)MINE, "mine", made, moved, copied, follow, gone, query};
#endif
  H5L_info_t info;
  char value[20] = "";
  hid_t file;
  quiet();
  file = new_file("user.h5");
  new_group(file, "g");
  new_dataset(file, "g/d");
  CALL(H5Lis_registered((H5L_type_t)MINE));
  CALL(H5Lis_registered(H5L_TYPE_HARD));
  CALL(H5Lis_registered(H5L_TYPE_EXTERNAL));
  CALL(H5Lcreate_ud(file, "early", (H5L_type_t)MINE, "g", 1, NONE, NONE));
  CALL(H5Lregister((const H5L_class_t*)&mine));
  CALL(H5Lis_registered((H5L_type_t)MINE));
  CALL(H5Lcreate_ud(file, "user", (H5L_type_t)MINE, "g", 1, NONE, NONE));
  CALL(H5Lcreate_ud(file, "bad", (H5L_type_t)MINE, "nowhere", 7, NONE, NONE));
  CALL(H5Lcreate_ud(file, "never", H5L_TYPE_SOFT, "g", 1, NONE, NONE));
  CALL(H5Lcreate_ud(file, "", (H5L_type_t)MINE, "g", 1, NONE, NONE));
  /* Names that exist. */
  CALL(H5Lcreate_ud(file, "user", (H5L_type_t)MINE, "g", 1, NONE, NONE));
  CALL(H5Lcreate_ud(file, "bad", (H5L_type_t)MINE, "g", 1, NONE, NONE));
  CALL(H5Lcreate_soft("g", file, "user", NONE, NONE));
  CALL(H5Lcreate_hard(file, "g", file, "bad", NONE, NONE));
  CALL(H5Lmove(file, "g", file, "user", NONE, NONE));
  CALL_ID(H5Gcreate2(file, "user", NONE, NONE, NONE));
  CALL(H5Ocopy(file, "g", file, "user", NONE, NONE));
  OPEN(file, "user");
  OPEN(file, "user/d");
  OPEN(file, "bad");
  CALL(H5Lget_info(file, "user", &info, NONE));
  printf("type %d, %lu bytes\n", (int)info.type, (unsigned long)info.u.val_size);
  CALL(H5Lget_val(file, "user", value, sizeof value, NONE));
  puts(value);
  CALL(H5Lmove(file, "user", file, "g/moved", NONE, NONE));
  CALL(H5Lcopy(file, "bad", file, "g/copied", NONE, NONE));
  CALL(H5Ldelete(file, "bad", NONE));
  CALL(H5Lunregister((H5L_type_t)MINE));
  CALL(H5Lunregister((H5L_type_t)MINE));
  CALL(H5Lunregister((H5L_type_t)999));
  OPEN(file, "g/moved");
  CALL(H5Ldelete(file, "g/copied", NONE));
  CALL(H5Lregister(NULL));
  mine.id = H5L_TYPE_SOFT;
  CALL(H5Lregister((const H5L_class_t*)&mine));
  mine.id = (H5L_type_t)MINE;
  mine.trav_func = NULL;
  CALL(H5Lregister((const H5L_class_t*)&mine));
  CALL(H5Fclose(file));
  return 0;
}
