// SPDX-License-Identifier: Apache-2.0
//
// The compact layout: elements in the object header.
#pragma once

#include "base/bytes.hpp"

namespace filigree::model {

class Dataset;

/// Replaces the elements of a compact dataset in its layout message.
/// Requires: the exclusive file lock, within a Change.
void store_compact(const Dataset& dataset, Buffer elements);

}  // namespace filigree::model
