// SPDX-License-Identifier: Apache-2.0
//
// The test files of src/testing keep their promises.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "io/family/family_file.hpp"
#include "io/memory/memory_file.hpp"
#include "io/stack/log_file.hpp"
#include "io/uring/uring_file.hpp"
#include "testing/counting_file.hpp"
#include "testing/faulty_file.hpp"
#include "testing/latency_file.hpp"
#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

struct CountingFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<CountingFile>(std::make_unique<io::MemoryFile>());
  }
};
struct FaultyFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<FaultyFile>(std::make_unique<io::MemoryFile>());
  }
};
/// Everything at once: counted, slow, with high latency, and divided into members.
struct StackedFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    const io::FamilyOptions options{
        .member_bytes = 7000, .open_member = [](const auto& path, auto mode) {
          return std::make_unique<LatencyFile>(
              std::make_unique<io::LogFile>(std::make_unique<io::UringFile>(path, mode)),
              LatencyOptions{.sleep = false});
        }};
    return std::make_unique<CountingFile>(std::make_unique<FaultyFile>(std::make_unique<io::LogFile>(
        std::make_unique<io::FamilyFile>(dir / "file%d", io::DriverOpenMode::create_new, options))));
  }
};
struct LatencyFiles {
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<LatencyFile>(std::make_unique<io::MemoryFile>(), LatencyOptions{.sleep = false});
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(StackedFiles, VirtualFileSuite, StackedFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(LatencyFile, VirtualFileSuite, LatencyFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(CountingFile, VirtualFileSuite, CountingFiles);
INSTANTIATE_TYPED_TEST_SUITE_P(FaultyFile, VirtualFileSuite, FaultyFiles);

namespace {

TEST(CountingFile, CountsCallsExtentsAndBytes) {
  CountingFile file(std::make_unique<io::MemoryFile>());
  const std::vector<io::WriteExtent> writes{{0, as_bytes("abc")}, {5, as_bytes("de")}};
  file.write(writes);
  Buffer into(4);
  file.read(0, into);
  file.read(3, into);
  file.truncate(1);
  file.sync();
  const IoCounts counts = file.counts();
  EXPECT_EQ(counts.write_calls, 1u);
  EXPECT_EQ(counts.write_extents, 2u);
  EXPECT_EQ(counts.write_bytes, 5u);
  EXPECT_EQ(counts.read_calls, 2u);
  EXPECT_EQ(counts.read_extents, 2u);
  EXPECT_EQ(counts.read_bytes, 8u);
  EXPECT_EQ(counts.truncate_calls, 1u);
  EXPECT_EQ(counts.sync_calls, 1u);
  file.reset();
  EXPECT_EQ(file.counts().read_calls, 0u);
}

TEST(FaultyFile, FailsExactlyTheNthCall) {
  io::MemoryFile memory;
  FaultyFile file(memory);
  file.arm({.nth = 2, .kind = ErrorKind::no_space});
  file.write(0, as_bytes("a"));
  file.sync();
  try {
    file.write(0, as_bytes("b"));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::no_space);
  }
  EXPECT_TRUE(file.struck());
  EXPECT_EQ(as_text(memory.image()), "a");
  file.write(0, as_bytes("c"));
  EXPECT_EQ(as_text(memory.image()), "c");
  EXPECT_EQ(file.calls(), 4u);
}

TEST(FaultyFile, CountsOnlyTheKindAsked) {
  io::MemoryFile memory;
  FaultyFile file(memory);
  Buffer byte(1);
  file.arm({.nth = 1, .on = Fault::On::read});
  file.write(0, as_bytes("a"));
  file.read(0, byte);
  file.truncate(1);
  EXPECT_THROW(file.read(0, byte), Error);
  file.arm({.nth = 1, .on = Fault::On::write});
  file.read(0, byte);
  file.truncate(1);
  EXPECT_THROW(file.sync(), Error);
}

TEST(FaultyFile, TornWriteKeepsTheFirstHalf) {
  io::MemoryFile memory;
  FaultyFile file(memory);
  file.arm({.tear = true});
  const std::vector<io::WriteExtent> writes{{0, as_bytes("abc")}, {3, as_bytes("defgh")}};
  EXPECT_THROW(file.write(writes), Error);
  EXPECT_EQ(as_text(memory.image()), "abcd");
}

TEST(FaultyFile, DeadDeviceFailsEverythingAfterwards) {
  io::MemoryFile memory(Buffer(4));
  FaultyFile file(memory);
  file.arm({.on = Fault::On::write, .device_dies = true});
  Buffer byte(1);
  file.read(0, byte);
  EXPECT_THROW(file.sync(), Error);
  EXPECT_THROW(file.read(0, byte), Error);
  EXPECT_THROW(file.write(0, byte), Error);
  file.disarm();
  file.read(0, byte);
}

TEST(FaultyFile, ScatteredWriteKeepsEveryOtherSector) {
  io::MemoryFile memory(Buffer(2000));
  FaultyFile file(memory);
  file.arm({.scatter = true});
  EXPECT_THROW(file.write(0, Buffer(2000, std::byte{1})), Error);
  Buffer expected(2000);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = std::byte{i / 512 % 2 == 0};
  EXPECT_EQ(memory.image(), expected);
}

TEST(FaultyFile, ShortReadFillsTheFirstHalf) {
  io::MemoryFile memory(Buffer(8, std::byte{1}));
  FaultyFile file(memory);
  file.arm({.short_read = true});
  Buffer into(8);
  EXPECT_THROW(file.read(0, into), Error);
  EXPECT_EQ(std::count(into.begin(), into.end(), std::byte{1}), 4);
}

std::vector<io::ReadExtent> scattered(Buffer& into, std::size_t count, std::size_t apart) {
  std::vector<io::ReadExtent> reads;
  const std::size_t bytes = into.size() / count;
  for (std::size_t i = 0; i < count; ++i)
    reads.push_back({i * apart, MutableBytes(into).subspan(i * bytes, bytes)});
  return reads;
}

TEST(LatencyFile, ScatteredBlocksOfOneRequestShareRoundTrips) {
  LatencyFile file(std::make_unique<io::MemoryFile>(Buffer(1u << 20)), {.depth = 64, .sleep = false});
  Buffer into(256 * 16);
  const auto reads = scattered(into, 256, 4096);
  file.read(reads);
  EXPECT_EQ(file.round_trips(), 4.0);
  file.reset();
  for (const io::ReadExtent& e : reads) file.read(std::span(&e, 1));
  EXPECT_EQ(file.round_trips(), 256.0);
}

TEST(LatencyFile, RequestsOfAConcurrentSectionShareRoundTrips) {
  LatencyFile file(std::make_unique<io::MemoryFile>(Buffer(1u << 20)), {.depth = 64, .sleep = false});
  Buffer into(256 * 16);
  io::ConcurrentSection section(file);
  for (const io::ReadExtent& e : scattered(into, 256, 4096)) file.read(std::span(&e, 1));
  EXPECT_EQ(file.round_trips(), 0.0);
  section.finish();
  EXPECT_EQ(file.round_trips(), 4.0);
}

/// Notes when requests begin and when they are awaited.
class NotingFile : public PassThroughFile {
 public:
  NotingFile(std::unique_ptr<io::VirtualFile> file, std::string& notes)
      : PassThroughFile(std::move(file)), notes_(notes) {
    capabilities_.concurrent = true;
  }
  const io::DriverCapabilities& capabilities() const override { return capabilities_; }

 private:
  struct Noted : io::Pending {
    explicit Noted(std::string& to) : notes(to) {}
    void wait() override { notes += 'w'; }
    std::string& notes;
  };
  std::unique_ptr<io::Pending> do_start_read(std::span<const io::ReadExtent>) const override {
    notes_ += 'b';
    return std::make_unique<Noted>(notes_);
  }
  std::string& notes_;
  io::DriverCapabilities capabilities_;
};

TEST(ConcurrentMembers, AllBeginBeforeAnyIsAwaited) {
  std::string notes;
  std::size_t members = 0;
  const io::FamilyOptions options{
      .member_bytes = 1000, .open_member = [&](const std::string&, io::DriverOpenMode) {
        if (members++ == 4) throw Error(ErrorKind::not_found, "no more members");
        return std::make_unique<NotingFile>(std::make_unique<io::MemoryFile>(Buffer(1000)), notes);
      }};
  io::FamilyFile file("member%d", io::DriverOpenMode::read_write, options);
  Buffer into(4000);
  file.read(0, into);
  EXPECT_EQ(notes, "bbbbwwww");
  notes.clear();
  io::ConcurrentSection section(file);
  file.read(0, MutableBytes(into).first(2000));
  file.read(2000, MutableBytes(into).subspan(2000));
  EXPECT_EQ(notes, "bbbb");
  section.finish();
  EXPECT_EQ(notes, "bbbbwwww");
}

TEST(TempDir, VanishesWithItsContents) {
  std::string path;
  {
    const TempDir dir;
    path = dir.path();
    std::ofstream(dir / "file") << "x";
    EXPECT_TRUE(std::filesystem::exists(dir / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace filigree::testing
