// SPDX-License-Identifier: Apache-2.0
//
// Reads defined elements of a sparse dataset as a list of linear offsets, or of columns, with their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/function_ref.hpp"
#include "chunk/table/chunk_table.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// The caller's memory for defined elements.
struct OffsetBuffers {
  void* offsets = nullptr;  ///< numbers as IndexFormat says
  std::byte* values = nullptr;
};

/// What identifies an element in memory: its linear offset in the extent, or its column in a matrix.
struct IndexFormat {
  std::size_t bytes = 8;  ///< of a number: 4 or 8
  /// If not empty: columns are listed, and the number of elements of each row is added to its item.
  std::span<std::uint64_t> row_counts{};
  bool has_columns() const { return !row_counts.empty(); }
};

/// *Thread safety*: any number of threads, under the shared lock.
class OffsetReader {
 public:
  /// *Requires*: numbers of the format can hold all offsets, or columns; for columns, a matrix.
  explicit OffsetReader(const ChunkTable& table, IndexFormat indices = {})
      : table_(table), indices_(indices) {}

  /// Reads by ascending offset; returns the number of elements. `check_plausible` gets an upper bound of
  /// that number, and may throw. `allocate` is called once, with the same bound. Returns nothing, before it
  /// calls either, if other ways of reading are needed: for chunks that declare more elements than is
  /// plausible, and for formats and selections that are not supported. Columns are listed for all elements
  /// only. *Requires*: elements of a fixed size, and a conversion that several threads may use.
  std::optional<std::uint64_t> read(const space::Selection& selection, const Values& values,
                                    FunctionRef<void(std::uint64_t)> check_plausible,
                                    FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const;

 private:
  std::optional<std::uint64_t> read_stripes(const space::Selection& selection, const Values& values,
                                            FunctionRef<void(std::uint64_t)> check_plausible,
                                            FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const;
  std::optional<std::uint64_t> read_selected(const space::Selection& selection, const Values& values,
                                             FunctionRef<void(std::uint64_t)> check_plausible,
                                             FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const;

  const ChunkTable& table_;
  IndexFormat indices_;
};

}  // namespace filigree::chunk
