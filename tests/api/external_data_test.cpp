// SPDX-License-Identifier: Apache-2.0
//
// Elements in other files, which may be missing, short, of the wrong kind, or named by a file that lies.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch.hpp"

namespace filigree {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ExternalData : public ::testing::Test {
 protected:
  static DatasetOptions in(std::vector<ExternalFile> files) {
    DatasetOptions options;
    options.external = std::move(files);
    return options;
  }
  Dataset create(std::vector<ExternalFile> files, std::uint64_t count = 4) {
    return file_.root().create_dataset<int>("d" + std::to_string(number_++), Dataspace::simple({count}),
                                            in(std::move(files)));
  }
  static std::vector<int> read(const Dataset& d) { return d.read<std::vector<int>>(); }

  Scratch scratch_;
  File file_ = File::create(scratch_ / "f.h5", CreateMode::truncate);
  int number_ = 0;
};

TEST_F(ExternalData, IsSoughtWhereTheUserOfTheDatasetSays) {
  fs::create_directory(scratch_ / "there");
  create({{"own.raw", 0, unlimited}});
  DatasetAccess access;
  access.external_data_prefix = scratch_ / "there";
  file_.root().open_dataset("d0", access).write(std::vector<int>{1, 2, 3, 4});
  EXPECT_EQ(fs::file_size(scratch_ / "there/own.raw"), 16u);
  EXPECT_THAT(read(file_.root().open_dataset("d0")), ElementsAre(1, 2, 3, 4));
  access.external_data_prefix = "${ORIGIN}/there";
  EXPECT_THAT(read(file_.root().open_dataset("d0", access)), ElementsAre(1, 2, 3, 4));
  Dataset d = file_.root().open_dataset("d0");
  d.set_external_data_prefix(std::nullopt);
  EXPECT_EQ(error_of([&] { read(d); }), ErrorKind::not_found);
}

TEST_F(ExternalData, IsMadeWhenItIsWritten) {
  Dataset d = create({{scratch_ / "a.raw", 3, 8}, {scratch_ / "b.raw", 0, 100}});
  EXPECT_FALSE(fs::exists(scratch_ / "a.raw"));
  d.write(std::vector<int>{1, 2, 3, 4});
  EXPECT_THAT(read(d), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(fs::file_size(scratch_ / "a.raw"), 11u);
  EXPECT_EQ(fs::file_size(scratch_ / "b.raw"), 8u);
}

TEST_F(ExternalData, ThatIsMissingIsNamed) {
  const Dataset d = create({{scratch_ / "a.raw", 0, 100}});
  EXPECT_THAT(message_of([&] { read(d); }), AllOf(HasSubstr("a.raw"), HasSubstr("reading '/d0'")));
  EXPECT_EQ(error_of([&] { read(d); }), ErrorKind::not_found);
}

TEST_F(ExternalData, ThatIsShortReadsAsZeros) {
  std::ofstream(scratch_ / "a.raw", std::ios::binary).write("\1\0\0\0\2", 5);
  EXPECT_THAT(read(create({{scratch_ / "a.raw", 0, 100}})), ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(read(create({{scratch_ / "a.raw", 1000, 100}})), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(read(create({{scratch_ / "a.raw", ~std::uint64_t{0} >> 2, 100}})), ElementsAre(0, 0, 0, 0));
}

TEST_F(ExternalData, ThatIsNoRegularFileIsRefusedAtOnce) {
  fs::create_directory(scratch_ / "folder");
  ASSERT_EQ(::mkfifo((scratch_ / "pipe").c_str(), 0600), 0);
  ::alarm(30);  // opening a pipe waits for its other end
  for (const char* name : {"folder", "pipe"}) {
    Dataset d = create({{scratch_ / name, 0, 100}});
    EXPECT_THAT(message_of([&] { read(d); }), HasSubstr(name));
    EXPECT_EQ(error_of([&] { read(d); }), ErrorKind::wrong_type);
    EXPECT_EQ(error_of([&] { d.write(std::vector<int>(4)); }), ErrorKind::wrong_type);
  }
  Dataset device = create({{"/dev/zero", 0, 100}});
  EXPECT_EQ(error_of([&] { read(device); }), ErrorKind::wrong_type);
  EXPECT_EQ(error_of([&] { device.write(std::vector<int>(4)); }), ErrorKind::wrong_type);
  ::alarm(0);
}

TEST_F(ExternalData, ThatMayNotBeReadIsNamed) {
  std::ofstream(scratch_ / "a.raw") << "0123456789abcdef";
  fs::permissions(scratch_ / "a.raw", fs::perms::none);
  if (std::ifstream(scratch_ / "a.raw")) GTEST_SKIP() << "this user may read everything";
  Dataset d = create({{scratch_ / "a.raw", 0, 100}});
  EXPECT_THAT(message_of([&] { read(d); }), HasSubstr("a.raw"));
  EXPECT_EQ(error_of([&] { d.write(std::vector<int>(4)); }), ErrorKind::permission);
}

TEST_F(ExternalData, ThatCannotBeMadeIsNamedAndLeavesTheFileAsItWas) {
  Dataset d = create({{scratch_ / "no/such/folder.raw", 0, 100}});
  Dataset good = file_.root().write_dataset("good", std::vector<int>{1, 2});
  EXPECT_THAT(message_of([&] { d.write(std::vector<int>(4)); }),
              AllOf(HasSubstr("no/such/folder.raw"), HasSubstr("writing '/d0'")));
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  EXPECT_THAT(again.root().read_dataset<std::vector<int>>("good"), ElementsAre(1, 2));
  EXPECT_EQ(again.root().open_dataset("d0").dataset_info().external.size(), 1u);
}

TEST_F(ExternalData, OnAFullDeviceSaysSoAndLeavesTheFileAsItWas) {
  Dataset d = create({{scratch_ / "a.raw", 0, unlimited}}, 1u << 18);
  Dataset good = file_.root().write_dataset("good", std::vector<int>{1, 2});
  file_.flush();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{64u << 10, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of([&] { d.write(std::vector<int>(1u << 18, 7)); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("a.raw"));
  for (const int value : read(d)) ASSERT_TRUE(value == 7 || value == 0);
  d.write(std::vector<int>(1u << 18, 8));
  file_.close();
  const File again = File::open(scratch_ / "f.h5");
  EXPECT_THAT(again.root().read_dataset<std::vector<int>>("good"), ElementsAre(1, 2));
  EXPECT_EQ(again.root().read_dataset<std::vector<int>>("d0").back(), 8);
}

TEST_F(ExternalData, WithImpossibleSegmentsIsNotCreated) {
  const std::vector<ExternalFile> impossible[] = {
      {{"", 0, 100}},
      {{std::string("a\0b", 3), 0, 100}},
      {{"a", ~std::uint64_t{0}, 100}},
      {{"a", ~std::uint64_t{0} >> 1, 100}},
      {{"a", 0, unlimited}, {"b", 0, 100}},
      {{"a", 0, 0}, {"b", 0, 100}},
      {{"a", 0, 15}},
  };
  for (const auto& files : impossible) EXPECT_THROW(create(files), Error) << files[0].path;
}

/// Looks for the words of the first segment's slot and puts others there: in an old file nothing is checked.
class LyingExternalData : public ExternalData {
 protected:
  static constexpr std::uint64_t offset = 0x1122334455, bytes = 0x6677;

  LyingExternalData() {
    std::ofstream(scratch_ / "a.raw") << "0123456789abcdef";
    create({{scratch_ / "a.raw", offset, bytes}});
    file_.flush();
    std::ifstream in(scratch_ / "f.h5", std::ios::binary);
    image_.assign(std::istreambuf_iterator<char>(in), {});
    std::string wanted(16, '\0');
    std::memcpy(wanted.data(), &offset, 8);
    std::memcpy(wanted.data() + 8, &bytes, 8);
    slot_ = image_.find(wanted) - 8;
    name_ = image_.find(scratch_ / "a.raw");
    if (name_ > image_.size() || slot_ > image_.size()) throw std::logic_error("the file is not as expected");
  }
  void put(std::size_t at, std::uint64_t word, std::size_t width) { std::memcpy(&image_[at], &word, width); }
  Dataset opened() {
    const auto* data = reinterpret_cast<const std::byte*>(image_.data());
    const File file = File::open_image({data, data + image_.size()});
    return file.root().open_dataset("d0");
  }
  std::string message() {
    return message_of([&] { read(opened()); });
  }

  std::string image_;
  std::size_t slot_ = 0;  ///< name, offset, bytes
  std::size_t name_ = 0;
};

TEST_F(LyingExternalData, IsReadWhenItDoesNotLie) {
  put(slot_ + 8, 4, 8);
  EXPECT_EQ(read(opened()).at(0), 0x37363534);
}

TEST_F(LyingExternalData, WithOffsetsThatOverflowIsRefused) {
  put(slot_ + 8, ~std::uint64_t{0} - 5, 8);
  EXPECT_THAT(message(), HasSubstr("external file"));
}

TEST_F(LyingExternalData, WithTooFewBytesIsRefused) {
  put(slot_ + 16, 15, 8);
  EXPECT_THAT(message(), HasSubstr("external files hold 15 bytes"));
  put(slot_ + 16, 0, 8);
  EXPECT_THAT(message(), HasSubstr("external files hold 0 bytes"));
}

TEST_F(LyingExternalData, WithMoreSlotsUsedThanThereAreIsRefused) {
  // Before the slots: allocated, used (2 bytes each), the heap's address.
  put(slot_ - 12, 0, 2);
  EXPECT_THAT(message(), HasSubstr("external"));
  put(slot_ - 12, 0xffff, 2);
  put(slot_ - 10, 0xffff, 2);
  EXPECT_THAT(message(), HasSubstr("external"));
}

TEST_F(LyingExternalData, WithoutANameIsRefused) {
  image_[name_] = '\0';
  EXPECT_THAT(message(), HasSubstr("no name"));
}

TEST_F(LyingExternalData, WithANameBeyondItsHeapIsRefused) {
  put(slot_, 1u << 20, 8);
  EXPECT_THAT(message(), HasSubstr("local heap"));
}

}  // namespace
}  // namespace filigree
