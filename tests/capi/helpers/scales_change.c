/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the scales of /data in scales.h5, attaches /extra, detaches /x and sets a label. */
#include <hdf5_hl.h>
#include <stdio.h>

static herr_t tell(hid_t dataset, unsigned dimension, hid_t scale, void* data) {
  char path[64] = "", name[64] = "";
  H5Iget_name(scale, path, sizeof path);
  H5DSget_scale_name(scale, name, sizeof name);
  printf(" %s=%s", path, name);
  return 0;
}

static void tell_all(hid_t dataset) {
  unsigned d;
  for (d = 0; d < 2; ++d) {
    char label[64] = "";
    H5DSget_label(dataset, d, label, sizeof label);
    printf("%u %s %d:", d, label, H5DSget_num_scales(dataset, d));
    H5DSiterate_scales(dataset, d, NULL, tell, NULL);
    printf("\n");
  }
}

int main(void) {
  hid_t file = H5Fopen("scales.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t data = H5Dopen2(file, "data", H5P_DEFAULT), x = H5Dopen2(file, "x", H5P_DEFAULT);
  hid_t extra = H5Dopen2(file, "extra", H5P_DEFAULT);
  tell_all(data);
  if (H5DSattach_scale(data, extra, 0) < 0 || H5DSdetach_scale(data, x, 0) < 0 ||
      H5DSset_label(data, 1, "changed") < 0)
    return 1;
  tell_all(data);
  H5Dclose(data);
  H5Dclose(x);
  H5Dclose(extra);
  return H5Fclose(file) < 0;
}
