/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, packet tables and raster images where HDF5 accesses memory out of bounds or loses data. */
#include "records.h"

static void show_fill(hid_t file, const char* table, const char* attribute) {
  long long value = -1;
  hid_t set = H5Dopen2(file, table, NONE), found = H5Aopen(set, attribute, NONE);
  printf("%s of %s: ", attribute, table);
  if (found < 0) {
    printf("none\n");
  } else {
    H5Aread(found, H5T_NATIVE_LLONG, &value);
    printf("%lld\n", value);
    H5Aclose(found);
  }
  H5Dclose(set);
}

/* A table with the fields P and Pressure, in big-endian order and without gaps. */
static void make_packed(hid_t file, const char* name, int first) {
  const char* both[2] = {"P", "Pressure"};
  size_t at[2] = {0, 2};
  hid_t types[2] = {H5T_STD_I16BE, H5T_STD_I64BE};
  unsigned char data[20] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12};
  unsigned char fill[10] = {0, 3, 0, 0, 0, 0, 0, 0, 0, 4};
  data[1] = (unsigned char)first;
  data[11] = (unsigned char)(first + 1);
  H5TBmake_table("packed", file, name, 2, 2, 10, both, at, types, 2, fill, 0, data);
}

static void show_packed(hid_t file, const char* name) {
  struct {
    short p;
    long long pressure;
  } rows[8];
  size_t at[2] = {0, 8}, of[2] = {2, 8};
  hsize_t count = 0, i;
  H5TBget_table_info(file, name, NULL, &count);
  SHOW(H5TBread_table(file, name, sizeof *rows, at, of, rows));
  for (i = 0; i < count; ++i) printf("  %d %lld\n", rows[i].p, rows[i].pressure);
}

static void tables(hid_t file) {
  long long pressures[2] = {0};
  int values[2] = {7, 8}, fill = 9, i;
  size_t eight[1] = {8};
  make_packed(file, "one", 1);
  make_packed(file, "two", 5);
  SHOW(H5TBread_fields_name(file, "one", "Pressure", 0, 2, 8, NULL, eight, pressures));
  SHOW(pressures[1]);
  SHOW(H5TBadd_records_from(file, "two", 0, 1, "one", 1));
  show_packed(file, "one");
  SHOW(H5TBcombine_tables(file, "one", file, "two", "both"));
  show_packed(file, "both");
  new_group(file, "new");
  SHOW(H5TBinsert_field(file, "two", "First", H5T_NATIVE_INT, 0, &fill, values));
  for (i = 0; i < 3; ++i) {
    char attribute[16];
    snprintf(attribute, sizeof attribute, "FIELD_%d_FILL", i);
    show_fill(file, "two", attribute);
  }
  SHOW(H5TBdelete_field(file, "two", "Pressure"));
  show_fields(file, "two");
  SHOW(H5TBdelete_field(file, "two", "First,P"));
  show_fields(file, "two");
}

/* Records with text of variable length are moved. */
static void variable(hid_t file) {
  const char* columns[2] = {"text", "number"};
  struct Row {
    const char* text;
    int number;
  } rows[4] = {{"a", 1}, {"bb", 2}, {NULL, 3}, {"dddd", 4}}, found[8];
  size_t at[2] = {0, 8}, of[2] = {8, 4};
  hid_t types[2];
  hsize_t count = 0, i;
  types[0] = H5Tcopy(H5T_C_S1);
  H5Tset_size(types[0], H5T_VARIABLE);
  types[1] = H5T_NATIVE_INT;
  SHOW(H5TBmake_table("t", file, "texts", 2, 4, sizeof *rows, columns, at, types, 2, NULL, 0, rows));
  SHOW(H5TBinsert_record(file, "texts", 1, 2, sizeof *rows, at, of, rows + 2));
  SHOW(H5TBdelete_record(file, "texts", 0, 1));
  SHOW(H5TBinsert_field(file, "texts", "level", H5T_NATIVE_SHORT, 2, NULL, NULL));
  SHOW(H5TBdelete_field(file, "texts", "level"));
  H5TBget_table_info(file, "texts", NULL, &count);
  SHOW(H5TBread_table(file, "texts", sizeof *rows, at, of, found));
  for (i = 0; i < count; ++i) printf("  %s %d\n", found[i].text ? found[i].text : "(null)", found[i].number);
  for (i = 0; i < count; ++i) H5free_memory((void*)found[i].text);
  H5Tclose(types[0]);
}

static void refused(hid_t file) {
  hsize_t dims[4] = {2, 2, 2, 2}, size, rows = 0;
  hssize_t palettes;
  char interlace[32];
  unsigned char bytes[64] = {0};
  int negative = -1;
  Record record = record_of(1);
  hid_t set, types[fields];
  make_table(file, "t", 0, 3, &record, 0);
  field_types(types);
  TRY(H5TBmake_table("t", file, "no", fields, 1, sizeof record, names, NULL, types, 4, NULL, 0, NULL));
  TRY(H5TBmake_table("t", file, "no", fields, 1, sizeof record, names, offsets, NULL, 4, NULL, 0, NULL));
  H5Tclose(types[0]);
  TRY(H5TBread_table(file, "t", sizeof record, NULL, sizes, &record));
  TRY(H5TBread_table(file, "t", sizeof record, offsets, NULL, &record));
  TRY(H5TBread_fields_index(file, "t", 1, NULL, 0, 1, sizeof record, offsets, sizes, &record));
  TRY(H5TBread_records(file, "t", ~(hsize_t)0, 2, sizeof record, offsets, sizes, &record));
  TRY(H5TBdelete_record(file, "t", 1, ~(hsize_t)0));
  set = H5Dopen2(file, "t", NONE);
  TRY(H5TBAget_fill(file, "t", set, NULL));
  H5LTset_attribute_string(file, "t", "FIELD_4_FILL", "a text that is longer than the field");
  TRY(H5TBAget_fill(file, "t", set, (unsigned char*)&record));
  H5Dclose(set);
  H5LTmake_dataset(file, "four", 4, dims, H5T_NATIVE_UCHAR, bytes);
  TRY(H5TBget_table_info(file, "four", &size, &rows));
  TRY(H5PTopen(file, "four"));
  TRY(H5IMget_image_info(file, "four", &size, &size, &size, interlace, &palettes));
  H5IMmake_image_8bit(file, "image", 2, 2, bytes);
  TRY(H5IMget_image_info(file, "image", NULL, &size, &size, interlace, &palettes));
  H5IMmake_palette(file, "palette", dims, bytes);
  H5IMlink_palette(file, "image", "palette");
  TRY(H5IMlink_palette(file, "image", "absent"));
  TRY(H5IMget_npalettes(file, "image", &palettes));
  SHOW(palettes);
  TRY(H5IMget_palette(file, "image", 1, bytes));
  TRY(H5IMget_palette(file, "image", negative, bytes));
  TRY(H5IMget_palette_info(file, "image", 1, dims));
  H5IMlink_palette(file, "image", "four");
  TRY(H5IMget_palette_info(file, "image", 1, dims));
  H5LTset_attribute_string(file, "image", "INTERLACE_MODE",
                           "INTERLACE_PIXEL and a text that is too long for programs");
  TRY(H5IMget_image_info(file, "image", &size, &size, &size, interlace, &palettes));
  H5LTset_attribute_string(file, "image", "PALETTE", "no reference");
  TRY(H5IMget_palette(file, "image", 0, bytes));
}

static void ids(hid_t file) {
  hid_t table = H5PTcreate_fl(file, "packets", H5T_NATIVE_INT, 4, -1), other;
  H5I_type_t type = H5Iget_type(table);
  SHOW(H5Idec_ref(table));
  SHOW(H5Fget_obj_count(file, H5F_OBJ_DATASET));
  SHOW(H5Itype_exists(type));
  other = H5PTopen(file, "packets");
  SHOW(H5PTis_valid(other));
  SHOW(H5Iclear_type(H5Iget_type(other), 1));
  TRY(H5PTis_valid(other));
  SHOW(H5Fget_obj_count(file, H5F_OBJ_DATASET));
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("high_level_different.h5");
  tables(file);
  variable(file);
  refused(file);
  ids(file);
  H5PTopen(file, "packets"); /* the library closes what is open at exit */
  H5Fclose(file);
  return 0;
}
