/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes: values, names, order, and errors. */
#include "show.h"

static int ordered = 0; /* HDF5 reports creation orders even where none are stored */

static herr_t see(hid_t where, const char* name, const H5A_info_t* info, void* data) {
  (void)where;
  printf("  %s: %lld bytes, set %d", name, (long long)info->data_size, (int)info->cset);
  if (ordered) printf(", order %d %u", (int)info->corder_valid, (unsigned)info->corder);
  printf("\n");
  return data != NULL && strcmp(name, (const char*)data) == 0 ? 3 : 0;
}

static void use(hid_t file, const char* name, int order) {
  const char* names[] = {"zeta", "alpha", "mid"};
  const hsize_t dims[1] = {3};
  int numbers[3] = {1, -2, 3}, i;
  double reals[3];
  char text[32];
  hsize_t next = 0;
  H5A_info_t info;
  hid_t list = H5Pcreate(H5P_GROUP_CREATE), space = H5Screate_simple(1, dims, NULL), group, a, type;
  ordered = order;
  if (order) H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  group = H5Gcreate2(file, name, H5P_DEFAULT, list, H5P_DEFAULT);
  for (i = 0; i < 3; ++i) {
    a = H5Acreate2(group, names[i], H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT);
    CALL_ID(a);
    CALL(H5Awrite(a, H5T_NATIVE_INT, numbers));
    CALL(H5Aclose(a));
  }
  CALL_ID(H5Acreate2(group, "alpha", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Aexists(group, "alpha"));
  CALL(H5Aexists(group, "beta"));
  CALL(H5Aexists(group, NULL));
  CALL(H5Aget_num_attrs(group));
  a = H5Aopen(group, "mid", H5P_DEFAULT);
  CALL(H5Aread(a, H5T_NATIVE_DOUBLE, reals));
  for (i = 0; i < 3; ++i) printf("%g ", reals[i]);
  printf("\n");
  CALL(H5Aget_name(a, sizeof text, text));
  puts(text);
  CALL(H5Aget_name(a, 3, text));
  puts(text);
  CALL(H5Aget_storage_size(a));
  CALL(H5Sget_simple_extent_npoints(H5Aget_space(a)));
  type = H5Aget_type(a);
  CALL(H5Tequal(type, H5T_STD_I32BE));
  H5Tclose(type);
  CALL(H5Aread(a, H5T_NATIVE_INT, NULL));
  CALL(H5Aread(a, H5T_C_S1, reals));
  H5Aclose(a);
  CALL(H5Aclose(a));
  CALL(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &next, see, NULL));
  CALL(next);
  next = 1;
  CALL(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_DEC, &next, see, NULL));
  next = 0;
  CALL(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &next, see, "mid"));
  CALL(next);
  if (order) {
    CALL(H5Aiterate2(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, see, NULL));
    CALL(H5Aiterate2(group, H5_INDEX_CRT_ORDER, H5_ITER_DEC, NULL, see, NULL));
  }
  CALL(H5Aget_info_by_name(file, name, "zeta", &info, H5P_DEFAULT));
  CALL(info.data_size);
  CALL(H5Aget_name_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, 1, text, sizeof text, H5P_DEFAULT));
  puts(text);
  CALL(H5Aget_name_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, 1, NULL, 0, H5P_DEFAULT));
  CALL(H5Aget_name_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, 1, NULL, 10, H5P_DEFAULT));
  CALL(H5Aget_name_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, 7, text, sizeof text, H5P_DEFAULT));
  CALL(H5Arename(group, "zeta", "omega"));
  CALL(H5Arename(group, "zeta", "again"));
  CALL(H5Arename(group, "mid", "omega"));
  CALL(H5Adelete(group, "alpha"));
  CALL(H5Adelete(group, "alpha"));
  CALL(H5Adelete_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT));
  CALL(H5Aget_num_attrs(group));
  CALL_ID(H5Aopen(group, "alpha", H5P_DEFAULT));
  CALL_ID(H5Aopen_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Aopen_by_name(file, "nowhere", "omega", H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Acreate2(space, "x", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Acreate2(group, "", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Acreate2(group, "x", space, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(list);
  H5Gclose(group);
}

static void special(hid_t file) {
  const char *text = "variable", *back = NULL;
  char fixed[8] = "";
  hid_t scalar = H5Screate(H5S_SCALAR), null = H5Screate(H5S_NULL), type = H5Tcopy(H5T_C_S1), a;
  int nothing = 5;
  H5Tset_size(type, H5T_VARIABLE);
  a = H5Acreate2(file, "text", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Awrite(a, type, &text));
  CALL(H5Aread(a, type, &back));
  puts(back);
  H5Dvlen_reclaim(type, scalar, H5P_DEFAULT, &back);
  H5Aclose(a);
  H5Tclose(type);
  type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 5);
  a = H5Acreate2(file, "fixed", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Aread(a, type, fixed));
  CALL(H5Awrite(a, type, "abcdefg"));
  CALL(H5Aread(a, type, fixed));
  puts(fixed);
  H5Aclose(a);
  a = H5Acreate2(file, "null", H5T_NATIVE_INT, null, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Awrite(a, H5T_NATIVE_INT, &nothing));
  CALL(H5Aread(a, H5T_NATIVE_INT, &nothing));
  CALL(nothing);
  CALL(H5Aget_storage_size(a));
  H5Aclose(a);
  H5Tclose(type);
  H5Sclose(scalar);
  H5Sclose(null);
}

int main(void) {
  hid_t file;
  quiet();
  file = H5Fcreate("attributes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  use(file, "plain", 0);
  use(file, "ordered", 1);
  special(file);
  CALL(H5Fclose(file));
  return 0;
}
