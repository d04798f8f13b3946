/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions with which a VOL connector passes calls on to the native one. */
#include "show.h"

static hid_t native, access_list;
static void* file; /* that of an id */

static H5VL_loc_params_t self_of(H5I_type_t type) {
  H5VL_loc_params_t made;
  memset(&made, 0, sizeof made);
  made.obj_type = type;
  made.type = H5VL_OBJECT_BY_SELF;
  return made;
}

static H5VL_loc_params_t named(H5I_type_t type, const char* name) {
  H5VL_loc_params_t made = self_of(type);
  made.type = H5VL_OBJECT_BY_NAME;
  made.loc_data.loc_by_name.name = name;
  made.loc_data.loc_by_name.lapl_id = H5P_LINK_ACCESS_DEFAULT;
  return made;
}

static void files(void) {
  H5VL_file_cont_info_t info = {H5VL_CONTAINER_INFO_VERSION, 9, 9, 9};
  H5VL_file_get_args_t get;
  H5VL_file_specific_args_t specific;
  char name[40];
  size_t length = 0;
  unsigned flags = 99;
  hbool_t yes = 0;
  get.op_type = H5VL_FILE_GET_CONT_INFO;
  get.args.get_cont_info.info = &info;
  CALL(H5VLfile_get(file, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(info.feature_flags);
  VALUE(info.token_size);
  VALUE(info.blob_id_size);
  get.op_type = H5VL_FILE_GET_NAME;
  get.args.get_name.type = H5I_FILE;
  get.args.get_name.buf_size = sizeof name;
  get.args.get_name.buf = name;
  get.args.get_name.file_name_len = &length;
  CALL(H5VLfile_get(file, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %s %d\n", name, (int)length);
  get.op_type = H5VL_FILE_GET_INTENT;
  get.args.get_intent.flags = &flags;
  CALL(H5VLfile_get(file, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(flags);
  get.op_type = H5VL_FILE_GET_FCPL;
  CALL(H5VLfile_get(file, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5Pclose(get.args.get_fcpl.fcpl_id));
  specific.op_type = H5VL_FILE_FLUSH;
  specific.args.flush.obj_type = H5I_FILE;
  specific.args.flush.scope = H5F_SCOPE_LOCAL;
  CALL(H5VLfile_specific(file, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  specific.op_type = H5VL_FILE_IS_EQUAL;
  specific.args.is_equal.obj2 = file;
  specific.args.is_equal.same_file = &yes;
  CALL(H5VLfile_specific(file, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(yes);
}

static void groups_and_links(void) {
  H5VL_loc_params_t root = self_of(H5I_FILE), at;
  H5VL_link_create_args_t create;
  H5VL_link_specific_args_t specific;
  H5VL_link_get_args_t get;
  H5VL_group_get_args_t ask;
  H5L_info2_t info;
  H5G_info_t groups;
  hbool_t exists = 0;
  char text[20] = "";
  void* group =
      H5VLgroup_create(file, &root, native, "group", H5P_LINK_CREATE_DEFAULT, H5P_GROUP_CREATE_DEFAULT,
                       H5P_GROUP_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(group != NULL);
  CALL(H5VLgroup_close(group, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLgroup_create(file, &root, native, "group", H5P_LINK_CREATE_DEFAULT, H5P_GROUP_CREATE_DEFAULT,
                        H5P_GROUP_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL) == NULL);
  group =
      H5VLgroup_open(file, &root, native, "group", H5P_GROUP_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(group != NULL);
  at = named(H5I_FILE, "soft");
  create.op_type = H5VL_LINK_CREATE_SOFT;
  create.args.soft.target = "/group";
  CALL(H5VLlink_create(&create, file, &at, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                       H5P_DATASET_XFER_DEFAULT, NULL));
  get.op_type = H5VL_LINK_GET_VAL;
  get.args.get_val.buf = text;
  get.args.get_val.buf_size = sizeof text;
  CALL(H5VLlink_get(file, &at, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %s\n", text);
  at = named(H5I_FILE, "hard");
  create.op_type = H5VL_LINK_CREATE_HARD;
  create.args.hard.curr_obj = file;
  create.args.hard.curr_loc_params = named(H5I_FILE, "group");
  CALL(H5VLlink_create(&create, file, &at, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                       H5P_DATASET_XFER_DEFAULT, NULL));
  get.op_type = H5VL_LINK_GET_INFO;
  get.args.get_info.linfo = &info;
  CALL(H5VLlink_get(file, &at, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(info.type);
  specific.op_type = H5VL_LINK_EXISTS;
  specific.args.exists.exists = &exists;
  CALL(H5VLlink_specific(file, &at, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(exists);
  specific.op_type = H5VL_LINK_DELETE;
  CALL(H5VLlink_specific(file, &at, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  specific.op_type = H5VL_LINK_EXISTS;
  CALL(H5VLlink_specific(file, &at, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(exists);
  ask.op_type = H5VL_GROUP_GET_INFO;
  ask.args.get_info.loc_params = self_of(H5I_FILE);
  ask.args.get_info.ginfo = &groups;
  CALL(H5VLgroup_get(file, native, &ask, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(groups.nlinks);
  CALL(H5VLgroup_close(group, native, H5P_DATASET_XFER_DEFAULT, NULL));
}

static void values(void) {
  H5VL_loc_params_t root = self_of(H5I_FILE), of_set = self_of(H5I_DATASET);
  H5VL_dataset_get_args_t get;
  H5VL_dataset_specific_args_t specific;
  H5VL_attr_get_args_t ask;
  H5VL_attr_specific_args_t change;
  hsize_t four = 4, unlimited = H5S_UNLIMITED, chunk = 2, more = 6;
  hid_t space = H5Screate_simple(1, &four, &unlimited), list = H5Pcreate(H5P_DATASET_CREATE), all = H5S_ALL;
  hid_t scalar = H5Screate(H5S_SCALAR), types = H5T_NATIVE_INT, small = H5Tcopy(H5T_STD_I16BE);
  int numbers[6] = {1, 2, 3, 4, 0, 0}, back[6] = {0}, value = 8;
  const void* from = numbers;
  void *to = back, *set, *attribute, *type;
  hbool_t exists = 0;
  H5Pset_chunk(list, 1, &chunk);
  set = H5VLdataset_create(file, &root, native, "set", H5P_LINK_CREATE_DEFAULT, H5T_STD_I32LE, space, list,
                           H5P_DATASET_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(set != NULL);
  CALL(H5VLdataset_write(1, &set, native, &types, &all, &all, H5P_DATASET_XFER_DEFAULT, &from, NULL));
  specific.op_type = H5VL_DATASET_SET_EXTENT;
  specific.args.set_extent.size = &more;
  CALL(H5VLdataset_specific(set, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdataset_read(1, &set, native, &types, &all, &all, H5P_DATASET_XFER_DEFAULT, &to, NULL));
  printf("  %d %d %d %d %d %d\n", back[0], back[1], back[2], back[3], back[4], back[5]);
  get.op_type = H5VL_DATASET_GET_SPACE;
  CALL(H5VLdataset_get(set, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5Sget_simple_extent_npoints(get.args.get_space.space_id));
  H5Sclose(get.args.get_space.space_id);
  get.op_type = H5VL_DATASET_GET_TYPE;
  CALL(H5VLdataset_get(set, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5Tequal(get.args.get_type.type_id, H5T_STD_I32LE));
  H5Tclose(get.args.get_type.type_id);
  attribute =
      H5VLattr_create(set, &of_set, native, "attribute", H5T_STD_I32LE, scalar, H5P_ATTRIBUTE_CREATE_DEFAULT,
                      H5P_ATTRIBUTE_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(attribute != NULL);
  CALL(H5VLattr_write(attribute, native, H5T_NATIVE_INT, &value, H5P_DATASET_XFER_DEFAULT, NULL));
  value = 0;
  CALL(H5VLattr_read(attribute, native, H5T_NATIVE_INT, &value, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(value);
  ask.op_type = H5VL_ATTR_GET_SPACE;
  CALL(H5VLattr_get(attribute, native, &ask, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5Sget_simple_extent_type(ask.args.get_space.space_id));
  H5Sclose(ask.args.get_space.space_id);
  CALL(H5VLattr_close(attribute, native, H5P_DATASET_XFER_DEFAULT, NULL));
  change.op_type = H5VL_ATTR_EXISTS;
  change.args.exists.name = "attribute";
  change.args.exists.exists = &exists;
  CALL(H5VLattr_specific(set, &of_set, native, &change, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(exists);
  CALL(H5VLdataset_close(set, native, H5P_DATASET_XFER_DEFAULT, NULL));
  type = H5VLdatatype_commit(file, &root, native, "type", small, H5P_LINK_CREATE_DEFAULT,
                             H5P_DATATYPE_CREATE_DEFAULT, H5P_DATATYPE_ACCESS_DEFAULT,
                             H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(type != NULL);
  CALL(H5VLdatatype_close(type, native, H5P_DATASET_XFER_DEFAULT, NULL));
  H5Tclose(small);
  H5Sclose(space);
  H5Sclose(scalar);
  H5Pclose(list);
}

static void objects(void) {
  H5VL_loc_params_t at = named(H5I_FILE, "set"), root = self_of(H5I_FILE);
  H5VL_object_get_args_t get;
  H5VL_object_specific_args_t specific;
  H5I_type_t type = H5I_BADID;
  H5O_type_t kind = H5O_TYPE_UNKNOWN;
  H5O_token_t token, same;
  char *text = NULL, name[20] = "";
  size_t length = 0;
  int order = 9;
  void* object = H5VLobject_open(file, &at, native, &type, H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(object != NULL);
  VALUE(type);
  get.op_type = H5VL_OBJECT_GET_NAME;
  get.args.get_name.buf = name;
  get.args.get_name.buf_size = sizeof name;
  get.args.get_name.name_len = &length;
  root.obj_type = H5I_DATASET;
  CALL(H5VLobject_get(object, &root, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %s %d\n", name, (int)length);
  specific.op_type = H5VL_OBJECT_LOOKUP;
  specific.args.lookup.token_ptr = &token;
  CALL(H5VLobject_specific(file, &at, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  at = self_of(H5I_FILE);
  at.type = H5VL_OBJECT_BY_TOKEN;
  at.loc_data.loc_by_token.token = &token;
  get.op_type = H5VL_OBJECT_GET_TYPE;
  get.args.get_type.obj_type = &kind;
  CALL(H5VLobject_get(file, &at, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(kind);
  CALL(H5VLtoken_to_str(file, H5I_FILE, native, &token, &text));
  CALL(H5VLtoken_from_str(file, H5I_FILE, native, text, &same));
  CALL(H5VLtoken_cmp(file, native, &token, &same, &order));
  VALUE(order);
  CALL(H5VLtoken_cmp(file, native, NULL, &same, &order));
  VALUE(order);
  CALL(H5VLtoken_cmp(file, native, &token, &same, NULL));
  CALL(H5VLtoken_cmp(NULL, native, &token, &same, &order));
  CALL(H5VLtoken_to_str(file, H5I_FILE, native, NULL, &text));
  CALL(H5VLtoken_from_str(file, H5I_FILE, native, NULL, &same));
  H5free_memory(text);
  root = self_of(H5I_FILE);
  CALL(H5VLobject_copy(file, &root, "set", file, &root, "copy", native, H5P_OBJECT_COPY_DEFAULT,
                       H5P_LINK_CREATE_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdataset_close(object, native, H5P_DATASET_XFER_DEFAULT, NULL));
}

/* Values that values() stored. */
static void opened_values(void) {
  H5VL_loc_params_t root = self_of(H5I_FILE), of_set = named(H5I_FILE, "set"), by_index = named(H5I_FILE, "");
  H5VL_datatype_get_args_t get;
  H5VL_datatype_specific_args_t specific;
  size_t bytes = 0;
  int value = 0, back[6] = {0};
  hid_t types = H5T_NATIVE_INT, all = H5S_ALL, same;
  unsigned char* encoded;
  void *to = back, *set, *type, *attribute;
  attribute = H5VLattr_open(file, &of_set, native, "attribute", H5P_ATTRIBUTE_ACCESS_DEFAULT,
                            H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(attribute != NULL);
  CALL(H5VLattr_read(attribute, native, H5T_NATIVE_INT, &value, H5P_DATASET_XFER_DEFAULT, NULL));
  VALUE(value);
  CALL(H5VLattr_close(attribute, native, H5P_DATASET_XFER_DEFAULT, NULL));
  by_index.type = H5VL_OBJECT_BY_IDX;
  by_index.loc_data.loc_by_idx.name = "set";
  by_index.loc_data.loc_by_idx.idx_type = H5_INDEX_NAME;
  by_index.loc_data.loc_by_idx.order = H5_ITER_INC;
  by_index.loc_data.loc_by_idx.n = 0;
  by_index.loc_data.loc_by_idx.lapl_id = H5P_LINK_ACCESS_DEFAULT;
  attribute = H5VLattr_open(file, &by_index, native, NULL, H5P_ATTRIBUTE_ACCESS_DEFAULT,
                            H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(attribute != NULL);
  CALL(H5VLattr_close(attribute, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLattr_open(file, &of_set, native, "nobody", H5P_ATTRIBUTE_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT,
                     NULL) == NULL);
  set = H5VLdataset_open(file, &root, native, "set", H5P_DATASET_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT,
                         NULL);
  CALL(set != NULL);
  CALL(H5VLdataset_read(1, &set, native, &types, &all, &all, H5P_DATASET_XFER_DEFAULT, &to, NULL));
  printf("  %d %d %d %d %d %d\n", back[0], back[1], back[2], back[3], back[4], back[5]);
  CALL(H5VLdataset_close(set, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdataset_open(file, &root, native, "nobody", H5P_DATASET_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT,
                        NULL) == NULL);
  type = H5VLdatatype_open(file, &root, native, "type", H5P_DATATYPE_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT,
                           NULL);
  CALL(type != NULL);
  get.op_type = H5VL_DATATYPE_GET_BINARY_SIZE;
  get.args.get_binary_size.size = &bytes;
  CALL(H5VLdatatype_get(type, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  encoded = malloc(bytes);
  get.op_type = H5VL_DATATYPE_GET_BINARY;
  get.args.get_binary.buf = encoded;
  get.args.get_binary.buf_size = bytes;
  CALL(H5VLdatatype_get(type, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  same = H5Tdecode(encoded);
  CALL(H5Tequal(same, H5T_STD_I16BE));
  H5Tclose(same);
  free(encoded);
  get.op_type = H5VL_DATATYPE_GET_TCPL;
  CALL(H5VLdatatype_get(type, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5Pclose(get.args.get_tcpl.tcpl_id));
  specific.op_type = H5VL_DATATYPE_FLUSH;
  CALL(H5VLdatatype_specific(type, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  specific.op_type = H5VL_DATATYPE_REFRESH;
  CALL(H5VLdatatype_specific(type, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdatatype_close(type, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdatatype_open(file, &root, native, "set", H5P_DATATYPE_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT,
                         NULL) == NULL);
}

static hbool_t has_link(void* object, const char* name) {
  H5VL_loc_params_t at = named(H5I_FILE, name);
  H5VL_link_specific_args_t specific;
  hbool_t exists = 0;
  specific.op_type = H5VL_LINK_EXISTS;
  specific.args.exists.exists = &exists;
  H5VLlink_specific(object, &at, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL);
  return exists;
}

/* Links and mounts of a file that is opened without an id of the program. */
static void second_file(void) {
  const char* name = "connectors_second.h5";
  H5VL_loc_params_t root = self_of(H5I_FILE), soft = named(H5I_FILE, "soft"), to = named(H5I_FILE, "copied"),
                    moved = named(H5I_FILE, "moved");
  H5VL_link_create_args_t create;
  H5VL_group_specific_args_t specific;
  void *second, *group;
  second = H5VLfile_create(name, H5F_ACC_TRUNC, H5P_FILE_CREATE_DEFAULT, access_list,
                           H5P_DATASET_XFER_DEFAULT, NULL);
  CALL(second != NULL);
  create.op_type = H5VL_LINK_CREATE_SOFT;
  create.args.soft.target = "/";
  CALL(H5VLlink_create(&create, second, &soft, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                       H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLlink_copy(second, &soft, second, &to, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                     H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %d %d\n", has_link(second, "soft"), has_link(second, "copied"));
  CALL(H5VLlink_move(second, &to, NULL, &moved, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                     H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %d %d\n", has_link(second, "copied"), has_link(second, "moved"));
  CALL(H5VLlink_move(second, &to, second, &moved, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                     H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLlink_copy(second, &root, second, &to, native, H5P_LINK_CREATE_DEFAULT, H5P_LINK_ACCESS_DEFAULT,
                     H5P_DATASET_XFER_DEFAULT, NULL));
  group = H5VLgroup_create(second, &root, native, "group", H5P_LINK_CREATE_DEFAULT, H5P_GROUP_CREATE_DEFAULT,
                           H5P_GROUP_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL);
  specific.op_type = H5VL_GROUP_FLUSH;
  specific.args.flush.grp_id = H5I_INVALID_HID;
  CALL(H5VLgroup_specific(group, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  specific.op_type = H5VL_GROUP_REFRESH;
  CALL(H5VLgroup_specific(group, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  specific.op_type = H5VL_GROUP_UNMOUNT;
  specific.args.unmount.name = ".";
  CALL(H5VLgroup_specific(group, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  specific.op_type = H5VL_GROUP_MOUNT;
  specific.args.mount.name = "group";
  specific.args.mount.child_file = file;
  specific.args.mount.fmpl_id = H5P_FILE_MOUNT_DEFAULT;
  CALL(H5VLgroup_specific(second, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %d\n", has_link(second, "group/set"));
  specific.op_type = H5VL_GROUP_UNMOUNT;
  specific.args.unmount.name = "group";
  CALL(H5VLgroup_specific(second, native, &specific, H5P_DATASET_XFER_DEFAULT, NULL));
  printf("  %d\n", has_link(second, "group/set"));
  CALL(H5VLgroup_close(group, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_close(second, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_close(second, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_close(NULL, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5Fis_accessible(name, access_list));
  remove(name);
}

/* What the native connector has not: optional operations by number, requests and blobs. */
static void not_in_native(void) {
  H5VL_loc_params_t root = self_of(H5I_FILE);
  H5VL_optional_args_t optional = {0, NULL};
  H5VL_request_status_t status;
  H5VL_request_specific_args_t request;
  H5VL_blob_specific_args_t blob;
  char bytes[16] = "bytes", id[16] = "";
  request.op_type = H5VL_REQUEST_GET_ERR_STACK;
  blob.op_type = H5VL_BLOB_DELETE;
  CALL(H5VLattr_optional(file, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdataset_optional(file, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdatatype_optional(file, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_optional(file, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLgroup_optional(file, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLlink_optional(file, &root, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLobject_optional(file, &root, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLattr_optional(NULL, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdataset_optional(file, -1, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLrequest_notify(file, native, NULL, NULL));
  CALL(H5VLrequest_cancel(file, native, &status));
  CALL(H5VLrequest_specific(file, native, &request));
  CALL(H5VLrequest_optional(file, native, &optional));
  CALL(H5VLblob_put(file, native, bytes, sizeof bytes, id, NULL));
  CALL(H5VLblob_get(file, native, id, bytes, sizeof bytes, NULL));
  CALL(H5VLblob_specific(file, native, id, &blob));
  CALL(H5VLblob_optional(file, native, id, &optional));
  CALL(H5VLblob_put(NULL, native, bytes, sizeof bytes, id, NULL));
  CALL(H5VLoptional(file, native, &optional, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLget_file_type(NULL, native, H5T_NATIVE_INT));
  CALL(H5VLget_file_type(file, native, access_list));
}

/* The names of HDF5 2.x for the state of the library. */
static void contexts(void) {
  void* context = NULL;
  CALL(H5VLopen_lib_context(&context));
  CALL(context != NULL);
  CALL(H5VLclose_lib_context(context));
  CALL(H5VLopen_lib_context(NULL));
  CALL(H5VLclose_lib_context(NULL));
}

static void wrong_arguments(void) {
  H5VL_loc_params_t root = self_of(H5I_FILE);
  H5VL_file_get_args_t get;
  H5VL_request_status_t status;
  H5VL_optional_args_t optional = {0, NULL};
  const H5VL_class_t* found = NULL;
  uint64_t flags = 0;
  unsigned intent;
  void* state = NULL;
  get.op_type = H5VL_FILE_GET_INTENT;
  get.args.get_intent.flags = &intent;
  CALL(H5VLfile_get(NULL, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_get(file, -1, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_get(file, H5P_FILE_ACCESS_DEFAULT, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLfile_create("x.h5", 0, H5P_FILE_CREATE_DEFAULT, -1, H5P_DATASET_XFER_DEFAULT, NULL) == NULL);
  CALL(H5VLfile_open("nobody.h5", 0, access_list, H5P_DATASET_XFER_DEFAULT, NULL) == NULL);
  CALL(H5VLgroup_open(NULL, &root, native, "group", H5P_DEFAULT, H5P_DATASET_XFER_DEFAULT, NULL) == NULL);
  CALL(H5VLgroup_open(file, &root, native, "nobody", H5P_GROUP_ACCESS_DEFAULT, H5P_DATASET_XFER_DEFAULT,
                      NULL) == NULL);
  CALL(H5VLdataset_close(NULL, native, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLdataset_read(1, NULL, native, NULL, NULL, NULL, H5P_DATASET_XFER_DEFAULT, NULL, NULL));
  CALL(H5VLattr_read(NULL, native, H5T_NATIVE_INT, NULL, H5P_DATASET_XFER_DEFAULT, NULL));
  CALL(H5VLrequest_wait(file, native, 0, &status));
  CALL(H5VLrequest_free(file, native));
  CALL(H5VLrequest_optional_op(NULL, native, &optional));
  CALL(H5VLrequest_optional_op(file, native, NULL));
  CALL(H5VLrequest_optional_op(file, -1, &optional));
  CALL(H5VLrequest_optional_op(file, native, &optional));
  CALL(H5VLget_object(file, native) == file);
  CALL(H5VLget_object(NULL, native) == NULL);
  CALL(H5VLget_wrap_ctx(file, native, &state));
  CALL(state == NULL);
  CALL(H5VLwrap_object(file, H5I_FILE, native, NULL) == file);
  CALL(H5VLunwrap_object(file, native) == file);
  CALL(H5VLfree_wrap_ctx(NULL, native));
  CALL(H5VLintrospect_get_conn_cls(file, native, H5VL_GET_CONN_LVL_TERM, &found));
  printf("  %s\n", found->name);
  CALL(H5VLintrospect_get_conn_cls(file, native, H5VL_GET_CONN_LVL_CURR, NULL));
  CALL(H5VLintrospect_opt_query(file, native, H5VL_SUBCLS_FILE, H5VL_NATIVE_FILE_GET_SIZE, &flags));
  VALUE(flags);
  CALL(H5VLintrospect_opt_query(file, native, H5VL_SUBCLS_LINK, 0, &flags));
  CALL(H5VLretrieve_lib_state(&state));
  CALL(state != NULL);
  CALL(H5VLrestore_lib_state(NULL));
  CALL(H5VLfree_lib_state(state));
  CALL(H5VLfree_lib_state(NULL));
  CALL(H5VLretrieve_lib_state(NULL));
}

/* Objects of ids. */
static void of_ids(void) {
  H5VL_dataset_get_args_t get;
  hid_t id = H5Fopen("connectors_calls.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t set = H5Dopen2(id, "copy", H5P_DEFAULT);
  hsize_t bytes = 0;
  void* object = H5VLobject(set);
  CALL(object != NULL);
  get.op_type = H5VL_DATASET_GET_STORAGE_SIZE;
  get.args.get_storage_size.storage_size = &bytes;
  H5VLstart_lib_state();
  CALL(H5VLdataset_get(object, native, &get, H5P_DATASET_XFER_DEFAULT, NULL));
  H5VLfinish_lib_state();
  VALUE(bytes);
  CALL(H5VLobject(-1) == NULL);
  CALL(H5VLobject(H5T_NATIVE_INT) == NULL);
  H5Dclose(set);
  CALL(H5Fclose(id));
}

int main(void) {
  hid_t id;
  quiet();
  native = H5VL_NATIVE;
  access_list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_vol(access_list, native, NULL);
  id = H5Fcreate("connectors_calls.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access_list);
  file = H5VLobject(id);
  CALL(file != NULL);
  CALL(H5VLstart_lib_state());
  files();
  groups_and_links();
  values();
  objects();
  opened_values();
  second_file();
  not_in_native();
  contexts();
  wrong_arguments();
  CALL(H5VLfinish_lib_state());
  CALL(H5Fclose(id));
  of_ids();
  H5Pclose(access_list);
  return 0;
}
