// SPDX-License-Identifier: Apache-2.0
#include "io/selection_batch.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace filigree::io {
namespace {

using space::Frame;
using space::Selection;

space::Matched all_of(std::uint64_t elements) {
  const Selection all = Selection::all(Frame({elements}));
  return {all, all};
}

/// Batches that note in a text what happens to them.
class SelectionBatches : public ::testing::Test {
 protected:
  SelectionReads::Send note() {
    return [this](std::span<const SelectionRead> pieces) {
      events_ += "send " + std::to_string(pieces.size()) + ";";
      if (fails_) throw std::runtime_error("the test lets it fail");
    };
  }
  SelectionReads::Step step(const std::string& name) {
    return [this, name] { events_ += name + ";"; };
  }
  std::string events_;
  bool fails_ = false;
};

TEST_F(SelectionBatches, SendAllPiecesThenRunSteps) {
  SelectionReads batch(note());
  Buffer into(8);
  batch.then(step("first"));
  batch.add(all_of(4), {100, 2}, into);
  batch.add(all_of(8), {200, 1}, into);
  batch.then(step("second"), step("never"));
  batch.send();
  EXPECT_EQ(events_, "send 2;first;second;");
  batch.send();
  EXPECT_EQ(events_, "send 2;first;second;");
}

TEST_F(SelectionBatches, SendPiecesAsTheyWereAdded) {
  SelectionReads batch([](std::span<const SelectionRead> pieces) {
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_EQ(pieces[0].offset, 100u);
    EXPECT_EQ(pieces[0].element_bytes, 2u);
    EXPECT_EQ(pieces[0].file.inside().elements(), 4u);
    EXPECT_EQ(pieces[0].into.size(), 8u);
    pieces[0].into[3] = std::byte{9};
  });
  const MutableBytes staged = batch.stage(8);
  batch.add(all_of(4), {100, 2}, staged);
  batch.then([&] { EXPECT_EQ(staged[3], std::byte{9}); });
  batch.send();
}

TEST_F(SelectionBatches, RunTheOtherStepsWhenARequestFails) {
  SelectionReads batch(note());
  Buffer into(8);
  fails_ = true;
  batch.add(all_of(8), {}, into);
  batch.then(step("never"), step("failed"));
  batch.then(step("never"));
  EXPECT_THROW(batch.send(), std::runtime_error);
  EXPECT_EQ(events_, "send 1;failed;");
}

TEST_F(SelectionBatches, FailAllStepsAfterOneThatFails) {
  SelectionReads batch(note());
  batch.then(step("first"), step("never"));
  batch.then([] { throw std::runtime_error("a step"); }, step("never"));
  batch.then(step("never"), step("failed"));
  EXPECT_THROW(batch.send(), std::runtime_error);
  EXPECT_EQ(events_, "first;failed;");
}

TEST_F(SelectionBatches, FailWhatIsNeverSent) {
  {
    SelectionReads batch(note());
    batch.then(step("never"), step("failed"));
  }
  EXPECT_EQ(events_, "failed;");
}

TEST_F(SelectionBatches, AreSentWhenTheyAreFull) {
  SelectionReads batch(note());
  Buffer into(1);
  for (std::size_t i = 0; i < SelectionReads::most_pieces; ++i) {
    batch.send_if_full();
    batch.add(all_of(1), {}, into);
  }
  EXPECT_EQ(events_, "");
  batch.send_if_full();
  EXPECT_EQ(events_, "send 16384;");
}

}  // namespace
}  // namespace filigree::io
