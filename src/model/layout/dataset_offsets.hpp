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

/// Reads the selected elements that are defined, by ascending offset; returns their number. `allocate` is
/// called once, with an upper bound of that number.
std::uint64_t read_defined_offsets(File& file, Address dataset, const space::Selection& selection,
                                   const format::DatatypeMessage& memory_type,
                                   FunctionRef<OffsetBuffers(std::uint64_t)> allocate);

/// Writes elements at ascending offsets inside of the extent. No other elements of `covered` are expected
/// soon. *Requires*: the file's lock in shared mode. Returns false if write_elements() has to do it: the
/// dataset is of another kind, or it was changed meanwhile.
bool write_offsets_shared(File& file, Address dataset, std::span<const std::uint64_t> offsets,
                          space::Run covered, const format::DatatypeMessage& memory_type,
                          const std::byte* memory);

}  // namespace filigree::model
