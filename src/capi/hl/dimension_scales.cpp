// SPDX-License-Identifier: Apache-2.0
#include "capi/hl/dimension_scales.hpp"

#include <algorithm>

#include <hdf5_hl.h>

#include "capi/hl/attributes.hpp"

namespace filigree::capi {
namespace {

OwnedId scale_reference_type() { return OwnedId(H5Tvlen_create(H5T_STD_REF_OBJ_g)); }

OwnedId use_type() {
  OwnedId type(H5Tcreate(H5T_COMPOUND, sizeof(ScaleUse)));
  checked(H5Tinsert(type, "dataset", HOFFSET(ScaleUse, dataset), H5T_STD_REF_OBJ_g));
  checked(H5Tinsert(type, "dimension", HOFFSET(ScaleUse, dimension), H5T_NATIVE_INT_g));
  return type;
}

/// Returns the variable-length string type of an attribute. Other string types are refused.
OwnedId text_type_of(hid_t object, const char* name) {
  OwnedId type(H5Aget_type(open_attribute(object, name)));
  if (H5Tis_variable_str(type) <= 0) refuse(std::string(name) + " does not hold variable-length strings");
  return type;
}

/// Returns the type of DIMENSION_LABELS. An existing attribute may have another character set.
OwnedId label_type(hid_t dataset) {
  if (has_attribute(dataset, DIMENSION_LABELS)) return text_type_of(dataset, DIMENSION_LABELS);
  OwnedId type(H5Tcopy(H5T_C_S1_g));
  checked(H5Tset_size(type, H5T_VARIABLE));
  return type;
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

}  // namespace

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
