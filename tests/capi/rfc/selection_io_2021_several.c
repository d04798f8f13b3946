/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC "Selection I/O" (2021), footnote 5: H5Dread_multi and H5Dwrite_multi are one request to a driver that
 * takes selections or vectors. */
#include "check.h"
#include "selection_requests.h"

static void several(int form, int conversion) {
  const hid_t file = create_file(form, 0);
  hid_t sets[3], types[3] = {H5T_NATIVE_INT, H5T_NATIVE_INT, H5T_NATIVE_INT}, spaces[3], packed[3];
  const hid_t stored = conversion ? H5T_STD_I64BE : H5T_NATIVE_INT;
  const hsize_t size = 42;
  int data[3][ALL], back[3][ALL], i, right = 1;
  const void* from[3];
  void* into[3];
  sets[0] = create(file, "a", stored, 0, 0), sets[1] = create(file, "b", stored, 1, 0);
  sets[2] = create(file, "c", H5T_NATIVE_INT, 0, 0);
  warm_up(file);
  for (i = 0; i < 3; ++i) {
    fill(data[i], 1000 * i);
    from[i] = data[i], into[i] = back[i], spaces[i] = packed[i] = H5S_ALL;
  }
  reset();
  CHECK("1, footnote 5", "the writes of several datasets are one request",
        H5Dwrite_multi(3, sets, types, packed, spaces, NONE, from) >= 0 &&
            requests(0, form == VECTOR, form == SELECTION));
  for (i = 0; i < 3; ++i) spaces[i] = stripes(), packed[i] = H5Screate_simple(1, &size, NULL);
  reset();
  CHECK("1, footnote 5", "the reads of several datasets are one request",
        H5Dread_multi(3, sets, types, packed, spaces, NONE, into) >= 0 &&
            requests(0, form == VECTOR, form == SELECTION));
  for (i = 0; i < 3; ++i) right = right && has_stripes(back[i], 1000 * i);
  CHECK("1, footnote 5", "every dataset gets its elements", right);
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]), H5Sclose(spaces[i]), H5Sclose(packed[i]);
  H5Fclose(file);
}

/* Every second dataset has filters, is sparse or is virtual. */
static hid_t create_kind(hid_t file, int kind) {
  static const char* const names[] = {"contiguous", "filtered", "sparse", "virtual", "chunked"};
  const hsize_t dims[2] = {ROWS, COLUMNS}, chunk[2] = {4, 8};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  if (kind == 1 || kind == 4) H5Pset_chunk(list, 2, chunk);
  if (kind == 2) H5Pset_sparse_chunk(list, 2, chunk);
  if (kind == 1 || kind == 2) H5Pset_deflate(list, 1);
  if (kind == 3) H5Pset_virtual(list, space, ".", "filtered", space);
  set = H5Dcreate2(file, names[kind], H5T_NATIVE_INT, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

static int multi(int writes, size_t count, hid_t* sets, hid_t* spaces, int data[][ALL]) {
  hid_t types[6], memory[6];
  const void* from[6];
  void* into[6];
  size_t i;
  for (i = 0; i < count; ++i) types[i] = H5T_NATIVE_INT, memory[i] = spaces[i], from[i] = into[i] = data[i];
  if (writes) return H5Dwrite_multi(count, sets, types, memory, spaces, NONE, from) >= 0;
  return H5Dread_multi(count, sets, types, memory, spaces, NONE, into) >= 0;
}

/* A quarter of the rows, which are complete chunks. */
static hid_t quarter(int number) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, start[2] = {4 * (hsize_t)number, 0}, count[2] = {4, COLUMNS};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  return space;
}

static void several_kinds(int form) {
  const hid_t file = create_file(form, 0);
  hid_t sets[6], spaces[6], pair[2];
  int data[6][ALL], back[6][ALL], i, right = 1;
  for (i = 0; i < 5; ++i) sets[i] = create_kind(file, i), spaces[i] = H5S_ALL, fill(data[i], 100 * i);
  warm_up(file);
  H5Dclose(sets[3]);
  sets[3] = sets[4];
  reset();
  CHECK("1, footnote 5", "filtered and sparse datasets are written in the same request",
        multi(1, 4, sets, spaces, data) && requests(0, form == VECTOR, form == SELECTION));
  sets[3] = H5Dopen2(file, "virtual", NONE);
  memset(back, 0, sizeof back);
  reset();
  CHECK("1, footnote 5", "filtered, sparse and virtual datasets are read in the same request",
        multi(0, 5, sets, spaces, back) && requests(0, form == VECTOR, form == SELECTION));
  for (i = 0; i < 3; ++i) right = right && memcmp(data[i], back[i], sizeof data[i]) == 0;
  CHECK("1, footnote 5", "they have their elements",
        right && memcmp(data[1], back[3], sizeof data[1]) == 0 &&
            memcmp(data[3], back[4], sizeof data[3]) == 0);
  for (i = 0; i < 4; ++i) spaces[i] = stripes();
  reset();
  CHECK("2.1", "parts of filtered chunks are merged in the cache; chunks for that are read by one request",
        multi(1, 3, sets, spaces, data) && requests(0, form == VECTOR ? 2 : 0, form == SELECTION ? 2 : 0));
  for (i = 0; i < 4; ++i) H5Sclose(spaces[i]), spaces[i] = quarter(i);
  for (i = 0; i < 4; ++i) {
    pair[0] = pair[1] = sets[i == 3 ? 4 : i];
    fill(data[0], 7 * i), fill(data[1], 8 * i);
    reset();
    CHECK("1, footnote 5", "different chunks of a dataset that is listed twice are one request",
          multi(1, 2, pair, spaces, data) && requests(0, form == VECTOR, form == SELECTION) &&
              H5Dread(pair[0], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got) >= 0 && got[0] == 7 * i &&
              got[4 * COLUMNS] == 8 * i + 4 * COLUMNS);
  }
  for (i = 0; i < 4; ++i) H5Sclose(spaces[i]);
  for (i = 0; i < 5; ++i) H5Dclose(sets[i]);
  H5Fclose(file);
}

/* A virtual dataset whose upper half is in `upper`, and whose lower half is in `lower`. A third mapping, of
 * the middle, overlaps with both. */
static hid_t create_view(hid_t file, const char* name, const char* upper, const char* lower,
                         const char* middle) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, half[2] = {ROWS / 2, COLUMNS};
  const hsize_t starts[3][2] = {{0, 0}, {ROWS / 2, 0}, {ROWS / 4, 0}};
  const char* const sources[3] = {upper, lower, middle};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  int i;
  for (i = 0; i < 3; ++i) {
    if (sources[i] == NULL) continue;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, starts[i], NULL, half, NULL);
    H5Pset_virtual(list, space, ".", sources[i], space);
  }
  set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

static int is_twice(int form) { return requests(0, form == VECTOR ? 2 : 0, form == SELECTION ? 2 : 0); }

static void several_views(int form) {
  const hid_t file = create_file(form, 0);
  const hid_t flat = create(file, "flat", H5T_NATIVE_INT, 0, 0),
              chunked = create(file, "in", H5T_NATIVE_INT, 1, 0),
              filtered = create(file, "filtered", H5T_NATIVE_INT, 1, 1);
  const hid_t view = create_view(file, "view", "flat", "in", NULL),
              outer = create_view(file, "outer", "view", "filtered", NULL),
              overlap = create_view(file, "overlap", "flat", "in", "filtered"),
              gap = create_view(file, "gap", "flat", NULL, NULL);
  hid_t sets[3], spaces[3] = {H5S_ALL, H5S_ALL, H5S_ALL};
  int data[3][ALL], back[3][ALL], i, right;
  warm_up(file);
  for (i = 0; i < 3; ++i) fill(data[i], 1000 * i);
  sets[0] = view, sets[1] = filtered;
  reset();
  CHECK("1, footnote 5", "a virtual dataset is written in the same request as others",
        multi(1, 2, sets, spaces, data) && is_once(form) && read_equals(view, data[0]) &&
            read_equals(filtered, data[1]));
  reset();
  CHECK("1, footnote 5", "the sources of one virtual dataset are one request",
        multi(1, 1, sets, spaces, data + 2) && is_once(form) && read_equals(view, data[2]));
  sets[0] = outer;
  reset();
  CHECK("1, footnote 5", "so are those of a virtual source",
        multi(1, 1, sets, spaces, data) && memory_selections + memory_vectors <= 2 &&
            read_equals(outer, data[0]));
  sets[0] = flat, sets[1] = view, sets[2] = chunked;
  reset();
  right = multi(1, 3, sets, spaces, data) && is_once(form) && read_equals(chunked, data[2]) &&
          H5Dread(flat, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got) >= 0;
  CHECK("1, footnote 5", "a virtual dataset and its sources are written as if in their order",
        right && memcmp(got, data[1], ALL / 2 * sizeof(int)) == 0 &&
            memcmp(got + ALL / 2, data[0] + ALL / 2, ALL / 2 * sizeof(int)) == 0);
  H5Dwrite(flat, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, data[0]);
  H5Dwrite(filtered, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, data[1]);
  H5Dread(overlap, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got);
  sets[0] = overlap, sets[1] = flat;
  reset();
  CHECK("1, footnote 5", "of overlapping mappings the last one counts, and they are one request",
        multi(0, 2, sets, spaces, back) && is_once(form) && memcmp(got, back[0], sizeof got) == 0 &&
            got[ALL / 4] == data[1][ALL / 4] && got[ALL / 4 - 1] != data[1][ALL / 4 - 1]);
  sets[0] = flat, sets[1] = gap;
  reset();
  H5E_BEGIN_TRY { right = !multi(1, 2, sets, spaces, data); }
  H5E_END_TRY
  CHECK("1, footnote 5", "if an element of a virtual dataset has no source, nothing is written",
        right && requests(0, 0, 0));
  H5Dclose(flat), H5Dclose(chunked), H5Dclose(filtered), H5Dclose(view), H5Dclose(outer);
  H5Dclose(overlap), H5Dclose(gap), H5Fclose(file);
}

typedef struct {
  int x, y;
} pair_t;

static hid_t pair_type(int with_x, int with_y) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(pair_t));
  if (with_x) H5Tinsert(type, "x", HOFFSET(pair_t, x), H5T_NATIVE_INT);
  if (with_y) H5Tinsert(type, "y", HOFFSET(pair_t, y), H5T_NATIVE_INT);
  return type;
}

static int has_pairs(hid_t set, hid_t both, int x, int y) {
  pair_t pairs[ALL];
  int i, right = H5Dread(set, both, H5S_ALL, H5S_ALL, NONE, pairs) >= 0;
  for (i = 0; i < ALL; ++i) right = right && pairs[i].x == x + i && pairs[i].y == y + i;
  return right;
}

/* Some members of compounds, beside others. */
static void several_members(int form) {
  const hid_t file = create_file(form, 0), both = pair_type(1, 1), x = pair_type(1, 0), y = pair_type(0, 1);
  const hid_t a = create(file, "a", both, 0, 0), b = create(file, "b", both, 0, 0),
              plain = create(file, "plain", H5T_NATIVE_INT, 0, 0);
  hid_t sets[3], types[3], spaces[3] = {H5S_ALL, H5S_ALL, H5S_ALL};
  const void* from[3];
  pair_t first[ALL], second[ALL];
  int i;
  for (i = 0; i < ALL; ++i)
    first[i].x = i, first[i].y = 1000 + i, second[i].x = 2000 + i, second[i].y = 3000 + i;
  fill(values, 5);
  warm_up(file);
  H5Dwrite(a, both, H5S_ALL, H5S_ALL, NONE, first), H5Dwrite(b, both, H5S_ALL, H5S_ALL, NONE, first);
  H5Dwrite(plain, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  sets[0] = a, sets[1] = b, sets[2] = plain, types[0] = x, types[1] = y, types[2] = H5T_NATIVE_INT;
  from[0] = from[1] = second, from[2] = values;
  reset();
  CHECK("1, footnote 5",
        "some members of contiguous compounds: one request reads, and one writes all datasets",
        H5Dwrite_multi(3, sets, types, spaces, spaces, NONE, from) >= 0 && is_twice(form) &&
            has_pairs(a, both, 2000, 1000) && has_pairs(b, both, 0, 3000) && read_equals(plain, values));
  sets[1] = a, types[0] = y, types[1] = x, from[0] = first, from[1] = first;
  reset();
  CHECK("1, footnote 5", "two writes of members of one dataset are those requests, too",
        H5Dwrite_multi(2, sets, types, spaces, spaces, NONE, from) >= 0 && is_twice(form) &&
            has_pairs(a, both, 0, 1000));
  types[0] = both, types[1] = y, from[0] = second, from[1] = first;
  reset();
  CHECK("1, footnote 5", "their order is kept",
        H5Dwrite_multi(2, sets, types, spaces, spaces, NONE, from) >= 0 && is_twice(form) &&
            has_pairs(a, both, 2000, 1000));
  H5Dclose(a), H5Dclose(b), H5Dclose(plain), H5Tclose(both), H5Tclose(x), H5Tclose(y), H5Fclose(file);
}

static int has_texts(hid_t set, hid_t type, const char* const* wanted) {
  const hsize_t size = ALL;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  char* read[ALL];
  int i, right = H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, read) >= 0;
  for (i = 0; i < ALL; ++i) right = right && strcmp(read[i], wanted[i]) == 0;
  H5Dvlen_reclaim(type, space, NONE, read);
  H5Sclose(space);
  return right;
}

/* Contiguous texts of variable length. Their bytes are in the global heap, which is metadata. */
static void several_texts(int form) {
  const hid_t file = create_file(form, 0), type = H5Tcopy(H5T_C_S1);
  hid_t sets[3], types[3], spaces[3] = {H5S_ALL, H5S_ALL, H5S_ALL};
  const hid_t part = stripes();
  const char *first[ALL], *second[ALL], *mixed[ALL];
  const void* from[3];
  int i;
  H5Tset_size(type, H5T_VARIABLE);
  for (i = 0; i < ALL; ++i) {
    const int row = i / COLUMNS, column = i % COLUMNS;
    const int selected = row % 2 == 1 && row < 15 && column % 3 == 0 && column < 18;
    first[i] = "the first text", second[i] = "another", mixed[i] = selected ? second[i] : first[i];
  }
  sets[0] = create(file, "a", type, 0, 0), sets[1] = create(file, "b", type, 0, 0);
  sets[2] = create(file, "c", H5T_NATIVE_INT, 0, 0);
  types[0] = types[1] = type, types[2] = H5T_NATIVE_INT, from[0] = from[1] = first, from[2] = values;
  warm_up(file);
  reset();
  CHECK("1, footnote 5", "new texts of several datasets are written by one request",
        H5Dwrite_multi(3, sets, types, spaces, spaces, NONE, from) >= 0 && is_once(form) &&
            has_texts(sets[0], type, first) && has_texts(sets[1], type, first));
  from[0] = from[1] = second, spaces[0] = spaces[1] = part;
  reset();
  CHECK("1, footnote 5",
        "texts that replace others: one request reads the old ones, another writes the new ones",
        H5Dwrite_multi(3, sets, types, spaces, spaces, NONE, from) >= 0 && is_twice(form) &&
            has_texts(sets[0], type, mixed) && has_texts(sets[1], type, mixed));
  H5Dclose(sets[1]);
  from[0] = first, sets[1] = sets[0], spaces[0] = H5S_ALL;
  reset();
  CHECK("1, footnote 5", "so are texts of a dataset that is listed twice, in their order",
        H5Dwrite_multi(2, sets, types, spaces, spaces, NONE, from) >= 0 && is_twice(form) &&
            has_texts(sets[0], type, mixed));
  H5Dclose(sets[0]), H5Dclose(sets[2]), H5Tclose(type), H5Sclose(part), H5Fclose(file);
}

/* Two datasets of 40 MB: the elements of one of them fit into the memory of a request. */
static void much_merged(void) {
  const hsize_t size = 5000, thousand = 1000;
  const hid_t file = create_file(SELECTION, 0), space = H5Screate_simple(1, &size, NULL),
              array = H5Tarray_create2(H5T_NATIVE_INT, 1, &thousand), both = H5Tcreate(H5T_COMPOUND, 8000),
              y = H5Tcreate(H5T_COMPOUND, 8000);
  const size_t numbers = size * 2 * thousand;
  int *from = (int*)malloc(numbers * sizeof(int)), *into = (int*)malloc(numbers * sizeof(int)), right = 1, i;
  hid_t sets[3], types[3], spaces[3] = {H5S_ALL, H5S_ALL, H5S_ALL};
  const void* buffers[3];
  size_t j;
  H5Tinsert(both, "x", 0, array), H5Tinsert(both, "y", 4000, array), H5Tinsert(y, "y", 4000, array);
  sets[0] = H5Dcreate2(file, "a", both, space, NONE, NONE, NONE);
  sets[1] = sets[2] = H5Dcreate2(file, "b", both, space, NONE, NONE, NONE);
  types[0] = types[2] = y, types[1] = both, buffers[0] = buffers[1] = buffers[2] = from;
  for (j = 0; j < numbers; ++j) from[j] = (int)(j * 7);
  H5Dwrite(sets[0], both, H5S_ALL, H5S_ALL, NONE, from),
      H5Dwrite(sets[1], both, H5S_ALL, H5S_ALL, NONE, from);
  for (j = 0; j < numbers; ++j) from[j] = (int)(j * 9);
  reset();
  right = H5Dwrite_multi(3, sets, types, spaces, spaces, NONE, buffers) >= 0;
  CHECK("1, footnote 5", "elements that would take too much memory have requests of their own",
        right && memory_selections > 2);
  for (i = 0; i < 2; ++i) {
    right = right && H5Dread(sets[i], both, H5S_ALL, H5S_ALL, NONE, into) >= 0;
    for (j = 0; j < numbers; ++j)
      right = right && into[j] == (int)(j * (i == 0 && j % (2 * thousand) < thousand ? 7 : 9));
  }
  CHECK("1, footnote 5", "they are written in their order, too", right);
  free(from), free(into);
  H5Dclose(sets[0]), H5Dclose(sets[1]), H5Tclose(both), H5Tclose(y), H5Tclose(array), H5Sclose(space);
  H5Fclose(file);
}

/* The same chunks, and the same elements, of a dataset that is listed several times. */
static void several_times(int form) {
  const hid_t file = create_file(form, 0);
  const hid_t flat = create(file, "flat", H5T_NATIVE_INT, 0, 0),
              chunked = create(file, "in", H5T_NATIVE_INT, 1, 0);
  const hsize_t dims[2] = {ROWS, COLUMNS}, start[2] = {2, 1}, count[2] = {9, 11};
  hid_t sets[3], spaces[3] = {H5S_ALL, H5S_ALL, H5S_ALL}, box = H5Screate_simple(2, dims, NULL),
                 part = stripes();
  int data[3][ALL], wanted[ALL], i, j;
  H5Sselect_hyperslab(box, H5S_SELECT_SET, start, NULL, count, NULL);
  warm_up(file);
  for (i = 0; i < 3; ++i) fill(data[i], 1000 * i);
  for (i = 0; i < ALL; ++i) {
    const int row = i / COLUMNS, column = i % COLUMNS;
    wanted[i] = i;
    if (row % 2 == 1 && row < 15 && column % 3 == 0 && column < 18) wanted[i] = 1000 + i;
    if (row >= 2 && row < 11 && column >= 1 && column < 12) wanted[i] = 2000 + i;
  }
  for (j = 0; j < 2; ++j) {
    sets[0] = sets[1] = sets[2] = j == 0 ? flat : chunked;
    spaces[0] = H5S_ALL;
    H5Dwrite(sets[0], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, data[1]);
    spaces[1] = part, spaces[2] = box;
    reset();
    CHECK("1, footnote 5", "writes of the same elements are one request, and the last one counts",
          multi(1, 3, sets, spaces, data) && is_once(form) && read_equals(sets[0], wanted));
    spaces[0] = part, spaces[1] = box;
    reset();
    CHECK("1, footnote 5", "different elements of the same chunks are one request",
          multi(1, 2, sets, spaces, data) && is_once(form));
  }
  H5Sclose(part), H5Sclose(box), H5Dclose(flat), H5Dclose(chunked), H5Fclose(file);
}

/* Selections with too many runs to find their common elements. */
static void many_runs(void) {
  const hsize_t size = 1 << 22, start = 0, stride = 2, count = 1 << 21;
  const hid_t file = create_file(SELECTION, 0), space = H5Screate_simple(1, &size, NULL),
              packed = H5Screate_simple(1, &count, NULL);
  const hid_t set = H5Dcreate2(file, "set", H5T_NATIVE_UCHAR, space, NONE, NONE, NONE);
  const hid_t sets[2] = {set, set}, types[2] = {H5T_NATIVE_UCHAR, H5T_NATIVE_UCHAR};
  hid_t memory[2] = {H5S_ALL, packed}, spaces[2] = {H5S_ALL, space};
  unsigned char *all = (unsigned char*)malloc(size), *some = (unsigned char*)malloc(count);
  const void* from[2] = {all, some};
  int right;
  hsize_t i;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL);
  memset(all, 1, size), memset(some, 2, count);
  right = H5Dwrite_multi(2, (hid_t*)sets, (hid_t*)types, memory, spaces, NONE, from) >= 0 &&
          H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, NONE, all) >= 0;
  for (i = 0; i < size; ++i) right = right && all[i] == (i % 2 == 0 ? 2 : 1);
  CHECK("1, footnote 5", "selections of very many runs are written in their order", right);
  free(all), free(some);
  H5Dclose(set), H5Sclose(space), H5Sclose(packed), H5Fclose(file);
}

int main(void) {
  several(SELECTION, 0), several(SELECTION, 1);
  several(VECTOR, 0), several(VECTOR, 1);
  several_kinds(SELECTION), several_kinds(VECTOR);
  several_views(SELECTION), several_views(VECTOR);
  several_members(SELECTION), several_members(VECTOR);
  several_texts(SELECTION), several_texts(VECTOR);
  several_times(SELECTION), several_times(VECTOR);
  much_merged();
  many_runs();
  CHECK("2.4.1.2", "no call of a driver overlapped another one", memory_clashes == 0);
  return check_summary();
}
