/* SPDX-License-Identifier: Apache-2.0
 *
 * A VOL connector of a program: registered, asked for, set in property lists, and closed. */
#include "show.h"

typedef struct {
  int number;
} info_t;

static int initialized, terminated, copies, frees, comparisons;

static herr_t start(hid_t list) {
  CALL(H5Pisa_class(list, H5P_VOL_INITIALIZE));
  ++initialized;
  return 0;
}

static herr_t stop(void) {
  ++terminated;
  return 0;
}

static herr_t refuse(hid_t list) {
  (void)list;
  return -1;
}

static void* copy_info(const void* from) {
  info_t* made = malloc(sizeof *made);
  *made = *(const info_t*)from;
  ++copies;
  return made;
}

static herr_t compare_infos(int* result, const void* a, const void* b) {
  const int one = ((const info_t*)a)->number, two = ((const info_t*)b)->number;
  *result = one < two ? -1 : one > two;
  ++comparisons;
  return 0;
}

static herr_t free_info(void* info) {
  free(info);
  ++frees;
  return 0;
}

static herr_t info_to_text(const void* info, char** text) {
  *text = (char*)H5allocate_memory(40, 0);
  sprintf(*text, "number %d", ((const info_t*)info)->number);
  return 0;
}

static herr_t text_to_info(const char* text, void** info) {
  int number;
  if (sscanf(text, "number %d", &number) != 1) return -1;
  *info = malloc(sizeof(info_t));
  ((info_t*)*info)->number = number;
  return 0;
}

static herr_t tell_capabilities(const void* info, uint64_t* flags) {
  *flags = info == NULL ? 1 : 8;
  return 0;
}

static H5VL_class_t new_class(const char* name, int value) {
  H5VL_class_t made;
  memset(&made, 0, sizeof made);
  made.version = H5VL_VERSION;
  made.value = value;
  made.name = name;
  made.cap_flags = 5;
  made.initialize = start;
  made.terminate = stop;
  made.info_cls.size = sizeof(info_t);
  made.info_cls.copy = copy_info;
  made.info_cls.cmp = compare_infos;
  made.info_cls.free = free_info;
  made.info_cls.to_str = info_to_text;
  made.info_cls.from_str = text_to_info;
  made.introspect_cls.get_cap_flags = tell_capabilities;
  return made;
}

static void wrong_classes(void) {
  H5VL_class_t wrong = new_class("wrong", 300);
  wrong.version = 99;
  CALL_ID(H5VLregister_connector(&wrong, H5P_DEFAULT));
  wrong = new_class(NULL, 300);
  CALL_ID(H5VLregister_connector(&wrong, H5P_DEFAULT));
  wrong = new_class("", 300);
  CALL_ID(H5VLregister_connector(&wrong, H5P_DEFAULT));
  wrong = new_class("wrong", 300);
  wrong.info_cls.free = NULL;
  CALL_ID(H5VLregister_connector(&wrong, H5P_DEFAULT));
  wrong = new_class("wrong", 300);
  wrong.initialize = refuse;
  CALL_ID(H5VLregister_connector(&wrong, H5P_DEFAULT));
  wrong = new_class("wrong", 300);
  CALL_ID(H5VLregister_connector(&wrong, H5P_FILE_ACCESS_DEFAULT));
  CALL_ID(H5VLregister_connector(&wrong, -1));
  CALL(H5VLis_connector_registered_by_name("wrong"));
}

static void infos(hid_t connector) {
  info_t one = {1}, two = {2};
  void* made = NULL;
  char* text = NULL;
  int order = 9;
  CALL(H5VLcmp_connector_info(&order, connector, &one, &two));
  VALUE(order);
  CALL(H5VLcmp_connector_info(&order, connector, &two, &two));
  VALUE(order);
  CALL(H5VLcopy_connector_info(connector, &made, &one));
  VALUE(((info_t*)made)->number);
  CALL(H5VLfree_connector_info(connector, made));
  CALL(H5VLconnector_info_to_str(&two, connector, &text));
  printf("  %s\n", text);
  H5free_memory(text);
  CALL(H5VLconnector_str_to_info("number 77", connector, &made));
  VALUE(((info_t*)made)->number);
  CALL(H5VLfree_connector_info(connector, made));
  CALL(H5VLconnector_str_to_info("nonsense", connector, &made));
  VALUE(copies);
  VALUE(frees);
  VALUE(comparisons);
}

static void lists(hid_t connector) {
  info_t info = {3}, *back = NULL;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), copy, id = -1;
  uint64_t flags = 0;
  copies = frees = comparisons = 0;
  CALL(H5Pset_vol(list, connector, &info));
  VALUE(copies);
  VALUE(frees);
  info.number = 4;
  CALL(H5Pget_vol_info(list, (void**)&back));
  VALUE(back->number);
  VALUE(copies);
  H5VLfree_connector_info(connector, back);
  copy = H5Pcopy(list);
  VALUE(copies);
  CALL(H5Pequal(list, copy));
  VALUE(comparisons);
  CALL(H5Pset_vol(copy, connector, &info));
  CALL(H5Pequal(list, copy));
  VALUE(copies);
  VALUE(frees);
  CALL(H5Pget_vol_id(copy, &id));
  CALL(id == connector);
  CALL(H5VLclose(id));
  CALL(H5Pget_vol_cap_flags(list, &flags));
  VALUE(flags);
  CALL(H5Pset_vol(list, connector, NULL));
  CALL(H5Pget_vol_info(list, (void**)&back));
  CALL(back == NULL);
  CALL(H5Pget_vol_cap_flags(list, &flags));
  VALUE(flags);
  VALUE(H5Fcreate("connectors_user.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list) < 0);
  VALUE(H5Fopen("connectors_user.h5", H5F_ACC_RDONLY, copy) < 0);
  H5Pclose(copy);
  H5Pclose(list);
  VALUE(copies - frees);
}

int main(void) {
  H5VL_class_t given = new_class("program", 301), other = new_class("other", 300);
  hid_t connector, again, second;
  H5VL_class_value_t value = 0;
  uint64_t flags = 0;
  int order = 9;
  quiet();
  wrong_classes();
  VALUE(initialized);
  connector = H5VLregister_connector(&given, H5P_DEFAULT);
  CALL_ID(connector);
  CALL(H5Iget_type(connector));
  VALUE(initialized);
  again = H5VLregister_connector(&given, H5P_VOL_INITIALIZE_DEFAULT);
  CALL(again == connector);
  VALUE(initialized);
  CALL(H5VLregister_connector_by_name("program", H5P_DEFAULT) == connector);
  CALL(H5VLregister_connector_by_value(301, H5P_DEFAULT) == connector);
  CALL(H5Iget_ref(connector));
  CALL(H5VLclose(connector));
  CALL(H5VLclose(connector));
  CALL(H5VLclose(connector));
  CALL(H5VLis_connector_registered_by_name("program"));
  CALL(H5VLis_connector_registered_by_value(301));
  CALL(H5VLget_value(connector, &value));
  VALUE(value);
  CALL(H5VLget_cap_flags(connector, &flags));
  VALUE(flags);
  second = H5VLregister_connector(&other, H5P_DEFAULT);
  CALL(H5VLcmp_connector_cls(&order, connector, second));
  VALUE(order);
  CALL(H5VLcmp_connector_cls(&order, second, connector));
  VALUE(order);
  infos(connector);
  lists(connector);
  CALL(H5VLunregister_connector(second));
  VALUE(terminated);
  CALL(H5VLis_connector_registered_by_name("other"));
  CALL(H5VLclose(connector));
  VALUE(terminated);
  CALL(H5VLis_connector_registered_by_name("program"));
  CALL(H5VLclose(connector));
  CALL(H5Iis_valid(connector));
  return 0;
}
