// SPDX-License-Identifier: Apache-2.0
//
// Dimension scales: datasets whose values label the positions along a dimension of other datasets. They are
// stored in attributes, as the HDF5 Dimension Scale Specification says.
#include <algorithm>
#include <cstring>

#include <hdf5_hl.h>

#include "capi/core/strings.hpp"
#include "capi/hl/attributes.hpp"
#include "capi/hl/dimension_scales.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

void check_dataset(hid_t id, const char* what) {
  if (IdTable::type_of(id) != H5I_DATASET || ids().find(id) == nullptr)
    bad_type(std::string(what) + " is not the id of a dataset");
}

unsigned rank_of(hid_t dataset) {
  const OwnedId space(H5Dget_space(dataset));
  return static_cast<unsigned>(checked(H5Sget_simple_extent_ndims(space)));
}

void check_dimension(unsigned dimension, unsigned rank) {
  if (dimension >= rank)
    refuse("the dataset has no dimension " + std::to_string(dimension) + ", but " + std::to_string(rank) +
           " in all");
}

bool is_scale(hid_t dataset) {
  if (!has_attribute(dataset, "CLASS")) return false;
  const OwnedId attribute(H5Aopen(dataset, "CLASS", H5P_DEFAULT));
  const OwnedId type(H5Aget_type(attribute));
  // The specification requires exactly this string type.
  constexpr std::size_t class_bytes = sizeof DIMENSION_SCALE_CLASS;
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Tget_strpad(type) != H5T_STR_NULLTERM || H5Tget_size(type) != class_bytes)
    return false;
  const OwnedId space(H5Aget_space(attribute));
  if (H5Sget_simple_extent_npoints(space) != 1) return false;
  char text[class_bytes] = {};
  checked(H5Aread(attribute, type, text));
  return std::memcmp(text, DIMENSION_SCALE_CLASS, class_bytes) == 0;
}

/// A dataset, and a scale that is or becomes attached to it.
struct Pair {
  Pair(hid_t dataset, hid_t scale, unsigned dimension_of)
      : did(dataset), dsid(scale), dimension(dimension_of) {
    check_dataset(did, "did");
    check_dataset(dsid, "dsid");
    if (is_scale(did)) refuse("the dataset is a dimension scale itself");
    H5O_info2_t one, other;
    checked(H5Oget_info3(did, &one, H5O_INFO_BASIC));
    checked(H5Oget_info3(dsid, &other, H5O_INFO_BASIC));
    if (one.fileno != other.fileno) refuse("the dataset and the scale are in different files");
    if (std::memcmp(&one.token, &other.token, sizeof one.token) == 0)
      refuse("a dataset cannot be a scale of itself");
    rank = std::max(rank_of(did), 1U);  // HDF5 allows scales of scalar datasets
    check_dimension(dimension, rank);
  }

  /// The references that DIMENSION_LIST has to the scale, and REFERENCE_LIST to the dataset.
  hobj_ref_t scale() const { return reference_to(dsid); }
  hobj_ref_t dataset() const { return reference_to(did); }
  ScaleUse use() const { return {dataset(), static_cast<int>(dimension)}; }

  hid_t did, dsid;
  unsigned dimension;
  unsigned rank = 0;
};

void attach(const Pair& pair) {
  if (has_attribute(pair.dsid, DIMENSION_LIST)) refuse("the scale has dimension scales itself");
  if (!is_scale(pair.dsid)) set_text_attribute(pair.dsid, "CLASS", DIMENSION_SCALE_CLASS);
  DimensionList scales = read_dimension_list(pair.did, pair.rank);
  auto& of_dimension = scales[pair.dimension];
  if (std::ranges::find(of_dimension, pair.scale()) == of_dimension.end()) {
    of_dimension.push_back(pair.scale());
    write_dimension_list(pair.did, scales);
  }
  std::vector<ScaleUse> uses = read_uses(pair.dsid);
  if (std::ranges::find(uses, pair.use()) == uses.end()) {
    uses.push_back(pair.use());
    write_uses(pair.dsid, uses);
  }
}

void detach(const Pair& pair) {
  if (!is_scale(pair.dsid)) refuse("the dataset to be detached is no dimension scale");
  DimensionList scales = read_dimension_list(pair.did, pair.rank);
  std::vector<ScaleUse> uses = read_uses(pair.dsid);
  if (std::erase(scales[pair.dimension], pair.scale()) == 0) refuse("the scale is not attached there");
  std::erase(uses, pair.use());
  write_dimension_list(pair.did, scales);
  write_uses(pair.dsid, uses);
}

bool is_attached(const Pair& pair) {
  const DimensionList scales = read_dimension_list(pair.did, pair.rank);
  const std::vector<ScaleUse> uses = read_uses(pair.dsid);
  return std::ranges::find(scales[pair.dimension], pair.scale()) != scales[pair.dimension].end() &&
         std::ranges::find(uses, pair.use()) != uses.end();
}

/// Returns the scales of a dimension, which must exist.
std::vector<hobj_ref_t> scales_of(hid_t did, unsigned dimension) {
  check_dataset(did, "did");
  const unsigned rank = rank_of(did);
  check_dimension(dimension, rank);
  return read_dimension_list(did, rank)[dimension];
}

}  // namespace

herr_t H5DSset_scale(hid_t dsid, const char* dimname) {
  return high_level(outer(__func__), [&](auto&) {
    check_dataset(dsid, "dsid");
    if (has_attribute(dsid, DIMENSION_LIST)) refuse("the dataset has dimension scales itself");
    set_text_attribute(dsid, "CLASS", DIMENSION_SCALE_CLASS);
    if (dimname != nullptr) set_text_attribute(dsid, "NAME", dimname);
  });
}

htri_t H5DSis_scale(hid_t did) {
  return high_level(htri_t{-1}, outer(__func__), [&](auto&) {
    check_dataset(did, "did");
    return is_scale(did) ? 1 : 0;
  });
}

ssize_t H5DSget_scale_name(hid_t did, char* name, size_t size) {
  return high_level(ssize_t{-1}, outer(__func__), [&](auto&) {
    check_dataset(did, "did");
    if (!is_scale(did)) refuse("not a dimension scale");
    return copy_string(has_attribute(did, "NAME") ? get_text_attribute(did, "NAME") : std::string(), name,
                       size);
  });
}

herr_t H5DSattach_scale(hid_t did, hid_t dsid, unsigned int idx) {
  return high_level(outer(__func__), [&](auto&) { attach(Pair(did, dsid, idx)); });
}

herr_t H5DSdetach_scale(hid_t did, hid_t dsid, unsigned int idx) {
  return high_level(outer(__func__), [&](auto&) { detach(Pair(did, dsid, idx)); });
}

htri_t H5DSis_attached(hid_t did, hid_t dsid, unsigned int idx) {
  return high_level(htri_t{-1}, outer(__func__),
                    [&](auto&) { return is_attached(Pair(did, dsid, idx)) ? 1 : 0; });
}

int H5DSget_num_scales(hid_t did, unsigned int dim) {
  return high_level(-1, outer(__func__), [&](auto&) { return static_cast<int>(scales_of(did, dim).size()); });
}

herr_t H5DSiterate_scales(hid_t did, unsigned int dim, int* idx, H5DS_iterate_t visitor, void* visitor_data) {
  return high_level(herr_t{-1}, outer(__func__), [&](const QuietErrors& quiet) -> herr_t {
    const std::vector<hobj_ref_t> scales = scales_of(did, dim);
    const int count = static_cast<int>(scales.size());
    if (idx != nullptr && (*idx < 0 || *idx >= count)) refuse("no scale has the number that idx points to");
    for (int i = idx == nullptr ? 0 : *idx; i < count; ++i) {
      if (visitor == nullptr) refuse("visitor cannot be NULL");
      const OwnedId scale(
          H5Rdereference2(did, H5P_DEFAULT, H5R_OBJECT, &scales[static_cast<std::size_t>(i)]));
      if (idx != nullptr) *idx = i;
      const herr_t answer =
          QuietErrors::call_user_function(quiet, [&] { return visitor(did, dim, scale, visitor_data); });
      if (answer != 0) return answer;
    }
    return 0;
  });
}

herr_t H5DSset_label(hid_t did, unsigned int idx, const char* label) {
  return high_level(outer(__func__), [&](auto&) {
    check_dataset(did, "did");
    if (label == nullptr) refuse("label cannot be NULL");
    const unsigned rank = rank_of(did);
    check_dimension(idx, rank);
    auto labels = read_labels(did, rank);
    labels[idx] = label;
    write_labels(did, labels);
  });
}

ssize_t H5DSget_label(hid_t did, unsigned int idx, char* label, size_t size) {
  return high_level(ssize_t{-1}, outer(__func__), [&](auto&) {
    check_dataset(did, "did");
    const unsigned rank = rank_of(did);
    check_dimension(idx, rank);
    return copy_string(read_labels(did, rank)[idx].value_or(""), label, size);
  });
}

herr_t H5DSwith_new_ref(hid_t obj_id, hbool_t* with_new_ref) {
  return high_level(outer(__func__), [&](auto&) {
    if (with_new_ref == nullptr) refuse("with_new_ref cannot be NULL");
    file_of(obj_id);
    *with_new_ref = false;  // the stored references are those that all versions of HDF5 read
  });
}
