// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/selection_io.hpp"

#include "capi/H5P/options.hpp"

namespace filigree::capi {
namespace {

/// What a driver takes at once.
std::uint32_t taken_by_driver(const OpenFile& open, TransferDirection direction) {
  const auto driver = driver_of(open.access->driver);
  if (driver->of_library) return H5D_VECTOR_IO;
  const H5FD_class_t& calls = driver->functions;
  const bool reads = direction == TransferDirection::read;
  if (reads ? calls.read_selection != nullptr : calls.write_selection != nullptr) return H5D_SELECTION_IO;
  if (reads ? calls.read_vector != nullptr : calls.write_vector != nullptr) return H5D_VECTOR_IO;
  return H5D_SCALAR_IO;
}

bool accepts_selections(const OpenFile& open) {
  const auto driver = driver_of(open.access->driver);
  return !driver->of_library &&
         (driver->functions.read_selection != nullptr || driver->functions.write_selection != nullptr);
}

std::uint64_t chunk_bytes(const Dataset& dataset, const DatasetInfo& info) {
  std::uint64_t bytes = dataset.datatype().size();
  for (const std::uint64_t extent : info.chunk) bytes *= extent;
  return bytes;
}

/// Why the elements pass through memory of the library: a cache, filters, or another layout.
struct Detour {
  std::uint32_t cause = 0;
  bool compact = false;  ///< the elements are metadata
};

Detour find_detour(const DatasetHandle& handle) {
  const Detour other_layout{H5D_SEL_IO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET, false};
  if (handle.is_virtual) return other_layout;
  const OpenFile& open = *handle.open();
  const DatasetInfo info = handle.dataset.dataset_info();
  const bool paged = open.access->options.page_buffer_bytes != 0;
  if (info.layout == Layout::compact) return {other_layout.cause, true};
  if (info.layout == Layout::contiguous && info.external.empty())
    return {paged ? H5D_SEL_IO_PAGE_BUFFER : 0u, false};
  if (info.layout != Layout::chunked || info.sparse) return other_layout;
  if (!info.filters.empty()) return {H5D_SEL_IO_DATASET_FILTER, false};
  if (paged) return {H5D_SEL_IO_PAGE_BUFFER, false};
  if (accepts_selections(open) || open.is_parallel()) return {};  // the chunk cache is bypassed
  const bool cached = chunk_bytes(handle.dataset, info) <= chunk_cache(*handle.access, *open.access).bytes;
  return {cached ? H5D_SEL_IO_CHUNK_CACHE : 0u, false};
}

/// The same, remembered for the last dataset of the thread: it never changes, and small transfers are many.
Detour detour_of(const std::shared_ptr<DatasetHandle>& handle) {
  thread_local std::weak_ptr<DatasetHandle> last;
  thread_local Detour known;
  if (last.lock() != handle) {
    known = find_detour(*handle);
    last = handle;
  }
  return known;
}

}  // namespace

SelectionIo selection_io_of(const std::shared_ptr<DatasetHandle>& handle, const TransferSettings& settings,
                            TransferDirection direction) {
  const Detour detour = detour_of(handle);
  SelectionIo io;
  io.cause = detour.cause;
  // As in HDF5, the program's own choice hides the other causes but for the layout.
  if (settings.selection_io == H5D_SELECTION_IO_MODE_OFF)
    io.cause = H5D_SEL_IO_DISABLE_BY_API | (io.cause & H5D_SEL_IO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET);
  if (detour.compact) return io;
  io.mode = taken_by_driver(*handle->open(), direction);
  if (io.mode == H5D_SCALAR_IO && io.cause == 0)
    io.cause |= settings.selection_io == H5D_SELECTION_IO_MODE_ON ? H5D_SEL_IO_NO_VECTOR_OR_SELECTION_IO_CB
                                                                  : H5D_SEL_IO_DEFAULT_OFF;
  // A detour ends with ranges of bytes.
  if (io.mode == H5D_SELECTION_IO && io.cause != 0) io.mode = H5D_VECTOR_IO;
  return io;
}

}  // namespace filigree::capi
