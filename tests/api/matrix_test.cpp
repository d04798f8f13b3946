// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices with indices of every type, in memory of the library and of the caller.
#include <algorithm>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t rows = 90, columns = 110;

/// A dense matrix in which 0 stands for undefined.
using Table = std::vector<std::vector<int>>;

Table table_of(std::uint64_t seed, unsigned percent) {
  std::mt19937_64 random(seed);
  Table table(rows, std::vector<int>(columns));
  for (auto& row : table)
    for (int& value : row) value = random() % 100 < percent ? static_cast<int>(1 + random() % 900) : 0;
  table[17].assign(columns, 0);
  return table;
}

template <class Index>
Csr<int, Index> csr_of(const Table& table) {
  Csr<int, Index> matrix{rows, columns, {0}, {}, {}};
  for (const auto& row : table) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] == 0) continue;
      matrix.column_indices.push_back(static_cast<Index>(c));
      matrix.values.push_back(row[c]);
    }
    matrix.row_starts.push_back(static_cast<Index>(matrix.values.size()));
  }
  return matrix;
}

template <class Index>
Table table_of(const Csr<int, Index>& matrix) {
  Table table(matrix.rows, std::vector<int>(matrix.columns));
  for (std::size_t r = 0; r < matrix.rows; ++r)
    for (auto i = static_cast<std::size_t>(matrix.row_starts[r]);
         i < static_cast<std::size_t>(matrix.row_starts[r + 1]); ++i)
      table[r][static_cast<std::size_t>(matrix.column_indices[i])] = matrix.values[i];
  return table;
}

template <class Index>
class MatrixOf : public ::testing::Test {
 protected:
  Dataset make(const char* name, const Dims& chunk, bool packed) {
    auto options = sparse_chunks(chunk);
    if (std::is_unsigned_v<Index>) options.portable();  // so that some types test each form
    if (packed) options.values(filters::shuffle(), filters::zstd(1)).selection(filters::packed_selection());
    return file_.root().create_dataset<int>(name, Dataspace::simple({rows, columns}), options);
  }
  File file_ = File::create_in_memory();
};
using Indices = ::testing::Types<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                                 std::uint64_t, long long>;
TYPED_TEST_SUITE(MatrixOf, Indices);

TYPED_TEST(MatrixOf, GoesInAndOutInEveryForm) {
  const Table table = table_of(1, 30);
  for (const Dims& chunk : {Dims{32, 40}, Dims{1, 50}, Dims{90, 110}, Dims{32, 64}}) {
    for (const bool packed : {false, true}) {
      auto data = this->make("d", chunk, packed);
      write_csr(data, csr_of<TypeParam>(table));
      for (const bool stored : {false, true}) {
        if (stored) this->file_.flush();
        EXPECT_EQ(table_of(read_csr<int, TypeParam>(data)), table);
        const auto by_columns = read_csc<int, TypeParam>(data);
        const auto list = read_coo<int, TypeParam>(data);
        ASSERT_EQ(by_columns.values.size(), list.values.size());
        Table again(rows, std::vector<int>(columns));
        for (std::size_t c = 0; c < columns; ++c)
          for (auto i = static_cast<std::size_t>(by_columns.column_starts[c]);
               i < static_cast<std::size_t>(by_columns.column_starts[c + 1]); ++i)
            again[static_cast<std::size_t>(by_columns.row_indices[i])][c] = by_columns.values[i];
        EXPECT_EQ(again, table);
        auto second = this->make("second", chunk, packed);
        write_csc(second, by_columns);
        EXPECT_EQ(table_of(read_csr<int>(second)), table);
        second.erase(Selection::all());
        write_coo(second, list);
        EXPECT_EQ(table_of(read_csr<int>(second)), table);
        this->file_.root().remove("second");
      }
      this->file_.root().remove("d");
    }
  }
}

TYPED_TEST(MatrixOf, IsReadIntoMemoryOfTheCaller) {
  const Table table = table_of(2, 60);
  auto data = this->make("d", {32, 40}, true);
  const auto matrix = csr_of<TypeParam>(table);
  write_csr<int, TypeParam>(data, {matrix.row_starts, matrix.column_indices, matrix.values});
  const std::size_t count = defined_count(data);
  ASSERT_EQ(count, matrix.values.size());
  std::vector<TypeParam> starts(rows + 1), indices(count);
  std::vector<int> values(count);
  EXPECT_EQ((read_csr_into<int, TypeParam>(data, {starts, indices, values})), count);
  EXPECT_EQ(starts, matrix.row_starts);
  EXPECT_EQ(indices, matrix.column_indices);
  EXPECT_EQ(values, matrix.values);
  values.pop_back();
  EXPECT_THROW((read_csr_into<int, TypeParam>(data, {starts, indices, values})), Error);
}

TYPED_TEST(MatrixOf, RowsAndColumnsComeInTheOrderThatIsAskedFor) {
  const Table table = table_of(3, 40);
  auto data = this->make("d", {32, 40}, true);
  write_csr(data, csr_of<TypeParam>(table));
  this->file_.flush();
  for (const Dims& wanted : {Dims{}, Dims{0}, Dims{17}, Dims{3, 4, 80}, Dims{80, 3, 17, 3, 89}}) {
    const auto some = read_csr<int, TypeParam>(data, wanted);
    ASSERT_EQ(some.rows, wanted.size());
    const Table found = table_of(some);
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(found[i], table[wanted[i]]) << wanted[i];
    const auto slices = read_csc<int, TypeParam>(data, wanted);
    ASSERT_EQ(slices.columns, wanted.size());
    Table by_column(wanted.size(), std::vector<int>(rows));
    for (std::size_t c = 0; c < wanted.size(); ++c)
      for (auto i = static_cast<std::size_t>(slices.column_starts[c]);
           i < static_cast<std::size_t>(slices.column_starts[c + 1]); ++i)
        by_column[c][static_cast<std::size_t>(slices.row_indices[i])] = slices.values[i];
    for (std::size_t c = 0; c < wanted.size(); ++c)
      for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(by_column[c][r], table[r][wanted[c]]);
  }
  const auto corner = read_coo<int, TypeParam>(data, Selection::box({80, 100}, {5, 10}));
  for (std::size_t i = 0; i < corner.values.size(); ++i)
    EXPECT_EQ(corner.values[i], table[static_cast<std::size_t>(corner.row_indices[i])]
                                     [static_cast<std::size_t>(corner.column_indices[i])]);
  EXPECT_THROW((read_csr<int, TypeParam>(data, Dims{rows})), Error);
  EXPECT_THROW((read_csc<int, TypeParam>(data, Dims{1, columns})), Error);
}

TEST(Matrix, OfADenseDatasetHasAllElements) {
  File file = File::create_in_memory();
  auto data = file.root().create_dataset<int>("d", Dataspace::simple({3, 4}));
  std::vector<int> values(12);
  std::iota(values.begin(), values.end(), 1);
  data.write(values);
  const auto matrix = read_csr<int, std::int32_t>(data);
  EXPECT_EQ(matrix.values, values);
  EXPECT_THAT(matrix.row_starts, ElementsAre(0, 4, 8, 12));
  EXPECT_THAT((read_csr<int, std::int8_t>(data, Dims{2, 0}).values), ElementsAre(9, 10, 11, 12, 1, 2, 3, 4));
  EXPECT_THAT((read_csc<int, std::int8_t>(data, Dims{3}).values), ElementsAre(4, 8, 12));
  EXPECT_EQ(defined_count(data), 12u);
  std::vector<int> seen;
  for_each_defined_offsets<int>(
      data,
      [&](auto, auto some) {
        EXPECT_LE(some.size(), 5u);
        seen.insert(seen.end(), some.begin(), some.end());
      },
      {}, 5);
  EXPECT_EQ(seen, values);
}

TEST(Matrix, WithoutRowsOrElementsIsEmpty) {
  File file = File::create_in_memory();
  auto none =
      file.root().create_dataset<int>("n", Dataspace::simple({0, 4}, {unlimited, 4}), sparse_chunks({2, 4}));
  EXPECT_THAT((read_csr<int, std::int32_t>(none).row_starts), ElementsAre(0));
  EXPECT_THAT((read_csc<int, std::int32_t>(none).column_starts), ElementsAre(0, 0, 0, 0, 0));
  auto blank = file.root().create_dataset<int>("b", Dataspace::simple({2, 4}), sparse_chunks({2, 4}));
  EXPECT_THAT((read_csr<int, std::int32_t>(blank).row_starts), ElementsAre(0, 0, 0));
  EXPECT_THAT((read_csr<int, std::int32_t>(blank, Dims{1, 1}).row_starts), ElementsAre(0, 0, 0));
  EXPECT_EQ(defined_count(blank), 0u);
}

TEST(Matrix, ThatTheIndexTypeCannotHoldIsRefused) {
  File file = File::create_in_memory();
  auto wide = file.root().create_dataset<int>("w", Dataspace::simple({2, 200}), sparse_chunks({2, 200}));
  const auto refusal = [](const auto& attempt) -> std::string {
    try {
      attempt();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::limit);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal([&] { read_csr<int, std::int8_t>(wide); }), HasSubstr("127"));
  std::vector<int> ones(400, 1);
  wide.write(ones);
  EXPECT_THAT(refusal([&] { read_csr<int, std::uint8_t>(wide); }), HasSubstr("400"));
  auto data = file.root().create_dataset<int>("d", Dataspace::simple({2, 3}), sparse_chunks({2, 3}));
  const auto write = [&](const Csr<int, std::int8_t>& matrix) { write_csr(data, matrix); };
  EXPECT_THROW(write({2, 3, {0, 1, 2}, {0, -1}, {1, 2}}), Error);
  EXPECT_THROW(write({2, 3, {0, -1, 2}, {0, 1}, {1, 2}}), Error);
  EXPECT_EQ(defined_count(data), 0u);
}

}  // namespace
}  // namespace filigree
