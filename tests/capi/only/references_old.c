/* SPDX-License-Identifier: Apache-2.0
 *
 * References of HDF5 1.12: older references that are read as such, memory that holds none, and copies with
 * reference expansion. */
#include "show.h"

static hid_t latest(void) {
  hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(plist, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return plist;
}

static void show_reference(H5R_ref_t* reference) {
  H5O_type_t kind = H5O_TYPE_UNKNOWN;
  hid_t object, region;
  CALL(H5Rget_type(reference));
  CALL(H5Rget_obj_type3(reference, NONE, &kind));
  VALUE(kind);
  object = H5Ropen_object(reference, NONE, NONE);
  CALL_ID(object);
  if (object >= 0) {
    char name[64] = "";
    H5Iget_name(object, name, sizeof name);
    /* The rest of a generated name is an address. */
    printf("%.*s\n", name[1] == '~' ? 16 : 63, name);
    H5Oclose(object);
  }
  region = H5Ropen_region(reference, NONE, NONE);
  CALL_ID(region);
  if (region >= 0) {
    VALUE(H5Sget_select_type(region));
    VALUE(H5Sget_select_npoints(region));
    H5Sclose(region);
  }
}

static void make_targets(hid_t file) {
  hsize_t dims[2] = {4, 6};
  int values[24] = {1, 2, 3};
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  H5Sclose(space);
  new_group(file, "group");
}

/* Datasets of H5T_STD_REF_OBJ and H5T_STD_REF_DSETREG, read as H5T_STD_REF. */
static void read_older(void) {
  hsize_t three = 3, two = 2, dims[2] = {4, 6}, start[2] = {1, 2}, count[2] = {2, 3};
  hobj_ref_t objects[3] = {0, 0, 0};
  hdset_reg_ref_t regions[2];
  H5R_ref_t found[3];
  struct {
    int number;
    H5R_ref_t reference;
  } record;
  hid_t file = H5Fcreate("older.h5", H5F_ACC_TRUNC, NONE, NONE), set,
        space = H5Screate_simple(1, &three, NULL);
  hid_t file_type = H5Tcreate(H5T_COMPOUND, 12), memory_type = H5Tcreate(H5T_COMPOUND, sizeof record);
  unsigned char bytes[12] = {5};
  int i;
  make_targets(file);
  H5Rcreate(&objects[0], file, "set", H5R_OBJECT1, -1);
  H5Rcreate(&objects[1], file, "group", H5R_OBJECT1, -1);
  set = H5Dcreate2(file, "objects", H5T_STD_REF_OBJ, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, NONE, objects);
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, found));
  for (i = 0; i < 3; ++i) show_reference(&found[i]);
  CALL(H5Treclaim(H5T_STD_REF, space, NONE, found));
  TRY(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, found));
  H5Dclose(set);
  H5Sclose(space);

  space = H5Screate_simple(2, dims, NULL);
  memset(regions, 0, sizeof regions);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Rcreate(&regions[0], file, "set", H5R_DATASET_REGION1, space);
  H5Sclose(space);
  space = H5Screate_simple(1, &two, NULL);
  set = H5Dcreate2(file, "regions", H5T_STD_REF_DSETREG, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, NONE, regions);
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, found));
  for (i = 0; i < 2; ++i) show_reference(&found[i]);
  H5Dclose(set);
  /* What was converted can be stored. */
  set = H5Dcreate2(file, "revised", H5T_STD_REF, space, NONE, NONE, NONE);
  CALL(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, found));
  CALL(H5Treclaim(H5T_STD_REF, space, NONE, found));
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, found));
  show_reference(&found[0]);
  CALL(H5Treclaim(H5T_STD_REF, space, NONE, found));
  H5Dclose(set);
  H5Sclose(space);

  /* The same as a member of a compound. */
  H5Tinsert(file_type, "number", 0, H5T_STD_I32LE);
  H5Tinsert(file_type, "reference", 4, H5T_STD_REF_OBJ);
  H5Tinsert(memory_type, "number", 0, H5T_NATIVE_INT);
  H5Tinsert(memory_type, "reference", (char*)&record.reference - (char*)&record, H5T_STD_REF);
  memcpy(bytes + 4, &objects[1], 8);
  space = H5Screate(H5S_SCALAR);
  set = H5Dcreate2(file, "record", file_type, space, NONE, NONE, NONE);
  H5Dwrite(set, file_type, H5S_ALL, H5S_ALL, NONE, bytes);
  CALL(H5Dread(set, memory_type, H5S_ALL, H5S_ALL, NONE, &record));
  VALUE(record.number);
  show_reference(&record.reference);
  CALL(H5Treclaim(memory_type, space, NONE, &record));
  H5Dclose(set);
  H5Sclose(space);
  CALL(H5Fclose(file));
}

/* Memory that never held a reference. */
static void use_garbage(void) {
  static const int fills[] = {0, 1, 101, 255};
  hid_t file = H5Fcreate("garbage.h5", H5F_ACC_TRUNC, NONE, NONE), space = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(file, "references", H5T_STD_REF, space, NONE, NONE, NONE);
  hid_t attribute = H5Acreate2(file, "references", H5T_STD_REF, space, NONE, NONE);
  size_t i;
  for (i = 0; i < sizeof fills / sizeof *fills; ++i) {
    H5R_ref_t reference;
    H5O_type_t kind;
    memset(&reference, fills[i], sizeof reference);
    printf("-- bytes of %d\n", fills[i]);
    CALL(H5Rget_type(&reference));
    CALL(H5Rget_obj_type3(&reference, NONE, &kind));
    CALL_ID(H5Ropen_object(&reference, NONE, NONE));
    CALL_ID(H5Ropen_region(&reference, NONE, NONE));
    TRY(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, &reference));
    TRY(H5Awrite(attribute, H5T_STD_REF, &reference));
    TRY(H5Treclaim(H5T_STD_REF, space, NONE, &reference));
    TRY(H5Rdestroy(&reference));
  }
  H5Aclose(attribute);
  H5Dclose(set);
  H5Sclose(space);
  CALL(H5Fclose(file));
}

static void show_copies(hid_t loc, const char* path) {
  H5R_ref_t found[4];
  hid_t set = H5Dopen2(loc, path, NONE), space = H5Dget_space(set);
  int i;
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, found));
  for (i = 0; i < 3; ++i) show_reference(&found[i]);
  CALL(H5Treclaim(H5T_STD_REF, space, NONE, found));
  H5Sclose(space);
  H5Dclose(set);
}

/* H5Ocopy to another file, with and without the flag. */
static void copy(void) {
  hsize_t three = 3, dims[2] = {4, 6}, start[2] = {1, 2}, count[2] = {2, 3};
  H5R_ref_t made[3];
  hid_t access = latest(), from = H5Fcreate("from.h5", H5F_ACC_TRUNC, NONE, access), plist, set, attribute;
  hid_t to = H5Fcreate("to.h5", H5F_ACC_TRUNC, NONE, access), space = H5Screate_simple(2, dims, NULL),
        three_space;
  make_targets(from);
  new_group(from, "tree");
  memset(made, 0, sizeof made);
  H5Rcreate_object(from, "group", NONE, &made[0]);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Rcreate_region(from, "set", space, NONE, &made[1]);
  three_space = H5Screate_simple(1, &three, NULL);
  set = H5Dcreate2(from, "tree/references", H5T_STD_REF, three_space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, NONE, made);
  attribute = H5Acreate2(set, "references", H5T_STD_REF, three_space, NONE, NONE);
  H5Awrite(attribute, H5T_STD_REF, made);
  H5Aclose(attribute);
  H5Dclose(set);
  H5Treclaim(H5T_STD_REF, three_space, NONE, made);

  CALL(H5Ocopy(from, "tree", to, "plain", NONE, NONE));
  show_copies(to, "plain/references");
  plist = H5Pcreate(H5P_OBJECT_COPY);
  H5Pset_copy_object(plist, H5O_COPY_EXPAND_REFERENCE_FLAG);
  CALL(H5Ocopy(from, "tree", to, "expanded", plist, NONE));
  show_copies(to, "expanded/references");
  attribute = H5Aopen_by_name(to, "expanded/references", "references", NONE, NONE);
  CALL(H5Aread(attribute, H5T_STD_REF, made));
  show_reference(&made[0]);
  show_reference(&made[1]);
  H5Treclaim(H5T_STD_REF, three_space, NONE, made);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Sclose(three_space);
  H5Pclose(plist);
  CALL(H5Fclose(from));
  CALL(H5Fclose(to));
}

int main(void) {
  quiet();
  read_older();
  use_garbage();
  copy();
  return 0;
}
