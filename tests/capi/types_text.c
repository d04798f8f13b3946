/* SPDX-License-Identifier: Apache-2.0 */
/* Datatypes as text, and back. */
#include <hdf5_hl.h>
#include <stdlib.h>

#include "show.h"

static void there_and_back(const char* title, hid_t type) {
  size_t size = 0;
  char* text;
  hid_t again;
  printf("%s\n", title);
  SHOW(H5LTdtype_to_text(type, NULL, H5LT_DDL, &size));
  SHOW(size);
  text = malloc(size);
  SHOW(H5LTdtype_to_text(type, text, H5LT_DDL, &size));
  SHOW_TEXT(text);
  again = H5LTtext_to_dtype(text, H5LT_DDL);
  SHOW_ID(again);
  SHOW(H5Tequal(type, again));
  SHOW(H5Tclose(again));
  free(text);
}

/* Only the text: HDF5 cannot parse its own text of these types. */
static void there(hid_t type) {
  char text[2000];
  size_t size = sizeof text;
  SHOW(H5LTdtype_to_text(type, text, H5LT_DDL, &size));
  SHOW_TEXT(text);
}

static void back(const char* text) {
  char again[2000];
  size_t size = sizeof again;
  hid_t type = H5LTtext_to_dtype(text, H5LT_DDL);
  printf("%s\n", text);
  SHOW_ID(type);
  SHOW(H5LTdtype_to_text(type, again, H5LT_DDL, &size));
  SHOW_TEXT(again);
  SHOW(H5Tget_size(type));
  H5Tclose(type);
}

int main(void) {
  const hsize_t dims[2] = {3, 4};
  short small = 1, large = 300; /* HDF5 loses the sign of negative values */
  char text[8];
  size_t size = 5;
  hid_t fixed = H5Tcopy(H5T_C_S1), variable = H5Tcopy(H5T_C_S1), pair, choice, array, list, blob, deep;
  H5Tset_size(fixed, 12);
  H5Tset_strpad(fixed, H5T_STR_SPACEPAD);
  H5Tset_size(variable, H5T_VARIABLE);
  pair = H5Tcreate(H5T_COMPOUND, 28);
  H5Tinsert(pair, "a b", 0, H5T_STD_I32LE);
  H5Tinsert(pair, "real", 8, H5T_IEEE_F64BE);
  H5Tinsert(pair, "text", 16, fixed);
  choice = H5Tenum_create(H5T_STD_I16LE);
  H5Tenum_insert(choice, "SMALL", &small);
  H5Tenum_insert(choice, "a name that is rather long", &large);
  array = H5Tarray_create2(pair, 2, dims);
  list = H5Tvlen_create(H5T_STD_U8LE);
  blob = H5Tcreate(H5T_OPAQUE, 7);
  H5Tset_tag(blob, "the tag");
  deep = H5Tcreate(H5T_COMPOUND, 12 * 28 + 16);
  H5Tinsert(deep, "array", 0, array);
  H5Tinsert(deep, "list", 12 * 28, list);
  there_and_back("int", H5T_NATIVE_INT);
  there_and_back("short", H5T_STD_U16BE);
  there_and_back("double", H5T_NATIVE_DOUBLE);
  there_and_back("long double", H5T_NATIVE_LDOUBLE);
  there_and_back("fixed", fixed);
  there_and_back("variable", variable);
  there_and_back("pair", pair);
  there_and_back("choice", choice);
  there_and_back("array", array);
  there_and_back("list", list);
  there_and_back("blob", blob);
  there_and_back("deep", deep);
  there(H5T_STD_REF_OBJ);
  there(H5T_STD_REF_DSETREG);
  back("H5T_COMPOUND { H5T_STD_I32LE \"a\"; H5T_STD_I8LE \"b\" : 10; H5T_STD_I16BE \"c\"; }");
  back("H5T_ARRAY{[2]  H5T_VLEN { H5T_NATIVE_SHORT } }");
  back("H5T_STRING { STRSIZE 4; STRPAD H5T_STR_NULLPAD; CSET H5T_CSET_ASCII; CTYPE H5T_FORTRAN_S1; }");
  back(" H5T_NATIVE_LLONG\n");
  SHOW(H5LTdtype_to_text(H5T_NATIVE_INT, text, H5LT_DDL, &size));
  SHOW_TEXT(text);
  TRY(H5LTdtype_to_text(H5T_NATIVE_INT, text, H5LT_C, &size));
  TRY(H5LTdtype_to_text(-1, text, H5LT_DDL, &size));
  TRY(H5LTtext_to_dtype(NULL, H5LT_DDL) < 0);
  return 0;
}
