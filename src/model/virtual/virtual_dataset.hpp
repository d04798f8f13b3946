// SPDX-License-Identifier: Apache-2.0
//
// Virtual datasets: extent and transfers of elements that are mapped to other datasets.
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

/// The chain of virtual datasets that one request has come through, because sources may be virtual
/// themselves.
struct VirtualTrail {
  const VirtualTrail* above = nullptr;
  const File* file = nullptr;
  Address dataset = Address::undefined;
  unsigned depth = 0;
  std::uint64_t* sources_left = nullptr;  ///< the remaining budget of the request
};

/// Returns the current extent of a dataset of any layout. The extent of a virtual dataset with unlimited
/// mappings depends on its sources.
/// Requires: the file lock. It is released while sources of a virtual dataset are examined.
/// Throws: Error for sources that exist but cannot be read.
format::DataspaceMessage dataset_space(File& file, Address dataset, const VirtualTrail* trail = nullptr);

/// Returns whether the dataset is virtual, without decoding its messages.
bool is_virtual(File& file, Address dataset);

// The file lock is released while sources are read and written: other files have locks of their own, and may
// have virtual datasets whose sources are in this file.

/// Reads elements from their sources. `read_fill` is called with the transfer of the elements without a
/// source. Requires: `transfer` was made for the extent that dataset_space() returned.
void read_virtual(File& file, Address dataset, const DatasetMessages& parts, const Transfer& transfer,
                  std::byte* memory, FunctionRef<void(const Transfer&)> read_fill);

/// Writes elements to their sources.
/// Throws: Error(invalid_argument) if an element has no source; nothing is written then.
void write_virtual(File& file, Address dataset, const DatasetMessages& parts, const Transfer& transfer,
                   const std::byte* memory);

/// Returns the size of all existing source files.
std::uint64_t source_file_bytes(File& file, Address dataset, const DatasetMessages& parts);

}  // namespace filigree::model
