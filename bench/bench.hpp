// SPDX-License-Identifier: Apache-2.0
//
// What scenarios share: a clock, a scratch folder, and one line of result.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace bench {

/// Seconds that `work` takes, the best of `repeats` runs.
double seconds(const std::function<void()>& work, int repeats = 1);

/// Prints "name  ours  stock  ratio"; the ratio is how many times faster Filigree is.
void report(std::string_view name, double ours, double stock);
/// Prints a time that has no counterpart.
void report(std::string_view name, double ours);

/// Ends the program when an answer is wrong: a fast wrong answer is worth nothing.
void require(bool holds, std::string_view what);

/// A path in the scratch folder of this run, removed at its end.
std::string scratch(std::string_view name);

void run_metadata();
void run_datasets();
void run_selections();
void run_filters();
void run_drivers();
void run_chunks();
void run_sparse();

}  // namespace bench
