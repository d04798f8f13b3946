/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension scales: errors, information, and the attributes that store them. */
#include <hdf5_hl.h>

#include "show.h"

static hid_t make(hid_t file, const char* name, int rank) {
  const hsize_t dims[2] = {3, 4};
  hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, dims, NULL);
  hid_t dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  return dataset;
}

static herr_t visit(hid_t dataset, unsigned dimension, hid_t scale, void* answer) {
  char of[64] = "", name[64] = "";
  H5Iget_name(dataset, of, sizeof of);
  H5Iget_name(scale, name, sizeof name);
  printf("  %s, dimension %u: %s\n", of, dimension, name);
  return answer == NULL ? 0 : *(int*)answer;
}

static void becoming(hid_t file, hid_t group, hid_t d, hid_t x, hid_t y) {
  char name[32];
  TRY(H5DSset_scale(group, "x"));
  TRY(H5DSset_scale(file, "x"));
  TRY(H5DSset_scale(-1, "x"));
  TRY(H5DSset_scale(x, "first"));
  TRY(H5DSset_scale(x, "again"));
  TRY(H5DSset_scale(x, NULL));
  TRY(H5DSset_scale(y, NULL));
  TRY(H5DSis_scale(x));
  TRY(H5DSis_scale(d));
  TRY(H5DSis_scale(group));
  TRY(H5DSis_scale(-1));
  TRY(H5DSget_scale_name(x, NULL, 0));
  TRY(H5DSget_scale_name(x, name, 3));
  SHOW_TEXT(name);
  TRY(H5DSget_scale_name(x, name, 6));
  SHOW_TEXT(name);
  TRY(H5DSget_scale_name(y, name, sizeof name));
  TRY(H5DSget_scale_name(d, name, sizeof name));
  TRY(H5DSget_scale_name(group, name, sizeof name));
}

static void attaching(hid_t group, hid_t d, hid_t x, hid_t y, hid_t late, hid_t scalar) {
  TRY(H5DSattach_scale(d, x, 0));
  TRY(H5DSattach_scale(d, y, 1));
  TRY(H5DSattach_scale(d, late, 1));
  TRY(H5DSis_scale(late));
  TRY(H5DSattach_scale(d, x, 2));
  TRY(H5DSattach_scale(d, d, 0));
  TRY(H5DSattach_scale(x, y, 0));
  TRY(H5DSattach_scale(group, y, 0));
  TRY(H5DSattach_scale(d, group, 0));
  TRY(H5DSattach_scale(d, -1, 0));
  TRY(H5DSset_scale(d, "it has scales"));
  TRY(H5DSattach_scale(scalar, x, 0));
  TRY(H5DSattach_scale(scalar, x, 1));
  TRY(H5DSis_attached(scalar, x, 0));
  TRY(H5DSis_attached(d, x, 0));
  TRY(H5DSis_attached(d, x, 1));
  TRY(H5DSis_attached(d, x, 2));
  TRY(H5DSis_attached(d, y, 1));
  TRY(H5DSis_attached(group, y, 1));
  TRY(H5DSis_attached(d, group, 1));
  TRY(H5DSis_attached(d, d, 1));
  TRY(H5DSis_attached(x, y, 0));
  TRY(H5DSget_num_scales(d, 0));
  TRY(H5DSget_num_scales(d, 1));
  TRY(H5DSget_num_scales(d, 2));
  TRY(H5DSget_num_scales(x, 0));
  TRY(H5DSget_num_scales(group, 0));
  TRY(H5DSget_num_scales(scalar, 0));
}

static void visiting(hid_t group, hid_t d, hid_t x) {
  int index = 0, answer = 7;
  TRY(H5DSiterate_scales(d, 1, &index, visit, NULL));
  SHOW(index);
  TRY(H5DSiterate_scales(d, 1, &index, visit, NULL));
  SHOW(index);
  index = 2;
  TRY(H5DSiterate_scales(d, 1, &index, visit, NULL));
  TRY(H5DSiterate_scales(d, 1, NULL, visit, NULL));
  TRY(H5DSiterate_scales(d, 2, NULL, visit, NULL));
  TRY(H5DSiterate_scales(x, 0, NULL, visit, NULL));
  TRY(H5DSiterate_scales(group, 0, NULL, visit, NULL));
  index = 0;
  TRY(H5DSiterate_scales(d, 1, &index, visit, &answer));
  SHOW(index);
  answer = -3;
  TRY(H5DSiterate_scales(d, 1, NULL, visit, &answer));
  index = 0;
  TRY(H5DSiterate_scales(x, 0, &index, visit, NULL));
}

static void labels(hid_t group, hid_t d, hid_t x, hid_t scalar) {
  char text[32];
  TRY(H5DSget_label(d, 0, text, sizeof text));
  SHOW_TEXT(text);
  TRY(H5DSset_label(d, 0, "row"));
  TRY(H5DSset_label(d, 0, "row number"));
  TRY(H5DSset_label(x, 0, "of a scale"));
  TRY(H5DSset_label(d, 2, "none"));
  TRY(H5DSset_label(group, 0, "none"));
  TRY(H5DSset_label(scalar, 0, "none"));
  TRY(H5DSset_label(d, 1, NULL));
  TRY(H5DSget_label(d, 0, NULL, 0));
  TRY(H5DSget_label(d, 0, text, 4));
  SHOW_TEXT(text);
  TRY(H5DSget_label(d, 0, text, sizeof text));
  SHOW_TEXT(text);
  TRY(H5DSget_label(d, 1, text, sizeof text));
  TRY(H5DSget_label(d, 2, text, sizeof text));
  TRY(H5DSget_label(group, 0, text, sizeof text));
}

static void detaching(hid_t group, hid_t d, hid_t x, hid_t y, hid_t late, hid_t scalar, hid_t other) {
  TRY(H5DSdetach_scale(d, y, 0));
  TRY(H5DSdetach_scale(d, y, 2));
  TRY(H5DSdetach_scale(d, other, 0));
  TRY(H5DSdetach_scale(group, y, 0));
  TRY(H5DSdetach_scale(d, group, 0));
  TRY(H5DSdetach_scale(x, y, 0));
  TRY(H5DSdetach_scale(d, y, 1));
  TRY(H5DSdetach_scale(d, y, 1));
  TRY(H5DSis_attached(d, y, 1));
  TRY(H5DSget_num_scales(d, 1));
  TRY(H5Aexists(y, "REFERENCE_LIST"));
  TRY(H5DSdetach_scale(d, late, 1));
  TRY(H5Aexists(d, "DIMENSION_LIST"));
  TRY(H5DSdetach_scale(d, x, 0));
  TRY(H5Aexists(d, "DIMENSION_LIST"));
  TRY(H5Aexists(x, "REFERENCE_LIST"));
  TRY(H5DSdetach_scale(scalar, x, 0));
  TRY(H5Aexists(x, "REFERENCE_LIST"));
  TRY(H5DSset_scale(d, "now it may be one"));
}

/* The attribute CLASS in forms that other writers use. */
static void class_as(hid_t dataset, size_t size, H5T_str_t padding) {
  const char* text = "DIMENSION_SCALE";
  char buffer[32] = "DIMENSION_SCALE";
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute;
  H5Tset_size(type, size);
  if (size != H5T_VARIABLE) H5Tset_strpad(type, padding);
  attribute = H5Acreate2(dataset, "CLASS", type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, size == H5T_VARIABLE ? (const void*)&text : buffer);
  H5Aclose(attribute);
  H5Tclose(type);
  H5Sclose(space);
  TRY(H5DSis_scale(dataset));
}

int main(void) {
  hid_t file = H5Fcreate("scales.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t d = make(file, "d", 2), x = make(file, "x", 1), y = make(file, "y", 1), late = make(file, "late", 1);
  hid_t scalar = make(file, "scalar", 0), kept = make(file, "kept", 2), other = make(file, "other", 1);
  becoming(file, group, d, x, y);
  attaching(group, d, x, y, late, scalar);
  visiting(group, d, x);
  labels(group, d, x, scalar);
  detaching(group, d, x, y, late, scalar, other);
  class_as(make(file, "c1", 1), H5T_VARIABLE, H5T_STR_NULLTERM);
  class_as(make(file, "c2", 1), 20, H5T_STR_NULLTERM);
  class_as(make(file, "c3", 1), 16, H5T_STR_NULLPAD);
  class_as(make(file, "c4", 1), 15, H5T_STR_NULLPAD);
  class_as(make(file, "c5", 1), 16, H5T_STR_NULLTERM);
  TRY(H5DSattach_scale(kept, x, 0));
  TRY(H5DSattach_scale(kept, x, 1));
  TRY(H5DSattach_scale(kept, y, 1));
  TRY(H5DSset_label(kept, 1, "column"));
  TRY(H5DSattach_scale(other, x, 0));
  TRY(H5DSattach_scale(late, other, 0));
  return 0;
}
