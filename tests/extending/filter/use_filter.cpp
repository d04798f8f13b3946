// SPDX-License-Identifier: Apache-2.0
//
// Uses the filter of invert.cpp as a user would: finds it by its id, writes through it, and reads back.
#include <filigree/filigree.hpp>

#include <cstdio>
#include <vector>

int main() {
  using namespace filigree;
  const auto known = filters::find(40000);
  if (!known || known->name != "invert") return 1;
  DatasetOptions options;
  options.chunk = {8};
  options.filters = {{40000, {}, false}};
  const std::vector<int> values{1, 2, 3, 4, 5, 6, 7, 8};
  File file = File::create("filter.h5", CreateMode::truncate);
  Dataset data = file.root().create_dataset<int>("d", Dataspace::simple({8}), options);
  data.write(values);
  file.close();
  file = File::open("filter.h5");
  data = file.root().open_dataset("d");
  const auto first = static_cast<int>(data.read_chunk({0}).bytes[0]);
  if (first != 0xfe || data.read<std::vector<int>>() != values) return 2;
  std::puts("the filter works");
}
