/* SPDX-License-Identifier: Apache-2.0 */
/* Event sets and asynchronous functions. HDF5's own connector runs every operation at once, so this program
   prints only what does not depend on that: arguments, results after waiting, and contents. */
#include <hdf5.h>

#include <H5ESdevelop.h>
#include <H5Idevelop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char* what, long long value) { printf("%s: %lld\n", what, value); }
static void sign(const char* what, long long value) {
  printf("%s: %s\n", what, value < 0 ? "failed" : "done");
}

/* Waits for everything and prints the outcome. */
static void wait_all(hid_t es) {
  size_t in_progress = 77;
  hbool_t failed = 1;
  herr_t result = H5ESwait(es, H5ES_WAIT_FOREVER, &in_progress, &failed);
  size_t count = 77, errors = 77;
  hbool_t status = 1;
  H5ESget_count(es, &count);
  H5ESget_err_status(es, &status);
  H5ESget_err_count(es, &errors);
  printf("wait %d: in progress %zu, failed %d, count %zu, status %d, errors %zu\n", (int)result, in_progress,
         (int)failed, count, (int)status, errors);
}

static herr_t count_links(hid_t group, const char* name, const H5L_info2_t* info, void* data) {
  printf("link %s, group %d\n", name, H5Iget_type(group) == H5I_GROUP || H5Iget_type(group) == H5I_FILE);
  ++*(int*)data;
  return 0;
}

static void arguments(void) {
  puts("-- arguments");
  hid_t es = H5EScreate();
  show("type", H5Iget_type(es));
  show("references", H5Iget_ref(es));
  size_t n = 5;
  uint64_t counter = 5;
  hbool_t flag = 1;
  hid_t space = H5Screate(H5S_SCALAR);
  H5ES_err_info_t info;
  void* request = &n;
  hid_t connector = 3;
  sign("count", H5ESget_count(es, &n));
  show("n", n);
  sign("count without output", H5ESget_count(es, NULL));
  sign("count of none", H5ESget_count(H5ES_NONE, &n));
  sign("count of another id", H5ESget_count(space, &n));
  sign("count of no id", H5ESget_count(-1, &n));
  sign("counter", H5ESget_op_counter(es, &counter));
  show("counter is", counter);
  sign("counter without output", H5ESget_op_counter(es, NULL));
  sign("counter of another id", H5ESget_op_counter(space, &counter));
  sign("wait", H5ESwait(es, 0, &n, &flag));
  show("in progress", n);
  show("failed", flag);
  sign("wait without count", H5ESwait(es, 0, NULL, &flag));
  sign("wait without flag", H5ESwait(es, 0, &n, NULL));
  sign("wait for another id", H5ESwait(space, 0, &n, &flag));
  sign("wait for none", H5ESwait(H5ES_NONE, 0, NULL, NULL));
  sign("wait a second", H5ESwait(es, 1000000000, &n, &flag));
  sign("cancel", H5EScancel(es, &n, &flag));
  show("not cancelled", n);
  sign("cancel without count", H5EScancel(es, NULL, &flag));
  sign("cancel without flag", H5EScancel(es, &n, NULL));
  sign("cancel another id", H5EScancel(space, &n, &flag));
  sign("cancel none", H5EScancel(H5ES_NONE, NULL, NULL));
  sign("status", H5ESget_err_status(es, &flag));
  show("status is", flag);
  sign("status without output", H5ESget_err_status(es, NULL));
  sign("status of another id", H5ESget_err_status(space, &flag));
  sign("error count", H5ESget_err_count(es, &n));
  show("errors", n);
  sign("error count of another id", H5ESget_err_count(space, &n));
  sign("error info", H5ESget_err_info(es, 1, &info, &n));
  show("cleared", n);
  sign("error info of size 0", H5ESget_err_info(es, 0, &info, &n));
  sign("error info without array", H5ESget_err_info(es, 1, NULL, &n));
  sign("error info without count", H5ESget_err_info(es, 1, &info, NULL));
  sign("error info of another id", H5ESget_err_info(space, 1, &info, &n));
  sign("error info of none", H5ESget_err_info(H5ES_NONE, 0, NULL, NULL));
  sign("free nothing", H5ESfree_err_info(0, &info));
  sign("free null", H5ESfree_err_info(1, NULL));
  sign("insert callback null", H5ESregister_insert_func(es, NULL, NULL));
  sign("insert callback of another id", H5ESregister_insert_func(space, NULL, NULL));
  sign("insert callback of none", H5ESregister_insert_func(H5ES_NONE, NULL, NULL));
  sign("complete callback null", H5ESregister_complete_func(es, NULL, NULL));
  sign("complete callback of another id", H5ESregister_complete_func(space, NULL, NULL));
  sign("requests", H5ESget_requests(es, H5_ITER_INC, &connector, &request, 1, &n));
  show("requests are", n);
  show("connector untouched", connector);
  sign("requests in unknown order", H5ESget_requests(es, H5_ITER_UNKNOWN, &connector, &request, 1, &n));
  sign("requests in order N", H5ESget_requests(es, H5_ITER_N, &connector, &request, 1, &n));
  sign("requests of another id", H5ESget_requests(space, H5_ITER_INC, &connector, &request, 1, &n));
  sign("requests of none", H5ESget_requests(H5ES_NONE, H5_ITER_INC, &connector, &request, 1, &n));
  sign("insert null", H5ESinsert_request(es, connector, NULL));
  sign("insert into another id", H5ESinsert_request(space, connector, &n));
  sign("insert of no connector", H5ESinsert_request(es, space, &n));
  sign("close another id", H5ESclose(space));
  sign("close none", H5ESclose(H5ES_NONE));
  sign("close no id", H5ESclose(-1));
  H5Iinc_ref(es);
  sign("close first", H5ESclose(es));
  show("valid", H5Iis_valid(es));
  sign("close", H5ESclose(es));
  show("valid", H5Iis_valid(es));
  sign("close again", H5ESclose(es));
  sign("count of a closed set", H5ESget_count(es, &n));
  H5Sclose(space);
}

static void bad_calls(hid_t es, hid_t file) {
  puts("-- wrong arguments of asynchronous functions");
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t plist = H5Pcreate(H5P_DATASET_XFER);
  int value = 1;
  hbool_t exists;
  H5G_info_t ginfo;
  sign("open file without name", H5Fopen_async(NULL, H5F_ACC_RDONLY, H5P_DEFAULT, es));
  sign("open file with empty name", H5Fopen_async("", H5F_ACC_RDONLY, H5P_DEFAULT, es));
  sign("open file with wrong list", H5Fopen_async("event_sets.h5", H5F_ACC_RDONLY, plist, es));
  sign("create file without name", H5Fcreate_async(NULL, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT, es));
  sign("create file with wrong list", H5Fcreate_async("x.h5", H5F_ACC_TRUNC, plist, H5P_DEFAULT, es));
  sign("open dataset in a dataspace", H5Dopen_async(space, "d", H5P_DEFAULT, es));
  sign("open dataset in no id", H5Dopen_async(-1, "d", H5P_DEFAULT, es));
  sign("open dataset without name", H5Dopen_async(file, NULL, H5P_DEFAULT, es));
  sign("open dataset with empty name", H5Dopen_async(file, "", H5P_DEFAULT, es));
  sign("open dataset with wrong list", H5Dopen_async(file, "d", plist, es));
  sign("create dataset of no type",
       H5Dcreate_async(file, "x", space, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es));
  sign("create dataset of no space",
       H5Dcreate_async(file, "x", H5T_NATIVE_INT, file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es));
  sign("write to a file", H5Dwrite_async(file, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value, es));
  sign("read from a file", H5Dread_async(file, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value, es));
  sign("space of a file", H5Dget_space_async(file, es));
  sign("extent of a file", H5Dset_extent_async(file, NULL, es));
  sign("open group in a dataspace", H5Gopen_async(space, "g", H5P_DEFAULT, es));
  sign("create group without name", H5Gcreate_async(file, NULL, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es));
  sign("group info without output", H5Gget_info_async(file, NULL, es));
  sign("group info of a dataspace", H5Gget_info_async(space, &ginfo, es));
  sign("open attribute without name", H5Aopen_async(file, NULL, H5P_DEFAULT, es));
  sign("read attribute of a file", H5Aread_async(file, H5T_NATIVE_INT, &value, es));
  sign("attribute exists in a dataspace", H5Aexists_async(space, "a", &exists, es));
  sign("rename attribute without name", H5Arename_async(file, "a", NULL, es));
  sign("link exists without name", H5Lexists_async(file, NULL, &exists, H5P_DEFAULT, es));
  sign("delete link without name", H5Ldelete_async(file, "", H5P_DEFAULT, es));
  sign("soft link without target", H5Lcreate_soft_async(NULL, file, "s", H5P_DEFAULT, H5P_DEFAULT, es));
  sign("hard link without location",
       H5Lcreate_hard_async(space, "a", file, "b", H5P_DEFAULT, H5P_DEFAULT, es));
  sign("open object without name", H5Oopen_async(file, NULL, H5P_DEFAULT, es));
  sign("copy object without name", H5Ocopy_async(file, NULL, file, "x", H5P_DEFAULT, H5P_DEFAULT, es));
  sign("open type in a dataspace", H5Topen_async(space, "t", H5P_DEFAULT, es));
  sign("commit no type", H5Tcommit_async(file, "t", space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es));
  sign("close file by dataspace", H5Fclose_async(space, es));
  sign("close dataset by file", H5Dclose_async(file, es));
  sign("close group by file", H5Gclose_async(file, es));
  sign("close attribute by file", H5Aclose_async(file, es));
  sign("close type by file", H5Tclose_async(file, es));
  sign("close predefined type", H5Tclose_async(H5T_NATIVE_INT, es));
  sign("close object by dataspace", H5Oclose_async(space, es));
  wait_all(es);
  H5Pclose(plist);
  H5Sclose(space);
}

/* Everything in one chain, without waiting in between. */
static void chain(hid_t es) {
  puts("-- a chain of operations");
  hsize_t dims[1] = {6}, max_dims[1] = {H5S_UNLIMITED}, chunk[1] = {4}, larger[1] = {9};
  int data[6] = {1, 2, 3, 4, 5, 6}, back[9] = {0}, attribute = 42, attribute_back = 0;
  hid_t file = H5Fcreate_async("event_sets.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT, es);
  sign("create file", file);
  hid_t group = H5Gcreate_async(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  hid_t space = H5Screate_simple(1, dims, max_dims);
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(dcpl, 1, chunk);
  hid_t type = H5Tcopy(H5T_STD_I32LE);
  hid_t dataset = H5Dcreate_async(group, "d", type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT, es);
  /* The operation has copies of these. */
  chunk[0] = 1;
  H5Pset_chunk(dcpl, 1, chunk);
  H5Pclose(dcpl);
  H5Tset_size(type, 8);
  H5Tclose(type);
  H5Sclose(space);
  char name[8] = "a";
  hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t attr = H5Acreate_async(dataset, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, es);
  strcpy(name, "other");
  sign("write attribute", H5Awrite_async(attr, H5T_NATIVE_INT, &attribute, es));
  sign("close attribute", H5Aclose_async(attr, es));
  sign("write", H5Dwrite_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data, es));
  sign("extend", H5Dset_extent_async(dataset, larger, es));
  larger[0] = 1;
  sign("close dataset", H5Dclose_async(dataset, es));
  show("dataset is valid", H5Iis_valid(dataset));
  sign("close dataset again", H5Dclose_async(dataset, es));
  sign("soft link", H5Lcreate_soft_async("/g/d", file, "soft", H5P_DEFAULT, H5P_DEFAULT, es));
  sign("hard link", H5Lcreate_hard_async(group, "d", file, "hard", H5P_DEFAULT, H5P_DEFAULT, es));
  sign("same location",
       H5Lcreate_hard_async(file, "hard", H5L_SAME_LOC, "same", H5P_DEFAULT, H5P_DEFAULT, es));
  sign("copy", H5Ocopy_async(file, "g", file, "copied", H5P_DEFAULT, H5P_DEFAULT, es));
  hid_t committed = H5Tcopy(H5T_STD_I16BE);
  sign("commit", H5Tcommit_async(file, "t", committed, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es));
  hid_t typed = H5Dcreate_async(file, "typed", committed, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es);
  show("committed", H5Tcommitted(committed));
  sign("close type", H5Tclose_async(committed, es));
  sign("close typed", H5Dclose_async(typed, es));
  sign("flush", H5Fflush_async(file, H5F_SCOPE_GLOBAL, es));
  sign("close group", H5Gclose_async(group, es));
  sign("close file", H5Fclose_async(file, es));
  H5Sclose(scalar);

  file = H5Fopen_async("event_sets.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  dataset = H5Dopen_async(file, "hard", H5P_DEFAULT, es);
  attr = H5Aopen_async(dataset, "a", H5P_DEFAULT, es);
  sign("read attribute", H5Aread_async(attr, H5T_NATIVE_INT, &attribute_back, es));
  sign("read", H5Dread_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back, es));
  hid_t file_space = H5Dget_space_async(dataset, es);
  wait_all(es);
  for (int i = 0; i < 9; ++i) printf("%d ", back[i]);
  printf("attribute %d\n", attribute_back);
  show("elements", H5Sget_simple_extent_npoints(file_space));
  H5Sclose(file_space);
  H5Aclose(attr);
  hid_t list = H5Dget_create_plist(dataset);
  H5Pget_chunk(list, 1, chunk);
  show("chunk", chunk[0]);
  H5Pclose(list);
  hid_t stored = H5Dget_type(dataset);
  show("bytes of an element", H5Tget_size(stored));
  H5Tclose(stored);
  H5Dclose(dataset);
  H5Fclose(file);
}

static void questions(hid_t es) {
  puts("-- questions");
  hid_t file = H5Fopen_async("event_sets.h5", H5F_ACC_RDWR, H5P_DEFAULT, es);
  hbool_t exists = 2, no_link = 2, has = 2;
  H5G_info_t info = {0}, by_name = {0}, by_index = {0};
  H5O_info2_t object = {0};
  hsize_t position = 0;
  int links = 0;
  H5Lexists_async(file, "soft", &exists, H5P_DEFAULT, es);
  H5Lexists_async(file, "nothing", &no_link, H5P_DEFAULT, es);
  H5Aexists_by_name_async(file, "g/d", "a", &has, H5P_DEFAULT, es);
  H5Gget_info_async(file, &info, es);
  H5Gget_info_by_name_async(file, "g", &by_name, H5P_DEFAULT, es);
  H5Gget_info_by_idx_async(file, "/", H5_INDEX_NAME, H5_ITER_INC, 1, &by_index, H5P_DEFAULT, es);
  H5Oget_info_by_name_async(file, "hard", &object, H5O_INFO_BASIC, H5P_DEFAULT, es);
  H5Literate_async(file, H5_INDEX_NAME, H5_ITER_INC, &position, count_links, &links, es);
  wait_all(es);
  printf("%d %d %d\n", exists, no_link, has);
  printf("links %d %d %d, references %u, visited %d, position %d\n", (int)info.nlinks, (int)by_name.nlinks,
         (int)by_index.nlinks, object.rc, links, (int)position);
  hid_t opened = H5Oopen_async(file, "g", H5P_DEFAULT, es);
  show("type of the object", H5Iget_type(opened));
  hid_t by_position = H5Oopen_by_idx_async(file, "/", H5_INDEX_NAME, H5_ITER_INC, 4, H5P_DEFAULT, es);
  show("type of the object", H5Iget_type(by_position));
  sign("close object", H5Oclose_async(opened, es));
  sign("close object", H5Oclose_async(by_position, es));
  hid_t type = H5Topen_async(file, "t", H5P_DEFAULT, es);
  show("bytes of the type", H5Tget_size(type));
  sign("close type", H5Tclose_async(type, es));
  sign("rename", H5Arename_by_name_async(file, "g/d", "a", "b", H5P_DEFAULT, es));
  hid_t attr = H5Aopen_by_name_async(file, "hard", "b", H5P_DEFAULT, H5P_DEFAULT, es);
  char name[8] = "";
  H5Aget_name(attr, sizeof name, name);
  puts(name);
  sign("close attribute", H5Aclose_async(attr, es));
  attr = H5Aopen_by_idx_async(file, "hard", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, H5P_DEFAULT, es);
  sign("close attribute", H5Aclose_async(attr, es));
  sign("delete", H5Ldelete_async(file, "same", H5P_DEFAULT, es));
  sign("delete by index", H5Ldelete_by_idx_async(file, "/", H5_INDEX_NAME, H5_ITER_DEC, 0, H5P_DEFAULT, es));
  hid_t again = H5Freopen_async(file, es);
  hid_t dataset = H5Dopen_async(again, "hard", H5P_DEFAULT, es);
  sign("flush object", H5Oflush_async(dataset, es));
  sign("refresh object", H5Orefresh_async(dataset, es));
  sign("close dataset", H5Dclose_async(dataset, es));
  sign("close", H5Fclose_async(again, es));
  /* A synchronous call sees what was queued before it. */
  show("same exists", H5Lexists(file, "same", H5P_DEFAULT));
  show("open objects", H5Fget_obj_count(file, H5F_OBJ_ALL));
  H5Fclose(file);
  wait_all(es);
}

static void references(hid_t es) {
  puts("-- references and several datasets");
  hid_t file = H5Fopen("event_sets.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  H5R_ref_t object, region;
  hsize_t start = 2, count = 3;
  hid_t space = H5Screate_simple(1, (hsize_t[]){9}, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
  H5Rcreate_object(file, "hard", H5P_DEFAULT, &object);
  H5Rcreate_region(file, "hard", space, H5P_DEFAULT, &region);
  hid_t found = H5Ropen_object_async(&object, H5P_DEFAULT, H5P_DEFAULT, es);
  hid_t selected = H5Ropen_region_async(&region, H5P_DEFAULT, H5P_DEFAULT, es);
  H5Rdestroy(&object);
  H5Rdestroy(&region);
  show("type", H5Iget_type(found));
  show("selected", H5Sget_select_npoints(selected));
  int first[3] = {0}, second[9] = {0};
  hid_t other = H5Dopen_async(file, "copied/d", H5P_DEFAULT, es);
  hid_t datasets[2] = {found, other}, types[2] = {H5T_NATIVE_INT, H5T_NATIVE_INT};
  hid_t memory[2] = {H5Screate_simple(1, &count, NULL), H5S_ALL}, files[2] = {selected, H5S_ALL};
  void* buffers[2] = {first, second};
  sign("read several", H5Dread_multi_async(2, datasets, types, memory, files, H5P_DEFAULT, buffers, es));
  H5Sclose(memory[0]);
  wait_all(es);
  printf("%d %d %d, %d %d\n", first[0], first[1], first[2], second[0], second[8]);
  memory[0] = H5Screate_simple(1, &count, NULL);
  const void* sources[2] = {second, second};
  sign("write several", H5Dwrite_multi_async(1, datasets, types, memory, files, H5P_DEFAULT, sources, es));
  H5Dread(found, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, second);
  for (int i = 0; i < 9; ++i) printf("%d ", second[i]);
  puts("");
  wait_all(es);
  H5Sclose(memory[0]);
  H5Sclose(space);
  H5Sclose(selected);
  H5Dclose(other);
  H5Dclose(found);
  H5Fclose(file);
}

/* Attributes that are made by a path, and opened by a reference, in a file of their own. */
static void attributes(hid_t es) {
  puts("-- attributes by path and by reference");
  H5R_ref_t reference;
  int number = 17, back = 0;
  char name[8] = "made", path[8] = "g";
  hid_t file = H5Fcreate("event_sets_attributes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t scalar = H5Screate(H5S_SCALAR);
  H5Gclose(group);
  hid_t made = H5Acreate_by_name_async(file, path, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT,
                                       H5P_DEFAULT, es);
  strcpy(name, "other");
  strcpy(path, "other");
  sign("write", H5Awrite_async(made, H5T_NATIVE_INT, &number, es));
  sign("close", H5Aclose_async(made, es));
  show("it is there", H5Aexists_by_name(file, "g", "made", H5P_DEFAULT));
  sign("refer to it", H5Rcreate_attr(file, "g", "made", H5P_DEFAULT, &reference));
  hid_t attr = H5Ropen_attr_async(&reference, H5P_DEFAULT, H5P_DEFAULT, es);
  H5Rdestroy(&reference); /* the operation has a copy */
  sign("read", H5Aread_async(attr, H5T_NATIVE_INT, &back, es));
  sign("close", H5Aclose_async(attr, es));
  wait_all(es);
  show("read", back);
  H5Rcreate_attr(file, "g", "made", H5P_DEFAULT, &reference);
  attr = H5Ropen_attr_async(&reference, H5P_DEFAULT, H5P_DEFAULT, H5ES_NONE);
  show("type without a set", H5Iget_type(attr));
  sign("close", H5Aclose(attr));
  H5Rdestroy(&reference);
  sign("open no reference", H5Ropen_attr_async(NULL, H5P_DEFAULT, H5P_DEFAULT, es));
  sign("open a reference with a wrong list", H5Ropen_attr_async(&reference, scalar, H5P_DEFAULT, es));
  sign("create without name", H5Acreate_by_name_async(file, "g", NULL, H5T_NATIVE_INT, scalar, H5P_DEFAULT,
                                                      H5P_DEFAULT, H5P_DEFAULT, es));
  sign("create in a dataspace", H5Acreate_by_name_async(scalar, "g", "x", H5T_NATIVE_INT, scalar, H5P_DEFAULT,
                                                        H5P_DEFAULT, H5P_DEFAULT, es));
  sign("create of no type",
       H5Acreate_by_name_async(file, "g", "x", scalar, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT, es));
  wait_all(es);
  /* The path is looked at when the operation runs. */
  made = H5Acreate_by_name_async(file, "nobody", "x", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT,
                                 H5P_DEFAULT, H5ES_NONE);
  sign("create at a path of nothing", made);
  H5Sclose(scalar);
  H5Fclose(file);
  remove("event_sets_attributes.h5");
}

static void without_set(void) {
  puts("-- without an event set");
  hid_t file = H5Fopen_async("event_sets.h5", H5F_ACC_RDWR, H5P_DEFAULT, H5ES_NONE);
  hid_t dataset = H5Dopen_async(file, "hard", H5P_DEFAULT, H5ES_NONE);
  int back[9] = {0};
  show("read", H5Dread_async(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back, H5ES_NONE));
  printf("%d %d\n", back[0], back[5]);
  sign("missing dataset", H5Dopen_async(file, "nothing", H5P_DEFAULT, H5ES_NONE));
  show("close", H5Dclose_async(dataset, H5ES_NONE));
  sign("close again", H5Dclose_async(dataset, H5ES_NONE));
  show("close file", H5Fclose_async(file, H5ES_NONE));
  sign("missing file", H5Fopen_async("nothing.h5", H5F_ACC_RDONLY, H5P_DEFAULT, H5ES_NONE));
}

static void paused_stacks(void) {
  puts("-- paused error stacks");
  hbool_t paused = 5;
  sign("is paused", H5Eis_paused(H5E_DEFAULT, &paused));
  show("paused", paused);
  sign("resume", H5Eresume_stack(H5E_DEFAULT));
  sign("pause", H5Epause_stack(H5E_DEFAULT));
  sign("pause", H5Epause_stack(H5E_DEFAULT));
  H5Eis_paused(H5E_DEFAULT, &paused);
  show("paused", paused);
  H5Fopen("nothing.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  show("records", H5Eget_num(H5E_DEFAULT));
  sign("resume", H5Eresume_stack(H5E_DEFAULT));
  H5Eis_paused(H5E_DEFAULT, &paused);
  show("paused", paused);
  sign("resume", H5Eresume_stack(H5E_DEFAULT));
  sign("resume", H5Eresume_stack(H5E_DEFAULT));
  H5Fopen("nothing.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  show("has records", H5Eget_num(H5E_DEFAULT) > 0);
  hid_t stack = H5Ecreate_stack();
  sign("pause", H5Epause_stack(stack));
  sign("push", H5Epush2(stack, "f", "g", 1, H5E_ERR_CLS, H5E_ARGS, H5E_BADVALUE, "text"));
  show("records", H5Eget_num(stack));
  sign("resume", H5Eresume_stack(stack));
  sign("push", H5Epush2(stack, "f", "g", 1, H5E_ERR_CLS, H5E_ARGS, H5E_BADVALUE, "text"));
  show("records", H5Eget_num(stack));
  sign("is paused without output", H5Eis_paused(stack, NULL));
  H5Eclose_stack(stack);
  sign("pause a closed stack", H5Epause_stack(stack));
  sign("resume a closed stack", H5Eresume_stack(stack));
  sign("is a closed stack paused", H5Eis_paused(stack, &paused));
}

static int realized, discarded;
static hid_t actual = H5I_INVALID_HID;
static herr_t realize(void* object, hid_t* id) {
  ++realized;
  *id = actual;
  return actual < 0 ? -1 : 0;
}
static herr_t discard(void* object) {
  ++discarded;
  return 0;
}
static herr_t release(void* object, void** request) {
  printf("released %d\n", *(int*)object);
  return 0;
}

static void futures(void) {
  puts("-- future ids");
  int future_object = 1, object = 2;
  H5I_type_t type = H5Iregister_type(8, 0, release);
  sign("without realize", H5Iregister_future(type, &future_object, NULL, discard));
  sign("without discard", H5Iregister_future(type, &future_object, realize, NULL));
  sign("of no type", H5Iregister_future(H5I_BADID, &future_object, realize, discard));
  hid_t id = H5Iregister_future(type, &future_object, realize, discard);
  sign("future", id);
  show("realized", realized);
  show("valid while realizing fails", H5Iis_valid(id));
  actual = H5Iregister(type, &object);
  show("object", *(int*)H5Iobject_verify(id, type));
  printf("realized %d, discarded %d\n", realized > 0, discarded);
  show("valid", H5Iis_valid(id));
  show("the actual id is valid", H5Iis_valid(actual));
  show("references after close", H5Idec_ref(id));
  actual = H5I_INVALID_HID;
  id = H5Iregister_future(type, &future_object, realize, discard);
  sign("destroy type", H5Idestroy_type(type));
  show("discarded", discarded);
  actual = H5Screate(H5S_SCALAR);
  id = H5Iregister_future(H5I_DATASPACE, &future_object, realize, discard);
  show("elements", H5Sget_simple_extent_npoints(id));
  show("close", H5Sclose(id));
  show("discarded", discarded);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  arguments();
  hid_t es = H5EScreate();
  chain(es);
  hid_t file = H5Fopen("event_sets.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  bad_calls(es, file);
  H5Fclose(file);
  questions(es);
  references(es);
  attributes(es);
  without_set();
  sign("close set", H5ESclose(es));
  paused_stacks();
  futures();
  return 0;
}
