/* SPDX-License-Identifier: Apache-2.0 */
/* H5TB: some fields of records, and fields that are inserted and deleted. */
#include "records.h"

typedef struct Part {
  short level;
  float pressure;
} Part;

static const size_t part_offsets[2] = {HOFFSET(Part, pressure), HOFFSET(Part, level)};
static const size_t part_sizes[2] = {sizeof(float), sizeof(short)};

static void show_part(const Part* part) { printf("  %d %g\n", part->level, part->pressure); }

static void by_name(hid_t file) {
  Part parts[4];
  double temperatures[3] = {0};
  size_t eight[1] = {8};
  memset(parts, 0, sizeof parts);
  TRY(H5TBread_fields_name(file, "t", "Pressure,Level", 1, 3, sizeof(Part), part_offsets, part_sizes, parts));
  show_part(&parts[0]);
  show_part(&parts[2]);
  TRY(H5TBread_fields_name(file, "t", "Level,Pressure", 4, 1, sizeof(Part), part_offsets, part_sizes, parts));
  show_part(&parts[0]);
  TRY(H5TBread_fields_name(file, "t", "Temperature", 0, 3, 8, NULL, eight, temperatures));
  SHOW_REAL(temperatures[2]);
  TRY(H5TBread_fields_name(file, "t", "None", 0, 1, 8, NULL, eight, temperatures));
  TRY(H5TBread_fields_name(file, "t", "", 0, 1, 8, NULL, eight, temperatures));
  TRY(H5TBread_fields_name(file, "t", "Temperature", 5, 3, 8, NULL, eight, temperatures));
  TRY(H5TBread_fields_name(file, "t", "Temperature,Level", 0, 1, 8, NULL, part_sizes, temperatures));
  TRY(H5TBread_fields_name(file, "t", NULL, 0, 1, 8, NULL, eight, temperatures));
  TRY(H5TBread_fields_name(file, NULL, "Temperature", 0, 1, 8, NULL, eight, temperatures));
  SHOW_FAILURE(H5TBread_fields_name(file, "absent", "Temperature", 0, 1, 8, NULL, eight, temperatures));
  parts[0].level = -1;
  parts[0].pressure = -2;
  parts[1] = parts[0];
  TRY(H5TBwrite_fields_name(file, "t", "Pressure,Level", 2, 2, sizeof(Part), part_offsets, part_sizes,
                            parts));
  temperatures[0] = 1e10;
  TRY(H5TBwrite_fields_name(file, "t", "Temperature", 0, 1, 8, NULL, eight, temperatures));
  TRY(H5TBwrite_fields_name(file, "t", "Temperature", 6, 1, 8, NULL, eight, temperatures));
  TRY(H5TBwrite_fields_name(file, "t", NULL, 0, 1, 8, NULL, eight, temperatures));
  TRY(H5TBwrite_fields_name(file, NULL, "Temperature", 0, 1, 8, NULL, eight, temperatures));
  TRY(H5TBwrite_fields_name(file, "absent", "Temperature", 0, 1, 8, NULL, eight, temperatures));
  show_table(file, "t");
}

static void by_index(hid_t file) {
  Part parts[4];
  int indices[2] = {2, 4}, reverse[2] = {4, 2}, third[1] = {3}, bad[1] = {9}, negative[1] = {-1};
  size_t reverse_offsets[2] = {HOFFSET(Part, level), HOFFSET(Part, pressure)}, reverse_sizes[2] = {2, 4},
         eight[1] = {8};
  double temperature = 5;
  memset(parts, 0, sizeof parts);
  TRY(H5TBread_fields_index(file, "t", 2, indices, 1, 3, sizeof(Part), part_offsets, part_sizes, parts));
  show_part(&parts[0]);
  TRY(H5TBread_fields_index(file, "t", 2, reverse, 5, 1, sizeof(Part), reverse_offsets, reverse_sizes,
                            parts));
  show_part(&parts[0]);
  TRY(H5TBread_fields_index(file, "t", 1, third, 3, 1, 8, NULL, eight, &temperature));
  SHOW_REAL(temperature);
  TRY(H5TBread_fields_index(file, "t", 1, bad, 3, 1, 8, NULL, eight, &temperature));
  TRY(H5TBread_fields_index(file, "t", 1, negative, 3, 1, 8, NULL, eight, &temperature));
  TRY(H5TBread_fields_index(file, "t", 1, third, 6, 1, 8, NULL, eight, &temperature));
  TRY(H5TBread_fields_index(file, NULL, 1, third, 3, 1, 8, NULL, eight, &temperature));
  SHOW_FAILURE(H5TBread_fields_index(file, "absent", 1, third, 3, 1, 8, NULL, eight, &temperature));
  temperature = -273;
  TRY(H5TBwrite_fields_index(file, "t", 1, third, 3, 1, 8, NULL, eight, &temperature));
  parts[0].level = 1000;
  TRY(H5TBwrite_fields_index(file, "t", 2, reverse, 4, 1, sizeof(Part), reverse_offsets, reverse_sizes,
                             parts));
  TRY(H5TBwrite_fields_index(file, "t", 1, bad, 3, 1, 8, NULL, eight, &temperature));
  TRY(H5TBwrite_fields_index(file, "t", 1, negative, 3, 1, 8, NULL, eight, &temperature));
  TRY(H5TBwrite_fields_index(file, NULL, 1, third, 3, 1, 8, NULL, eight, &temperature));
  TRY(H5TBwrite_fields_index(file, "absent", 1, third, 3, 1, 8, NULL, eight, &temperature));
  show_table(file, "t");
}

static void inserting(hid_t file) {
  int values[6] = {10, 20, 30, 40, 50, 60}, fill = -9;
  Record defaults = record_of(3);
  make_table(file, "plain", 0, 6, &defaults, 0);
  make_table(file, "filled", 0, 6, &defaults, 0);
  make_table(file, "packed", 0, 6, &defaults, 1);
  make_table(file, "g/deep", 0, 6, &defaults, 0);
  make_table(file, "none", 0, 0, &defaults, 0);
  TRY(H5TBinsert_field(file, "plain", "New", H5T_NATIVE_INT, 5, NULL, values));
  TRY(H5TBinsert_field(file, "filled", "New", H5T_NATIVE_INT, 5, &fill, values));
  TRY(H5TBinsert_field(file, "packed", "New", H5T_NATIVE_INT, 5, &fill, NULL));
  TRY(H5TBinsert_field(file, "g/deep", "New", H5T_STD_I16BE, 5, NULL, NULL));
  TRY(H5TBinsert_field(file, "none", "New", H5T_NATIVE_INT, 5, NULL, NULL));
  TRY(H5TBinsert_field(file, "plain", "Late", H5T_NATIVE_INT, 7, NULL, values));
  TRY(H5TBinsert_field(file, "plain", "Level", H5T_NATIVE_INT, 0, NULL, values));
  TRY(H5TBinsert_field(file, "plain", "Wrong", -1, 0, NULL, values));
  TRY(H5TBinsert_field(file, "plain", NULL, H5T_NATIVE_INT, 0, NULL, values));
  TRY(H5TBinsert_field(file, NULL, "Level", H5T_NATIVE_INT, 0, NULL, values));
  SHOW_FAILURE(H5TBinsert_field(file, "absent", "Level", H5T_NATIVE_INT, 0, NULL, values));
  show_fields(file, "plain");
  show_fields(file, "none");
}

static void deleting(hid_t file) {
  Record defaults = record_of(3);
  make_table(file, "first", 0, 6, &defaults, 1);
  make_table(file, "middle", 0, 6, &defaults, 0);
  make_table(file, "last", 0, 6, NULL, 0);
  TRY(H5TBdelete_field(file, "first", "Name"));
  TRY(H5TBdelete_field(file, "middle", "Pressure"));
  TRY(H5TBdelete_field(file, "last", "Level"));
  TRY(H5TBdelete_field(file, "last", "Level"));
  TRY(H5TBdelete_field(file, "last", NULL));
  TRY(H5TBdelete_field(file, NULL, "Level"));
  SHOW_FAILURE(H5TBdelete_field(file, "absent", "Level"));
  TRY(H5TBdelete_field(file, "number", "Level"));
  show_fields(file, "first");
  show_fields(file, "middle");
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("tables_fields.h5");
  new_group(file, "g");
  new_dataset(file, "number");
  make_table(file, "t", 0, 6, NULL, 0);
  by_name(file);
  by_index(file);
  inserting(file);
  deleting(file);
  H5Fclose(file);
  return 0;
}
