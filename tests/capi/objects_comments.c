/* SPDX-License-Identifier: Apache-2.0 */
/* Comments in buffers of all sizes: one that fills its buffer has no NUL there. */
#include "show.h"

int main(void) {
  hid_t file, group;
  size_t size;
  quiet();
  file = new_file("objects_comments.h5");
  new_group(file, "g");
  CALL(H5Oset_comment_by_name(file, "g", "Foo!", NONE));
  group = H5Gopen2(file, "g", NONE);
  CALL(H5Oget_comment(group, NULL, 0));
  for (size = 0; size < 8; ++size) {
    char comment[9] = "zzzzzzzz";
    printf("-- %d bytes\n", (int)size);
    CALL(H5Oget_comment(group, comment, size));
    puts(comment);
    memset(comment, 'z', 8);
    CALL(H5Oget_comment_by_name(file, "g", comment, size, NONE));
    puts(comment);
    memset(comment, 'z', 8);
    CALL(H5Gget_comment(file, "g", size, comment));
    puts(comment);
  }
  H5Gclose(group);
  H5Fclose(file);
  return 0;
}
