/* SPDX-License-Identifier: Apache-2.0
 *
 * User-defined classes and properties, and when their callbacks are called. */
#include "show.h"

static herr_t on_class_create(hid_t id, void* data) {
  printf("    class %s: create %d\n", (const char*)data, id > 0);
  return 0;
}
static herr_t on_class_copy(hid_t fresh, hid_t old, void* data) {
  printf("    class %s: copy %d\n", (const char*)data, fresh > 0 && old > 0 && fresh != old);
  return 0;
}
static herr_t on_class_close(hid_t id, void* data) {
  printf("    class %s: close %d\n", (const char*)data, id > 0);
  return 0;
}

static herr_t log_call(const char* what, const char* name, size_t size, void* value) {
  printf("    %s %s (%d): %d\n", what, name, (int)size, *(int*)value);
  return 0;
}
static herr_t on_create(const char* name, size_t size, void* value) {
  log_call("create", name, size, value);
  *(int*)value += 1;
  return 0;
}
static herr_t on_copy(const char* name, size_t size, void* value) {
  log_call("copy", name, size, value);
  *(int*)value += 10;
  return 0;
}
static herr_t on_close(const char* name, size_t size, void* value) {
  return log_call("close", name, size, value);
}
static herr_t on_set(hid_t id, const char* name, size_t size, void* value) {
  (void)id;
  log_call("set", name, size, value);
  if (*(int*)value == 13) return -1;
  *(int*)value += 100;
  return 0;
}
static herr_t on_get(hid_t id, const char* name, size_t size, void* value) {
  (void)id;
  log_call("get", name, size, value);
  *(int*)value += 1000;
  return 0;
}
static herr_t on_delete(hid_t id, const char* name, size_t size, void* value) {
  (void)id;
  return log_call("delete", name, size, value);
}
static int on_compare(const void* a, const void* b, size_t size) {
  (void)size;
  printf("    compare %d %d\n", *(const int*)a, *(const int*)b);
  return *(const int*)a != *(const int*)b;
}

static herr_t see_name(hid_t id, const char* name, void* data) {
  (void)id;
  ++*(int*)data;
  return strcmp(name, "plain") == 0 ? 5 : 0;
}

static void show(hid_t list, const char* name) {
  int value = -1;
  CALL(H5Pget(list, name, &value));
  VALUE(value);
}

/* Three classes, two of which have a property of the same name. */
static void derive(void) {
  int value = 1;
  hid_t grand, parent, child, list, copy, again;
  grand = H5Pcreate_class(H5P_ROOT, "grand", on_class_create, "grand", on_class_copy, "grand", on_class_close,
                          "grand");
  parent = H5Pcreate_class(grand, "parent", NULL, NULL, NULL, NULL, NULL, NULL);
  child = H5Pcreate_class(parent, "child", on_class_create, "child", on_class_copy, "child", on_class_close,
                          "child");
  H5Pregister2(grand, "both", sizeof value, &value, on_create, NULL, NULL, on_delete, on_copy, NULL,
               on_close);
  H5Pregister2(grand, "old", sizeof value, &value, on_create, NULL, NULL, on_delete, on_copy, NULL, on_close);
  grand = (H5Pclose_class(grand), H5Pget_class_parent(parent));
  value = 2;
  H5Pregister2(child, "both", sizeof value, &value, on_create, NULL, NULL, on_delete, on_copy, NULL,
               on_close);
  H5Pregister2(child, "young", sizeof value, &value, NULL, NULL, NULL, on_delete, on_copy, NULL, on_close);
  puts("derived: create");
  list = H5Pcreate(child);
  puts("derived: copy");
  copy = H5Pcopy(list);
  puts("derived: set");
  CALL(H5Pset(copy, "both", &value));
  CALL(H5Pset(copy, "young", &value));
  puts("derived: copy again");
  again = H5Pcopy(copy);
  puts("derived: copy one");
  CALL(H5Pcopy_prop(again, list, "both"));
  puts("derived: close");
  H5Pclose(again);
  H5Pclose(copy);
  H5Pclose(list);
  H5Pclose_class(child);
  H5Pclose_class(parent);
  H5Pclose_class(grand);
}

int main(void) {
  int value = 5, seen = 0, at = 0;
  size_t n = 0;
  hid_t parent, child, list, copy, found;
  char* name;
  quiet();
  CALL(H5Pcreate_class(5, "x", NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pcreate_class(H5P_ROOT, "", NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pcreate_class(H5P_ROOT, "x", NULL, &value, NULL, NULL, NULL, NULL));
  parent =
      H5Pcreate_class(H5P_ROOT, "parent", on_class_create, "parent", NULL, NULL, on_class_close, "parent");
  CALL(H5Pregister2(parent, "inherited", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  child = H5Pcreate_class(parent, "child", on_class_create, "child", on_class_copy, "child", on_class_close,
                          "child");
  CALL(H5Pregister2(child, "logged", sizeof value, &value, on_create, on_set, on_get, on_delete, on_copy,
                    on_compare, on_close));
  CALL(H5Pregister2(child, "logged", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pregister2(child, "", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pregister2(child, "x", sizeof value, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  name = H5Pget_class_name(child);
  printf("%s\n", name);
  H5free_memory(name);
  found = H5Pget_class_parent(child);
  CALL(H5Pequal(found, parent));
  CALL(H5Pequal(child, parent));
  CALL(H5Pclose_class(found));
  CALL(H5Pget_nprops(child, &n));
  VALUE(n);
  CALL(H5Pexist(child, "logged"));
  CALL(H5Pexist(child, "inherited"));
  CALL(H5Pexist(child, "missing"));

  puts("create");
  list = H5Pcreate(child);
  CALL(H5Pget_nprops(list, &n));
  VALUE(n);
  CALL(H5Pisa_class(list, parent));
  CALL(H5Pisa_class(list, H5P_FILE_ACCESS));
  found = H5Pget_class(list);
  CALL(H5Pequal(found, child));
  H5Pclose_class(found);
  show(list, "inherited");
  show(list, "logged");
  value = 7;
  CALL(H5Pset(list, "logged", &value));
  show(list, "logged");
  value = 13;
  CALL(H5Pset(list, "logged", &value));
  show(list, "logged");
  CALL(H5Pset(list, "inherited", &value));
  show(list, "inherited");

  puts("insert");
  value = 40;
  CALL(H5Pinsert2(list, "plain", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(list, "zeta", sizeof value, &value, on_set, on_get, on_delete, on_copy, on_compare,
                  on_close));
  CALL(H5Pget_size(list, "zeta", &n));
  VALUE(n);
  CALL(H5Pget_nprops(list, &n));
  VALUE(n);
  CALL(H5Piterate(list, &at, see_name, &seen));
  printf("seen beyond the index: %d\n", seen - at);

  puts("copy");
  copy = H5Pcopy(list);
  show(copy, "logged");
  show(copy, "zeta");
  CALL(H5Pequal(list, list));
  puts("remove");
  CALL(H5Premove(copy, "logged"));
  CALL(H5Pexist(copy, "logged"));
  CALL(H5Pget(copy, "logged", &value));
  CALL(H5Premove(copy, "inherited"));
  CALL(H5Pexist(copy, "inherited"));
  CALL(H5Pinsert2(copy, "inherited", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pexist(copy, "inherited"));
  puts("copy one");
  TRY(H5Pcopy_prop(copy, list, "logged"));
  puts("close");
  CALL(H5Pclose(copy));
  CALL(H5Pclose(list));
  CALL(H5Punregister(child, "logged"));
  CALL(H5Punregister(child, "logged"));
  CALL(H5Pexist(child, "logged"));
  CALL(H5Pclose_class(child));
  CALL(H5Pclose_class(parent));
  derive();

  puts("the library's own names");
  list = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pexist(list, "layout"));
  CALL(H5Pexist(list, "pline"));
  CALL(H5Pexist(list, "fill_value"));
  CALL(H5Pexist(list, "max compact attr"));
  CALL(H5Pget_nprops(list, &n));
  VALUE(n);
  CALL(H5Pget_nprops(H5P_FILE_CREATE, &n));
  VALUE(n);
  H5Pset_attr_phase_change(list, 20, 10);
  show(list, "max compact attr");
  value = 30;
  CALL(H5Pset(list, "max compact attr", &value));
  show(list, "max compact attr");
  CALL(H5Pclose(list));
  CALL(H5Pclose(list));
  return 0;
}
