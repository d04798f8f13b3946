/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC "Selection I/O" (2021), footnote 5: H5Dread_multi and H5Dwrite_multi are one request, also if the
 * library changes values on their way: by data transforms and user-defined conversions, or because they are
 * references. */
#include "check.h"
#include "selection_requests.h"

/* Reads or writes all elements of three datasets. */
static int three(int writes, const hid_t* sets, hid_t type, hid_t list, void* data, size_t bytes) {
  hid_t types[3], spaces[3] = {H5S_ALL, H5S_ALL, H5S_ALL};
  const void* from[3];
  void* into[3];
  int i;
  for (i = 0; i < 3; ++i) types[i] = type, from[i] = into[i] = (char*)data + i * bytes;
  if (writes) return H5Dwrite_multi(3, (hid_t*)sets, types, spaces, spaces, list, from) >= 0;
  return H5Dread_multi(3, (hid_t*)sets, types, spaces, spaces, list, into) >= 0;
}

/* The numbers of three datasets, and those that a transform or a conversion makes of them. */
static int first_numbers[3][ALL], made_numbers[3][ALL], back_numbers[3][ALL];

static void create_three(hid_t file, hid_t* sets, hid_t type) {
  sets[0] = create(file, "a", type, 0, 0), sets[1] = create(file, "b", type, 1, 0);
  sets[2] = create(file, "c", type, 1, 1);
  warm_up(file);
}

static int read_each_equals(const hid_t* sets, int wanted[3][ALL]) {
  return read_equals(sets[0], wanted[0]) && read_equals(sets[1], wanted[1]) &&
         read_equals(sets[2], wanted[2]);
}

static void several_transforms(int form) {
  const hid_t file = create_file(form, 0), list = H5Pcreate(H5P_DATASET_XFER);
  hid_t sets[3], spaces[3], types[3];
  void* into[3];
  int i, j, right;
  create_three(file, sets, H5T_NATIVE_INT);
  H5Pset_data_transform(list, "2*x+1");
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) first_numbers[i][j] = 1000 * i + j, made_numbers[i][j] = 2000 * i + 2 * j + 1;
  reset();
  CHECK("1, footnote 5", "transformed writes of several datasets are one request",
        three(1, sets, H5T_NATIVE_INT, list, first_numbers, sizeof first_numbers[0]) && is_once(form) &&
            read_each_equals(sets, made_numbers));
  three(1, sets, H5T_NATIVE_INT, NONE, first_numbers, sizeof first_numbers[0]);
  reset();
  CHECK("1, footnote 5", "transformed reads of several datasets are one request",
        three(0, sets, H5T_NATIVE_INT, list, back_numbers, sizeof back_numbers[0]) && is_once(form) &&
            memcmp(back_numbers, made_numbers, sizeof made_numbers) == 0);
  for (i = 0; i < 3; ++i) {
    types[i] = H5T_NATIVE_INT, spaces[i] = stripes(), into[i] = back_numbers[i];
    memset(back_numbers[i], 0, sizeof back_numbers[i]);
  }
  reset();
  right = H5Dread_multi(3, sets, types, spaces, spaces, list, into) >= 0 && is_once(form);
  for (i = 0; i < 3; ++i) {
    right = right && back_numbers[i][COLUMNS + 1] == 0 &&
            back_numbers[i][COLUMNS + 3] == made_numbers[i][COLUMNS + 3];
    H5Sclose(spaces[i]);
  }
  CHECK("1, footnote 5", "transformed elements are scattered in memory", right);
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]);
  H5Pclose(list), H5Fclose(file);
}

static int keeps_background, conversions, converted_elements;

/* Integers to integers of the other sign: thrice the number, plus what is there already. */
static herr_t triple(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride,
                     size_t background_stride, void* buffer, void* background, hid_t list) {
  int *numbers = (int*)buffer, *old = (int*)background;
  size_t i;
  (void)from, (void)to, (void)list, (void)stride, (void)background_stride;
  if (data->command == H5T_CONV_INIT) data->need_bkg = keeps_background ? H5T_BKG_YES : H5T_BKG_NO;
  if (data->command != H5T_CONV_CONV) return 0;
  ++conversions, converted_elements += (int)count;
  for (i = 0; i < count; ++i) numbers[i] = 3 * numbers[i] + (keeps_background ? old[i] : 0);
  return 0;
}

static void use_triple(hid_t from, hid_t to, int background) {
  H5Tunregister(H5T_PERS_HARD, "triple", -1, -1, NULL);
  keeps_background = background, conversions = converted_elements = 0;
  if (from >= 0) H5Tregister(H5T_PERS_HARD, "triple", from, to, triple);
}

static int called(int times) { return conversions == times && converted_elements == times * ALL; }

static void several_conversions(int form) {
  const hid_t file = create_file(form, 0);
  hid_t sets[3];
  int i, j, right;
  create_three(file, sets, H5T_NATIVE_INT);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) first_numbers[i][j] = 1000 * i + j, made_numbers[i][j] = 3000 * i + 3 * j;
  use_triple(H5T_NATIVE_UINT, H5T_NATIVE_INT, 0);
  reset();
  right = three(1, sets, H5T_NATIVE_UINT, NONE, first_numbers, sizeof first_numbers[0]) && is_once(form);
  CHECK("1, footnote 5", "writes with a user-defined conversion are one request",
        right && called(3) && read_each_equals(sets, made_numbers));
  use_triple(H5T_NATIVE_UINT, H5T_NATIVE_INT, 1);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) made_numbers[i][j] *= 2;
  reset();
  right = three(1, sets, H5T_NATIVE_UINT, NONE, first_numbers, sizeof first_numbers[0]) &&
          memory_vectors + memory_selections == 2;
  CHECK("1, footnote 5", "old values that a conversion keeps are read by one request",
        right && called(3) && read_each_equals(sets, made_numbers));
  H5Dclose(sets[1]);
  sets[1] = sets[0], conversions = converted_elements = 0;
  right = three(1, sets, H5T_NATIVE_UINT, NONE, first_numbers, sizeof first_numbers[0]);
  for (j = 0; j < ALL; ++j)
    made_numbers[0][j] += 3 * (first_numbers[0][j] + first_numbers[1][j]), made_numbers[2][j] += 6000 + 3 * j;
  memcpy(made_numbers[1], made_numbers[0], sizeof made_numbers[0]);
  CHECK("1, footnote 5", "old values are those of an earlier part of the call",
        right && called(3) && read_each_equals(sets, made_numbers));
  use_triple(H5T_NATIVE_INT, H5T_NATIVE_UINT, 0);
  sets[1] = H5Dopen2(file, "b", NONE);
  three(1, sets, H5T_NATIVE_INT, NONE, first_numbers, sizeof first_numbers[0]);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) made_numbers[i][j] = 3000 * i + 3 * j;
  reset();
  CHECK("1, footnote 5", "reads with a user-defined conversion are one request",
        three(0, sets, H5T_NATIVE_UINT, NONE, back_numbers, sizeof back_numbers[0]) && is_once(form) &&
            called(3) && memcmp(back_numbers, made_numbers, sizeof made_numbers) == 0);
  use_triple(-1, -1, 0);
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]);
  H5Fclose(file);
}

static H5R_ref_t many_references[3][ALL];

/* Whether they lead to datasets of that file. Destroys them. */
static int lead_into(hid_t file, int first) {
  int i, j, right = 1;
  for (i = first; i < 3; ++i)
    for (j = 0; j < ALL; ++j) {
      const hid_t object = H5Ropen_object(&many_references[i][j], NONE, NONE);
      H5O_info2_t found, wanted;
      right = right && object >= 0 && H5Oget_info3(object, &found, H5O_INFO_BASIC) >= 0 &&
              H5Oget_info_by_name3(file, j % 2 ? "a" : "b", &wanted, H5O_INFO_BASIC, NONE) >= 0 &&
              found.fileno == wanted.fileno && memcmp(&found.token, &wanted.token, sizeof found.token) == 0;
      H5Oclose(object), H5Rdestroy(&many_references[i][j]);
    }
  return right;
}

static void several_references(int form) {
  const hid_t file = create_file(form, 0), other = create_file(3 - form, 0);
  const size_t bytes = sizeof many_references[0];
  hid_t sets[3];
  int i, j, right;
  create_three(file, sets, H5T_STD_REF);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) H5Rcreate_object(file, j % 2 ? "a" : "b", NONE, &many_references[i][j]);
  reset();
  CHECK("1, footnote 5", "new references of several datasets are written by one request",
        three(1, sets, H5T_STD_REF, NONE, many_references, bytes) && is_once(form));
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) H5Rdestroy(&many_references[i][j]);
  reset();
  right = three(0, sets, H5T_STD_REF, NONE, many_references, bytes) && is_once(form);
  CHECK("1, footnote 5", "references of several datasets are read by one request",
        right && lead_into(file, 0));
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]);
  create_three(other, sets, H5T_STD_REF);
  H5Dclose(sets[1]);
  sets[1] = H5Dopen2(file, "b", NONE);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j)
      H5Rcreate_object(i == 1 ? file : other, j % 2 ? "a" : "b", NONE, &many_references[i][j]);
  right = three(1, sets, H5T_STD_REF, NONE, many_references, bytes);
  for (i = 0; i < 3; ++i)
    for (j = 0; j < ALL; ++j) H5Rdestroy(&many_references[i][j]);
  right = right && three(0, sets, H5T_STD_REF, NONE, many_references, bytes);
  for (j = 0; j < ALL; ++j) H5Rdestroy(&many_references[0][j]);
  right = right && lead_into(other, 2);
  memcpy(many_references[2], many_references[1], bytes);
  CHECK("1, footnote 5", "references of two files lead into their own file", right && lead_into(file, 2));
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]);
  H5Fclose(file), H5Fclose(other);
}

/* Three datasets of 30 MB: packed copies of two of them fit into the memory of a request. */
static void much_transformed(void) {
  const hsize_t size = 7500000;
  const hid_t file = create_file(SELECTION, 0), space = H5Screate_simple(1, &size, NULL),
              list = H5Pcreate(H5P_DATASET_XFER);
  int* numbers = (int*)calloc((size_t)size, sizeof(int));
  hid_t sets[3];
  int i, right = 1;
  H5Pset_data_transform(list, "x+7");
  for (i = 0; i < 3; ++i) {
    const char name[2] = {(char)('a' + i), 0};
    sets[i] = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, NONE, NONE);
  }
  warm_up(file);
  reset();
  CHECK("1, footnote 5", "values that would take too much memory are written by several requests",
        three(1, sets, H5T_NATIVE_INT, list, numbers, 0) && requests(0, 0, 2));
  for (i = 0; i < 3; ++i) {
    right = right && H5Dread(sets[i], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, numbers) >= 0 &&
            numbers[0] == 14 && numbers[size - 1] == 14;
  }
  reset();
  CHECK("1, footnote 5", "so they are read",
        three(0, sets, H5T_NATIVE_INT, list, numbers, 0) && requests(0, 0, 2) && right && numbers[5] == 14);
  free(numbers);
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]);
  H5Sclose(space), H5Pclose(list), H5Fclose(file);
}

int main(void) {
  several_transforms(SELECTION), several_transforms(VECTOR);
  several_conversions(SELECTION), several_conversions(VECTOR);
  several_references(SELECTION), several_references(VECTOR);
  much_transformed();
  CHECK("2.4.1.2", "no call of a driver overlapped another one", memory_clashes == 0);
  return check_summary();
}
