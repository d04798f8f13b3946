// SPDX-License-Identifier: Apache-2.0
//
// Datatypes: strings and opaque types.
#include <cstring>

#include "capi/H5T/type_tools.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {
namespace {

constexpr std::size_t longest_tag = 255;

DatatypeMessage& string_in(DatatypeMessage& type) {
  DatatypeMessage* const string = find_string(type);
  if (string == nullptr) throw Failure(type_unsupported(), "not a datatype of strings");
  return *string;
}
const DatatypeMessage& string_in(const DatatypeMessage& type) {
  return string_in(const_cast<DatatypeMessage&>(type));
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;
namespace format = filigree::format;

H5T_cset_t H5Tget_cset(hid_t type_id) {
  return api_call({"H5Tget_cset", type_unsupported(), "unable to get the character set"}, [&] {
    const auto type = get_type(type_id)->value.get();
    return static_cast<H5T_cset_t>(string_in(*type).character_set);
  });
}

herr_t H5Tset_cset(hid_t type_id, H5T_cset_t cset) {
  return api_call({"H5Tset_cset", type_unsupported(), "unable to set the character set"}, [&] {
    const auto type = get_type(type_id);
    require_changeable(*type, args_cant_init());
    if (cset != H5T_CSET_ASCII && cset != H5T_CSET_UTF8) bad_value("cset is not a character set");
    type->value.change([&](DatatypeMessage& message) {
      string_in(message).character_set = static_cast<format::CharacterSet>(cset);
    });
  });
}

H5T_str_t H5Tget_strpad(hid_t type_id) {
  return api_call({"H5Tget_strpad", type_unsupported(), "unable to get the padding of the string"}, [&] {
    const auto type = get_type(type_id)->value.get();
    return static_cast<H5T_str_t>(string_in(*type).padding);
  });
}

herr_t H5Tset_strpad(hid_t type_id, H5T_str_t strpad) {
  return api_call({"H5Tset_strpad", type_unsupported(), "unable to set the padding of the string"}, [&] {
    const auto type = get_type(type_id);
    require_changeable(*type, args_cant_init());
    if (strpad < H5T_STR_NULLTERM || strpad >= H5T_NSTR) bad_value("strpad is not a padding of strings");
    type->value.change([&](DatatypeMessage& message) {
      string_in(message).padding = static_cast<format::StringPadding>(strpad);
    });
  });
}

char* H5Tget_tag(hid_t type_id) {
  return api_call_or(static_cast<char*>(nullptr), {"H5Tget_tag", type_bad_type(), "unable to get the tag"},
                     [&] {
                       const auto type = get_type(type_id)->value.get();
                       const DatatypeMessage& inner = innermost(*type);
                       if (inner.type_class != format::TypeClass::opaque)
                         throw Failure(type_cant_init(), "not an opaque datatype");
                       return new_string(inner.tag);
                     });
}

herr_t H5Tset_tag(hid_t type_id, const char* tag) {
  return api_call({"H5Tset_tag", type_bad_type(), "unable to set the tag"}, [&] {
    const auto type = get_type(type_id);
    require_changeable(*type, args_cant_init());
    type->value.change([&](DatatypeMessage& message) {
      DatatypeMessage& inner = innermost(message);
      if (inner.type_class != format::TypeClass::opaque) bad_type("not an opaque datatype");
      if (std::strlen(required(tag, "tag")) > longest_tag) bad_value("a tag has at most 255 characters");
      inner.tag = tag;
      inner.tag_bytes = 0;
    });
  });
}
