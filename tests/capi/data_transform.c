/* SPDX-License-Identifier: Apache-2.0
 *
 * Data transforms in I/O. */
#include "show.h"

static const char* const expressions[] = {
    "x*0.5",           "(5/9.0)*(x-32)", "x/2", "5/2*x",     "x/2.0+1", "2*x*1.5", "x-0.5",
    "x*x/2",           "100/x",          "-x",  "0.5*(x+x)", "x*1e2",   "3",       "x/0.3/2",
    "(x*0.5)*(x*0.5)", "x+2*0.7+0.6",    "5.9", "(7/2)*x",   "x - -3",  "2*-x"};

int main(void) {
  const int values[6] = {1, 5, -7, 100, 8, 9};
  const double reals[6] = {1, 5.5, -7, 100, 8, 9};
  hsize_t dims[2] = {2, 3}, start[2] = {0, 1}, count[2] = {2, 2}, line[1] = {8}, from[1] = {2}, four[1] = {4};
  hid_t file, space, integers, doubles, dxpl, memory;
  int read[8], i;
  double real[6];
  size_t e;
  quiet();
  file = H5Fcreate("transform.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(2, dims, NULL);
  integers = H5Dcreate2(file, "integers", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  doubles = H5Dcreate2(file, "doubles", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(integers, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CALL(H5Dwrite(doubles, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, reals));
  for (e = 0; e < sizeof expressions / sizeof expressions[0]; ++e) {
    dxpl = H5Pcreate(H5P_DATASET_XFER);
    printf("%s: %d\n", expressions[e], H5Pset_data_transform(dxpl, expressions[e]));
    CALL(H5Dread(integers, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, dxpl, read));
    for (i = 0; i < 6; ++i) printf(" %d", read[i]);
    printf("\n");
    CALL(H5Dread(doubles, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, dxpl, real));
    for (i = 0; i < 6; ++i) printf(" %g", real[i]);
    printf("\n");
    H5Pclose(dxpl);
  }
  puts("parts");
  dxpl = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_data_transform(dxpl, "2*x+1");
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  memory = H5Screate_simple(1, line, NULL);
  H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, four, NULL);
  for (i = 0; i < 8; ++i) read[i] = 77;
  CALL(H5Dread(integers, H5T_NATIVE_INT, memory, space, dxpl, read));
  for (i = 0; i < 8; ++i) printf(" %d", read[i]);
  printf("\n");
  CALL(H5Dwrite(integers, H5T_NATIVE_INT, memory, space, dxpl, read));
  for (i = 0; i < 8; ++i) printf(" %d", read[i]);
  printf("\n");
  CALL(H5Dread(integers, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read));
  for (i = 0; i < 6; ++i) printf(" %d", read[i]);
  printf("\n");
  H5Pclose(dxpl);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(integers);
  H5Dclose(doubles);
  CALL(H5Fclose(file));
  return 0;
}
