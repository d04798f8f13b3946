// SPDX-License-Identifier: Apache-2.0
//
// Elements of datasets to and from a program's memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/messages/datatype.hpp"
#include "space/selection.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class File;
struct VirtualTrail;

/// What a transfer moves, and how values are converted. Both selections have equally many elements.
struct Transfer {
  const space::Selection& file_elements;       ///< of the dataset's extent
  const space::Selection& memory_elements;     ///< of the caller's array
  const format::DatatypeMessage& memory_type;  ///< variable-length parts have containers
  type::Rules rules = type::Rules::natural;
  const type::FaultHandler* on_fault = nullptr;
  void* memory = nullptr;               ///< for Container::resize
  const VirtualTrail* trail = nullptr;  ///< virtual datasets whose source this dataset is
};

/// Unwritten elements get the fill value; with fill time `never` they stay what they were.
void read_elements(File& file, Address dataset, const Transfer& transfer, std::byte* memory);

/// Allocates storage where there is none. On failure some elements may have been written. Not for virtual
/// datasets.
void write_elements(File& file, Address dataset, const Transfer& transfer, const std::byte* memory);
/// Below this many elements, taking the exclusive lock directly is cheaper.
inline constexpr std::uint64_t least_shared_elements = 4096;
/// The same for a caller that holds the lock in shared mode: other threads go on while chunks are encoded or
/// sources of a virtual dataset are written. Returns false if write_elements() has to do it under the
/// exclusive lock: the write is too small, or the dataset was changed meanwhile.
bool write_elements_shared(File& file, Address dataset, const Transfer& transfer, const std::byte* memory);

/// Writes elements for a caller that holds the file lock in shared mode: under the shared lock if that pays
/// and the dataset stays unchanged, under the exclusive lock otherwise.
///
/// `with_transfer` selects elements in the current extent and passes the transfer to its argument. It is
/// called again under the exclusive lock, because the extent may have changed. `count` is the number of
/// elements.
void write_selected(File& file, Address dataset, std::uint64_t count,
                    FunctionRef<bool(FunctionRef<bool(const Transfer&)>)> with_transfer,
                    const std::byte* memory);

/// Throws Error when the dataset does not hold `elements` that would be worth memory for, `memory_bytes`
/// each: more bytes than the file has, or very many of which none has been written.
void require_data(File& file, Address dataset, std::uint64_t elements, std::uint64_t memory_bytes);

/// Those of the selected elements that are defined; all of them unless the dataset is sparse.
space::Selection defined_elements(File& file, Address dataset, const space::Selection& selection);
/// The same with their values in row-major order: `allocate` is called once, for the memory of so many
/// elements.
space::Selection read_defined(File& file, Address dataset, const space::Selection& selection,
                              const format::DatatypeMessage& memory_type,
                              FunctionRef<std::byte*(std::uint64_t)> allocate);
/// Throws Error(unsupported) unless the dataset is sparse.
void erase_elements(File& file, Address dataset, const space::Selection& selection);

}  // namespace filigree::model
