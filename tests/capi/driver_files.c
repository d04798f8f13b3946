/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver files as bytes: H5FDopen and the functions on its result. */
#include "show.h"

static void refused(hid_t fapl, hid_t dcpl) {
  char bytes[8] = "";
  unsigned long features = 0;
  SHOW_FAILURE(H5FDopen(NULL, 0, fapl, HADDR_UNDEF) == NULL);
  SHOW_FAILURE(H5FDopen("", 0, fapl, HADDR_UNDEF) == NULL);
  SHOW_FAILURE(H5FDopen("missing", 0, fapl, HADDR_UNDEF) == NULL);
  SHOW_FAILURE(H5FDopen("missing", H5F_ACC_RDWR | H5F_ACC_TRUNC, fapl, HADDR_UNDEF) == NULL);
  SHOW_FAILURE(H5FDopen("missing", 0, dcpl, HADDR_UNDEF) == NULL);
  SHOW_FAILURE(H5FDopen("missing", 0, fapl, 0) == NULL);
  SHOW_FAILURE(H5FDread(NULL, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 2, bytes));
  SHOW_FAILURE(H5FDwrite(NULL, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 2, bytes));
  SHOW_FAILURE(H5FDget_eoa(NULL, H5FD_MEM_DEFAULT));
  SHOW_FAILURE(H5FDget_eof(NULL, H5FD_MEM_DEFAULT));
  SHOW_FAILURE(H5FDset_eoa(NULL, H5FD_MEM_DEFAULT, 0));
  SHOW_FAILURE(H5FDalloc(NULL, H5FD_MEM_DRAW, H5P_DEFAULT, 5));
  SHOW_FAILURE(H5FDfree(NULL, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 5));
  SHOW_FAILURE(H5FDquery(NULL, &features));
  SHOW_FAILURE(H5FDflush(NULL, H5P_DEFAULT, 0));
  SHOW_FAILURE(H5FDtruncate(NULL, H5P_DEFAULT, 0));
  SHOW_FAILURE(H5FDlock(NULL, 1));
  SHOW_FAILURE(H5FDunlock(NULL));
  SHOW_FAILURE(H5FDclose(NULL));
  SHOW_FAILURE(H5FDregister(NULL));
  SHOW_FAILURE(H5FDunregister(fapl));
}

static void ends(H5FD_t* f, hid_t dcpl) {
  char bytes[100];
  SHOW(H5FDget_eoa(f, H5FD_MEM_DEFAULT));
  SHOW(H5FDget_eof(f, H5FD_MEM_DEFAULT));
  SHOW_FAILURE(H5FDwrite(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 10, "0123456789"));
  SHOW(H5FDset_eoa(f, H5FD_MEM_DEFAULT, 100));
  SHOW(H5FDwrite(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 10, "0123456789"));
  SHOW(H5FDget_eof(f, H5FD_MEM_DEFAULT));
  memset(bytes, 'x', sizeof bytes);
  SHOW(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, 5, 20, bytes));
  printf("%.5s %d %d %c\n", bytes, bytes[5], bytes[19], bytes[20]);
  SHOW_FAILURE(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, 95, 20, bytes));
  SHOW_FAILURE(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 20, NULL));
  SHOW_FAILURE(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, HADDR_UNDEF, 20, bytes));
  SHOW_FAILURE(H5FDread(f, H5FD_MEM_DRAW, dcpl, 0, 2, bytes));
  SHOW(H5FDread(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 0, bytes));
  SHOW_FAILURE(H5FDwrite(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 2, NULL));
  SHOW_FAILURE(H5FDwrite(f, H5FD_MEM_DRAW, dcpl, 0, 2, bytes));
  SHOW_FAILURE(H5FDget_eoa(f, (H5FD_mem_t)-2));
  SHOW_FAILURE(H5FDset_eoa(f, (H5FD_mem_t)77, 4));
  SHOW_FAILURE(H5FDset_eoa(f, H5FD_MEM_DEFAULT, HADDR_UNDEF));
  SHOW(H5FDflush(f, H5P_DEFAULT, 0));
  SHOW_FAILURE(H5FDflush(f, dcpl, 0));
}

static void space(H5FD_t* f, hid_t dcpl) {
  SHOW(H5FDalloc(f, H5FD_MEM_DRAW, H5P_DEFAULT, 50));
  SHOW(H5FDget_eoa(f, H5FD_MEM_DRAW));
  SHOW_FAILURE(H5FDalloc(f, H5FD_MEM_DRAW, H5P_DEFAULT, 0));
  SHOW_FAILURE(H5FDalloc(f, (H5FD_mem_t)99, H5P_DEFAULT, 5));
  SHOW_FAILURE(H5FDalloc(f, H5FD_MEM_DRAW, dcpl, 5));
  SHOW(H5FDfree(f, H5FD_MEM_DRAW, H5P_DEFAULT, 100, 50));
  SHOW(H5FDget_eoa(f, H5FD_MEM_DRAW));
  SHOW(H5FDfree(f, H5FD_MEM_DRAW, H5P_DEFAULT, 10, 50));
  SHOW(H5FDget_eoa(f, H5FD_MEM_DRAW));
  SHOW_FAILURE(H5FDfree(f, (H5FD_mem_t)99, H5P_DEFAULT, 10, 50));
  SHOW(H5FDtruncate(f, H5P_DEFAULT, 0));
  SHOW(H5FDget_eof(f, H5FD_MEM_DEFAULT));
  SHOW_FAILURE(H5FDtruncate(f, dcpl, 0));
}

static void features(hid_t fapl, const char* name) {
  unsigned long flags = 0;
  char bytes[10];
  H5FD_t* const f = H5FDopen(name, H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC, fapl, HADDR_UNDEF);
  if (f == NULL) return;
  SHOW(H5FDquery(f, &flags));
  printf("%s has %lx\n", name, flags);
  SHOW(H5FDset_eoa(f, H5FD_MEM_SUPER, 5000));
  SHOW(H5FDwrite(f, H5FD_MEM_SUPER, H5P_DEFAULT, 2000, 3, "abc"));
  SHOW(H5FDread(f, H5FD_MEM_SUPER, H5P_DEFAULT, 1999, 5, bytes));
  printf("%d %.3s %d\n", bytes[0], bytes + 1, bytes[4]);
  SHOW(H5FDclose(f));
}

int main(void) {
  unsigned long flags = 0;
  void* handle = NULL;
  H5FD_t *f, *again, *other;
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  refused(fapl, dcpl);
  f = H5FDopen("bytes", H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC, fapl, HADDR_UNDEF);
  if (f == NULL) return 1;
  ends(f, dcpl);
  space(f, dcpl);
  SHOW(H5FDquery(f, &flags));
  printf("%lx\n", flags);
  SHOW_FAILURE(H5FDquery(f, NULL));
  SHOW(H5FDget_vfd_handle(f, fapl, &handle));
  SHOW(*(int*)handle > 2);
  again = H5FDopen("bytes", 0, fapl, HADDR_UNDEF);
  other = H5FDopen("other", H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_EXCL, fapl, HADDR_UNDEF);
  SHOW_FAILURE(H5FDopen("other", H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_EXCL, fapl, HADDR_UNDEF) == NULL);
  SHOW(H5FDcmp(f, again));
  SHOW(H5FDcmp(f, other) != 0);
  SHOW(H5FDcmp(NULL, f));
  SHOW(H5FDcmp(f, NULL));
  SHOW(H5FDcmp(NULL, NULL));
  SHOW(H5FDlock(f, 1));
  SHOW_FAILURE(H5FDlock(again, 1));
  SHOW(H5FDunlock(f));
  SHOW(H5FDlock(again, 0));
  SHOW(H5FDset_eoa(again, H5FD_MEM_DEFAULT, 100));
  SHOW_FAILURE(H5FDwrite(again, H5FD_MEM_DRAW, H5P_DEFAULT, 0, 2, "ab"));
  printf("%d %d %llx %x %lx %d %d\n", f->driver_id == H5FD_SEC2, (int)f->base_addr,
         (unsigned long long)f->maxaddr, f->access_flags, f->feature_flags, (int)f->threshold,
         (int)f->alignment);
  SHOW(again->fileno != f->fileno);
  SHOW(H5FDclose(again));
  SHOW(H5FDclose(other));
  SHOW(H5FDclose(f));
  H5Pset_alignment(fapl, 10, 64);
  f = H5FDopen("aligned", H5F_ACC_RDWR | H5F_ACC_CREAT, fapl, 1000);
  SHOW(H5FDalloc(f, H5FD_MEM_DRAW, H5P_DEFAULT, 5));
  SHOW(H5FDalloc(f, H5FD_MEM_DRAW, H5P_DEFAULT, 5));
  SHOW(H5FDalloc(f, H5FD_MEM_DRAW, H5P_DEFAULT, 20));
  SHOW_FAILURE(H5FDalloc(f, H5FD_MEM_DRAW, H5P_DEFAULT, 2000));
  SHOW_FAILURE(H5FDset_eoa(f, H5FD_MEM_DRAW, 1001));
  SHOW(H5FDclose(f));
  H5Pset_fapl_stdio(fapl);
  features(fapl, "stdio");
  H5Pset_fapl_core(fapl, 1024, 0);
  features(fapl, "core");
  H5Pset_fapl_family(fapl, 1024, H5P_DEFAULT);
  features(fapl, "family%d");
  return 0;
}
