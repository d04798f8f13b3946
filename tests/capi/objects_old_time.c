/* SPDX-License-Identifier: Apache-2.0 */
/* The modification time message of releases before 1.4: fourteen digits. The file is made by changing a
 * message of a new one. */
#include "show.h"

/* Turns the modification time message into the old one, which takes 8 bytes of the free space behind it. */
static void change_message(const char* name, const char* digits) {
  static const unsigned char head[] = {18, 0, 8, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  static unsigned char bytes[1 << 16];
  FILE* file = fopen(name, "r+b");
  size_t size = fread(bytes, 1, sizeof bytes, file), i;
  for (i = 0; i + 64 < size; i += 8) {
    unsigned char* message = bytes + i;
    unsigned char* free_space = message + 16;
    unsigned free_bytes = free_space[2] | free_space[3] << 8;
    if (memcmp(message, head, sizeof head) != 0 || free_space[0] != 0 || free_bytes < 8) continue;
    free_bytes -= 8;
    memset(free_space, 0, 16);
    message[0] = 14;
    message[2] = 16;
    memcpy(message + 8, digits, 14);
    free_space[8 + 2] = (unsigned char)free_bytes;
    free_space[8 + 3] = (unsigned char)(free_bytes >> 8);
    printf("message changed\n");
  }
  fseek(file, 0, SEEK_SET);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static void with_digits(const char* digits) {
  H5O_info1_t info;
  hid_t file = new_file("objects_old_time.hdf"), set;
  new_dataset(file, "d");
  H5Fclose(file);
  change_message("objects_old_time.hdf", digits);
  file = H5Fopen("objects_old_time.hdf", H5F_ACC_RDONLY, NONE);
  set = H5Dopen2(file, "d", NONE);
  CALL_ID(set);
  memset(&info, 0, sizeof info);
  CALL(H5Oget_info1(set, &info));
  VALUE(info.ctime);
  VALUE(info.mtime);
  VALUE(info.hdr.nmesgs);
  H5Dclose(set);
  H5Fclose(file);
}

int main(void) {
  setenv("TZ", "UTC", 1);
  quiet();
  with_digits("20010203040506");
  with_digits("19990101000000");
  with_digits("19991231235959");
  return 0;
}
