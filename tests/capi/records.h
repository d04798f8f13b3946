/* SPDX-License-Identifier: Apache-2.0 */
/* For programs about tables: a record, and functions that make, print and read a table of such records. */
#ifndef RECORDS_H
#define RECORDS_H

#include <hdf5_hl.h>

#include "show.h"

typedef struct Record {
  char name[16];
  int number;
  float pressure;
  double temperature;
  short level;
} Record;

enum { fields = 5 };

static const char* names[fields] = {"Name", "Number", "Pressure", "Temperature", "Level"};
static const size_t offsets[fields] = {HOFFSET(Record, name), HOFFSET(Record, number),
                                       HOFFSET(Record, pressure), HOFFSET(Record, temperature),
                                       HOFFSET(Record, level)};
static const size_t sizes[fields] = {16, sizeof(int), sizeof(float), sizeof(double), sizeof(short)};

static Record record_of(int number) {
  Record made;
  memset(&made, 0, sizeof made);
  snprintf(made.name, sizeof made.name, "record %d", number);
  made.number = number;
  made.pressure = 0.5f * (float)number;
  made.temperature = 100.25 - number;
  made.level = (short)(number * 7);
  return made;
}

static void fill_records(Record* records, int first, int count) {
  int i;
  for (i = 0; i < count; ++i) records[i] = record_of(first + i);
}

/* The types of the fields. The caller closes the first one. */
static void field_types(hid_t* types) {
  types[0] = H5Tcopy(H5T_C_S1);
  H5Tset_size(types[0], 16);
  types[1] = H5T_NATIVE_INT;
  types[2] = H5T_NATIVE_FLOAT;
  types[3] = H5T_NATIVE_DOUBLE;
  types[4] = H5T_NATIVE_SHORT;
}

static int make_table(hid_t loc, const char* name, int first, int count, Record* fill, int compress) {
  Record records[64];
  hid_t types[fields];
  int made;
  fill_records(records, first, count);
  field_types(types);
  made = H5TBmake_table("A title", loc, name, fields, (hsize_t)count, sizeof(Record), names, offsets, types,
                        4, fill, compress, records);
  H5Tclose(types[0]);
  return made;
}

static void show_record(const Record* record) {
  printf("  '%.16s' %d %g %g %d\n", record->name, record->number, record->pressure, record->temperature,
         record->level);
}

/* All records of a table whose fields are those of Record. */
static void show_table(hid_t loc, const char* name) {
  Record records[64];
  hsize_t columns = 99, rows = 99, i;
  memset(records, 0, sizeof records);
  H5TBget_table_info(loc, name, &columns, &rows);
  printf("%s: %d fields, %d records, %d\n", name, (int)columns, (int)rows,
         (int)H5TBread_table(loc, name, sizeof(Record), offsets, sizes, records));
  for (i = 0; i < rows && i < 64; ++i) show_record(&records[i]);
}

/* What HDF5 knows of the fields. */
static void show_fields(hid_t loc, const char* name) {
  char texts[16][32], *pointers[16];
  size_t found_sizes[16], found_offsets[16], bytes = 0;
  hsize_t columns = 0, i;
  int code;
  for (i = 0; i < 16; ++i) pointers[i] = texts[i];
  H5TBget_table_info(loc, name, &columns, NULL);
  code = H5TBget_field_info(loc, name, pointers, found_sizes, found_offsets, &bytes);
  printf("%s: %d, %d fields in %d bytes\n", name, code, (int)columns, (int)bytes);
  for (i = 0; i < columns; ++i)
    printf("  %s %d at %d\n", texts[i], (int)found_sizes[i], (int)found_offsets[i]);
}

#endif
