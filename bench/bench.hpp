// SPDX-License-Identifier: Apache-2.0
//
// What scenarios share: a clock, a scratch folder, and the rows of the table that they fill.
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

/// One row of the table. Of all units less is better.
struct Result {
  std::string name;
  double ours = 0;
  std::optional<double> other = std::nullopt;  ///< what `against` needed for the same; none: no counterpart
  std::string against = "HDF5";
  std::optional<double> aim = std::nullopt;    ///< least that other / ours should be
  std::optional<double> limit = std::nullopt;  ///< most that ours should be
  std::string unit = "s";                      ///< or "bytes", "trips", "calls"
  std::uint64_t bytes = 0;                     ///< that were moved, or that the file has; 0: not counted
  bool checked = true;                         ///< false where nothing looked at the answer
  std::string scenario = {};                   ///< filled in by report()

  std::optional<double> ratio() const { return other ? std::optional(*other / ours) : std::nullopt; }
  std::optional<bool> met() const;
};

/// Prints the row and keeps it for the JSON file.
void report(Result result);

/// Seconds that `work` takes, the best of `repeats` runs.
double seconds(const std::function<void()>& work, int repeats = 1);

/// Seconds of two that take turns, the best of each: what else the machine does meets both.
struct Race {
  double ours = 1e9, other = 1e9;

  template <class Ours, class Other>
  void turn(const Ours& run_ours, const Other& run_other) {
    ours = std::min(ours, seconds(run_ours));
    other = std::min(other, seconds(run_other));
  }
};
/// The one in the middle, for what is as often faster as slower than usual: devices, and threads that wait
/// for each other. Of two in the middle the greater one; there is one at least.
double median(std::vector<double> values);

template <class Ours, class Other>
Race race(int turns, const Ours& run_ours, const Other& run_other) {
  Race race;
  for (int i = 0; i < turns; ++i) race.turn(run_ours, run_other);
  return race;
}

/// Ends the scenario: a fast wrong answer is worth nothing.
struct WrongAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool holds, std::string_view what);

/// A path in the scratch folder of this run, removed at its end.
std::string scratch(std::string_view name);
std::uint64_t file_bytes(const std::string& path);
/// A program of this build.
std::string program(std::string_view name);
/// What a command prints; throws std::runtime_error when it fails.
std::string output_of(const std::string& command);

struct Scenario {
  std::string_view name;
  std::string_view about;
  void (*run)();
};
const std::vector<Scenario>& scenarios();
/// Cost curves: how seconds, bytes, memory and round trips grow.
const std::vector<Scenario>& curves();

void run_metadata();
void run_datasets();
void run_selections();
void run_filters();
void run_drivers();
void run_latency();
void run_chunks();
void run_direct();
void run_readers();
void run_sparse();
void run_capi();

}  // namespace bench
