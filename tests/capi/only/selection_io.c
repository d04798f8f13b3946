/* SPDX-License-Identifier: Apache-2.0
 *
 * Transfer properties that are about selections, and checks of files that can be relaxed. Drivers of the
 * library take vectors of byte ranges in any mode, so the answers about transfers differ from those of HDF5.
 */
#include "../show.h"

static void show_io(hid_t set, hid_t list, const char* what) {
  int values[64] = {0};
  uint32_t cause = 99, mode = 99;
  printf("%s: read %d", what, (int)H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values));
  H5Pget_no_selection_io_cause(list, &cause);
  H5Pget_actual_selection_io_mode(list, &mode);
  printf(", cause %x, mode %x\n", (unsigned)cause, (unsigned)mode);
}

static hid_t other;

static void use_modes(void) {
  H5D_selection_io_mode_t mode = (H5D_selection_io_mode_t)9;
  hbool_t modify = 2;
  uint32_t number = 9;
  hid_t list = H5Pcreate(H5P_DATASET_XFER), copy;
  puts("-- modes");
  CALL(H5Pget_selection_io(list, &mode));
  VALUE(mode);
  CALL(H5Pset_selection_io(list, H5D_SELECTION_IO_MODE_ON));
  CALL(H5Pget_selection_io(list, &mode));
  VALUE(mode);
  CALL(H5Pget_selection_io(list, NULL));
  CALL(H5Pset_selection_io(H5P_DEFAULT, H5D_SELECTION_IO_MODE_ON));
  CALL(H5Pset_selection_io(other, H5D_SELECTION_IO_MODE_ON));
  CALL(H5Pget_selection_io(other, &mode));
  copy = H5Pcopy(list);
  CALL(H5Pequal(list, copy));
  CALL(H5Pset_selection_io(copy, H5D_SELECTION_IO_MODE_OFF));
  CALL(H5Pequal(list, copy));
  H5Pclose(copy);
  CALL(H5Pget_modify_write_buf(list, &modify));
  VALUE(modify);
  CALL(H5Pset_modify_write_buf(list, 1));
  CALL(H5Pget_modify_write_buf(list, &modify));
  VALUE(modify);
  CALL(H5Pset_modify_write_buf(H5P_DEFAULT, 1));
  CALL(H5Pset_modify_write_buf(other, 1));
  CALL(H5Pget_modify_write_buf(other, &modify));
  CALL(H5Pget_no_selection_io_cause(list, &number));
  VALUE(number);
  CALL(H5Pget_actual_selection_io_mode(list, &number));
  VALUE(number);
  CALL(H5Pget_no_selection_io_cause(other, &number));
  CALL(H5Pget_actual_selection_io_mode(other, &number));
  CALL(H5Pget_no_selection_io_cause(list, NULL));
  H5Pclose(list);
}

static void use_transfers(void) {
  static const char* const names[] = {"contiguous", "compact", "chunked", "filtered"};
  const hsize_t dims[1] = {64}, chunk[1] = {16};
  int values[64], i, mode;
  hid_t file = new_file("transfers.h5"), space = H5Screate_simple(1, dims, NULL);
  puts("-- transfers");
  for (i = 0; i < 64; ++i) values[i] = i;
  for (i = 0; i < 4; ++i) {
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), set;
    if (i == 1) H5Pset_layout(creation, H5D_COMPACT);
    if (i >= 2) H5Pset_chunk(creation, 1, chunk);
    if (i == 3) H5Pset_deflate(creation, 1);
    set = H5Dcreate2(file, names[i], H5T_STD_I32LE, space, NONE, creation, NONE);
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    for (mode = H5D_SELECTION_IO_MODE_DEFAULT; mode <= H5D_SELECTION_IO_MODE_ON; ++mode) {
      hid_t list = H5Pcreate(H5P_DATASET_XFER);
      H5Pset_selection_io(list, (H5D_selection_io_mode_t)mode);
      printf("mode %d, ", mode);
      show_io(set, list, names[i]);
      H5Pclose(list);
    }
    H5Dclose(set);
    H5Pclose(creation);
  }
  H5Sclose(space);
  H5Fclose(file);
}

static void show_values(const int* values, int count) {
  int i;
  printf(" ");
  for (i = 0; i < count; ++i) printf(" %d", values[i]);
  printf("\n");
}

static void use_slabs(void) {
  const hsize_t dims[2] = {4, 5}, start[2] = {1, 1}, count[2] = {2, 2}, stride[2] = {1, 2}, zero[2] = {0, 1};
  const hsize_t last[2] = {3, 4}, one[2] = {1, 1}, far[2] = {9, 9}, many[3] = {1, 1, 1};
  int values[20], got[20], i;
  hid_t file = new_file("slabs.h5"), space = H5Screate_simple(2, dims, NULL),
        list = H5Pcreate(H5P_DATASET_XFER);
  hid_t set = H5Dcreate2(file, "d", H5T_STD_I32LE, space, NONE, NONE, NONE);
  puts("-- selections of lists");
  for (i = 0; i < 20; ++i) values[i] = i;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_SET, start, stride, count, NULL));
  memset(got, 0, sizeof got);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_BLOCK, H5S_PLIST, list, got));
  show_values(got, 6);
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_OR, last, NULL, one, NULL));
  memset(got, 0, sizeof got);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_BLOCK, H5S_PLIST, list, got));
  show_values(got, 6);
  for (i = 0; i < 20; ++i) got[i] = -i;
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_BLOCK, H5S_PLIST, list, got));
  memset(got, 0, sizeof got);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, got));
  show_values(got, 20);
  memset(got, 0, sizeof got);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_PLIST, list, got));
  show_values(got, 20);
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 0, H5S_SELECT_SET, start, stride, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 33, H5S_SELECT_SET, start, stride, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_NOOP, start, stride, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_APPEND, start, stride, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_SET, NULL, stride, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_SET, start, zero, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_SET, start, stride, NULL, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(other, 2, H5S_SELECT_SET, start, stride, count, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 3, H5S_SELECT_OR, many, NULL, many, NULL));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 2, H5S_SELECT_SET, far, NULL, one, NULL));
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_BLOCK, H5S_PLIST, list, got));
  CALL(H5Pset_dataset_io_hyperslab_selection(list, 3, H5S_SELECT_SET, many, NULL, many, NULL));
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(list);
  H5Fclose(file);
}

static void use_checks(void) {
  uint64_t flags = 99;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  puts("-- relaxed checks, and a driver");
  CALL(H5Pget_relax_file_integrity_checks(list, &flags));
  VALUE(flags);
  CALL(H5Pset_relax_file_integrity_checks(list, H5F_RFIC_ALL));
  CALL(H5Pget_relax_file_integrity_checks(list, &flags));
  VALUE(flags == H5F_RFIC_ALL);
  CALL(H5Pequal(list, H5P_FILE_ACCESS_DEFAULT));
  CALL(H5Pset_relax_file_integrity_checks(list, 0x100));
  CALL(H5Pset_relax_file_integrity_checks(H5P_DEFAULT, H5F_RFIC_ALL));
  CALL(H5Pset_relax_file_integrity_checks(other, H5F_RFIC_ALL));
  CALL(H5Pget_relax_file_integrity_checks(other, &flags));
  H5Pclose(list);
}

int main(void) {
  quiet();
  other = H5Pcreate(H5P_LINK_CREATE);
  use_modes();
  use_transfers();
  use_slabs();
  use_checks();
  H5Pclose(other);
  return 0;
}
