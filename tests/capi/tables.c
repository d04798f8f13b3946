/* SPDX-License-Identifier: Apache-2.0 */
/* H5TB: making tables, what is known of them, and whole records. */
#include "records.h"

static void making(hid_t file) {
  Record fill = record_of(-3), one = record_of(1);
  hid_t types[fields];
  TRY(make_table(file, "plain", 0, 6, NULL, 0));
  TRY(make_table(file, "filled", 0, 6, &fill, 0));
  TRY(make_table(file, "packed", 0, 30, &fill, 1));
  TRY(make_table(file, "g/inner", 0, 2, NULL, 0));
  TRY(make_table(file, "plain", 0, 6, NULL, 0));
  TRY(make_table(file, "absent/inner", 0, 2, NULL, 0));
  TRY(make_table(-1, "no", 0, 2, NULL, 0));
  field_types(types);
  TRY(H5TBmake_table("", file, "empty", fields, 0, sizeof one, names, offsets, types, 10, NULL, 0, NULL));
  TRY(H5TBmake_table("t", file, "unwritten", fields, 5, sizeof one, names, offsets, types, 10, &fill, 0,
                     NULL));
  TRY(H5TBmake_table(NULL, file, "no", fields, 1, sizeof one, names, offsets, types, 10, NULL, 0, &one));
  TRY(H5TBmake_table("t", file, NULL, fields, 1, sizeof one, names, offsets, types, 10, NULL, 0, &one));
  TRY(H5TBmake_table("t", file, "no", fields, 1, sizeof one, NULL, offsets, types, 10, NULL, 0, &one));
  TRY(H5TBmake_table("t", file, "no", fields, 1, sizeof one, names, offsets, types, 0, NULL, 0, &one));
  TRY(H5TBmake_table("t", file, "no", fields, 1, 8, names, offsets, types, 10, NULL, 0, &one));
  TRY(H5TBmake_table("t", file, "no", fields, 1, 0, names, offsets, types, 10, NULL, 0, &one));
  TRY(H5TBmake_table("t", file, "no", 0, 1, sizeof one, names, offsets, types, 10, NULL, 0, &one));
  types[1] = -1;
  TRY(H5TBmake_table("t", file, "no", fields, 1, sizeof one, names, offsets, types, 10, NULL, 0, &one));
  H5Tclose(types[0]);
}

static void knowing(hid_t file) {
  hsize_t columns = 77, rows = 77;
  char title[32] = "?";
  Record fill = record_of(50);
  hid_t set;
  show_fields(file, "plain");
  show_fields(file, "g/inner");
  TRY(H5TBget_table_info(file, "packed", &columns, &rows));
  SHOW(columns);
  SHOW(rows);
  TRY(H5TBget_table_info(file, "packed", NULL, NULL));
  TRY(H5TBget_table_info(file, NULL, &columns, &rows));
  SHOW_FAILURE(H5TBget_table_info(file, "absent", &columns, &rows));
  SHOW_FAILURE(H5TBget_table_info(file, "g", &columns, &rows));
  TRY(H5TBget_table_info(file, "number", &columns, &rows));
  TRY(H5TBget_field_info(file, "plain", NULL, NULL, NULL, NULL));
  TRY(H5TBget_field_info(file, NULL, NULL, NULL, NULL, NULL));
  SHOW_FAILURE(H5TBget_field_info(file, "absent", NULL, NULL, NULL, NULL));
  TRY(H5TBget_field_info(file, "number", NULL, NULL, NULL, NULL));
  set = H5Dopen2(file, "filled", NONE);
  TRY(H5TBAget_title(set, title));
  SHOW_TEXT(title);
  SHOW_FAILURE(H5TBAget_title(file, title));
  TRY(H5TBAget_fill(file, "filled", set, (unsigned char*)&fill));
  show_record(&fill);
  TRY(H5TBAget_fill(file, NULL, set, (unsigned char*)&fill));
  TRY(H5TBAget_fill(file, "absent", set, (unsigned char*)&fill));
  TRY(H5TBAget_fill(file, "filled", -1, (unsigned char*)&fill));
  H5Dclose(set);
  set = H5Dopen2(file, "plain", NONE);
  TRY(H5TBAget_fill(file, "plain", set, (unsigned char*)&fill));
  show_record(&fill);
  H5Dclose(set);
}

static void reading(hid_t file) {
  Record records[8];
  memset(records, 0, sizeof records);
  show_table(file, "plain");
  show_table(file, "unwritten");
  show_table(file, "empty");
  TRY(H5TBread_records(file, "plain", 2, 3, sizeof *records, offsets, sizes, records));
  show_record(&records[0]);
  show_record(&records[2]);
  TRY(H5TBread_records(file, "plain", 4, 3, sizeof *records, offsets, sizes, records));
  TRY(H5TBread_records(file, "plain", 7, 1, sizeof *records, offsets, sizes, records));
  TRY(H5TBread_records(file, "plain", 6, 0, sizeof *records, offsets, sizes, records));
  TRY(H5TBread_records(file, "plain", 0, 1, 4, offsets, sizes, records));
  TRY(H5TBread_records(file, NULL, 0, 1, sizeof *records, offsets, sizes, records));
  SHOW_FAILURE(H5TBread_records(file, "absent", 0, 1, sizeof *records, offsets, sizes, records));
  TRY(H5TBread_records(file, "number", 0, 1, sizeof *records, offsets, sizes, records));
  TRY(H5TBread_table(file, NULL, sizeof *records, offsets, sizes, records));
  SHOW_FAILURE(H5TBread_table(file, "absent", sizeof *records, offsets, sizes, records));
  TRY(H5TBread_table(file, "plain", sizeof *records, offsets, sizes, NULL));
}

/* Fields in memory may be wider than those in the file. */
static void wide(hid_t file) {
  struct {
    char name[24];
    long long number;
    double pressure, temperature;
    int level;
  } records[2];
  size_t at[fields] = {0, 24, 32, 40, 48}, of[fields] = {24, 8, 8, 8, 4};
  memset(records, 0, sizeof records);
  TRY(H5TBread_records(file, "plain", 3, 2, sizeof *records, at, of, records));
  printf("  '%s' %lld %g %g %d\n", records[1].name, records[1].number, records[1].pressure,
         records[1].temperature, records[1].level);
  records[0].number = 4000;
  TRY(H5TBwrite_records(file, "plain", 0, 1, sizeof *records, at, of, records));
  TRY(H5TBappend_records(file, "plain", 2, sizeof *records, at, of, records));
  show_table(file, "plain");
}

static void writing(hid_t file) {
  Record records[8];
  fill_records(records, 20, 8);
  TRY(H5TBwrite_records(file, "filled", 1, 2, sizeof *records, offsets, sizes, records));
  TRY(H5TBwrite_records(file, "filled", 5, 2, sizeof *records, offsets, sizes, records));
  TRY(H5TBwrite_records(file, "filled", 0, 0, sizeof *records, offsets, sizes, records));
  TRY(H5TBwrite_records(file, NULL, 0, 1, sizeof *records, offsets, sizes, records));
  SHOW_FAILURE(H5TBwrite_records(file, "absent", 0, 1, sizeof *records, offsets, sizes, records));
  TRY(H5TBappend_records(file, "filled", 3, sizeof *records, offsets, sizes, records + 3));
  TRY(H5TBappend_records(file, "filled", 0, sizeof *records, offsets, sizes, records));
  TRY(H5TBappend_records(file, "empty", 2, sizeof *records, offsets, sizes, records));
  TRY(H5TBappend_records(file, "packed", 8, sizeof *records, offsets, sizes, records));
  TRY(H5TBappend_records(file, NULL, 1, sizeof *records, offsets, sizes, records));
  SHOW_FAILURE(H5TBappend_records(file, "absent", 1, sizeof *records, offsets, sizes, records));
  show_table(file, "filled");
  show_table(file, "empty");
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("tables.h5");
  new_group(file, "g");
  new_dataset(file, "number");
  making(file);
  knowing(file);
  reading(file);
  wide(file);
  writing(file);
  H5Fclose(file);
  return 0;
}
