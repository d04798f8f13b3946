/* SPDX-License-Identifier: Apache-2.0
 *
 * Ids of user-defined types, and reference counts. */
#include "show.h"

static int freed = 0;

static herr_t release(void* object) {
  printf("  freed %d\n", *(int*)object);
  ++freed;
  return 0;
}

static herr_t refuse_release(void* object) {
  (void)object;
  return -1;
}

static void use_own_types(void) {
  int values[4] = {10, 20, 30, 40};
  hsize_t members = 99;
  hid_t a, b, c;
  H5I_type_t type = H5Iregister_type(8, 0, release);
  CALL(type > 0);
  CALL(H5Itype_exists(type));
  CALL(H5Iget_type_ref(type));
  a = H5Iregister(type, &values[0]);
  b = H5Iregister(type, &values[1]);
  c = H5Iregister(type, &values[2]);
  CALL_ID(a);
  CALL(H5Iget_type(a) == type);
  CALL(*(int*)H5Iobject_verify(b, type));
  CALL(H5Iobject_verify(b, H5I_GROUP) == NULL);
  CALL(H5Inmembers(type, &members));
  VALUE(members);
  CALL(H5Inmembers(type, NULL));
  CALL(H5Iget_ref(a));
  CALL(H5Iinc_ref(a));
  CALL(H5Idec_ref(a));
  CALL(H5Idec_ref(a));
  TRY(H5Idec_ref(a));
  CALL(H5Iis_valid(a));
  CALL(*(int*)H5Iremove_verify(b, type));
  CALL(H5Iis_valid(b));
  CALL(H5Iinc_ref(c));
  CALL(H5Iclear_type(type, 0));
  CALL(H5Iis_valid(c));
  CALL(H5Iclear_type(type, 1));
  CALL(H5Iis_valid(c));
  CALL(H5Iinc_type_ref(type));
  CALL(H5Iget_type_ref(type));
  CALL(H5Idec_type_ref(type));
  a = H5Iregister(type, &values[3]);
  CALL_ID(a);
  CALL(H5Idestroy_type(type));
  CALL(H5Itype_exists(type));
  VALUE(freed);
}

static void use_refusing_type(void) {
  int value = 5;
  hid_t id;
  H5I_type_t type = H5Iregister_type(8, 0, refuse_release);
  id = H5Iregister(type, &value);
  CALL(H5Iclear_type(type, 0));
  CALL(H5Iis_valid(id));
  CALL(H5Iclear_type(type, 1));
  CALL(H5Iis_valid(id));
  CALL(H5Idec_type_ref(type));
  TRY(H5Iget_type_ref(type));
}

static void refuse(hid_t file) {
  int value = 1;
  TRY(H5Itype_exists(H5I_GROUP));
  TRY(H5Iclear_type(H5I_GROUP, 0));
  TRY(H5Idestroy_type(H5I_GROUP));
  TRY(H5Iinc_type_ref(H5I_GROUP));
  TRY(H5Idec_type_ref(H5I_GROUP));
  TRY(H5Iget_type_ref(H5I_GROUP));
  TRY(H5Iregister(H5I_GROUP, &value));
  TRY(H5Iremove_verify(file, H5I_FILE) == NULL);
  TRY(H5Iobject_verify(file, H5I_FILE) == NULL);
  TRY(H5Inmembers(H5I_FILE, NULL));
  TRY(H5Iget_ref(-1));
  TRY(H5Iinc_ref(-1));
  TRY(H5Iget_type(-1));
  TRY(H5Iis_valid(-1));
  TRY(H5Iget_type_ref((H5I_type_t)99));
}

int main(void) {
  hid_t file;
  quiet();
  use_own_types();
  use_refusing_type();
  file = new_file("ids.h5");
  refuse(file);
  CALL(H5Iinc_ref(file));
  CALL(H5Fclose(file));
  CALL(H5Iis_valid(file));
  CALL(H5Fclose(file));
  CALL(H5Iis_valid(file));
  return 0;
}
