/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Tconvert, and user-defined conversions. */
#include "show.h"

static H5T_conv_ret_t on_fault(H5T_conv_except_t fault, hid_t from, hid_t to, void* value, void* result,
                               void* data) {
  printf("fault %d, classes %d %d, %lu -> %lu bytes\n", fault, H5Tget_class(from), H5Tget_class(to),
         (unsigned long)H5Tget_size(from), (unsigned long)H5Tget_size(to));
  (void)value;
  if (*(int*)data == 1) {
    *(signed char*)result = 42;
    return H5T_CONV_HANDLED;
  }
  return *(int*)data == 0 ? H5T_CONV_UNHANDLED : H5T_CONV_ABORT;
}

static void numbers(void) {
  int values[6] = {1, -2, 300, -300, 2000000000, 0}, how;
  double d[3] = {1.5, -2.5, 1e30};
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  CALL(H5Tconvert(H5T_NATIVE_INT, H5T_STD_I16BE, 6, values, NULL, H5P_DEFAULT));
  show_bytes("shorts", values, 12);
  CALL(H5Tconvert(H5T_STD_I16BE, H5T_NATIVE_INT, 6, values, NULL, H5P_DEFAULT));
  show_bytes("ints", values, 24);
  for (how = 0; how < 3; ++how) {
    int some[3] = {5, 300, -300};
    H5Pset_type_conv_cb(list, on_fault, &how);
    CALL(H5Tconvert(H5T_NATIVE_INT, H5T_NATIVE_SCHAR, 3, some, NULL, list));
    if (how < 2) show_bytes("chars", some, 3);
  }
  CALL(H5Tconvert(H5T_NATIVE_DOUBLE, H5T_NATIVE_INT, 3, d, NULL, H5P_DEFAULT));
  show_bytes("from doubles", d, 12);
  CALL(H5Tconvert(H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, 3, d, NULL, H5P_DEFAULT));
  show_bytes("to doubles", d, 24);
  CALL(H5Tconvert(H5T_NATIVE_INT, H5T_C_S1, 1, values, NULL, H5P_DEFAULT));
  CALL(H5Tconvert(-1, H5T_C_S1, 1, values, NULL, H5P_DEFAULT));
  CALL(H5Tconvert(H5T_NATIVE_INT, -1, 1, values, NULL, H5P_DEFAULT));
  CALL(H5Tconvert(H5T_NATIVE_INT, H5T_NATIVE_CHAR, 1, values, NULL, H5T_NATIVE_INT));
  CALL(H5Tconvert(H5T_NATIVE_INT, H5T_NATIVE_CHAR, 0, NULL, NULL, H5P_DEFAULT));
  CALL(H5Tconvert(H5T_NATIVE_INT, H5T_NATIVE_INT, 2, values, NULL, H5P_DEFAULT));
  H5Pclose(list);
}

typedef struct {
  int a;
  double b;
  char c[4];
} One;
typedef struct {
  float b;
  short more;
  long long a;
} Two;

static void compounds(void) {
  union {
    One one[2];
    Two two[2];
  } buffer;
  Two background[2];
  hid_t one = H5Tcreate(H5T_COMPOUND, sizeof(One)), two = H5Tcreate(H5T_COMPOUND, sizeof(Two)), text;
  text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 4);
  H5Tinsert(one, "a", HOFFSET(One, a), H5T_NATIVE_INT);
  H5Tinsert(one, "b", HOFFSET(One, b), H5T_NATIVE_DOUBLE);
  H5Tinsert(one, "c", HOFFSET(One, c), text);
  H5Tinsert(two, "b", HOFFSET(Two, b), H5T_NATIVE_FLOAT);
  H5Tinsert(two, "more", HOFFSET(Two, more), H5T_NATIVE_SHORT);
  H5Tinsert(two, "a", HOFFSET(Two, a), H5T_NATIVE_LLONG);
  memset(&buffer, 0, sizeof buffer);
  memset(background, 0, sizeof background);
  buffer.one[0].a = 7;
  buffer.one[0].b = 1.5;
  buffer.one[1].a = -8;
  buffer.one[1].b = -0.25;
  background[0].more = 11;
  background[1].more = 12;
  CALL(H5Tconvert(one, two, 2, &buffer, background, H5P_DEFAULT));
  printf("%lld %g %d, %lld %g %d\n", buffer.two[0].a, buffer.two[0].b, buffer.two[0].more, buffer.two[1].a,
         buffer.two[1].b, buffer.two[1].more);
  memset(background, 0, sizeof background);
  CALL(H5Tconvert(two, one, 1, &buffer, background, H5P_DEFAULT));
  printf("%d %g\n", buffer.one[0].a, buffer.one[0].b);
}

static void sequences(void) {
  hvl_t value;
  short shorts[3] = {1, 2, 3};
  hid_t from = H5Tvlen_create(H5T_NATIVE_SHORT), to = H5Tvlen_create(H5T_STD_I32BE), same;
  value.len = 3;
  value.p = shorts;
  CALL(H5Tconvert(from, to, 1, &value, NULL, H5P_DEFAULT));
  printf("%lu\n", (unsigned long)value.len);
  show_bytes("elements", value.p, 12);
  same = H5Tcopy(from);
  CALL(H5Tconvert(from, same, 1, &value, NULL, H5P_DEFAULT));
  free(value.p);
}

/* Doubles what it converts, and adds the background where it gets one. */
static herr_t doubling(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride,
                       size_t bkg_stride, void* buffer, void* background, hid_t list) {
  size_t i;
  (void)background;
  (void)bkg_stride;
  (void)list;
  switch (data->command) {
    case H5T_CONV_INIT:
      printf("init, classes %d %d\n", H5Tget_class(from), H5Tget_class(to));
      data->need_bkg = H5T_BKG_NO;
      data->priv = malloc(1);
      return H5Tget_size(from) == 4 ? 0 : -1;
    case H5T_CONV_FREE:
      printf("free\n");
      free(data->priv);
      return 0;
    case H5T_CONV_CONV:
      for (i = 0; i < count; ++i) {
        int value;
        char* at = (char*)buffer + i * (stride ? stride : 4);
        memcpy(&value, at, 4);
        value *= 2;
        memcpy(at, &value, 4);
      }
      return 0;
  }
  return -1;
}

static herr_t failing(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride, size_t bkg_stride,
                      void* buffer, void* background, hid_t list) {
  (void)from, (void)to, (void)count, (void)stride, (void)bkg_stride, (void)buffer, (void)background,
      (void)list;
  return data->command == H5T_CONV_CONV ? -1 : 0;
}

static void own(void) {
  int values[2] = {4, 5};
  hid_t opaque = H5Tcreate(H5T_OPAQUE, 4), other = H5Tcreate(H5T_OPAQUE, 4), one, two;
  H5T_cdata_t* data = NULL;
  H5Tset_tag(opaque, "mine");
  H5Tset_tag(other, "other");
  CALL(H5Tconvert(H5T_NATIVE_INT, opaque, 2, values, NULL, H5P_DEFAULT));
  CALL(H5Tfind(H5T_NATIVE_INT, opaque, &data) == NULL);
  CALL(H5Tregister(H5T_PERS_HARD, "mine", H5T_NATIVE_INT, opaque, doubling));
  CALL(H5Tconvert(H5T_NATIVE_INT, opaque, 2, values, NULL, H5P_DEFAULT));
  printf("%d %d\n", values[0], values[1]);
  CALL(H5Tfind(H5T_NATIVE_INT, opaque, &data) == doubling);
  CALL(H5Tfind(H5T_NATIVE_INT, H5T_NATIVE_FLOAT, &data) != NULL);
  CALL(H5Tfind(H5T_NATIVE_INT, opaque, NULL) == NULL);
  CALL(H5Tfind(-1, opaque, &data) == NULL);
  CALL(H5Tfind(H5T_NATIVE_INT, H5T_C_S1, &data) == NULL);
  one = H5Tcreate(H5T_COMPOUND, 8);
  two = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(one, "x", 0, H5T_NATIVE_INT);
  H5Tinsert(one, "y", 4, H5T_NATIVE_INT);
  H5Tinsert(two, "x", 0, opaque);
  H5Tinsert(two, "y", 4, H5T_NATIVE_INT);
  {
    char background[8] = {0};
    CALL(H5Tconvert(one, two, 1, values, background, H5P_DEFAULT));
  }
  printf("%d %d\n", values[0], values[1]);
  CALL(H5Tunregister(H5T_PERS_HARD, "mine", H5T_NATIVE_INT, opaque, doubling));
  CALL(H5Tregister(H5T_PERS_HARD, "fails", H5T_NATIVE_INT, opaque, failing));
  CALL(H5Tconvert(H5T_NATIVE_INT, opaque, 2, values, NULL, H5P_DEFAULT));
  CALL(H5Tunregister(H5T_PERS_HARD, "fails", -1, -1, NULL));
  CALL(H5Tconvert(H5T_NATIVE_INT, opaque, 2, values, NULL, H5P_DEFAULT));
  CALL(H5Tregister(H5T_PERS_SOFT, "soft", H5T_NATIVE_INT, opaque, doubling));
  CALL(H5Tconvert(H5T_STD_U32LE, other, 2, values, NULL, H5P_DEFAULT));
  printf("%d %d\n", values[0], values[1]);
  CALL(H5Tconvert(H5T_STD_I16LE, other, 2, values, NULL, H5P_DEFAULT));
  CALL(H5Tunregister(H5T_PERS_DONTCARE, "soft", -1, -1, NULL));
  CALL(H5Tunregister(H5T_PERS_DONTCARE, NULL, -1, -1, doubling));
  CALL(H5Tregister((H5T_pers_t)7, "x", H5T_NATIVE_INT, opaque, doubling));
  CALL(H5Tregister(H5T_PERS_SOFT, NULL, H5T_NATIVE_INT, opaque, doubling));
  CALL(H5Tregister(H5T_PERS_SOFT, "", H5T_NATIVE_INT, opaque, doubling));
  CALL(H5Tregister(H5T_PERS_SOFT, "x", -1, opaque, doubling));
  CALL(H5Tregister(H5T_PERS_SOFT, "x", H5T_NATIVE_INT, -1, doubling));
  CALL(H5Tregister(H5T_PERS_SOFT, "x", H5T_NATIVE_INT, opaque, NULL));
}

int main(void) {
  quiet();
  numbers();
  compounds();
  sequences();
  own();
  return 0;
}
