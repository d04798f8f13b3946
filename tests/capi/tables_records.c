/* SPDX-License-Identifier: Apache-2.0 */
/* H5TB: records that are inserted, deleted, and taken from other tables. */
#include "records.h"

static void inserting(hid_t file) {
  Record records[8];
  fill_records(records, 70, 8);
  make_table(file, "inserted", 0, 6, NULL, 1);
  TRY(H5TBinsert_record(file, "inserted", 2, 3, sizeof *records, offsets, sizes, records));
  TRY(H5TBinsert_record(file, "inserted", 0, 1, sizeof *records, offsets, sizes, records + 3));
  TRY(H5TBinsert_record(file, "inserted", 10, 2, sizeof *records, offsets, sizes, records + 4));
  TRY(H5TBinsert_record(file, "inserted", 50, 2, sizeof *records, offsets, sizes, records));
  TRY(H5TBinsert_record(file, NULL, 0, 1, sizeof *records, offsets, sizes, records));
  SHOW_FAILURE(H5TBinsert_record(file, "absent", 0, 1, sizeof *records, offsets, sizes, records));
  show_table(file, "inserted");
}

static void deleting(hid_t file) {
  make_table(file, "deleted", 0, 12, NULL, 0);
  TRY(H5TBdelete_record(file, "deleted", 2, 3));
  TRY(H5TBdelete_record(file, "deleted", 0, 1));
  TRY(H5TBdelete_record(file, "deleted", 7, 1));
  TRY(H5TBdelete_record(file, "deleted", 1, 0));
  TRY(H5TBdelete_record(file, "deleted", 6, 2));
  TRY(H5TBdelete_record(file, "deleted", 60, 1));
  TRY(H5TBdelete_record(file, NULL, 0, 1));
  SHOW_FAILURE(H5TBdelete_record(file, "absent", 0, 1));
  show_table(file, "deleted");
  make_table(file, "emptied", 0, 5, NULL, 0);
  TRY(H5TBdelete_record(file, "emptied", 0, 5));
  show_table(file, "emptied");
}

static void adding(hid_t file) {
  make_table(file, "from", 30, 6, NULL, 0);
  make_table(file, "to", 0, 4, NULL, 0);
  TRY(H5TBadd_records_from(file, "from", 1, 2, "to", 1));
  TRY(H5TBadd_records_from(file, "from", 5, 1, "to", 6));
  TRY(H5TBadd_records_from(file, "from", 5, 2, "to", 0));
  TRY(H5TBadd_records_from(file, "from", 0, 1, "to", 90));
  TRY(H5TBadd_records_from(file, NULL, 0, 1, "to", 0));
  TRY(H5TBadd_records_from(file, "from", 0, 1, NULL, 0));
  SHOW_FAILURE(H5TBadd_records_from(file, "absent", 0, 1, "to", 0));
  TRY(H5TBadd_records_from(file, "from", 0, 1, "absent", 0));
  show_table(file, "to");
  make_table(file, "itself", 0, 6, NULL, 0);
  TRY(H5TBadd_records_from(file, "itself", 1, 4, "itself", 3));
  show_table(file, "itself");
}

static void combining(hid_t file) {
  Record fill = record_of(9);
  hid_t other = new_file("tables_other.h5");
  new_dataset(file, "number");
  make_table(file, "one", 0, 6, &fill, 1);
  make_table(file, "two", 40, 3, NULL, 0);
  make_table(other, "far", 50, 3, NULL, 0);
  TRY(H5TBcombine_tables(file, "one", file, "two", "both"));
  TRY(H5TBcombine_tables(file, "two", other, "far", "across"));
  TRY(H5TBcombine_tables(file, "two", file, "two", "twice"));
  TRY(H5TBcombine_tables(file, "one", file, "two", "both"));
  TRY(H5TBcombine_tables(file, NULL, file, "two", "no"));
  TRY(H5TBcombine_tables(file, "number", file, "two", "no"));
  SHOW(H5Lexists(file, "no", NONE));
  TRY(H5TBcombine_tables(file, "one", file, NULL, "no"));
  TRY(H5TBcombine_tables(file, "one", file, "two", NULL));
  SHOW_FAILURE(H5TBcombine_tables(file, "absent", file, "two", "no"));
  TRY(H5TBcombine_tables(file, "two", file, "absent", "half"));
  show_table(file, "both");
  show_table(file, "across");
  H5Fclose(other);
}

/* More records than are moved at once. Nobody dumps this file. */
static void moving_many(void) {
  enum { many = 300000, step = 60000 };
  Record* records = malloc(many * sizeof(Record));
  hid_t file = new_file("tables_many.tmp"), types[fields];
  hsize_t rows = 0, i;
  long long wrong = 0;
  fill_records(records, 0, many);
  field_types(types);
  TRY(H5TBmake_table("many", file, "t", fields, many, sizeof(Record), names, offsets, types, 5000, NULL, 0,
                     records));
  H5Tclose(types[0]);
  TRY(H5TBinsert_record(file, "t", 10, step, sizeof(Record), offsets, sizes, records + step));
  TRY(H5TBadd_records_from(file, "t", 5, step, "t", 20));
  TRY(H5TBdelete_record(file, "t", 20, step));
  TRY(H5TBdelete_record(file, "t", 10, step));
  TRY(H5TBget_table_info(file, "t", NULL, &rows));
  SHOW(rows);
  memset(records, 0, many * sizeof(Record));
  TRY(H5TBread_table(file, "t", sizeof(Record), offsets, sizes, records));
  for (i = 0; i < many; ++i)
    wrong += records[i].number != (int)i || records[i].temperature != 100.25 - (double)i;
  SHOW(wrong);
  free(records);
  H5Fclose(file);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("tables_records.h5");
  inserting(file);
  deleting(file);
  adding(file);
  combining(file);
  H5Fclose(file);
  moving_many();
  return 0;
}
