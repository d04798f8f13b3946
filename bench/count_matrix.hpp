// SPDX-License-Identifier: Apache-2.0
//
// A matrix like single-cell counts: cells x genes of int32, 4.8 % of them defined, 79 % of the counts ones.
// Most genes are rare, some are in nearly every cell. FILIGREE_BENCH_MATRIX_ROWS sets the number of cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

inline constexpr std::uint64_t genes = 20'000, full_cells = 50'000;
std::uint64_t cells();

/// The answer of an operation: so many elements, and a sum that depends on coordinates and values.
struct Answer {
  std::uint64_t elements = 0, sum = 0;
  void add(std::uint64_t row, std::uint64_t column, std::int32_t value) {
    ++elements;
    sum += (row * 31 + column * 7 + 1) * static_cast<std::uint64_t>(value);
  }
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// What the matrix is made of, and what operations on it must find.
struct Expected {
  std::vector<std::uint64_t> rows, columns;  ///< the ones that are read, in random order
  Answer of_rows, of_columns, of_all;
  std::vector<std::uint64_t> column_sums;
};

/// The rows and columns that are read; nothing else is set.
Expected chosen_parts();
/// Writes the dataset "counts" stripe by stripe, and computes what will be read.
Expected write_matrix(const std::string& path);

}  // namespace bench
