// SPDX-License-Identifier: Apache-2.0
//
// Elements of sparse datasets as lists of linear offsets with their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "chunk/sparse/offset_reader.hpp"
#include "format/messages/datatype.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"

namespace filigree::model {

class File;

using chunk::OffsetBuffers;

/// Reads the selected elements that are defined, in ascending order of their offsets, and returns their
/// number. `allocate` is called once, with an upper bound of that number. Requires: the shared file lock.
std::uint64_t read_defined_offsets(File& file, Address dataset, const space::Selection& selection,
                                   const format::DatatypeMessage& memory_type,
                                   FunctionRef<OffsetBuffers(std::uint64_t)> allocate);

/// Writes elements at offsets within the extent. Hint: no other elements of `covered` will be written soon.
/// Returns false if the caller must use write_elements() instead, because the format of the chunks has no
/// offset codec, the conversion needs the file, or the dataset was changed concurrently.
/// Requires: the offsets ascend, and the shared file lock is held. Throws: Error(read_only).
bool write_offsets_shared(File& file, Address dataset, std::span<const std::uint64_t> offsets,
                          space::Run covered, const format::DatatypeMessage& memory_type,
                          const std::byte* memory);

}  // namespace filigree::model
