// SPDX-License-Identifier: Apache-2.0
#include "space/point_order.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using testing::gen_frame;
using testing::gen_number;
using testing::gen_positions;
using testing::offsets_of;

/// The source of every element of the destination after the elements were transferred one by one.
std::map<std::uint64_t, std::uint64_t> moved(const Selection& file, const Selection& memory,
                                             Side destination) {
  std::map<std::uint64_t, std::uint64_t> held;
  const auto from = offsets_of(destination == Side::file ? memory : file);
  const auto to = offsets_of(destination == Side::file ? file : memory);
  for (std::size_t i = 0; i < from.size(); ++i) held[to[i]] = from[i];
  return held;
}

RC_GTEST_PROP(PointOrder, GivesEveryDestinationItsLastValue, ()) {
  const Frame frame = *gen_frame();
  const auto listed = *gen_positions(frame);
  const Selection file = *rc::gen::arbitrary<bool>() ? Selection::of_points(frame, listed)
                                                     : Selection::of_runs(frame, RunSet::of_offsets(listed));
  const std::uint64_t elements = file.elements();
  const Frame line({2 * elements + 1});
  Selection memory = Selection::regular(line, {{0, 2, elements, 1}});
  if (*rc::gen::arbitrary<bool>()) {
    std::vector<std::uint64_t> offsets(elements);
    for (auto& offset : offsets) offset = *gen_number(0, line.elements() - 1);
    memory = Selection::of_points(line, std::move(offsets));
  }
  for (const Side destination : {Side::file, Side::memory}) {
    const Matched ordered = in_file_order(file, memory, destination);
    RC_ASSERT(moved(ordered.file, ordered.memory, destination) == moved(file, memory, destination));
    const auto offsets = offsets_of(ordered.file);
    RC_ASSERT(std::ranges::is_sorted(offsets));
    const auto targets = offsets_of(destination == Side::file ? ordered.file : ordered.memory);
    if (!file.is_set() || !memory.is_set())
      RC_ASSERT(std::set<std::uint64_t>(targets.begin(), targets.end()).size() == targets.size());
  }
}

}  // namespace
}  // namespace filigree::space
