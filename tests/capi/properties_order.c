/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of iteration over properties: those that were set first, then those of the classes. */
#include "show.h"

static herr_t see(hid_t id, const char* name, void* data) {
  (void)id;
  printf("%s%s", (*(int*)data)++ == 0 ? "  " : ", ", name);
  return 0;
}

static void order(const char* what, hid_t list) {
  int seen = 0;
  printf("%s\n", what);
  H5Piterate(list, NULL, see, &seen);
  printf("\n");
}

/* Shows a list of an object, and closes it. */
static void order_once(const char* what, hid_t list) {
  order(what, list);
  H5Pclose(list);
}

/* Creates a list of the class, and shows how the call changes its order. */
#define SET(cls, call)                     \
  do {                                     \
    hid_t list = H5Pcreate(cls);           \
    (void)(call);                          \
    order(#call, list);                    \
    order_once("its copy", H5Pcopy(list)); \
    H5Pclose(list);                        \
  } while (0)

static void of_classes(void) {
  SET(H5P_OBJECT_CREATE, 0);
  SET(H5P_FILE_CREATE, 0);
  SET(H5P_FILE_ACCESS, 0);
  SET(H5P_DATASET_CREATE, 0);
  SET(H5P_DATASET_ACCESS, 0);
  SET(H5P_DATASET_XFER, 0);
  SET(H5P_FILE_MOUNT, 0);
  SET(H5P_GROUP_CREATE, 0);
  SET(H5P_GROUP_ACCESS, 0);
  SET(H5P_DATATYPE_CREATE, 0);
  SET(H5P_DATATYPE_ACCESS, 0);
  SET(H5P_STRING_CREATE, 0);
  SET(H5P_ATTRIBUTE_CREATE, 0);
  SET(H5P_OBJECT_COPY, 0);
  SET(H5P_LINK_CREATE, 0);
  SET(H5P_LINK_ACCESS, 0);
  SET(H5P_ATTRIBUTE_ACCESS, 0);
  order("a class", H5P_FILE_CREATE);
}

static void of_file_creation(void) {
  SET(H5P_FILE_CREATE, H5Pset_userblock(list, 512));
  SET(H5P_FILE_CREATE, H5Pset_sizes(list, 4, 0));
  SET(H5P_FILE_CREATE, H5Pset_sizes(list, 0, 4));
  SET(H5P_FILE_CREATE, H5Pset_sizes(list, 8, 8));
  SET(H5P_FILE_CREATE, H5Pset_sym_k(list, 3, 0));
  SET(H5P_FILE_CREATE, H5Pset_sym_k(list, 0, 5));
  SET(H5P_FILE_CREATE, H5Pset_istore_k(list, 3));
  SET(H5P_FILE_CREATE, H5Pset_shared_mesg_nindexes(list, 2));
  SET(H5P_FILE_CREATE, (H5Pset_shared_mesg_nindexes(list, 2), H5Pset_shared_mesg_index(list, 1, 2, 20)));
  SET(H5P_FILE_CREATE, H5Pset_shared_mesg_phase_change(list, 20, 10));
  SET(H5P_FILE_CREATE, H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, 1, 1));
  SET(H5P_FILE_CREATE, H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_NONE, 1, 1));
  SET(H5P_FILE_CREATE, H5Pset_file_space_page_size(list, 8192));
}

static void of_file_access(void) {
  H5AC_cache_config_t cache;
  hid_t given = H5Pcreate(H5P_FILE_ACCESS);
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(given, &cache);
  H5Pclose(given);
  SET(H5P_FILE_ACCESS, H5Pset_alignment(list, 1, 16));
  SET(H5P_FILE_ACCESS, H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  SET(H5P_FILE_ACCESS, H5Pset_meta_block_size(list, 4096));
  SET(H5P_FILE_ACCESS, H5Pset_small_data_block_size(list, 4096));
  SET(H5P_FILE_ACCESS, H5Pset_sieve_buf_size(list, 4096));
  SET(H5P_FILE_ACCESS, H5Pset_cache(list, 0, 100, 1000, 0.5));
  SET(H5P_FILE_ACCESS, H5Pset_mdc_config(list, &cache));
  SET(H5P_FILE_ACCESS, H5Pset_fclose_degree(list, H5F_CLOSE_WEAK));
  SET(H5P_FILE_ACCESS, H5Pset_metadata_read_attempts(list, 3));
  SET(H5P_FILE_ACCESS, H5Pset_page_buffer_size(list, 8192, 10, 10));
  SET(H5P_FILE_ACCESS, H5Pset_elink_file_cache_size(list, 3));
  SET(H5P_FILE_ACCESS, H5Pset_family_offset(list, 3));
  SET(H5P_FILE_ACCESS, H5Pset_file_image(list, "abc", 3));
  SET(H5P_FILE_ACCESS, H5Pset_fapl_core(list, 4096, 0));
  SET(H5P_FILE_ACCESS, H5Pset_fapl_sec2(list));
  SET(H5P_FILE_ACCESS, H5Pset_fapl_stdio(list));
  SET(H5P_FILE_ACCESS, H5Pset_fapl_family(list, 4096, H5P_DEFAULT));
  SET(H5P_FILE_ACCESS, (H5Pset_fapl_family(list, 4096, H5P_DEFAULT), H5Pset_family_offset(list, 3)));
  SET(H5P_FILE_ACCESS, H5Pset_fapl_split(list, ".a", H5P_DEFAULT, ".b", H5P_DEFAULT));
}

static void of_dataset_creation(void) {
  const hsize_t dims[1] = {10};
  const int fill = 3;
  const unsigned one = 1;
  hid_t space = H5Screate_simple(1, dims, NULL);
  SET(H5P_DATASET_CREATE, H5Pset_chunk(list, 1, dims));
  SET(H5P_DATASET_CREATE, H5Pset_layout(list, H5D_CONTIGUOUS));
  SET(H5P_DATASET_CREATE, H5Pset_layout(list, H5D_COMPACT));
  SET(H5P_DATASET_CREATE, H5Pset_layout(list, H5D_CHUNKED));
  SET(H5P_DATASET_CREATE, H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
  SET(H5P_DATASET_CREATE, H5Pset_alloc_time(list, H5D_ALLOC_TIME_DEFAULT));
  SET(H5P_DATASET_CREATE, (H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY), H5Pset_layout(list, H5D_CHUNKED)));
  SET(H5P_DATASET_CREATE, H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
  SET(H5P_DATASET_CREATE, H5Pset_fill_value(list, H5T_NATIVE_INT, &fill));
  SET(H5P_DATASET_CREATE, H5Pset_fill_value(list, H5T_NATIVE_INT, NULL));
  SET(H5P_DATASET_CREATE, H5Pset_external(list, "raw", 0, 40));
  SET(H5P_DATASET_CREATE, H5Pset_virtual(list, space, "f", "d", space));
  SET(H5P_DATASET_CREATE, H5Pset_deflate(list, 1));
  SET(H5P_DATASET_CREATE, H5Pset_filter(list, 1, 0, 1, &one));
  SET(H5P_DATASET_CREATE, (H5Pset_shuffle(list), H5Premove_filter(list, 2)));
  SET(H5P_DATASET_CREATE, (H5Pset_deflate(list, 1), H5Pmodify_filter(list, 1, 0, 1, &one)));
  SET(H5P_DATASET_CREATE, H5Premove_filter(list, H5Z_FILTER_ALL));
  SET(H5P_DATASET_CREATE, H5Pset_attr_phase_change(list, 8, 6));
  SET(H5P_DATASET_CREATE, H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED));
  SET(H5P_DATASET_CREATE, H5Pset_obj_track_times(list, 1));
  H5Sclose(space);
}

static void of_the_rest(void) {
  SET(H5P_DATASET_ACCESS, H5Pset_chunk_cache(list, 1, 2, 0.5));
  SET(H5P_DATASET_ACCESS, H5Pset_virtual_view(list, H5D_VDS_FIRST_MISSING));
  SET(H5P_DATASET_ACCESS, H5Pset_virtual_printf_gap(list, 2));
  SET(H5P_DATASET_ACCESS, H5Pset_virtual_prefix(list, "a"));
  SET(H5P_DATASET_ACCESS, H5Pset_efile_prefix(list, "a"));
  SET(H5P_LINK_ACCESS, H5Pset_nlinks(list, 3));
  SET(H5P_LINK_ACCESS, H5Pset_elink_prefix(list, "a"));
  SET(H5P_LINK_ACCESS, H5Pset_elink_fapl(list, H5P_DEFAULT));
  SET(H5P_LINK_ACCESS, H5Pset_elink_acc_flags(list, H5F_ACC_RDONLY));
  SET(H5P_DATASET_XFER, H5Pset_buffer(list, 1000, NULL, NULL));
  SET(H5P_DATASET_XFER, H5Pset_preserve(list, 1));
  SET(H5P_DATASET_XFER, H5Pset_edc_check(list, H5Z_DISABLE_EDC));
  SET(H5P_DATASET_XFER, H5Pset_data_transform(list, "x+1"));
  SET(H5P_DATASET_XFER, H5Pset_vlen_mem_manager(list, NULL, NULL, NULL, NULL));
  SET(H5P_DATASET_XFER, H5Pset_type_conv_cb(list, NULL, NULL));
  SET(H5P_GROUP_CREATE, H5Pset_local_heap_size_hint(list, 3));
  SET(H5P_GROUP_CREATE, H5Pset_link_phase_change(list, 8, 6));
  SET(H5P_GROUP_CREATE, H5Pset_est_link_info(list, 4, 8));
  SET(H5P_GROUP_CREATE, H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED));
  SET(H5P_LINK_CREATE, H5Pset_char_encoding(list, H5T_CSET_UTF8));
  SET(H5P_LINK_CREATE, H5Pset_create_intermediate_group(list, 1));
  SET(H5P_OBJECT_COPY, H5Pset_copy_object(list, 1));
  SET(H5P_OBJECT_COPY, H5Padd_merge_committed_dtype_path(list, "/a"));
  SET(H5P_OBJECT_COPY, H5Pfree_merge_committed_dtype_paths(list));
  SET(H5P_OBJECT_COPY, H5Pset_mcdt_search_cb(list, NULL, NULL));
}

static herr_t leave(const char* name, size_t size, void* value) {
  (void)name, (void)size, (void)value;
  return 0;
}
static herr_t add(const char* name, size_t size, void* value) {
  (void)name, (void)size;
  ++*(int*)value;
  return 0;
}

/* Functions that set a value put the property into the list itself. */
static void of_callbacks(void) {
  int value = 1;
  hid_t cls = H5Pcreate_class(H5P_LINK_CREATE, "own", NULL, NULL, NULL, NULL, NULL, NULL);
  hid_t list, copy;
  H5Pregister2(cls, "plain", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  H5Pregister2(cls, "created", sizeof value, &value, leave, NULL, NULL, NULL, NULL, NULL, NULL);
  H5Pregister2(cls, "created anew", sizeof value, &value, add, NULL, NULL, NULL, NULL, NULL, NULL);
  H5Pregister2(cls, "copied", sizeof value, &value, NULL, NULL, NULL, NULL, leave, NULL, NULL);
  H5Pregister2(cls, "copied anew", sizeof value, &value, NULL, NULL, NULL, NULL, add, NULL, NULL);
  order("class with functions", cls);
  list = H5Pcreate(cls);
  order("list with functions", list);
  copy = H5Pcopy(list);
  order("copy with functions", copy);
  order_once("copy of the copy", H5Pcopy(copy));
  H5Pclose(copy);
  H5Pclose(list);
  H5Pclose_class(cls);
}

/* User-defined properties are sorted with the others. Properties that were set stay so in copies. */
static void of_programs(void) {
  int value = 1;
  hid_t cls = H5Pcreate_class(H5P_LINK_CREATE, "own", NULL, NULL, NULL, NULL, NULL, NULL);
  hid_t list, copy;
  H5Pregister2(cls, "zeta", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  H5Pregister2(cls, "alpha", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  H5Pregister2(cls, "mu", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  order("own class", cls);
  list = H5Pcreate(cls);
  order("own list", list);
  H5Pinsert2(list, "inserted", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL);
  H5Pinsert2(list, "other", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL);
  order("after insertions", list);
  H5Pset_create_intermediate_group(list, 1);
  H5Pset(list, "mu", &value);
  order("after changes", list);
  copy = H5Pcopy(list);
  order("a copy", copy);
  H5Premove(copy, "zeta");
  H5Premove(copy, "inserted");
  H5Premove(copy, "intermediate_group");
  order("after removals", copy);
  H5Pinsert2(copy, "zeta", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL);
  order("again there", copy);
  H5Pclose(copy);
  H5Pclose(list);
  H5Pclose_class(cls);
}

static void of_files(void) {
  hsize_t dims[1] = {10}, chunk[1] = {5};
  hid_t file, set, space = H5Screate_simple(1, dims, NULL), made = H5Pcreate(H5P_DATASET_CREATE), group;
  hid_t compact = H5Pcreate(H5P_DATASET_CREATE), tracked = H5Pcreate(H5P_GROUP_CREATE);
  int again;
  H5Pset_chunk(made, 1, chunk);
  H5Pset_deflate(made, 1);
  file = H5Fcreate("order.h5", H5F_ACC_TRUNC, NONE, NONE);
  H5Dclose(H5Dcreate2(file, "chunked", H5T_NATIVE_INT, space, NONE, made, NONE));
  H5Pset_layout(compact, H5D_COMPACT);
  H5Dclose(H5Dcreate2(file, "compact", H5T_NATIVE_INT, space, NONE, compact, NONE));
  H5Pset_link_creation_order(tracked, H5P_CRT_ORDER_TRACKED);
  H5Gclose(H5Gcreate2(file, "tracked", NONE, tracked, NONE));
  H5Dclose(H5Dcreate2(file, "plain", H5T_NATIVE_INT, space, NONE, NONE, NONE));
  for (again = 0; again < 2; ++again) {
    order_once("file creation", H5Fget_create_plist(file));
    order_once("file access", H5Fget_access_plist(file));
    set = H5Dopen2(file, "chunked", NONE);
    order_once("creation of chunked", H5Dget_create_plist(set));
    order_once("access of chunked", H5Dget_access_plist(set));
    H5Dclose(set);
    set = H5Dopen2(file, "plain", NONE);
    order_once("creation of plain", H5Dget_create_plist(set));
    H5Dclose(set);
    set = H5Dopen2(file, "compact", NONE);
    order_once("creation of compact", H5Dget_create_plist(set));
    H5Dclose(set);
    group = H5Gopen2(file, "tracked", NONE);
    order_once("creation of a tracked group", H5Gget_create_plist(group));
    H5Gclose(group);
    group = H5Gopen2(file, "/", NONE);
    order_once("creation of a group", H5Gget_create_plist(group));
    H5Gclose(group);
    H5Fclose(file);
    file = H5Fopen("order.h5", H5F_ACC_RDONLY, NONE);
  }
  H5Fclose(file);
  H5Sclose(space);
  H5Pclose(made);
  H5Pclose(compact);
  H5Pclose(tracked);
}

int main(void) {
  quiet();
  of_classes();
  of_file_creation();
  of_file_access();
  of_dataset_creation();
  of_the_rest();
  of_callbacks();
  of_programs();
  of_files();
  return 0;
}
