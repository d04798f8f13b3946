/* SPDX-License-Identifier: Apache-2.0
 *
 * Which conversions the compiler does (H5Tcompiler_conv), for all pairs of types. */
#include "show.h"

#define TYPES 40

static hid_t types[TYPES];
static int count;

static void add(hid_t type) { types[count++] = type; }

static hid_t enumeration(hid_t base) {
  hid_t type = H5Tenum_create(base);
  int one = 1;
  H5Tconvert(H5T_NATIVE_INT, base, 1, &one, NULL, H5P_DEFAULT);
  H5Tenum_insert(type, "one", &one);
  return type;
}

static hid_t compound(hid_t member) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "member", 0, member);
  return type;
}

static hid_t text(size_t size) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  return type;
}

static void add_all(void) {
  hsize_t two = 2;
  hid_t odd = H5Tcopy(H5T_NATIVE_INT);
  H5Tset_precision(odd, 20);
  add(H5T_NATIVE_SCHAR), add(H5T_NATIVE_UCHAR), add(H5T_NATIVE_SHORT), add(H5T_NATIVE_USHORT);
  add(H5T_NATIVE_INT), add(H5T_NATIVE_UINT), add(H5T_NATIVE_LONG), add(H5T_NATIVE_ULONG);
  add(H5T_NATIVE_LLONG), add(H5T_NATIVE_ULLONG), add(H5T_NATIVE_FLOAT), add(H5T_NATIVE_DOUBLE);
  add(H5T_NATIVE_LDOUBLE), add(H5T_NATIVE_B8), add(H5T_NATIVE_B32), add(H5T_STD_I8BE);
  add(H5T_STD_I16BE), add(H5T_STD_I32BE), add(H5T_STD_U64BE), add(H5T_IEEE_F32BE);
  add(H5T_IEEE_F64BE), add(H5T_STD_B32BE), add(H5T_STD_I32LE), add(H5T_IEEE_F64LE);
  add(odd), add(text(4)), add(text(9)), add(text(H5T_VARIABLE));
  add(enumeration(H5T_NATIVE_INT)), add(enumeration(H5T_STD_I16BE)), add(compound(H5T_NATIVE_INT));
  add(compound(H5T_NATIVE_FLOAT)), add(H5Tarray_create2(H5T_NATIVE_INT, 1, &two));
  add(H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &two)), add(H5Tvlen_create(H5T_NATIVE_INT));
  add(H5Tvlen_create(H5T_NATIVE_FLOAT)), add(H5Tcreate(H5T_OPAQUE, 4)), add(H5T_STD_REF_OBJ);
}

static herr_t twice(hid_t from, hid_t to, H5T_cdata_t* data, size_t n, size_t stride, size_t bkg_stride,
                    void* buffer, void* background, hid_t plist) {
  (void)from, (void)to, (void)data, (void)n, (void)stride, (void)bkg_stride, (void)buffer, (void)background;
  (void)plist;
  return 0;
}

int main(void) {
  int i, j;
  hid_t space = H5Screate(H5S_SCALAR);
  quiet();
  add_all();
  for (i = 0; i < count; ++i) {
    printf("%2d:", i);
    for (j = 0; j < count; ++j) printf(" %d", (int)H5Tcompiler_conv(types[i], types[j]));
    printf("\n");
  }
  CALL(H5Tcompiler_conv(H5T_NATIVE_INT, text(4)));
  CALL(H5Tcompiler_conv(-1, H5T_NATIVE_INT));
  CALL(H5Tcompiler_conv(H5T_NATIVE_INT, -1));
  CALL(H5Tcompiler_conv(H5T_NATIVE_INT, space));
  CALL(H5Tcompiler_conv(H5T_NATIVE_INT, 123456789));
  CALL(H5Tregister(H5T_PERS_HARD, "hard", H5T_STD_I32BE, H5T_STD_I16BE, twice));
  CALL(H5Tcompiler_conv(H5T_STD_I32BE, H5T_STD_I16BE));
  CALL(H5Tcompiler_conv(H5T_STD_I16BE, H5T_STD_I32BE));
  CALL(H5Tregister(H5T_PERS_SOFT, "soft", H5T_NATIVE_B8, H5T_NATIVE_INT, twice));
  CALL(H5Tcompiler_conv(H5T_STD_B32BE, H5T_STD_I16BE));
  CALL(H5Tcompiler_conv(compound(H5T_STD_I32BE), compound(H5T_STD_I16BE)));
  return 0;
}
