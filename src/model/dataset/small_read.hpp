// SPDX-License-Identifier: Apache-2.0
//
// Repeated reads of few elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/bytes.hpp"
#include "format/messages/datatype.hpp"
#include "model/dataset/messages.hpp"
#include "model/layout/layout.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

class Dataset;

/// How few elements become elements in memory.
struct SmallConversion {
  /// Larger transfers take so long that their preparation does not matter.
  static constexpr std::size_t most_bytes = 4096;

  std::shared_ptr<const void> memory_type;  ///< only compared, by its address
  type::ConversionPointer conversion;
  std::size_t count = 0;

  /// Converts the stored elements. Requires: as Conversion::apply().
  void apply(const std::byte* stored, std::byte* memory) const;
};

/// Returns the conversion of `count` elements, or nothing if it needs more than their bytes.
std::optional<SmallConversion> prepare_small(const format::DatatypeMessage& from,
                                             const format::DatatypeMessage& to, std::uint64_t count);

/// What a read of all elements of a dataset needs.
struct SmallRead : SmallConversion {
  std::shared_ptr<const DatasetMessages> messages;
  StoredElements stored;
};

/// Returns how to read all elements as `memory_type`. Returns nothing for chunks, external files, storage
/// that is not allocated, variable-length data and references, and for more than SmallConversion::most_bytes.
/// Requires: the file lock.
std::optional<SmallRead> prepare_small_read(const Dataset& dataset,
                                            const format::DatatypeMessage& memory_type);
/// Reads all elements. Returns false, having done nothing, if the file does not hold them.
/// Requires: the file lock, since prepare_small_read(), or the same revision of the metadata.
bool read_small(const Dataset& dataset, const SmallRead& read, std::byte* memory);

}  // namespace filigree::model
