// SPDX-License-Identifier: Apache-2.0
//
// The encodings of sets of linear offsets: single elements, runs, runs that continue runs of the previous
// row, holes, patches, or lines. docs/format/packed-selection.md specifies the layouts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/line_codes.hpp"
#include "filter/packed_selection/offset_blocks.hpp"
#include "filter/packed_selection/patch_codes.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// The encodings, as numbered in the file.
enum class SetEncoding : std::uint8_t {
  elements = 4,
  runs = 5,
  traced = 6,
  holes = 7,
  patches = 9,
  lines = 10
};

/// An encoded set before it is written.
struct SetPlan {
  SetEncoding form = SetEncoding::runs;
  std::uint64_t bits = 0;         ///< size of all codes
  std::uint64_t count = 0;        ///< number of elements, holes, runs, patches, or of elements in lines
  Words gaps = {}, lengths = {};  ///< of the items; in the traced encoding, of runs that continue none
  std::vector<std::uint8_t> continued = {};  ///< for the traced encoding: whether each run is continued
  Words shifts = {}, changes = {};     ///< differences of start and length of continuing runs, signs folded
  std::array<RiceCode, 4> codes = {};  ///< codes of gaps, lengths, shifts, changes
  PatchPlan patches = {};              ///< for the patch encoding
  LinePlan lines = {};                 ///< for the line encoding
};

/// Chooses the smallest encoding of a set of offsets below `end`. `row` is the length of a row of the extent,
/// or 0 if there is only one row.
SetPlan plan_set(WordSpan edges, std::uint64_t end, std::uint64_t row);

/// The same, with patches that have been computed already and were not chosen.
SetPlan plan_set(WordSpan edges, std::uint64_t end, std::uint64_t row, std::optional<PatchPlan> patches);

/// The size of a set.
struct SetCounts {
  std::uint64_t runs = 0, elements = 0;
  std::uint64_t end = 0;  ///< offset after the last element
};
/// Returns the patches as the encoding of a set, if runs and elements cannot take fewer bits. Moves from
/// `patches`.
std::optional<SetPlan> choose_patches(PatchPlan& patches, const SetCounts& counts);
/// Whether patches may be the smallest encoding: runs are short and not too far apart.
bool may_be_patches(std::uint64_t runs, std::uint64_t elements, std::uint64_t end);

void write_set(Buffer& to, const SetPlan& plan);

/// Limits for a set that is decoded.
struct SetLimits {
  std::uint64_t end = 0;    ///< offset after the last element of the extent
  std::uint64_t row = 0;    ///< length of a row, as for plan_set()
  std::uint64_t count = 0;  ///< the largest number of elements, holes, runs or patches
};

/// Decodes a set to its edges. *Throws* Error(corrupt) or Error(truncated).
Words read_set(VarintReader in, SetEncoding form, const SetLimits& limits);
/// Decodes a set to single elements. *Throws* like read_set(), and for more than `points` elements unless the
/// result is a bitmap. *Requires* offsets of 32 bits.
Points read_set_points(VarintReader in, SetEncoding form, const SetLimits& limits, std::uint64_t points);
/// Decodes a set to blocks of offsets. Returns nothing if runs are so long that edges are smaller. *Throws*
/// and *requires* as read_set_points(); also a bitmap may have no more than `points` elements.
std::optional<OffsetBlocks> read_set_blocks(VarintReader in, SetEncoding form, const SetLimits& limits,
                                            std::uint64_t points);

}  // namespace filigree::filter
