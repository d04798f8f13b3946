// SPDX-License-Identifier: Apache-2.0
//
// What reading and writing elements costs in requests to the file. Counts, never times.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "format/messages/datatype.hpp"
#include "io/memory/memory_file.hpp"
#include "model/dataset/create.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/transfer.hpp"
#include "model/file/file.hpp"
#include "testing/counting_file.hpp"

namespace filigree::model {
namespace {

using space::Selection;

Selection whole(std::vector<std::uint64_t> dims) { return Selection::all(space::Frame(std::move(dims))); }
Selection part(std::vector<std::uint64_t> dims, std::vector<space::SlabDimension> slab) {
  return Selection::regular(space::Frame(std::move(dims)), std::move(slab));
}

/// A file with a dataset of floats; counts start anew with every reset().
class DatasetCost : public ::testing::Test {
 protected:
  DatasetCost() {
    auto counting = std::make_unique<testing::CountingFile>(memory_);
    io_ = counting.get();
    file_ = File::create(std::move(counting), {}, {});
    file_->begin_change("test");
  }

  Address create(std::vector<std::uint64_t> dims, bool big_endian = false) {
    NewDataset made;
    made.type = format::ieee_float(4, big_endian);
    made.space.kind = format::DataspaceKind::simple;
    made.space.dims = std::move(dims);
    return create_dataset(*file_, made);
  }
  void write(Address dataset, const Selection& selection, const std::vector<float>& values) {
    const Selection memory = whole({values.size()});
    const format::DatatypeMessage type = format::ieee_float(4);
    Dataset(*file_, dataset)
        .write({selection, memory, type}, reinterpret_cast<const std::byte*>(values.data()));
  }
  template <class T>
  std::vector<T> read(Address dataset, const Selection& selection) {
    std::vector<T> values(selection.elements());
    const Selection memory = whole({values.size()});
    const format::DatatypeMessage type = format::ieee_float(sizeof(T));
    Dataset(*file_, dataset).read({selection, memory, type}, reinterpret_cast<std::byte*>(values.data()));
    return values;
  }
  testing::IoCounts since_reset() const { return io_->counts(); }

  io::MemoryFile memory_;
  testing::CountingFile* io_ = nullptr;
  std::shared_ptr<File> file_;
};

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 4096);
  return values;
}

constexpr std::uint64_t side = 1024;

TEST_F(DatasetCost, FreshDataIsWrittenOnceWithoutFillValues) {
  const Address d = create({side, side});
  file_->flush();
  io_->reset();
  write(d, whole({side, side}), counted(side * side));
  file_->flush();
  const auto counts = since_reset();
  EXPECT_LE(counts.write_bytes, 4 * side * side + 8192);
  EXPECT_LE(counts.write_calls, 4 * side * side / (64u << 10));
  EXPECT_EQ(counts.read_calls, 0u);
  EXPECT_EQ(counts.truncate_calls, 0u);
}

TEST_F(DatasetCost, AllOfItIsReadInFewLargeRequests) {
  const Address d = create({4 * side, side});
  write(d, whole({4 * side, side}), counted(4 * side * side));
  io_->reset();
  EXPECT_EQ(read<float>(d, whole({4 * side, side})), counted(4 * side * side));
  const auto counts = since_reset();
  EXPECT_EQ(counts.read_bytes, 16 * side * side);
  EXPECT_LE(counts.read_extents, 4 + 16 * side * side / (1u << 20));
  io_->reset();
  EXPECT_EQ(read<double>(d, whole({4 * side, side}))[4097], 1.0);  // by way of staging memory
  EXPECT_EQ(since_reset().read_bytes, 16 * side * side);
  EXPECT_LE(since_reset().read_extents, 4 + 16 * side * side / (128u << 10));
}

TEST_F(DatasetCost, NumbersOfTheOtherByteOrderAreReadInLargePieces) {
  const Address d = create({4 * side, side}, true);
  write(d, whole({4 * side, side}), counted(4 * side * side));
  io_->reset();
  EXPECT_EQ(read<float>(d, whole({4 * side, side})), counted(4 * side * side));
  EXPECT_EQ(since_reset().read_bytes, 16 * side * side);
  EXPECT_LE(since_reset().read_extents, 4 + 16 * side * side / (128u << 10));
}

TEST_F(DatasetCost, NumbersOfTheOtherByteOrderLeaveGapsInMemoryAlone) {
  // Rows long enough to be read to where they go, into an array that has two columns more.
  constexpr std::uint64_t rows = 5, columns = 4000;
  const Address d = create({rows, columns}, true);
  write(d, whole({rows, columns}), counted(rows * columns));
  std::vector<float> values(rows * (columns + 2), -1.0f);
  const Selection memory = part({rows, columns + 2}, {{0, 1, rows, 1}, {1, 1, columns, 1}});
  const format::DatatypeMessage type = format::ieee_float(4);
  const Selection all = whole({rows, columns});
  Dataset(*file_, d).read({all, memory, type}, reinterpret_cast<std::byte*>(values.data()));
  const std::vector<float> expected = counted(rows * columns);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const float* found = &values[row * (columns + 2)];
    EXPECT_EQ(found[0], -1.0f);
    EXPECT_TRUE(std::equal(found + 1, found + 1 + columns, &expected[row * columns])) << row;
    EXPECT_EQ(found[columns + 1], -1.0f);
  }
}

TEST_F(DatasetCost, AFaultHandlerSeesValuesAsTheyAreInTheFile) {
  const Address d = create({4 * side});
  write(d, whole({4 * side}), std::vector<float>(4 * side, -2.5f));
  int seen = 0;
  const type::FaultHandler handler = [&](const type::FaultyValue& faulty) {
    float value = 0;
    std::memcpy(&value, faulty.value, sizeof value);
    seen += value == -2.5f;
    const std::uint32_t result = 7;
    std::memcpy(faulty.result, &result, sizeof result);
    return FaultHandling::handled;
  };
  std::vector<std::uint32_t> values(4 * side);
  const Selection all = whole({4 * side});
  const format::DatatypeMessage type = format::fixed_point(4, false);
  Dataset(*file_, d).read({all, all, type, type::Rules::natural, &handler},
                          reinterpret_cast<std::byte*>(values.data()));
  EXPECT_EQ(seen, static_cast<int>(4 * side));
  EXPECT_EQ(values, std::vector<std::uint32_t>(4 * side, 7));
}

TEST_F(DatasetCost, OneElementIsOneRead) {
  const Address d = create({side, side});
  write(d, whole({side, side}), counted(side * side));
  io_->reset();
  EXPECT_EQ(read<float>(d, part({side, side}, {{500, 1, 1, 1}, {7, 1, 1, 1}})).at(0), 7.0f);
  EXPECT_EQ(since_reset().read_calls, 1u);
  EXPECT_EQ(since_reset().read_bytes, 4u);
}

TEST_F(DatasetCost, EveryEighthElementIsReadByLargePieces) {
  const Address d = create({side, side});
  write(d, whole({side, side}), counted(side * side));
  io_->reset();
  const auto values = read<float>(d, part({side, side}, {{0, 1, side, 1}, {3, 8, side / 8, 1}}));
  EXPECT_EQ(values[1], 11.0f);
  EXPECT_EQ(values[side / 8], 1027.0f);
  EXPECT_LE(since_reset().read_extents, 4 + 4 * side * side / (64u << 10));
  EXPECT_LE(since_reset().read_bytes, 4 * side * side);
}

TEST_F(DatasetCost, DistantRowsAreReadOneByOne) {
  const Address d = create({side, side});
  write(d, whole({side, side}), counted(side * side));
  io_->reset();
  read<float>(d, part({side, side}, {{0, 8, side / 8, 1}, {3, 8, side / 8, 1}}));
  EXPECT_LE(since_reset().read_extents, side / 8 + 4);
  EXPECT_LE(since_reset().read_bytes, 4 * side * side / 8);
}

TEST_F(DatasetCost, WritingEveryEighthElementReadsAndWritesLargePieces) {
  const Address d = create({side, side});
  write(d, whole({side, side}), counted(side * side));
  io_->reset();
  write(d, part({side, side}, {{0, 1, side, 1}, {3, 8, side / 8, 1}}),
        std::vector<float>(side * side / 8, -1.0f));
  EXPECT_LE(since_reset().read_extents, 4 + 4 * side * side / (64u << 10));
  EXPECT_LE(since_reset().write_extents, 4 + 4 * side * side / (64u << 10));
  const auto row = read<float>(d, part({side, side}, {{9, 1, 1, 1}, {0, 1, side, 1}}));
  EXPECT_EQ(row[2], 1026.0f);
  EXPECT_EQ(row[3], -1.0f);
  EXPECT_EQ(row[4], 1028.0f);
}

}  // namespace
}  // namespace filigree::model
