/* SPDX-License-Identifier: Apache-2.0
 *
 * When a user-defined driver is called to copy and to free the infos of property lists. */
#include "logging_driver.h"

#define STEP(call) \
  do {             \
    puts(#call);   \
    call;          \
  } while (0)

static logging_info_t info = {1};

static void lists(hid_t driver) {
  hid_t fapl, copy, link, link_copy, given, family;
  STEP(fapl = H5Pcreate(H5P_FILE_ACCESS));
  STEP(H5Pset_driver(fapl, driver, &info));
  STEP(H5Pget_driver_info(fapl));
  STEP(H5Pget_driver(fapl));
  STEP(copy = H5Pcopy(fapl));
  CALL(H5Pequal(fapl, copy));
  STEP(H5Pset_sieve_buf_size(copy, 1000));
  CALL(H5Pequal(fapl, copy));
  STEP(H5Pclose(copy));
  info.number = 2;
  STEP(copy = H5Pcopy(fapl));
  STEP(H5Pset_driver(fapl, driver, &info));
  CALL(H5Pequal(fapl, copy));
  STEP(H5Pclose(copy));
  STEP(link = H5Pcreate(H5P_LINK_ACCESS));
  STEP(H5Pset_elink_fapl(link, fapl));
  STEP(given = H5Pget_elink_fapl(link));
  STEP(H5Pclose(given));
  STEP(link_copy = H5Pcopy(link));
  STEP(H5Pclose(link_copy));
  STEP(H5Pclose(link));
  STEP(family = H5Pcreate(H5P_FILE_ACCESS));
  STEP(H5Pset_fapl_family(family, 1000, fapl));
  STEP(H5Pget_fapl_family(family, NULL, &given));
  STEP(H5Pclose(given));
  STEP(H5Pclose(family));
  STEP(H5Pset_fapl_sec2(fapl));
  STEP(H5Pset_driver(fapl, driver, &info));
  STEP(H5Pset_driver(fapl, driver, NULL));
  STEP(H5Pset_driver(fapl, driver, &info));
  STEP(H5Pclose(fapl));
  SHOW(logging_infos);
}

static void files(hid_t driver) {
  const logging_info_t* seen;
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), file, list;
  STEP(H5Pset_driver(fapl, driver, &info));
  STEP(file = H5Fcreate("x", H5F_ACC_TRUNC, NONE, fapl));
  STEP(list = H5Fget_access_plist(file));
  seen = (const logging_info_t*)H5Pget_driver_info(list);
  SHOW(seen == NULL ? -1 : seen->number);
  SHOW(H5Pget_driver(list) == driver);
  STEP(H5Pclose(list));
  STEP(list = H5Freopen(file));
  STEP(H5Fclose(list));
  STEP(new_group(file, "group"));
  STEP(H5Pclose(fapl));
  STEP(new_dataset(file, "dataset"));
  STEP(H5Fclose(file));
  SHOW(logging_infos);
  SHOW(logging_open_files);
}

int main(void) {
  H5FD_class_t made = logging_class();
  hid_t driver, fapl, copy;
  quiet();
  logged_calls = INFOS;
  driver = H5FDregister(&made);
  lists(driver);
  files(driver);
  puts("-- with fapl_get");
  made.fapl_get = logging_info_get;
  files(H5FDregister(&made));
  puts("-- as bytes");
  made.fapl_get = NULL;
  made.fapl_copy = NULL;
  made.fapl_free = NULL;
  driver = H5FDregister(&made);
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pset_driver(fapl, driver, &info));
  copy = H5Pcopy(fapl);
  SHOW(H5Pget_driver_info(copy) != H5Pget_driver_info(fapl));
  SHOW(((const logging_info_t*)H5Pget_driver_info(copy))->number);
  CALL(H5Pequal(fapl, copy));
  return 0;
}
