/* SPDX-License-Identifier: Apache-2.0
 *
 * What H5Ddebug prints. Addresses that the API tells are replaced by what is stored there, others by "n". */
#include <unistd.h>

#include "show.h"

enum { ROWS = 6, COLUMNS = 8 };

static haddr_t addresses[100];
static hsize_t count;

static void note_addresses(hid_t set) {
  hid_t space = H5Dget_space(set);
  count = 0;
  addresses[0] = H5Dget_offset(set);
  if (addresses[0] != HADDR_UNDEF) count = 1;
  H5E_BEGIN_TRY {
    hsize_t chunks = 0, i, offset[2], bytes;
    unsigned mask;
    if (H5Dget_num_chunks(set, space, &chunks) >= 0)
      for (i = 0; i < chunks; ++i)
        H5Dget_chunk_info(set, space, i, offset, &mask, &addresses[count++], &bytes);
  }
  H5E_END_TRY
  H5Sclose(space);
}

static void print_number(unsigned long long number) {
  hsize_t i;
  for (i = 0; i < count && addresses[i] != number; ++i) continue;
  if (number == HADDR_UNDEF)
    printf("undefined");
  else if (i < count)
    printf("address %d", (int)i);
  else if (number > 300) /* sizes are smaller */
    printf("n");
  else
    printf("%llu", number);
}

/* Columns are padded for addresses of any length. */
static void print_line(const char* line) {
  const int row = strstr(line, "0x") != NULL;
  while (*line != '\0') {
    char* end = (char*)line + 1;
    if (strncmp(line, "0x", 2) == 0)
      printf("%.10s", line), end = (char*)line + 10;
    else if (*line >= '0' && *line <= '9')
      print_number(strtoull(line, &end, 10));
    else if (!row || *line != ' ' || line[1] != ' ')
      putchar(*line);
    line = end;
  }
}

static void debug(hid_t set) {
  char line[300];
  FILE* kept;
  int before = dup(1);
  note_addresses(set);
  fflush(stdout);
  kept = freopen("debug.txt", "w", stdout);
  H5Ddebug(set);
  fflush(stdout);
  dup2(before, 1);
  close(before);
  kept = fopen("debug.txt", "r");
  while (fgets(line, sizeof line, kept) != NULL) print_line(line);
  fclose(kept);
}

static void make(hid_t file, const char* name, hid_t list, const hsize_t* most) {
  const hsize_t dims[2] = {ROWS, COLUMNS};
  int values[ROWS * COLUMNS] = {1, 2, 3};
  hid_t space = H5Screate_simple(2, dims, most);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, list, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  H5Sclose(space);
}

static void make_all(hid_t file) {
  const hsize_t chunk[2] = {2, 4}, whole[2] = {ROWS, COLUMNS}, rows[2] = {H5S_UNLIMITED, COLUMNS},
                both[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  make(file, "contiguous", list, NULL);
  H5Pset_layout(list, H5D_COMPACT);
  make(file, "compact", list, NULL);
  H5Pset_chunk(list, 2, chunk);
  make(file, "fixed", list, NULL);
  make(file, "rows", list, rows);
  make(file, "both", list, both);
  H5Pset_chunk(list, 2, whole);
  make(file, "single", list, NULL);
  H5Pset_chunk(list, 2, chunk);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  make(file, "implicit", list, NULL);
  H5Pset_shuffle(list);
  make(file, "filtered", list, rows);
  H5Pclose(list);
}

int main(void) {
  static const char* const names[] = {"contiguous", "compact", "fixed",    "rows",
                                      "both",       "single",  "implicit", "filtered"};
  int latest;
  size_t i;
  quiet();
  for (latest = 0; latest < 2; ++latest) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, empty, space;
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    file = H5Fcreate("debug.h5", H5F_ACC_TRUNC, NONE, access);
    make_all(file);
    H5Fclose(file);
    file = H5Fopen("debug.h5", H5F_ACC_RDWR, access);
    for (i = 0; i < sizeof names / sizeof *names; ++i) {
      hid_t set = H5Dopen2(file, names[i], NONE);
      printf("%s\n", names[i]);
      debug(set);
      H5Dclose(set);
    }
    space = H5Screate(H5S_SCALAR);
    empty = H5Dcreate2(file, "empty", H5T_NATIVE_INT, space, NONE, NONE, NONE);
    debug(empty);
    H5Dclose(empty);
    H5Fclose(file);
  }
  SHOW_FAILURE(H5Ddebug(-1));
  SHOW_FAILURE(H5Ddebug(H5T_NATIVE_INT));
  return 0;
}
