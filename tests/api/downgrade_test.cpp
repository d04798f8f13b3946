// SPDX-License-Identifier: Apache-2.0
//
// Conversion of files and datasets to the format of HDF5 1.8.
#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using Ints = std::vector<std::int32_t>;
using ::testing::HasSubstr;

/// Every kind of index, and what the dataset was created with.
struct Kind {
  const char* name;
  ChunkIndexKind index;
  Dims most;
  Dims chunk{4, 5};
  bool filtered = false;
  bool filter_partial_chunks = true;
  AllocationTime allocation = AllocationTime::by_layout;
  Version low = Version::latest;
};

const Dims extent{13, 11};

Ints counted(std::size_t count) {
  Ints values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

class Downgrade : public ::testing::TestWithParam<Kind> {
 protected:
  Dataset make(File& file) const {
    const Kind& kind = GetParam();
    DatasetOptions options;
    options.chunk = kind.chunk;
    options.allocation = kind.allocation;
    options.filter_partial_chunks = kind.filter_partial_chunks;
    if (kind.filtered) options.filters = {filters::shuffle(), filters::deflate()};
    auto data = file.root().create_dataset<std::int32_t>("d", Dataspace::simple(extent, kind.most), options);
    data.set_attribute("kept", 7);
    return data;
  }
  File create() const {
    AccessOptions access;
    access.versions.low = GetParam().low;
    access.versions.high = std::max(GetParam().low, Version::latest);
    return File::create(scratch_ / "x.h5", CreateMode::truncate, {}, access);
  }

  Scratch scratch_;
};

TEST_P(Downgrade, KeepsElementsAttributesAndIdentity) {
  const Ints values = counted(143);
  {
    File file = create();
    auto data = make(file);
    data.write(values);
    EXPECT_EQ(data.dataset_info().chunk_index, GetParam().index);
    const auto before = data.address();
    data.downgrade();
    EXPECT_EQ(data.dataset_info().chunk_index, ChunkIndexKind::btree_v1);
    EXPECT_TRUE(data.dataset_info().filter_partial_chunks);
    EXPECT_EQ(data.address(), before);
    EXPECT_EQ(data.read<Ints>(), values);
    data.downgrade();
    file.close();
  }
  File file = File::open(scratch_ / "x.h5", OpenMode::read_write);
  auto data = file.root().open_dataset("d");
  EXPECT_EQ(data.dataset_info().chunk_index, ChunkIndexKind::btree_v1);
  EXPECT_EQ(data.read<Ints>(), values);
  EXPECT_EQ(data.get_attribute<int>("kept"), 7);
  Ints changed = values;
  changed.back() = -1;
  data.write(changed);
  EXPECT_EQ(data.read<Ints>(), changed);
}

TEST_P(Downgrade, OfAnEmptyDatasetKeepsTheFillValue) {
  File file = create();
  auto data = make(file);
  data.downgrade();
  EXPECT_EQ(data.read<Ints>(), Ints(143, 0));
  data.write(counted(143));
  EXPECT_EQ(data.read<Ints>(), counted(143));
}

TEST_P(Downgrade, FreesTheFormerIndex) {
  File file = create();
  const auto turn = [&] {
    auto data = make(file);
    data.write(counted(143));
    file.flush();
    data.downgrade();
    file.root().remove("d");
  };
  turn();
  file.flush();
  // All space of the dataset is free again, so that the next ones use it.
  const std::uint64_t bytes = file.info().file_bytes;
  for (int i = 0; i < 3; ++i) {
    turn();
    file.flush();
  }
  EXPECT_LE(file.info().file_bytes, bytes + 4096);
}

INSTANTIATE_TEST_SUITE_P(
    Indexes, Downgrade,
    ::testing::Values(
        Kind{"single", ChunkIndexKind::single_chunk, {}, extent},
        Kind{"single_filtered", ChunkIndexKind::single_chunk, {}, extent, true},
        Kind{"implicit", ChunkIndexKind::implicit, {}, {4, 5}, false, true, AllocationTime::early},
        Kind{"implicit_that_may_grow",
             ChunkIndexKind::implicit,
             {30, 30},
             {4, 5},
             false,
             true,
             AllocationTime::early},
        Kind{"fixed", ChunkIndexKind::fixed_array, {}},
        Kind{"fixed_filtered", ChunkIndexKind::fixed_array, {20, 20}, {4, 5}, true},
        Kind{"fixed_plain_edges", ChunkIndexKind::fixed_array, {}, {4, 5}, true, false},
        Kind{"extensible", ChunkIndexKind::extensible_array, {unlimited, 11}},
        Kind{"extensible_filtered", ChunkIndexKind::extensible_array, {13, unlimited}, {1, 1}, true},
        Kind{
            "extensible_plain_edges", ChunkIndexKind::extensible_array, {unlimited, 11}, {4, 5}, true, false},
        Kind{"tree2", ChunkIndexKind::btree_v2, {unlimited, unlimited}},
        Kind{"tree2_filtered", ChunkIndexKind::btree_v2, {unlimited, unlimited}, {1, 1}, true},
        Kind{"tree2_plain_edges", ChunkIndexKind::btree_v2, {unlimited, unlimited}, {4, 5}, true, false},
        Kind{"filtered_of_2_0",
             ChunkIndexKind::btree_v2,
             {unlimited, unlimited},
             {4, 5},
             true,
             true,
             AllocationTime::by_layout,
             Version::v2_0}),
    [](const auto& made) { return std::string(made.param.name); });

TEST(DowngradeFile, ChangesSuperblockAndFileSpaceStrategy) {
  const Scratch scratch;
  AccessOptions access;
  access.versions.low = Version::latest;
  for (const SpaceStrategy strategy : {SpaceStrategy::free_list, SpaceStrategy::paged}) {
    CreateOptions options;
    options.space = {strategy, true, 1, 4096};
    {
      File file = File::create(scratch / "x.h5", CreateMode::truncate, options, access);
      file.root().create_dataset<int>("d", Dataspace::simple({3})).write(std::vector<int>{1, 2, 3});
      EXPECT_EQ(file.info().superblock_version, 3);
      file.downgrade();
      EXPECT_EQ(file.info().superblock_version, 2);
      file.root().create_dataset<int>("e", Dataspace::simple({2})).write(std::vector<int>{4, 5});
      file.downgrade();
      file.close();
    }
    File file = File::open(scratch / "x.h5", OpenMode::read_write);
    EXPECT_EQ(file.info().superblock_version, 2);
    EXPECT_EQ(file.info().space.strategy, SpaceStrategy::free_list);
    EXPECT_FALSE(file.info().space.persist);
    EXPECT_EQ(file.root().open_dataset("d").read<std::vector<int>>(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(file.root().open_dataset("e").read<std::vector<int>>(), (std::vector<int>{4, 5}));
  }
}

TEST(DowngradeFile, NeedsAFileThatCanBeWritten) {
  const Scratch scratch;
  AccessOptions access;
  access.versions.low = Version::latest;
  File::create(scratch / "new.h5", CreateMode::truncate, {}, access).close();
  File::create(scratch / "old.h5", CreateMode::truncate).close();
  EXPECT_THAT(message_of([&] { File::open(scratch / "new.h5", OpenMode::read_only).downgrade(); }),
              HasSubstr("cannot convert the file"));
  EXPECT_NO_THROW(File::open(scratch / "old.h5", OpenMode::read_only).downgrade());
}

TEST(DowngradeFile, RefusesStructuredChunks) {
  File file = File::create_in_memory();
  DatasetOptions options;
  options.chunk = {4};
  options.sparse = true;
  auto data = file.root().create_dataset<int>("d", Dataspace::simple({10}), options);
  EXPECT_THAT(message_of([&] { data.downgrade(); }), HasSubstr("structured chunks have no form"));
}

}  // namespace
}  // namespace filigree
