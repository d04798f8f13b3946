/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes in dense storage whose name index is out of order: iteration lists all of them. */
#include <stdint.h>
#include "show.h"

enum { count = 12, record_bytes = 17 };

static uint32_t rotated(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

/* The checksum of metadata blocks: Jenkins's lookup3. */
static uint32_t checksum(const unsigned char* bytes, size_t size) {
  uint32_t a = 0xdeadbeef + (uint32_t)size, b = a, c = a, word[3];
  size_t i;
  while (size > 12) {
    memcpy(word, bytes, 12);
    a += word[0], b += word[1], c += word[2];
    a -= c, a ^= rotated(c, 4), c += b;
    b -= a, b ^= rotated(a, 6), a += c;
    c -= b, c ^= rotated(b, 8), b += a;
    a -= c, a ^= rotated(c, 16), c += b;
    b -= a, b ^= rotated(a, 19), a += c;
    c -= b, c ^= rotated(b, 4), b += a;
    bytes += 12, size -= 12;
  }
  memset(word, 0, sizeof word);
  for (i = 0; i < size; ++i) ((unsigned char*)word)[i] = bytes[i];
  a += word[0], b += word[1], c += word[2];
  c ^= b, c -= rotated(b, 14);
  a ^= c, a -= rotated(c, 11);
  b ^= a, b -= rotated(a, 25);
  c ^= b, c -= rotated(b, 16);
  a ^= c, a -= rotated(c, 4);
  b ^= a, b -= rotated(a, 14);
  c ^= b, c -= rotated(b, 24);
  return c;
}

/* Reverses the records of the leaf of the name index. */
static void reverse_index(const char* name) {
  static unsigned char bytes[1 << 16];
  FILE* file = fopen(name, "r+b");
  size_t size = fread(bytes, 1, sizeof bytes, file), i;
  for (i = 0; i + 6 + count * record_bytes + 4 <= size; ++i) {
    unsigned char* records = bytes + i + 6;
    uint32_t sum;
    int k;
    if (memcmp(bytes + i, "BTLF\0\10", 6) != 0) continue;
    for (k = 0; k < count / 2; ++k) {
      unsigned char other[record_bytes];
      memcpy(other, records + k * record_bytes, record_bytes);
      memcpy(records + k * record_bytes, records + (count - 1 - k) * record_bytes, record_bytes);
      memcpy(records + (count - 1 - k) * record_bytes, other, record_bytes);
    }
    sum = checksum(bytes + i, 6 + count * record_bytes);
    memcpy(records + count * record_bytes, &sum, 4);
    printf("index reversed\n");
  }
  fseek(file, 0, SEEK_SET);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static herr_t on_attribute(hid_t object, const char* name, const H5A_info_t* info, void* data) {
  printf("  %s: %d bytes\n", name, (int)info->data_size);
  return 0;
}

int main(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, space = H5Screate(H5S_SCALAR), attribute;
  hsize_t position;
  H5O_info1_t info;
  char name[16];
  int i, value, found = 0;
  quiet();
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  file = H5Fcreate("attributes_unordered.hdf", H5F_ACC_TRUNC, NONE, access);
  for (i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "attribute %d", i);
    attribute = H5Acreate2(file, name, H5T_STD_I32LE, space, NONE, NONE);
    H5Awrite(attribute, H5T_NATIVE_INT, &i);
    H5Aclose(attribute);
  }
  H5Fclose(file);
  reverse_index("attributes_unordered.hdf");
  file = H5Fopen("attributes_unordered.hdf", H5F_ACC_RDONLY, NONE);
  CALL_ID(file);
  CALL(H5Oget_info1(file, &info));
  VALUE(info.num_attrs);
  position = 0;
  CALL(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, &position, on_attribute, NULL));
  position = 0;
  CALL(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_DEC, &position, on_attribute, NULL));
  for (i = 0; i < count; ++i) {
    value = -1;
    attribute = H5Aopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, NONE, NONE);
    H5Aget_name(attribute, sizeof name, name);
    H5Aread(attribute, H5T_NATIVE_INT, &value);
    printf("%s = %d\n", name, value);
    H5Aclose(attribute);
    snprintf(name, sizeof name, "attribute %d", i);
    found += H5Aexists(file, name) > 0;
  }
  printf("%s\n", found < count ? "some are not found by name" : "all are found by name");
  H5Fclose(file);
  H5Sclose(space);
  return 0;
}
