// SPDX-License-Identifier: Apache-2.0
//
// Counts similar to those of single-cell experiments: genes differ by orders of magnitude, cells by depth,
// and most counts are zero. Counts are negative binomial, with a mean of gene x cell; about 5 % of them are
// defined, and about four of five defined counts are 1.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace bench {

/// Cells in rows, genes in columns.
struct CountMatrix {
  std::uint64_t cells = 0, genes = 0;
  std::vector<std::uint64_t> row_starts{0};
  std::vector<std::uint32_t> columns = {};
  std::vector<std::int32_t> counts = {};
};

/// A small, fast generator of random numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  /// From 0 to 1.
  double next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// The count with this quantile, for a mean and a dispersion.
inline std::int32_t negative_binomial(double quantile, double mean, double size) {
  const double share = mean / (mean + size);
  double part = std::pow(1 - share, size), sum = part;
  std::int32_t count = 0;
  while (sum < quantile && count < 100'000) {
    part *= share * (size + count) / (count + 1);
    sum += part;
    ++count;
  }
  return count;
}

inline CountMatrix make_counts(std::uint64_t cells, std::uint64_t genes, unsigned seed = 1) {
  constexpr double size = 2;
  std::mt19937 random(seed);
  std::lognormal_distribution<double> expression(-4.45, 1.85), depth(0, 0.3);
  std::vector<double> means(genes);
  for (double& mean : means) mean = expression(random);
  CountMatrix matrix{cells, genes};
  Random draws(seed);
  std::vector<double> none(genes);
  constexpr unsigned depths = 64;  // distinct depths; the chances of no count are computed for each
  for (unsigned group = 0; group < depths; ++group) {
    const double deep = depth(random);
    for (std::uint64_t gene = 0; gene < genes; ++gene)
      none[gene] = std::pow(1 + means[gene] * deep / size, -size);
    for (std::uint64_t cell = group * cells / depths; cell < (group + 1) * cells / depths; ++cell) {
      for (std::uint64_t gene = 0; gene < genes; ++gene) {
        const double quantile = draws.next();
        if (quantile <= none[gene]) continue;
        matrix.columns.push_back(static_cast<std::uint32_t>(gene));
        matrix.counts.push_back(negative_binomial(quantile, means[gene] * deep, size));
      }
      matrix.row_starts.push_back(matrix.columns.size());
    }
  }
  return matrix;
}

}  // namespace bench
