// SPDX-License-Identifier: Apache-2.0
//
// I/O with a data transform (H5Pset_data_transform).
#pragma once

#include <memory>

#include "capi/H5D/packed_io.hpp"

namespace filigree::capi {

/// *Requires* settings with an expression. *Throw* Error(invalid_argument) if it is not valid.
std::unique_ptr<PackedRead> transformed_read(const TransferredElements<void>& elements);
std::unique_ptr<PackedWrite> transformed_write(const TransferredElements<const void>& elements);

}  // namespace filigree::capi
