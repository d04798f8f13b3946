// SPDX-License-Identifier: Apache-2.0
//
// Where two datasets can differ.
#pragma once

#include <functional>

#include <filigree/dataset.hpp>

namespace filigree::tools {

/// Visits boxes that together contain all elements in which the datasets can differ. Boxes do not overlap.
///
/// If elements that were never written are equal in both, these are chunks that one of them stores, or parts
/// and groups of such chunks with at most a million elements if their dimensions differ. Otherwise they are
/// pieces of about a million elements of the extent. Those of variable length have 16,384 elements.
/// Requires: the datasets have the same shape, and their elements can be compared.
void for_each_box(const Dataset& a, const Dataset& b, const std::function<void(const Selection&)>& visit);

}  // namespace filigree::tools
