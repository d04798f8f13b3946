// SPDX-License-Identifier: Apache-2.0
//
// Rows, columns and all of a matrix of single-cell counts: 50,000 x 20,000, 48 million of them defined.
//
// Each operation runs in a process of its own, with an empty chunk cache. It is measured by its CPU time,
// which other programs disturb less than the time of a clock, and by its peak memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"
#include "count_matrix.hpp"

namespace bench {
namespace {

using namespace filigree;

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

/// Runs `work` in a process of its own, and returns the numbers that it returns.
std::vector<double> in_process(const std::function<std::vector<double>()>& work) {
  std::array<int, 2> pipe;
  require(::pipe(pipe.data()) == 0, "a pipe");
  const pid_t child = ::fork();
  require(child >= 0, "a process");
  if (child == 0) {
    std::vector<double> numbers;
    try {
      numbers = work();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    const auto* const bytes = reinterpret_cast<const char*>(numbers.data());
    const std::size_t all = numbers.size() * sizeof(double);
    for (std::size_t sent = 0; sent < all;) {
      const ssize_t some = ::write(pipe[1], bytes + sent, all - sent);
      if (some <= 0) ::_exit(1);
      sent += static_cast<std::size_t>(some);
    }
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::vector<double> numbers;
  std::array<char, 4096> part;
  std::string text;
  for (ssize_t got; (got = ::read(pipe[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(pipe[0]);
  ::waitpid(child, nullptr, 0);
  numbers.resize(text.size() / sizeof(double));
  std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof(double));
  require(!numbers.empty(), "an operation on the matrix");
  return numbers;
}

// Sums are sent as numbers of 64 bits in the memory of others.
double sent(std::uint64_t number) { return std::bit_cast<double>(number); }
std::uint64_t received(double number) { return std::bit_cast<std::uint64_t>(number); }

Measured measure(const std::string& path, const std::function<Answer(const Dataset&)>& work) {
  const auto numbers = in_process([&] {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts anew
    const double cpu = cpu_seconds();
    Answer answer;
    const double clock = seconds([&] {
      const File file = File::open(path);
      answer = work(file.root().open_dataset("counts"));
    });
    return std::vector<double>{sent(answer.elements), sent(answer.sum), clock, cpu_seconds() - cpu,
                               status_bytes("VmHWM:")};
  });
  return {{received(numbers[0]), received(numbers[1])}, numbers[2], numbers[3], numbers[4]};
}

/// Writes the matrix in another process, so that the memory for it does not count.
Expected make_matrix(const std::string& path) {
  Expected expected = chosen_parts();
  const auto numbers = in_process([&] {
    Expected found = write_matrix(path);
    std::vector<double> all;
    for (const Answer& answer : {found.of_rows, found.of_columns, found.of_all})
      all.insert(all.end(), {sent(answer.elements), sent(answer.sum)});
    for (const std::uint64_t sum : found.column_sums) all.push_back(sent(sum));
    return all;
  });
  expected.of_rows = {received(numbers[0]), received(numbers[1])};
  expected.of_columns = {received(numbers[2]), received(numbers[3])};
  expected.of_all = {received(numbers[4]), received(numbers[5])};
  for (std::size_t i = 6; i < numbers.size(); ++i) expected.column_sums.push_back(received(numbers[i]));
  return expected;
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
  const Expected expected = make_matrix(path);
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
