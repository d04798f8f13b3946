/* SPDX-License-Identifier: Apache-2.0
 *
 * Queries of the native VOL connector, and property lists that choose it or the pass-through connector. */
#include "show.h"

static hid_t file, group, set, type, attribute;

static void open_all(hid_t access) {
  hid_t space = H5Screate(H5S_SCALAR);
  file = H5Fcreate("connectors.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  CALL_ID(file);
  group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  type = H5Tcopy(H5T_STD_I32LE);
  H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  attribute = H5Acreate2(set, "attribute", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
}

static void close_all(void) {
  H5Aclose(attribute);
  H5Tclose(type);
  H5Dclose(set);
  H5Gclose(group);
  CALL(H5Fclose(file));
}

static void names(hid_t id) {
  char name[40] = "untouched";
  hbool_t native = 7;
  hid_t connector;
  CALL(H5VLget_connector_name(id, NULL, 0));
  CALL(H5VLget_connector_name(id, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5VLget_connector_name(id, name, 4));
  printf("  %s\n", name);
  CALL(H5VLobject_is_native(id, &native));
  VALUE(native);
  connector = H5VLget_connector_id(id);
  CALL_ID(connector);
  CALL(H5Iget_type(connector));
  if (connector >= 0) CALL(H5VLclose(connector));
}

static void registered(void) {
  hid_t native = H5VLget_connector_id_by_name("native"), other;
  H5VL_class_value_t value = -5;
  uint64_t flags = 1;
  int order = 9;
  CALL(native == H5VL_NATIVE);
  CALL(H5VLis_connector_registered_by_name("native"));
  CALL(H5VLis_connector_registered_by_name("nobody"));
  CALL(H5VLis_connector_registered_by_value(H5VL_NATIVE_VALUE));
  CALL(H5VLis_connector_registered_by_value(77));
  CALL(H5VLis_connector_registered_by_value(-1));
  CALL(H5VLpeek_connector_id_by_name("native") == native);
  CALL(H5VLpeek_connector_id_by_value(0) == native);
  CALL(H5VLget_connector_id_by_value(0) == native);
  CALL_ID(H5VLget_connector_id_by_name("nobody"));
  CALL_ID(H5VLget_connector_id_by_value(77));
  CALL_ID(H5VLpeek_connector_id_by_name("nobody"));
  CALL_ID(H5VLpeek_connector_id_by_value(77));
  CALL(H5VLregister_connector_by_name("native", H5P_DEFAULT) == native);
  CALL(H5VLregister_connector_by_value(0, H5P_DEFAULT) == native);
  CALL_ID(H5VLregister_connector_by_name("nobody", H5P_DEFAULT));
  CALL_ID(H5VLregister_connector_by_name("", H5P_DEFAULT));
  CALL_ID(H5VLregister_connector_by_name(NULL, H5P_DEFAULT));
  CALL_ID(H5VLregister_connector_by_name("native", H5P_FILE_ACCESS_DEFAULT));
  CALL_ID(H5VLregister_connector_by_value(77, H5P_DEFAULT));
  CALL_ID(H5VLregister_connector_by_value(-1, H5P_DEFAULT));
  CALL_ID(H5VLregister_connector(NULL, H5P_DEFAULT));
  CALL(H5VLunregister_connector(native));
  CALL(H5VLunregister_connector(-1));
  CALL(H5VLclose(H5P_FILE_ACCESS_DEFAULT));
  CALL(H5VLclose(-1));
  CALL(H5VLget_value(native, &value));
  VALUE(value);
  CALL(H5VLget_value(12345, &value));
  CALL(H5VLget_cap_flags(native, &flags));
  printf("  %llx\n", (unsigned long long)flags);
  CALL(H5VLget_cap_flags(-1, &flags));
  CALL(H5VLintrospect_get_cap_flags(NULL, native, &flags));
  printf("  %llx\n", (unsigned long long)flags);
  CALL(H5VLintrospect_get_cap_flags(NULL, native, NULL));
  CALL(H5VLis_connector_registered_by_name("pass_through"));
  other = H5VL_PASSTHRU;
  CALL(other == H5VL_PASSTHRU);
  CALL(H5VLis_connector_registered_by_name("pass_through"));
  CALL(H5VLpeek_connector_id_by_value(H5VL_PASSTHRU_VALUE) == other);
  CALL(H5VLcmp_connector_cls(&order, native, native));
  VALUE(order);
  CALL(H5VLcmp_connector_cls(&order, native, other));
  VALUE(order);
  CALL(H5VLcmp_connector_cls(&order, other, native));
  VALUE(order);
  CALL(H5VLcmp_connector_cls(&order, other, -1));
  CALL(H5VLcmp_connector_cls(&order, file, native));
  CALL(H5VLinitialize(native, H5P_DEFAULT));
  CALL(H5VLinitialize(-1, H5P_DEFAULT));
  CALL(H5VLterminate(-1));
}

static void tokens(void) {
  H5O_info2_t info;
  H5O_token_t token;
  haddr_t address = 1;
  H5Oget_info3(group, &info, H5O_INFO_BASIC);
  CALL(H5VLnative_token_to_addr(file, info.token, &address));
  CALL(address != 1 && address != HADDR_UNDEF);
  CALL(H5VLnative_addr_to_token(set, address, &token));
  CALL(memcmp(&token, &info.token, sizeof token));
  CALL(H5VLnative_addr_to_token(attribute, HADDR_UNDEF, &token));
  CALL(H5VLnative_token_to_addr(attribute, token, &address));
  CALL(address == HADDR_UNDEF);
  CALL(H5VLnative_addr_to_token(file, 0, NULL));
  CALL(H5VLnative_addr_to_token(-1, 0, &token));
  CALL(H5VLnative_addr_to_token(H5T_NATIVE_INT, 0, &token));
  CALL(H5VLnative_token_to_addr(file, token, NULL));
  CALL(H5VLnative_token_to_addr(H5P_FILE_ACCESS_DEFAULT, token, &address));
}

static void optional(void) {
  int subclass, operation;
  uint64_t flags;
  for (subclass = -1; subclass <= H5VL_SUBCLS_TOKEN + 1; ++subclass) {
    printf("%d:", subclass);
    for (operation = -1; operation < 32; ++operation) {
      herr_t known;
      flags = 0;
      known = H5VLquery_optional(file, (H5VL_subclass_t)subclass, operation, &flags);
      if (known < 0) printf(" -");
      if (known >= 0) printf(" %llx", (unsigned long long)flags);
    }
    printf("\n");
  }
  CALL(H5VLquery_optional(file, H5VL_SUBCLS_FILE, 0, NULL));
  CALL(H5VLquery_optional(-1, H5VL_SUBCLS_FILE, 0, &flags));
  CALL(H5VLquery_optional(set, H5VL_SUBCLS_NONE, 0, &flags));
  CALL(H5VLregister_opt_operation(H5VL_SUBCLS_FILE, "ours", &operation));
  VALUE(operation);
  CALL(H5VLregister_opt_operation(H5VL_SUBCLS_FILE, "second", &operation));
  VALUE(operation);
  CALL(H5VLregister_opt_operation(H5VL_SUBCLS_FILE, "ours", &operation));
  CALL(H5VLfind_opt_operation(H5VL_SUBCLS_FILE, "ours", &operation));
  VALUE(operation);
  CALL(H5VLfind_opt_operation(H5VL_SUBCLS_GROUP, "ours", &operation));
  CALL(H5VLunregister_opt_operation(H5VL_SUBCLS_FILE, "ours"));
  CALL(H5VLunregister_opt_operation(H5VL_SUBCLS_FILE, "ours"));
  CALL(H5VLfind_opt_operation(H5VL_SUBCLS_FILE, "ours", &operation));
  CALL(H5VLregister_opt_operation(H5VL_SUBCLS_FILE, "", &operation));
  CALL(H5VLregister_opt_operation(H5VL_SUBCLS_TOKEN, "ours", &operation));
  CALL(H5VLregister_opt_operation(H5VL_SUBCLS_FILE, "ours", NULL));
  CALL(H5VLfind_opt_operation(H5VL_SUBCLS_FILE, NULL, &operation));
}

static void show_list(hid_t list) {
  hid_t id = -1;
  void* info = &id;
  uint64_t flags = 1;
  CALL(H5Pget_vol_id(list, &id));
  CALL(id == H5VL_NATIVE);
  if (id >= 0) H5VLclose(id);
  CALL(H5Pget_vol_info(list, &info));
  CALL(info == NULL);
  CALL(H5Pget_vol_cap_flags(list, &flags));
  printf("  %llx\n", (unsigned long long)flags);
}

static void lists(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), other = H5Pcreate(H5P_DATASET_CREATE), copy, id;
  show_list(list);
  CALL(H5Pset_vol(list, H5VL_NATIVE, NULL));
  show_list(list);
  copy = H5Pcopy(list);
  CALL(H5Pequal(copy, list));
  show_list(H5P_FILE_ACCESS_DEFAULT);
  CALL(H5Pset_vol(list, -1, NULL));
  CALL(H5Pset_vol(list, file, NULL));
  CALL(H5Pset_vol(-1, H5VL_NATIVE, NULL));
  CALL(H5Pset_vol(other, H5VL_NATIVE, NULL));
  CALL(H5Pset_vol(list, H5VL_NATIVE, &id));
  CALL(H5Pget_vol_id(other, &id));
  CALL(H5Pget_vol_id(-1, &id));
  CALL(H5Pget_vol_id(H5P_DEFAULT, &id));
  CALL(H5Pget_vol_info(H5P_DEFAULT, NULL));
  CALL(H5Pget_vol_info(other, NULL));
  CALL(H5Pget_vol_cap_flags(other, NULL));
  close_all();
  open_all(list);
  names(file);
  H5Pclose(list);
  list = H5Fget_access_plist(file);
  show_list(list);
  H5Pclose(list);
  H5Pclose(copy);
  H5Pclose(other);
}

static void pass_through(void) {
  H5VL_pass_through_info_t info, *back = NULL, *parsed = NULL;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), second, id = -1;
  char* text = NULL;
  int order = 9;
  uint64_t flags = 1;
  memset(&info, 0, sizeof info);
  info.under_vol_id = H5VL_NATIVE;
  close_all();
  CALL(H5Pset_vol(list, H5VL_PASSTHRU, &info));
  second = H5Pcopy(list);
  CALL(H5Pequal(list, second));
  CALL(H5Pget_vol_id(list, &id));
  CALL(id == H5VL_PASSTHRU);
  CALL(H5Pget_vol_info(list, (void**)&back));
  CALL(back->under_vol_id == H5VL_NATIVE);
  CALL(back->under_vol_info == NULL);
  CALL(H5Pget_vol_cap_flags(list, &flags));
  printf("  %llx\n", (unsigned long long)flags);
  CALL(H5VLget_cap_flags(id, &flags));
  printf("  %llx\n", (unsigned long long)flags);
  CALL(H5VLconnector_info_to_str(back, id, &text));
  printf("  %s\n", text);
  CALL(H5VLconnector_str_to_info(text, id, (void**)&parsed));
  CALL(H5VLcmp_connector_info(&order, id, back, parsed));
  VALUE(order);
  CALL(H5VLcmp_connector_info(&order, id, NULL, parsed));
  VALUE(order);
  CALL(H5VLcmp_connector_info(&order, id, back, NULL));
  VALUE(order);
  CALL(H5VLcmp_connector_info(&order, id, NULL, NULL));
  VALUE(order);
  CALL(H5VLfree_connector_info(id, parsed));
  CALL(H5VLcopy_connector_info(id, (void**)&parsed, back));
  CALL(parsed != back && parsed->under_vol_id == back->under_vol_id);
  CALL(H5VLfree_connector_info(id, parsed));
  CALL(H5VLfree_connector_info(id, back));
  H5free_memory(text);
  CALL(H5VLconnector_info_to_str(NULL, id, &text));
  CALL(H5VLconnector_str_to_info(NULL, id, (void**)&parsed));
  CALL(parsed == NULL);
  CALL(H5VLcopy_connector_info(-1, (void**)&parsed, back));
  CALL(H5VLfree_connector_info(-1, &order));
  CALL(H5VLcmp_connector_info(&order, -1, NULL, NULL));
  open_all(list);
  names(file);
  names(set);
  names(attribute);
  CALL(H5VLquery_optional(file, H5VL_SUBCLS_FILE, H5VL_NATIVE_FILE_GET_SIZE, &flags));
  close_all();
  file = H5Fopen("connectors.h5", H5F_ACC_RDWR, second);
  CALL_ID(file);
  CALL(H5Lexists(file, "group", H5P_DEFAULT));
  CALL(H5Fclose(file));
  CALL(H5Fis_accessible("connectors.h5", list));
  CALL(H5Pset_vol(list, H5VL_PASSTHRU, NULL));
  CALL_ID(H5Fopen("connectors.h5", H5F_ACC_RDWR, list));
  H5Pclose(list);
  H5Pclose(second);
  H5VLclose(id);
}

int main(void) {
  quiet();
  open_all(H5P_DEFAULT);
  names(file);
  names(group);
  names(set);
  names(type);
  names(attribute);
  names(H5T_NATIVE_INT);
  names(H5P_FILE_ACCESS_DEFAULT);
  names(-1);
  CALL(H5VLobject_is_native(file, NULL));
  registered();
  tokens();
  optional();
  lists();
  pass_through();
  return 0;
}
