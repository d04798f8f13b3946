// SPDX-License-Identifier: Apache-2.0
//
// Writes elements of a sparse dataset that are given as linear offsets with their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "chunk/table/exclusive_access.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// *Thread safety*: the caller holds the file's lock, shared or exclusive; `access` says which.
class OffsetWriter {
 public:
  /// *Requires*: the format has an OffsetCodec.
  explicit OffsetWriter(ChunkTable& table) : table_(table) {}

  /// *Requires*: ascending offsets inside of the extent; contiguous values; a conversion that several threads
  /// may use. `covered` is a range of offsets of which no other elements are expected soon: new chunks in it
  /// bypass the cache. Returns false if exclusive access was refused; some chunks may be written by then.
  bool write(std::span<const std::uint64_t> offsets, space::Run covered, const Values& values,
             ExclusiveAccess& access);

 private:
  /// Writes the elements with these ordinals in the list by ChunkWriter.
  template <class OrdinalAt>
  bool write_by_chunks(std::span<const std::uint64_t> offsets, std::size_t count, OrdinalAt ordinal_at,
                       const Values& values, ExclusiveAccess& access);

  ChunkTable& table_;
};

}  // namespace filigree::chunk
