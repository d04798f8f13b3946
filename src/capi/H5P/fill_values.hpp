// SPDX-License-Identifier: Apache-2.0
//
// Fill values of property lists. They own their variable-length data.
#pragma once

#include "capi/H5P/settings.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::capi {

/// Returns a copy of one element of `type`, in its memory form.
FillSetting copy_fill(const Datatype& type, const void* element);
/// Stores the value as an element of `type`. The program owns the variable-length data of the element.
/// *Throws* Error for types that the value cannot be converted to.
void read_fill(const FillSetting& fill, const Datatype& type, void* element);

}  // namespace filigree::capi
