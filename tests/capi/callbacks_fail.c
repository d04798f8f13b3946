/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks that fail or stop an iteration: return values and error stacks. */
#include "show.h"

static int answer;
static int give(void) { return answer; }

static hid_t file, space, list;
static int numbers[4];

static void all(int with) {
  hsize_t at = 0;
  unsigned old = 0;
  int position = 2;
  answer = with;
  printf("-- answer %d\n", with);
  CALL(H5Piterate(list, NULL, (H5P_iterate_t)give, NULL));
  CALL(H5Piterate(list, &position, (H5P_iterate_t)give, NULL));
  VALUE(position);
  position = 0;
  CALL(H5Giterate(file, "/", &position, (H5G_iterate_t)give, NULL));
  VALUE(position);
  CALL(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &at, (H5L_iterate_t)give, NULL));
  VALUE(at);
  at = 0;
  CALL(H5Literate_by_name(file, "/", H5_INDEX_NAME, H5_ITER_INC, &at, (H5L_iterate_t)give, NULL, NONE));
  VALUE(at);
  CALL(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, (H5L_iterate_t)give, NULL));
  CALL(H5Lvisit_by_name(file, "/", H5_INDEX_NAME, H5_ITER_INC, (H5L_iterate_t)give, NULL, NONE));
  CALL(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, (H5O_iterate_t)give, NULL));
  CALL(H5Ovisit_by_name1(file, "/", H5_INDEX_NAME, H5_ITER_INC, (H5O_iterate_t)give, NULL, NONE));
  at = 0;
  CALL(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, &at, (H5A_operator2_t)give, NULL));
  VALUE(at);
  at = 0;
  CALL(H5Aiterate_by_name(file, "/", H5_INDEX_NAME, H5_ITER_INC, &at, (H5A_operator2_t)give, NULL, NONE));
  VALUE(at);
  CALL(H5Aiterate1(file, &old, (H5A_operator1_t)give, NULL));
  VALUE(old);
  CALL(H5Dgather(space, numbers, H5T_NATIVE_INT, 4, numbers, (H5D_gather_func_t)give, NULL));
  CALL(H5Dscatter((H5D_scatter_func_t)give, NULL, H5T_NATIVE_INT, space, numbers));
  if (with >= -1) CALL(H5Diterate(numbers, H5T_NATIVE_INT, space, (H5D_operator_t)give, NULL));
}

int main(void) {
  hsize_t dims[1] = {4};
  quiet();
  file = new_file("callbacks.h5");
  new_group(file, "g");
  new_dataset(file, "d");
  space = H5Screate_simple(1, dims, NULL);
  H5Aclose(H5Acreate2(file, "a", H5T_STD_I32LE, space, NONE, NONE));
  list = H5Pcreate(H5P_DATASET_CREATE);
  all(-1);
  all(-5);
  all(3);
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
  return 0;
}
