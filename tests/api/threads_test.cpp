// SPDX-License-Identifier: Apache-2.0
//
// Several threads in one file: readers of one dataset, writers of different ones, and those who list
// meanwhile.
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

constexpr std::uint64_t side = 64;

DatasetOptions packed() {
  DatasetOptions options;
  options.chunk = {16, 16};
  options.filters = {filters::shuffle(), filters::deflate(1)};
  return options;
}

/// Runs `work(i)` on `count` threads; what they throw is a failure of the test.
template <class Work>
void on_threads(int count, Work work) {
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        work(i);
      } catch (const std::exception& error) {
        ++failed;
        ADD_FAILURE() << error.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
}

TEST(Threads, WriteDifferentDatasetsWhileOthersReadAndList) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  std::vector<int> still(side * side);
  std::iota(still.begin(), still.end(), 0);
  file.root().create_dataset<int>("still", Dataspace::simple({side, side}), packed()).write(still);
  on_threads(6, [&](int i) {
    Group root = file.root();
    if (i % 3 == 2) {
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(root.read_dataset<std::vector<int>>("still"), still);
        for (const Link& link : root.links()) EXPECT_TRUE(root.has_link(link.name));
      }
      return;
    }
    const std::string name = "d" + std::to_string(i);
    auto data = root.create_dataset<int>(name, Dataspace::simple({side, side}, {unlimited, side}), packed());
    for (int round = 0; round < 10; ++round) {
      data.resize({side + static_cast<std::uint64_t>(round), side});
      data.write(std::vector<int>(side * side, i * 100 + round), Selection::box({0, 0}, {side, side}));
      data.set_attribute("round", round);
      EXPECT_EQ(data.read<std::vector<int>>(Selection::box({5, 5}, {1, 2})),
                (std::vector<int>(2, i * 100 + round)));
      if (round % 4 == 0) file.flush();
    }
  });
  file.close();
  const File again = File::open(scratch / "f.h5");
  for (const int i : {0, 1, 3, 4}) {
    const auto data = again.root().open_dataset("d" + std::to_string(i));
    EXPECT_EQ(data.get_attribute<int>("round"), 9);
    EXPECT_EQ(data.read<std::vector<int>>(Selection::box({0, 0}, {side, side})),
              std::vector<int>(side * side, i * 100 + 9));
  }
}

/// `beside` is what a decoded chunk has in memory beside its values.
void expect_within_budget(const DatasetOptions& options, std::size_t beside) {
  constexpr std::uint64_t wide = 256, part = 48;
  constexpr std::size_t budget = 64 * 16 * 16 * sizeof(int);  // a quarter of a dataset
  // One request needs the chunks that it touches, and the writer's are dirty until they are written.
  const std::size_t request = (16 * 16 * sizeof(int) + beside) * (part / 16 + 1) * (part / 16 + 1);
  const std::size_t usual = chunk_cache_bytes();
  for (const int readers : {1, 2, 4}) {
    const Scratch scratch;
    File file = File::create(scratch / "read.h5");
    File other = File::create(scratch / "written.h5");
    std::vector<int> values(wide * wide);
    std::iota(values.begin(), values.end(), 0);
    for (int i = 0; i < readers; ++i)
      file.root()
          .create_dataset<int>("d" + std::to_string(i), Dataspace::simple({wide, wide}), options)
          .write(values);
    auto written = other.root().create_dataset<int>("w", Dataspace::simple({wide, wide}), options);
    file.flush();
    set_chunk_cache_bytes(budget);
    on_threads(readers + 1, [&](int i) {
      const Dataset data = i == readers ? written : file.root().open_dataset("d" + std::to_string(i));
      for (std::uint64_t round = 0; round < 60; ++round) {
        const std::uint64_t row = round * 37 % (wide - part), column = (round * 91 + 5) % (wide - part);
        const auto box = Selection::box({row, column}, {part, part});
        std::vector<int> expected(part * part);
        for (std::uint64_t k = 0; k < expected.size(); ++k)
          expected[k] = static_cast<int>((row + k / part) * wide + column + k % part);
        if (i == readers) Dataset(written).write(expected, box);
        EXPECT_EQ(data.read<std::vector<int>>(box), expected);
        EXPECT_LE(chunk_cache_counters().bytes, budget + request);
      }
    });
    set_chunk_cache_bytes(usual);
  }
}

TEST(Threads, ReadOwnDatasetsWithinTheBudgetBesideAWriterOfAnotherFile) {
  expect_within_budget(packed(), 0);
  DatasetOptions sparse = packed();
  sparse.sparse = true;
  sparse.selection_filters = {filters::packed_selection()};
  expect_within_budget(sparse, 512);
  sparse.portable = true;
  expect_within_budget(sparse, 512);
}

TEST(Threads, WriteLargePartsBesideThoseWhoChangeTheirDatasets) {
  constexpr std::uint64_t wide = 96;  // enough elements to be encoded while others are in the file
  const Scratch scratch;
  for (const bool filtered : {true, false}) {
    File file = File::create(scratch / "f.h5", CreateMode::truncate);
    const auto make = [&](const std::string& name) {
      DatasetOptions options = packed();
      if (!filtered) options.filters.clear();
      return file.root().create_dataset<int>(name, Dataspace::simple({wide, wide}, {unlimited, wide}),
                                             options);
    };
    for (const char* name : {"own", "shared", "gone"}) make(name);
    std::atomic<bool> done = false;
    on_threads(6, [&](int i) {
      const Selection box = Selection::box({0, 0}, {wide, wide});
      if (i == 0) {  // resizes, exchanges caches and replaces datasets, while others write
        for (std::uint64_t round = 0; round < 40; ++round) {
          file.root().open_dataset("own").resize({wide + round % 5 * 20, wide});
          ChunkCacheOptions cache;
          cache.chunks = round % 7;
          file.root().open_dataset("shared").set_chunk_cache(cache);
          file.root().remove("gone");
          make("gone");
        }
        done = true;
        return;
      }
      for (int round = 0; round < 10 || !done; ++round) {
        const std::vector<int> values(wide * wide, i * 1000 + round);
        if (i == 1) {
          auto own = file.root().open_dataset("own");
          own.write(values, box);
          EXPECT_EQ(own.read<std::vector<int>>(box), values);
        } else if (i < 4) {
          auto shared = file.root().open_dataset("shared");
          shared.write(values, box);
          const auto seen = shared.read<std::vector<int>>(box);
          EXPECT_EQ(seen, std::vector<int>(wide * wide, seen[0])) << "parts of two writes";
        } else if (file.root().has_link("gone")) {
          try {
            file.root().open_dataset("gone").write(values, box);
          } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::not_found) << error.what();
          }
        }
      }
    });
    file.close();
    const File again = File::open(scratch / "f.h5");
    for (const char* name : {"own", "shared"}) {
      const auto seen =
          again.root().open_dataset(name).read<std::vector<int>>(Selection::box({0, 0}, {wide, wide}));
      EXPECT_EQ(seen, std::vector<int>(wide * wide, seen[0])) << name;
    }
  }
}

/// Nobody waits for the elements of others: only the addresses of new chunks are allocated one by one.
TEST(Threads, WriteNewUnfilteredChunksAtOnce) {
  const Scratch scratch;
  constexpr std::uint64_t rows = 64, columns = 4096;
  for (int round = 0; round < 3; ++round) {
    File file = File::create(scratch / "f.h5", CreateMode::truncate);
    DatasetOptions options;
    options.chunk = {8, 512};
    auto shared = file.root().create_dataset<int>("shared", Dataspace::simple({4 * rows, columns}), options);
    on_threads(4, [&](int i) {
      const auto name = std::to_string(i);
      auto own = file.root().create_dataset<int>(name, Dataspace::simple({rows, columns}), options);
      std::vector<int> values(rows * columns);
      std::iota(values.begin(), values.end(), i * 1000);
      own.write(values);
      EXPECT_EQ(own.read<std::vector<int>>(), values);
      const auto part = Selection::box({static_cast<std::uint64_t>(i) * rows, 0}, {rows, columns});
      shared.write(values, part);
      EXPECT_EQ(shared.read<std::vector<int>>(part), values);
    });
    file.close();
    const File again = File::open(scratch / "f.h5");
    for (int i = 0; i < 4; ++i) {
      const auto values = again.root().read_dataset<std::vector<int>>(std::to_string(i));
      const auto part = Selection::box({static_cast<std::uint64_t>(i) * rows, 0}, {rows, columns});
      EXPECT_EQ(again.root().open_dataset("shared").read<std::vector<int>>(part), values);
      for (std::size_t at = 0; at < values.size(); ++at)
        ASSERT_EQ(values[at], i * 1000 + static_cast<int>(at));
    }
  }
}

/// Each thread decodes chunks that nobody has written to, and finds that another was first.
TEST(Threads, WritePartsOfTheSameNewChunksAtOnce) {
  const Scratch scratch;
  constexpr int threads = 4;
  constexpr std::uint64_t rows = 256, columns = 256;
  DatasetOptions dense;
  dense.chunk = {32, 256};
  dense.filters = {filters::deflate(1)};
  const DatasetOptions sparse = sparse_chunks({32, 256}).values({filters::deflate(1)});
  const DatasetOptions portable = sparse_chunks({32, 256}).values({filters::deflate(1)}).portable();
  for (const DatasetOptions& options : {dense, sparse, portable}) {
    for (int round = 0; round < 5; ++round) {
      File file = File::create(scratch / "f.h5", CreateMode::truncate);
      Dataset data = file.root().create_dataset<int>("d", Dataspace::simple({rows, columns}), options);
      on_threads(threads, [&](int i) {
        const auto own =
            Selection::strided({0, static_cast<std::uint64_t>(i)}, {1, threads}, {rows, columns / threads});
        data.write(std::vector<int>(rows * columns / threads, i + 1), own);
      });
      file.close();
      const auto values = File::open(scratch / "f.h5").root().read_dataset<std::vector<int>>("d");
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(values[i], static_cast<int>(i % threads) + 1) << i;
    }
  }
}

TEST(Threads, CopyInOppositeDirectionsWithoutWaitingForEachOther) {
  const Scratch scratch;
  std::vector<File> files = {File::create(scratch / "a.h5"), File::create(scratch / "b.h5")};
  for (File& file : files) {
    file.root()
        .create_dataset<int>("d", Dataspace::simple({side, side}), packed())
        .write(std::vector<int>(side * side, 7));
  }
  on_threads(4, [&](int i) {
    for (int round = 0; round < 10; ++round)
      files[i % 2].root().copy("d", files[1 - i % 2].root(), "c" + std::to_string(i * 100 + round));
  });
  for (const File& file : files) EXPECT_EQ(file.root().size(), 21u);
}

TEST(Threads, ChangeWhatTheyListInACallback) {
  const Scratch scratch;
  File file = File::create(scratch / "f.h5");
  for (int i = 0; i < 5; ++i) file.root().create_group("g" + std::to_string(i));
  on_threads(3, [&](int i) {
    Group root = file.root();
    root.open_group("g" + std::to_string(i)).for_each([](const Link&) { return true; });
    root.for_each([&](const Link& link) {
      root.open_group(link.name).set_attribute("from" + std::to_string(i), i);
      return true;
    });
  });
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(file.root().open_group("g" + std::to_string(i)).attributes().size(), 3u);
}

}  // namespace
}  // namespace filigree
