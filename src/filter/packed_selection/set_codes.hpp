// SPDX-License-Identifier: Apache-2.0
//
// Sets of positions in as few bits as their kind allows: single elements, runs, runs that continue those of
// the row before, or small groups. docs/format/packed-selection.md has the layouts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/patch_codes.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// Numbers as in the file.
enum class SetForm : std::uint8_t { elements = 4, runs = 5, traced = 6, holes = 7, patches = 9 };

/// A set, ready to be written.
struct SetPlan {
  SetForm form = SetForm::runs;
  std::uint64_t bits = 0;                ///< of all codes
  std::uint64_t count = 0;               ///< of elements, holes, runs or patches
  Words gaps = {}, lengths = {};         ///< of them; in the traced form of those that continue none
  std::vector<std::uint8_t> heirs = {};  ///< of the traced form: whether a run is continued
  Words shifts = {}, changes = {};  ///< of the start and the length of runs that continue one, signs folded
  std::array<RiceCode, 4> codes = {};  ///< of gaps, lengths, shifts, changes
  PatchPlan patches = {};              ///< of that form
};

/// The smallest form of a set below `end`. `row` is how far apart elements are that stand above each other; 0
/// when none do.
SetPlan plan_set(WordSpan edges, std::uint64_t end, std::uint64_t row);

/// The same, with the patches of the set where they have been made and were not chosen.
SetPlan plan_set(WordSpan edges, std::uint64_t end, std::uint64_t row, std::optional<PatchPlan> patches);

struct SetCounts {
  std::uint64_t runs = 0, elements = 0;
  std::uint64_t end = 0;  ///< behind the last element
};
/// The patches, which are used up, as the plan of a set where it is clear that runs and elements take more.
std::optional<SetPlan> choose_patches(PatchPlan& patches, const SetCounts& counts);
/// Whether it is worth the time to look for patches: short runs, and not too far between.
bool may_be_patches(std::uint64_t runs, std::uint64_t elements, std::uint64_t end);

void write_set(Buffer& to, const SetPlan& plan);

/// What a set that is read must keep to.
struct SetLimits {
  std::uint64_t end = 0;    ///< behind the last position
  std::uint64_t row = 0;    ///< as for plan_set()
  std::uint64_t count = 0;  ///< of elements, holes, runs or patches, at most
};

/// The edges of what write_set() wrote. Throws Error.
Words read_set(VarintReader in, SetForm form, const SetLimits& limits);
/// The same as single elements, of which there may be `points`; bits are not counted. Positions fit into 32
/// bits.
Points read_set_points(VarintReader in, SetForm form, const SetLimits& limits, std::uint64_t points);

}  // namespace filigree::filter
