// SPDX-License-Identifier: Apache-2.0
//
// tests/oracle/packed_selection_test.py checks the layout with a decoder that was written from the
// specification.
#include "filter/packed_selection/line_codes.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "filter/packed_selection/packed_selection.hpp"
#include "filter/packed_selection/set_codes.hpp"

namespace filigree::filter {
namespace {

using Points32 = std::vector<std::uint32_t>;

struct Matrix {
  Words dims;
  Points32 points;
};

/// Elements whose density depends on the column, or on the row.
Matrix uneven(std::uint64_t rows, std::uint64_t columns, bool by_columns, unsigned seed) {
  std::mt19937 random(seed);
  std::lognormal_distribution<double> density(-3, 1.5);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> densities(by_columns ? columns : rows);
  for (double& one : densities) one = std::min(1.0, density(random));
  Matrix matrix{{rows, columns}, {}};
  for (std::uint64_t y = 0; y < rows; ++y)
    for (std::uint64_t x = 0; x < columns; ++x)
      if (uniform(random) < densities[by_columns ? x : y])
        matrix.points.push_back(static_cast<std::uint32_t>(y * columns + x));
  return matrix;
}

Words edges_of(const Points32& points) {
  Words edges;
  for (const std::uint64_t point : points) {
    if (edges.empty() || edges.back() != point) edges.insert(edges.end(), {point, point});
    ++edges.back();
  }
  return edges;
}

double even_entropy_bytes(const Matrix& matrix) {
  const auto all = static_cast<double>(matrix.dims[0] * matrix.dims[1]);
  const double p = static_cast<double>(matrix.points.size()) / all;
  return all / 8 * -(p * std::log2(p) + (1 - p) * std::log2(1 - p));
}

TEST(LineCodes, TakeLessThanTheEntropyOfEvenDensities) {
  for (const bool by_columns : {false, true}) {
    const Matrix matrix = uneven(500, 640, by_columns, 1);
    const auto packed = pack_points(matrix.dims, matrix.points);
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->stored[0] & std::byte{0x7f}, std::byte{10});
    EXPECT_LE(static_cast<double>(packed->stored.size()), 0.87 * even_entropy_bytes(matrix));
    const auto back = unpack_points(packed->stored, packed->unfiltered_bytes, matrix.points.size());
    EXPECT_EQ(listed(back->points, matrix.points.size()), matrix.points);
  }
}

TEST(LineCodes, AreTheSameForPointsRunsAndBytes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Matrix matrix = uneven(64 + seed, seed % 2 == 0 ? 128 : 100 + seed, seed % 3 == 0, seed);
    const Words edges = edges_of(matrix.points);
    const auto points = pack_points(matrix.dims, matrix.points), runs = pack_runs(matrix.dims, edges);
    ASSERT_TRUE(points && runs);
    EXPECT_TRUE(points->stored == runs->stored) << seed;
    const Buffer bytes = unpack_selection(runs->stored, runs->unfiltered_bytes);
    EXPECT_TRUE(pack_selection(bytes) == runs->stored) << seed;
    EXPECT_EQ(unpack_runs(runs->stored, runs->unfiltered_bytes)->edges, edges) << seed;
  }
}

TEST(LineCodes, SurviveDamageWithAMatchingChecksum) {
  const Matrix matrix = uneven(300, 30, true, 3);
  const auto packed = pack_points(matrix.dims, matrix.points);
  ASSERT_TRUE(packed);
  ASSERT_EQ(packed->stored[0] & std::byte{0x7f}, std::byte{10});
  const auto survives = [&](Buffer stored) {
    const std::size_t body = stored.size() - 4;
    store_word(stored.data() + body, lookup3(Bytes(stored).first(body)), 4);
    try {
      const auto points = unpack_points(stored, packed->unfiltered_bytes, matrix.points.size());
      if (points && points->points.bits) {
        EXPECT_FALSE(points->points.bits->has_stray_bits());
      }
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated) << error.what();
    }
  };
  for (std::size_t bit = 0; bit < 8 * (packed->stored.size() - 4); ++bit) {
    Buffer changed = packed->stored;
    changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    survives(changed);
  }
  for (std::size_t kept = 5; kept < packed->stored.size(); ++kept)
    survives({packed->stored.begin(), packed->stored.begin() + static_cast<std::ptrdiff_t>(kept)});
}

TEST(LineCodes, RefuseExtentsBeyondTheirLimits) {
  Buffer body;
  put_varint(body, 1);  // columns
  body.resize(body.size() + 20);
  for (const std::uint64_t end : {LineShape::most_elements + 1, std::uint64_t{1} << 40, std::uint64_t{0}}) {
    VarintReader in(body);
    EXPECT_THROW(read_lines(in, 1, end), Error) << end;
  }
}

RC_GTEST_PROP(LineCodes, RestoreAnySet, ()) {
  const auto columns = *rc::gen::inRange<std::uint64_t>(2, 60),
             rows = *rc::gen::inRange<std::uint64_t>(2, 60);
  const Matrix matrix = uneven(rows, columns, *rc::gen::arbitrary<bool>(), *rc::gen::inRange(0u, 10000u));
  // Lines are planned even if they have too few elements to be worth it.
  const LineLimits limits{4 * rows * columns, ~std::uint64_t{0}};
  const auto plan = plan_lines(edges_of(matrix.points), rows * columns, columns, limits);
  RC_ASSERT(plan.has_value());
  Buffer stored;
  write_lines(stored, *plan);
  VarintReader in(stored);
  const Bitmap set = read_lines(in, matrix.points.size(), rows * columns);
  RC_ASSERT(points_of(set, matrix.points.size()) == matrix.points);
}

}  // namespace
}  // namespace filigree::filter
