/* SPDX-License-Identifier: Apache-2.0
 *
 * User-defined error classes, codes and stacks: registered, pushed, walked, printed, copied and set. */
#include "show.h"

static herr_t see2(unsigned n, const H5E_error2_t* record, void* data) {
  char text[100] = "";
  H5E_type_t kind = (H5E_type_t)9;
  (void)data;
  H5Eget_msg(record->min_num, &kind, text, sizeof text);
  printf("  %u: %s %s:%u %s (%s, kind %d)\n", n, record->func_name, record->file_name, record->line,
         record->desc, text, (int)kind);
  return n == 5 ? 17 : 0;
}

static herr_t see1(int n, H5E_error1_t* record, void* data) {
  (void)data;
  printf("  %d: %s %s:%u %s\n", n, record->func_name, record->file_name, record->line, record->desc);
  return 0;
}

static void print_stack(hid_t stack) {
  char line[200];
  FILE* file = tmpfile();
  CALL(H5Eprint2(stack, file));
  rewind(file);
  while (fgets(line, sizeof line, file) != NULL) {
    char* thread = strstr(line, "thread"); /* the line number differs */
    if (thread != NULL) strcpy(thread, "thread\n");
    fputs(line, stdout);
  }
  fclose(file);
}

static void print_first_form(void) {
  char line[200];
  int lines = 0;
  FILE* file = tmpfile();
  H5Eclear2(H5E_DEFAULT);
  H5Epush1("old.c", "old_function", 12, H5E_ARGS, H5E_BADVALUE, "pushed in the first form");
  CALL(H5Eprint1(file));
  rewind(file);
  while (fgets(line, sizeof line, file) != NULL) {
    if (lines++ != 0) fputs(line, stdout);
  }
  fclose(file);
}

static void use_stacks(hid_t cls, hid_t major, hid_t minor) {
  hid_t stack = H5Ecreate_stack(), taken;
  char text[50] = "";
  CALL_ID(stack);
  CALL(H5Eget_num(stack));
  CALL(H5Epush2(stack, "a.c", "one", 1, cls, major, minor, "number %d", 1));
  CALL(H5Epush2(stack, "b.c", "two", 2, cls, major, minor, "word %s", "second"));
  CALL(H5Epush2(stack, NULL, NULL, 3, cls, major, minor, "third"));
  CALL(H5Eget_num(stack));
  CALL(H5Ewalk2(stack, H5E_WALK_UPWARD, see2, NULL));
  CALL(H5Ewalk2(stack, H5E_WALK_DOWNWARD, see2, NULL));
  print_stack(stack);
  CALL(H5Epop(stack, 1));
  CALL(H5Eget_num(stack));
  CALL(H5Epop(stack, 7));
  CALL(H5Eget_num(stack));
  CALL(H5Epush2(stack, "c.c", "again", 4, cls, major, minor, "given back"));
  CALL(H5Eset_current_stack(stack));
  CALL(H5Eget_num(H5E_DEFAULT));
  taken = H5Eget_current_stack();
  CALL(H5Eget_num(taken));
  CALL(H5Eget_num(H5E_DEFAULT));
  CALL(H5Eclear2(taken));
  CALL(H5Eget_num(taken));
  CALL(H5Eclose_stack(taken));
  SHOW_FAILURE(H5Eclose_stack(taken));
  H5Eclear2(H5E_DEFAULT);
  H5Epush2(H5E_DEFAULT, "d.c", "default", 5, cls, major, minor, "on the default stack");
  CALL(H5Ewalk1(H5E_WALK_UPWARD, see1, NULL));
  H5Epush2(H5E_DEFAULT, "d.c", "default", 5, cls, major, minor, "on the default stack");
  CALL(H5Eget_num(H5E_DEFAULT));
  CALL(H5Eclear1());
  CALL(H5Eget_num(H5E_DEFAULT));
  CALL(H5Eget_class_name(cls, text, sizeof text));
  puts(text);
  CALL(H5Eget_class_name(cls, text, 4));
  puts(text);
  CALL(H5Eget_class_name(cls, NULL, 0));
  TRY(H5Eget_class_name(major, text, sizeof text));
}

static void refuse(hid_t cls, hid_t major) {
  SHOW_FAILURE(H5Eregister_class(NULL, "lib", "1"));
  SHOW_FAILURE(H5Eregister_class("class", NULL, "1"));
  SHOW_FAILURE(H5Eregister_class("class", "lib", NULL));
  SHOW_FAILURE(H5Ecreate_msg(cls, (H5E_type_t)9, "text"));
  SHOW_FAILURE(H5Ecreate_msg(cls, H5E_MAJOR, NULL));
  SHOW_FAILURE(H5Ecreate_msg(major, H5E_MAJOR, "text"));
  SHOW_FAILURE(H5Eunregister_class(major));
  SHOW_FAILURE(H5Eclose_msg(cls));
}

int main(void) {
  char* text;
  hid_t cls, major, minor;
  quiet();
  cls = H5Eregister_class("Our class", "our library", "2.5");
  CALL_ID(cls);
  major = H5Ecreate_msg(cls, H5E_MAJOR, "Our major");
  minor = H5Ecreate_msg(cls, H5E_MINOR, "Our minor");
  CALL_ID(major);
  CALL_ID(minor);
  use_stacks(cls, major, minor);
  print_first_form();
  text = H5Eget_major(H5E_ARGS);
  puts(text);
  H5free_memory(text);
  text = H5Eget_minor(H5E_BADVALUE);
  puts(text);
  H5free_memory(text);
  refuse(cls, major);
  CALL(H5Eclose_msg(minor));
  TRY(H5Eclose_msg(minor));
  CALL(H5Eunregister_class(cls));
  TRY(H5Eunregister_class(cls));
  return 0;
}
