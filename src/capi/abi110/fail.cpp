// SPDX-License-Identifier: Apache-2.0
#include "capi/abi110/fail.hpp"

namespace filigree::abi110 {

herr_t fail(const char* function, hid_t major, hid_t minor, const char* text) {
  H5Eclear2(H5E_DEFAULT);
  H5Epush2(H5E_DEFAULT, __FILE__, function, __LINE__, H5E_ERR_CLS, major, minor, "%s", text);
  H5E_auto2_t report = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &report, &data);
  if (report != nullptr) report(H5E_DEFAULT, data);
  return -1;
}

}  // namespace filigree::abi110
