// SPDX-License-Identifier: Apache-2.0
//
// What reading takes in memory. Counts, never times.
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "damage.hpp"

namespace filigree {
namespace {

struct Allocations {
  std::uint64_t number = 0, bytes = 0;
};

template <class Work>
Allocations allocations_of(Work&& work) {
  const std::uint64_t number = damage::allocations, bytes = damage::allocated_bytes;
  damage::counting = true;
  work();
  damage::counting = false;
  return {damage::allocations - number, damage::allocated_bytes - bytes};
}

constexpr std::size_t count = 1u << 20;

class DatasetMemory : public ::testing::Test {
 protected:
  File file_ = File::create_in_memory();
  Dataset floats_ = file_.root().write_dataset("d", std::vector<float>(count, 1.5f));
};

TEST_F(DatasetMemory, ReadingAsStoredTakesTheResultAndLittleElse) {
  std::vector<float> values;
  const Allocations used = allocations_of([&] { values = floats_.read<std::vector<float>>(); });
  EXPECT_EQ(values.back(), 1.5f);
  EXPECT_LE(used.number, 400u);
  EXPECT_LE(used.bytes, count * sizeof(float) + (128u << 10));  // no staging
}

TEST_F(DatasetMemory, ConvertingTakesAFewBuffersMore) {
  std::vector<double> values;
  const Allocations used = allocations_of([&] { values = floats_.read<std::vector<double>>(); });
  EXPECT_EQ(values.back(), 1.5);
  EXPECT_LE(used.number, 600u);
  EXPECT_LE(used.bytes, count * sizeof(double) + count * sizeof(float) + (1u << 20));
}

TEST_F(DatasetMemory, OneElementTakesNextToNothing) {
  const Allocations used =
      allocations_of([&] { EXPECT_EQ(floats_.read<double>(Selection::box({77}, {1})), 1.5); });
  EXPECT_LE(used.number, 200u);
  EXPECT_LE(used.bytes, 32u << 10);
}

TEST_F(DatasetMemory, AnotherReadDecodesNoHeader) {
  const auto read = [&] { EXPECT_EQ(floats_.read<std::vector<float>>(Selection::box({77}, {2}))[1], 1.5f); };
  const Allocations first = allocations_of(read);
  const Allocations second = allocations_of(read);
  EXPECT_LE(second.number, 60u) << "the first read took " << first.number;
}

TEST_F(DatasetMemory, StridedElementsTakeTheResultAndOneStagingBuffer) {
  std::vector<float> values;
  const Allocations used = allocations_of(
      [&] { values = floats_.read<std::vector<float>>(Selection::strided({0}, {8}, {count / 8})); });
  EXPECT_EQ(values.size(), count / 8);
  EXPECT_LE(used.number, 600u);
  EXPECT_LE(used.bytes, count / 8 * sizeof(float) + count * sizeof(float) + (1u << 20));
}

TEST_F(DatasetMemory, WritingAsStoredTakesLittle) {
  const std::vector<float> values(count, 2.5f);
  const Allocations used = allocations_of([&] { floats_.write(values); });
  EXPECT_LE(used.number, 400u);
  EXPECT_LE(used.bytes, 128u << 10);
}

/// A dataset of one unfiltered chunk, without a cache.
class LargeChunk : public ::testing::Test {
 protected:
  LargeChunk() {
    DatasetOptions options;
    options.chunk = {elements};
    data_ = file_.root().create_dataset<float>("d", Dataspace::simple({elements}), options);
    data_->write(std::vector<float>(elements, 1.5f));
    file_.flush();
    data_->set_chunk_cache(ChunkCacheOptions{0, 0, std::nullopt});
  }

  static constexpr std::uint64_t elements = 4u << 20;
  static constexpr std::uint64_t little = 64u << 10;
  File file_ = File::create_in_memory();
  std::optional<Dataset> data_;
};

TEST_F(LargeChunk, IsNotReadWholeForOneElement) {
  const Allocations used =
      allocations_of([&] { EXPECT_EQ(data_->read<float>(Selection::box({777'777}, {1})), 1.5f); });
  EXPECT_LE(used.bytes, little);
}

TEST_F(LargeChunk, IsNotReadWholeForOneConvertedElement) {
  const Allocations used =
      allocations_of([&] { EXPECT_EQ(data_->read<double>(Selection::box({777'777}, {1})), 1.5); });
  EXPECT_LE(used.bytes, little);
}

TEST_F(LargeChunk, IsNotReadWholeToWriteOneElement) {
  const Allocations used = allocations_of([&] {
    data_->write(2.5f, Selection::box({777'777}, {1}));
    data_->write(3.5, Selection::box({777'779}, {1}));
  });
  EXPECT_LE(used.bytes, little);
  EXPECT_EQ(data_->read<std::vector<float>>(Selection::box({777'776}, {5})),
            (std::vector{1.5f, 2.5f, 1.5f, 3.5f, 1.5f}));
}

TEST_F(LargeChunk, KeepsTheLastOfRepeatedPoints) {
  const std::vector<std::uint64_t> points{5, 6, 5};
  data_->write(std::vector{1.0f, 2.0f, 3.0f}, Selection::points({elements}, points));
  EXPECT_EQ(data_->read<std::vector<float>>(Selection::box({5}, {2})), (std::vector{3.0f, 2.0f}));
}

}  // namespace
}  // namespace filigree
