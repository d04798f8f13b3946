// SPDX-License-Identifier: Apache-2.0
//
// The H5 C API: the programs of bench/capi, built against HDF5 and against Filigree, run alternately. They
// check their results and print the seconds that they measured.
#include <string>

#include "bench.hpp"

namespace bench {
namespace {

double seconds_of(const std::string& name) {
  return std::stod(output_of("cd '" + scratch("") + "' && '" + program(name) + "'"));
}

}  // namespace

void run_capi() {
  Race race;
  for (int turn = 0; turn < 4; ++turn) {
    race.ours = std::min(race.ours, seconds_of("bench_open_and_read_ours"));
    race.other = std::min(race.other, seconds_of("bench_open_and_read_reference"));
  }
  report({.name = "open and read a dataset of 4 elements 100,000 times",
          .ours = race.ours,
          .other = race.other,
          .aim = 1});
}

}  // namespace bench
