// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous operations, which run on threads of the library in the order of their files. operations.cpp
// explains the protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/mutex.hpp"
#include "capi/core/errors.hpp"

namespace filigree::capi {

class OperationThreads;

/// What an operation does.
struct OperationWork {
  /// Does the work. Returns false for a failure, with its records on the error stack of the thread.
  std::function<bool()> run;
  /// Called once, after run() or instead of it: frees what the operation holds. `succeeded` is false for
  /// operations that failed or were cancelled.
  std::function<void(bool succeeded)> end;
};

/// A call that runs later.
/// *Thread safety*: all functions may be called concurrently.
class Operation {
 public:
  enum class State : std::uint8_t { waiting, running, succeeded, failed, cancelled };
  explicit Operation(OperationWork work);
  /// Makes an operation that has succeeded already.
  static std::shared_ptr<Operation> done();

  State state() const;
  /// Waits until the operation has ended, for `nanoseconds` at most, and returns its state. The threads of
  /// operations never wait: they would wait for themselves.
  State wait(std::optional<std::uint64_t> nanoseconds = std::nullopt) const;
  /// Cancels the operation unless it has begun. Returns the state afterwards.
  State cancel();

  // These are valid when the operation has ended.
  const std::vector<std::shared_ptr<const ErrorRecord>>& errors() const { return errors_; }
  std::uint64_t began_microseconds() const { return began_microseconds_; }  ///< since 1970
  std::uint64_t ran_nanoseconds() const { return ran_nanoseconds_; }

 private:
  friend class OperationThreads;
  bool has_ended() const { return state_ != State::waiting && state_ != State::running; }
  bool run();
  void end(bool succeeded) noexcept;

  OperationWork work_;
  std::vector<std::shared_ptr<const ErrorRecord>> errors_;
  std::uint64_t began_microseconds_ = 0;
  std::uint64_t ran_nanoseconds_ = 0;
  const pid_t process_;  ///< the threads of another process do not run it here

  // Guarded by the mutex of OperationThreads, which this class cannot name.
  State state_ = State::waiting;
  bool has_left_ = false;                              ///< its followers may run
  std::size_t predecessors_ = 0;                       ///< operations that must run before it
  std::vector<std::shared_ptr<Operation>> followers_;  ///< operations that wait for this one
  FileOrders orders_;
};

/// The operations of one file. Files are known by their paths, because operations open them.
class FileOrder {
 private:
  friend class OperationThreads;
  std::shared_ptr<Operation> last_;  ///< guarded by the mutex of OperationThreads; null when none is queued
};

/// Returns the order of the file at a path, which need not exist.
std::shared_ptr<FileOrder> file_order(const std::string& path);
/// Queues an operation behind those of its files. Without files, it may run at once.
void start(const std::shared_ptr<Operation>& operation, const FileOrders& orders);

/// Whether any operation has not ended. Costs one load of an atomic if none has.
bool operations_are_queued() noexcept;
/// Wait until the operations have ended that are queued for the files at the moment. *Requires* that the
/// caller holds no lock.
void wait_for(const FileOrders& orders);
void wait_for_file(const std::string& path);
/// Waits until all operations have ended.
void finish_operations() noexcept;
/// Whether the calling thread runs an operation.
bool inside_operation();

}  // namespace filigree::capi
