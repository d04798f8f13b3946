// SPDX-License-Identifier: Apache-2.0
//
// Fill values of property lists, which own what they point to.
#pragma once

#include "capi/H5P/settings.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// A copy of one element of `type`, as programs hold it.
FillSetting copy_fill(const Datatype& type, const void* element);
/// The value as an element of `type`; what it points to is the program's to free. Throws Error for types that
/// it cannot be converted to.
void read_fill(const FillSetting& fill, const Datatype& type, void* element);

}  // namespace filigree::capi
