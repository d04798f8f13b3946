// SPDX-License-Identifier: Apache-2.0
#include "model/layout/transfer_plan.hpp"

#include <cstring>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace filigree::model {
namespace {

using space::Cursor;
using space::Selection;

space::SlabDimension random_dimension(std::mt19937& random, std::uint64_t n) {
  space::SlabDimension d;
  d.start = random() % n;
  d.block = 1 + random() % std::min<std::uint64_t>(n - d.start, 6);
  d.stride = d.block + random() % 5;
  d.count = 1 + random() % (1 + (n - d.start - d.block) / d.stride);
  return d;
}

Selection random_selection(std::mt19937& random) {
  std::vector<std::uint64_t> extent;
  std::vector<space::SlabDimension> dims;
  const std::size_t rank = random() % 4;
  for (std::size_t i = 0; i < rank; ++i) {
    extent.push_back(1 + random() % 30);
    dims.push_back(random() % 3 == 0 ? space::SlabDimension{0, 1, 1, extent.back()}
                                     : random_dimension(random, extent.back()));
  }
  const Selection regular = Selection::regular(space::Frame(extent), dims);
  if (random() % 3 != 0) return regular;
  // Any set, or ascending points that may repeat.
  std::vector<std::uint64_t> some;
  for (std::uint64_t at = 0; at < regular.frame().elements(); at += random() % 5) {
    some.push_back(at);
    if (some.size() > 300) break;
  }
  if (random() % 2 == 0) return Selection::of_points(regular.frame(), some);
  return Selection::of_runs(regular.frame(), space::RunSet::of_offsets(some));
}

std::vector<std::uint64_t> positions(const Selection& selection) {
  std::vector<std::uint64_t> all;
  for (Cursor cursor(selection); !cursor.done();) {
    const auto p = cursor.pattern();
    for (std::uint64_t i = 0; i < p.length * p.count; ++i)
      all.push_back(p.start + i / p.length * p.stride + i % p.length);
    cursor.advance(p.length * p.count);
  }
  return all;
}

std::uint64_t volume(const Selection& selection) { return selection.frame().elements(); }

/// Carries a plan out as a read of elements of `bytes`.
Buffer carry_out(TransferPlanner& planner, Bytes data, std::size_t memory_size, std::size_t bytes,
                 const PlanLimits& limits) {
  Buffer memory(memory_size);
  Batch batch;
  while (planner.next(batch)) {
    EXPECT_LE(batch.staged_bytes, std::max<std::uint64_t>(limits.staging_bytes, bytes));
    Buffer staging(batch.staged_bytes);
    for (const auto& p : batch.staged) std::memcpy(&staging.at(p.staged), &data[p.offset], p.bytes);
    for (const auto& p : batch.direct) std::memcpy(&memory.at(p.memory), &data[p.offset], p.bytes);
    for (const auto& m : batch.moves) {
      for (std::uint64_t i = 0; i < m.count; ++i)
        std::memcpy(&memory.at(m.memory + i * m.memory_stride), &staging.at(m.staged + i * m.staged_stride),
                    bytes);
    }
  }
  return memory;
}

TEST(TransferPlan, MovesWhatElementByElementCopyingWould) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const Selection data = random_selection(random);
    // The memory side: the same number of elements, one run or strided.
    const std::uint64_t n = data.elements();
    const std::uint64_t stride = 1 + random() % 3;
    const Selection memory =
        Selection::regular(space::Frame({(n - 1) * stride + 1 + random() % 4}), {{0, stride, n, 1}});
    const std::uint32_t bytes = 1 + random() % 9;
    PlanLimits limits;
    limits.staging_bytes = 1 + random() % 200;
    limits.gap_bytes = random() % 40;
    limits.direct_run_bytes = 1 + random() % 60;
    limits.direct_batch_bytes = 1 + random() % 300;
    Buffer content(volume(data) * bytes);
    for (auto& b : content) b = static_cast<std::byte>(random());

    Buffer expected(volume(memory) * bytes);
    const auto from = positions(data);
    const auto to = positions(memory);
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(&expected[to[i] * bytes], &content[from[i] * bytes], bytes);
    for (const bool direct : {false, true}) {
      TransferPlanner planner({data, bytes}, {memory, bytes}, direct, limits);
      ASSERT_EQ(carry_out(planner, content, expected.size(), bytes, limits), expected) << round;
    }
  }
}

TEST(TransferPlan, StridedRowsBecomeFewPieces) {
  const Selection every_eighth =
      Selection::regular(space::Frame({4096, 4096}), {{0, 1, 4096, 1}, {0, 8, 512, 1}});
  const Selection memory = Selection::all(space::Frame({4096 * 512}));
  TransferPlanner planner({every_eighth, 4}, {memory, 4}, true);
  Batch batch;
  std::size_t pieces = 0;
  std::uint64_t elements = 0;
  while (planner.next(batch)) {
    pieces += batch.staged.size() + batch.direct.size();
    for (const auto& m : batch.moves) elements += m.count;
  }
  EXPECT_EQ(elements, 4096u * 512);
  EXPECT_LE(pieces, 300u);
}

TEST(TransferPlan, DistantElementsAreReadAlone) {
  const Selection far = Selection::regular(space::Frame({100, 100000}), {{0, 1, 100, 1}, {7, 1, 1, 1}});
  const Selection memory = Selection::all(space::Frame({100}));
  TransferPlanner planner({far, 8}, {memory, 8}, true);
  Batch batch;
  ASSERT_TRUE(planner.next(batch));
  EXPECT_EQ(batch.staged.size(), 100u);
  EXPECT_EQ(batch.staged_bytes, 800u);
  EXPECT_FALSE(planner.next(batch));
}

TEST(TransferPlan, WholeRowsGoDirectly) {
  const Selection rows = Selection::regular(space::Frame({10, 100000}), {{2, 1, 3, 1}, {0, 1, 100000, 1}});
  const Selection memory = Selection::all(space::Frame({300000}));
  TransferPlanner planner({rows, 8}, {memory, 8}, true);
  Batch batch;
  ASSERT_TRUE(planner.next(batch));
  ASSERT_EQ(batch.direct.size(), 1u);
  EXPECT_EQ(batch.direct[0].offset, 1600000u);
  EXPECT_EQ(batch.direct[0].bytes, 2400000u);
}

}  // namespace
}  // namespace filigree::model
