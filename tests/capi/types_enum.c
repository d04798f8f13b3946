/* SPDX-License-Identifier: Apache-2.0
 *
 * Enumerations, arrays, sequences. */
#include "show.h"

static void enumerations(void) {
  int value;
  short small;
  char name[8];
  hid_t e = H5Tenum_create(H5T_NATIVE_INT), f;
  CALL_ID(H5Tenum_create(H5T_NATIVE_FLOAT));
  CALL_ID(H5Tenum_create(-1));
  CALL(H5Tenum_nameof(e, &value, name, sizeof name));
  CALL(H5Tenum_insert(e, "red", (value = 3, &value)));
  CALL(H5Tenum_insert(e, "green", (value = -1, &value)));
  CALL(H5Tenum_insert(e, "blue", (value = 300, &value)));
  CALL(H5Tenum_insert(e, "blue", (value = 7, &value)));
  CALL(H5Tenum_insert(e, "bleu", (value = 300, &value)));
  CALL(H5Tenum_insert(e, NULL, &value));
  CALL(H5Tenum_insert(e, "", &value));
  CALL(H5Tenum_insert(e, "x", NULL));
  CALL(H5Tenum_insert(-1, "x", &value));
  show_type("e", e);
  CALL(H5Tenum_nameof(e, (value = 300, &value), name, sizeof name));
  printf("%s\n", name);
  memset(name, '#', sizeof name);
  CALL(H5Tenum_nameof(e, (value = -1, &value), name, 3));
  show_bytes("cut", name, 4);
  CALL(H5Tenum_nameof(e, (value = 77, &value), name, sizeof name));
  show_bytes("none", name, 1);
  CALL(H5Tenum_nameof(e, NULL, name, sizeof name));
  CALL(H5Tenum_nameof(e, &value, NULL, sizeof name));
  CALL(H5Tenum_nameof(e, (value = 3, &value), NULL, 0));
  CALL(H5Tenum_nameof(H5T_NATIVE_INT, &value, name, 3));
  CALL(H5Tenum_valueof(e, "green", &value));
  printf("%d\n", value);
  CALL(H5Tenum_valueof(e, "nobody", &value));
  CALL(H5Tenum_valueof(e, NULL, &value));
  CALL(H5Tenum_valueof(e, "", &value));
  CALL(H5Tenum_valueof(e, "red", NULL));
  CALL(H5Tenum_valueof(H5T_NATIVE_INT, "red", &value));
  CALL(H5Tget_member_value(e, 2, &value));
  printf("%d\n", value);
  CALL(H5Tget_member_value(e, 3, &value));
  CALL(H5Tget_member_value(e, 0, NULL));
  CALL(H5Tget_member_value(-1, 0, &value));
  CALL(H5Tget_member_index(e, "blue"));
  CALL(H5Tget_member_index(e, "nobody"));
  CALL(H5Tget_member_offset(e, 0));
  CALL(H5Tget_member_class(e, 0));
  CALL_ID(H5Tget_member_type(e, 0));
  CALL(H5Tset_size(e, 2));
  CALL(H5Tset_order(e, H5T_ORDER_BE));
  CALL(H5Tset_precision(e, 12));
  CALL(H5Tset_offset(e, 2));
  CALL(H5Tset_sign(e, H5T_SGN_NONE));
  CALL(H5Tset_pad(e, H5T_PAD_ONE, H5T_PAD_ONE));
  show_text("member", H5Tget_member_name(e, 1));
  f = H5Tenum_create(H5T_STD_I16BE);
  CALL(H5Tset_size(f, 4));
  show_type("f", f);
  CALL(H5Tset_order(f, H5T_ORDER_LE));
  CALL(H5Tset_precision(f, 12));
  CALL(H5Tset_size(f, 2));
  small = 1;
  CALL(H5Tenum_insert(f, "one", &small));
  f = H5Tcopy(e);
  CALL(H5Tequal(e, f));
  CALL(H5Tenum_insert(f, "grey", (value = 30, &value)));
  CALL(H5Tequal(e, f));
  CALL(H5Tequal(H5Tget_super(f), H5T_NATIVE_INT));
  CALL(H5Tdetect_class(f, H5T_INTEGER));
  CALL(H5Tdetect_class(f, H5T_ENUM));
  f = H5Tget_native_type(f, H5T_DIR_ASCEND);
  show_type("native", f);
}

static void arrays(void) {
  hsize_t dims[3] = {2, 3, 4}, got[3] = {0, 0, 0}, zero[2] = {2, 0};
  hsize_t old_dims[3] = {5, 6, 7};
  int permutation[3] = {0, 1, 2};
  hid_t a = H5Tarray_create2(H5T_STD_U16BE, 3, dims), b;
  show_type("array", a);
  CALL(H5Tget_array_dims2(a, got));
  printf("%d %d %d\n", (int)got[0], (int)got[1], (int)got[2]);
  CALL(H5Tget_array_dims2(a, NULL));
  CALL(H5Tget_array_dims2(H5T_NATIVE_INT, got));
  CALL(H5Tget_array_dims2(-1, got));
  CALL_ID(H5Tarray_create2(H5T_STD_U16BE, 0, dims));
  CALL_ID(H5Tarray_create2(H5T_STD_U16BE, 33, dims));
  CALL_ID(H5Tarray_create2(H5T_STD_U16BE, 2, zero));
  CALL_ID(H5Tarray_create2(H5T_STD_U16BE, 2, NULL));
  CALL_ID(H5Tarray_create2(-1, 2, dims));
  b = H5Tarray_create1(H5T_NATIVE_INT, 3, old_dims, permutation);
  CALL(H5Tget_size(b));
  old_dims[0] = 0;
  permutation[1] = 9;
  CALL(H5Tget_array_dims1(b, old_dims, permutation));
  printf("%d %d %d %d\n", (int)old_dims[0], (int)old_dims[1], (int)old_dims[2], permutation[1]);
  CALL_ID(H5Tarray_create1(H5T_NATIVE_INT, 0, old_dims, NULL));
  CALL(H5Tequal(a, b));
  CALL(H5Tset_size(a, 10));
  CALL(H5Tset_order(a, H5T_ORDER_LE));
  CALL(H5Tset_precision(a, 10));
  show_type("array changed", a);
  CALL(H5Tset_precision(a, 20));
  show_type("array grown", a);
  CALL(H5Tset_offset(a, 40));
  show_type("array grown again", a);
  CALL(H5Tdetect_class(a, H5T_ARRAY));
  CALL(H5Tdetect_class(a, H5T_INTEGER));
  CALL(H5Tequal(H5Tget_super(b), H5T_NATIVE_INT));
  b = H5Tarray_create2(H5T_C_S1, 1, dims);
  CALL(H5Tset_cset(b, H5T_CSET_UTF8));
  CALL(H5Tset_strpad(b, H5T_STR_SPACEPAD));
  CALL(H5Tset_tag(b, "x"));
  show_type("array of texts", b);
  b = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, dims);
  CALL(H5Tset_ebias(b, 7));
  CALL(H5Tset_norm(b, H5T_NORM_NONE));
  CALL(H5Tset_inpad(b, H5T_PAD_ONE));
  CALL(H5Tset_fields(b, 40, 30, 10, 0, 30));
  show_type("array of floats", b);
}

static void sequences(void) {
  hid_t v = H5Tvlen_create(H5T_STD_I16BE), w;
  show_type("sequence", v);
  CALL_ID(H5Tvlen_create(-1));
  CALL(H5Tset_size(v, 10));
  CALL(H5Tset_size(v, H5T_VARIABLE));
  CALL(H5Tset_order(v, H5T_ORDER_LE));
  CALL(H5Tset_precision(v, 10));
  CALL(H5Tset_sign(v, H5T_SGN_NONE));
  show_type("sequence changed", v);
  w = H5Tvlen_create(v);
  show_type("sequence of sequences", w);
  CALL(H5Tdetect_class(w, H5T_VLEN));
  CALL(H5Tdetect_class(w, H5T_INTEGER));
  CALL(H5Tdetect_class(w, H5T_STRING));
  CALL(H5Tequal(v, w));
  CALL(H5Tequal(H5Tget_super(w), v));
  w = H5Tvlen_create(H5T_C_S1);
  CALL(H5Tset_cset(w, H5T_CSET_UTF8));
  show_type("sequence of texts", w);
  w = H5Tget_native_type(H5Tvlen_create(H5T_STD_I16BE), H5T_DIR_ASCEND);
  show_type("native", w);
}

int main(void) {
  quiet();
  enumerations();
  arrays();
  sequences();
  return 0;
}
