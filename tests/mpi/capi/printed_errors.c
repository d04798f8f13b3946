/* SPDX-License-Identifier: Apache-2.0 */
/* The first line of an error stack names the process. */
#include "ranks.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  H5Gopen2(-1, "nothing", NONE);
  H5Eprint2(H5E_DEFAULT, stdout);
  MPI_Finalize();
  H5Gopen2(-1, "nothing", NONE);
  H5Eprint2(H5E_DEFAULT, stdout);
  return 0;
}
