// SPDX-License-Identifier: Apache-2.0
//
// The H5 C API: the programs of bench/capi, built against HDF5 and against Filigree, run alternately. They
// check their results and print the seconds that they measured.
#include <sstream>
#include <string>

#include "bench.hpp"

namespace bench {
namespace {

std::string run_program(const std::string& name, const std::string& arguments = "") {
  return output_of("cd '" + scratch("") + "' && '" + program(name) + "' " + arguments);
}

double seconds_of(const std::string& name) { return std::stod(run_program(name)); }

/// Creates and opens 20,000 objects. The programs print the processor time of both.
void race_objects(const std::string& what, const std::string& objects) {
  Race creating, opening;
  const auto run = [&](const std::string& name, double& created, double& opened) {
    std::istringstream numbers(run_program(name, what));
    double create = 0, open = 0;
    numbers >> create >> open;
    created = std::min(created, create);
    opened = std::min(opened, open);
  };
  for (int turn = 0; turn < 5; ++turn) {
    run("bench_many_objects_ours", creating.ours, opening.ours);
    run("bench_many_objects_reference", creating.other, opening.other);
  }
  report({.name = "create 20,000 " + objects + ", CPU",
          .ours = creating.ours,
          .other = creating.other,
          .aim = 3});
  report(
      {.name = "open 20,000 of them at random, CPU", .ours = opening.ours, .other = opening.other, .aim = 3});
}

/// The peak memory of a process that handles 100,000 datasets.
void weigh_objects(const std::string& what) {
  const std::string arguments = what + " 100000";
  const double ours = std::stod(run_program("bench_many_objects_ours", arguments));
  const double other = std::stod(run_program("bench_many_objects_reference", arguments));
  report({.name = what + " 100,000 datasets, peak memory",
          .ours = ours,
          .other = other,
          .aim = 1,
          .unit = "bytes"});
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
  race_objects("datasets", "datasets of 4 elements with an attribute");
  race_objects("groups", "groups");
  for (const char* what : {"write", "read", "list"}) weigh_objects(what);
}

}  // namespace bench
