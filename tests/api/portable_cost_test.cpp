// SPDX-License-Identifier: Apache-2.0
//
// Files of portable sparse datasets are listed and opened at the cost of ordinary chunked datasets.
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

/// Requests for bytes of a file, and the bytes.
struct Reads {
  std::uint64_t requests = 0, bytes = 0;

  AccessOptions access() {
    AccessOptions options = bounds(Version::latest);
    options.log = DriverLog{DriverLog::Format::json_lines, [this](std::string_view line) {
                              if (line.find("\"op\":\"read\"") == line.npos) return;
                              ++requests;
                              bytes += std::stoull(std::string(line.substr(line.find("\"bytes\":") + 8)));
                            }};
    return options;
  }
};

DatasetOptions chunked(bool portable, const Dims& chunk) {
  if (portable) return sparse_chunks(chunk).values({filters::deflate()}).portable();
  DatasetOptions options;
  options.chunk = chunk;
  options.filters = {filters::deflate()};
  return options;
}

/// What it costs to list and open all datasets.
Reads cost_of_datasets(const std::string& path, bool portable, int datasets) {
  {
    File file = File::create(path, CreateMode::truncate, {}, bounds(Version::latest));
    for (int i = 0; i < datasets; ++i) {
      auto data = file.root().create_dataset<int>("d" + std::to_string(i), Dataspace::simple({20, 20}),
                                                  chunked(portable, {10, 10}));
      data.write(i, Selection::box({3, 3}, {1, 1}));
    }
  }
  Reads reads;
  const File file = File::open(path, OpenMode::read_only, reads.access());
  int seen = 0;
  file.root().for_each([&](const Link& link) {
    const auto data = file.root().open_dataset(link.name);
    EXPECT_EQ(data.dataset_info().portable, portable);
    EXPECT_EQ(data.space().dims(), (Dims{20, 20}));
    return ++seen, true;
  });
  EXPECT_EQ(seen, datasets);
  return reads;
}

TEST(PortableCost, OfListingManyDatasetsIsThatOfChunkedOnes) {
  const Scratch scratch;
  constexpr int datasets = 500;
  const Reads dense = cost_of_datasets(scratch / "dense.h5", false, datasets);
  const Reads portable = cost_of_datasets(scratch / "portable.h5", true, datasets);
  // The filter takes about 100 bytes more in each header.
  EXPECT_LE(portable.requests, dense.requests + dense.requests / 2 + 2);
  EXPECT_LE(portable.bytes, dense.bytes + datasets * 200);
}

/// What it costs to open a dataset of many chunks, to list them, and to read one element of each thousandth.
std::vector<Reads> cost_of_chunks(const std::string& path, bool portable, std::uint64_t chunks) {
  {
    File file = File::create(path, CreateMode::truncate, {}, bounds(Version::latest));
    auto data = file.root().create_dataset<int>("d", Dataspace::simple({4 * chunks}, {unlimited}),
                                                chunked(portable, {4}));
    Dims offsets;
    for (std::uint64_t i = 0; i < chunks; ++i) offsets.push_back(4 * i + 1);
    write_offsets<int>(data, offsets, std::vector<int>(chunks, 7), {0, 4 * chunks});
  }
  Reads reads;
  std::vector<Reads> found;
  const File file = File::open(path, OpenMode::read_only, reads.access());
  const auto step = [&](const std::function<void()>& work) {
    reads = {};
    work();
    found.push_back(reads);
  };
  std::optional<Dataset> data;
  step([&] {
    data.emplace(file.root().open_dataset("d"));
    EXPECT_EQ(data->dataset_info().portable, portable);
  });
  step([&] { EXPECT_EQ(data->chunk_count(), chunks); });
  step([&] {
    for (std::uint64_t i = 0; i < chunks; i += 1000) {
      const Selection one = Selection::box({4 * i + 1}, {1});
      EXPECT_EQ(data->read<int>(one), 7);
    }
  });
  return found;
}

TEST(PortableCost, OfManyChunksIsThatOfOrdinaryOnes) {
  const Scratch scratch;
  constexpr std::uint64_t chunks = 50'000;
  const auto dense = cost_of_chunks(scratch / "dense.h5", false, chunks);
  const auto portable = cost_of_chunks(scratch / "portable.h5", true, chunks);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_LE(portable[i].requests, dense[i].requests + 2);
  }
  EXPECT_LE(portable[0].bytes, dense[0].bytes + 1024);
  EXPECT_LE(portable[1].bytes, dense[1].bytes + 1024);
}

}  // namespace
}  // namespace filigree
