// SPDX-License-Identifier: Apache-2.0
//
// What is between callers and drivers: splitting of requests, coalescing, ctl and concurrent sections.
#include "io/virtual_file.hpp"

#include <chrono>
#include <cstring>
#include <functional>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/communicator.hpp>
#include <filigree/error.hpp>

#include "io/memory/memory_file.hpp"
#include "io/stack/pass_through_file.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::io {
namespace {

using ::testing::HasSubstr;

/// A driver as a newcomer would write it: it declares what it takes, and notes what it gets.
class PlainDriver : public VirtualFile {
 public:
  explicit PlainDriver(DriverCapabilities capabilities) : capabilities_(capabilities) {}

  std::uint64_t size() const override { return memory_.size(); }
  const std::string& name() const override { return memory_.name(); }
  bool writable() const override { return true; }
  const DriverCapabilities& capabilities() const override { return capabilities_; }

  struct Note {
    std::size_t extents = 0;
    std::uint64_t bytes = 0;
  };
  mutable std::vector<Note> reads, writes;

 private:
  template <class Extent>
  static Note note(std::span<const Extent> extents) {
    Note result{extents.size()};
    for (const Extent& e : extents) result.bytes += e.memory().size();
    return result;
  }
  void add(std::vector<Note>& to, Note note) const {
    const std::lock_guard lock(mutex_);
    to.push_back(note);
  }
  void do_read(std::span<const ReadExtent> extents) const override {
    add(reads, note(extents));
    for (const ReadExtent& e : extents) memory_.read(e.offset, e.into);
  }
  void do_write(std::span<const WriteExtent> extents) override {
    add(writes, note(extents));
    for (const WriteExtent& e : extents) memory_.write(e.offset, e.from);
  }
  void do_truncate(std::uint64_t bytes) override { memory_.truncate(bytes); }
  void do_sync() override {}

  DriverCapabilities capabilities_;
  mutable std::mutex mutex_;
  MemoryFile memory_;
};

struct ScalarDriver : PlainDriver {
  ScalarDriver() : PlainDriver({.vector_extents = 1, .coalescing = CoalescingLimits::none()}) {}
};
struct BoundedDriver : PlainDriver {
  explicit BoundedDriver(std::uint64_t request_bytes = 500)
      : PlainDriver(
            {.vector_extents = 3, .request_bytes = request_bytes, .coalescing = CoalescingLimits::none()}) {}
};
/// Concurrent by declaration only: what it starts is done at once.
struct EagerDriver : PlainDriver {
  EagerDriver() : PlainDriver({.vector_extents = 5, .request_bytes = 1000, .concurrent = true}) {}
};
struct MergingDriver : PlainDriver {
  MergingDriver() : PlainDriver({}) {}
};

}  // namespace
}  // namespace filigree::io

namespace filigree::testing {

template <class Driver>
struct Files {
  std::unique_ptr<io::VirtualFile> make() { return std::make_unique<Driver>(); }
};
struct PassThroughFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::PassThroughFile>(
        std::make_unique<io::PassThroughFile>(std::make_unique<io::MergingDriver>()));
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(ScalarDriver, VirtualFileSuite, Files<io::ScalarDriver>);
INSTANTIATE_TYPED_TEST_SUITE_P(BoundedDriver, VirtualFileSuite, Files<io::BoundedDriver>);
INSTANTIATE_TYPED_TEST_SUITE_P(EagerDriver, VirtualFileSuite, Files<io::EagerDriver>);
INSTANTIATE_TYPED_TEST_SUITE_P(MergingDriver, VirtualFileSuite, Files<io::MergingDriver>);
INSTANTIATE_TYPED_TEST_SUITE_P(StackOfPassThroughs, VirtualFileSuite, PassThroughFiles);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

std::vector<WriteExtent> elements(const Buffer& data, std::size_t bytes, std::size_t stride) {
  return testing::strided_writes(data, bytes, stride);
}

TEST(VirtualFile, DriverWithoutVectorsGetsOneExtentAtATime) {
  ScalarDriver file;
  const Buffer data(40);
  file.write(elements(data, 4, 2));
  EXPECT_EQ(file.writes.size(), 10u);
  for (const auto& note : file.writes) EXPECT_EQ(note.extents, 1u);
}

TEST(VirtualFile, DriverGetsNoMoreThanItDeclares) {
  BoundedDriver file(10);
  const Buffer data(100);
  file.write(0, data);
  EXPECT_EQ(file.writes.size(), 10u);
  Buffer back(60);
  file.read(std::vector<ReadExtent>{{0, MutableBytes(back).first(25)}, {30, MutableBytes(back).subspan(25)}});
  EXPECT_EQ(file.reads.size(), 6u);
  for (const auto& note : file.reads) {
    EXPECT_LE(note.bytes, 10u);
    EXPECT_LE(note.extents, 3u);
  }
}

TEST(VirtualFile, StridedRequestsReachTheDriverMerged) {
  MergingDriver file;
  constexpr std::size_t count = 65536;
  file.truncate(count * 16);
  const Buffer data(count * 4, std::byte{1});
  constexpr std::size_t requests = count * 16 / (256u << 10);
  file.write(elements(data, 4, 4));
  EXPECT_EQ(file.writes.size(), requests);
  EXPECT_EQ(file.writes[0].extents, 1u);
  EXPECT_EQ(file.reads.size(), requests);  // what lies between the elements
  Buffer back(count * 4);
  std::vector<ReadExtent> reads;
  for (std::size_t i = 0; i < count; ++i) reads.push_back({i * 16, MutableBytes(back).subspan(i * 4, 4)});
  file.reads.clear();
  file.read(reads);
  EXPECT_EQ(file.reads.size(), requests);
  EXPECT_EQ(back, data);
}

TEST(VirtualFile, WritesWithoutHolesReadNothing) {
  MergingDriver file;
  file.truncate(4096);
  file.write(elements(Buffer(4096, std::byte{7}), 4, 1));
  EXPECT_TRUE(file.reads.empty());
  EXPECT_EQ(file.writes.size(), 1u);
}

TEST(VirtualFile, WritesFarApartReadNothing) {
  MergingDriver file;
  file.write(elements(Buffer(64), 4, 16384));
  EXPECT_TRUE(file.reads.empty());
  EXPECT_EQ(file.writes[0].bytes, 64u);
}

TEST(VirtualFile, WhileWritesArePendingNothingIsWrittenAroundThem) {
  EagerDriver file;
  file.truncate(4096);
  file.reads.clear();
  const Buffer data(16, std::byte{1});
  const WriteExtent one{4, Bytes(data).first(4)};
  const auto pending = file.start_write(std::span(&one, 1));
  file.write(elements(data, 4, 3));
  EXPECT_TRUE(file.reads.empty());
  EXPECT_EQ(file.writes.back().bytes, 16u);
}

/// Knows one operation, and how often it was called.
class Answering : public PassThroughFile {
 public:
  Answering(std::unique_ptr<VirtualFile> file, std::uint64_t op)
      : PassThroughFile(std::move(file)), op_(op) {}
  int calls = 0;

 private:
  bool do_ctl(const CtlCall& call) override {
    if (call.op != op_) return false;
    ++calls;
    if (!call.result.empty()) call.result[0] = call.input.empty() ? std::byte{1} : call.input[0];
    return true;
  }
  std::uint64_t op_;
};

TEST(Ctl, CallsGoDownToWhoKnowsThem) {
  constexpr std::uint64_t deep = ctl_op::first_public + 1, high = ctl_op::first_private + 1;
  auto below = std::make_unique<Answering>(std::make_unique<MemoryFile>(), deep);
  Answering& bottom = *below;
  Answering top(std::make_unique<PassThroughFile>(std::move(below)), high);
  std::byte result{0};
  const std::byte input{42};
  EXPECT_TRUE(top.ctl({.op = deep, .input = Bytes(&input, 1), .result = MutableBytes(&result, 1)}));
  EXPECT_EQ(result, std::byte{42});
  EXPECT_EQ(bottom.calls, 1);
  EXPECT_TRUE(top.ctl({.op = high}));
  EXPECT_EQ(top.calls, 1);
  EXPECT_FALSE(top.ctl({.op = deep, .unknown = CtlUnknown::ignore, .route = CtlRoute::here}));
  EXPECT_THROW(top.ctl({.op = deep, .route = CtlRoute::here}), Error);
  EXPECT_EQ(bottom.calls, 1);
}

TEST(ConcurrentSections, EndWithoutBeginningIsAnError) {
  EagerDriver file;
  EXPECT_THROW(file.ctl({.op = ctl_op::coend}), Error);
  MergingDriver serial;
  EXPECT_TRUE(serial.ctl({.op = ctl_op::coend}));  // ignored, as is all of it
}

/// A file of several processes writes no gaps back, and the file on top of it has come by the lock as well.
TEST(FilesWithMembers, AreWrittenWithoutALock) {
  class Shared : public MergingDriver {
   public:
    std::function<void()> meanwhile;

   private:
    struct Alone final : Communicator {
      int rank() const override { return 0; }
      int size() const override { return 1; }
      int on_this_node() const override { return 1; }
      void all_reduce(std::span<std::uint64_t>, Reduction) override {}
      std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> bytes) override {
        return {{bytes.begin(), bytes.end()}};
      }
      std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) override {
        return {to.begin(), to.end()};
      }
      void broadcast(std::vector<std::byte>&, int) override {}
      void barrier() override {}
    };
    std::shared_ptr<Communicator> communicator() const override { return std::make_shared<Alone>(); }
    void do_write(std::span<const WriteExtent>) override { meanwhile(); }
  };
  Shared file;
  std::future<void> truncated;
  bool waited = false;
  file.meanwhile = [&] {
    truncated = std::async(std::launch::async, [&] { file.truncate(100); });
    waited = truncated.wait_for(std::chrono::seconds(20)) != std::future_status::ready;
  };
  const Buffer data(1000);
  file.write(0, data);
  EXPECT_FALSE(waited) << "of one extent";
  truncated = {};
  file.write(elements(data, 10, 30));
  EXPECT_FALSE(waited) << "of many";
}

TEST(PendingSet, ReportsEveryFailure) {
  struct Failing : Pending {
    explicit Failing(std::string what) : text(std::move(what)) {}
    void wait() override { throw Error(ErrorKind::no_space, text); }
    std::string text;
  };
  PendingSet set;
  for (const char* text : {"first", "second", "third"}) set.add(std::make_unique<Failing>(text));
  try {
    set.wait();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::no_space);
    EXPECT_STREQ(error.what(), "3 operations failed: first; second; third");
  }
  EXPECT_TRUE(set.empty());
}

}  // namespace
}  // namespace filigree::io
