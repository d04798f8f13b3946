/* SPDX-License-Identifier: Apache-2.0 */
/* Small reads read bytes around them only from drivers that allow it (H5FD_FEAT_DATA_SIEVE). */
#include "memory_driver.h"
#include "show.h"

static herr_t with_sieve(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  if (flags != NULL) *flags = H5FD_FEAT_DATA_SIEVE;
  return 0;
}

static herr_t without_sieve(const H5FD_t* file, unsigned long* flags) {
  (void)file;
  if (flags != NULL) *flags = 0;
  return 0;
}

static void run(int sieve) {
  const hsize_t four = 4;
  int values[4] = {1, 2, 3, 4}, reads, i;
  H5FD_class_t cls = memory_class(0, 0);
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), space = H5Screate_simple(1, &four, NULL);
  hid_t driver, file, set;
  cls.query = sieve ? with_sieve : without_sieve;
  driver = H5FDregister(&cls);
  H5Pset_driver(fapl, driver, NULL);
  H5FDunregister(driver);
  file = H5Fcreate(sieve ? "sieve" : "none", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  reads = memory_reads;
  for (i = 0; i < 10; ++i) H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("%s: %d reads of the driver, last value %d\n", sieve ? "with a sieve" : "without",
         memory_reads - reads, values[3]);
  values[3] = 9;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  values[3] = 0;
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("after a write: %d\n", values[3]);
  H5Dclose(set), H5Fclose(file), H5Pclose(fapl), H5Sclose(space);
}

int main(void) {
  run(1);
  run(0);
  return 0;
}
