// SPDX-License-Identifier: Apache-2.0
//
// Uses the chunk format of reversed_format.cpp as a user would: writes a dataset that has it, and reads it
// back.
#include <filigree/filigree.hpp>

#include <cstdio>
#include <vector>

int main() {
  using namespace filigree;
  const std::vector<std::uint64_t> dims{1, 1, 1, 1, 1, 1, 4};
  const std::vector<std::uint8_t> values{1, 2, 3, 4};
  DatasetOptions options;
  options.chunk = dims;
  File file = File::create("reversed.h5", CreateMode::truncate);
  file.root().create_dataset<std::uint8_t>("d", Dataspace::simple(dims), options).write(values);
  file.close();
  file = File::open("reversed.h5");
  const Dataset data = file.root().open_dataset("d");
  if (static_cast<int>(data.read_chunk({0, 0, 0, 0, 0, 0, 0}).bytes[0]) != 4) return 1;
  if (data.read<std::vector<std::uint8_t>>() != values) return 2;
  std::puts("the chunk format works");
}
