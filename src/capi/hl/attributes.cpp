// SPDX-License-Identifier: Apache-2.0
#include "capi/hl/attributes.hpp"

namespace filigree::capi {

bool has_attribute(hid_t object, const char* name) { return checked(H5Aexists(object, name)) > 0; }

OwnedId open_attribute(hid_t object, const char* name) { return OwnedId(H5Aopen(object, name, H5P_DEFAULT)); }

std::size_t element_count(hid_t attribute) {
  const OwnedId space(H5Aget_space(attribute));
  return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space)));
}

void remove_attribute(hid_t object, const char* name) {
  if (has_attribute(object, name)) checked(H5Adelete(object, name));
}

void set_text_attribute(hid_t object, const char* name, const std::string& text) {
  const OwnedId type(H5Tcopy(H5T_C_S1_g));
  checked(H5Tset_size(type, text.size() + 1));
  const OwnedId space(H5Screate(H5S_SCALAR));
  remove_attribute(object, name);
  const OwnedId attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  checked(H5Awrite(attribute, type, text.c_str()));
}

std::string get_text_attribute(hid_t object, const char* name) {
  const OwnedId attribute = open_attribute(object, name);
  const OwnedId type(H5Aget_type(attribute));
  if (H5Tget_class(type) != H5T_STRING || element_count(attribute) != 1)
    refuse(std::string(name) + " is not a text");
  if (checked(H5Tis_variable_str(type)) > 0) {
    const ReadElements<char*> read(object, name, 1, OwnedId(H5Aget_type(attribute)));
    return read.values[0] == nullptr ? "" : read.values[0];
  }
  std::string text(H5Tget_size(type), '\0');
  checked(H5Aread(attribute, type, text.data()));
  return text.substr(0, text.find('\0'));
}

hobj_ref_t reference_to(hid_t object) {
  hobj_ref_t reference = 0;
  checked(H5Rcreate(&reference, object, ".", H5R_OBJECT, H5I_INVALID_HID));
  return reference;
}

}  // namespace filigree::capi
