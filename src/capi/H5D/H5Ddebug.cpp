// SPDX-License-Identifier: Apache-2.0
//
// H5Ddebug: where the elements of a dataset are stored, in the form of HDF5.
#include <cstdio>

#include <fmt/format.h>

#include "capi/H5D/dataset_ids.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// HDF5 prints addresses without the user block.
class StoredAddress {
 public:
  explicit StoredAddress(const Dataset& dataset)
      : base_(dataset.file().creation_options().user_block_bytes) {}
  haddr_t operator()(const std::optional<std::uint64_t>& address) const {
    return address ? *address - base_ : HADDR_UNDEF;
  }

 private:
  std::uint64_t base_;
};

void print_chunk(const ChunkInfo& chunk, haddr_t address, bool first) {
  if (first) {
    fmt::print("           Flags    Bytes     Address          Logical Offset\n");
    fmt::print("        ========== ======== ========== ==============================\n");
  }
  // As in the index of old files, the bytes of an element are one more dimension.
  fmt::print("        {:#010x} {:8} {:10} [{}, 0]\n", chunk.filter_mask, chunk.stored_bytes, address,
             fmt::join(chunk.offset, ", "));
}

}  // namespace

herr_t H5Ddebug(hid_t dset_id) {
  return api_call({__func__, {&H5E_DATASET_g, &H5E_CANTGET_g}, "unable to show dataset"}, [&] {
    const auto handle = get_dataset(dset_id);
    const Dataset& dataset = handle->dataset;
    const DatasetInfo info = dataset.dataset_info();
    const StoredAddress stored(dataset);
    if (info.layout == Layout::contiguous)
      fmt::print("    {:<10} {}\n", "Address:", stored(info.data_address));
    if (info.layout == Layout::chunked || info.layout == Layout::structured) {
      fmt::print("    Address: {}\n", stored(info.index_address));
      bool first = true;
      dataset.for_each_chunk([&](const ChunkInfo& chunk) {
        print_chunk(chunk, stored(chunk.address), std::exchange(first, false));
        return true;
      });
    }
    std::fflush(stdout);
  });
}
