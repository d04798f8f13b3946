// SPDX-License-Identifier: Apache-2.0
//
// Datatypes in text form (H5LTtext_to_dtype, H5LTdtype_to_text).
#include <hdf5_hl.h>

#include "capi/core/strings.hpp"
#include "capi/hl/type_text.hpp"

using namespace filigree::capi;

namespace {

void check_language(H5LT_lang_t language) {
  if (language != H5LT_DDL) refuse("only H5LT_DDL is a language for datatypes");
}

}  // namespace

hid_t H5LTtext_to_dtype(const char* text, H5LT_lang_t lang_type) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__), [&](auto&) {
    if (text == nullptr) refuse("text cannot be NULL");
    check_language(lang_type);
    return parse_type(text).take();
  });
}

herr_t H5LTdtype_to_text(hid_t dtype, char* str, H5LT_lang_t lang_type, size_t* len) {
  return high_level(outer(__func__), [&](auto&) {
    check_language(lang_type);
    if (len == nullptr) refuse("len cannot be NULL");
    checked(H5Tget_class(dtype));
    const std::string text = type_text(dtype);
    if (str == nullptr) {
      *len = text.size() + 1;
    } else {
      copy_string(text, str, *len);
    }
  });
}
