// SPDX-License-Identifier: Apache-2.0
//
// How a transfer in a file of MPI processes was made, for H5Pget_mpio_actual_io_mode,
// H5Pget_mpio_actual_chunk_opt_mode and H5Pget_mpio_no_collective_cause.
#pragma once

#include <algorithm>
#include <cstdint>

#include "capi/H5D/selection_io.hpp"
#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// Values of HDF5's enumerations, for one dataset or for all datasets of a call.
struct CollectiveIo {
  std::uint32_t cause = 0;  ///< H5D_MPIO_*: why a request was not collective
  unsigned mode = H5D_MPIO_NO_COLLECTIVE;
  unsigned chunk_opt = H5D_MPIO_NO_CHUNK_OPTIMIZATION;
  CollectiveIo& operator|=(const CollectiveIo& other) {
    cause |= other.cause;
    mode |= other.mode;
    chunk_opt = std::max(chunk_opt, other.chunk_opt);  // several requests, if one dataset needs several
    return *this;
  }
  void store(TransferSettings& to) const;
  bool is_in(const TransferSettings& settings) const;
};

/// Collective transfers of chunks are one request, which HDF5 calls a link of chunks. Conversions and data
/// transforms do not end that. But each process reads the filtered and sparse chunks that it needs itself.
/// For files of one process nothing is reported.
CollectiveIo collective_io_of(const DatasetHandle& handle, const TransferSettings& settings,
                              TransferDirection direction);

}  // namespace filigree::capi
