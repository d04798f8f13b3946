// SPDX-License-Identifier: Apache-2.0
//
// How a transfer passes elements to the driver, for H5Pget_no_selection_io_cause and
// H5Pget_actual_selection_io_mode.
#pragma once

#include <cstdint>

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

enum class TransferDirection : bool { read, write };

struct SelectionIo {
  std::uint32_t cause = 0;  ///< H5D_SEL_IO_*: why the driver was not given selections or vectors of ranges
  std::uint32_t mode = 0;   ///< H5D_*_IO: what the driver was given
  SelectionIo& operator|=(const SelectionIo& other) {
    cause |= other.cause;
    mode |= other.mode;
    return *this;
  }
};

/// Drivers of the library get vectors of byte ranges. User-defined drivers get what they have callbacks for.
SelectionIo selection_io_of(const std::shared_ptr<DatasetHandle>& dataset, const TransferSettings& settings,
                            TransferDirection direction);

}  // namespace filigree::capi
