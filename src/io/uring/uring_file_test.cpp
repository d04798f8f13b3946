// SPDX-License-Identifier: Apache-2.0
#include "io/uring/uring_file.hpp"

#include <cerrno>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "testing/temp_dir.hpp"
#include "testing/virtual_file_suite.hpp"

namespace filigree::testing {

int refused_setup(unsigned, ::io_uring*) { return -EPERM; }

template <unsigned depth, std::size_t rings, std::size_t transfer>
struct UringFiles {
  TempDir dir;
  std::unique_ptr<io::VirtualFile> make() {
    return std::make_unique<io::UringFile>(
        dir / "file", io::DriverOpenMode::create_new,
        io::UringOptions{
            .posix = {.max_transfer_bytes = transfer}, .depth = depth, .rings = rings, .setup = setup});
  }
  static constexpr io::RingSetup setup = rings == 0 ? refused_setup : io::system_ring_setup;
};
using PlentyOfUring = UringFiles<64, 8, 0x7ffff000>;
using ScarceUring = UringFiles<2, 1, 61>;
using RefusedUring = UringFiles<64, 0, 0x7ffff000>;
INSTANTIATE_TYPED_TEST_SUITE_P(UringFile, VirtualFileSuite, PlentyOfUring);
INSTANTIATE_TYPED_TEST_SUITE_P(UringFileOfSmallTransfers, VirtualFileSuite, ScarceUring);
INSTANTIATE_TYPED_TEST_SUITE_P(UringFileRefused, VirtualFileSuite, RefusedUring);

}  // namespace filigree::testing

namespace filigree::io {
namespace {

using ::testing::HasSubstr;

class UringFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (UringFile(dir_ / "probe", DriverOpenMode::create_new).refusal())
      GTEST_SKIP() << "the kernel refuses io_uring";
  }
  testing::TempDir dir_;
};

TEST(UringFile, RefusalIsNotedAndEverythingWorks) {
  const testing::TempDir dir;
  UringFile file(dir / "file", DriverOpenMode::create_new, {.setup = testing::refused_setup});
  ASSERT_TRUE(file.refusal());
  EXPECT_THAT(*file.refusal(), HasSubstr("without io_uring: Operation not permitted"));
  EXPECT_FALSE(file.capabilities().concurrent);
  file.write(std::vector<WriteExtent>{{0, as_bytes("a")}, {100000, as_bytes("b")}});
  EXPECT_EQ(file.size(), 100001u);
}

TEST_F(UringFileTest, AllErrorsOfARequestAreReported) {
  UringFile file(dir_ / "file", DriverOpenMode::create_new,
                 {.posix = {.coalescing = CoalescingLimits::none()}});
  file.truncate(1u << 20);
  Buffer into(30);
  const std::vector<ReadExtent> reads{{0, MutableBytes(into).first(10)},
                                      {100000, MutableBytes(into).subspan(10, 10)},
                                      {900000, MutableBytes(into).subspan(20, 10)}};
  ASSERT_EQ(truncate((dir_ / "file").c_str(), 50000), 0);  // behind its back
  try {
    file.read(reads);
    // Read as one request, the front noticed nothing; each operation met the end by itself.
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::truncated);
    EXPECT_THAT(error.what(), HasSubstr("2 operations failed"));
    EXPECT_THAT(error.what(), HasSubstr("offset 100000"));
    EXPECT_THAT(error.what(), HasSubstr("offset 900000"));
  }
}

TEST_F(UringFileTest, DroppedRequestsEndBeforeTheirMemory) {
  UringFile file(dir_ / "file", DriverOpenMode::create_new);
  file.truncate(1u << 20);
  for (int round = 0; round < 50; ++round) {
    Buffer into(1u << 19);
    const std::vector<ReadExtent> reads{{0, MutableBytes(into).first(1u << 18)},
                                        {1u << 19, MutableBytes(into).subspan(1u << 18)}};
    const auto dropped = file.start_read(reads);
  }
}

TEST_F(UringFileTest, ChildProcessUsesRingsOfItsOwn) {
  UringFile file(dir_ / "file", DriverOpenMode::create_new);
  const std::vector<WriteExtent> writes{{0, as_bytes("abc")}, {100000, as_bytes("def")}};
  file.write(writes);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  Buffer back(6);
  const std::vector<ReadExtent> reads{{0, MutableBytes(back).first(3)},
                                      {100000, MutableBytes(back).subspan(3)}};
  if (child == 0) {
    file.read(reads);
    _exit(as_text(back) == "abcdef" ? 0 : 1);
  }
  file.read(reads);
  EXPECT_EQ(as_text(back), "abcdef");
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace filigree::io
