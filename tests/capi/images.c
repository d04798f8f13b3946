/* SPDX-License-Identifier: Apache-2.0
 *
 * Files in memory that the program manages: which image callbacks are called, and with what. */
#include <hdf5_hl.h>
#include <unistd.h>

#include "show.h"

enum { INCREMENT = 4096, OPERATIONS = 8 };

static const char* const names[OPERATIONS] = {"none",  "set",  "copy",   "get",
                                              "close", "open", "resize", "file close"};
static int calls[4][OPERATIONS]; /* of malloc, memcpy, realloc and free */
static int fail_at = -1;         /* the operation whose calls fail */
static unsigned char* memory;    /* of the open file */
static size_t memory_bytes;
static int rounded = 1, passed_memory = 1, user_data = 1;
static int data_copies, data_frees;

static void note(int function, H5FD_file_image_op_t op, const void* data) {
  ++calls[function][op];
  if (*(const int*)data != 17) user_data = 0;
}

static void* image_malloc(size_t bytes, H5FD_file_image_op_t op, void* data) {
  void* made;
  note(0, op, data);
  if ((int)op == fail_at) return NULL;
  made = malloc(bytes);
  if (op == H5FD_FILE_IMAGE_OP_FILE_OPEN) {
    memory = made;
    memory_bytes = bytes;
  }
  return made;
}

static void* image_memcpy(void* to, const void* from, size_t bytes, H5FD_file_image_op_t op, void* data) {
  note(1, op, data);
  return memcpy(to, from, bytes);
}

static void* image_realloc(void* old, size_t bytes, H5FD_file_image_op_t op, void* data) {
  note(2, op, data);
  if (old != memory) passed_memory = 0;
  if (bytes % INCREMENT != 0) rounded = 0;
  memory = realloc(old, bytes);
  memory_bytes = bytes;
  return memory;
}

static herr_t image_free(void* old, H5FD_file_image_op_t op, void* data) {
  note(3, op, data);
  if (op == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
    if (old != memory) passed_memory = 0;
    memory = NULL;
  }
  free(old);
  return (int)op == fail_at ? -1 : 0;
}

static void* data_copy(void* data) {
  int* copy = malloc(sizeof *copy);
  *copy = *(int*)data;
  ++data_copies;
  return copy;
}

static herr_t data_free(void* data) {
  ++data_frees;
  free(data);
  return 0;
}

/* Of resizing only whether it happens: how often depends on when the library writes. */
static void report(const char* after) {
  static const char* const functions[4] = {"malloc", "memcpy", "realloc", "free"};
  int f, op;
  printf("after %s:", after);
  for (f = 0; f < 4; ++f)
    for (op = 0; op < OPERATIONS; ++op)
      if (calls[f][op] > 0) {
        if (f == 2)
          printf(" %s(%s)", functions[f], names[op]);
        else
          printf(" %dx %s(%s)", calls[f][op], functions[f], names[op]);
      }
  printf("; data copied %d, freed %d; %d %d %d\n", data_copies, data_frees, rounded, passed_memory,
         user_data);
  memset(calls, 0, sizeof calls);
  data_copies = data_frees = 0;
}

static hid_t new_list(int backing) {
  static int data = 17;
  H5FD_file_image_callbacks_t callbacks = {image_malloc, image_memcpy, image_realloc, image_free,
                                           data_copy,    data_free,    &data};
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(list, INCREMENT, backing);
  CALL(H5Pset_file_image_callbacks(list, &callbacks));
  return list;
}

static void new_numbers(hid_t file, const char* name, hsize_t count) {
  int* values = calloc(count, sizeof *values);
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, NONE, NONE);
  values[count - 1] = 5;
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  H5Sclose(space);
  free(values);
}

/* Creates a file in memory, and returns its image. */
static void* create(hid_t list, size_t* bytes) {
  void* image;
  void* handle = NULL;
  hid_t file = H5Fcreate("image.h5", H5F_ACC_TRUNC, NONE, list);
  new_group(file, "g");
  new_numbers(file, "d", 4);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  report("creation");
  VALUE(memory_bytes >= INCREMENT);
  show_bytes("signature", memory, 8);
  CALL(H5Fget_vfd_handle(file, NONE, &handle));
  VALUE(*(void**)handle == (void*)memory);
  *bytes = (size_t)H5Fget_file_image(file, NULL, 0);
  VALUE(*bytes <= memory_bytes);
  image = malloc(*bytes);
  CALL(H5Fget_file_image(file, image, *bytes) == (ssize_t)*bytes);
  H5Fclose(file);
  report("closing");
  VALUE(access("image.h5", F_OK));
  return image;
}

static void use_lists(hid_t list, void* image, size_t bytes) {
  H5FD_file_image_callbacks_t found;
  hid_t copy, file;
  void* taken = NULL;
  size_t taken_bytes = 0;
  CALL(H5Pset_file_image(list, image, bytes));
  report("setting");
  CALL(H5Pset_file_image(list, image, bytes));
  report("setting again");
  CALL(H5Pget_file_image(list, &taken, &taken_bytes));
  report("getting");
  VALUE(taken_bytes == bytes && memcmp(taken, image, bytes) == 0);
  free(taken);
  copy = H5Pcopy(list);
  report("copying");
  CALL(H5Pget_file_image_callbacks(copy, &found));
  report("getting the callbacks");
  data_free(found.udata);
  CALL(H5Pequal(list, copy)); /* the user data differ */
  CALL(H5Pset_libver_bounds(copy, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  CALL(H5Pset_file_image_callbacks(copy, &found));
  report("other changes");
  H5Pclose(copy);
  report("closing the copy");
  file = H5Fopen("unnamed.h5", H5F_ACC_RDWR, list);
  report("opening");
  VALUE(memory_bytes == bytes);
  new_numbers(file, "large", 50000);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  report("writing");
  VALUE(memory_bytes > 50000 * sizeof(int));
  copy = H5Fget_access_plist(file);
  CALL(H5Pget_file_image_callbacks(copy, &found));
  VALUE(found.image_malloc == NULL && found.udata == NULL);
  H5Pclose(copy);
  CALL(H5Ldelete(file, "large", NONE));
  H5Fclose(file);
  report("closing the file");
  file = H5Fcreate("unnamed.h5", H5F_ACC_TRUNC, NONE, list);
  CALL(H5Lexists(file, "g", NONE));
  H5Fclose(file);
  report("creating with an image");
  CALL(H5Pset_file_image(list, NULL, 0));
  report("removing");
}

/* Where HDF5 keeps the file on disk as well. */
static void back(void* image, size_t bytes) {
  hid_t list = new_list(1), file;
  H5Pset_file_image(list, image, bytes);
  file = H5Fopen("backed.h5", H5F_ACC_RDWR, list);
  new_group(file, "more");
  H5Fclose(file);
  rounded = 1; /* closing cuts the memory to the size of the file */
  report("closing a saved file");
  CALL_ID(H5Fopen("backed.h5", H5F_ACC_RDWR, list));
  H5Pset_file_image(list, NULL, 0);
  memset(calls, 0, sizeof calls);
  file = H5Fopen("backed.h5", H5F_ACC_RDWR, list);
  report("opening a saved file");
  CALL(H5Lexists(file, "more", NONE));
  new_group(file, "most");
  H5Fclose(file);
  rounded = 1;
  report("closing it");
  H5Pset_file_image(list, image, bytes);
  H5Pset_fapl_sec2(list);
  CALL_ID(H5Fopen("unnamed.h5", H5F_ACC_RDWR, list));
  CALL_ID(H5Fcreate("unnamed.h5", H5F_ACC_TRUNC, NONE, list));
  H5Pclose(list);
  report("closing the list");
}

/* HDF5 crashes at exit when freeing at file close fails. */
static void fail(void* image, size_t bytes) {
  for (fail_at = H5FD_FILE_IMAGE_OP_PROPERTY_LIST_SET; fail_at < H5FD_FILE_IMAGE_OP_FILE_CLOSE; ++fail_at) {
    hid_t list = new_list(0), copy, file;
    void* taken = NULL;
    size_t taken_bytes;
    printf("failure at %s\n", names[fail_at]);
    CALL(H5Pset_file_image(list, image, bytes));
    CALL(H5Pget_file_image(list, &taken, &taken_bytes));
    free(taken);
    copy = H5Pcopy(list);
    CALL_ID(copy);
    if (copy >= 0) H5Pclose(copy);
    file = H5Fopen("unnamed.h5", H5F_ACC_RDWR, list);
    CALL_ID(file);
    if (file >= 0) TRY(H5Fclose(file) < 0);
    TRY(H5Pclose(list));
  }
  fail_at = -1;
}

/* A file in the buffer of the program itself. */
static void open_in_place(const void* image, size_t bytes, unsigned flags) {
  int values[4] = {1, 2, 3, 4};
  void* buffer = malloc(bytes);
  hid_t file;
  memcpy(buffer, image, bytes);
  file = H5LTopen_file_image(buffer, bytes, flags);
  CALL_ID(file);
  CALL(H5LTread_dataset_int(file, "d", values));
  VALUE(values[3]);
  if (flags & H5LT_FILE_IMAGE_OPEN_RW) {
    hid_t set = H5Dopen2(file, "d", NONE);
    values[3] = 99;
    CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
    H5Dclose(set);
  }
  TRY(H5Fclose(file) < 0);
  if ((flags & H5LT_FILE_IMAGE_DONT_COPY) && !(flags & H5LT_FILE_IMAGE_DONT_RELEASE)) return;
  VALUE(memcmp(buffer, image, bytes) == 0);
  free(buffer);
}

int main(void) {
  size_t bytes = 0;
  void* image;
  hid_t list;
  quiet();
  list = new_list(0);
  report("the callbacks");
  image = create(list, &bytes);
  use_lists(list, image, bytes);
  H5Pclose(list);
  report("closing the list");
  back(image, bytes);
  fail(image, bytes);
  open_in_place(image, bytes, 0);
  open_in_place(image, bytes, H5LT_FILE_IMAGE_OPEN_RW);
  open_in_place(image, bytes, H5LT_FILE_IMAGE_DONT_COPY);
  open_in_place(image, bytes, H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_OPEN_RW);
  open_in_place(image, bytes, H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_DONT_RELEASE);
  free(image);
  return 0;
}
