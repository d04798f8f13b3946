/* SPDX-License-Identifier: Apache-2.0
 *
 * The environment variable HDF5_VOL_CONNECTOR chooses the connector of property lists without one. */
#include "show.h"

int main(void) {
  H5VL_pass_through_info_t* info = NULL;
  hid_t file, list, id = -1;
  char name[40] = "";
  setenv("HDF5_VOL_CONNECTOR", "pass_through under_vol=0;under_info={}", 1);
  quiet();
  file = H5Fcreate("connectors_environment.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(file);
  CALL(H5VLget_connector_name(file, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5VLis_connector_registered_by_name("pass_through"));
  new_group(file, "group");
  CALL(H5Lexists(file, "group", H5P_DEFAULT));
  CALL(H5Fclose(file));
  list = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pget_vol_id(list, &id));
  CALL(id == H5VL_PASSTHRU);
  CALL(H5Pget_vol_info(list, (void**)&info));
  CALL(info->under_vol_id == H5VL_NATIVE);
  CALL(H5VLfree_connector_info(id, info));
  H5VLclose(id);
  CALL(H5Pset_vol(list, H5VL_NATIVE, NULL));
  file = H5Fopen("connectors_environment.h5", H5F_ACC_RDONLY, list);
  CALL(H5VLget_connector_name(file, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5Fclose(file));
  H5Pclose(list);
  return 0;
}
