// SPDX-License-Identifier: Apache-2.0
#include "io/coalescer.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace filigree::io {
namespace {

using Request = CoalescedBatch::Request;

/// Extents over a memory that has the file's layout, so that a copy can be checked by its offset.
class CoalescerTest : public ::testing::Test {
 protected:
  CoalescerTest() : memory_(1u << 20) {}

  void add(std::uint64_t offset, std::uint64_t bytes) {
    extents_.push_back({offset, MutableBytes(memory_).subspan(offset, bytes)});
  }
  std::vector<Request> plan(std::uint64_t gap_bytes) {
    Coalescer<ReadExtent> coalescer(extents_, limits_, gap_bytes);
    std::vector<Request> all;
    for (CoalescedBatch batch; coalescer.next(batch);) {
      all.insert(all.end(), batch.requests.begin(), batch.requests.end());
      batches_.push_back(batch);
    }
    return all;
  }

  Buffer memory_;
  std::vector<ReadExtent> extents_;
  CoalescingLimits limits_{.merged_bytes = 1000, .direct_bytes = 200, .adjacent_bytes = 50};
  std::vector<CoalescedBatch> batches_;
};

TEST_F(CoalescerTest, HolesUpToTheGapAreMerged) {
  add(0, 10), add(20, 10), add(41, 10);
  const auto requests = plan(10);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].offset, 0u);
  EXPECT_EQ(requests[0].bytes, 30u);
  EXPECT_EQ(requests[0].extents, 2u);
  EXPECT_TRUE(requests[0].has_gaps);
  EXPECT_EQ(requests[1].bytes, 10u);
  EXPECT_EQ(requests[1].extents, 1u);
  EXPECT_EQ(batches_[0].staging_bytes, 30u);
}

TEST_F(CoalescerTest, OrderOfTheCallerDoesNotMatter) {
  add(41, 10), add(0, 10), add(30, 0), add(20, 10);
  const auto requests = plan(11);
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].bytes, 51u);
  EXPECT_EQ(requests[0].extents, 3u);
}

TEST_F(CoalescerTest, MergedRequestsStayWithinTheirLimit) {
  for (std::uint64_t at = 0; at < 3000; at += 30) add(at, 10);
  for (const Request& r : plan(100)) EXPECT_LE(r.bytes, 1000u);
}

TEST_F(CoalescerTest, LongExtentsAreNotCopied) {
  add(0, 10), add(10, 200), add(210, 10), add(220, 10);
  const auto requests = plan(100);
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[1].extents, 1u);
  EXPECT_EQ(requests[1].bytes, 200u);
  EXPECT_EQ(batches_[0].staging_bytes, 20u);
}

TEST_F(CoalescerTest, AdjacentExtentsOfSomeLengthStaySeparateRequests) {
  add(0, 60), add(60, 50), add(110, 70);
  const auto requests = plan(100);
  EXPECT_EQ(requests.size(), 3u);
  EXPECT_EQ(batches_[0].staging_bytes, 0u);
  extents_.clear(), batches_.clear();
  add(0, 60), add(60, 10), add(70, 30);  // shorter on average
  EXPECT_EQ(plan(100).size(), 1u);
}

TEST_F(CoalescerTest, NothingIsMergedWhenTurnedOff) {
  limits_ = CoalescingLimits::none();
  add(0, 4), add(4, 4), add(10, 4);
  EXPECT_EQ(plan(100).size(), 3u);
}

TEST_F(CoalescerTest, BatchesAreBounded) {
  limits_.staging_bytes = 1500;
  limits_.batch_requests = 3;
  for (std::uint64_t at = 0; at < 20000; at += 20) add(at, 10);
  for (std::uint64_t at = 30000; at < 40000; at += 500) add(at, 10);
  plan(100);
  EXPECT_GT(batches_.size(), 5u);
  for (const CoalescedBatch& batch : batches_) {
    EXPECT_LE(batch.staging_bytes, 1500u);
    EXPECT_LE(batch.requests.size(), 3u);
  }
}

TEST_F(CoalescerTest, SaysWhenExtentsOverlap) {
  add(0, 10), add(10, 10);
  EXPECT_FALSE(Coalescer<ReadExtent>(extents_, limits_, 0).overlapping());
  add(100, 50), add(0, 1), add(120, 1);
  EXPECT_TRUE(Coalescer<ReadExtent>(extents_, limits_, 0).overlapping());
}

TEST(Coalescer, RandomWritesReachTheirOffsetsWithAndWithoutHoles) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const CoalescingLimits limits{.merged_bytes = 1 + random() % 400,
                                  .direct_bytes = 1 + random() % 60,
                                  .adjacent_bytes = 1 + random() % 20,
                                  .staging_bytes = 1 + random() % 500,
                                  .batch_requests = 1 + random() % 20};
    Buffer data(4000), model(4000), result(4000);
    for (std::byte& b : data) b = static_cast<std::byte>(random());
    std::vector<WriteExtent> extents;
    for (std::size_t at = 0; at < 3900; at += random() % 30) {
      const std::size_t bytes = random() % 60;
      if (at + bytes > 3900) break;
      extents.push_back({at, Bytes(data).subspan(at, bytes)});
      std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(at), bytes,
                  model.begin() + static_cast<std::ptrdiff_t>(at));
      at += bytes;
    }
    std::shuffle(extents.begin(), extents.end(), random);
    Coalescer<WriteExtent> plan(extents, limits, random() % 40, round % 2 == 0);
    ASSERT_FALSE(plan.overlapping());
    for (CoalescedBatch batch; plan.next(batch);) {
      if (round % 3 == 0) batch = plan.without_gaps(batch);
      Buffer staging(batch.staging_bytes);  // gaps are zero, as in the model
      plan.copy_staged(batch, staging);
      for (const WriteExtent& e : plan.driver_extents(batch, staging))
        std::copy(e.from.begin(), e.from.end(), result.begin() + static_cast<std::ptrdiff_t>(e.offset));
    }
    ASSERT_EQ(result, model) << "round " << round;
  }
}

}  // namespace
}  // namespace filigree::io
