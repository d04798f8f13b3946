// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

template <class T>
Dims suggested(Dims dims, Dims most = {}, ChunkAccess access = ChunkAccess::anything) {
  return suggest_chunks(Dataspace::simple(std::move(dims), std::move(most)), Datatype::of<T>(), access);
}

TEST(SuggestChunks, TakesSmallDataInOnePiece) {
  EXPECT_EQ(suggested<float>({100, 100}), (Dims{100, 100}));
  EXPECT_EQ(suggested<double>({7}), (Dims{7}));
  EXPECT_EQ(suggested<double>({0, 5}), (Dims{1, 5}));
  EXPECT_TRUE(suggest_chunks(Dataspace::scalar(), Datatype::of<int>()).empty());
}

TEST(SuggestChunks, FillsLinesThatGrow) {
  EXPECT_EQ(suggested<double>({0}, {unlimited}), (Dims{32768}));
  EXPECT_EQ(suggested<std::uint8_t>({0}, {unlimited}), (Dims{262144}));
  EXPECT_EQ(suggested<double>({0}, {1000}), (Dims{1000})) << "no more than the maximum";
}

TEST(SuggestChunks, SuitsTheAccess) {
  const Dims dims{4096, 4096};  // 64 MiB of floats: chunks of 1 MiB
  EXPECT_EQ(suggested<float>(dims, {}, ChunkAccess::rows), (Dims{64, 4096}));
  EXPECT_EQ(suggested<float>(dims, {}, ChunkAccess::columns), (Dims{4096, 64}));
  EXPECT_EQ(suggested<float>(dims, {}, ChunkAccess::anything), (Dims{512, 512}));
  EXPECT_EQ(suggested<float>({1u << 30}, {}, ChunkAccess::columns), (Dims{1u << 18}));
  EXPECT_EQ(suggested<std::uint16_t>({0, 512, 1024}, {unlimited, 512, 1024}, ChunkAccess::frames),
            (Dims{1, 256, 512}));
  EXPECT_EQ(suggested<std::uint16_t>({0, 64, 64}, {unlimited, 64, 64}, ChunkAccess::frames),
            (Dims{32, 64, 64}));
  EXPECT_EQ(suggested<std::uint16_t>({64, 64, 0}, {64, 64, unlimited}, ChunkAccess::frames),
            (Dims{64, 64, 32}));
}

TEST(SuggestChunks, CutsEvenly) { EXPECT_EQ(suggested<double>({1000, 1000}), (Dims{125, 125})); }

TEST(SuggestChunks, StaysWithinItsLimits) {
  for (const ChunkAccess access :
       {ChunkAccess::anything, ChunkAccess::rows, ChunkAccess::columns, ChunkAccess::frames}) {
    for (const Dims& dims :
         {Dims{3, 1u << 20}, Dims{1u << 20, 3}, Dims{unlimited - 1}, Dims{1, 1, 1, 1}, Dims{5000, 7, 900},
          Dims(32, 2), Dims{0, 0}, Dims{unlimited - 1, unlimited - 1}}) {
      for (const bool grows : {false, true}) {
        const Dims most = grows ? Dims(dims.size(), unlimited) : dims;
        const Dims chunk = suggested<double>(dims, most, access);
        ASSERT_EQ(chunk.size(), dims.size());
        std::uint64_t bytes = 8;
        for (std::size_t d = 0; d < dims.size(); ++d) {
          ASSERT_GE(chunk[d], 1u);
          ASSERT_LE(chunk[d], std::max<std::uint64_t>(1, most[d]));
          bytes *= chunk[d];
        }
        ASSERT_LE(bytes, 1u << 20);
        if (grows) {
          ASSERT_GE(bytes, 64u << 10);
        }
      }
    }
  }
  const Datatype large = Datatype::opaque(5u << 20, "");
  EXPECT_EQ(suggest_chunks(Dataspace::simple({10, 10}), large), (Dims{1, 1}));
}

TEST(SuggestChunks, IsAskedWhereChunksAreNeededAndNoneAreGiven) {
  File file = File::create_in_memory();
  DatasetOptions filtered;
  filtered.filters = {filters::deflate()};
  EXPECT_EQ(file.root().write_dataset("a", std::vector<int>(500), filtered).dataset_info().chunk, Dims{500});
  DatasetOptions frames;
  frames.access = ChunkAccess::frames;
  Dataset growing = file.root().create_dataset<std::uint16_t>(
      "b", Dataspace::simple({0, 512, 1024}, {unlimited, 512, 1024}), frames);
  EXPECT_EQ(growing.dataset_info().chunk, (Dims{1, 256, 512}));
  growing.resize({3, 512, 1024});
  DatasetOptions chunked;
  chunked.layout = Layout::chunked;
  EXPECT_EQ(file.root().write_dataset("c", std::vector<int>(10), chunked).dataset_info().chunk, Dims{10});
  EXPECT_EQ(file.root().write_dataset("d", std::vector<int>(10)).dataset_info().layout, Layout::contiguous);
}

// Sparse chunks.

Dims sparse(Dims dims, Dims most, const ExpectedDensity& density, ChunkAccess access) {
  return suggest_sparse_chunks(Dataspace::simple(std::move(dims), std::move(most)), density, access);
}

TEST(SuggestSparseChunks, KeepFramesComplete) {
  const Dims none{0, 2048, 2048}, most{unlimited, 2048, 2048};
  const auto frames = [&](double defined) {
    return sparse(none, most, ExpectedDensity::per_slice(defined), ChunkAccess::frames);
  };
  EXPECT_EQ(frames(4150), (Dims{1, 2048, 2048}));
  EXPECT_EQ(frames(65000), (Dims{1, 2048, 2048}));
  EXPECT_EQ(frames(1000), (Dims{4, 2048, 2048}));
  EXPECT_EQ(frames(1), (Dims{16, 2048, 2048})) << "at most 2^26 elements";
  EXPECT_EQ(frames(70000), (Dims{1, 1024, 2048}));
  EXPECT_EQ(frames(1e9), (Dims{1, 256, 256})) << "all are defined";
}

TEST(SuggestSparseChunks, SuitTheAccess) {
  const Dims dims{50000, 20000};
  const auto density = ExpectedDensity::of(0.048);  // 170,666 elements for 8,192 defined ones
  EXPECT_EQ(sparse(dims, dims, density, ChunkAccess::rows), (Dims{8, 20000}));
  EXPECT_EQ(sparse(dims, dims, density, ChunkAccess::columns), (Dims{50000, 3}));
  EXPECT_EQ(sparse(dims, dims, density, ChunkAccess::anything), (Dims{391, 313}));
  EXPECT_EQ(sparse(dims, dims, ExpectedDensity::per_slice(960), ChunkAccess::rows), (Dims{8, 20000}));
  EXPECT_EQ(sparse({1u << 30, 1u << 30}, {}, ExpectedDensity::of(1e-9), ChunkAccess::anything),
            (Dims{8192, 8192}));
  EXPECT_TRUE(suggest_sparse_chunks(Dataspace::scalar()).empty());
}

TEST(SuggestSparseChunks, AreUsedForDatasetsWithoutChunks) {
  Scratch scratch;
  auto file = File::create(scratch / "s.h5");
  const auto space = Dataspace::simple({0, 512, 512}, {unlimited, 512, 512});
  auto data = file.root().create_dataset<int>(
      "d", space, sparse_chunks(ExpectedDensity::per_slice(500), ChunkAccess::frames));
  EXPECT_EQ(data.dataset_info().chunk, (Dims{8, 512, 512}));
  EXPECT_TRUE(data.dataset_info().sparse);
  DatasetOptions options;
  options.sparse = true;
  EXPECT_EQ(file.root().create_dataset<int>("e", space, options).dataset_info().chunk,
            suggest_sparse_chunks(space));
}

TEST(SuggestSparseChunks, RefuseImpossibleDensities) {
  for (const double wrong : {0.0, -1.0, 1.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(ExpectedDensity::of(wrong), Error);
  for (const double wrong : {0.0, -5.0, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(ExpectedDensity::per_slice(wrong), Error);
}

TEST(SuggestSparseChunks, StayWithinTheirLimits) {
  for (const ChunkAccess access :
       {ChunkAccess::anything, ChunkAccess::rows, ChunkAccess::columns, ChunkAccess::frames}) {
    for (const double share : {1e-12, 1e-6, 0.001, 0.3, 1.0}) {
      for (const Dims& dims : {Dims{3, 1u << 20}, Dims{1u << 20, 3}, Dims{unlimited - 1}, Dims{5000, 7, 900},
                               Dims(32, 2), Dims{0, 0}, Dims{unlimited - 1, unlimited - 1}}) {
        for (const bool grows : {false, true}) {
          const Dims most = grows ? Dims(dims.size(), unlimited) : dims;
          const Dims chunk = sparse(dims, most, ExpectedDensity::of(share), access);
          ASSERT_EQ(chunk.size(), dims.size());
          double elements = 1;
          for (std::size_t d = 0; d < dims.size(); ++d) {
            ASSERT_GE(chunk[d], 1u);
            ASSERT_LE(chunk[d], std::max<std::uint64_t>(1, most[d]));
            elements *= static_cast<double>(chunk[d]);
          }
          ASSERT_LE(elements, access == ChunkAccess::frames ? 0x1p31 : 0x1p26);
        }
      }
    }
  }
}

}  // namespace
}  // namespace filigree
