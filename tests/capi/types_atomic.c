/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic types: changing size, precision, byte order, padding and strings, and errors. */
#include "show.h"

static void integers(void) {
  hid_t t = H5Tcopy(H5T_NATIVE_INT);
  CALL(H5Tset_size(t, 2));
  show_type("int of 2", t);
  CALL(H5Tset_size(t, 8));
  show_type("int of 8", t);
  CALL(H5Tset_size(t, 0));
  CALL(H5Tset_size(t, H5T_VARIABLE));
  CALL(H5Tset_precision(t, 12));
  CALL(H5Tset_offset(t, 60));
  show_type("12 bits at 60", t);
  CALL(H5Tset_offset(t, 3));
  CALL(H5Tset_precision(t, 0));
  CALL(H5Tset_precision(t, 100));
  show_type("100 bits", t);
  CALL(H5Tset_pad(t, H5T_PAD_ONE, H5T_PAD_ONE));
  CALL(H5Tset_pad(t, H5T_PAD_ERROR, H5T_PAD_ONE));
  CALL(H5Tset_pad(t, H5T_NPAD, H5T_PAD_ONE));
  CALL(H5Tset_sign(t, H5T_SGN_NONE));
  CALL(H5Tset_sign(t, H5T_NSGN));
  CALL(H5Tset_sign(t, (H5T_sign_t)-1));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_order(t, H5T_ORDER_VAX));
  CALL(H5Tset_order(t, H5T_ORDER_NONE));
  CALL(H5Tset_order(t, H5T_ORDER_MIXED));
  CALL(H5Tset_order(t, (H5T_order_t)77));
  show_type("changed", t);
  CALL(H5Tset_fields(t, 31, 23, 8, 0, 23));
  CALL(H5Tset_ebias(t, 1));
  CALL(H5Tset_norm(t, H5T_NORM_NONE));
  CALL(H5Tset_inpad(t, H5T_PAD_ONE));
  CALL(H5Tset_cset(t, H5T_CSET_UTF8));
  CALL(H5Tset_strpad(t, H5T_STR_SPACEPAD));
  CALL(H5Tset_tag(t, "x"));
  CALL(H5Tclose(t));
  CALL(H5Tclose(t));
}

static void floats(void) {
  hid_t t = H5Tcopy(H5T_NATIVE_DOUBLE);
  CALL(H5Tset_size(t, 4));
  CALL(H5Tset_size(t, 16));
  show_type("double of 16", t);
  CALL(H5Tset_precision(t, 20));
  CALL(H5Tset_fields(t, 19, 14, 5, 0, 14));
  show_type("fields", t);
  CALL(H5Tset_precision(t, 20));
  CALL(H5Tset_fields(t, 19, 14, 5, 0, 15));
  CALL(H5Tset_fields(t, 14, 14, 5, 0, 14));
  CALL(H5Tset_fields(t, 3, 14, 5, 0, 14));
  CALL(H5Tset_fields(t, 40, 14, 5, 0, 14));
  CALL(H5Tset_fields(t, 19, 16, 5, 0, 14));
  CALL(H5Tset_fields(t, 19, 14, 0, 0, 14));
  CALL(H5Tset_fields(t, 19, 14, 5, 0, 0));
  CALL(H5Tset_size(t, 3));
  CALL(H5Tset_size(t, 2));
  show_type("smaller", t);
  CALL(H5Tset_ebias(t, 15));
  CALL(H5Tset_norm(t, H5T_NORM_NONE));
  CALL(H5Tset_norm(t, H5T_NORM_MSBSET));
  CALL(H5Tset_norm(t, H5T_NORM_ERROR));
  CALL(H5Tset_norm(t, (H5T_norm_t)5));
  CALL(H5Tset_inpad(t, H5T_PAD_ONE));
  CALL(H5Tset_inpad(t, H5T_NPAD));
  CALL(H5Tset_inpad(t, H5T_PAD_ERROR));
  CALL(H5Tset_order(t, H5T_ORDER_VAX));
  CALL(H5Tset_sign(t, H5T_SGN_NONE));
  show_type("changed float", t);
  CALL(H5Tclose(t));
}

static void texts(void) {
  hid_t t = H5Tcopy(H5T_C_S1);
  CALL(H5Tset_size(t, 10));
  show_type("string of 10", t);
  CALL(H5Tset_cset(t, H5T_CSET_UTF8));
  CALL(H5Tset_cset(t, H5T_NCSET));
  CALL(H5Tset_cset(t, H5T_CSET_ERROR));
  CALL(H5Tset_strpad(t, H5T_STR_NULLPAD));
  CALL(H5Tset_strpad(t, H5T_NSTR));
  CALL(H5Tset_strpad(t, H5T_STR_ERROR));
  CALL(H5Tset_precision(t, 16));
  CALL(H5Tset_precision(t, 20));
  CALL(H5Tset_offset(t, 0));
  CALL(H5Tset_offset(t, 8));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_order(t, H5T_ORDER_NONE));
  show_type("string", t);
  CALL(H5Tset_size(t, 0));
  CALL(H5Tset_size(t, H5T_VARIABLE));
  show_type("variable", t);
  CALL(H5Tset_cset(t, H5T_CSET_ASCII));
  CALL(H5Tset_strpad(t, H5T_STR_SPACEPAD));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_precision(t, 8));
  CALL(H5Tdetect_class(t, H5T_VLEN));
  CALL(H5Tdetect_class(t, H5T_STRING));
  show_type("variable changed", t);
  CALL(H5Tset_size(t, 5));
  show_type("fixed again", t);
  CALL(H5Tclose(t));
}

static void opaques(void) {
  char tag[300];
  hid_t t = H5Tcreate(H5T_OPAQUE, 12);
  show_type("opaque", t);
  CALL(H5Tset_tag(t, "a tag"));
  show_text("tag", H5Tget_tag(t));
  memset(tag, 'x', sizeof tag);
  tag[299] = 0;
  CALL(H5Tset_tag(t, tag));
  tag[256] = 0;
  CALL(H5Tset_tag(t, tag));
  tag[255] = 0;
  CALL(H5Tset_tag(t, tag));
  CALL(H5Tset_tag(t, ""));
  CALL(H5Tset_tag(t, NULL));
  show_text("tag", H5Tget_tag(t));
  CALL(H5Tset_size(t, 3));
  CALL(H5Tset_size(t, H5T_VARIABLE));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_precision(t, 8));
  CALL(H5Tset_offset(t, 0));
  CALL(H5Tset_offset(t, 1));
  show_type("opaque changed", t);
  CALL(H5Tclose(t));
}

static void others(void) {
  hid_t t = H5Tcopy(H5T_STD_B16LE);
  CALL(H5Tset_size(t, 4));
  CALL(H5Tset_precision(t, 7));
  CALL(H5Tset_offset(t, 2));
  CALL(H5Tset_sign(t, H5T_SGN_2));
  CALL(H5Tset_pad(t, H5T_PAD_ONE, H5T_PAD_ONE));
  show_type("bits", t);
  CALL(H5Tclose(t));
  t = H5Tcopy(H5T_UNIX_D32LE);
  CALL(H5Tset_size(t, 8));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_precision(t, 16));
  show_type("time", t);
  CALL(H5Tclose(t));
  t = H5Tcopy(H5T_STD_REF_OBJ);
  CALL(H5Tset_size(t, 4));
  CALL(H5Tset_order(t, H5T_ORDER_BE));
  CALL(H5Tset_order(t, H5T_ORDER_NONE));
  CALL(H5Tset_precision(t, 16));
  CALL(H5Tset_offset(t, 0));
  CALL(H5Tclose(t));
}

static void create(void) {
  CALL_ID(H5Tcreate(H5T_COMPOUND, 0));
  CALL_ID(H5Tcreate(H5T_COMPOUND, 10));
  CALL_ID(H5Tcreate(H5T_OPAQUE, 10));
  CALL_ID(H5Tcreate(H5T_STRING, 10));
  CALL_ID(H5Tcreate(H5T_STRING, H5T_VARIABLE));
  CALL_ID(H5Tcreate(H5T_ENUM, 4));
  CALL_ID(H5Tcreate(H5T_ENUM, 3));
  CALL_ID(H5Tcreate(H5T_ENUM, H5T_VARIABLE));
  CALL_ID(H5Tcreate(H5T_BITFIELD, 4));
  CALL_ID(H5Tcreate(H5T_REFERENCE, 4));
  CALL_ID(H5Tcreate(H5T_ARRAY, 4));
  CALL_ID(H5Tcreate(H5T_VLEN, 4));
  CALL_ID(H5Tcreate(H5T_NO_CLASS, 4));
  CALL_ID(H5Tcreate(H5T_NCLASSES, 4));
  show_type("created string", H5Tcreate(H5T_STRING, 7));
  show_type("created variable string", H5Tcreate(H5T_STRING, H5T_VARIABLE));
  show_type("created enum", H5Tcreate(H5T_ENUM, 2));
  show_type("created compound", H5Tcreate(H5T_COMPOUND, 20));
}

static void bad_ids(void) {
  hid_t space = H5Screate(H5S_SCALAR);
  show_type("a dataspace", space);
  show_type("nothing", -1);
  CALL_ID(H5Tcopy(space));
  CALL_ID(H5Tcopy(-1));
  CALL(H5Tclose(space));
  CALL(H5Tlock(space));
  CALL(H5Tset_size(space, 3));
  CALL(H5Tset_order(space, H5T_ORDER_BE));
  CALL(H5Tset_tag(space, "a"));
  CALL(H5Tset_cset(space, H5T_CSET_UTF8));
  CALL(H5Tset_fields(space, 31, 23, 8, 0, 23));
  CALL(H5Tdetect_class(space, H5T_INTEGER));
  CALL(H5Tdetect_class(H5T_NATIVE_INT, H5T_NO_CLASS));
  CALL(H5Tdetect_class(H5T_NATIVE_INT, H5T_NCLASSES));
  CALL(H5Tdetect_class(H5T_NATIVE_INT, H5T_INTEGER));
  CALL_ID(H5Tget_native_type(space, H5T_DIR_ASCEND));
  CALL_ID(H5Tget_native_type(H5T_STD_I32BE, (H5T_direction_t)9));
  CALL_ID(H5Tget_native_type(H5T_UNIX_D32BE, H5T_DIR_ASCEND));
}

static void locking(void) {
  hid_t t = H5Tcopy(H5T_NATIVE_INT);
  CALL(H5Tlock(t));
  CALL(H5Tlock(t));
  CALL(H5Tset_size(t, 2));
  CALL(H5Tclose(t));
  CALL(H5Iget_ref(t));
}

int main(void) {
  quiet();
  integers();
  floats();
  texts();
  opaques();
  others();
  create();
  bad_ids();
  locking();
  return 0;
}
