// SPDX-License-Identifier: Apache-2.0
//
// Repeated reads of few elements of a dataset of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "format/messages/datatype.hpp"
#include "model/dataset/messages.hpp"
#include "model/layout/layout.hpp"
#include "space/frame.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class Dataset;

/// A box of elements: where it begins, and how many elements it has in each dimension.
struct SmallBox {
  std::span<const std::uint64_t> start, count;
};

/// What reads of small boxes have in common.
struct SmallBoxRead {
  std::shared_ptr<const void> memory_type;  ///< only compared, by its address
  std::size_t memory_bytes = 0;             ///< of an element
  type::ConversionPointer conversion;       ///< null: boxes of this dataset are not read
  std::shared_ptr<const DatasetMessages> messages;
  space::Frame extent;
  std::optional<StoredElements> stored;  ///< nothing: in chunks
};

/// Prepares reads of boxes as `memory_type`. There is no conversion, and no box is read, for external files
/// and virtual datasets, storage that is not allocated, variable-length data and references.
/// Requires: the file lock.
SmallBoxRead prepare_small_boxes(const Dataset& dataset, const format::DatatypeMessage& memory_type);
/// Reads a box. Returns false, having done nothing, for a box that is not within the extent, is empty, has
/// more than SmallConversion::most_bytes or is scattered, and for a chunk that is not in the cache.
/// Requires: the file lock, since prepare_small_boxes(), or the same revision of the metadata.
bool read_small_box(const Dataset& dataset, const SmallBoxRead& read, const SmallBox& box, std::byte* memory);

}  // namespace filigree::model
