/* SPDX-License-Identifier: Apache-2.0 */
/* H5Dget_space_status for all layouts, allocation times and extents. */
#include "show.h"

static void show_space(const char* name, hid_t set) {
  H5D_space_status_t status = (H5D_space_status_t)-1;
  herr_t result = H5Dget_space_status(set, &status);
  printf("%s: result %d, status %d\n", name, result, (int)status);
}

enum { contiguous, compact, chunked, external, virtual_set };
static const char* const layouts[] = {"contiguous", "compact", "chunked", "external", "virtual"};
static const char* const times[] = {"default", "early", "late", "incremental"};
static const char* const extents[] = {"null", "scalar", "zero", "simple", "growing", "zero-growing"};

static hid_t make_space(int extent) {
  hsize_t size = extent == 2 || extent == 5 ? 0 : 8, most = H5S_UNLIMITED;
  if (extent == 0) return H5Screate(H5S_NULL);
  if (extent == 1) return H5Screate(H5S_SCALAR);
  return H5Screate_simple(1, &size, extent >= 4 ? &most : NULL);
}

static hid_t make_plist(int layout, int time) {
  hsize_t chunk = 4;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  if (layout == compact) H5Pset_layout(plist, H5D_COMPACT);
  if (layout == chunked) H5Pset_chunk(plist, 1, &chunk);
  if (layout == external) H5Pset_external(plist, "space_status.raw", 0, H5F_UNLIMITED);
  if (layout == virtual_set) H5Pset_layout(plist, H5D_VIRTUAL);
  if (time != 0) H5Pset_alloc_time(plist, (H5D_alloc_time_t)time);
  return plist;
}

static void change(hid_t set, const char* name, int extent) {
  int values[16] = {1, 2, 3, 4, 5, 6, 7, 8};
  hsize_t size = 8, start = 5, one = 1;
  hid_t space;
  char text[96];
  if (extent >= 4) {
    H5Dset_extent(set, &size);
    snprintf(text, sizeof text, "%s, extended", name);
    show_space(text, set);
  }
  space = H5Dget_space(set);
  if (extent >= 3) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL);
    H5Dwrite(set, H5T_NATIVE_INT, H5Screate(H5S_SCALAR), space, NONE, values);
    snprintf(text, sizeof text, "%s, one element written", name);
    show_space(text, set);
  }
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Sclose(space);
}

int main(void) {
  int layout, time, extent;
  hid_t file, set, scalar = H5Screate(H5S_SCALAR);
  quiet();
  file = new_file("space_status.h5");
  for (layout = contiguous; layout <= virtual_set; ++layout) {
    for (extent = 0; extent < 6; ++extent) {
      for (time = 0; time < 4; ++time) {
        char name[64];
        hid_t plist, space;
        if (layout == virtual_set && extent == 0) continue;
        plist = make_plist(layout, time);
        space = make_space(extent);
        snprintf(name, sizeof name, "%s %s %s", layouts[layout], extents[extent], times[time]);
        set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, plist, NONE);
        if (set < 0) {
          printf("%s: not created\n", name);
          continue;
        }
        show_space(name, set);
        if (layout != virtual_set) change(set, name, extent);
        H5Dclose(set);
        set = H5Dopen2(file, name, NONE);
        show_space(name, set);
        H5Dclose(set);
        H5Pclose(plist);
        H5Sclose(space);
      }
    }
  }
  H5Fclose(file);
  return 0;
}
