// SPDX-License-Identifier: Apache-2.0
//
// What datasets with sections store, as the chunk index knows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <filigree/dataset.hpp>

namespace filigree::tools {

/// Sums over all chunks.
struct SectionSizes {
  std::uint64_t stored_bytes = 0;
  std::uint64_t original_bytes = 0;  ///< before filters; 0 if it is not known
};

std::string_view section_name(SectionKind kind);
/// Returns the sections of structured and portable chunks in their order; none for others.
std::vector<SectionKind> section_kinds(const DatasetInfo& info);
/// Returns the filters of a section.
const std::vector<FilterChoice>& section_filters(const DatasetInfo& info, SectionKind kind);
/// Portable chunks say themselves what they define. Commands read at most so many of them to count.
inline constexpr std::uint64_t most_counted_envelopes = 10'000;
/// Returns the sizes of the sections of all chunks, from the index. It knows portable chunks only as a whole:
/// they are read for it if they are few, otherwise the result is empty.
std::vector<SectionSizes> section_sizes(const Dataset& data, const DatasetInfo& info);

/// Returns the number of chunks in an extent; empty for 2^64 and more.
std::optional<std::uint64_t> chunks_in(const Dataspace& space, const std::vector<std::uint64_t>& chunk);

}  // namespace filigree::tools
