// SPDX-License-Identifier: Apache-2.0
//
// What `filigree repack` says about what it did, or would do.
#pragma once

#include <cstdint>
#include <string>

#include "repack_plan.hpp"

namespace filigree::tools {

/// A repack that is done, or only planned.
struct RepackReport {
  std::string input, output;
  std::uint64_t bytes_before = 0, bytes_after = 0;
  bool is_done = false;  ///< false: only the plans are known
};

/// Prints what changes, what stays and why, and the sizes of the files. Complains about what should have
/// changed.
void print_report(const RepackReport& report, const RepackPlan& plan);
void print_json_report(const RepackReport& report, const RepackPlan& plan);

}  // namespace filigree::tools
