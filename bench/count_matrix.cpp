// SPDX-License-Identifier: Apache-2.0
#include "count_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include <filigree/filigree.hpp>

namespace bench {
namespace {

using namespace filigree;

constexpr std::uint64_t chunk_cells = 500, chunk_genes = 5'000;

/// The mean count of each gene: log-normal, and a few genes that are in every cell.
std::vector<double> means() {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(-4.63, 1.94);
  std::vector<double> all(genes);
  for (double& one : all) one = std::exp(normal(random));
  for (int i = 0; i < 20; ++i) all[random() % genes] = 20.0 * (1 + i);
  return all;
}

/// A count of a Poisson distribution, given a uniform number below the probability that it is not zero.
std::int32_t count_below(double uniform, double mean) {
  double probability = std::exp(-mean), tail = 1 - probability;
  std::int32_t count = 0;
  while (uniform < tail && count < 10'000) {
    ++count;
    probability *= mean / count;
    tail -= probability;
  }
  return std::max(count, 1);
}

/// Calls `visit(row, column, count)` in row-major order.
template <class Visit>
void for_each_count(std::uint64_t rows, Visit visit) {
  const std::vector<double> mean = means();
  std::mt19937_64 random(2);
  std::normal_distribution<double> depth(0, 0.3);
  std::vector<std::uint32_t> threshold(genes);
  std::uint64_t state = 3;
  for (std::uint64_t row = 0; row < rows; ++row) {
    const double more = std::exp(depth(random));
    for (std::uint64_t g = 0; g < genes; ++g)
      threshold[g] = static_cast<std::uint32_t>(4294967295.0 * (1 - std::exp(-mean[g] * more)));
    for (std::uint64_t g = 0; g < genes; ++g) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto uniform = static_cast<std::uint32_t>(state >> 32);
      if (uniform < threshold[g]) visit(row, g, count_below(uniform / 4294967296.0, mean[g] * more));
    }
  }
}

std::vector<std::uint64_t> some_of(std::uint64_t count, std::uint64_t all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  std::ranges::shuffle(numbers, random);
  numbers.resize(std::min(count, all));
  return numbers;
}

}  // namespace

std::uint64_t cells() {
  const char* const given = std::getenv("FILIGREE_BENCH_MATRIX_ROWS");
  return given == nullptr ? full_cells
                          : std::max<std::uint64_t>(std::strtoull(given, nullptr, 10), 2 * chunk_cells);
}

Expected chosen_parts() { return {some_of(cells() / 50, cells(), 4), some_of(50, genes, 5), {}, {}, {}, {}}; }

Expected write_matrix(const std::string& path) {
  const std::uint64_t rows = cells();
  Expected expected = chosen_parts();
  expected.column_sums.resize(genes);
  std::vector<char> has_row(rows), has_column(genes);
  for (const std::uint64_t row : expected.rows) has_row[row] = 1;
  for (const std::uint64_t column : expected.columns) has_column[column] = 1;
  File file = File::create(path, CreateMode::truncate);
  auto data = file.root().create_dataset<std::int32_t>("counts", Dataspace::simple({rows, genes}),
                                                       sparse_chunks({chunk_cells, chunk_genes})
                                                           .values({filters::shuffle(), filters::zstd(3)})
                                                           .selection({filters::packed_selection()}));
  std::vector<std::uint64_t> offsets;
  std::vector<std::int32_t> values;
  std::uint64_t first = 0;
  const auto flush = [&](std::uint64_t end) {
    write_offsets<std::int32_t>(data, offsets, values, {first * genes, (end - first) * genes});
    offsets.clear();
    values.clear();
    first = end;
  };
  for_each_count(rows, [&](std::uint64_t row, std::uint64_t column, std::int32_t count) {
    if (row >= first + 4 * chunk_cells) flush(first + 4 * chunk_cells);
    offsets.push_back(row * genes + column);
    values.push_back(count);
    expected.of_all.add(row, column, count);
    if (has_row[row] != 0) expected.of_rows.add(row, column, count);
    if (has_column[column] != 0) expected.of_columns.add(row, column, count);
    expected.column_sums[column] += static_cast<std::uint64_t>(count);
  });
  flush(rows);
  file.close();
  return expected;
}

}  // namespace bench
