// SPDX-License-Identifier: Apache-2.0
//
// The protocol of asynchronous operations.
//
//  1. A *_async function with an event set checks its arguments and captures them: names, property lists,
//     dataspaces and datatypes as copies, ids of files and of what is in them as hidden ids of their own.
//     Buffers of the program are not copied. All this is in async_call.cpp.
//  2. Each operation has one or more orders: those of the files that its ids refer into. A file that is
//     opened by an operation is known by its path until then, so operations on it have an order at once.
//  3. start() makes the operation the last one of each of its orders. It counts the former last ones as its
//     predecessors; it becomes their follower. All happens under one mutex, so predecessors are always
//     older, and no cycle can arise. An operation without predecessors goes to the list of ready ones.
//  4. A thread takes the first ready operation and runs it without the mutex. Afterwards it stores the
//     state, wakes those who wait, and counts the operation off at its followers. Those without
//     predecessors become ready. So operations of one file run in the order of their calls, and those of
//     different files at the same time.
//  5. Failure. The operation keeps the records of the error stack. The future of the id that it should have
//     made stays empty, and operations that captured this id fail in turn. Other operations of the file
//     run.
//  6. Cancelling changes the state of an operation that has not begun. It keeps its place in the graph, so
//     that its followers still wait for its predecessors. A thread that takes it only counts it off.
//  7. Synchronous calls wait. IdTable::find() waits until the last operation of each order of the id has
//     left the graph. Calls that get a path wait for the order of the path. They see the effects of all
//     operations that were queued before them. A thread that runs an operation never waits, neither for
//     orders nor for ids: whatever it needs has run before.
//  8. Shutdown. H5close and the end of the process first wait until no operation is left, then close ids.
//     Threads are never joined; they sleep until the process ends.
//  9. Fork. A child process has none of the threads. It starts its own for new operations. Operations of the
//     parent count as failed in the child.
#include "capi/H5ES/operations.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <system_error>
#include <thread>
#include <unordered_map>

#include <unistd.h>

#include "base/executor.hpp"
#include "base/signals_blocked.hpp"
#include "capi/H5FD/mpio.hpp"

namespace filigree::capi {
namespace {

using Clock = std::chrono::steady_clock;

thread_local bool runs_operation = false;

std::uint64_t now_microseconds() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count());
}

/// A nonsensical setting is reported by the loops that need the threads.
std::size_t configured_threads() noexcept {
  try {
    return Executor().threads();
  } catch (...) {
    return 0;
  }
}

/// Gives the thread an error stack of its own for a scope. Nothing is printed: errors go to the event set.
class QuietErrors {
 public:
  QuietErrors() {
    ErrorStack quiet;
    quiet.reporting.is_default = false;
    std::swap(before_, thread_errors());
    thread_errors() = std::move(quiet);
  }
  ~QuietErrors() { std::swap(before_, thread_errors()); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  ErrorStack before_;
};

/// Returns the text by which a file is known. Links to one file lead to one text.
std::string key_of(const std::string& path) {
  std::error_code failed;
  std::filesystem::path whole = std::filesystem::absolute(path, failed);
  if (failed) whole = path;
  const std::filesystem::path found = std::filesystem::weakly_canonical(whole, failed);
  return failed ? path : found.string();
}

}  // namespace

/// The threads of one process, and the operations that they run.
class OperationThreads {
 public:
  /// Returns those of this process. Those of a parent process are abandoned: one of its threads may have held
  /// the mutex.
  static OperationThreads& get() {
    OperationThreads* threads = current.load(std::memory_order_acquire);
    while (threads == nullptr || threads->process_ != getpid()) {
      auto* const made = new OperationThreads;
      if (current.compare_exchange_strong(threads, made)) return *made;
      delete made;
    }
    return *threads;
  }
  static bool any_queued() noexcept {
    const OperationThreads* const threads = current.load(std::memory_order_acquire);
    return threads != nullptr && threads->unfinished_.load() != 0 && threads->process_ == getpid();
  }

  std::shared_ptr<FileOrder> order(const std::string& path) {
    std::string key = key_of(path);
    const MutexLock lock(mutex_);
    std::weak_ptr<FileOrder>& known = orders_[std::move(key)];
    std::shared_ptr<FileOrder> found = known.lock();
    if (found == nullptr) known = found = std::make_shared<FileOrder>();
    if (orders_.size() >= 2 * live_orders_) forget_unused_orders();
    return found;
  }

  void start(const std::shared_ptr<Operation>& operation, const FileOrders& orders) {
    // With one thread, an operation that blocks would hold up those of all other files. Where files may be
    // those of MPI processes, there is none: MPI must be called by the thread of the program, as MPI_Init
    // allows.
    static const std::size_t most =
        mpio_library() != nullptr ? 0 : std::max<std::size_t>(2, configured_threads());
    MutexLock lock(mutex_);
    most_threads_ = most;
    for (const auto& order : orders) {
      std::shared_ptr<Operation>& last = order->last_;
      if (last == operation) continue;
      if (last != nullptr && last->process_ == process_) {
        last->followers_.push_back(operation);
        ++operation->predecessors_;
      }
      last = operation;
      operation->orders_.push_back(order);
    }
    unfinished_.fetch_add(1);
    if (operation->predecessors_ == 0) make_ready(operation);
    // Without any thread, the caller does the work.
    while (threads_ == 0 && !ready_.empty()) serve_one(lock);
  }

  Operation::State wait(const Operation& operation, std::optional<std::uint64_t> nanoseconds) {
    // Larger numbers overflow the clock.
    constexpr std::uint64_t longest = std::uint64_t{1} << 61;
    if (operation.process_ != process_) return Operation::State::failed;
    const auto deadline = Clock::now() + std::chrono::nanoseconds(std::min(nanoseconds.value_or(0), longest));
    MutexLock lock(mutex_);
    while (!operation.has_ended() && !runs_operation) {
      if (!nanoseconds) {
        ended_.wait(lock);
        continue;
      }
      const auto left = deadline - Clock::now();
      if (left <= Clock::duration::zero()) break;
      ended_.wait_for(lock, left);
    }
    return operation.state_;
  }

  Operation::State cancel(Operation& operation) {
    if (operation.process_ != process_) return Operation::State::failed;
    {
      const MutexLock lock(mutex_);
      if (operation.state_ != Operation::State::waiting) return operation.state_;
      operation.state_ = Operation::State::cancelled;
    }
    operation.end(false);
    ended_.notify_all();
    return Operation::State::cancelled;
  }

  void wait_for(const FileOrders& orders) {
    if (runs_operation) return;
    MutexLock lock(mutex_);
    for (const auto& order : orders) {
      const std::shared_ptr<Operation> last = order->last_;
      while (last != nullptr && last->process_ == process_ && !last->has_left_) ended_.wait(lock);
    }
  }

  void finish() {
    if (runs_operation) return;
    MutexLock lock(mutex_);
    while (unfinished_.load() != 0) ended_.wait(lock);
  }

 private:
  void forget_unused_orders() FILIGREE_REQUIRES(mutex_) {
    std::erase_if(orders_, [](const auto& item) { return item.second.expired(); });
    live_orders_ = std::max<std::size_t>(64, orders_.size());
  }

  void make_ready(const std::shared_ptr<Operation>& operation) FILIGREE_REQUIRES(mutex_) {
    ready_.push_back(operation);
    if (idle_ < ready_.size() && threads_ < most_threads_) start_thread();
    wake_.notify_one();
  }

  /// If the system refuses another thread, the existing ones or the caller do the work.
  void start_thread() FILIGREE_REQUIRES(mutex_) {
    const SignalsBlocked blocked;
    try {
      std::thread([this] { serve(); }).detach();
      ++threads_;
    } catch (const std::system_error&) {
    }
  }

  /// The main function of a thread.
  void serve() {
    MutexLock lock(mutex_);
    for (;;) {
      while (ready_.empty()) {
        ++idle_;
        wake_.wait(lock);
        --idle_;
      }
      serve_one(lock);
    }
  }

  /// Runs the first ready operation. `lock` holds the mutex, but not while the operation runs; the analysis
  /// does not follow a lock into a function.
  void serve_one(MutexLock& lock) FILIGREE_NO_THREAD_SAFETY_ANALYSIS {
    const std::shared_ptr<Operation> operation = std::move(ready_.front());
    ready_.pop_front();
    if (operation->state_ == Operation::State::waiting) {
      operation->state_ = Operation::State::running;
      lock.unlock();
      runs_operation = true;
      const bool succeeded = operation->run();
      runs_operation = false;
      lock.lock();
      operation->state_ = succeeded ? Operation::State::succeeded : Operation::State::failed;
    }
    leave(*operation);
  }

  void leave(Operation& operation) FILIGREE_REQUIRES(mutex_) {
    operation.has_left_ = true;
    for (const auto& order : operation.orders_)
      if (order->last_.get() == &operation) order->last_ = nullptr;
    operation.orders_.clear();
    for (const auto& follower : operation.followers_)
      if (--follower->predecessors_ == 0) make_ready(follower);
    operation.followers_.clear();
    unfinished_.fetch_sub(1);
    ended_.notify_all();
  }

  static inline std::atomic<OperationThreads*> current{nullptr};  ///< never destroyed

  const pid_t process_ = getpid();
  Mutex mutex_;
  std::size_t most_threads_ FILIGREE_GUARDED_BY(mutex_) = 0;
  Condition wake_;                          ///< signals that an operation is ready
  Condition ended_;                         ///< signals that an operation has ended
  std::atomic<std::size_t> unfinished_{0};  ///< operations that have not left the graph
  std::size_t threads_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::size_t idle_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< threads that wait for an operation
  std::deque<std::shared_ptr<Operation>> ready_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::weak_ptr<FileOrder>> orders_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t live_orders_ FILIGREE_GUARDED_BY(mutex_) = 64;  ///< at the last removal of unused orders
};

Operation::Operation(OperationWork work) : work_(std::move(work)), process_(getpid()) {}

std::shared_ptr<Operation> Operation::done() {
  auto made = std::make_shared<Operation>(OperationWork{});
  made->state_ = State::succeeded;
  made->has_left_ = true;
  made->began_microseconds_ = now_microseconds();
  return made;
}

Operation::State Operation::state() const { return OperationThreads::get().wait(*this, 0); }

Operation::State Operation::wait(std::optional<std::uint64_t> nanoseconds) const {
  return OperationThreads::get().wait(*this, nanoseconds);
}

Operation::State Operation::cancel() { return OperationThreads::get().cancel(*this); }

bool Operation::run() {
  began_microseconds_ = now_microseconds();
  const auto began = Clock::now();
  const QuietErrors quiet;
  bool succeeded = false;
  try {
    succeeded = work_.run();
  } catch (...) {  // Out of memory: functions of the API do not throw.
  }
  if (!succeeded) errors_ = std::move(thread_errors().records);
  end(succeeded);
  ran_nanoseconds_ = static_cast<std::uint64_t>((Clock::now() - began) / std::chrono::nanoseconds(1));
  return succeeded;
}

void Operation::end(bool succeeded) noexcept {
  const OperationWork ended = std::exchange(work_, {});
  try {
    if (ended.end) ended.end(succeeded);
  } catch (...) {  // There is nowhere left to report to.
  }
}

std::shared_ptr<FileOrder> file_order(const std::string& path) { return OperationThreads::get().order(path); }

void start(const std::shared_ptr<Operation>& operation, const FileOrders& orders) {
  OperationThreads::get().start(operation, orders);
}

bool operations_are_queued() noexcept { return OperationThreads::any_queued(); }

void wait_for(const FileOrders& orders) {
  if (!orders.empty() && operations_are_queued()) OperationThreads::get().wait_for(orders);
}

void wait_for_file(const std::string& path) {
  if (operations_are_queued()) wait_for({file_order(path)});
}

void finish_operations() noexcept {
  try {
    if (operations_are_queued()) OperationThreads::get().finish();
  } catch (...) {  // Mutexes fail only for our own bugs.
  }
}

bool inside_operation() { return runs_operation; }

}  // namespace filigree::capi
