// SPDX-License-Identifier: Apache-2.0
#include "capi/abi110/fail.hpp"

namespace filigree::abi110 {
namespace {

void push(const char* function, const ErrorText& error) {
  H5Epush2(H5E_DEFAULT, __FILE__, function, __LINE__, H5E_ERR_CLS, error.major, error.minor, "%s",
           error.text);
}

herr_t report_stack() {
  H5E_auto2_t report = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &report, &data);
  if (report != nullptr) report(H5E_DEFAULT, data);
  return -1;
}

}  // namespace

herr_t fail(const char* function, hid_t major, hid_t minor, const char* text) {
  H5Eclear2(H5E_DEFAULT);
  push(function, {major, minor, text});
  return report_stack();
}

herr_t fail(const char* function, const ErrorText& summary, const ErrorText& cause) {
  H5Eclear2(H5E_DEFAULT);
  push(function, cause);
  push(function, summary);
  return report_stack();
}

}  // namespace filigree::abi110
