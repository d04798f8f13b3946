/* SPDX-License-Identifier: Apache-2.0 */
/* H5PT: packet tables of fixed and of variable length. */
#include <hdf5_hl.h>

#include "show.h"

static void show_state(hid_t table) {
  hsize_t packets = 99, index = 99;
  TRY(H5PTget_num_packets(table, &packets));
  TRY(H5PTget_index(table, &index));
  printf("%d packets, next %d\n", (int)packets, (int)index);
}

static void fixed(hid_t file) {
  int values[10] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, read[10] = {0};
  hid_t table = H5PTcreate_fl(file, "fixed", H5T_NATIVE_INT, 4, -1);
  SHOW_ID(table);
  SHOW_ID(H5Iget_type(table) < H5I_NTYPES ? -1 : 0);
  show_state(table);
  TRY(H5PTget_next(table, 1, read));
  TRY(H5PTset_index(table, 0));
  TRY(H5PTappend(table, 6, values));
  TRY(H5PTappend(table, 0, NULL));
  TRY(H5PTappend(table, 4, values + 6));
  show_state(table);
  TRY(H5PTget_next(table, 3, read));
  SHOW(read[2]);
  TRY(H5PTget_next(table, 0, NULL));
  TRY(H5PTget_next(table, 4, read));
  SHOW(read[3]);
  TRY(H5PTget_next(table, 4, read));
  show_state(table);
  TRY(H5PTset_index(table, 2));
  TRY(H5PTget_next(table, 1, read));
  SHOW(read[0]);
  TRY(H5PTset_index(table, 9));
  TRY(H5PTset_index(table, 10));
  show_state(table);
  TRY(H5PTcreate_index(table));
  show_state(table);
  TRY(H5PTread_packets(table, 5, 5, read));
  SHOW(read[4]);
  TRY(H5PTread_packets(table, 5, 6, read));
  TRY(H5PTread_packets(table, 10, 1, read));
  TRY(H5PTread_packets(table, 10, 0, NULL));
  TRY(H5PTget_num_packets(table, NULL));
  TRY(H5PTget_index(table, NULL));
  TRY(H5PTis_valid(table));
  TRY(H5PTis_varlen(table));
  SHOW(H5Iget_type(H5PTget_dataset(table)) == H5I_DATASET);
  SHOW(H5Tequal(H5PTget_type(table), H5T_NATIVE_INT));
  TRY(H5PTclose(table));
  TRY(H5PTclose(table));
  TRY(H5PTis_valid(table));
  TRY(H5PTis_varlen(table));
  TRY(H5PTappend(table, 1, values));
}

static void reopened(hid_t file) {
  long long values[12] = {0};
  int more[2] = {70, 71};
  hid_t table = H5PTopen(file, "fixed"), twin = H5PTopen(file, "fixed"), big;
  SHOW_ID(table);
  show_state(table);
  TRY(H5PTappend(table, 2, more));
  show_state(table);
  show_state(twin);
  TRY(H5PTclose(twin));
  TRY(H5PTis_valid(table));
  SHOW(H5Fget_obj_count(file, H5F_OBJ_DATASET));
  TRY(H5PTclose(table));
  SHOW(H5Fget_obj_count(file, H5F_OBJ_DATASET));
  big = H5PTcreate_fl(file, "big", H5T_STD_I64BE, 3, 5);
  TRY(H5PTappend(big, 3, values));
  TRY(H5PTclose(big));
  big = H5PTopen(file, "big");
  SHOW(H5Tget_order(H5PTget_type(big)));
  TRY(H5PTread_packets(big, 0, 3, values));
  TRY(H5PTclose(big));
}

static void creating(hid_t file) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
  hsize_t chunk = 7;
  hid_t table;
  int fill = 8;
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 3);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  SHOW_ID(table = H5PTcreate(file, "listed", H5T_NATIVE_INT, 0, list));
  TRY(H5PTappend(table, 1, &fill));
  TRY(H5PTclose(table));
  SHOW_ID(table = H5PTcreate(file, "other chunks", H5T_NATIVE_INT, 9, list));
  TRY(H5PTclose(table));
  SHOW_ID(table = H5PTcreate(file, "defaults", H5T_NATIVE_INT, 5, H5P_DEFAULT));
  TRY(H5PTclose(table));
  TRY(H5PTcreate(file, "no", H5T_NATIVE_INT, 0, H5P_DEFAULT));
  TRY(H5PTcreate(file, "no", H5T_NATIVE_INT, 5, access));
  TRY(H5PTcreate(file, "no", H5T_NATIVE_INT, 5, -1));
  TRY(H5PTcreate(file, NULL, H5T_NATIVE_INT, 5, H5P_DEFAULT));
  TRY(H5PTcreate(file, "no", -1, 5, H5P_DEFAULT));
  TRY(H5PTcreate(-1, "no", H5T_NATIVE_INT, 5, H5P_DEFAULT));
  TRY(H5PTcreate(file, "defaults", H5T_NATIVE_INT, 5, H5P_DEFAULT));
  TRY(H5PTcreate_fl(file, "no", H5T_NATIVE_INT, 0, -1));
  TRY(H5PTcreate_fl(file, NULL, H5T_NATIVE_INT, 4, -1));
  SHOW_ID(table = H5PTcreate_fl(file, "level 0", H5T_NATIVE_INT, 4, 0));
  TRY(H5PTclose(table));
  SHOW_ID(table = H5PTcreate_fl(file, "level 10", H5T_NATIVE_INT, 4, 10));
  TRY(H5PTclose(table));
  TRY(H5PTopen(file, "absent"));
  TRY(H5PTopen(file, "g"));
  TRY(H5PTopen(file, NULL));
  TRY(H5PTopen(-1, "fixed"));
  H5Pclose(list);
  H5Pclose(access);
}

static void other_ids(hid_t file) {
  int value = 1;
  hsize_t number = 0;
  TRY(H5PTis_valid(file));
  TRY(H5PTis_valid(-1));
  TRY(H5PTclose(file));
  TRY(H5PTappend(file, 1, &value));
  TRY(H5PTget_next(file, 1, &value));
  TRY(H5PTread_packets(file, 0, 1, &value));
  TRY(H5PTcreate_index(file));
  TRY(H5PTset_index(file, 0));
  TRY(H5PTget_index(file, &number));
  TRY(H5PTget_num_packets(file, &number));
  TRY(H5PTis_varlen(file));
  TRY(H5PTfree_vlen_buff(file, 1, &value));
  TRY(H5PTget_dataset(file));
  TRY(H5PTget_type(file));
}

static void variable(hid_t file) {
  hid_t type = H5Tvlen_create(H5T_NATIVE_INT), text = H5Tcopy(H5T_C_S1), table;
  int numbers[6] = {1, 2, 3, 4, 5, 6};
  hvl_t packets[3] = {{1, numbers}, {0, NULL}, {5, numbers + 1}}, read[3];
  const char *words[2] = {"some", "words"}, *found[2];
  table = H5PTcreate_fl(file, "variable", type, 2, 4);
  TRY(H5PTis_varlen(table));
  TRY(H5PTappend(table, 3, packets));
  TRY(H5PTget_next(table, 3, read));
  SHOW(read[1].len);
  SHOW(read[2].len);
  SHOW(((int*)read[2].p)[4]);
  TRY(H5PTfree_vlen_buff(table, 3, read));
  TRY(H5PTfree_vlen_buff(table, 3, NULL));
  TRY(H5PTclose(table));
  table = H5PTopen(file, "variable");
  TRY(H5PTis_varlen(table));
  TRY(H5PTappend(table, 2, packets + 1));
  TRY(H5PTread_packets(table, 4, 1, read));
  SHOW(read[0].len);
  TRY(H5PTfree_vlen_buff(table, 1, read));
  TRY(H5PTclose(table));
  H5Tset_size(text, H5T_VARIABLE);
  table = H5PTcreate(file, "words", text, 10, H5P_DEFAULT);
  TRY(H5PTis_varlen(table));
  TRY(H5PTappend(table, 2, words));
  TRY(H5PTget_next(table, 2, found));
  SHOW_TEXT(found[1]);
  TRY(H5PTfree_vlen_buff(table, 2, found));
  TRY(H5PTclose(table));
  H5Tclose(type);
  H5Tclose(text);
}

static void read_only(void) {
  int value = 3;
  hid_t file = H5Fopen("packet_tables.h5", H5F_ACC_RDONLY, NONE), table = H5PTopen(file, "fixed");
  TRY(H5PTappend(table, 1, &value));
  show_state(table);
  TRY(H5PTread_packets(table, 11, 1, &value));
  SHOW(value);
  TRY(H5PTclose(table));
  H5Fclose(file);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("packet_tables.h5");
  new_group(file, "g");
  other_ids(file);
  fixed(file);
  reopened(file);
  creating(file);
  other_ids(file);
  variable(file);
  H5Fclose(file);
  read_only();
  return 0;
}
