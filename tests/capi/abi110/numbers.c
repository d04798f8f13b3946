/* SPDX-License-Identifier: Apache-2.0
 *
 * Every number, structure and constant that means something else in later releases, as programs of HDF5 1.10
 * see it. The program is compiled with the headers of 1.10 only. */
#include <H5PLextern.h>
#include <hdf5_hl.h>

#include "../show.h"

#define NUMBER(expression) printf("%s %lld\n", #expression, (long long)(expression))
#define SIZE(type) printf("sizeof %s %lu\n", #type, (unsigned long)sizeof(type))
#define OFFSET(type, member) \
  printf("offset %s.%s %lu\n", #type, #member, (unsigned long)offsetof(type, member))

static herr_t release_object(void* object) {
  (void)object;
  return 0;
}

static void show_type_of(const char* what, hid_t id) {
  printf("%s: type %d\n", what, (int)H5Iget_type(id));
  if (id >= 0) H5Idec_ref(id);
}

static void types_of_ids(hid_t file) {
  hid_t space = H5Screate(H5S_SCALAR);
  int type;
  NUMBER(H5I_FILE);
  NUMBER(H5I_ATTR);
  NUMBER(H5I_REFERENCE);
  NUMBER(H5I_VFL);
  NUMBER(H5I_GENPROP_CLS);
  NUMBER(H5I_GENPROP_LST);
  NUMBER(H5I_ERROR_CLASS);
  NUMBER(H5I_ERROR_MSG);
  NUMBER(H5I_ERROR_STACK);
  NUMBER(H5I_NTYPES);
  NUMBER(H5Iget_type(file));
  show_type_of("group", H5Gopen2(file, "/", NONE));
  show_type_of("datatype", H5Tcopy(H5T_NATIVE_INT));
  show_type_of("dataspace", H5Screate(H5S_NULL));
  show_type_of("dataset", H5Dcreate2(file, "d", H5T_NATIVE_INT, space, NONE, NONE, NONE));
  show_type_of("attribute", H5Acreate2(file, "a", H5T_NATIVE_INT, space, NONE, NONE));
  show_type_of("driver", H5Pget_driver(H5P_FILE_ACCESS_DEFAULT));
  show_type_of("class", H5Pget_class(H5P_FILE_ACCESS_DEFAULT));
  show_type_of("property list", H5Pcreate(H5P_DATASET_XFER));
  show_type_of("error class", H5Eregister_class("class", "library", "1"));
  show_type_of("error stack", H5Eget_current_stack());
  NUMBER(H5Iget_type(H5E_ERR_CLS));
  NUMBER(H5Iget_type(H5E_ARGS));
  NUMBER(H5Iget_type(H5T_NATIVE_INT));
  NUMBER(H5Iget_type(H5FD_SEC2));
  NUMBER(H5Iget_type(H5P_FILE_ACCESS));
  NUMBER(H5Iget_type(-1));
  NUMBER(H5Iget_type(0));
  for (type = -2; type < 20; ++type) {
    hsize_t members = 0;
    printf("type %d\n", type);
    TRY(H5Itype_exists((H5I_type_t)type));
    TRY(H5Inmembers((H5I_type_t)type, &members));
    TRY(H5Iget_type_ref((H5I_type_t)type));
    TRY(H5Iclear_type((H5I_type_t)type, 0));
    TRY(H5Iregister((H5I_type_t)type, &type) >= 0);
    TRY(H5Iobject_verify(file, (H5I_type_t)type) != NULL);
  }
  H5Sclose(space);
}

static void types_of_programs(void) {
  int first = 1, second = 2;
  hsize_t members = 0;
  H5I_type_t own = H5Iregister_type(64, 0, release_object), other;
  hid_t id;
  NUMBER(own);
  id = H5Iregister(own, &first);
  NUMBER(H5Iget_type(id));
  H5Iregister(own, &second);
  NUMBER(H5Inmembers(own, &members));
  NUMBER(members);
  NUMBER(H5Iobject_verify(id, own) == &first);
  NUMBER(H5Iinc_type_ref(own));
  NUMBER(H5Idec_type_ref(own));
  NUMBER(H5Iremove_verify(id, own) == &first);
  NUMBER(H5Iclear_type(own, 1));
  other = H5Iregister_type(64, 0, release_object);
  NUMBER(other);
  NUMBER(H5Itype_exists(other));
  NUMBER(H5Idestroy_type(own));
  NUMBER(H5Itype_exists(own));
  NUMBER(H5Idestroy_type(other));
}

static void show_bounds(hid_t list) {
  H5F_libver_t low = H5F_LIBVER_ERROR, high = H5F_LIBVER_ERROR, named = H5F_LIBVER_ERROR;
  NUMBER(H5Pget_libver_bounds(list, &low, &high));
  NUMBER(H5Pget(list, "libver_high_bound", &named));
  printf("bounds %d %d %d\n", (int)low, (int)high, (int)named);
}

static void versions(hid_t file) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), same = H5Pcreate(H5P_FILE_ACCESS), access;
  unsigned major, minor, release;
  int low, high;
  char encoded[4000];
  size_t bytes = sizeof encoded;
  NUMBER(H5F_LIBVER_LATEST);
  NUMBER(H5F_LIBVER_NBOUNDS);
  NUMBER(H5_VERS_MINOR);
  NUMBER(H5_VERS_RELEASE);
  NUMBER(H5get_libversion(&major, &minor, &release));
  printf("%u.%u.%u\n", major, minor, release);
  NUMBER(H5check_version(major, minor, release));
  show_bounds(list);
  for (low = -1; low < 6; ++low)
    for (high = -1; high < 6; ++high) {
      printf("%d %d: ", low, high);
      TRY(H5Pset_libver_bounds(list, (H5F_libver_t)low, (H5F_libver_t)high));
    }
  show_bounds(list);
  NUMBER(H5Pset_libver_bounds(same, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST));
  NUMBER(H5Pequal(same, H5P_FILE_ACCESS_DEFAULT));
  NUMBER(H5Pencode(same, encoded, &bytes));
  list = H5Pdecode(encoded);
  show_bounds(list);
  NUMBER(H5Pequal(list, same));
  NUMBER(H5Fset_libver_bounds(file, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  access = H5Fget_access_plist(file);
  show_bounds(access);
}

static void layouts(void) {
  int layout;
  NUMBER(H5D_NLAYOUTS);
  for (layout = -2; layout < 8; ++layout) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    printf("layout %d: ", layout);
    TRY(H5Pset_layout(list, (H5D_layout_t)layout));
    NUMBER(H5Pget_layout(list));
    H5Pclose(list);
  }
}

static void ends(hid_t file) {
  hobj_ref_t reference;
  H5_alloc_stats_t allocated;
  int type;
  NUMBER(H5O_TYPE_NTYPES);
  NUMBER(H5R_MAXTYPE);
  NUMBER(H5PL_TYPE_NONE);
  NUMBER(H5T_NCLASSES);
  NUMBER(H5D_MPIO_NO_COLLECTIVE_MAX_CAUSE);
  for (type = -1; type < 6; ++type)
    if (type != H5R_DATASET_REGION) TRY(H5Rcreate(&reference, file, "/", (H5R_type_t)type, -1));
  NUMBER(H5get_alloc_stats(&allocated));
  NUMBER(allocated.total_alloc_bytes + allocated.peak_alloc_blocks_count);
}

static herr_t see_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  (void)group, (void)data;
  printf("link %s: %d %d %d %llu\n", name, (int)info->type, (int)info->corder_valid, (int)info->cset,
         info->type == H5L_TYPE_HARD ? 0ULL : (unsigned long long)info->u.val_size);
  return 0;
}

static herr_t see_object(hid_t object, const char* name, const H5O_info_t* info, void* data) {
  (void)object, (void)data;
  printf("object %s: %d %u %llu, %u messages\n", name, (int)info->type, info->rc,
         (unsigned long long)info->num_attrs, info->hdr.nmesgs);
  return 0;
}

static void structures(hid_t file) {
  H5O_info_t info;
  H5L_info_t link;
  SIZE(H5O_info_t);
  OFFSET(H5O_info_t, meta_size);
  SIZE(H5L_info_t);
  OFFSET(H5L_info_t, u);
  SIZE(H5FD_class_t);
  OFFSET(H5FD_class_t, flush);
  H5Lcreate_soft("/d", file, "soft", NONE, NONE);
  NUMBER(H5Oget_info(file, &info));
  printf("%d %u %llu\n", (int)info.type, info.rc, (unsigned long long)info.num_attrs);
  NUMBER(H5Oget_info_by_name(file, "d", &info, NONE));
  printf("%d %u %llu\n", (int)info.type, info.rc, (unsigned long long)info.num_attrs);
  NUMBER(H5Lget_info(file, "soft", &link, NONE));
  printf("%d %llu\n", (int)link.type, (unsigned long long)link.u.val_size);
  NUMBER(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, see_link, NULL));
  NUMBER(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, see_link, NULL));
  NUMBER(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, see_object, NULL));
  NUMBER(H5Iget_type(H5E_ATOM) == H5I_ERROR_MSG && H5Iget_type(H5E_BADATOM) == H5I_ERROR_MSG);
}

static void plug_ins(void) {
  char path[300] = "";
  unsigned folders = 99;
  NUMBER(H5PLsize(&folders));
  NUMBER(folders);
  NUMBER(H5PLget(0, path, sizeof path));
  printf("%s\n", path);
}

int main(void) {
  hid_t file;
  quiet();
  plug_ins();
  file = new_file("numbers.h5");
  types_of_ids(file);
  types_of_programs();
  layouts();
  ends(file);
  structures(file);
  versions(file);
  H5Fclose(file);
  return 0;
}
