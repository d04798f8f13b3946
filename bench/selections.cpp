// SPDX-License-Identifier: Apache-2.0
//
// Selections: sets that grow call by call, sets made at once, set operations, walking, and cutting along
// chunks.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <hdf5.h>

#include "bench.hpp"
#include "space/bulk.hpp"
#include "space/cursor.hpp"
#include "space/partition.hpp"
#include "space/selection_builder.hpp"

namespace bench {
namespace {

using filigree::space::Cursor;
using filigree::space::Frame;
using filigree::space::RunPattern;
using filigree::space::RunSet;
using filigree::space::RunSetWriter;
using filigree::space::Selection;
using filigree::space::SelectionBuilder;
using filigree::space::SetOperator;
using filigree::space::SlabDimension;

constexpr std::uint64_t million = 1'000'000;

/// The coordinates of `count` points in a square.
std::vector<std::uint64_t> scattered(std::size_t count, std::uint64_t side) {
  std::mt19937_64 random(count);
  std::vector<std::uint64_t> coordinates(2 * count);
  for (auto& coordinate : coordinates) coordinate = random() % side;
  return coordinates;
}

std::uint64_t unite_ours(const std::vector<std::uint64_t>& points, std::uint64_t side) {
  SelectionBuilder builder(Selection::none(Frame({side, side})));
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const SlabDimension slab[] = {{points[i], 1, 1, 1}, {points[i + 1], 1, 1, 1}};
    builder.combine(SetOperator::unite, slab);
  }
  return builder.selection().elements();
}

std::uint64_t unite_reference(const std::vector<std::uint64_t>& points, std::uint64_t side) {
  const hsize_t dims[] = {side, side};
  const hsize_t count[] = {1, 1};
  const hid_t space = H5Screate_simple(2, dims, nullptr);
  H5Sselect_none(space);
  for (std::size_t i = 0; i < points.size(); i += 2) {
    const hsize_t start[] = {points[i], points[i + 1]};
    H5Sselect_hyperslab(space, H5S_SELECT_OR, start, nullptr, count, nullptr);
  }
  const auto elements = static_cast<std::uint64_t>(H5Sget_select_npoints(space));
  H5Sclose(space);
  return elements;
}

void points_call_by_call() {
  constexpr std::uint64_t side = 4096;
  const auto some = scattered(20'000, side);
  std::uint64_t ours = 0, reference = 0;
  const double ours_took = seconds([&] { ours = unite_ours(some, side); }, 5);
  const double reference_took =
      seconds([&] { reference = unite_reference(some, side); });  // long enough for one run
  require(ours == reference, "scattered points");
  report({.name = "or 20,000 points into 4096 x 4096, one a call",
          .ours = ours_took,
          .other = reference_took,
          .aim = 100});
  const auto many = scattered(million, side);
  const double many_took = seconds([&] { ours = unite_ours(many, side); }, 3);
  require(ours == filigree::space::from_coordinates(Frame({side, side}), many).elements(),
          "a million points");
  report({.name = "or 1,000,000 points into 4096 x 4096, one a call", .ours = many_took, .limit = 0.5});
}

void sets_made_at_once() {
  constexpr std::uint64_t side = 100'000;
  const Frame frame({side, side});
  const auto coordinates = scattered(10 * million, side);
  Selection set;
  const double made = seconds([&] { set = filigree::space::from_coordinates(frame, coordinates); }, 3);
  std::vector<std::uint64_t> back;
  const double taken = seconds([&] { back = filigree::space::to_coordinates(set); }, 3);
  std::vector<std::uint64_t> expected(coordinates.size() / 2);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = coordinates[2 * i] * side + coordinates[2 * i + 1];
  std::ranges::sort(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  require(back.size() == 2 * expected.size(), "elements of a set");
  for (std::size_t i = 0; i < expected.size(); ++i)
    require(back[2 * i] * side + back[2 * i + 1] == expected[i], "coordinates of a set");
  report({.name = "set from 10 million unsorted coordinates", .ours = made, .limit = 2});
  report({.name = "coordinates of a set of 10 million", .ours = taken});
}

void masks() {
  const Frame frame({16'384, 16'384});
  std::vector<std::uint8_t> mask(frame.elements());
  std::uint64_t selected = 0;
  for (std::size_t i = 0; i < mask.size(); i += 1000) {
    std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(i), std::min<std::size_t>(300, mask.size() - i),
                1);
    selected += std::min<std::size_t>(300, mask.size() - i);
  }
  Selection set;
  const double made = seconds([&] { set = filigree::space::from_mask(frame, mask); }, 3);
  require(set.elements() == selected, "elements of a mask");
  std::vector<std::uint8_t> back;
  const double taken = seconds([&] { back = filigree::space::to_mask(set); }, 3);
  require(back == mask, "mask of a set");
  report({.name = "set from a mask of 268 MB", .ours = made, .bytes = mask.size()});
  report({.name = "mask of 268 MB from a set", .ours = taken, .bytes = mask.size()});
}

RunSet some_runs(unsigned seed) {
  std::mt19937_64 random(seed);
  RunSetWriter writer(10 * million);
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < 10 * million; ++i) {
    at += 1 + random() % 16;
    const std::uint64_t length = 1 + random() % 16;
    writer.add({at, length});
    at += length;
  }
  return writer.finish();
}

void set_operations() {
  const RunSet a = some_runs(1);
  const RunSet b = some_runs(2);
  RunSet both, either, first;
  const double intersected = seconds([&] { both = combine(a, SetOperator::intersect, b); }, 5);
  const double united = seconds([&] { either = combine(a, SetOperator::unite, b); }, 5);
  const double subtracted = seconds([&] { first = combine(a, SetOperator::subtract, b); }, 5);
  require(either.elements() + both.elements() == a.elements() + b.elements(), "union and intersection");
  require(first.elements() == a.elements() - both.elements(), "difference");
  report({.name = "intersection of two sets of 10 million runs", .ours = intersected, .limit = 0.3});
  report({.name = "union of two sets of 10 million runs", .ours = united, .limit = 0.3});
  report({.name = "difference of two sets of 10 million runs", .ours = subtracted, .limit = 0.3});
}

/// Both sums touch every cache line, so memory bandwidth limits them.
void walk() {
  constexpr std::uint64_t rows = 16'384, columns = 8192, step = 8;
  std::vector<std::uint32_t> values(rows * columns);
  std::iota(values.begin(), values.end(), 0u);
  const Selection every_eighth =
      Selection::regular(Frame({rows, columns}), {{0, 1, 1, rows}, {3, step, columns / step - 1, 1}});
  std::uint64_t ours = 0, plain = 0;
  const auto walk_ours = [&] {
    ours = 0;
    for (Cursor cursor(every_eighth); !cursor.done();) {
      const RunPattern p = cursor.pattern();
      for (std::uint64_t i = 0; i < p.count; ++i) ours += values[p.start + i * p.stride];
      cursor.advance(p.length * p.count);
    }
  };
  const auto walk_plainly = [&] {
    plain = 0;
    for (std::uint64_t row = 0; row < rows; ++row)
      for (std::uint64_t i = 0; i < columns / step - 1; ++i) plain += values[row * columns + 3 + i * step];
  };
  const Race walked = race(5, walk_ours, walk_plainly);
  require(ours == plain, "sum along a walk");
  report({.name = "walk every 8th of 16384 x 8192 int",
          .ours = walked.ours,
          .other = walked.other,
          .against = "plain loops",
          .bytes = values.size() * sizeof(values[0])});
}

/// The number of elements and a checksum over chunks and offsets, which differs if a point goes to a wrong
/// chunk.
std::pair<std::uint64_t, std::uint64_t> cut(const filigree::space::ChunkGrid& grid, const Selection& file,
                                            const Selection& memory) {
  std::uint64_t elements = 0, sum = 0;
  filigree::space::Partition partition(grid, file, memory);
  for (std::vector<filigree::space::ChunkPiece> pieces; partition.next_batch(pieces);) {
    for (const filigree::space::ChunkPiece& piece : pieces) {
      elements += piece.elements;
      for (const filigree::space::ChunkRun& run : piece.runs)
        for (std::uint64_t i = 0; i < run.length; ++i)
          sum += (piece.chunk << 16 | (run.chunk_offset + i)) ^ (run.memory + i);
    }
  }
  return {elements, sum};
}

void partition() {
  constexpr std::uint64_t side = 16'384, chunk = 256;
  const Frame frame({side, side});
  const filigree::space::ChunkGrid grid(frame, {chunk, chunk});
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> offsets(million);
  for (std::uint64_t& offset : offsets) offset = random() % frame.elements();
  const auto expected = [&](const std::vector<std::uint64_t>& points) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < points.size(); ++i) {
      const std::uint64_t row = points[i] / side, column = points[i] % side;
      const std::uint64_t number = row / chunk * (side / chunk) + column / chunk;
      sum += (number << 16 | (row % chunk * chunk + column % chunk)) ^ i;
    }
    return std::pair<std::uint64_t, std::uint64_t>(points.size(), sum);
  };
  const auto run = [&](std::string_view name, const Selection& file,
                       const std::vector<std::uint64_t>& points) {
    const Selection memory = Selection::all(Frame({points.size()}));
    std::pair<std::uint64_t, std::uint64_t> found;
    const double took = seconds([&] { found = cut(grid, file, memory); }, 5);
    require(found == expected(points), name);
    // At least 20 million points a second.
    report({.name = std::string(name), .ours = took, .limit = static_cast<double>(points.size()) / 20e6});
  };
  run("cut a list of a million points along 256 x 256 chunks", Selection::of_points(frame, offsets), offsets);
  std::ranges::sort(offsets);
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  run("cut a set of a million points along 256 x 256 chunks", filigree::space::from_offsets(frame, offsets),
      offsets);
}

}  // namespace

void run_selections() {
  points_call_by_call();
  sets_made_at_once();
  masks();
  set_operations();
  walk();
  partition();
}

}  // namespace bench
