/* SPDX-License-Identifier: Apache-2.0 */
/* H5LD: the extent of datasets that grow, and the elements that were added. */
#include <hdf5_hl.h>

#include "show.h"

typedef struct Inner {
  short a;
  double b;
} Inner;

typedef struct Element {
  int number;
  Inner inner;
  char odd;
  float list[2];
} Element;

static hid_t element_type(void) {
  hsize_t two = 2;
  hid_t inner = H5Tcreate(H5T_COMPOUND, sizeof(Inner)), list = H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &two),
        type = H5Tcreate(H5T_COMPOUND, sizeof(Element));
  H5Tinsert(inner, "a", HOFFSET(Inner, a), H5T_NATIVE_SHORT);
  H5Tinsert(inner, "b", HOFFSET(Inner, b), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "number", HOFFSET(Element, number), H5T_NATIVE_INT);
  H5Tinsert(type, "inner", HOFFSET(Element, inner), inner);
  H5Tinsert(type, "o.d,d", HOFFSET(Element, odd), H5T_NATIVE_SCHAR);
  H5Tinsert(type, "list", HOFFSET(Element, list), list);
  H5Tclose(inner);
  H5Tclose(list);
  return type;
}

static hid_t make(hid_t file, const char* name, int rank, const hsize_t* dims, hid_t type) {
  hsize_t chunk[3] = {2, 2, 2}, unlimited[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  hid_t space = H5Screate_simple(rank, dims, unlimited), list = H5Pcreate(H5P_DATASET_CREATE), set;
  H5Pset_chunk(list, rank, chunk);
  set = H5Dcreate2(file, name, type, space, NONE, list, NONE);
  H5Sclose(space);
  H5Pclose(list);
  return set;
}

static void compound(hid_t file) {
  hsize_t dims[1] = {5}, before[1] = {3}, now[1] = {5}, beyond[1] = {9}, found[1] = {0};
  Element elements[5], read[5];
  unsigned char bytes[200];
  hid_t type = element_type(), set = make(file, "compound", 1, dims, type);
  int i;
  memset(elements, 0, sizeof elements);
  memset(read, 0, sizeof read);
  for (i = 0; i < 5; ++i) {
    elements[i].number = 100 + i;
    elements[i].inner.a = (short)(10 + i);
    elements[i].inner.b = 0.5 * i;
    elements[i].odd = (char)i;
    elements[i].list[1] = (float)(i * 3);
  }
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, NONE, elements);
  TRY(H5LDget_dset_dims(set, found));
  SHOW(found[0]);
  TRY(H5LDget_dset_type_size(set, NULL));
  TRY(H5LDget_dset_type_size(set, "number"));
  TRY(H5LDget_dset_type_size(set, "inner"));
  TRY(H5LDget_dset_type_size(set, "inner.b"));
  TRY(H5LDget_dset_type_size(set, "inner.b,number,list"));
  TRY(H5LDget_dset_type_size(set, "number,number"));
  TRY(H5LDget_dset_type_size(set, "o\\.d\\,d"));
  TRY(H5LDget_dset_type_size(set, "o.d,d"));
  TRY(H5LDget_dset_type_size(set, "absent"));
  TRY(H5LDget_dset_type_size(set, "inner.absent"));
  TRY(H5LDget_dset_type_size(set, "number.a"));
  TRY(H5LDget_dset_type_size(set, "number,"));
  TRY(H5LDget_dset_type_size(set, ",number"));
  TRY(H5LDget_dset_type_size(set, "inner."));
  TRY(H5LDget_dset_type_size(set, ".b"));
  TRY(H5LDget_dset_type_size(set, "number\\"));
  TRY(H5LDget_dset_elmts(set, before, now, NULL, read));
  SHOW(read[1].number);
  SHOW_REAL(read[1].inner.b);
  TRY(H5LDget_dset_elmts(set, before, now, "inner.b,number", bytes));
  show_bytes("inner.b,number", bytes, 24);
  TRY(H5LDget_dset_elmts(set, before, now, "o\\.d\\,d,inner.a", bytes));
  show_bytes("o.d,d and inner.a", bytes, 6);
  TRY(H5LDget_dset_elmts(set, before, now, "list,list", bytes));
  show_bytes("list twice", bytes, 32);
  TRY(H5LDget_dset_elmts(set, before, now, "absent", bytes));
  TRY(H5LDget_dset_elmts(set, now, now, NULL, read));
  TRY(H5LDget_dset_elmts(set, now, before, NULL, read));
  TRY(H5LDget_dset_elmts(set, before, beyond, NULL, read));
  TRY(H5LDget_dset_elmts(set, before, beyond, "number", read));
  TRY(H5LDget_dset_elmts(set, NULL, now, NULL, read));
  TRY(H5LDget_dset_elmts(set, before, NULL, NULL, read));
  TRY(H5LDget_dset_elmts(set, before, now, NULL, NULL));
  TRY(H5LDget_dset_dims(set, NULL));
  H5Tclose(type);
  H5Dclose(set);
}

static void show_added(hid_t set, hsize_t rows_before, hsize_t columns_before, hsize_t rows,
                       hsize_t columns) {
  hsize_t before[2], now[2];
  int values[64], i, code;
  before[0] = rows_before;
  before[1] = columns_before;
  now[0] = rows;
  now[1] = columns;
  for (i = 0; i < 64; ++i) values[i] = -1;
  code = H5LDget_dset_elmts(set, before, now, NULL, values);
  printf("%d x %d to %d x %d: %d:", (int)rows_before, (int)columns_before, (int)rows, (int)columns, code);
  for (i = 0; i < 64 && values[i] >= 0; ++i) printf(" %d", values[i]);
  printf("\n");
}

static void matrix(hid_t file) {
  hsize_t dims[2] = {4, 6}, found[2] = {0, 0};
  int values[24], i;
  hid_t set = make(file, "matrix", 2, dims, H5T_STD_I32BE);
  for (i = 0; i < 24; ++i) values[i] = i;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  TRY(H5LDget_dset_dims(set, found));
  SHOW(found[1]);
  TRY(H5LDget_dset_type_size(set, NULL));
  TRY(H5LDget_dset_type_size(set, "a"));
  show_added(set, 2, 6, 4, 6);
  show_added(set, 4, 4, 4, 6);
  show_added(set, 2, 4, 4, 6);
  show_added(set, 3, 6, 4, 5);
  show_added(set, 0, 0, 4, 6);
  show_added(set, 4, 0, 4, 1);
  show_added(set, 2, 0, 4, 0);
  show_added(set, 4, 6, 4, 6);
  show_added(set, 4, 6, 5, 6);
  TRY(H5LDget_dset_elmts(set, dims, found, "a", values));
  H5Dclose(set);
}

static void other_ids(hid_t file) {
  hsize_t dims[2] = {1, 1}, more[2] = {2, 2};
  int values[4];
  hid_t scalar;
  new_dataset(file, "scalar");
  scalar = H5Dopen2(file, "scalar", NONE);
  TRY(H5LDget_dset_dims(scalar, dims));
  TRY(H5LDget_dset_type_size(scalar, NULL));
  TRY(H5LDget_dset_elmts(scalar, dims, more, NULL, values));
  H5Dclose(scalar);
  TRY(H5LDget_dset_dims(file, dims));
  TRY(H5LDget_dset_dims(-1, dims));
  TRY(H5LDget_dset_type_size(file, NULL));
  TRY(H5LDget_dset_type_size(-1, "a"));
  TRY(H5LDget_dset_elmts(file, dims, more, NULL, values));
  TRY(H5LDget_dset_elmts(-1, dims, more, NULL, values));
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("growing_datasets.h5");
  compound(file);
  matrix(file);
  other_ids(file);
  H5Fclose(file);
  return 0;
}
