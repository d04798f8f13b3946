// SPDX-License-Identifier: Apache-2.0
#include "base/agreement.hpp"

#include <atomic>

#include <gmock/gmock.h>

#include <filigree/error.hpp>

#include "testing/thread_communicator.hpp"

namespace filigree {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::run_members;
using testing::run_members_well;
using Members = std::shared_ptr<Communicator>;

TEST(Agreement, TellsWhetherAnyMemberHasMore) {
  run_members_well(4, [](const Members& members) {
    Agreement agreement(members, "file");
    for (int r = 0; r < 4; ++r) EXPECT_TRUE(agreement.meet({"a call"}, nullptr, members->rank() == r));
    EXPECT_FALSE(agreement.meet({"a call"}));
    EXPECT_GT(agreement.seconds(), 0);
    EXPECT_EQ(agreement.meetings(), 5u);
  });
}

TEST(Agreement, ThrowsAFailureOnAllMembersOnce) {
  run_members_well(4, [](const Members& members) {
    Agreement agreement(members, "file");
    std::string text;
    try {
      collectively(&agreement, {"a call"}, [&] {
        // The others meet once more within the call, and learn of the failure there.
        if (members->rank() == 2) throw Error(ErrorKind::no_space, "no space");
        agreement.meet({"a call", "", 5});
      });
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::no_space);
      text = error.what();
    }
    EXPECT_EQ(text, "rank 2: no space");
    collectively(&agreement, {"another call"}, [] {});  // all are together again
  });
}

TEST(Agreement, NamesCallsThatDiffer) {
  const auto results = run_members(4, [](const Members& members) {
    Agreement agreement(members, "x.h5");
    if (members->rank() == 2) agreement.meet({"File::close", "x.h5"});
    agreement.meet({"Dataset::write", "/x"});
  });
  for (const auto& result : results)
    EXPECT_EQ(
        result.what(),
        "the processes that use 'x.h5' have diverged: rank 2 is in File::close of 'x.h5', ranks 0, 1, 3 in "
        "Dataset::write of '/x'");
}

TEST(Agreement, NamesTheFirstChangeThatDiffers) {
  const auto results = run_members(3, [](const Members& members) {
    Agreement agreement(members, "x.h5");
    for (int i = 0; i < 1000; ++i) agreement.note("change", std::to_string(i));
    agreement.note("make", members->rank() == 1 ? "b" : "a");
    agreement.note("change", "at last");
    agreement.meet({"a call"});
  });
  for (const auto& result : results)
    EXPECT_THAT(result.what(),
                AllOf(HasSubstr("change 1001 differs: rank 1 did make 'b' then change 'at last', "),
                      HasSubstr("ranks 0, 2 did make 'a' then change 'at last'")));
}

TEST(Agreement, NamesAChangeThatAMemberLacks) {
  const auto results = run_members(2, [](const Members& members) {
    Agreement agreement(members, "x.h5");
    agreement.note("make", "a");
    if (members->rank() == 1) agreement.note("make", "b");
    agreement.meet({"a call"});
  });
  EXPECT_THAT(results[0].what(), AllOf(HasSubstr("rank 0 did nothing"), HasSubstr("make 'b'")));
  EXPECT_EQ(results[0].what(), results[1].what());
}

TEST(Agreement, IsLostForGoodAfterADivergence) {
  run_members_well(2, [](const Members& members) {
    Agreement agreement(members, "x.h5");
    EXPECT_THROW(agreement.meet({members->rank() == 0 ? "a" : "b"}), Error);
    EXPECT_TRUE(agreement.diverged());
    if (members->rank() == 0) return;  // nobody is waited for
    EXPECT_THROW(agreement.meet({"a"}), Error);
    EXPECT_THROW(collectively(&agreement, {"b"}, [] {}), Error);
  });
}

TEST(Agreement, PassesOnFailuresOfTheCommunicator) {
  for (std::uint64_t step = 0; step < 2; ++step) {
    const auto results = run_members(3,
                                     [](const Members& members) {
                                       Agreement agreement(members, "x.h5");
                                       collectively(&agreement, {"a call"}, [] {});
                                     },
                                     {.plan = {{1, step, testing::PlannedStep::What::fails}}});
    for (const auto& result : results) EXPECT_THAT(result.what(), HasSubstr("as planned"));
  }
}

}  // namespace
}  // namespace filigree
