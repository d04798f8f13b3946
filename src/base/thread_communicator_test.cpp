// SPDX-License-Identifier: Apache-2.0
//
// The communicator of tests, whose members are threads.
#include "testing/thread_communicator.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include <filigree/error.hpp>

namespace filigree {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PlannedStep;
using testing::run_members;
using testing::run_members_well;
using Members = std::shared_ptr<Communicator>;

std::vector<std::byte> bytes_of(std::size_t count, int value) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

class ThreadCommunicator : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Members, ThreadCommunicator, ::testing::Values(1, 2, 3, 4, 7, 16));

TEST_P(ThreadCommunicator, Reduces) {
  run_members_well(GetParam(), [](const Members& members) {
    const auto rank = static_cast<std::uint64_t>(members->rank());
    const auto size = static_cast<std::uint64_t>(members->size());
    std::vector<std::uint64_t> values{rank, 1};
    members->all_reduce(values, Reduction::sum);
    EXPECT_THAT(values, ElementsAre(size * (size - 1) / 2, size));
    values = {rank + 5, ~rank};
    members->all_reduce(values, Reduction::min);
    EXPECT_THAT(values, ElementsAre(5, ~(size - 1)));
    values = {rank, 3};
    members->all_reduce(values, Reduction::max);
    EXPECT_THAT(values, ElementsAre(size - 1, 3));
    values = {std::uint64_t{1} << rank};
    members->all_reduce(values, Reduction::bitwise_or);
    EXPECT_THAT(values, ElementsAre((std::uint64_t{1} << size) - 1));
  });
}

TEST_P(ThreadCommunicator, GathersAndExchangesByteStrings) {
  run_members_well(GetParam(), [](const Members& members) {
    const int rank = members->rank();
    const auto all = members->all_gather(bytes_of(static_cast<std::size_t>(rank), rank));
    ASSERT_EQ(all.size(), static_cast<std::size_t>(members->size()));
    for (int r = 0; r < members->size(); ++r)
      EXPECT_EQ(all[static_cast<std::size_t>(r)], bytes_of(static_cast<std::size_t>(r), r));
    std::vector<std::vector<std::byte>> to;
    for (int r = 0; r < members->size(); ++r)
      to.push_back(bytes_of(static_cast<std::size_t>(rank + r), rank));
    const auto from = members->exchange(to);
    for (int r = 0; r < members->size(); ++r)
      EXPECT_EQ(from[static_cast<std::size_t>(r)], bytes_of(static_cast<std::size_t>(rank + r), r));
    for (int root = 0; root < members->size(); ++root) {
      auto bytes = bytes_of(3, rank);
      members->broadcast(bytes, root);
      EXPECT_EQ(bytes, bytes_of(3, root));
    }
    members->barrier();
  });
}

TEST(ThreadCommunicatorWatchdog, NamesWhoWaitsInWhat) {
  const auto results = run_members(3, [](const Members& members) {
    members->barrier();
    if (members->rank() == 1) return;
    members->all_gather({});
  });
  EXPECT_FALSE(results[1].failed());
  for (const std::size_t r : {0u, 2u}) {
    EXPECT_THAT(results[r].what(), AllOf(HasSubstr("deadlock"), HasSubstr("rank 1 has ended"),
                                         HasSubstr("rank 2 waits in all_gather (step 1)")));
  }
}

TEST(ThreadCommunicatorWatchdog, NamesDifferentFunctions) {
  const auto results = run_members(2, [](const Members& members) {
    if (members->rank() == 0) return members->barrier();
    members->all_gather({});
  });
  for (const auto& result : results)
    EXPECT_THAT(result.what(), AllOf(HasSubstr("different functions"), HasSubstr("all_gather")));
}

TEST(ThreadCommunicatorPlan, FailsAndDelaysAMemberAtAStep) {
  const auto work = [](const Members& members) {
    for (int i = 0; i < 4; ++i) members->barrier();
  };
  for (std::uint64_t step = 0; step < 4; ++step) {
    for (const auto& result : run_members(3, work, {.plan = {{1, step, PlannedStep::What::fails}}})) {
      EXPECT_THAT(result.what(),
                  HasSubstr("rank 1 fails as planned in barrier, its step " + std::to_string(step)));
      EXPECT_EQ(result.steps, step + 1);
    }
    for (const auto& result : run_members(3, work, {.plan = {{2, step, PlannedStep::What::is_late}}}))
      EXPECT_FALSE(result.failed());
  }
}

}  // namespace
}  // namespace filigree
