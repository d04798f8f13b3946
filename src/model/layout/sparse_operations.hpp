// SPDX-License-Identifier: Apache-2.0
//
// The operations of sparse datasets, whatever the bytes of their chunks are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/function_ref.hpp"
#include "chunk/sparse/offset_reader.hpp"
#include "format/messages/datatype.hpp"
#include "space/selection.hpp"

namespace filigree::model {

class Dataset;

/// Without state, as Layout. Requires and thread safety are those of Layout.
class SparseOperations {
 public:
  /// Returns the selected elements that are defined.
  space::Selection defined(const Dataset& dataset, const space::Selection& selection) const;
  /// Returns their number.
  std::uint64_t defined_count(const Dataset& dataset, const space::Selection& selection) const;
  /// Returns the number of chunks that HDF5 has stored; see DefinedQuery::count_chunks_from_hdf5().
  std::uint64_t count_chunks_from_hdf5(const Dataset& dataset) const;
  /// Reads defined elements with their values; see Dataset::read_defined(). Empty, without any effect, if the
  /// values must be read in a second step.
  std::optional<space::Selection> read_defined(const Dataset& dataset, const space::Selection& selection,
                                               const format::DatatypeMessage& memory_type,
                                               FunctionRef<std::byte*(std::uint64_t)> allocate) const;
  /// Reads offsets or columns, and values, of defined elements; see Dataset::read_defined_offsets(). Empty,
  /// without any effect, if the chunk format or the conversion does not support it.
  std::optional<std::uint64_t> read_offsets(const Dataset& dataset, const space::Selection& selection,
                                            const format::DatatypeMessage& memory_type,
                                            const chunk::IndexFormat& indices,
                                            FunctionRef<chunk::OffsetBuffers(std::uint64_t)> allocate) const;
  /// Writes elements at offsets; see Dataset::write_offsets_shared().
  bool write_offsets(const Dataset& dataset, std::span<const std::uint64_t> offsets, space::Run covered,
                     const format::DatatypeMessage& memory_type, const std::byte* memory) const;
  /// Makes elements undefined.
  void erase(const Dataset& dataset, const space::Selection& selection) const;
};

/// The one object.
const SparseOperations& sparse_operations();

}  // namespace filigree::model
