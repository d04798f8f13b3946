// SPDX-License-Identifier: Apache-2.0
//
// A sparse matrix is written and read as CSR, gets another element, loses a column, and is read as CSC.
// Usage: example_sparse_matrix [FILE]
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "sparse_matrix.h5";
  constexpr std::uint64_t rows = 100'000, columns = 20'000;
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    auto counts = file.root().create_dataset<float>(
        "counts", filigree::Dataspace::simple({rows, columns}),
        filigree::sparse_chunks({1000, 1000})
            .values({filigree::filters::shuffle(), filigree::filters::zstd(3)}));

    // Every row has three values. The rest of the two billion elements is not stored.
    filigree::Csr<float> matrix{rows, columns, {0}, {}, {}};
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (const std::uint64_t column : {row % 97, 100 + row % 1001, 2000 + row % 17'003}) {
        matrix.column_indices.push_back(column);
        matrix.values.push_back(static_cast<float>(row % 10 + 1));
      }
      matrix.row_starts.push_back(matrix.values.size());
    }
    filigree::write_csr(counts, matrix);
    const auto back = filigree::read_csr<float>(counts);
    const bool same = back.row_starts == matrix.row_starts && back.column_indices == matrix.column_indices &&
                      back.values == matrix.values;
    std::cout << matrix.values.size() << " elements as CSR, read back: " << (same ? "the same" : "other ones")
              << '\n';

    // Once it is written, zero is a value like any other.
    filigree::write_coordinates<float>(counts, std::vector<std::uint64_t>{5, 19'999}, std::vector<float>{0});
    counts.erase(filigree::Selection::box({0, 7}, {rows, 1}));
    std::cout << filigree::defined_count(counts) << " elements are defined\n";
    file.close();

    const auto again = filigree::File::open(path);
    const auto data = again.root().open_dataset("counts");
    const auto by_column = filigree::read_csc<float>(data);
    std::cout << "column 100 has " << by_column.column_starts[101] - by_column.column_starts[100]
              << " elements, column 7 has " << by_column.column_starts[8] - by_column.column_starts[7]
              << '\n';

    // A dense part: elements that are not defined read as the fill value.
    const auto corner = data.read<std::vector<float>>(filigree::Selection::box({5, 19'998}, {1, 2}));
    std::cout << corner[0] << ' ' << corner[1] << '\n';
    std::cout << again.info().file_bytes / 1024 << " KiB for " << rows * columns * sizeof(float) / 1024 / 1024
              << " MiB of matrix\n";
    const bool gone = by_column.column_starts[8] == by_column.column_starts[7];
    return same && gone && data.defined(filigree::Selection::box({5, 19'999}, {1, 1})).elements() == 1 ? 0
                                                                                                       : 1;
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
