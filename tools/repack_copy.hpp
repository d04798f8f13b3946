// SPDX-License-Identifier: Apache-2.0
//
// The copy that `filigree repack` makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <filigree/filigree.hpp>

#include "repack_plan.hpp"

namespace filigree::tools {

/// Copies a file and changes what is planned.
class Repacking {
 public:
  /// `verify`: compare all datasets that change, not only those that were or become sparse.
  Repacking(const File& input, const RepackChoices& choices, const AccessOptions& output, bool verify)
      : input_(input), choices_(choices), access_(output), verify_(verify) {}

  /// Decides what happens to each dataset; see RepackPlan.
  void make_plan() { plan_.emplace(input_, choices_, access_); }
  /// Requires: make_plan().
  const RepackPlan& plan() const { return *plan_; }
  /// Writes the copy and compares what was changed. Requires: make_plan(). Throws: Error.
  void run(const std::string& path);

  std::uint64_t input_bytes() const { return input_.info().file_bytes; }
  std::uint64_t output_bytes() const { return output_bytes_; }

 private:
  ContentsOptions contents();
  std::optional<StorageChange> change_of(const Dataset& source);
  void finish_masks(const File& made);
  void verify_all(const std::string& path);

  const File input_;
  const RepackChoices& choices_;
  const AccessOptions access_;
  const bool verify_;
  std::optional<RepackPlan> plan_;
  std::uint64_t output_bytes_ = 0;
};

}  // namespace filigree::tools
