// SPDX-License-Identifier: Apache-2.0
#include "capi/hl/dimension_scales.hpp"

#include <algorithm>

#include <hdf5_hl.h>

#include "capi/hl/high_level.hpp"

namespace filigree::capi {
namespace {

OwnedId scale_reference_type() { return OwnedId(H5Tvlen_create(H5T_STD_REF_OBJ_g)); }

OwnedId use_type() {
  OwnedId type(H5Tcreate(H5T_COMPOUND, sizeof(ScaleUse)));
  checked(H5Tinsert(type, "dataset", HOFFSET(ScaleUse, dataset), H5T_STD_REF_OBJ_g));
  checked(H5Tinsert(type, "dimension", HOFFSET(ScaleUse, dimension), H5T_NATIVE_INT_g));
  return type;
}

OwnedId open_attribute(hid_t object, const char* name) { return OwnedId(H5Aopen(object, name, H5P_DEFAULT)); }

/// Returns the variable-length string type of an attribute. Other string types are refused.
OwnedId text_type_of(hid_t object, const char* name) {
  OwnedId type(H5Aget_type(open_attribute(object, name)));
  if (H5Tis_variable_str(type) <= 0) refuse(std::string(name) + " does not hold texts of variable length");
  return type;
}

/// Returns the type of DIMENSION_LABELS. An existing attribute may have another character set.
OwnedId label_type(hid_t dataset) {
  if (has_attribute(dataset, DIMENSION_LABELS)) return text_type_of(dataset, DIMENSION_LABELS);
  OwnedId type(H5Tcopy(H5T_C_S1_g));
  checked(H5Tset_size(type, H5T_VARIABLE));
  return type;
}

std::size_t element_count(hid_t attribute) {
  const OwnedId space(H5Aget_space(attribute));
  return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space)));
}

void remove_attribute(hid_t object, const char* name) {
  if (has_attribute(object, name)) checked(H5Adelete(object, name));
}

/// Writes elements to an attribute. An attribute with another number of elements is replaced.
void write_list(hid_t object, const char* name, hid_t type, hsize_t count, const void* elements) {
  if (has_attribute(object, name)) {
    const OwnedId attribute = open_attribute(object, name);
    if (element_count(attribute) == count) {
      checked(H5Awrite(attribute, type, elements));
      return;
    }
  }
  remove_attribute(object, name);
  const OwnedId space(H5Screate_simple(1, &count, nullptr));
  const OwnedId made(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  checked(H5Awrite(made, type, elements));
}

/// Elements of variable length that were read. They own their data.
template <class Element>
class ReadElements {
 public:
  ReadElements(hid_t object, const char* name, unsigned rank, OwnedId type) : type_(std::move(type)) {
    const OwnedId attribute = open_attribute(object, name);
    // The attribute may come from any program, so its size is checked against the dataset.
    if (element_count(attribute) != rank)
      refuse(std::string(name) + " does not have an element for each dimension");
    values.resize(rank);
    checked(H5Aread(attribute, type_, values.data()));
  }
  ~ReadElements() {
    const hsize_t count = values.size();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    H5Dvlen_reclaim(type_, space, H5P_DEFAULT, values.data());
    H5Sclose(space);
  }
  ReadElements(const ReadElements&) = delete;
  ReadElements& operator=(const ReadElements&) = delete;
  std::vector<Element> values;

 private:
  OwnedId type_;
};

}  // namespace

bool has_attribute(hid_t object, const char* name) { return checked(H5Aexists(object, name)) > 0; }

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
    const ReadElements<char*> read(object, name, 1, text_type_of(object, name));
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

DimensionList read_dimension_list(hid_t dataset, unsigned rank) {
  DimensionList scales(rank);
  if (!has_attribute(dataset, DIMENSION_LIST)) return scales;
  const ReadElements<hvl_t> read(dataset, DIMENSION_LIST, rank, scale_reference_type());
  for (std::size_t i = 0; i < rank; ++i) {
    const auto* const first = static_cast<const hobj_ref_t*>(read.values[i].p);
    if (first != nullptr) scales[i].assign(first, first + read.values[i].len);
  }
  return scales;
}

void write_dimension_list(hid_t dataset, DimensionList scales) {
  if (std::ranges::all_of(scales, [](const auto& list) { return list.empty(); }))
    return remove_attribute(dataset, DIMENSION_LIST);
  std::vector<hvl_t> elements;
  for (auto& list : scales) elements.push_back({list.size(), list.data()});
  write_list(dataset, DIMENSION_LIST, scale_reference_type(), elements.size(), elements.data());
}

std::vector<ScaleUse> read_uses(hid_t scale) {
  if (!has_attribute(scale, REFERENCE_LIST)) return {};
  const OwnedId attribute = open_attribute(scale, REFERENCE_LIST);
  std::vector<ScaleUse> uses(element_count(attribute));
  checked(H5Aread(attribute, use_type(), uses.data()));
  return uses;
}

void write_uses(hid_t scale, const std::vector<ScaleUse>& uses) {
  if (uses.empty()) return remove_attribute(scale, REFERENCE_LIST);
  write_list(scale, REFERENCE_LIST, use_type(), uses.size(), uses.data());
}

DimensionLabels read_labels(hid_t dataset, unsigned rank) {
  DimensionLabels labels(rank);
  if (!has_attribute(dataset, DIMENSION_LABELS)) return labels;
  const ReadElements<char*> read(dataset, DIMENSION_LABELS, rank, label_type(dataset));
  for (std::size_t i = 0; i < rank; ++i)
    if (read.values[i] != nullptr) labels[i] = read.values[i];
  return labels;
}

void write_labels(hid_t dataset, const DimensionLabels& labels) {
  std::vector<const char*> elements;
  for (const auto& label : labels) elements.push_back(label ? label->c_str() : nullptr);
  write_list(dataset, DIMENSION_LABELS, label_type(dataset), elements.size(), elements.data());
}

}  // namespace filigree::capi
