// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

/// Reads of datasets whose second chunk has a checksum that does not match.
enum class Chunks { dense, sparse, portable };

class DamagedChecksum : public ::testing::TestWithParam<Chunks> {
 protected:
  void SetUp() override {
    DatasetOptions options;
    options.chunk = {4};
    options.sparse = GetParam() != Chunks::dense;
    options.portable = GetParam() == Chunks::portable;
    options.filters = {filters::fletcher32()};
    File file = File::create(path_);
    Dataset data = file.root().create_dataset<int>("d", Dataspace::simple({8}), options);
    data.write(values_);
    file.flush();
    const ChunkInfo chunk = data.find_chunk({5}).value();
    file.close();
    std::fstream bytes(path_, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekg(static_cast<std::streamoff>(chunk.address + chunk.stored_bytes - 1));
    const int last = bytes.get();
    bytes.seekp(static_cast<std::streamoff>(chunk.address + chunk.stored_bytes - 1));
    bytes.put(static_cast<char>(last ^ 1));
  }

  const std::vector<int> values_{1, 2, 3, 4, 5, 6, 7, 8};
  Scratch scratch_;
  const std::string path_ = scratch_ / "f.h5";
  TransferOptions unverified_ = [] {
    TransferOptions options;
    options.verify_checksums = false;
    return options;
  }();
};

TEST_P(DamagedChecksum, IsAnErrorUnlessItIsNotVerified) {
  const File file = File::open(path_);
  const Dataset data = file.root().open_dataset("d");
  EXPECT_THROW(data.read<std::vector<int>>(), Error);
  EXPECT_THROW(data.read<int>(Selection::box({6}, {1})), Error);
  EXPECT_EQ(data.read<int>(Selection::box({2}, {1})), 3);
  EXPECT_EQ(data.read<std::vector<int>>({}, unverified_), values_);
}

TEST_P(DamagedChecksum, OfAPartIsIgnoredAsWell) {
  const File file = File::open(path_);
  EXPECT_EQ(file.root().open_dataset("d").read<int>(Selection::box({6}, {1}), unverified_), 7);
}

TEST_P(DamagedChecksum, IsMadeAnewByAWrite) {
  File file = File::open(path_, OpenMode::read_write);
  Dataset data = file.root().open_dataset("d");
  EXPECT_THROW(data.write(60, Selection::box({5}, {1})), Error);
  data.write(60, Selection::box({5}, {1}), unverified_);
  file.close();
  const File again = File::open(path_);
  EXPECT_EQ(again.root().open_dataset("d").read<std::vector<int>>(), (std::vector{1, 2, 3, 4, 5, 60, 7, 8}));
}

std::string chunks_name(const ::testing::TestParamInfo<Chunks>& info) {
  return info.param == Chunks::dense ? "Dense" : info.param == Chunks::sparse ? "Sparse" : "Portable";
}
INSTANTIATE_TEST_SUITE_P(Layouts, DamagedChecksum,
                         ::testing::Values(Chunks::dense, Chunks::sparse, Chunks::portable), chunks_name);

}  // namespace
}  // namespace filigree
