// SPDX-License-Identifier: Apache-2.0
//
// A writer that exits without closing its file: unclosed_driver FILE earliest|v108|latest STAGE
//
// Writes 0, 1, 2... to "a" and flushes. Stage `flushed` exits there; `changed` overwrites a part of "a" and
// exits without a flush; `closed` closes the file.
#include <filigree/filigree.hpp>

#include <unistd.h>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace filigree;
  if (argc != 4) return 2;
  const std::string version = argv[2], stage = argv[3];
  AccessOptions access;
  access.versions.low = version == "earliest" ? Version::earliest
                        : version == "v108"   ? Version::v1_8
                                              : Version::latest;
  try {
    File file = File::create(argv[1], CreateMode::truncate, {}, access);
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 0);
    Dataset a = file.root().create_dataset<int>("a", Dataspace::simple({values.size()}));
    a.write(values);
    file.flush();
    if (stage == "flushed") ::_exit(0);
    a.write(std::vector<int>(10, -1), Selection::box({0}, {10}));
    if (stage == "changed") ::_exit(0);
    file.close();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
