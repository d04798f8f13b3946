// SPDX-License-Identifier: Apache-2.0
//
// Uses the driver of local_driver.cpp as a user would: by the scheme of a URL, and by its name.
#include <filigree/filigree.hpp>

#include <cstdio>
#include <vector>

int main() {
  using namespace filigree;
  const std::vector<int> values{1, 2, 3};
  {
    File file = File::create("local://driver.h5", CreateMode::truncate);
    file.root().write_dataset("d", values);
    file.close();
  }
  AccessOptions access;
  access.driver = DriverChoice("local");
  const File by_name = File::open("driver.h5", OpenMode::read_only, access);
  if (by_name.root().read_dataset<std::vector<int>>("d") != values) return 1;
  std::puts("the driver works");
}
