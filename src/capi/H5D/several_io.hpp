// SPDX-License-Identifier: Apache-2.0
//
// Transfers of the datasets of a call, with what the C API adds to Dataset::read_several() and
// write_several(): data transforms, user-defined conversions and references.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "capi/H5D/packed_io.hpp"
#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// One dataset of a call that reads (`Memory` is void) or writes (const void).
template <class Memory>
struct PartOfCall {
  std::shared_ptr<DatasetHandle> handle;
  TransferredElements<Memory> elements;
  std::uint64_t capacity;  ///< of the memory of the program, in elements, selected or not
};

/// Transfer the datasets with one request for each file, if their drivers accept it. There are several when
/// - values that the C API changes take more than 64 MiB together, or own memory;
/// - references of several files are transferred, because one file at a time receives or stores references;
/// - a write keeps parts of old values that a write before it may change.
void read_parts(std::span<const PartOfCall<void>> parts);
void write_parts(std::span<const PartOfCall<const void>> parts);

}  // namespace filigree::capi
