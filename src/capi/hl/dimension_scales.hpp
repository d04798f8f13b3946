// SPDX-License-Identifier: Apache-2.0
//
// The attributes that store dimension scales.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// The attached scales of each dimension (DIMENSION_LIST of a dataset).
using DimensionList = std::vector<std::vector<hobj_ref_t>>;
DimensionList read_dimension_list(hid_t dataset, unsigned rank);
/// Writes the attribute, or removes it when no scale is attached.
void write_dimension_list(hid_t dataset, DimensionList scales);

/// A dimension that a scale is attached to (REFERENCE_LIST of a scale), in the memory form of the elements.
struct ScaleUse {
  hobj_ref_t dataset = 0;
  int dimension = 0;
  int padding = 0;  ///< Goes to the file with the rest of the element, so that equal calls write equal bytes.
  bool operator==(const ScaleUse& other) const {
    return dataset == other.dataset && dimension == other.dimension;
  }
};
std::vector<ScaleUse> read_uses(hid_t scale);
void write_uses(hid_t scale, const std::vector<ScaleUse>& uses);

/// The label of each dimension (DIMENSION_LABELS of a dataset).
using DimensionLabels = std::vector<std::optional<std::string>>;
DimensionLabels read_labels(hid_t dataset, unsigned rank);
void write_labels(hid_t dataset, const DimensionLabels& labels);

}  // namespace filigree::capi
