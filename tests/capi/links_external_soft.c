/* SPDX-License-Identifier: Apache-2.0 */
/* External links whose targets are themselves soft or external links, alone and inside of paths. */
#include "show.h"

static void make_target(void) {
  hid_t file = new_file("target.h5");
  new_group(file, "g");
  new_dataset(file, "g/d");
  new_dataset(file, "d");
  H5Lcreate_soft("/d", file, "soft", NONE, NONE);
  H5Lcreate_soft("d", file, "relative", NONE, NONE);
  H5Lcreate_soft("/g", file, "gsoft", NONE, NONE);
  H5Lcreate_soft("/g/d", file, "g/absolute", NONE, NONE);
  H5Lcreate_soft("d", file, "g/relative", NONE, NONE);
  H5Lcreate_soft("/soft", file, "chain", NONE, NONE);
  H5Lcreate_soft("/nowhere", file, "dangling", NONE, NONE);
  H5Fclose(file);
  file = new_file("middle.h5");
  H5Lcreate_external("target.h5", "/soft", file, "e", NONE, NONE);
  H5Lcreate_external("target.h5", "/gsoft", file, "ge", NONE, NONE);
  H5Lcreate_soft("/e", file, "se", NONE, NONE);
  H5Lcreate_soft("/ge/absolute", file, "sge", NONE, NONE);
  H5Fclose(file);
}

static void look(hid_t loc, const char* path) {
  H5O_info1_t info;
  int value = -1;
  hid_t object = H5Oopen(loc, path, NONE), file;
  char name[64] = "";
  printf("-- %s\n", path);
  show_result("open", object < 0 ? -1 : 0);
  TRY(H5Oexists_by_name(loc, path, NONE));
  TRY(H5Oget_info_by_name1(loc, path, &info, NONE));
  TRY(H5Lexists(loc, path, NONE));
  if (object < 0) return;
  show_name(object);
  H5Fget_name(object, name, sizeof name);
  printf("in %s\n", strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
  if (H5Iget_type(object) == H5I_DATASET) {
    CALL(H5Dread(object, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value));
    VALUE(value);
  } else {
    OPEN(object, "absolute");
    OPEN(object, "relative");
    OPEN(object, "/soft");
  }
  file = H5Iget_file_id(object);
  VALUE(H5Fget_obj_count(file, H5F_OBJ_ALL));
  H5Oclose(object);
  VALUE(H5Fget_obj_count(file, H5F_OBJ_ALL));
  OPEN(file, "chain");
  H5Fclose(file);
}

int main(void) {
  static const char* const targets[] = {"/soft",       "/relative",   "/gsoft", "/gsoft/d", "/gsoft/absolute",
                                        "/g/absolute", "/g/relative", "/chain", "/d",       "soft",
                                        "/dangling",   "/gsoft/no",   "/"};
  static const char* const middle[] = {"e", "ge", "ge/absolute", "ge/relative", "se", "sge"};
  size_t i;
  hid_t file, group;
  quiet();
  make_target();
  file = new_file("from.h5");
  for (i = 0; i < sizeof targets / sizeof *targets; ++i) {
    char name[16];
    snprintf(name, sizeof name, "e%d", (int)i);
    H5Lcreate_external("target.h5", targets[i], file, name, NONE, NONE);
    printf("== %s\n", targets[i]);
    look(file, name);
  }
  for (i = 0; i < sizeof middle / sizeof *middle; ++i) {
    char name[16];
    snprintf(name, sizeof name, "m%d", (int)i);
    H5Lcreate_external("middle.h5", middle[i], file, name, NONE, NONE);
    printf("== middle %s\n", middle[i]);
    look(file, name);
  }
  look(file, "e2/d");
  look(file, "e2/absolute");
  look(file, "e12/soft");
  look(file, "e12/gsoft/absolute");
  H5Lcreate_soft("/e2/absolute", file, "here", NONE, NONE);
  look(file, "here");
  /* New objects below such links. */
  group = H5Gcreate2(file, "e2/new", NONE, NONE, NONE);
  CALL_ID(group);
  show_name(group);
  H5Gclose(group);
  new_dataset(file, "e12/gsoft/new/set");
  look(file, "e2/new/set");
  CALL(H5Ldelete(file, "e2/new/set", NONE));
  CALL(H5Ocopy(file, "e0", file, "copied", NONE, NONE));
  look(file, "copied");
  VALUE(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
  H5Fclose(file);
  return 0;
}
