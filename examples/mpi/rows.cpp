// SPDX-License-Identifier: Apache-2.0
//
// Each rank writes its rows of one dataset, and all of them read the sum of its columns.
//
//     mpirun -n 4 example_mpi_rows rows.h5
#include <cstdio>
#include <numeric>
#include <vector>

#include <filigree/filigree.hpp>
#include <filigree/mpi.hpp>

namespace {

void write_rows(const char* path, int rank, int ranks) {
  auto file = filigree::mpi::create(path, filigree::CreateMode::truncate);
  // All ranks make the same groups, datasets and attributes.
  const std::uint64_t rows = 3 * static_cast<std::uint64_t>(ranks);
  auto data = file.root().create_dataset<double>("rows", filigree::Dataspace::simple({rows, 100}));
  data.set_attribute("unit", "m");
  // Each writes elements of its own. All requests together are one request to MPI-IO.
  filigree::TransferOptions together;
  together.collective = true;
  const std::vector<double> mine(300, rank + 1);
  data.write(mine, filigree::Selection::box({3 * static_cast<std::uint64_t>(rank), 0}, {3, 100}), together);
  file.close();
}

double sum_of(const char* path, int rank, int ranks) {
  auto file = filigree::mpi::open(path);
  const auto data = file.root().open_dataset("rows");
  // A rank may read by itself.
  double sum = 0;
  const std::uint64_t rows = data.space().dims()[0];
  for (auto row = static_cast<std::uint64_t>(rank); row < rows; row += static_cast<std::uint64_t>(ranks)) {
    const auto values = data.read<std::vector<double>>(filigree::Selection::box({row, 0}, {1, 100}));
    sum = std::accumulate(values.begin(), values.end(), sum);
  }
  file.close();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int code = 0;
  try {
    const char* const path = argc > 1 ? argv[1] : "rows.h5";
    write_rows(path, rank, ranks);
    double sum = sum_of(path, rank, ranks);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d ranks: the sum is %.0f\n", ranks, sum);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    code = 1;
  }
  MPI_Finalize();
  return code;
}
