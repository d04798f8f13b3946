// SPDX-License-Identifier: Apache-2.0
//
// A matrix of single-cell counts: 50,000 cells x 20,000 genes of int32, 4.8 % of them defined, 79 % of the
// counts ones. Most genes are rare, some are in nearly every cell. FILIGREE_BENCH_MATRIX_ROWS sets another
// number of cells.
//
// Each operation runs in a process of its own, with an empty chunk cache. It is measured by its CPU time,
// which other programs disturb less than the time of a clock, and by its peak memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"

namespace bench {
namespace {

using namespace filigree;

constexpr std::uint64_t genes = 20'000, full_cells = 50'000;
constexpr std::uint64_t chunk_cells = 500, chunk_genes = 5'000;

std::uint64_t cells() {
  const char* const given = std::getenv("FILIGREE_BENCH_MATRIX_ROWS");
  return given == nullptr ? full_cells
                          : std::max<std::uint64_t>(std::strtoull(given, nullptr, 10), 2 * chunk_cells);
}

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

/// Writes the matrix stripe by stripe, and computes what will be read.
Expected write_matrix(const std::string& path) {
  const std::uint64_t rows = cells();
  Expected expected{some_of(rows / 50, rows, 4), some_of(50, genes, 5), {}, {}, {}, {}};
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

/// What an operation cost, and what it found.
struct Measured {
  Answer answer;
  double clock = 0, cpu = 0;
  double peak_bytes = 0;
};

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

double status_bytes(std::string_view field) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(field)) return std::strtod(line.c_str() + field.size() + 1, nullptr) * 1024;
  return 0;
}

Measured measure(const std::string& path, const std::function<Answer(const Dataset&)>& work) {
  std::array<int, 2> pipe;
  require(::pipe(pipe.data()) == 0, "a pipe");
  const pid_t child = ::fork();
  require(child >= 0, "a process");
  if (child == 0) {
    Measured measured;
    try {
      std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts anew
      const double cpu = cpu_seconds();
      measured.clock = seconds([&] {
        const File file = File::open(path);
        measured.answer = work(file.root().open_dataset("counts"));
      });
      measured.cpu = cpu_seconds() - cpu;
      measured.peak_bytes = status_bytes("VmHWM:");
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      measured.answer = {};
    }
    ::_exit(::write(pipe[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
  }
  ::close(pipe[1]);
  Measured measured;
  const bool complete = ::read(pipe[0], &measured, sizeof measured) == sizeof measured;
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  require(complete, "an operation on the matrix");
  return measured;
}

Answer answer_of(const DefinedValues<std::int32_t>& found) {
  Answer answer;
  std::size_t next = 0;
  for (const Selection::Run& run : found.elements.runs())
    for (std::uint64_t offset = run.start; offset < run.start + run.length; ++offset)
      answer.add(offset / genes, offset % genes, found.values[next++]);
  return answer;
}

void operator+=(Answer& all, const Answer& more) {
  all.elements += more.elements;
  all.sum += more.sum;
}

/// Prints CPU time and peak memory of the better of two runs. `most_bytes` is the limit of the table.
void row(const std::string& path, const std::string& name, const Answer& expected, double most_seconds,
         double most_bytes, const std::function<Answer(const Dataset&)>& work) {
  Measured best;
  for (int i = 0; i < 3; ++i) {
    const Measured measured = measure(path, work);
    require(measured.answer == expected, name);
    if (i == 0 || measured.cpu < best.cpu) best = measured;
  }
  const bool is_full = cells() == full_cells;
  const auto limit = [&](double value) { return is_full ? std::optional(value) : std::nullopt; };
  report({.name = name + ": CPU time", .ours = best.cpu, .limit = limit(most_seconds)});
  report({.name = name + ": time", .ours = best.clock});
  report(
      {.name = name + ": peak memory", .ours = best.peak_bytes, .limit = limit(most_bytes), .unit = "bytes"});
}

Selection row_box(std::uint64_t row) { return Selection::box({row, 0}, {1, genes}); }
Selection column_box(std::uint64_t column) { return Selection::box({0, column}, {cells(), 1}); }

template <class Index>
Answer answer_of(const Csr<std::int32_t, Index>& found, const std::vector<std::uint64_t>& rows) {
  Answer answer;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (auto i = found.row_starts[row]; i < found.row_starts[row + 1]; ++i)
      answer.add(rows[row], static_cast<std::uint64_t>(found.column_indices[static_cast<std::size_t>(i)]),
                 found.values[static_cast<std::size_t>(i)]);
  return answer;
}

template <class Index>
Answer answer_of(const Csc<std::int32_t, Index>& found, const std::vector<std::uint64_t>& columns) {
  Answer answer;
  for (std::size_t column = 0; column < columns.size(); ++column)
    for (auto i = found.column_starts[column]; i < found.column_starts[column + 1]; ++i)
      answer.add(static_cast<std::uint64_t>(found.row_indices[static_cast<std::size_t>(i)]), columns[column],
                 found.values[static_cast<std::size_t>(i)]);
  return answer;
}

template <class Box>
Answer read_each(const Dataset& data, const std::vector<std::uint64_t>& numbers, Box box) {
  Answer answer;
  for (const std::uint64_t number : numbers)
    answer += answer_of(read_defined<std::int32_t>(data, box(number)));
  return answer;
}

void parts(const std::string& path, const Expected& expected) {
  constexpr double limit_bytes = 200e6;
  const std::vector<std::uint64_t>&rows = expected.rows, &columns = expected.columns;
  const auto number = [](const std::vector<std::uint64_t>& of, const char* what) {
    return fmt::format("{} {}", of.size(), what);
  };
  const std::string some_rows = number(rows, "rows"), some_columns = number(columns, "columns");
  row(path, "read_defined, " + some_rows + " one by one", expected.of_rows, 0.7, limit_bytes,
      [&](const Dataset& data) { return read_each(data, rows, row_box); });
  row(path, "read_defined, " + some_rows + " as one selection", expected.of_rows, 0.7, limit_bytes,
      [&](const Dataset& data) {
        return answer_of(read_defined<std::int32_t>(data, select_rows({cells(), genes}, rows)));
      });
  row(path, "read_csr, " + some_rows, expected.of_rows, 0.7, limit_bytes,
      [&](const Dataset& data) { return answer_of(read_csr<std::int32_t, std::int32_t>(data, rows), rows); });
  row(path, "read_defined, " + some_columns + " one by one", expected.of_columns, 0.9, limit_bytes,
      [&](const Dataset& data) { return read_each(data, columns, column_box); });
  row(path, "read_defined, " + some_columns + " as one selection", expected.of_columns, 0.9, limit_bytes,
      [&](const Dataset& data) {
        return answer_of(
            read_defined<std::int32_t>(data, select_columns({cells(), genes}, columns, 0, cells())));
      });
  row(path, "read_csc, " + some_columns, expected.of_columns, 0.9, limit_bytes, [&](const Dataset& data) {
    return answer_of(read_csc<std::int32_t, std::int32_t>(data, columns), columns);
  });
}

Answer sums_answer(const std::vector<std::uint64_t>& sums) {
  Answer answer;
  for (std::uint64_t column = 0; column < sums.size(); ++column)
    answer.add(0, column, static_cast<std::int32_t>(sums[column]));
  return answer;
}

Answer column_sums(const Dataset& data) {
  std::vector<std::uint64_t> sums(genes);
  for_each_defined<std::int32_t>(data, [&](const Selection& elements, std::span<const std::int32_t> values) {
    std::size_t next = 0;
    for (const Selection::Run& run : elements.runs())
      for (std::uint64_t offset = run.start; offset < run.start + run.length; ++offset)
        sums[offset % genes] += static_cast<std::uint64_t>(values[next++]);
  });
  return sums_answer(sums);
}

Answer column_sums_by_offset(const Dataset& data) {
  std::vector<std::uint64_t> sums(genes);
  for_each_defined_offsets<std::int32_t>(
      data, [&](std::span<const std::uint64_t> offsets, std::span<const std::int32_t> values) {
        for (std::size_t i = 0; i < offsets.size(); ++i)
          sums[offsets[i] % genes] += static_cast<std::uint64_t>(values[i]);
      });
  return sums_answer(sums);
}

Answer all_as_csr(const Dataset& data) {
  const auto matrix = read_csr<std::int32_t, std::int32_t>(data);
  return {matrix.values.size(), static_cast<std::uint64_t>(matrix.column_indices.back())};
}

Answer all_into_memory(const Dataset& data) {
  const std::size_t count = defined_count(data);
  const auto starts = std::make_unique_for_overwrite<std::int32_t[]>(cells() + 1);
  const auto columns = std::make_unique_for_overwrite<std::int32_t[]>(count);
  const auto values = std::make_unique_for_overwrite<std::int32_t[]>(count);
  read_csr_into<std::int32_t, std::int32_t>(
      data, {{starts.get(), cells() + 1}, {columns.get(), count}, {values.get(), count}});
  return {count, static_cast<std::uint64_t>(columns[count - 1])};
}

/// Checks all elements once; the time of this is not measured.
Answer all_elements(const Dataset& data) {
  std::vector<std::uint64_t> rows(cells());
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  return answer_of(read_csr<std::int32_t, std::int32_t>(data), rows);
}

}  // namespace

void run_matrix() {
  const std::string path = scratch("matrix.h5");
  const Expected expected = write_matrix(path);
  report({.name = fmt::format("bytes of the file, {} elements", expected.of_all.elements),
          .ours = static_cast<double>(file_bytes(path)),
          .unit = "bytes"});
  parts(path, expected);
  require(measure(path, all_elements).answer == expected.of_all, "all as CSR");
  const Answer sums = sums_answer(expected.column_sums);
  row(path, "for_each_defined, column sums", sums, 1.7, 200e6, column_sums);
  row(path, "for_each_defined_offsets, column sums", sums, 1.7, 200e6, column_sums_by_offset);
  const Answer all = measure(path, all_as_csr).answer;
  row(path, "read_csr<int32_t, int32_t>, everything", all, 1.2, 500e6, all_as_csr);
  row(path, "read_csr_into, everything", all, 1.2, 500e6, all_into_memory);
  row(path, "defined_count, everything", {expected.of_all.elements, 0}, 0.01, 50e6, [](const Dataset& data) {
    return Answer{defined_count(data), 0};
  });
}

}  // namespace bench
