// SPDX-License-Identifier: Apache-2.0
//
// Collective writes whose elements all members gather: of datasets with filters, and of sparse ones.
#include <cstdlib>
#include <numeric>

#include <gmock/gmock.h>

#include "parallel_disk.hpp"

namespace filigree {
namespace {

using ::testing::HasSubstr;
using testing::run_members;
using testing::run_members_well;

/// Before the first use of the library: even one core runs the tasks of several.
const int more_threads = ::setenv("FILIGREE_THREADS", "4", 0);

DatasetOptions deflated(std::vector<std::uint64_t> chunk) {
  DatasetOptions options;
  options.chunk = std::move(chunk);
  options.filters = {filters::deflate(1)};
  return options;
}

class GatheredWrites : public ::testing::Test {
 protected:
  SharedDisk disk;
  std::vector<int> alone(const char* name) {
    return File::open_image(disk.bytes).root().open_dataset(name).read<std::vector<int>>();
  }
  static std::vector<int> ascending(std::size_t count, int first) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
};

/// Four chunks of 1 MiB, all partial, so that none is filtered. The communicator notices other threads.
TEST_F(GatheredWrites, OfLargeUnfilteredEdgesCallTheCommunicatorOnOneThread) {
  constexpr std::uint64_t rows = 500, columns = 2048;
  run_members_well(2, [&](const Ranks& members) {
    File file = create_on(disk, members);
    DatasetOptions options = deflated({512, 512});
    options.filter_partial_chunks = false;
    auto data =
        file.root().create_dataset<int>("d", Dataspace::simple({rows, columns}, {512, columns}), options);
    for (int first : {1000, 0}) {
      const std::uint64_t row = rank_of(members) * rows / 2;
      data.write(ascending(rows / 2 * columns, first + static_cast<int>(row * columns)),
                 Selection::box({row, 0}, {rows / 2, columns}), collective());
    }
    file.close();
  });
  EXPECT_EQ(alone("d"), ascending(rows * columns, 0));
}

/// One member's cache holds nothing, so that it would write chunks earlier than the others, and in place.
TEST_F(GatheredWrites, AreTheSameWhateverTheCacheOfAMember) {
  for (const bool filters_edges : {true, false}) {
    run_members_well(3, [&](const Ranks& members) {
      File file = create_on(disk, members);
      DatasetOptions options = deflated({10, 30'000});
      options.filter_partial_chunks = filters_edges;
      auto data = file.root().create_dataset<int>("d", Dataspace::simple({15, 300'000}), options);
      ChunkCacheOptions none;
      none.bytes = 0;
      if (members->rank() == 1) data.set_chunk_cache(none);
      for (int time = 0; time < 2; ++time) {
        for (std::uint64_t row : {1, 11})
          data.write(std::vector<int>(100'000, time + static_cast<int>(row)),
                     Selection::box({row, 100'000 * rank_of(members)}, {1, 100'000}), collective());
      }
      file.close();
    });
    const auto all = alone("d");
    for (std::size_t i = 0; i < all.size(); i += 999) {
      const std::size_t row = i / 300'000;
      EXPECT_EQ(all[i], row == 1 || row == 11 ? static_cast<int>(row) + 1 : 0) << i;
    }
  }
}

/// Two datasets have chunks that could not be written. Members have used them in another order before.
TEST_F(GatheredWrites, ThatFailedAreFlushedInTheSameOrder) {
  run_members_well(2, [&](const Ranks& members) {
    File file = create_on(disk, members);
    Dataset a = file.root().create_dataset<int>("a", Dataspace::simple({100}), deflated({60}));
    Dataset b = file.root().create_dataset<int>("b", Dataspace::simple({100}), deflated({60}));
    file.flush();
    for (const Dataset* data : {&a, &b})
      (members->rank() == 0 ? *data : data == &a ? b : a).read<std::vector<int>>();
    members->barrier();
    if (members->rank() == 0) disk.fail_after(0, 0);
    members->barrier();
    for (Dataset* data : {&a, &b})
      EXPECT_THROW(data->write(7, Selection::box({rank_of(members)}, {1}), collective()), Error);
    members->barrier();
    if (members->rank() == 0) disk.failing_rank = -1;
    members->barrier();
    file.close();
  });
  std::vector<int> expected(100);
  expected[0] = expected[1] = 7;
  EXPECT_EQ(alone("a"), expected);
  EXPECT_EQ(alone("b"), expected);
}

/// 2^65 bytes: the offset of the second half would wrap.
TEST_F(GatheredWrites, RefuseDatasetsOf2To64Bytes) {
  run_members_well(2, [&](const Ranks& members) {
    File file = create_on(disk, members);
    DatasetOptions options;
    options.sparse = true;
    options.chunk = {1 << 20};
    auto data = file.root().create_dataset<int>("d", Dataspace::simple({std::uint64_t{1} << 63}, {unlimited}),
                                                options);
    const std::uint64_t half = std::uint64_t{1} << 62;
    try {
      data.write(1, Selection::box({half + 5 + rank_of(members)}, {1}), collective());
      ADD_FAILURE() << "it was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit) << error.what();
    }
    EXPECT_EQ(data.read<int>(Selection::box({5}, {1})), 0);
    file.close();
  });
}

}  // namespace
}  // namespace filigree
