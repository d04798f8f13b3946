/* SPDX-License-Identifier: Apache-2.0
 *
 * Compounds: members, sizes, packing, comparison. */
#include "show.h"

static void show_members(const char* what, hid_t t) {
  int i, n = H5Tget_nmembers(t);
  printf("-- %s: %d members, %lu bytes\n", what, n, (unsigned long)H5Tget_size(t));
  for (i = 0; i < n; ++i) {
    hid_t m = H5Tget_member_type(t, (unsigned)i);
    char* name = H5Tget_member_name(t, (unsigned)i);
    printf("%s at %lu, class %d, %lu bytes\n", name, (unsigned long)H5Tget_member_offset(t, (unsigned)i),
           H5Tget_member_class(t, (unsigned)i), (unsigned long)H5Tget_size(m));
    CALL(H5Tget_member_index(t, name));
    H5free_memory(name);
    H5Tclose(m);
  }
}

int main(void) {
  hid_t t, u, v, s, e;
  hsize_t dims[2] = {2, 3};
  quiet();
  t = H5Tcreate(H5T_COMPOUND, 40);
  CALL(H5Tinsert(t, "a", 0, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "b", 8, H5T_NATIVE_DOUBLE));
  CALL(H5Tinsert(t, "a", 20, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "c", 2, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "c", 12, H5T_NATIVE_CHAR));
  CALL(H5Tinsert(t, "c", 38, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "c", 4000, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "c", 20, t));
  CALL(H5Tinsert(t, NULL, 20, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "", 20, H5T_NATIVE_INT));
  CALL(H5Tinsert(t, "d", 20, -1));
  CALL(H5Tinsert(-1, "d", 20, H5T_NATIVE_INT));
  s = H5Tcopy(H5T_C_S1);
  H5Tset_size(s, H5T_VARIABLE);
  CALL(H5Tinsert(t, "s", 24, s));
  CALL(H5Tinsert(t, "first", 4, H5T_STD_I16BE));
  show_members("t", t);
  show_type("t", t);
  CALL(H5Tget_member_index(t, "nobody"));
  CALL(H5Tget_member_index(H5T_NATIVE_INT, "a"));
  CALL(H5Tget_member_offset(t, 9));
  CALL(H5Tget_member_offset(H5T_NATIVE_INT, 0));
  CALL(H5Tget_member_class(t, 9));
  CALL(H5Tget_member_class(H5T_NATIVE_INT, 0));
  CALL_ID(H5Tget_member_type(t, 9));
  CALL_ID(H5Tget_member_type(H5T_NATIVE_INT, 0));
  CALL(H5Tget_member_name(t, 9) == NULL);
  CALL(H5Tget_member_name(H5T_NATIVE_INT, 0) == NULL);
  CALL(H5Tget_member_value(t, 0, &dims));
  CALL(H5Tset_size(t, 30));
  CALL(H5Tset_size(t, 32));
  CALL(H5Tset_size(t, 100));
  CALL(H5Tset_size(t, H5T_VARIABLE));
  CALL(H5Tset_precision(t, 100));
  CALL(H5Tset_offset(t, 0));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_order(t, H5T_ORDER_NONE));
  CALL(H5Tset_sign(t, H5T_SGN_NONE));
  CALL(H5Tset_cset(t, H5T_CSET_UTF8));
  CALL(H5Tset_strpad(t, H5T_STR_SPACEPAD));
  CALL(H5Tdetect_class(t, H5T_VLEN));
  CALL(H5Tdetect_class(t, H5T_STRING));
  CALL(H5Tdetect_class(t, H5T_FLOAT));
  CALL(H5Tdetect_class(t, H5T_COMPOUND));
  CALL(H5Tdetect_class(t, H5T_ARRAY));
  u = H5Tcopy(t);
  CALL(H5Tequal(t, u));
  CALL(H5Tpack(u));
  show_members("packed", u);
  CALL(H5Tequal(t, u));
  CALL(H5Tpack(u));
  CALL(H5Tinsert(u, "more", 0, H5T_NATIVE_INT));
  v = H5Tcreate(H5T_COMPOUND, 200);
  CALL(H5Tinsert(v, "inner", 10, t));
  CALL(H5Tinsert(v, "many", 120, H5Tarray_create2(H5T_STD_I8LE, 2, dims)));
  show_members("nested", v);
  CALL(H5Tset_size(t, 150));
  CALL(H5Tpack(v));
  show_members("nested, packed", v);
  CALL(H5Tset_order(v, H5T_ORDER_LE));
  CALL(H5Tget_order(v));
  t = H5Tcreate(H5T_COMPOUND, 8);
  u = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(t, "x", 0, H5T_NATIVE_INT);
  H5Tinsert(t, "y", 4, H5T_NATIVE_INT);
  H5Tinsert(u, "y", 4, H5T_NATIVE_INT);
  H5Tinsert(u, "x", 0, H5T_NATIVE_INT);
  CALL(H5Tequal(t, u));
  show_members("by offset", u);
  e = H5Tcreate(H5T_COMPOUND, 8);
  CALL(H5Tset_size(e, 4));
  CALL(H5Tequal(e, t));
  CALL(H5Tlock(t));
  CALL(H5Tinsert(t, "z", 0, H5T_NATIVE_INT));
  CALL(H5Tpack(t));
  CALL_ID(H5Tget_native_type(v, H5T_DIR_ASCEND));
  show_members("native", H5Tget_native_type(v, H5T_DIR_DEFAULT));
  return 0;
}
