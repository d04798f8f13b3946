// SPDX-License-Identifier: Apache-2.0
//
// What keeps the members of a communicator together: each collective step begins with the same comparison.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <filigree/communicator.hpp>

#include "base/hash128.hpp"

namespace filigree {

/// Throws on all members if any of them passes a failure: the failure of the lowest rank, which the message
/// names. Collective.
void agree_on_failure(Communicator& members, const std::exception_ptr& failure);

/// The collective step that a member is in.
struct CollectiveStep {
  std::string_view call;         ///< "Dataset::write"
  std::string_view object = {};  ///< a path, or the name of a file; only for messages
  unsigned number = 0;           ///< of the step within the call
  std::uint64_t detail = 0;      ///< a hash of arguments that must be equal
};

/// The agreement of all members about one file. Every member notes the same changes in the same order. Each
/// collective call meets the others at its beginning, between its steps and at its end. Because all meetings
/// are one reduction of the same size, members in different calls meet, too, and all learn of it.
///
/// *Thread safety*: one thread at a time; note() needs the exclusive lock of the file.
class Agreement {
 public:
  explicit Agreement(std::shared_ptr<Communicator> members, std::string name);

  Communicator& members() const { return *members_; }
  /// Adds a change to the history: what is done, and the bytes or numbers that it is done with.
  void note(std::string_view operation, std::string_view object = {}, std::uint64_t detail = 0);

  /// Meets all members. Returns whether any of them passed `more`.
  /// *Throws*: on all members, the failure that a member passes; Error(diverged) if they are in different
  /// steps or have noted different changes. After that, every further call throws the same at once.
  bool meet(const CollectiveStep& step, const std::exception_ptr& failure = nullptr, bool more = false);
  /// The exception that is being thrown here is thrown by all members.
  void set_failure_known() { failure_is_known_ = true; }
  /// Ends a step that failed here: in the current exception handler, meets the others with the failure unless
  /// they know it already. Always throws.
  [[noreturn]] void fail(const CollectiveStep& step);

  bool diverged() const { return !divergence_.empty(); }
  /// *Throws*: Error(diverged) once the members have diverged.
  void require_agreement() const;
  /// The seconds since 1970 that all members agreed on at their last meeting.
  std::int64_t seconds() const { return seconds_; }
  /// How many meetings there have been.
  std::uint64_t meetings() const { return meetings_; }

 private:
  struct Noted {
    std::uint64_t number;
    std::uint64_t hash;  ///< of the history up to here
    std::string text;
  };
  struct Report;

  Report my_report(const CollectiveStep& step) const;
  [[noreturn]] void report_divergence(const CollectiveStep& step);

  const std::shared_ptr<Communicator> members_;
  const std::string name_;
  Hash128 history_;
  std::uint64_t noted_ = 0;
  std::deque<Noted> last_;  ///< the newest changes, for messages
  std::string divergence_;
  bool failure_is_known_ = false;  ///< to all members
  std::int64_t seconds_ = 0;
  std::uint64_t meetings_ = 0;
};

/// Runs `work` as a collective call: all members meet before and after it, and a failure of one is thrown by
/// all. With a null agreement just runs it.
template <class Work>
void collectively(Agreement* agreement, CollectiveStep step, Work&& work) {
  if (agreement == nullptr) return std::forward<Work>(work)();
  agreement->meet(step);
  step.number = ~0u;
  step.detail = 0;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    agreement->fail(step);
  }
  agreement->meet(step);
}

}  // namespace filigree
