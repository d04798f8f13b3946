// SPDX-License-Identifier: Apache-2.0
//
// The patch encoding, for sets whose elements form small groups such as peaks of a few pixels. A patch is the
// offset of a first element and a bit mask of the elements around it. docs/format/packed-selection.md
// specifies the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "filter/packed_selection/bitmap.hpp"
#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// The neighbours of a first element that its patch covers: those after it in its row, and in the rows below
/// those from `left` columns before it to `right` columns after it.
struct PatchShape {
  std::uint8_t rows = 0, left = 0, right = 0;

  static constexpr unsigned most_bits = 40;
  constexpr unsigned row_bits() const { return left + 1u + right; }
  constexpr unsigned bits() const { return right + (rows - 1u) * row_bits(); }
  /// Whether the file format permits the shape.
  bool is_possible() const {
    return rows >= 1 && rows <= 8 && left < 32 && right < 32 && bits() <= most_bits;
  }
};

/// A set as patches, before it is written.
struct PatchPlan {
  PatchShape shape = {};
  Words gaps = {};   ///< distance to the previous first element, less 1 except for the first patch
  Words masks = {};  ///< one mask of `shape.bits()` bits for each patch
  RiceCode gap_code = {};
  std::uint64_t bits = 0;  ///< size of all patches
};

/// Larger extents have no patches, because a reader needs a bitmap of the extent.
inline constexpr std::uint64_t most_patched_elements = std::uint64_t{1} << 20;

/// Divides a set into patches. Returns nothing unless there are fewer patches than runs. `row` is the last
/// dimension and `end` the number of elements of the extent. *Requires* `end` of at most
/// most_patched_elements.
std::optional<PatchPlan> plan_patches(WordSpan edges, std::uint64_t end, std::uint64_t row);
/// The same for a bitmap with `runs` runs.
std::optional<PatchPlan> plan_patches(Bitmap set, std::uint64_t row, std::size_t runs);

/// Decodes patches to a bitmap. *Throws* Error for invalid data.
Bitmap read_patches(VarintReader& in, std::uint64_t count, std::uint64_t end, std::uint64_t row);
void write_patches(Buffer& to, const PatchPlan& plan);

}  // namespace filigree::filter
