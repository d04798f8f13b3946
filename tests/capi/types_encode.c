/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoded datatypes, and committed datatypes. */
#include "show.h"

static void encode(const char* what, hid_t type) {
  unsigned char bytes[2000];
  size_t need = 0, have;
  hid_t back;
  CALL(H5Tencode(type, NULL, &need));
  printf("%s: %lu bytes\n", what, (unsigned long)need);
  memset(bytes, 0, sizeof bytes);
  have = 3;
  CALL(H5Tencode(type, bytes, &have));
  printf("%lu\n", (unsigned long)have);
  have = sizeof bytes;
  CALL(H5Tencode(type, bytes, &have));
  show_bytes(what, bytes, need);
  back = H5Tdecode(bytes);
  CALL_ID(back);
  CALL(H5Tequal(back, type));
  CALL(H5Tclose(back));
}

int main(void) {
  hid_t t, s, e, file, group, again;
  int one = 1, two = 2;
  size_t need = 10;
  hsize_t dims[2] = {3, 4};
  unsigned char bad[64];
  quiet();
  encode("int", H5T_NATIVE_INT);
  encode("double", H5T_IEEE_F64BE);
  encode("long double", H5T_NATIVE_LDOUBLE);
  encode("vax", H5T_VAX_F32);
  encode("string", H5T_C_S1);
  encode("bits", H5T_STD_B16BE);
  encode("object reference", H5T_STD_REF_OBJ);
  encode("region reference", H5T_STD_REF_DSETREG);
  encode("time", H5T_UNIX_D32BE);
  s = H5Tcopy(H5T_C_S1);
  H5Tset_size(s, H5T_VARIABLE);
  H5Tset_cset(s, H5T_CSET_UTF8);
  encode("variable string", s);
  t = H5Tcreate(H5T_OPAQUE, 4);
  H5Tset_tag(t, "some tag");
  encode("opaque", t);
  e = H5Tenum_create(H5T_STD_I32BE);
  H5Tenum_insert(e, "one", &one);
  H5Tenum_insert(e, "two", &two);
  encode("enum", e);
  encode("array", H5Tarray_create2(e, 2, dims));
  encode("sequence", H5Tvlen_create(H5T_NATIVE_SHORT));
  t = H5Tcreate(H5T_COMPOUND, 100);
  H5Tinsert(t, "text", 8, s);
  H5Tinsert(t, "enum", 0, e);
  H5Tinsert(t, "sequence", 20, H5Tvlen_create(H5T_NATIVE_SHORT));
  encode("compound", t);
  H5Tinsert(t, "array", 40, H5Tarray_create2(H5T_NATIVE_CHAR, 2, dims));
  encode("compound with array", t);
  CALL(H5Tencode(t, NULL, NULL));
  CALL(H5Tencode(-1, NULL, &need));
  CALL_ID(H5Tdecode(NULL));
  memset(bad, 0, sizeof bad);
  CALL_ID(H5Tdecode(bad));
  bad[0] = 3;
  bad[1] = 9;
  CALL_ID(H5Tdecode(bad));

  file = H5Fcreate("types.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Tcommit2(file, "compound", t, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommitted(t));
  CALL(H5Tcommit2(file, "again", t, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "native", H5T_NATIVE_INT, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, NULL, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "", s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(-1, "s", s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "s", -1, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "compound", s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "missing/s", s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "s", s, file, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommit2(file, "s", s, H5P_DEFAULT, file, H5P_DEFAULT));
  CALL(H5Tcommit1(group, "s", s));
  CALL(H5Tcommitted(s));
  CALL(H5Tset_cset(s, H5T_CSET_ASCII));
  CALL(H5Iget_type(s));
  CALL(H5Tcommit_anon(file, e, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Tcommitted(e));
  CALL(H5Tcommit_anon(file, e, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Olink(e, file, "enum", H5P_DEFAULT, H5P_DEFAULT));
  again = H5Topen2(file, "compound", H5P_DEFAULT);
  CALL_ID(again);
  CALL(H5Tequal(again, t));
  CALL(H5Tcommitted(again));
  CALL(H5Tset_size(again, 200));
  CALL(H5Tlock(again));
  CALL_ID(H5Tget_create_plist(again));
  CALL_ID(H5Tget_create_plist(-1));
  encode("committed", again);
  CALL(H5Tcommitted(H5Tcopy(again)));
  CALL(H5Tclose(again));
  CALL_ID(H5Topen1(file, "g/s"));
  CALL_ID(H5Topen2(file, "g", H5P_DEFAULT));
  CALL_ID(H5Topen2(file, "nothing", H5P_DEFAULT));
  CALL_ID(H5Topen2(file, NULL, H5P_DEFAULT));
  CALL_ID(H5Topen2(file, "", H5P_DEFAULT));
  CALL_ID(H5Topen2(-1, "s", H5P_DEFAULT));
  CALL_ID(H5Topen1(file, NULL));
  H5Gclose(group);
  CALL(H5Tclose(t));
  CALL(H5Tclose(s));
  CALL(H5Tclose(e));
  H5Fclose(file);
  return 0;
}
