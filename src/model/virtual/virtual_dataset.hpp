// SPDX-License-Identifier: Apache-2.0
//
// Virtual datasets: elements that are those of other datasets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/messages/dataspace.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"

namespace filigree::model {

class File;

/// Sources may be virtual themselves. What one request has come through on its way.
struct VirtualTrail {
  const VirtualTrail* above = nullptr;
  const File* file = nullptr;
  Address dataset = Address::undefined;
  unsigned depth = 0;
  std::uint64_t* sources_left = nullptr;  ///< that the request may still look at
};

/// The extent of a dataset as it is now: that of a virtual dataset with unlimited mappings follows its
/// sources. Throws Error for sources that exist but cannot be read.
format::DataspaceMessage dataset_space(File& file, Address dataset, const VirtualTrail* trail = nullptr);

/// Whether its elements are those of others.
bool is_virtual(File& file, Address dataset);

// While sources are read and written, the thread does not hold the lock of the file: other files have locks
// of their own, and may have virtual datasets whose sources are here.

/// Reads elements that have no source with `read_fill`, which gets their places in memory; `transfer` is for
/// the extent that dataset_space() gave.
void read_virtual(File& file, Address dataset, const DatasetMessages& parts, const Transfer& transfer,
                  std::byte* memory, FunctionRef<void(const Transfer&)> read_fill);

/// Writes to the sources. Throws Error(invalid_argument), writing nothing, when some elements have none.
void write_virtual(File& file, Address dataset, const DatasetMessages& parts, const Transfer& transfer,
                   const std::byte* memory);

/// Bytes of all files that hold sources.
std::uint64_t source_file_bytes(File& file, Address dataset, const DatasetMessages& parts);

}  // namespace filigree::model
