// SPDX-License-Identifier: Apache-2.0
//
// What reading takes in memory. Counts, never times.
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

}  // namespace
}  // namespace filigree
