/* SPDX-License-Identifier: Apache-2.0 */
/* Where HDF5 misreads, fails or accepts too much: texts of datatypes, scales of other files, lists of the
 * wrong size. */
#include <hdf5_hl.h>
#include <stdlib.h>

#include "show.h"

static void back(const char* text) {
  char again[500] = "";
  size_t size = sizeof again;
  hid_t type;
  H5E_BEGIN_TRY { type = H5LTtext_to_dtype(text, H5LT_DDL); }
  H5E_END_TRY
  printf("%s -> ", text);
  if (type < 0) {
    printf("refused\n");
    return;
  }
  H5LTdtype_to_text(type, again, H5LT_DDL, &size);
  printf("%s\n", again);
  H5Tclose(type);
}

static void nested(int depth) {
  char* text = malloc((size_t)depth * 13 + 20);
  int i;
  hid_t type;
  for (i = 0; i < depth; ++i) strcpy(text + i * 11, "H5T_VLEN { ");
  strcpy(text + depth * 11, "H5T_STD_I8LE");
  for (i = 0; i < depth; ++i) strcpy(text + depth * 11 + 12 + i * 2, " }");
  H5E_BEGIN_TRY { type = H5LTtext_to_dtype(text, H5LT_DDL); }
  H5E_END_TRY
  printf("%d levels: ", depth);
  SHOW_ID(type);
  free(text);
}

static void scales(void) {
  const hsize_t size = 3;
  hid_t one = H5Fcreate("one.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t other = H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t d = H5Dcreate2(one, "d", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t x = H5Dcreate2(one, "x", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t far = H5Dcreate2(other, "x", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hbool_t with_new_ref = 1;
  int one_value = 1;
  TRY(H5DSattach_scale(d, far, 0));
  TRY(H5DSattach_scale(d, x, 0));
  TRY(H5DSattach_scale(d, x, 0));
  TRY(H5DSdetach_scale(d, x, 0));
  TRY(H5Aexists(x, "REFERENCE_LIST"));
  TRY(H5DSattach_scale(d, x, 0));
  TRY(H5DSiterate_scales(d, 0, NULL, NULL, NULL));
  TRY(H5DSwith_new_ref(d, &with_new_ref));
  SHOW(with_new_ref);
  TRY(H5DSwith_new_ref(d, NULL));
  TRY(H5DSwith_new_ref(-1, &with_new_ref));
  TRY(H5LTset_attribute_int(one, "x", "CLASS", &one_value, 1));
  TRY(H5DSis_scale(x));
  /* Lists whose size differs from the rank of the dataset. */
  TRY(H5LTset_attribute_int(one, "d", "DIMENSION_LIST", &one_value, 1));
  TRY(H5DSget_num_scales(d, 0));
  TRY(H5LTset_attribute_string(one, "d", "DIMENSION_LABELS", "no list"));
  TRY(H5DSget_label(d, 0, NULL, 0));
}

int main(void) {
  back("");
  back("H5T_NOPE");
  back("h5t_native_int");
  back("H5T_NATIVE_INT and more");
  back("H5T_STD_B16BE");
  back("H5T_ENUM { H5T_STD_I8LE; \"down\" -2; \"up\" 3; }");
  back("H5T_ENUM { H5T_STD_I8LE; \"up\" three; }");
  back("H5T_ENUM { H5T_IEEE_F32LE; \"up\" 3; }");
  back("H5T_ENUM { \"up\" 3; }");
  back("H5T_REFERENCE { H5T_STD_REF_DSETREG }");
  back("H5T_COMPOUND { }");
  back("H5T_COMPOUND { H5T_STD_I8LE \"a; }");
  back("H5T_COMPOUND { H5T_STD_I8LE \"a\" : 18446744073709551615; }");
  back("H5T_COMPOUND { H5T_STD_I8LE \"a\"; H5T_STD_I8LE \"a\"; }");
  back("H5T_ARRAY { H5T_STD_I8LE }");
  back("H5T_ARRAY { [0] H5T_STD_I8LE }");
  back("H5T_ARRAY { [99999999999999999999999] H5T_STD_I8LE }");
  back("H5T_ARRAY { [3 H5T_STD_I8LE }");
  back("H5T_OPAQUE { OPQ_SIZE 0; OPQ_TAG \"q\"; }");
  back("H5T_STRING { STRSIZE 3; STRPAD H5T_STR_OTHER; CSET H5T_CSET_ASCII; CTYPE H5T_C_S1; }");
  back("H5T_STRING { STRSIZE 3; STRPAD H5T_STR_NULLPAD; CSET H5T_CSET_UTF8; CTYPE H5T_C_S1; }");
  nested(50);
  nested(100);
  nested(50000);
  TRY(H5LTdtype_to_text(H5T_NATIVE_INT, NULL, H5LT_DDL, NULL));
  TRY(H5LTfind_dataset(-1, NULL));
  TRY(H5LTfind_attribute(-1, NULL));
  scales();
  return 0;
}
