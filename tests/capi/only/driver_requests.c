/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector I/O, selection I/O and ctl operations, through drivers with and without callbacks for them. */
#include "../memory_driver.h"
#include "../show.h"

#define NEW_FILE (H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC)

static void counted(const char* what) {
  printf("  %s: %d single, %d vectors, %d selections\n", what, memory_reads, memory_vectors,
         memory_selections);
  memory_reads = memory_vectors = memory_selections = 0;
}

static void vectors(H5FD_t* f) {
  H5FD_mem_t types[4] = {H5FD_MEM_DRAW, H5FD_MEM_OHDR, H5FD_MEM_BTREE, H5FD_MEM_SUPER};
  H5FD_mem_t one_type[2] = {H5FD_MEM_DRAW, H5FD_MEM_NOLIST};
  haddr_t addrs[4] = {100, 0, 50, 20};
  size_t sizes[4] = {4, 3, 2, 1}, one_size[2] = {2, 0}, ends_early[3] = {3, 2, 0};
  const void* from[4] = {"aaaa", "bbb", "cc", "d"};
  char a[5] = "", b[5] = "", c[5] = "", d[5] = "";
  void* into[4] = {a, b, c, d};
  SHOW(H5FDset_eoa(f, H5FD_MEM_DEFAULT, 200));
  SHOW(H5FDwrite_vector(f, H5P_DEFAULT, 4, types, addrs, sizes, from));
  counted("written");
  SHOW(H5FDread_vector(f, H5P_DEFAULT, 4, types, addrs, sizes, into));
  printf("%s %s %s %s\n", a, b, c, d);
  memset(a, 0, 5), memset(b, 0, 5), memset(c, 0, 5), memset(d, 0, 5);
  SHOW(H5FDread_vector(f, H5P_DEFAULT, 3, one_type, addrs, one_size, into));
  printf("%s %s %s\n", a, b, c);
  counted("read");
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, one_type, addrs, ends_early, into));
  types[2] = H5FD_MEM_NOLIST;
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, types, addrs, sizes, into));
  types[2] = H5FD_MEM_BTREE;
  SHOW(H5FDread_vector(f, H5P_DEFAULT, 0, NULL, NULL, NULL, NULL));
  SHOW_FAILURE(H5FDread_vector(NULL, H5P_DEFAULT, 4, types, addrs, sizes, into));
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, NULL, addrs, sizes, into));
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, types, NULL, sizes, into));
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, types, addrs, NULL, into));
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, types, addrs, sizes, NULL));
  SHOW_FAILURE(H5FDread_vector(f, H5T_NATIVE_INT, 4, types, addrs, sizes, into));
  SHOW_FAILURE(H5FDwrite_vector(f, H5P_DEFAULT, 2, one_type + 1, addrs, sizes, from));
  SHOW_FAILURE(H5FDwrite_vector(f, H5P_DEFAULT, 2, types, addrs, one_size + 1, from));
  addrs[1] = 199;
  SHOW_FAILURE(H5FDread_vector(f, H5P_DEFAULT, 4, types, addrs, sizes, into));
  counted("nothing");
}

static hid_t slab(hsize_t size, hsize_t start, hsize_t stride, hsize_t count, hsize_t block) {
  const hid_t space = H5Screate_simple(1, &size, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &block);
  return space;
}

static void selections(H5FD_t* f) {
  hid_t file[2], memory[2], fewer[2];
  haddr_t offsets[2] = {0, 100};
  size_t elements[2] = {2, 0};
  char from[41] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn", into[41], other[41];
  const void* sources[2] = {from, NULL};
  void* targets[2] = {into, NULL};
  file[0] = slab(50, 1, 5, 4, 1), memory[0] = slab(20, 0, 2, 4, 1);
  file[1] = slab(50, 0, 10, 2, 3), memory[1] = slab(20, 10, 1, 6, 1);
  fewer[0] = memory[1], fewer[1] = memory[1];
  SHOW(H5FDwrite_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, memory, file, offsets, elements, sources));
  counted("written");
#define READ(function)                                                                        \
  memset(into, '.', sizeof into);                                                             \
  into[40] = 0;                                                                               \
  SHOW(function(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, memory, file, offsets, elements, targets)); \
  printf("%s\n", into);                                                                       \
  counted("read")
  READ(H5FDread_selection);
  READ(H5FDread_vector_from_selection);
  READ(H5FDread_from_selection);
  memset(into, '.', sizeof into), memset(other, '.', sizeof other);
  targets[1] = other, elements[1] = 1, into[40] = other[40] = 0;
  SHOW(H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, memory, file, NULL, elements, targets));
  printf("%s %s\n", into, other);
  counted("read without offsets");
  SHOW(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, 100, 30, into));
  printf("%.6s %.6s\n", into, into + 20);
  SHOW(H5FDwrite_vector_from_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 1, memory, file, offsets, elements,
                                       sources));
  SHOW(H5FDwrite_from_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 1, memory, file, offsets, elements, sources));
  SHOW(H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0, NULL, NULL, NULL, NULL, NULL));
  SHOW_FAILURE(
      H5FDread_selection(NULL, H5FD_MEM_DRAW, H5P_DEFAULT, 2, memory, file, offsets, elements, targets));
  SHOW_FAILURE(H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, NULL, file, offsets, elements, targets));
  SHOW_FAILURE(H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, fewer, file, offsets, elements, targets));
  SHOW_FAILURE(H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, memory, file, offsets, elements, NULL));
  fewer[1] = H5T_NATIVE_INT, fewer[0] = memory[0];
  SHOW_FAILURE(H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, fewer, file, offsets, elements, targets));
  SHOW(H5FDset_eoa(f, H5FD_MEM_DEFAULT, 110));
  SHOW_FAILURE(
      H5FDread_selection(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2, memory, file, offsets, elements, targets));
  memory_reads = memory_vectors = memory_selections = 0;
  H5Sclose(file[0]), H5Sclose(file[1]), H5Sclose(memory[0]), H5Sclose(memory[1]);
}

static void operations(H5FD_t* f) {
  const uint64_t fail = H5FD_CTL_FAIL_IF_UNKNOWN_FLAG, route = H5FD_CTL_ROUTE_TO_TERMINAL_VFD_FLAG,
                 ignore = H5FD_CTL_IGNORE_IF_UNKNOWN_FLAG;
  int number = 21, twice = 0;
  void* result = &twice;
  TRY(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 5, fail, &number, &result));
  SHOW(twice);
  SHOW(H5FDctl(f, H5FD_CTL_COBEGIN_OPCODE, ignore | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_COEND_OPCODE, ignore | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_COBEGIN_OPCODE, ignore | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_COBEGIN_OPCODE, ignore | route, NULL, NULL));
  TRY(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, 1 << 20, sizeof number, &number));
  TRY(H5FDctl(f, H5FD_CTL_COEND_OPCODE, ignore | route, NULL, NULL));
  TRY(H5FDctl(f, H5FD_CTL_COEND_OPCODE, ignore | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_COBEGIN_OPCODE, ignore | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_COEND_OPCODE, ignore | route, NULL, NULL));
  SHOW_FAILURE(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 6, fail, NULL, NULL));
  SHOW_FAILURE(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 6, fail | route, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 6, ignore, NULL, NULL));
  SHOW(H5FDctl(f, H5FD_CTL_OPC_EXPER_MIN + 6, 0, NULL, NULL));
  SHOW_FAILURE(H5FDctl(NULL, H5FD_CTL_TEST_OPCODE, 0, NULL, NULL));
}

static void all(hid_t fapl, const char* name) {
  H5FD_t *f, *stale;
  char byte;
  unsigned long flags = 0;
  printf("-- %s\n", name);
  f = stale = H5FDopen(name, NEW_FILE, fapl, HADDR_UNDEF);
  if (f == NULL) return;
  vectors(f);
  selections(f);
  operations(f);
  SHOW(H5FDdriver_query(H5Pget_driver(fapl), &flags));
  printf("%lx\n", flags);
  SHOW(H5FDclose(f));
  SHOW_FAILURE(H5FDclose(stale));
  SHOW_FAILURE(H5FDread(stale, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 1, &byte));
  SHOW_FAILURE(H5FDctl(stale, H5FD_CTL_COBEGIN_OPCODE, 0, NULL, NULL));
  SHOW(H5FDdelete(name, fapl));
  SHOW_FAILURE(H5FDdelete(name, fapl));
}

int main(void) {
  int form;
  const char* names[] = {"scalar", "vector", "selection"};
  unsigned long flags = 0;
  const hid_t plain = H5Pcreate(H5P_FILE_ACCESS);
  all(plain, "sec2");
  for (form = 0; form < 4; ++form) {
    H5FD_class_t cls = memory_class(form == 1, form == 2);
    const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    hid_t driver;
    if (form == 3) cls.ctl = NULL, cls.del = NULL, cls.query = NULL;
    driver = H5FDregister(&cls);
    H5Pset_driver(fapl, driver, NULL);
    H5FDunregister(driver);
    if (form < 3) {
      all(fapl, names[form]);
    } else {
      H5FD_t* const f = H5FDopen("bare", NEW_FILE, fapl, HADDR_UNDEF);
      printf("-- without ctl\n");
      operations(f);
      SHOW(H5FDquery(f, &flags));
      SHOW(H5FDclose(f));
      SHOW_FAILURE(H5FDdelete("bare", fapl));
    }
    SHOW(H5Pclose(fapl));
  }
  SHOW_FAILURE(H5FDdriver_query(plain, &flags));
  SHOW_FAILURE(H5FDdriver_query(H5FD_SEC2, NULL));
  SHOW(memory_open);
  SHOW(memory_terminated);
  SHOW(memory_clashes);
  return 0;
}
