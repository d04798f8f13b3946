// SPDX-License-Identifier: Apache-2.0
//
// An unfiltered chunk that is larger than the memory that a program has for it. The file has holes.
#include <sys/resource.h>
#include <sys/stat.h>

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "format/messages/datatype.hpp"
#include "io/posix/posix_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "model/layout/chunk_cache_options.hpp"
#include "testing/counting_file.hpp"
#include "testing/temp_dir.hpp"

namespace filigree::model {
namespace {

using space::Selection;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;
constexpr std::uint64_t elements = 5 * gib / 4;
constexpr std::uint64_t few_bytes = 32u << 10;
/// Element numbers on both sides of 4 GiB, and at both ends.
const std::vector<std::uint64_t> positions{0, 777'777, gib - 1, gib, gib + 1, elements - 1};

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Selection element(std::uint64_t at) {
  return Selection::regular(space::Frame({elements}), {{.start = at, .count = 1}});
}

/// A file on disk with a dataset of one unfiltered chunk of 5 GiB.
class ChunkOf5GiB : public ::testing::Test {
 protected:
  ChunkOf5GiB() {
    open(DriverOpenMode::create_truncate);
    file_->begin_change("test");
    NewDataset made;
    made.type = format::ieee_float(4);
    made.space.kind = format::DataspaceKind::simple;
    made.space.dims = made.chunk = {elements};
    made.layout = format::LayoutClass::chunked;
    made.allocation = format::AllocationTime::early;
    made.fill_time = format::FillTime::never;
    header_ = create_dataset(*file_, made);
  }

  void open(DriverOpenMode mode) {
    file_.reset();
    auto counting = std::make_unique<testing::CountingFile>(std::make_unique<io::PosixFile>(path_, mode));
    io_ = counting.get();
    AccessOptions access;
    access.versions = {Version::v2_0, Version::v2_0};
    file_ = mode == DriverOpenMode::create_truncate ? File::create(std::move(counting), {}, access)
                                                    : File::open(std::move(counting), access);
  }
  Dataset dataset() {
    Dataset found(*file_, header_);
    set_chunk_cache(found, ChunkCacheOptions{0, 0, std::nullopt});
    return found;
  }
  template <class T>
  void write(std::uint64_t at, T value) {
    const Selection memory = Selection::all(space::Frame({1}));
    dataset().write({element(at), memory, format::ieee_float(sizeof(T))},
                    reinterpret_cast<const std::byte*>(&value));
  }
  template <class T>
  T read(std::uint64_t at) {
    T value{};
    const Selection memory = Selection::all(space::Frame({1}));
    dataset().read({element(at), memory, format::ieee_float(sizeof(T))},
                   reinterpret_cast<std::byte*>(&value));
    return value;
  }

  testing::TempDir folder_;
  std::string path_ = folder_ / "large.h5";
  testing::CountingFile* io_ = nullptr;
  std::shared_ptr<File> file_;
  Address header_ = Address::undefined;
};

TEST_F(ChunkOf5GiB, TransfersSingleElements) {
  const std::uint64_t memory = peak_memory_bytes();
  EXPECT_EQ(Dataset(*file_, header_).messages().layout.version, 5);
  for (const std::uint64_t at : positions) write(at, static_cast<float>(at % 1000));
  write(12345, 1.5);  // with a conversion
  file_->flush();
  for (const std::uint64_t at : positions) EXPECT_EQ(read<double>(at), static_cast<float>(at % 1000)) << at;
  EXPECT_LE(io_->counts().write_bytes, few_bytes);
  EXPECT_LE(io_->counts().read_bytes, few_bytes);

  open(DriverOpenMode::read_only);
  for (const std::uint64_t at : positions) EXPECT_EQ(read<float>(at), static_cast<float>(at % 1000)) << at;
  EXPECT_EQ(read<float>(12345), 1.5f);
  EXPECT_EQ(read<float>(gib + 12345), 0.0f);
  EXPECT_LE(io_->counts().read_bytes, few_bytes);
  EXPECT_LE(peak_memory_bytes() - memory, 32u << 20);
}

TEST_F(ChunkOf5GiB, TakesLittleOfTheDisk) {
  write(gib, 1.0f);
  file_->flush();
  struct stat found {};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_GT(found.st_size, static_cast<off_t>(5 * gib));
  EXPECT_LE(found.st_blocks * 512, 1 << 20);
}

TEST_F(ChunkOf5GiB, NeedsTheFormatOf2_0) {
  AccessOptions older;
  older.versions.low = Version::latest;
  auto file = File::create(
      std::make_unique<io::PosixFile>(folder_ / "older.h5", DriverOpenMode::create_truncate), {}, older);
  file->begin_change("test");
  NewDataset made;
  made.type = format::ieee_float(4);
  made.space.kind = format::DataspaceKind::simple;
  made.space.dims = made.chunk = {elements};
  made.layout = format::LayoutClass::chunked;
  EXPECT_THROW(create_dataset(*file, made), Error);
}

}  // namespace
}  // namespace filigree::model
