// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

#include <fmt/format.h>
#include <hdf5.h>

#include "bench.hpp"

namespace fs = std::filesystem;

namespace bench {

namespace {

struct ScratchFolder {
  fs::path path = fs::temp_directory_path() / fmt::format("filigree-bench-{}", ::getpid());
  ScratchFolder() { fs::create_directories(path); }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

ScratchFolder& folder() {
  static ScratchFolder one;
  return one;
}

}  // namespace

double seconds(const std::function<void()>& work, int repeats) {
  double best = 0;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i == 0 || took < best) best = took;
  }
  return best;
}

void report(std::string_view name, double ours, double stock) {
  fmt::print("{:<52} {:>9.3f} s {:>9.3f} s {:>7.2f} x\n", name, ours, stock, stock / ours);
  std::fflush(stdout);
}

void report(std::string_view name, double ours) {
  fmt::print("{:<52} {:>9.3f} s\n", name, ours);
  std::fflush(stdout);
}

void require(bool holds, std::string_view what) {
  if (holds) return;
  fmt::print(stderr, "wrong answer: {}\n", what);
  std::exit(1);
}

std::string scratch(std::string_view name) { return (folder().path / name).string(); }

}  // namespace bench

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "all";
  if (wanted == "--help" || wanted == "-h") {
    fmt::print(
        "usage: filigree_bench [all|metadata|datasets|selections|filters|chunks|sparse|drivers]\n"
        "Times Filigree and stock HDF5 on the same work; the last column is stock / Filigree.\n");
    return 0;
  }
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  fmt::print("{:<52} {:>11} {:>11} {:>9}\n", "", "Filigree",
             fmt::format("HDF5 {}.{}.{}", major, minor, release), "faster");
  bool known = false;
  if (wanted == "all" || wanted == "metadata") known = true, bench::run_metadata();
  if (wanted == "all" || wanted == "datasets") known = true, bench::run_datasets();
  if (wanted == "all" || wanted == "selections") known = true, bench::run_selections();
  if (wanted == "all" || wanted == "filters") known = true, bench::run_filters();
  if (wanted == "all" || wanted == "drivers") known = true, bench::run_drivers();
  if (wanted == "all" || wanted == "chunks") known = true, bench::run_chunks();
  if (wanted == "all" || wanted == "sparse") known = true, bench::run_sparse();
  if (!known) {
    fmt::print(stderr, "filigree_bench: no scenario '{}'; try --help\n", wanted);
    return 2;
  }
}
