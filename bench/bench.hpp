// SPDX-License-Identifier: Apache-2.0
//
// What scenarios share: a clock, a scratch folder, and the rows of the result table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// One row of the table. Less is better, whatever the unit.
struct Result {
  std::string name;
  double ours = 0;
  std::optional<double> other =
      std::nullopt;  ///< what `against` needed for the same work; unset: no counterpart
  std::string against = "HDF5";
  std::optional<double> aim = std::nullopt;    ///< the least value of other / ours that is acceptable
  std::optional<double> limit = std::nullopt;  ///< the greatest value of `ours` that is acceptable
  std::string unit = "s";                      ///< or "bytes", "trips", "calls"
  std::uint64_t bytes = 0;                     ///< transferred, or in the file; 0: not counted
  bool checked = true;                         ///< false if nothing checked the result
  std::string scenario = {};                   ///< filled in by report()

  std::optional<double> ratio() const { return other ? std::optional(*other / ours) : std::nullopt; }
  std::optional<bool> met() const;
};

/// Prints the row and keeps it for the JSON file.
void report(Result result);

/// Measures `work` in seconds: the best of `repeats` runs.
double seconds(const std::function<void()>& work, int repeats = 1);

/// The best time of two contestants. Their runs are interleaved, so that background load affects both
/// equally.
struct Race {
  double ours = 1e9, other = 1e9;

  template <class Ours, class Other>
  void turn(const Ours& run_ours, const Other& run_other) {
    ours = std::min(ours, seconds(run_ours));
    other = std::min(other, seconds(run_other));
  }
};
/// The median, for measurements whose noise is symmetric: devices, and threads that wait for each other. Of
/// two values in the middle it is the greater one. *Requires*: at least one value.
double median(std::vector<double> values);

template <class Ours, class Other>
Race race(int turns, const Ours& run_ours, const Other& run_other) {
  Race race;
  for (int i = 0; i < turns; ++i) race.turn(run_ours, run_other);
  return race;
}

/// Ends the scenario, because the time of a wrong result means nothing.
struct WrongAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool holds, std::string_view what);

/// A path in the scratch folder of this run. The folder is removed at the end.
std::string scratch(std::string_view name);
std::uint64_t file_bytes(const std::string& path);
/// The path of a program of this build.
std::string program(std::string_view name);
/// The output of a shell command. *Throws* std::runtime_error if the command fails.
std::string output_of(const std::string& command);

struct Scenario {
  std::string_view name;
  std::string_view about;
  void (*run)();
};
const std::vector<Scenario>& scenarios();
/// Cost curves: how time, file size, memory and round trips grow.
const std::vector<Scenario>& curves();

void run_metadata();
void run_datasets();
void run_selections();
void run_filters();
void run_packed();
void run_drivers();
void run_latency();
void run_chunks();
void run_direct();
void run_readers();
void run_sparse();
void run_matrix();
void run_capi();

}  // namespace bench
