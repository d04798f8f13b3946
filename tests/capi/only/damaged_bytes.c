/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding of truncated and changed bytes and texts: the result is an object or an error, never a crash.
 * Other bytes follow, because the functions do not get the number of bytes. */
#include <hdf5_hl.h>

#include "show.h"

enum { capacity = 1 << 17 };

typedef hid_t (*Decode)(const void*);

static long decoded = 0, refused = 0;

static void feed(Decode decode, const unsigned char* bytes) {
  hid_t id = decode(bytes);
  if (id < 0) {
    ++refused;
    return;
  }
  ++decoded;
  H5Idec_ref(id);
}

/* The counts of blocks and points from `counts` on cannot be checked, so they stay unchanged. */
static void damage_around(const char* what, Decode decode, const void* encoded, size_t bytes, size_t counts) {
  const unsigned char fills[] = {0x00, 0xff, 0x41};
  const size_t counts_end = counts == 0 ? 0 : counts + 32;
  unsigned char* buffer = (unsigned char*)malloc(capacity);
  size_t i, f;
  decoded = refused = 0;
  for (f = 0; f < (counts == 0 ? sizeof fills : 1); ++f) {
    for (i = 0; i < bytes; ++i) {
      memset(buffer, fills[f], capacity);
      memcpy(buffer, encoded, i);
      feed(decode, buffer);
    }
  }
  memset(buffer, 0, capacity);
  for (i = 0; i < 8 * bytes; ++i) {
    if (i / 8 >= counts && i / 8 < counts_end) continue;
    memcpy(buffer, encoded, bytes);
    buffer[i / 8] ^= (unsigned char)(1u << i % 8);
    feed(decode, buffer);
  }
  memcpy(buffer, encoded, bytes);
  decoded = refused = 0;
  feed(decode, buffer);
  printf("%s: %ld after all\n", what, decoded);
  free(buffer);
}

static void damage(const char* what, Decode decode, const void* encoded, size_t bytes) {
  damage_around(what, decode, encoded, bytes, 0);
}

static void damage_types(void) {
  unsigned char bytes[2000];
  size_t count = sizeof bytes;
  const hsize_t dims[2] = {2, 3};
  int one = 1;
  hid_t type = H5Tcreate(H5T_COMPOUND, 200), base = H5Tenum_create(H5T_STD_I16BE), text = H5Tcopy(H5T_C_S1);
  H5Tenum_insert(base, "ONE", &one);
  H5Tset_size(text, H5T_VARIABLE);
  H5Tinsert(type, "enumeration", 0, base);
  H5Tinsert(type, "real", 8, H5T_IEEE_F64LE);
  H5Tinsert(type, "text", 16, text);
  H5Tinsert(type, "array", 32, H5Tarray_create2(H5T_STD_U8LE, 2, dims));
  H5Tinsert(type, "sequence", 64, H5Tvlen_create(H5T_STD_I32LE));
  H5Tinsert(type, "reference", 96, H5T_STD_REF_OBJ);
  CALL(H5Tencode(type, bytes, &count));
  count = 0;
  H5Tencode(type, NULL, &count);
  damage("datatypes", H5Tdecode, bytes, count);
}

static void damage_spaces(void) {
  unsigned char bytes[2000];
  size_t count;
  const hsize_t dims[2] = {30, 40}, start[2] = {1, 2}, stride[2] = {5, 6}, blocks[2] = {3, 4},
                block[2] = {2, 3};
  const hsize_t points[6] = {1, 2, 3, 4, 29, 39};
  const size_t selection = 7 + 4 + 4 + 2 * 2 * 8; /* its start, behind the extent */
  hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, blocks, block);
  count = sizeof bytes;
  H5Sencode1(space, bytes, &count);
  count = 0;
  H5Sencode1(space, NULL, &count);
  damage_around("hyperslabs", H5Sdecode, bytes, count, selection);
  H5Sselect_hyperslab(space, H5S_SELECT_XOR, start, NULL, block, NULL);
  count = sizeof bytes;
  H5Sencode1(space, bytes, &count);
  count = 0;
  H5Sencode1(space, NULL, &count);
  damage_around("sets", H5Sdecode, bytes, count, selection);
  H5Sselect_elements(space, H5S_SELECT_SET, 3, points);
  count = sizeof bytes;
  H5Sencode1(space, bytes, &count);
  count = 0;
  H5Sencode1(space, NULL, &count);
  damage_around("points", H5Sdecode, bytes, count, selection);
  H5Sclose(space);
}

static void damage_list(const char* what, hid_t list) {
  size_t count = 0;
  void* bytes;
  H5Pencode1(list, NULL, &count);
  bytes = malloc(count);
  H5Pencode1(list, bytes, &count);
  damage(what, H5Pdecode, bytes, count);
  free(bytes);
  H5Pclose(list);
}

static void damage_lists(void) {
  const hsize_t dims[2] = {10, 20};
  const double fill = 0.5;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
  H5Pset_chunk(list, 2, dims);
  H5Pset_deflate(list, 5);
  H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
  damage_list("chunked creation", list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, space, "source.h5", "/x", space);
  damage_list("virtual creation", list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "a.raw", 5, 1600);
  damage_list("external creation", list);
  list = H5Pcreate(H5P_OBJECT_COPY);
  H5Padd_merge_committed_dtype_path(list, "/a");
  damage_list("copies", list);
  damage_list("file creation", H5Pcreate(H5P_FILE_CREATE));
  damage_list("dataset access", H5Pcreate(H5P_DATASET_ACCESS));
  damage_list("group creation", H5Pcreate(H5P_GROUP_CREATE));
  H5Sclose(space);
}

static void damage_text(const char* text) {
  const char replacements[] = "{}[]();\"H5T_0 9-\\\n\x80";
  size_t length = strlen(text), i, r;
  char* copy = (char*)malloc(length + 1);
  for (i = 0; i < length; ++i) {
    hid_t type;
    memcpy(copy, text, i);
    copy[i] = '\0';
    type = H5LTtext_to_dtype(copy, H5LT_DDL);
    if (type >= 0) H5Tclose(type);
    for (r = 0; r < sizeof replacements; ++r) {
      strcpy(copy, text);
      copy[i] = replacements[r];
      type = H5LTtext_to_dtype(copy, H5LT_DDL);
      if (type >= 0) H5Tclose(type);
    }
  }
  CALL_ID(H5LTtext_to_dtype(text, H5LT_DDL));
  free(copy);
}

int main(void) {
  quiet();
  damage_types();
  damage_spaces();
  damage_lists();
  damage_text("H5T_COMPOUND { H5T_STD_I32BE \"a\" : 0; H5T_ARRAY { [2][3] H5T_IEEE_F32LE } \"b\" : 8; }");
  damage_text("H5T_ENUM { H5T_STD_I16LE; \"RED\" 0; \"GREEN\" 1; }");
  damage_text(
      "H5T_STRING { STRSIZE H5T_VARIABLE; STRPAD H5T_STR_NULLTERM; CSET H5T_CSET_UTF8; CTYPE H5T_C_S1; }");
  damage_text("H5T_VLEN { H5T_OPAQUE { OPQ_SIZE 19; OPQ_TAG \"tag\"; } }");
  return 0;
}
