/* SPDX-License-Identifier: Apache-2.0
 *
 * Deprecated functions on properties, and properties that are callbacks. */
#include "show.h"

static void use_filters(void) {
  const unsigned given[2] = {7, 8};
  unsigned flags = 99, values[4] = {0, 0, 0, 0};
  size_t count = 4;
  char name[40] = "";
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[1] = {4};
  H5Pset_chunk(list, 1, chunk);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 3);
  H5Pset_filter(list, (H5Z_filter_t)300, H5Z_FLAG_OPTIONAL, 2, given);
  CALL(H5Pget_filter1(list, 1, &flags, &count, values, sizeof name, name));
  printf("  %u %d %u '%s'\n", flags, (int)count, values[0], name);
  count = 4;
  CALL(H5Pget_filter_by_id1(list, (H5Z_filter_t)300, &flags, &count, values, 0, NULL));
  printf("  %u %d %u %u\n", flags, (int)count, values[0], values[1]);
  CALL(H5Pget_filter1(list, 9, &flags, &count, values, 0, NULL));
  CALL(H5Pget_filter_by_id1(list, (H5Z_filter_t)301, &flags, &count, values, 0, NULL));
  H5Pclose(list);
}

static void* allocate(size_t bytes, void* info) {
  ++*(int*)info;
  return malloc(bytes);
}
static void release(void* memory, void* info) {
  ++*(int*)info;
  free(memory);
}
static H5T_conv_ret_t on_fault(H5T_conv_except_t what, hid_t from, hid_t to, void* source, void* result,
                               void* data) {
  (void)from, (void)to, (void)source, (void)result, (void)data, (void)what;
  return H5T_CONV_ABORT;
}

static void use_transfer(void) {
  int allocated = 0, released = 0;
  H5MM_allocate_t a = NULL;
  H5MM_free_t f = NULL;
  void *a_info = NULL, *f_info = NULL;
  H5T_conv_except_func_t fault = NULL;
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  CALL(H5Pget_preserve(list));
  CALL(H5Pset_preserve(list, 1));
  CALL(H5Pget_preserve(list));
  CALL(H5Pset_vlen_mem_manager(list, allocate, &allocated, release, &released));
  CALL(H5Pget_vlen_mem_manager(list, &a, &a_info, &f, &f_info));
  VALUE(a == allocate && f == release && a_info == &allocated && f_info == &released);
  CALL(H5Pset_type_conv_cb(list, on_fault, &allocated));
  CALL(H5Pget_type_conv_cb(list, &fault, &a_info));
  VALUE(fault == on_fault && a_info == &allocated);
  CALL(H5Pget_preserve(-1));
  TRY(H5Pset_vlen_mem_manager(H5P_FILE_ACCESS_DEFAULT, allocate, NULL, release, NULL));
  H5Pclose(list);
}

static void use_own(void) {
  int value = 5, found = 0;
  hid_t cls = H5Pcreate_class(H5P_ROOT, "ours", NULL, NULL, NULL, NULL, NULL, NULL), list;
  CALL(H5Pregister1(cls, "registered", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pregister1(cls, "registered", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  list = H5Pcreate(cls);
  value = 6;
  CALL(H5Pinsert1(list, "inserted", sizeof value, &value, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert1(list, "inserted", sizeof value, &value, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pget(list, "registered", &found));
  VALUE(found);
  CALL(H5Pget(list, "inserted", &found));
  VALUE(found);
  H5Pclose(list);
  H5Pclose_class(cls);
}

static void* image_malloc(size_t bytes, H5FD_file_image_op_t op, void* data) {
  (void)op, (void)data;
  return malloc(bytes);
}
static void* data_copy(void* data) { return data; }
static herr_t data_free(void* data) {
  (void)data;
  return 0;
}

static void use_image(void) {
  int data = 1;
  H5FD_file_image_callbacks_t set, found;
  hsize_t offset = 99;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  memset(&set, 0, sizeof set);
  memset(&found, 0, sizeof found);
  CALL(H5Pget_file_image_callbacks(list, &found));
  VALUE(found.image_malloc == NULL && found.udata == NULL);
  set.image_malloc = image_malloc;
  set.udata = &data;
  SHOW_FAILURE(H5Pset_file_image_callbacks(list, &set));
  set.udata_copy = data_copy;
  set.udata_free = data_free;
  CALL(H5Pset_file_image_callbacks(list, &set));
  CALL(H5Pget_file_image_callbacks(list, &found));
  VALUE(found.image_malloc == image_malloc && found.udata == &data);
  CALL(H5Pget_family_offset(list, &offset));
  VALUE(offset);
  CALL(H5Pset_family_offset(list, 4096));
  CALL(H5Pget_family_offset(list, &offset));
  VALUE(offset);
  H5Pclose(list);
}

static herr_t see_object(hid_t where, const char* name, const H5O_info1_t* info, void* data) {
  (void)where, (void)data;
  printf("  %s %d %u\n", name, (int)info->type, info->rc);
  return 0;
}

static void use_objects(void) {
  H5O_info1_t info;
  H5F_info1_t file_info;
  haddr_t end = 0;
  hid_t file = new_file("properties_more.h5");
  new_group(file, "g");
  new_dataset(file, "g/d");
  new_type(file, "g/t");
  CALL(H5Oget_info_by_idx2(file, "g", H5_INDEX_NAME, H5_ITER_INC, 1, &info, H5O_INFO_BASIC, NONE));
  VALUE(info.type);
  SHOW_FAILURE(H5Oget_info_by_idx2(file, "g", H5_INDEX_NAME, H5_ITER_INC, 5, &info, H5O_INFO_BASIC, NONE));
  CALL(H5Ovisit_by_name2(file, "g", H5_INDEX_NAME, H5_ITER_INC, see_object, NULL, H5O_INFO_BASIC, NONE));
  SHOW_FAILURE(
      H5Ovisit_by_name2(file, "no", H5_INDEX_NAME, H5_ITER_INC, see_object, NULL, H5O_INFO_BASIC, NONE));
  CALL(H5Fget_eoa(file, &end));
  VALUE(end > 0);
  CALL(H5Fget_info1(file, &file_info));
  VALUE(file_info.super_ext_size);
  CALL(H5Fclose(file));
}

int main(void) {
  quiet();
  use_filters();
  use_transfer();
  use_own();
  use_image();
  use_objects();
  return 0;
}
