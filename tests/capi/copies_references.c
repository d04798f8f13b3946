/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Ocopy with expanded references. An object that a reference leads to first gets a name of its own, even
 * if the copied tree contains it later. */
#include "show.h"

static hid_t source, target;

static hobj_ref_t to(const char* path) {
  hobj_ref_t made = 0;
  H5Rcreate(&made, source, path, H5R_OBJECT, -1);
  return made;
}

static void refer_as_dataset(const char* name, const char* first, const char* second) {
  hobj_ref_t both[2];
  hsize_t dims[1] = {2};
  hid_t space = H5Screate_simple(1, dims, NULL);
  hid_t set = H5Dcreate2(source, name, H5T_STD_REF_OBJ, space, NONE, NONE, NONE);
  both[0] = to(first);
  both[1] = second == NULL ? 0 : to(second);
  H5Dwrite(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, NONE, both);
  H5Dclose(set);
  H5Sclose(space);
}

static void refer_as_attribute(const char* owner, const char* name, const char* path) {
  hobj_ref_t one = to(path);
  hid_t space = H5Screate(H5S_SCALAR), object = H5Oopen(source, owner, NONE);
  hid_t attribute = H5Acreate2(object, name, H5T_STD_REF_OBJ, space, NONE, NONE);
  H5Awrite(attribute, H5T_STD_REF_OBJ, &one);
  H5Aclose(attribute);
  H5Oclose(object);
  H5Sclose(space);
}

/* Names that contain addresses differ between libraries. */
static const char* plain(const char* name) {
  static char shown[200];
  const char* found = strstr(name, "~obj_pointed_by_");
  if (found == NULL) return name;
  found += 16;
  while (*found >= '0' && *found <= '9') ++found;
  snprintf(shown, sizeof shown, "(named by a reference)%s", found);
  return shown;
}

static char lines[100][300];
static int count;

static int by_text(const void* a, const void* b) { return strcmp((const char*)a, (const char*)b); }

static void show_lines(void) {
  int i;
  qsort(lines, count, sizeof lines[0], by_text);
  for (i = 0; i < count; ++i) puts(lines[i]);
  count = 0;
}

static herr_t see(hid_t group, const char* name, const H5O_info1_t* info, void* data) {
  (void)group, (void)data;
  snprintf(lines[count++], sizeof lines[0], "  %s: type %d, %u links, %d attributes", plain(name), info->type,
           info->rc, (int)info->num_attrs);
  return 0;
}

static void show_target(const char* file, hobj_ref_t reference) {
  char name[200] = "";
  hid_t found;
  if (reference == 0) {
    printf("  %s: nothing\n", file);
    return;
  }
  found = H5Rdereference2(target, NONE, H5R_OBJECT, &reference);
  printf("  %s: %s, type %d\n", file,
         H5Rget_name(target, H5R_OBJECT, &reference, name, sizeof name) > 0 ? plain(name) : "no name",
         found < 0 ? -1 : (int)H5Iget_type(found));
  if (found >= 0) H5Oclose(found);
}

static void show_dataset(const char* path) {
  hobj_ref_t both[2] = {0, 0};
  hid_t set = H5Dopen2(target, path, NONE);
  if (set < 0) return;
  H5Dread(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, NONE, both);
  show_target(path, both[0]);
  show_target(path, both[1]);
  H5Dclose(set);
}

static void show_attribute(const char* path, const char* name) {
  hobj_ref_t one = 0;
  hid_t attribute = H5Aopen_by_name(target, path, name, NONE, NONE);
  if (attribute < 0) return;
  H5Aread(attribute, H5T_STD_REF_OBJ, &one);
  show_target(path, one);
  H5Aclose(attribute);
}

/* The tree: a to z in the order of names, or of creation where that is tracked. References lead forward,
 * backward, outside and in circles. */
static void make_source(H5F_libver_t low) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), tracked = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_libver_bounds(fapl, low, H5F_LIBVER_LATEST);
  source = H5Fcreate("references.source", H5F_ACC_TRUNC, NONE, fapl);
  H5Pclose(fapl);
  if (low != H5F_LIBVER_EARLIEST) H5Pset_link_creation_order(tracked, H5P_CRT_ORDER_TRACKED);
  H5Gclose(H5Gcreate2(source, "top", NONE, tracked, NONE));
  H5Pclose(tracked);
  new_dataset(source, "outside");
  new_group(source, "far");
  new_dataset(source, "far/inner");
  new_group(source, "far/deep");
  new_dataset(source, "far/deep/leaf");
  new_dataset(source, "top/early");
  new_group(source, "top/group");
  new_dataset(source, "top/group/member");
  new_dataset(source, "top/zlast");
  new_dataset(source, "top/zthird");
  new_type(source, "top/ztype");
  refer_as_dataset("top/back", "top/early", NULL);
  refer_as_dataset("top/forward", "top/zlast", "top/group/member");
  refer_as_dataset("top/out", "outside", "far");
  refer_as_dataset("top/group/further", "top/zthird", "outside");
  refer_as_dataset("far/more", "top/ztype", "far/inner");
  refer_as_attribute("top", "ahead", "top/zthird");
  refer_as_attribute("top/early", "leaf", "far/deep/leaf");
  refer_as_attribute("top/group", "itself", "top/group");
  refer_as_attribute("top/zlast", "parent", "top");
}

static void copy(const char* name, const char* path, unsigned flags) {
  hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  printf("-- %s, %s, flags %u\n", name, path, flags);
  H5Pset_copy_object(list, flags);
  target = H5Fcreate(name, H5F_ACC_TRUNC, NONE, NONE);
  CALL(H5Ocopy(source, path, target, "copy", list, NONE));
  H5Ovisit1(target, H5_INDEX_NAME, H5_ITER_INC, see, NULL);
  show_lines();
  show_dataset("copy/back");
  show_dataset("copy/forward");
  show_dataset("copy/out");
  show_dataset("copy/group/further");
  show_attribute("copy", "ahead");
  show_attribute("copy/early", "leaf");
  show_attribute("copy/group", "itself");
  show_attribute("copy/zlast", "parent");
  H5Pclose(list);
  CALL(H5Fclose(target));
}

/* Within one file, only references in attributes are followed. */
static void copy_within(void) {
  hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  puts("-- within one file");
  H5Pset_copy_object(list, H5O_COPY_EXPAND_REFERENCE_FLAG);
  target = source;
  CALL(H5Ocopy(source, "top", target, "copy", list, NONE));
  H5Ovisit1(target, H5_INDEX_NAME, H5_ITER_INC, see, NULL);
  show_lines();
  show_dataset("copy/forward");
  show_attribute("copy", "ahead");
  show_attribute("copy/zlast", "parent");
  H5Pclose(list);
}

int main(void) {
  const H5F_libver_t versions[2] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST};
  int i;
  quiet();
  for (i = 0; i < 2; ++i) {
    make_source(versions[i]);
    copy("references.target", "top", H5O_COPY_EXPAND_REFERENCE_FLAG);
    copy("references.target", "top/out", H5O_COPY_EXPAND_REFERENCE_FLAG);
    copy("references.target", "far", H5O_COPY_EXPAND_REFERENCE_FLAG);
    copy("references.target", "top", H5O_COPY_EXPAND_REFERENCE_FLAG | H5O_COPY_SHALLOW_HIERARCHY_FLAG);
    copy("references.target", "top", H5O_COPY_EXPAND_REFERENCE_FLAG | H5O_COPY_WITHOUT_ATTR_FLAG);
    copy("references.target", "top", 0);
    copy_within();
    H5Fclose(source);
  }
  return 0;
}
