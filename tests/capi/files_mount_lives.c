/* SPDX-License-Identifier: Apache-2.0
 *
 * Mounted files: what stays open, and under which names, after unmounting and after files were closed. */
#include "show.h"

static hid_t file_with(const char* path, const char* group) {
  hid_t file = new_file(path);
  char name[50];
  new_group(file, group);
  snprintf(name, sizeof name, "%s/below", group);
  new_group(file, name);
  snprintf(name, sizeof name, "%s/data", group);
  new_dataset(file, name);
  return file;
}

static void show_file(hid_t id) {
  char name[60] = "?";
  long long length = (long long)H5Fget_name(id, name, sizeof name);
  printf("file of %lld bytes: %s\n", length, length > 0 ? name : "");
}

static void show_count(const char* what, hid_t file) {
  printf("%s: %d files, %d groups, %d datasets, %d in all files\n", what,
         (int)H5Fget_obj_count(file, H5F_OBJ_FILE), (int)H5Fget_obj_count(file, H5F_OBJ_GROUP),
         (int)H5Fget_obj_count(file, H5F_OBJ_DATASET), (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
}

/* Names of objects that were opened through a mount, before and after it ends. */
static void names(void) {
  hid_t parent = file_with("names_parent.h5", "mount"), child = file_with("names_child.h5", "inside");
  hid_t through, direct, root, hidden, deep, data, attribute, space = H5Screate(H5S_SCALAR);
  puts("-- names");
  hidden = H5Gopen2(parent, "mount/below", NONE);
  direct = H5Gopen2(child, "inside", NONE);
  CALL(H5Fmount(parent, "/mount", child, NONE));
  root = H5Gopen2(parent, "mount", NONE);
  through = H5Gopen2(parent, "mount/inside", NONE);
  deep = H5Gopen2(through, "below", NONE);
  data = H5Dopen2(parent, "mount/inside/data", NONE);
  attribute = H5Acreate2(data, "a", H5T_STD_I32LE, space, NONE, NONE);
  show_name(hidden);
  show_name(direct);
  show_name(root);
  show_name(through);
  show_name(deep);
  show_name(data);
  show_name(attribute);
  show_file(hidden);
  show_file(direct);
  show_file(through);
  show_file(attribute);
  OPEN(direct, "/mount");
  OPEN(direct, "/inside");
  OPEN(hidden, "/mount/inside");
  puts("unmounted");
  CALL(H5Funmount(parent, "/mount"));
  show_name(hidden);
  show_name(direct);
  show_name(root);
  show_name(through);
  show_name(deep);
  show_name(data);
  show_name(attribute);
  OPEN(through, "below");
  OPEN(through, "/inside");
  OPEN(through, "/mount");
  OPEN(hidden, ".");
  puts("mounted again");
  CALL(H5Fmount(parent, "mount/below", child, NONE));
  show_name(hidden);
  show_name(direct);
  show_name(root);
  show_name(through);
  show_name(deep);
  OPEN(through, "/mount");
  CALL(H5Funmount(parent, "mount/below"));
  show_name(through);
  H5Aclose(attribute);
  H5Gclose(hidden);
  H5Gclose(direct);
  H5Gclose(root);
  H5Gclose(through);
  H5Gclose(deep);
  H5Dclose(data);
  H5Sclose(space);
  CALL(H5Fclose(child));
  CALL(H5Fclose(parent));
}

/* The parent is closed while objects of the child are open. */
static void parent_closed(void) {
  hid_t parent = file_with("closed_parent.h5", "mount"), child = file_with("closed_child.h5", "inside");
  hid_t inside, data, again;
  int value = 0;
  puts("-- parent closed");
  CALL(H5Fmount(parent, "/mount", child, NONE));
  inside = H5Gopen2(parent, "mount/inside", NONE);
  data = H5Dopen2(parent, "mount/inside/data", NONE);
  show_count("parent", parent);
  show_count("child", child);
  CALL(H5Fclose(child));
  show_count("child closed", parent);
  CALL(H5Fclose(parent));
  printf("%d in all files\n", (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
  show_name(inside);
  show_file(inside);
  CALL(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value));
  VALUE(value);
  OPEN(inside, "below");
  OPEN(inside, "/mount");
  OPEN(inside, "/mount/inside");
  OPEN(inside, "/inside");
  again = H5Iget_file_id(inside);
  CALL_ID(again);
  show_file(again);
  OPEN(again, "/");
  OPEN(again, "mount");
  OPEN(again, "inside");
  CALL(H5Fclose(again));
  new_group(inside, "made");
  OPEN(inside, "made");
  CALL(H5Dclose(data));
  CALL(H5Gclose(inside));
  printf("%d in all files\n", (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
  again = H5Fopen("closed_child.h5", H5F_ACC_RDWR, NONE);
  CALL_ID(again);
  OPEN(again, "inside/made");
  CALL(H5Fclose(again));
}

/* The parent is closed, the child is not. */
static void child_open(void) {
  hid_t parent = file_with("first_parent.h5", "mount"), child = file_with("first_child.h5", "inside"), inside,
        group;
  puts("-- parent closed, child open");
  CALL(H5Fmount(parent, "/mount", child, NONE));
  inside = H5Gopen2(parent, "mount/inside", NONE);
  group = H5Gopen2(parent, "mount/inside/below", NONE);
  CALL(H5Fclose(parent));
  show_name(inside);
  OPEN(inside, "/mount");
  OPEN(child, "inside");
  OPEN(child, "/mount");
  show_count("child", child);
  CALL(H5Gclose(inside));
  OPEN(child, "/mount");
  CALL(H5Gclose(group));
  OPEN(child, "/mount");
  OPEN(child, "/inside");
  show_count("child", child);
  CALL(H5Fclose(child));
}

/* Objects of the parent keep the mount. */
static void parent_objects(void) {
  hid_t parent = file_with("kept_parent.h5", "mount"), child = file_with("kept_child.h5", "inside"), below,
        other;
  puts("-- objects of the parent");
  new_group(parent, "other");
  other = H5Gopen2(parent, "other", NONE);
  CALL(H5Fmount(parent, "/mount", child, NONE));
  CALL(H5Fclose(child));
  CALL(H5Fclose(parent));
  OPEN(other, "/mount/inside");
  below = H5Gopen2(other, "/mount/inside/below", NONE);
  CALL_ID(below);
  show_name(below);
  CALL(H5Gclose(other));
  show_name(below);
  OPEN(below, "/mount/inside");
  CALL(H5Gclose(below));
  printf("%d in all files\n", (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
}

/* Ids of the parent file that are opened twice. */
static void two_ids(void) {
  hid_t parent = file_with("two_parent.h5", "mount"), child = file_with("two_child.h5", "inside"), second,
        third;
  puts("-- two ids");
  second = H5Freopen(parent);
  CALL(H5Fmount(parent, "/mount", child, NONE));
  OPEN(second, "mount/inside");
  OPEN(second, "mount/below");
  third = H5Fopen("two_parent.h5", H5F_ACC_RDWR, NONE);
  OPEN(third, "mount/inside");
  CALL(H5Fmount(second, "/mount", child, NONE));
  CALL(H5Funmount(second, "/mount"));
  OPEN(parent, "mount/inside");
  CALL(H5Fclose(parent));
  OPEN(second, "mount/inside");
  OPEN(second, "mount/below");
  CALL(H5Fclose(second));
  CALL(H5Fclose(third));
  CALL(H5Fclose(child));
}

/* An id of the parent that the child is not mounted through does not keep the mount. */
static void other_ids(void) {
  hid_t parent = file_with("other_parent.h5", "mount"), child = file_with("other_child.h5", "inside"), second,
        group;
  puts("-- other ids");
  second = H5Freopen(parent);
  CALL(H5Fmount(parent, "mount", child, NONE));
  CALL(H5Fclose(parent));
  OPEN(second, "mount/inside");
  OPEN(child, "/mount");
  CALL(H5Fclose(child));
  OPEN(second, "mount/inside");
  OPEN(second, "mount/below");
  CALL(H5Fclose(second));
  parent = H5Fopen("other_parent.h5", H5F_ACC_RDWR, NONE);
  child = H5Fopen("other_child.h5", H5F_ACC_RDWR, NONE);
  second = H5Freopen(child);
  CALL(H5Fmount(parent, "mount", child, NONE));
  group = H5Gopen2(second, "inside", NONE);
  OPEN(second, "/mount");
  OPEN(group, "/mount");
  OPEN(group, "/inside");
  CALL(H5Fclose(parent));
  CALL(H5Fclose(child));
  show_name(group);
  parent = H5Fcreate("other_parent.h5", H5F_ACC_TRUNC, NONE, NONE);
  CALL_ID(parent);
  H5Fclose(parent);
  H5Gclose(group);
  CALL(H5Fclose(second));
}

/* Three files, of which the topmost is unmounted when only an object of the lowest is open. */
static void three_levels(void) {
  hid_t a = file_with("level_a.h5", "ma"), b = file_with("level_b.h5", "mb"),
        c = file_with("level_c.h5", "mc");
  hid_t group, root;
  puts("-- three levels");
  CALL(H5Fmount(a, "ma", b, NONE));
  CALL(H5Fmount(a, "ma/mb", c, NONE));
  group = H5Gopen2(a, "ma/mb/mc", NONE);
  root = H5Gopen2(a, "ma/mb", NONE);
  show_name(group);
  show_name(root);
  H5Fclose(a);
  H5Fclose(b);
  H5Fclose(c);
  OPEN(group, "/ma/mb/mc/below");
  CALL(H5Funmount(group, "/ma"));
  show_name(group);
  show_name(root);
  OPEN(group, "/mb");
  OPEN(group, "/ma");
  a = H5Fcreate("level_a.h5", H5F_ACC_TRUNC, NONE, NONE);
  CALL_ID(a);
  H5Fclose(a);
  CALL(H5Gclose(root));
  OPEN(group, "/mb/mc");
  CALL(H5Gclose(group));
  printf("%d in all files\n", (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
}

/* Links are moved and deleted through the mount. */
static void moved(void) {
  hid_t parent = file_with("moved_parent.h5", "mount"), child = file_with("moved_child.h5", "inside"), direct,
        through;
  puts("-- moved");
  direct = H5Gopen2(child, "inside/below", NONE);
  CALL(H5Fmount(parent, "mount", child, NONE));
  through = H5Gopen2(parent, "mount/inside/below", NONE);
  CALL(H5Lmove(parent, "mount/inside/below", parent, "mount/inside/renamed", NONE, NONE));
  show_name(through);
  show_name(direct);
  CALL(H5Ldelete(parent, "mount/inside/renamed", NONE));
  show_name(through);
  show_name(direct);
  H5Gclose(through);
  H5Gclose(direct);
  CALL(H5Funmount(parent, "mount"));
  CALL(H5Fclose(child));
  CALL(H5Fclose(parent));
}

/* One child in two parents, or twice in one. */
static void two_mounts(void) {
  hid_t parent = file_with("places_parent.h5", "mount"), other = file_with("places_other.h5", "mount");
  hid_t child = file_with("places_child.h5", "inside"), again;
  puts("-- two mounts");
  new_group(parent, "elsewhere");
  CALL(H5Fmount(parent, "/mount", child, NONE));
  CALL(H5Fmount(parent, "/elsewhere", child, NONE));
  CALL(H5Fmount(other, "/mount", child, NONE));
  again = H5Freopen(child);
  CALL(H5Fmount(parent, "/elsewhere", again, NONE));
  OPEN(parent, "elsewhere/inside");
  OPEN(parent, "mount/inside");
  CALL(H5Fmount(other, "/mount", again, NONE));
  CALL(H5Funmount(parent, "/mount"));
  OPEN(parent, "elsewhere/inside");
  CALL(H5Fmount(parent, "elsewhere/inside", parent, NONE));
  CALL(H5Funmount(parent, "/elsewhere"));
  CALL(H5Fclose(again));
  CALL(H5Fclose(child));
  CALL(H5Fclose(other));
  CALL(H5Fclose(parent));
}

static hid_t with_degree(const char* path, const char* group, H5F_close_degree_t degree) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = file_with(path, group);
  H5Fclose(file);
  H5Pset_fclose_degree(access, degree);
  file = H5Fopen(path, H5F_ACC_RDWR, access);
  H5Pclose(access);
  return file;
}

/* Close degrees of parent and child. */
static void degrees(H5F_close_degree_t of_parent, H5F_close_degree_t of_child) {
  hid_t parent = with_degree("degree_parent.h5", "mount", of_parent);
  hid_t child = with_degree("degree_child.h5", "inside", of_child), inside, outside;
  printf("-- degrees %d and %d\n", (int)of_parent, (int)of_child);
  CALL(H5Fmount(parent, "/mount", child, NONE));
  inside = H5Gopen2(parent, "mount/inside", NONE);
  CALL_ID(inside);
  if (inside < 0) {
    CALL(H5Fclose(child));
    CALL(H5Fclose(parent));
    return;
  }
  outside = H5Gopen2(parent, "/", NONE);
  CALL(H5Fclose(child));
  CALL(H5Iis_valid(inside));
  CALL(H5Fclose(parent));
  CALL(H5Iis_valid(inside));
  CALL(H5Iis_valid(outside));
  CALL(H5Iis_valid(parent));
  CALL(H5Iis_valid(child));
  if (H5Iis_valid(inside) > 0) {
    show_name(inside);
    OPEN(inside, "/mount");
    CALL(H5Gclose(inside));
  }
  if (H5Iis_valid(outside) > 0) CALL(H5Gclose(outside));
  if (H5Iis_valid(parent) > 0) CALL(H5Fclose(parent));
  if (H5Iis_valid(child) > 0) CALL(H5Fclose(child));
  printf("%d in all files\n", (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
}

int main(void) {
  quiet();
  names();
  parent_closed();
  child_open();
  parent_objects();
  two_ids();
  two_mounts();
  other_ids();
  three_levels();
  moved();
  degrees(H5F_CLOSE_WEAK, H5F_CLOSE_WEAK);
  degrees(H5F_CLOSE_SEMI, H5F_CLOSE_SEMI);
  degrees(H5F_CLOSE_STRONG, H5F_CLOSE_STRONG);
  degrees(H5F_CLOSE_WEAK, H5F_CLOSE_STRONG);
  degrees(H5F_CLOSE_STRONG, H5F_CLOSE_WEAK);
  degrees(H5F_CLOSE_SEMI, H5F_CLOSE_WEAK);
  degrees(H5F_CLOSE_WEAK, H5F_CLOSE_SEMI);
  degrees(H5F_CLOSE_STRONG, H5F_CLOSE_SEMI);
  degrees(H5F_CLOSE_DEFAULT, H5F_CLOSE_STRONG);
  degrees(H5F_CLOSE_DEFAULT, H5F_CLOSE_WEAK);
  return 0;
}
