/* SPDX-License-Identifier: Apache-2.0
 *
 * The creation property lists of objects, right after creation and after reopening. */
#include "show.h"

static hid_t make_file(const char* name, int latest) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate(name, H5F_ACC_TRUNC, NONE, access);
  H5Pclose(access);
  return file;
}

static void show_times(const char* what, hid_t object, hid_t list) {
  hbool_t tracked = 99;
  H5O_info1_t info;
  H5Pget_obj_track_times(list, &tracked);
  H5Oget_info1(object, &info);
  printf("%s: times are tracked %d, there are %d %d %d %d\n", what, tracked, info.atime != 0, info.mtime != 0,
         info.ctime != 0, info.btime != 0);
  H5Pclose(list);
}

static void times(int latest, hbool_t tracked) {
  hid_t file = make_file("times.h5", latest), space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_STD_I32LE);
  hid_t of_set = H5Pcreate(H5P_DATASET_CREATE), of_group = H5Pcreate(H5P_GROUP_CREATE),
        of_type = H5Pcreate(H5P_DATATYPE_CREATE), set, group;
  printf("-- times, latest %d, asked for %d\n", latest, tracked);
  H5Pset_obj_track_times(of_set, tracked);
  H5Pset_obj_track_times(of_group, tracked);
  H5Pset_obj_track_times(of_type, tracked);
  set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, of_set, NONE);
  group = H5Gcreate2(file, "group", NONE, of_group, NONE);
  CALL(H5Tcommit2(file, "type", type, NONE, of_type, NONE));
  show_times("dataset", set, H5Dget_create_plist(set));
  show_times("group", group, H5Gget_create_plist(group));
  show_times("datatype", type, H5Tget_create_plist(type));
  H5Dclose(set);
  H5Gclose(group);
  H5Tclose(type);
  set = H5Dopen2(file, "set", NONE);
  group = H5Gopen2(file, "group", NONE);
  type = H5Topen2(file, "type", NONE);
  show_times("dataset again", set, H5Dget_create_plist(set));
  show_times("group again", group, H5Gget_create_plist(group));
  show_times("datatype again", type, H5Tget_create_plist(type));
  H5Dclose(set);
  H5Gclose(group);
  H5Tclose(type);
  H5Sclose(space);
  CALL(H5Fclose(file));
}

/* Attribute order of committed datatypes. */
static void attributes(void) {
  unsigned order = 0, most = 0, least = 0;
  hid_t file = make_file("attributes.h5", 1), type = H5Tcopy(H5T_STD_I32LE), list,
        space = H5Screate(H5S_SCALAR);
  list = H5Pcreate(H5P_DATATYPE_CREATE);
  H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_phase_change(list, 4, 2);
  CALL(H5Tcommit2(file, "type", type, NONE, list, NONE));
  H5Pclose(list);
  H5Aclose(H5Acreate2(type, "z", H5T_STD_I32LE, space, NONE, NONE));
  H5Aclose(H5Acreate2(type, "a", H5T_STD_I32LE, space, NONE, NONE));
  CALL_ID(list = H5Aopen_by_idx(type, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, 1, NONE, NONE));
  H5Aclose(list);
  list = H5Tget_create_plist(type);
  H5Pget_attr_creation_order(list, &order);
  H5Pget_attr_phase_change(list, &most, &least);
  printf("order %u, phases %u %u\n", order, most, least);
  H5Pclose(list);
  H5Tclose(type);
  type = H5Tcopy(H5T_STD_I16LE);
  list = H5Pcreate(H5P_DATATYPE_CREATE);
  H5Pset_obj_track_times(list, 0);
  CALL(H5Tcommit_anon(file, type, list, NONE));
  show_times("datatype without a name", type, H5Tget_create_plist(type));
  H5Pclose(list);
  H5Tclose(type);
  H5Sclose(space);
  H5Fclose(file);
}

/* The creation property list of a dataset equals the one it was created with, unless more was set. */
static void allocation(int latest, H5D_layout_t layout, int time) {
  const hsize_t dims[1] = {8}, chunk[1] = {4};
  hid_t file = make_file("allocation.h5", latest), space = H5Screate_simple(1, dims, NULL),
        list = H5Pcreate(H5P_DATASET_CREATE), found, again, set;
  H5D_alloc_time_t now = H5D_ALLOC_TIME_ERROR, later = H5D_ALLOC_TIME_ERROR;
  const int fill = 5;
  H5Pset_layout(list, layout);
  if (layout == H5D_CHUNKED) H5Pset_chunk(list, 1, chunk);
  if (time != 0) H5Pset_alloc_time(list, (H5D_alloc_time_t)time);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, list, NONE);
  found = H5Dget_create_plist(set);
  H5Dclose(set);
  set = H5Dopen2(file, "set", NONE);
  again = H5Dget_create_plist(set);
  H5Pget_alloc_time(found, &now);
  H5Pget_alloc_time(again, &later);
  printf("latest %d, layout %d, time %d: times %d %d, equal %d %d\n", latest, layout, time, now, later,
         H5Pequal(list, found), H5Pequal(list, again));
  H5Dclose(set);
  H5Pclose(list);
  H5Pclose(found);
  H5Pclose(again);
  H5Sclose(space);
  H5Fclose(file);
}

static void show_time(const char* what, hid_t list) {
  H5D_alloc_time_t time = H5D_ALLOC_TIME_ERROR;
  H5Pget_alloc_time(list, &time);
  printf("%s: time %d\n", what, time);
}

/* Virtual sources leave the allocation time unchanged. */
static void sources(void) {
  const hsize_t dims[1] = {8}, chunk[1] = {4};
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE), file, set, found;
  H5Pset_virtual(list, space, "a.h5", "d", space);
  show_time("sources", list);
  file = make_file("sources.h5", 0);
  set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, list, NONE);
  found = H5Dget_create_plist(set);
  show_time("of the dataset", found);
  CALL(H5Pequal(list, found));
  H5Pclose(found);
  H5Dclose(set);
  set = H5Dopen2(file, "set", NONE);
  found = H5Dget_create_plist(set);
  show_time("again", found);
  H5Pclose(found);
  H5Dclose(set);
  H5Fclose(file);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  H5Pset_virtual(list, space, "a.h5", "d", space);
  show_time("chunks, then sources", list);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(list, H5D_VIRTUAL);
  show_time("layout", list);
  H5Pset_virtual(list, space, "a.h5", "d", space);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  show_time("early", list);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_DEFAULT);
  show_time("the default again", list);
  H5Pclose(list);
  H5Sclose(space);
}

/* Whether the allocation time of a stored dataset follows a new layout. */
static void new_layouts(H5D_layout_t layout, H5D_alloc_time_t time, int with_fill) {
  const hsize_t dims[1] = {8}, chunk[1] = {4};
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE), file, set, found;
  int fill = 5;
  printf("layout %d, time %d, fill value %d\n", (int)layout, (int)time, with_fill);
  if (layout == H5D_CHUNKED) H5Pset_chunk(list, 1, chunk);
  if (layout == H5D_VIRTUAL) H5Pset_virtual(list, space, "a.h5", "d", space);
  if (time != H5D_ALLOC_TIME_DEFAULT) H5Pset_alloc_time(list, time);
  if (with_fill) H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  file = make_file("layouts.h5", 0);
  H5Dclose(H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, list, NONE));
  H5Fclose(file);
  file = H5Fopen("layouts.h5", H5F_ACC_RDONLY, NONE);
  set = H5Dopen2(file, "set", NONE);
  found = H5Dget_create_plist(set);
  show_time("stored", found);
  H5Pset_layout(found, H5D_COMPACT);
  show_time("compact", found);
  H5Pset_chunk(found, 1, chunk);
  show_time("chunked", found);
  H5Pset_layout(found, H5D_CONTIGUOUS);
  show_time("contiguous", found);
  H5Pclose(found);
  H5Dclose(set);
  H5Fclose(file);
  H5Pclose(list);
  H5Sclose(space);
}

int main(void) {
  int latest, layout, time;
  quiet();
  for (latest = 0; latest < 2; ++latest) {
    times(latest, 0);
    times(latest, 1);
    for (layout = H5D_COMPACT; layout <= H5D_CHUNKED; ++layout)
      for (time = 0; time <= H5D_ALLOC_TIME_INCR; ++time)
        if (layout != H5D_COMPACT || time <= H5D_ALLOC_TIME_EARLY)
          allocation(latest, (H5D_layout_t)layout, time);
  }
  attributes();
  sources();
  for (layout = H5D_CONTIGUOUS; layout <= H5D_VIRTUAL; ++layout)
    for (time = H5D_ALLOC_TIME_DEFAULT; time <= H5D_ALLOC_TIME_INCR; ++time)
      if (layout != H5D_CONTIGUOUS || time != H5D_ALLOC_TIME_INCR) {
        new_layouts((H5D_layout_t)layout, (H5D_alloc_time_t)time, 0);
        new_layouts((H5D_layout_t)layout, (H5D_alloc_time_t)time, 1);
      }
  return 0;
}
