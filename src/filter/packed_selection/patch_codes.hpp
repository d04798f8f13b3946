// SPDX-License-Identifier: Apache-2.0
//
// Sets whose elements stand together in small groups, such as peaks of a few pixels: each group by the place
// of its first element and a few bits for those around it. docs/format/packed-selection.md has the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "filter/packed_selection/bitmap.hpp"
#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// The neighbours of a first element that its patch speaks of: those behind it in its row, and in the rows
/// below those from `left` columns before it to `right` columns behind it.
struct PatchShape {
  std::uint8_t rows = 0, left = 0, right = 0;

  static constexpr unsigned most_bits = 40;
  constexpr unsigned row_bits() const { return left + 1u + right; }
  constexpr unsigned bits() const { return right + (rows - 1u) * row_bits(); }
  /// Whether a file may have it.
  bool is_possible() const {
    return rows >= 1 && rows <= 8 && left < 32 && right < 32 && bits() <= most_bits;
  }
};

struct PatchPlan {
  PatchShape shape = {};
  Words gaps = {};   ///< from one first element to the next, less 1 but for the first
  Words masks = {};  ///< one for each patch, of `shape.bits()` bits
  RiceCode gap_code = {};
  std::uint64_t bits = 0;  ///< of all patches
};

/// Extents of more elements have no patches: a reader paints them.
inline constexpr std::uint64_t most_patched_elements = std::uint64_t{1} << 20;

/// Nothing where there are not fewer patches than runs. `row` is the last dimension, `end` the number of
/// elements of the extent, which is at most most_patched_elements.
std::optional<PatchPlan> plan_patches(WordSpan edges, std::uint64_t end, std::uint64_t row);
/// The same of bits that are `runs` runs.
std::optional<PatchPlan> plan_patches(Bitmap set, std::uint64_t row, std::size_t runs);

/// The elements of patches. Throws Error.
Bitmap read_patches(VarintReader& in, std::uint64_t count, std::uint64_t end, std::uint64_t row);
void write_patches(Buffer& to, const PatchPlan& plan);

}  // namespace filigree::filter
