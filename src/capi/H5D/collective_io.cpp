// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/collective_io.hpp"

namespace filigree::capi {

void CollectiveIo::store(TransferSettings& to) const {
  to.local_no_collective_cause = to.global_no_collective_cause = cause;
  to.actual_io_mode = static_cast<H5D_mpio_actual_io_mode_t>(mode);
  to.actual_chunk_opt = static_cast<H5D_mpio_actual_chunk_opt_mode_t>(chunk_opt);
}

bool CollectiveIo::is_in(const TransferSettings& settings) const {
  return settings.global_no_collective_cause == cause &&
         static_cast<unsigned>(settings.actual_io_mode) == mode &&
         static_cast<unsigned>(settings.actual_chunk_opt) == chunk_opt;
}

CollectiveIo collective_io_of(const DatasetHandle& handle, const TransferSettings& settings,
                              TransferDirection direction) {
  if (!handle.open()->is_parallel()) return {};
  if (settings.transfer_mode != H5FD_MPIO_COLLECTIVE) return {.cause = H5D_MPIO_SET_INDEPENDENT};
  if (handle.dataset.space().kind() == Dataspace::Kind::null)
    return {.cause = H5D_MPIO_NOT_SIMPLE_OR_SCALAR_DATASPACES};
  const DatasetInfo info = handle.dataset.dataset_info();
  const bool is_chunked = info.layout == Layout::chunked || info.layout == Layout::structured;
  const bool is_encoded = info.sparse || !info.filters.empty() || !info.heap_filters.empty();
  if (is_chunked && is_encoded && direction == TransferDirection::read)
    return {.mode = H5D_MPIO_CHUNK_INDEPENDENT, .chunk_opt = H5D_MPIO_MULTI_CHUNK};
  if (is_chunked) return {.mode = H5D_MPIO_CHUNK_COLLECTIVE, .chunk_opt = H5D_MPIO_LINK_CHUNK};
  if (info.layout == Layout::contiguous && info.external.empty())
    return {.mode = H5D_MPIO_CONTIGUOUS_COLLECTIVE};
  return {.cause = H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET};
}

}  // namespace filigree::capi
