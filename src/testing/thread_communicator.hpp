// SPDX-License-Identifier: Apache-2.0
//
// A communicator whose members are threads of one process, for tests without MPI.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <filigree/communicator.hpp>

namespace filigree::testing {

/// What happens to a member at one of its steps, counted from 0. A step is a call of a collective function.
struct PlannedStep {
  enum class What { fails, is_late };
  int rank = 0;
  std::uint64_t step = 0;
  What what = What::fails;
};

struct ThreadGroupOptions {
  std::vector<PlannedStep> plan = {};
  /// A member that waits so long for one that is busy elsewhere gives up.
  std::chrono::milliseconds patience = std::chrono::seconds(60);
  int on_this_node = 0;  ///< 0: all members
};

/// How a member ended.
struct MemberResult {
  std::exception_ptr failure = nullptr;
  std::uint64_t steps = 0;

  bool failed() const { return failure != nullptr; }
  /// The text of the failure; empty if there is none.
  std::string what() const;
};

/// Runs `work` on `members` threads, each with its communicator, and returns how each of them ended. A
/// deadlock ends at once: when all members that still run wait for one that has ended, they throw
/// Error(internal), which names who waits in what. Members that call different functions throw the same, and
/// so does a call on another thread than that of the member.
std::vector<MemberResult> run_members(int members,
                                      const std::function<void(const std::shared_ptr<Communicator>&)>& work,
                                      const ThreadGroupOptions& options = {});

/// The same for work that must succeed: throws the first failure, with the rank in its text.
void run_members_well(int members, const std::function<void(const std::shared_ptr<Communicator>&)>& work,
                      const ThreadGroupOptions& options = {});

}  // namespace filigree::testing
