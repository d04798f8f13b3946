// SPDX-License-Identifier: Apache-2.0
//
// Attributes that high-level functions store their descriptions in.
#pragma once

#include <string>
#include <vector>

#include "capi/hl/elements.hpp"

namespace filigree::capi {

/// Returns whether the object has an attribute of that name.
bool has_attribute(hid_t object, const char* name);
OwnedId open_attribute(hid_t object, const char* name);
std::size_t element_count(hid_t attribute);
/// Does nothing when there is no such attribute.
void remove_attribute(hid_t object, const char* name);

/// Writes a scalar string of fixed length, and replaces an attribute of the same name.
void set_text_attribute(hid_t object, const char* name, const std::string& text);
std::string get_text_attribute(hid_t object, const char* name);

/// Returns an object reference of HDF5 1.8.
hobj_ref_t reference_to(hid_t object);

/// Elements of variable length that were read. They own their data.
template <class Element>
class ReadElements {
 public:
  ReadElements(hid_t object, const char* name, std::size_t count, OwnedId type) : type_(std::move(type)) {
    const OwnedId attribute = open_attribute(object, name);
    // The attribute may come from any program, so its size is checked.
    if (element_count(attribute) != count)
      refuse(std::string(name) + " does not have " + std::to_string(count) + " elements");
    values.resize(count);
    checked(H5Aread(attribute, type_, values.data()));
  }
  ~ReadElements() { reclaim_elements(type_, values.data(), values.size()); }
  ReadElements(const ReadElements&) = delete;
  ReadElements& operator=(const ReadElements&) = delete;
  std::vector<Element> values;

 private:
  OwnedId type_;
};

}  // namespace filigree::capi
