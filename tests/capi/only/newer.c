/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that HDF5 1.10 lacks: I/O on several datasets, chunk iteration, tokens, selection iterators and
 * their patterns. */
#include "../show.h"

static int see_chunk(const hsize_t* offset, unsigned mask, haddr_t address, hsize_t size, void* data) {
  printf("  chunk at %d: mask %u, %d bytes, %s\n", (int)offset[0], mask, (int)size,
         address == HADDR_UNDEF ? "nowhere" : "in the file");
  return ++*(int*)data == 3 ? 7 : 0;
}

static hid_t make(hid_t file, const char* name, hsize_t chunk) {
  hsize_t dims[1] = {40};
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set;
  if (chunk > 0) H5Pset_chunk(list, 1, &chunk);
  if (chunk > 0) H5Pset_fletcher32(list);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  H5Pclose(list);
  H5Sclose(space);
  return set;
}

static void several(hid_t file) {
  int first[40], second[40], i, a[40], b[40], seen = 0, never = -100;
  hsize_t at = 10, bytes = 0;
  hid_t sets[2], types[2] = {H5T_NATIVE_INT, H5T_NATIVE_INT}, all[2] = {H5S_ALL, H5S_ALL};
  const void* from[2] = {first, second};
  void* into[2] = {a, b};
  for (i = 0; i < 40; ++i) {
    first[i] = i;
    second[i] = 100 + i;
  }
  sets[0] = make(file, "chunked", 10);
  sets[1] = make(file, "plain", 0);
  CALL(H5Dwrite_multi(2, sets, types, all, all, NONE, from));
  CALL(H5Dread_multi(2, sets, types, all, all, NONE, into));
  printf("%s\n",
         memcmp(first, a, sizeof a) == 0 && memcmp(second, b, sizeof b) == 0 ? "both are read" : "wrong");
  CALL(H5Dread_multi(0, sets, types, all, all, NONE, into));
  CALL(H5Dread_multi(2, NULL, types, all, all, NONE, into));
  types[1] = -1;
  CALL(H5Dwrite_multi(2, sets, types, all, all, NONE, from));
  CALL(H5Dchunk_iter(sets[0], NONE, see_chunk, &seen));
  CALL(H5Dchunk_iter(sets[0], NONE, see_chunk, &never));
  CALL(H5Dchunk_iter(sets[0], NONE, NULL, &seen));
  CALL(H5Dchunk_iter(sets[1], NONE, see_chunk, &seen));
  CALL(H5Dnative_get_chunk_storage_size(sets[0], &at, &bytes));
  VALUE(bytes);
  CALL(H5Dnative_get_chunk_storage_size(sets[0], NULL, &bytes));
  H5Dclose(sets[0]);
  H5Dclose(sets[1]);
}

static void tokens(hid_t file) {
  H5O_info2_t one, other;
  H5O_token_t back;
  int order = 99;
  char* text = NULL;
  hid_t found;
  uint64_t flags = 0;
  char name[20] = "";
  CALL(H5Oget_info_by_name3(file, "chunked", &one, H5O_INFO_BASIC, NONE));
  CALL(H5Oget_info_by_name3(file, "plain", &other, H5O_INFO_BASIC, NONE));
  CALL(H5Otoken_cmp(file, &one.token, &one.token, &order));
  VALUE(order);
  CALL(H5Otoken_cmp(file, &one.token, &other.token, &order));
  VALUE(order != 0);
  CALL(H5Otoken_to_str(file, &one.token, &text));
  CALL(H5Otoken_from_str(file, text, &back));
  CALL(H5Otoken_cmp(file, &one.token, &back, &order));
  VALUE(order);
  H5free_memory(text);
  found = H5Oopen_by_token(file, one.token);
  CALL_ID(found);
  show_name(found);
  H5Oclose(found);
  CALL_ID(H5Oopen_by_token(file, H5O_TOKEN_UNDEF));
  found = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pget_vol_cap_flags(found, &flags));
  VALUE(flags != 0);
  H5Pclose(found);
  CALL(H5VLget_connector_name(file, name, sizeof name));
  puts(name);
}

/* Rows 1 and 4 of six, each from column 2 on in steps of 3. */
static hid_t two_rows(void) {
  const hsize_t dims[2] = {6, 10}, start[2] = {1, 2}, stride[2] = {3, 3}, count[2] = {2, 2};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  return space;
}

static void walk(hid_t iterator) {
  hsize_t offsets[3];
  size_t lengths[3], sequences = 1, elements, i;
  while (sequences > 0) {
    CALL(H5Ssel_iter_get_seq_list(iterator, 3, 100, &sequences, &elements, offsets, lengths));
    for (i = 0; i < sequences; ++i) printf("  %d bytes at %d\n", (int)lengths[i], (int)offsets[i]);
  }
}

/* Prints a pattern and its nested patterns. */
static void patterns(hid_t iterator, int depth) {
  H5S_sel_pattern_segment_t segment;
  hbool_t complete = 0;
  while (!complete) {
    if (H5Ssel_iter_get_pattern_segment(iterator, &segment, &complete) < 0) {
      puts("failed");
      return;
    }
    printf("%*sstart %d stride %d count %d block %d of %d bytes, %s, %s\n", 2 * depth, "", (int)segment.start,
           (int)segment.stride, (int)segment.count, (int)segment.block, (int)segment.sub_pattern_size,
           segment.sub_pattern_iter < 0 ? "whole" : "in parts", segment.udata == NULL ? "new" : "known");
    if (segment.sub_pattern_iter >= 0) {
      patterns(segment.sub_pattern_iter, depth + 1);
      H5Ssel_iter_close(segment.sub_pattern_iter);
    }
  }
}

static void iterators(void) {
  const hsize_t dims[1] = {20};
  H5S_sel_pattern_segment_t segment;
  hsize_t offset;
  size_t length, count;
  hid_t space = two_rows(), line = H5Screate_simple(1, dims, NULL), iterator;
  iterator = H5Ssel_iter_create(space, 4, 0);
  CALL_ID(iterator);
  walk(iterator);
  CALL(H5Ssel_iter_reset(iterator, space));
  walk(iterator);
  CALL(H5Ssel_iter_reset(iterator, line));
  walk(iterator);
  CALL(H5Ssel_iter_close(iterator));
  CALL(H5Ssel_iter_close(iterator));
  iterator = H5Ssel_iter_create(space, 4, 0);
  patterns(iterator, 0);
  CALL(H5Ssel_iter_pattern_cache_udata(iterator, &space));
  CALL(H5Ssel_iter_close(iterator));
  iterator = H5Ssel_iter_create(line, 4, 0);
  patterns(iterator, 0);
  CALL(H5Ssel_iter_close(iterator));
  CALL_ID(H5Ssel_iter_create(space, 0, 0));
  CALL_ID(H5Ssel_iter_create(line, 4, 99));
  CALL_ID(H5Ssel_iter_create(-1, 4, 0));
  CALL(H5Ssel_iter_get_seq_list(space, 1, 1, &count, &count, &offset, &length));
  CALL(H5Ssel_iter_get_pattern_segment(space, &segment, NULL));
  CALL(H5Ssel_iter_pattern_cache_udata(-1, NULL));
  H5Sclose(space);
  H5Sclose(line);
}

/* A property of HDF5 2.x. Only encoded lists without its default have it. */
static void spatial_tree(void) {
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS), other = H5Pcreate(H5P_FILE_ACCESS), copy;
  bool use = false;
  size_t usual = 0, changed = 0;
  unsigned char bytes[1000];
  CALL(H5Pget_virtual_spatial_tree(list, &use));
  VALUE(use);
  CALL(H5Pencode2(list, NULL, &usual, H5P_DEFAULT));
  CALL(H5Pset_virtual_spatial_tree(list, false));
  CALL(H5Pget_virtual_spatial_tree(list, &use));
  VALUE(use);
  CALL(H5Pequal(list, H5P_DATASET_ACCESS_DEFAULT));
  CALL(H5Pexist(list, "tree"));
  copy = H5Pcopy(list);
  CALL(H5Pequal(list, copy));
  CALL(H5Pclose(copy));
  CALL(H5Pencode2(list, NULL, &changed, H5P_DEFAULT));
  VALUE(changed - usual); /* name, NUL and value */
  CALL(H5Pencode2(list, bytes, &changed, H5P_DEFAULT));
  copy = H5Pdecode(bytes);
  CALL(H5Pequal(list, copy));
  CALL(H5Pclose(copy));
  bytes[changed - 2] = 1; /* as HDF5 2.x writes the default */
  copy = H5Pdecode(bytes);
  use = false;
  CALL(H5Pget_virtual_spatial_tree(copy, &use));
  VALUE(use);
  CALL(H5Pclose(copy));
  CALL(H5Pget_virtual_spatial_tree(H5P_DEFAULT, &use));
  CALL(H5Pget_virtual_spatial_tree(list, NULL));
  CALL(H5Pget_virtual_spatial_tree(other, &use));
  CALL(H5Pset_virtual_spatial_tree(other, true));
  CALL(H5Pset_virtual_spatial_tree(H5P_DEFAULT, true));
  CALL(H5Pset_virtual_spatial_tree(-1, true));
  CALL(H5Pclose(list));
  CALL(H5Pclose(other));
}

int main(void) {
  hid_t file;
  quiet();
  SHOW(H5check() >= 0);
  file = new_file("newer.h5");
  several(file);
  tokens(file);
  iterators();
  spatial_tree();
  CALL(H5Fclose(file));
  return 0;
}
