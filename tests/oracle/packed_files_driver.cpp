// SPDX-License-Identifier: Apache-2.0
//
// Writes a file whose chunks have packed values, and the same values without filters, for
// packed_values_test.py. Prints the sections of the chunks of a sparse dataset, one chunk per line: its
// offset, section 0, section 1; then the offsets and values of its elements.
//   packed_files_driver FILE
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;

/// Counts, most of them 1; the density depends on the column.
struct Counts {
  static constexpr std::uint64_t rows = 200, columns = 300;
  std::vector<std::uint64_t> offsets;
  std::vector<std::int32_t> values;

  Counts() {
    std::mt19937 random(5);
    for (std::uint64_t at = 0; at < rows * columns; ++at) {
      if (random() % 300 >= at % 30 * (at % 30) / 6) continue;
      offsets.push_back(at);
      values.push_back(random() % 5 == 0 ? 2 + static_cast<std::int32_t>(random() % 50) : 1);
    }
  }
};

template <class T>
void write_both(Group group, const std::string& name, const std::vector<T>& values) {
  const Dataspace space = Dataspace::simple({values.size()});
  DatasetOptions packed;
  packed.chunk = {3000};
  packed.filters = {filters::packed_values()};
  group.create_dataset<T>(name, space, packed).write(values);
  group.create_dataset<T>(name + "_plain", space).write(values);
}

void write_dense(Group group, const Counts& counts) {
  write_both(group, "counts", counts.values);
  write_both(group, "floats", std::vector<float>(counts.values.begin(), counts.values.end()));
  std::vector<std::uint64_t> ramp(9000, 1000), steps(9000);
  for (std::size_t i = 0; i < ramp.size(); ++i) {
    ramp[i] += i * i % 3001;
    steps[i] = i / 70 * 7919 % 1001;
  }
  write_both(group, "ramp", ramp);
  write_both(group, "steps", steps);
}

void print_hex(const std::vector<std::byte>& bytes) {
  for (const std::byte byte : bytes) std::printf("%02x", static_cast<unsigned>(byte));
  std::printf(" ");
}

void write_sparse(Group group, const Counts& counts) {
  auto data = group.create_dataset<std::int32_t>("sparse", Dataspace::simple({Counts::rows, Counts::columns}),
                                                 sparse_chunks({Counts::rows, Counts::columns})
                                                     .values(filters::packed_values())
                                                     .selection(filters::packed_selection()));
  write_offsets<std::int32_t>(data, counts.offsets, counts.values);
  for (const RawSection& section : data.read_structured_chunk({0, 0})) print_hex(section.bytes);
  std::printf("\n");
  for (const std::uint64_t offset : counts.offsets)
    std::printf("%llu ", static_cast<unsigned long long>(offset));
  std::printf("\n");
  for (const std::int32_t value : counts.values) std::printf("%d ", value);
  std::printf("\n");
}

}  // namespace

int main(int, char** arguments) {
  File file = File::create(arguments[1], CreateMode::truncate);
  const Counts counts;
  write_dense(file.root(), counts);
  write_sparse(file.root(), counts);
  file.close();
}
