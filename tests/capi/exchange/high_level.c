/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, packet tables and raster images in one file. "write PATH" makes them, "extend PATH" changes all of
 * them, and "show PATH" prints what is there. */
#include "records.h"

static void write_all(hid_t file) {
  Record fill = record_of(-1);
  unsigned char bytes[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  hsize_t dims[2] = {4, 3};
  int numbers[5] = {5, 6, 7, 8, 9};
  hvl_t packets[2] = {{2, numbers}, {3, numbers + 2}};
  hid_t type = H5Tvlen_create(H5T_NATIVE_INT), table;
  make_table(file, "records", 0, 10, &fill, 1);
  make_table(file, "fields", 0, 10, &fill, 0);
  make_table(file, "more", 20, 5, NULL, 0);
  table = H5PTcreate_fl(file, "fixed", H5T_NATIVE_INT, 4, 6);
  H5PTappend(table, 5, numbers);
  H5PTclose(table);
  table = H5PTcreate(file, "variable", type, 4, H5P_DEFAULT);
  H5PTappend(table, 2, packets);
  H5PTclose(table);
  H5Tclose(type);
  H5IMmake_image_8bit(file, "image", 4, 3, bytes);
  H5IMmake_palette(file, "one", dims, bytes);
  H5IMlink_palette(file, "image", "one");
}

static void extend_tables(hid_t file) {
  Record records[5];
  int values[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, fill = 44, fourth[1] = {3};
  double temperature = -1;
  size_t eight[1] = {8};
  fill_records(records, 50, 5);
  SHOW(H5TBappend_records(file, "records", 5, sizeof(Record), offsets, sizes, records));
  SHOW(H5TBinsert_record(file, "records", 3, 2, sizeof(Record), offsets, sizes, records));
  SHOW(H5TBdelete_record(file, "records", 0, 2));
  SHOW(H5TBwrite_records(file, "records", 1, 1, sizeof(Record), offsets, sizes, records + 4));
  SHOW(H5TBwrite_fields_index(file, "records", 1, fourth, 2, 1, 8, NULL, eight, &temperature));
  SHOW(H5TBadd_records_from(file, "more", 1, 2, "records", 5));
  SHOW(H5TBcombine_tables(file, "records", file, "more", "combined"));
  SHOW(H5TBinsert_field(file, "fields", "New", H5T_NATIVE_INT, 5, &fill, values));
  SHOW(H5TBdelete_field(file, "fields", "Number"));
}

static void extend_others(hid_t file) {
  int numbers[5] = {50, 60, 70, 80, 90};
  unsigned char bytes[24] = {21, 22, 23, 24, 25, 26};
  hsize_t dims[2] = {2, 3};
  hvl_t packets[2] = {{5, numbers}, {0, NULL}};
  hid_t table = H5PTopen(file, "fixed");
  SHOW(H5PTappend(table, 5, numbers));
  SHOW(H5PTclose(table));
  table = H5PTopen(file, "variable");
  SHOW(H5PTappend(table, 2, packets));
  SHOW(H5PTclose(table));
  SHOW(H5IMmake_palette(file, "two", dims, bytes));
  SHOW(H5IMlink_palette(file, "image", "two"));
  SHOW(H5IMmake_image_24bit(file, "colors", 2, 4, "INTERLACE_PLANE", bytes));
}

static void show_packets(hid_t file) {
  int numbers[20] = {0};
  hvl_t packets[8];
  hsize_t count = 0, i;
  hid_t table = H5PTopen(file, "fixed");
  H5PTget_num_packets(table, &count);
  SHOW(H5PTget_next(table, count, numbers));
  for (i = 0; i < count; ++i) printf(" %d", numbers[i]);
  printf("\n");
  H5PTclose(table);
  table = H5PTopen(file, "variable");
  SHOW(H5PTis_varlen(table));
  H5PTget_num_packets(table, &count);
  SHOW(H5PTread_packets(table, 0, count, packets));
  for (i = 0; i < count; ++i)
    printf(" %d:%d", (int)packets[i].len, packets[i].len == 0 ? 0 : ((int*)packets[i].p)[packets[i].len - 1]);
  printf("\n");
  SHOW(H5PTfree_vlen_buff(table, count, packets));
  H5PTclose(table);
}

static void show_images(hid_t file) {
  hsize_t width = 0, height = 0, planes = 0, dims[2] = {0, 0};
  char interlace[32] = "";
  hssize_t palettes = 0, i;
  unsigned char bytes[24] = {0};
  SHOW(H5IMget_image_info(file, "image", &width, &height, &planes, interlace, &palettes));
  printf("%d x %d x %d, %d palettes\n", (int)width, (int)height, (int)planes, (int)palettes);
  for (i = 0; i < palettes; ++i) {
    SHOW(H5IMget_palette_info(file, "image", (int)i, dims));
    SHOW(H5IMget_palette(file, "image", (int)i, bytes));
    show_bytes("palette", bytes, (size_t)(dims[0] * dims[1]));
  }
  SHOW(H5IMis_image(file, "image"));
  SHOW(H5IMis_palette(file, "one"));
}

int main(int count, char** arguments) {
  hid_t file;
  int writes;
  if (count != 3) return 1;
  quiet();
  writes = strcmp(arguments[1], "write") == 0;
  file = writes ? new_file(arguments[2]) : H5Fopen(arguments[2], H5F_ACC_RDWR, NONE);
  if (writes) {
    write_all(file);
  } else if (strcmp(arguments[1], "extend") == 0) {
    extend_tables(file);
    extend_others(file);
  } else {
    show_table(file, "records");
    show_table(file, "more");
    show_fields(file, "fields");
    show_packets(file);
    show_images(file);
  }
  H5Fclose(file);
  return 0;
}
