// SPDX-License-Identifier: Apache-2.0
//
// Raw chunks of datasets, as they are stored (H5Dwrite_chunk, H5Dread_chunk, H5Dget_chunk_info and related
// functions). Functions on structured chunks are in H5Dstruct_chunk.cpp.
#include <algorithm>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include <hdf5_hl.h>

#include "capi/H5D/dataset_ids.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/H5S/dataspace.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_DATASET_g, &H5E_CANTGET_g}; }
Code cannot_write() { return {&H5E_DATASET_g, &H5E_WRITEERROR_g}; }

/// A chunked dataset and its rank.
struct Chunks {
  Chunks(hid_t id, bool structured_too) : handle(get_dataset(id, "a dataset ID")), dataset(handle->dataset) {
    const DatasetInfo info = dataset.dataset_info();
    if (info.layout == Layout::structured && !structured_too)
      throw NestedFailure({&H5E_DATASET_g, &H5E_UNSUPPORTED_g},
                          "a dataset of structured chunks: use the H5D..._struct_chunk functions");
    if (info.layout != Layout::chunked && info.layout != Layout::structured)
      bad_type("not a chunked dataset");
    chunk = info.chunk;
    rank = chunk.size();
  }
  std::span<const std::uint64_t> coordinates(const hsize_t* offset) const {
    if (offset == nullptr) bad_value("invalid offset (null)");
    return {offset, rank};
  }
  /// The coordinates of a chunk that is read or written as a whole. *Throws* Failure when no chunk begins
  /// there.
  std::span<const std::uint64_t> corner(const hsize_t* offset) const {
    const std::vector<std::uint64_t> dims = dataset.space().dims();
    for (std::size_t d = 0; d < rank; ++d)
      if (offset[d] >= dims[d] || offset[d] % chunk[d] != 0)
        throw Failure({&H5E_DATASET_g, &H5E_CANTALLOC_g}, "no chunk begins at the offset");
    return {offset, rank};
  }
  std::shared_ptr<DatasetHandle> handle;
  Dataset dataset;
  std::vector<std::uint64_t> chunk;
  std::size_t rank = 0;
};

void store_info(const ChunkInfo& info, hsize_t* offset, unsigned* mask, haddr_t* address, hsize_t* size) {
  if (offset != nullptr) std::ranges::copy(info.offset, offset);
  if (mask != nullptr) *mask = info.filter_mask;
  if (address != nullptr) *address = info.address;
  if (size != nullptr) *size = info.stored_bytes;
}

void store_missing(unsigned* mask, haddr_t* address, hsize_t* size) {
  if (mask != nullptr) *mask = 0;
  if (address != nullptr) *address = HADDR_UNDEF;
  if (size != nullptr) *size = 0;
}

herr_t write_chunk(const char* function, hid_t dset_id, hid_t dxpl_id, std::uint32_t filters,
                   const hsize_t* offset, std::size_t bytes, const void* buf) {
  return api_call({function, cannot_write(), "can't write unprocessed chunk data"}, [&] {
    Chunks chunks(dset_id, false);
    if (buf == nullptr) bad_value("buf cannot be NULL");
    if (offset == nullptr) bad_value("offset cannot be NULL");
    if (bytes == 0) bad_value("data_size cannot be zero");
    if (bytes > 0xffffffff) bad_value("invalid data_size - chunks cannot be > 4 GB");
    check_transfer_plist(dxpl_id);
    chunks.dataset.write_chunk(chunks.corner(offset), {static_cast<const std::byte*>(buf), bytes}, filters);
  });
}

herr_t read_chunk(const char* function, hid_t dset_id, hid_t dxpl_id, const hsize_t* offset,
                  std::uint32_t* filters, void* buf) {
  return api_call({function, {&H5E_DATASET_g, &H5E_READERROR_g}, "can't read unprocessed chunk data"}, [&] {
    const Chunks chunks(dset_id, false);
    if (buf == nullptr) bad_value("buf cannot be NULL");
    if (offset == nullptr) bad_value("offset cannot be NULL");
    if (filters == nullptr) bad_value("filters cannot be NULL");
    check_transfer_plist(dxpl_id);
    const RawChunk chunk = chunks.dataset.read_chunk(chunks.corner(offset));
    *filters = chunk.filter_mask;
    std::memcpy(buf, chunk.bytes.data(), chunk.bytes.size());
  });
}

}  // namespace

herr_t H5Dwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t* offset, size_t data_size,
                      const void* buf) {
  return write_chunk(__func__, dset_id, dxpl_id, filters, offset, data_size, buf);
}

herr_t H5DOwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t* offset,
                       size_t data_size, const void* buf) {
  return write_chunk(__func__, dset_id, dxpl_id, filters, offset, data_size, buf);
}

herr_t H5Dread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t* offset, uint32_t* filters, void* buf) {
  return read_chunk(__func__, dset_id, dxpl_id, offset, filters, buf);
}

herr_t H5Dread_chunk1(hid_t dset_id, hid_t dxpl_id, const hsize_t* offset, uint32_t* filters, void* buf) {
  return read_chunk(__func__, dset_id, dxpl_id, offset, filters, buf);
}

herr_t H5Dread_chunk2(hid_t dset_id, hid_t dxpl_id, const hsize_t* offset, uint32_t* filters, void* buf,
                      size_t* buf_size) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_READERROR_g}, "can't read unprocessed chunk data"}, [&] {
    const Chunks chunks(dset_id, false);
    if (offset == nullptr) bad_value("offset cannot be NULL");
    if (filters == nullptr) bad_value("filters cannot be NULL");
    if (buf_size == nullptr) bad_value("buf_size cannot be NULL");
    check_transfer_plist(dxpl_id);
    const RawChunk chunk = chunks.dataset.read_chunk(chunks.corner(offset));
    *filters = chunk.filter_mask;
    if (buf != nullptr && *buf_size >= chunk.bytes.size())
      std::memcpy(buf, chunk.bytes.data(), chunk.bytes.size());
    *buf_size = chunk.bytes.size();
  });
}

herr_t H5DOread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t* offset, uint32_t* filters, void* buf) {
  return read_chunk(__func__, dset_id, dxpl_id, offset, filters, buf);
}

herr_t H5Dget_chunk_index_type(hid_t did, H5D_chunk_index_t* idx_type) {
  return api_call({__func__, cannot_get(), "can't get chunk index type"}, [&] {
    get_dataset(did, "a dataset ID");
    if (idx_type == nullptr) bad_value("idx_type parameter cannot be NULL");
    const Chunks chunks(did, true);
    *idx_type = static_cast<H5D_chunk_index_t>(chunks.dataset.dataset_info().chunk_index);
  });
}

herr_t H5Dformat_convert(hid_t dset_id) {
  return api_call({__func__, {&H5E_INTERNAL_g, &H5E_CANTSET_g}, "can't convert dataset format"},
                  [&] { get_dataset(dset_id, "a dataset ID")->dataset.downgrade(); });
}

herr_t H5Dget_num_chunks(hid_t dset_id, hid_t fspace_id, hsize_t* nchunks) {
  return api_call({__func__, cannot_get(), "can't get number of chunks"}, [&] {
    get_dataset(dset_id, "a dataset ID");
    if (nchunks == nullptr) bad_value("invalid argument (null)");
    const Chunks chunks(dset_id, true);
    *nchunks = chunks.dataset.chunk_count(file_selection(fspace_id));
  });
}

herr_t H5Dget_chunk_info(hid_t dset_id, hid_t fspace_id, hsize_t chk_idx, hsize_t* offset,
                         unsigned* filter_mask, haddr_t* addr, hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get chunk info by index"}, [&] {
    const auto handle = get_dataset(dset_id, "a dataset ID");
    if (offset == nullptr && filter_mask == nullptr && addr == nullptr && size == nullptr)
      bad_value("invalid arguments, must have at least one non-null output argument");
    const Chunks chunks(dset_id, false);
    const Selection selection = file_selection(fspace_id);
    if (chk_idx >= chunks.dataset.chunk_count(selection))
      throw NestedFailure({&H5E_DATASET_g, &H5E_BADRANGE_g}, "chunk index is out of range");
    store_info(chunks.dataset.nth_chunk(chk_idx, selection), offset, filter_mask, addr, size);
  });
}

herr_t H5Dget_chunk_info_by_coord(hid_t dset_id, const hsize_t* offset, unsigned* filter_mask, haddr_t* addr,
                                  hsize_t* size) {
  return api_call({__func__, cannot_get(), "can't get chunk info by its logical coordinates"}, [&] {
    get_dataset(dset_id, "a dataset ID");
    if (filter_mask == nullptr && addr == nullptr && size == nullptr)
      bad_value("invalid arguments, must have at least one non-null output argument");
    if (offset == nullptr) bad_value("invalid argument (null)");
    const Chunks chunks(dset_id, false);
    const auto dims = chunks.dataset.space().dims();
    const bool inside = std::ranges::equal(chunks.coordinates(offset), dims, std::less<>());
    const auto found = inside ? chunks.dataset.find_chunk(chunks.coordinates(offset)) : std::nullopt;
    if (found) {
      store_info(*found, nullptr, filter_mask, addr, size);
    } else {
      store_missing(filter_mask, addr, size);
    }
  });
}

herr_t H5Dget_chunk_storage_size(hid_t dset_id, const hsize_t* offset, hsize_t* chunk_bytes) {
  return api_call({__func__, cannot_get(), "unable to get storage size of chunk"}, [&] {
    get_dataset(dset_id, "a dataset ID");
    if (offset == nullptr) bad_value("offset parameter cannot be NULL");
    if (chunk_bytes == nullptr) bad_value("chunk_nbytes parameter cannot be NULL");
    const Chunks chunks(dset_id, true);
    const auto found = chunks.dataset.find_chunk(chunks.coordinates(offset));
    *chunk_bytes = found ? found->stored_bytes : 0;
  });
}

herr_t H5Dchunk_iter(hid_t dset_id, hid_t dxpl_id, H5D_chunk_iter_op_t cb, void* op_data) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_BADITER_g}, "error iterating over dataset chunks"},
                  [&]() -> herr_t {
                    get_dataset(dset_id, "a dataset ID");
                    if (cb == nullptr) bad_value("invalid callback to chunk iteration");
                    check_transfer_plist(dxpl_id);
                    const Chunks chunks(dset_id, false);
                    int result = 0;
                    chunks.dataset.for_each_chunk([&](const ChunkInfo& info) {
                      result = cb(reinterpret_cast<const hsize_t*>(info.offset.data()), info.filter_mask,
                                  info.address, info.stored_bytes, op_data);
                      return result == 0;
                    });
                    if (result < 0)
                      throw CallbackFailure({&H5E_DATASET_g, &H5E_BADITER_g}, "the callback failed");
                    return result;
                  });
}
