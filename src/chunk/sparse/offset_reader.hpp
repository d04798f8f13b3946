// SPDX-License-Identifier: Apache-2.0
//
// Reads all defined elements of a sparse dataset as a list of linear offsets with their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/function_ref.hpp"
#include "chunk/table/chunk_table.hpp"

namespace filigree::chunk {

/// The caller's memory for defined elements.
struct OffsetBuffers {
  std::uint64_t* offsets = nullptr;  ///< linear offsets in the extent
  std::byte* values = nullptr;
};

/// *Thread safety*: any number of threads, under the shared lock.
class OffsetReader {
 public:
  /// *Requires*: the format has an OffsetCodec.
  explicit OffsetReader(const ChunkTable& table) : table_(table) {}

  /// Reads by ascending offset; returns the number of elements. `check_plausible` gets an upper bound of
  /// that number, and may throw. `allocate` is called once, with the same bound. Returns nothing, before it
  /// calls either, if chunks declare more elements than is plausible: then DefinedQuery::read() finds out.
  std::optional<std::uint64_t> read(const Values& values, FunctionRef<void(std::uint64_t)> check_plausible,
                                    FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const;

 private:
  const ChunkTable& table_;
};

}  // namespace filigree::chunk
