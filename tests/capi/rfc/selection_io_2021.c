/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC "Selection I/O" (2021), the driver layer: vectors, selections, their translation, patterns of
 * selections, and operations of drivers. The data set code is in selection_io_2021_datasets.c. */
#include "../memory_driver.h"
#include "check.h"

#define DRAW H5FD_MEM_DRAW
#define NONE H5P_DEFAULT

static hid_t driver_list(int vectors, int selections) {
  const H5FD_class_t cls = memory_class(vectors, selections);
  const hid_t driver = H5FDregister(&cls), fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(fapl, driver, NULL);
  H5FDunregister(driver);
  return fapl;
}

static H5FD_t* open_file(const char* name, hid_t fapl) {
  H5FD_t* file = H5FDopen(name, H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC, fapl, HADDR_UNDEF);
  H5FDset_eoa(file, H5FD_MEM_DEFAULT, 4096);
  return file;
}

static hid_t slab(hsize_t size, hsize_t start, hsize_t stride, hsize_t count, hsize_t block) {
  const hid_t space = H5Screate_simple(1, &size, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &block);
  return space;
}

static void reset(void) { memory_reads = memory_vectors = memory_selections = memory_pieces = 0; }

static int fails(herr_t result) { return result < 0; }

static void vectors(H5FD_t* f) {
  H5FD_mem_t types[3] = {DRAW, H5FD_MEM_OHDR, H5FD_MEM_BTREE}, one_type[2] = {DRAW, H5FD_MEM_NOLIST};
  H5FD_mem_t late_type[3] = {DRAW, DRAW, H5FD_MEM_NOLIST};
  haddr_t addrs[3] = {300, 10, 200};
  size_t sizes[3] = {2, 3, 4}, one_size[2] = {2, 0}, late_size[3] = {2, 2, 0};
  const void* from[3] = {"ab", "cde", "fghi"};
  char a[8] = "", b[8] = "", c[8] = "";
  void* into[3] = {a, b, c};
  herr_t late;
  reset();
  CHECK("1", "a vector call writes ranges of several types at any addresses",
        H5FDwrite_vector(f, NONE, 3, types, addrs, sizes, from) >= 0 && memory_vectors == 1);
  CHECK("1", "a vector call reads them back",
        H5FDread_vector(f, NONE, 3, types, addrs, sizes, into) >= 0 && strcmp(a, "ab") == 0 &&
            strcmp(b, "cde") == 0 && strcmp(c, "fghi") == 0 && memory_vectors == 2);
  memset(a, 0, 8), memset(b, 0, 8), memset(c, 0, 8);
  CHECK("1", "a size of zero at index 1 gives all ranges the first size",
        H5FDread_vector(f, NONE, 3, types, addrs, one_size, into) >= 0 && strcmp(b, "cd") == 0 &&
            strcmp(c, "fg") == 0);
  CHECK("1", "H5FD_MEM_NOLIST at index 1 gives all ranges the first type",
        H5FDread_vector(f, NONE, 3, one_type, addrs, sizes, into) >= 0);
  H5E_BEGIN_TRY { late = H5FDread_vector(f, NONE, 3, types, addrs, late_size, into); }
  H5E_END_TRY
  CHECK("1, footnote 1", "a size of zero after index 1 is no shorthand", fails(late));
  H5E_BEGIN_TRY { late = H5FDread_vector(f, NONE, 3, late_type, addrs, sizes, into); }
  H5E_END_TRY
  CHECK("1, footnote 1", "H5FD_MEM_NOLIST after index 1 is no shorthand", fails(late));
}

static void selections(H5FD_t* f) {
  hid_t file[2], memory[2];
  haddr_t offsets[2] = {1000, 2000};
  size_t elements[2] = {2, 1};
  char from[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", into[27] = "", other[27] = "";
  const void *sources[2] = {from, from}, *same[2] = {from, NULL};
  void* targets[2] = {into, other};
  const void* late[3] = {from, from, NULL};
  hid_t files[3], memories[3];
  size_t bytes[3] = {1, 1, 1};
  herr_t result;
  file[0] = slab(20, 1, 4, 3, 1), memory[0] = slab(10, 0, 2, 3, 1);
  file[1] = slab(50, 5, 10, 2, 3), memory[1] = slab(20, 3, 1, 6, 1);
  reset();
  CHECK("1", "a selection call takes vectors of selections of file and memory",
        H5FDwrite_selection(f, DRAW, NONE, 2, memory, file, offsets, elements, sources) >= 0 &&
            memory_selections == 1 && memory_pieces == 2);
  CHECK("1", "a selection call reads them back",
        H5FDread_selection(f, DRAW, NONE, 2, memory, file, offsets, elements, targets) >= 0 &&
            memcmp(into, "AB\0\0EF\0\0IJ", 10) == 0 && memcmp(other + 3, "DEFGHI", 6) == 0);
  CHECK("1", "each offset is added to the positions of the elements in its file space",
        H5FDread(f, DRAW, NONE, 1000 + 2 * 5, 2, into) >= 0 && memcmp(into, "EF", 2) == 0 &&
            H5FDread(f, DRAW, NONE, 2015, 3, into) >= 0 && memcmp(into, "GHI", 3) == 0);
  CHECK("1", "without offsets all of them are zero",
        H5FDwrite_selection(f, DRAW, NONE, 1, memory, file, NULL, elements, sources) >= 0 &&
            H5FDread(f, DRAW, NONE, 10, 2, into) >= 0 && memcmp(into, "EF", 2) == 0);
  CHECK("1", "elements may have different sizes, which scale positions in file and memory",
        H5FDread(f, DRAW, NONE, 1000 + 2 * 9, 2, into) >= 0 && memcmp(into, "IJ", 2) == 0);
  CHECK("1", "a buffer of NULL at index 1 means that all buffers are the first one",
        H5FDwrite_selection(f, DRAW, NONE, 2, memory, file, offsets, elements, same) >= 0 &&
            H5FDread(f, DRAW, NONE, 2005, 3, into) >= 0 && memcmp(into, "DEF", 3) == 0);
  files[0] = files[1] = files[2] = file[1], memories[0] = memories[1] = memories[2] = memory[1];
  H5E_BEGIN_TRY { result = H5FDwrite_selection(f, DRAW, NONE, 3, memories, files, NULL, bytes, late); }
  H5E_END_TRY
  CHECK("1", "a buffer of NULL after index 1 is no shorthand", fails(result));
  H5Sclose(file[0]), H5Sclose(file[1]), H5Sclose(memory[0]), H5Sclose(memory[1]);
}

/* Both forms through drivers with fewer functions. */
static void translation(void) {
  hid_t lists[3], space = slab(100, 0, 10, 5, 2), memory = slab(10, 0, 1, 10, 1);
  H5FD_mem_t type[2] = {DRAW, H5FD_MEM_NOLIST};
  haddr_t addrs[4] = {1, 20, 40, 60}, at = 500;
  size_t sizes[2] = {1, 0}, element = 1;
  char text[] = "0123456789", into[11] = "";
  const void *bytes[4] = {text, text, text, text}, *from = text;
  void* to = into;
  int i;
  H5FD_t* f[3];
  for (i = 0; i < 3; ++i) {
    const char name[2] = {(char)('a' + i), '\0'};
    lists[i] = driver_list(i == 1, i == 2);
    f[i] = open_file(name, lists[i]);
  }
  reset();
  CHECK("2.4.1.3", "without vector I/O a vector becomes one call per range",
        H5FDwrite_vector(f[0], NONE, 4, type, addrs, sizes, bytes) >= 0 && memory_reads == 4);
  CHECK("2.4.1.3", "vector I/O is not turned into selections",
        H5FDwrite_vector(f[2], NONE, 4, type, addrs, sizes, bytes) >= 0 && memory_selections == 0);
  reset();
  CHECK("2.4.1.3", "without selection and vector I/O a selection becomes single calls",
        H5FDwrite_selection(f[0], DRAW, NONE, 1, &memory, &space, &at, &element, &from) >= 0 &&
            memory_reads == 5 && memory_vectors == 0);
  reset();
  CHECK("2.4.1.3", "with vector I/O only a selection becomes a vector call",
        H5FDwrite_selection(f[1], DRAW, NONE, 1, &memory, &space, &at, &element, &from) >= 0 &&
            memory_reads == 0 && memory_vectors == 1);
  reset();
  CHECK("2.4.1.3", "a driver with selection I/O gets the call as it is",
        H5FDwrite_selection(f[2], DRAW, NONE, 1, &memory, &space, &at, &element, &from) >= 0 &&
            memory_selections == 1 && memory_vectors == 0 && memory_reads == 0);
  for (i = 0; i < 3; ++i) {
    memset(into, 0, sizeof into);
    CHECK("2.4.1.3", "the translated call transfers the same bytes",
          H5FDread_selection(f[i], DRAW, NONE, 1, &memory, &space, &at, &element, &to) >= 0 &&
              memcmp(into, text, 10) == 0);
    H5FDclose(f[i]);
    H5Pclose(lists[i]);
  }
  H5Sclose(space), H5Sclose(memory);
}

static int is_segment(const H5S_sel_pattern_segment_t* s, hsize_t start, hsize_t stride, hsize_t count,
                      hsize_t block, hsize_t size) {
  return s->start == start && s->stride == stride && s->count == count && s->block == block &&
         s->sub_pattern_size == size;
}

/* The selection of the RFC's example: row 1, six elements of row 2, and twice three elements of rows 4 and 5.
 */
static hid_t example(void) {
  const hsize_t dims[2] = {6, 10}, start[4][2] = {{1, 0}, {2, 0}, {4, 0}, {4, 5}};
  const hsize_t block[4][2] = {{1, 10}, {1, 6}, {2, 3}, {2, 3}}, one[2] = {1, 1};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  int i;
  for (i = 0; i < 4; ++i)
    H5Sselect_hyperslab(space, i == 0 ? H5S_SELECT_SET : H5S_SELECT_OR, start[i], NULL, one, block[i]);
  return space;
}

static void patterns(void) {
  const hsize_t dims[2] = {6, 10}, start[2] = {1, 2}, stride[2] = {2, 3}, count[2] = {2, 2},
                block[2] = {1, 2};
  const hid_t space = example(), iterator = H5Ssel_iter_create(space, 4, 0);
  hid_t regular = H5Screate_simple(2, dims, NULL), other, sub;
  H5S_sel_pattern_segment_t s, below;
  hbool_t complete = 1, inner = 1;
  int mark;
  H5Ssel_iter_get_pattern_segment(iterator, &s, &complete);
  CHECK("2.4.2.1", "the first segment is row 1: a solid block at 1 x 40 bytes",
        is_segment(&s, 1, 1, 1, 1, 40) && s.sub_pattern_iter == H5I_INVALID_HID && s.udata == NULL &&
            !complete);
  H5Ssel_iter_get_pattern_segment(iterator, &s, &complete);
  sub = s.sub_pattern_iter;
  CHECK("2.4.2.1", "the second segment is row 2, with a sub-pattern",
        is_segment(&s, 2, 1, 1, 1, 40) && sub >= 0);
  H5Ssel_iter_get_pattern_segment(sub, &below, &inner);
  CHECK("2.4.2.1", "its sub-pattern is a block of 6 elements of 4 bytes, and complete",
        is_segment(&below, 0, 1, 1, 6, 4) && below.sub_pattern_iter == H5I_INVALID_HID && inner);
  H5Ssel_iter_close(sub);
  H5Ssel_iter_get_pattern_segment(iterator, &s, &complete);
  sub = s.sub_pattern_iter;
  CHECK("2.4.2.1", "the third segment is rows 4 and 5 together, and the last one",
        is_segment(&s, 4, 1, 1, 2, 40) && sub >= 0 && complete);
  H5Ssel_iter_get_pattern_segment(sub, &below, &inner);
  CHECK("2.4.2.1", "its first sub-pattern is 3 elements at the start",
        is_segment(&below, 0, 1, 1, 3, 4) && !inner);
  CHECK("2.4.2", "user data is NULL by default", below.udata == NULL);
  H5Ssel_iter_pattern_cache_udata(sub, &mark);
  H5Ssel_iter_get_pattern_segment(sub, &below, &inner);
  CHECK("2.4.2.1", "its second sub-pattern is 3 elements 20 bytes further",
        is_segment(&below, 5, 1, 1, 3, 4) && inner);
  CHECK("2.4.2.1", "user data comes back with an equal pattern", below.udata == &mark);
  H5Ssel_iter_close(sub);
  H5Ssel_iter_close(iterator);
  H5Sselect_hyperslab(regular, H5S_SELECT_SET, start, stride, count, block);
  other = H5Ssel_iter_create(regular, 4, 0);
  H5Ssel_iter_get_pattern_segment(other, &s, &complete);
  CHECK("2.4.2", "a regular hyperslab has one segment with stride and count",
        is_segment(&s, 1, 2, 2, 1, 40) && complete && s.sub_pattern_iter >= 0);
  H5Ssel_iter_get_pattern_segment(s.sub_pattern_iter, &below, &inner);
  CHECK("2.4.2", "and one segment on each level below", is_segment(&below, 2, 3, 2, 2, 4) && inner);
  H5Ssel_iter_close(s.sub_pattern_iter);
  H5Ssel_iter_close(other);
  H5Sselect_all(regular);
  other = H5Ssel_iter_create(regular, 4, 0);
  CHECK("2.4.2", "segments exist for selections that are no hyperslabs",
        H5Ssel_iter_get_pattern_segment(other, &s, &complete) >= 0 && s.count == 1 && complete);
  H5Ssel_iter_close(other);
  H5Sclose(space), H5Sclose(regular);
}

/* A sub-file is a selection of the bytes of the file. */
static void subfiles(void) {
  const hid_t file = slab(40, 0, 4, 10, 1), memory = slab(20, 5, 1, 10, 1), stripe = slab(40, 0, 20, 2, 10);
  const hid_t shifted = slab(40, 10, 20, 2, 10);
  const hssize_t back = -10;
  hid_t part = H5Sselect_intersect_block(file, (const hsize_t[]){0}, (const hsize_t[]){9}) > 0
                   ? H5Sselect_project_intersection(file, memory, stripe)
                   : -1;
  hsize_t blocks[8] = {0}, low = 0, high = 0;
  size_t bytes = 0;
  void* encoded;
  hid_t again;
  CHECK("2.4.3", "the elements of a sub-file project to those in memory",
        H5Sget_select_npoints(part) == 6 && H5Sget_select_hyper_blocklist(part, 0, 2, blocks) >= 0 &&
            blocks[0] == 5 && blocks[1] == 7 && blocks[2] == 10 && blocks[3] == 12);
  H5Sclose(part);
  H5Soffset_simple(shifted, &back);
  part = H5Sselect_project_intersection(file, memory, shifted);
  CHECK("2.4.3", "the projection honours the offset of a selection",
        H5Sget_select_npoints(part) == 6 && H5Sget_select_bounds(part, &low, &high) >= 0 && low == 5 &&
            high == 12);
  H5Sclose(part);
  CHECK("2.4.3", "bounds tell which sub-files a selection touches",
        H5Sget_select_bounds(file, &low, &high) >= 0 && low == 0 && high == 36);
  H5Sencode2(file, NULL, &bytes, NONE);
  encoded = malloc(bytes);
  CHECK("2.4.4", "a selection is serialised", H5Sencode2(file, encoded, &bytes, NONE) >= 0);
  again = H5Sdecode(encoded);
  CHECK("2.4.4", "and restored as the same regular hyperslab",
        H5Sis_regular_hyperslab(again) > 0 && H5Sget_select_npoints(again) == 10 &&
            H5Sselect_shape_same(file, again) > 0);
  CHECK("2.4.4", "its serialised form is small: no list of elements", bytes < 200);
  free(encoded);
  H5Sclose(again), H5Sclose(file), H5Sclose(memory), H5Sclose(stripe), H5Sclose(shifted);
}

static void operations(void) {
  const uint64_t fail = H5FD_CTL__FAIL_IF_UNKNOWN_FLAG, ignore = H5FD_CTL__IGNORE_IF_UNKNOWN_FLAG,
                 route = H5FD_CTL__ROUTE_TO_TERMINAL_VFD_FLAG;
  const hid_t fapl = driver_list(0, 0), plain = H5Pcreate(H5P_FILE_ACCESS);
  H5FD_t *f = open_file("ctl", fapl), *system = open_file("ctl.bin", plain);
  int input = 4, output = 0, i;
  void* result = &output;
  char byte = 1;
  herr_t known, unknown, late, begin, end;
  CHECK("2.5.1", "the codes for communicator, rank and size are different numbers",
        H5FD_CTL__GET_MPI_COMMUNICATOR != H5FD_CTL__GET_MPI_RANK &&
            H5FD_CTL__GET_MPI_RANK != H5FD_CTL__GET_MPI_SIZE);
  CHECK("2.5.1", "a known operation is processed: input and result are the caller's memory",
        H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 5, fail, &input, &result) >= 0 && output == 8);
  H5E_BEGIN_TRY {
    known = H5FDctl(system, H5FD_CTL__GET_MPI_RANK, fail, NULL, &result);
    unknown = H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 9, fail, NULL, &result);
    late = H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 9, fail | route, NULL, &result);
  }
  H5E_END_TRY
  CHECK("2.5.1", "a terminal driver fails for an unknown operation if it must",
        fails(known) && fails(unknown));
  CHECK("2.5.1", "routing ends at the terminal driver", fails(late));
  CHECK("2.5.1", "it ignores an unknown operation if it may",
        H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 9, ignore, NULL, &result) >= 0 &&
            H5FDctl(system, H5FD_CTL_OPC_EXPER_MIN + 9, ignore | route, NULL, &result) >= 0);
  for (i = 0; i < 2; ++i) {
    H5FD_t* const file = i == 0 ? f : system;
    begin = H5FDctl(file, H5FD_CTL__COBEGIN, ignore | route, NULL, NULL);
    H5FDwrite(file, DRAW, NONE, 100, 1, &byte);
    end = H5FDctl(file, H5FD_CTL__COEND, ignore | route, NULL, NULL);
    byte = 0;
    H5FDread(file, DRAW, NONE, 100, 1, &byte);
    CHECK("2.5.2", "calls between COBEGIN and COEND are complete after COEND, which succeeds",
          begin >= 0 && end >= 0 && byte == 1);
    H5FDctl(file, H5FD_CTL__COBEGIN, ignore | route, NULL, NULL);
    H5E_BEGIN_TRY {
      late = H5FDread(file, DRAW, NONE, 5000, 1, &byte);
      end = H5FDctl(file, H5FD_CTL__COEND, ignore | route, NULL, NULL);
    }
    H5E_END_TRY
    CHECK("2.5.2", "COEND fails if a call since COBEGIN has failed", fails(late) && fails(end));
    H5FDctl(file, H5FD_CTL__COBEGIN, ignore | route, NULL, NULL);
    CHECK("2.5.2", "the next section succeeds again",
          H5FDctl(file, H5FD_CTL__COEND, ignore | route, NULL, NULL) >= 0);
    H5FDclose(file);
  }
  remove("ctl.bin");
  H5Pclose(fapl), H5Pclose(plain);
}

int main(void) {
  const hid_t vector_list = driver_list(1, 0), selection_list = driver_list(0, 1);
  H5FD_t *with_vectors = open_file("v", vector_list), *with_selections = open_file("s", selection_list);
  vectors(with_vectors);
  selections(with_selections);
  H5FDclose(with_vectors), H5FDclose(with_selections);
  H5Pclose(vector_list), H5Pclose(selection_list);
  translation();
  patterns();
  subfiles();
  operations();
  return check_summary();
}
