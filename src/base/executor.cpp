// SPDX-License-Identifier: Apache-2.0
//
// The protocol of the executor.
//
// One Pool serves all loops (calls of for_each) of its Executor in one process. A pool for N threads owns
// N - 1 helper threads; the thread that calls for_each is the N-th.
//
//  1. The caller builds a Loop on its stack: the number of indexes, the task, an atomic counter of the
//     next index.
//  2. offer() adds the loop to the pool's list and wakes as many helpers as can be useful: at most one
//     per index beyond the caller's own, and none if callers already occupy all cores. Missing helper
//     threads start here.
//  3. The caller and every helper that joins take indexes from the counter until it reaches the count.
//     Nobody else hands out work, so a loop makes progress even if no helper ever arrives.
//  4. A task that throws sets the counter to the count, so that no further index begins. The exception is
//     kept in the loop's Failures. Tasks that are running finish.
//  5. The caller removes the loop from the list, so that no helper joins any more. It then waits until
//     the helpers inside the loop have left. Only then may its stack frame, and the loop with it, end. It
//     rethrows failures.
//
// Nested loops. A task may call for_each. Helpers prefer the youngest loop with work left, since inner
// loops hold up outer ones. A caller waits only for helpers inside its own loop, and a helper waits only
// for loops that its own task has started. Waiting follows the nesting of loops, so it cannot form a
// cycle.
//
// Busy callers. `busy_` counts the threads that work on loops. Programs often run one caller per core;
// helpers would only compete with them. A helper therefore joins only while `busy_` is below the number
// of threads, and only if a core has been free for the grace period: a caller between two loops returns
// sooner than that. While there is work but no free core, one helper (`watched_`) checks again every
// watch period; the others sleep.
//
// Fork. A child process has none of the pool's threads, and a mutex may have been locked by one of them.
// The pool records its process; Executor::pool() abandons a pool of another process and creates a new
// one. A loop that the child inherited in the middle cannot complete: its caller throws, and a helper
// that a task forked exits.
//
// Exit. The default executor is never destroyed, because its threads may still work while static objects
// end.
#include "base/executor.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "base/failures.hpp"
#include "base/mutex.hpp"
#include "base/signals_blocked.hpp"

namespace filigree {
namespace {

constexpr std::size_t most_threads = 4096;

/// A core counts as free when the caller that used it has not started another loop for this long.
constexpr std::chrono::microseconds grace{200};
/// How often the watching helper checks for a free core.
constexpr std::chrono::milliseconds watch_period{1};

std::size_t configured_threads() {
  const char* text = std::getenv("FILIGREE_THREADS");
  if (text == nullptr) return std::max(1u, std::thread::hardware_concurrency());
  const std::string_view digits(text);
  std::size_t threads = 0;
  const auto [end, status] = std::from_chars(digits.begin(), digits.end(), threads);
  if (status != std::errc{} || end != digits.end() || threads == 0 || threads > most_threads) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("FILIGREE_THREADS is '{}'; it must be a number of threads from 1 to {}", digits,
                            most_threads));
  }
  return threads;
}

/// One call of for_each. It lives on the caller's stack, so the caller waits until no helper uses it.
struct Loop {
  const std::size_t count;
  const FunctionRef<void(std::size_t)> task;
  std::atomic<std::size_t> next{0};
  std::size_t helpers = 0;  ///< guarded by the mutex of the pool, which this struct cannot name
  Mutex failure_mutex{};
  Failures failures FILIGREE_GUARDED_BY(failure_mutex){};
  Condition helpers_left{};  ///< signals that `helpers` became 0

  /// *Requires* that no helper is inside the loop.
  void rethrow() FILIGREE_NO_THREAD_SAFETY_ANALYSIS { failures.rethrow(); }
  bool exhausted() const { return next.load(std::memory_order_relaxed) >= count; }

  void work() {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      try {
        task(i);
      } catch (...) {
        next.store(count, std::memory_order_relaxed);
        const MutexLock lock(failure_mutex);
        failures.add_current();
      }
    }
  }
};

/// Number of nested loops that the current thread works on.
thread_local std::size_t loop_depth = 0;

/// Counts one more loop for the duration of a scope.
struct InLoop {
  InLoop() { ++loop_depth; }
  ~InLoop() { --loop_depth; }
  InLoop(const InLoop&) = delete;
  InLoop& operator=(const InLoop&) = delete;
};

}  // namespace

/// The helper threads of one process and the loops they may join.
class Executor::Pool {
 public:
  explicit Pool(std::size_t helpers) : most_helpers_(helpers) {}

  /// *Requires* that no loop is running.
  ~Pool() FILIGREE_NO_THREAD_SAFETY_ANALYSIS {  // threads_ no longer changes
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  bool of_this_process() const { return process_ == getpid(); }

  void run(Loop& loop) {
    const bool outermost = loop_depth == 0;
    offer(loop, outermost);
    {
      const InLoop inside;
      loop.work();
    }
    if (!of_this_process()) {
      throw Error(ErrorKind::internal,
                  "the process was forked inside a parallel loop, whose other threads are gone");
    }
    MutexLock lock(mutex_);
    std::erase(loops_, &loop);
    if (outermost) {
      leave();
      // Another loop may have been without helpers because this thread was busy.
      if (!watched_ && find_loop() != nullptr) wake_.notify_one();
    }
    while (loop.helpers != 0) loop.helpers_left.wait(lock);
  }

 private:
  /// Adds a loop to the list and wakes the helpers that can be useful. `outermost` tells whether the calling
  /// thread was in no loop before. No helper is woken while callers occupy all cores: it would compete with
  /// them.
  void offer(Loop& loop, bool outermost) {
    std::size_t useful = std::min(most_helpers_, loop.count - 1);
    {
      const MutexLock lock(mutex_);
      loops_.push_back(&loop);
      busy_ += outermost;
      useful = std::min(useful, most_helpers_ + 1 - std::min(busy_, most_helpers_ + 1));
      start_up_to(useful);
      if (useful > 0) free_since_ = Clock::time_point::min();
    }
    for (std::size_t i = 0; i < useful; ++i) wake_.notify_one();
  }

  /// Starts threads until there are `count`. If the system refuses more threads, the existing ones and the
  /// caller do the work.
  void start_up_to(std::size_t count) FILIGREE_REQUIRES(mutex_) {
    if (threads_.size() >= count) return;
    const SignalsBlocked blocked;
    try {
      while (threads_.size() < count) threads_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
    }
  }

  /// Returns the youngest loop with work left, or null. Inner loops go first, since outer ones wait for them.
  Loop* find_loop() const FILIGREE_REQUIRES(mutex_) {
    for (std::size_t i = loops_.size(); i-- > 0;) {
      if (!loops_[i]->exhausted()) return loops_[i];
    }
    return nullptr;
  }

  /// The current thread stops working on loops.
  void leave() FILIGREE_REQUIRES(mutex_) {
    if (busy_-- > most_helpers_) free_since_ = Clock::now();
  }

  /// Waits for a loop to join; returns null when the pool stops. If there is work but no free core, one
  /// helper watches for a core to become free.
  Loop* wait_for_loop(MutexLock& lock) FILIGREE_REQUIRES(mutex_) {
    while (!stopping_) {
      Loop* const loop = find_loop();
      if (loop != nullptr && busy_ <= most_helpers_ && Clock::now() >= free_since_ + grace) return loop;
      if (loop == nullptr || watched_) {
        wake_.wait(lock);
        continue;
      }
      watched_ = true;
      wake_.wait_for(lock, watch_period);
      watched_ = false;
    }
    return nullptr;
  }

  /// The main function of a helper thread.
  void help() {
    MutexLock lock(mutex_);
    while (Loop* const loop = wait_for_loop(lock)) {
      ++loop->helpers;
      ++busy_;
      lock.unlock();
      {
        const InLoop inside;
        loop->work();
      }
      if (!of_this_process()) _exit(EXIT_FAILURE);  // a task forked, and this is the child process
      lock.lock();
      leave();
      if (--loop->helpers == 0) loop->helpers_left.notify_one();
    }
  }

  const std::size_t most_helpers_;
  const pid_t process_ = getpid();
  using Clock = std::chrono::steady_clock;
  Mutex mutex_;
  Condition wake_;  ///< signals that a loop was offered, or that the pool stops
  std::vector<std::thread> threads_ FILIGREE_GUARDED_BY(mutex_);
  std::vector<Loop*> loops_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t busy_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< threads that work on loops
  bool watched_ FILIGREE_GUARDED_BY(mutex_) = false;  ///< a helper watches for a free core
  /// When a core last became free.
  Clock::time_point free_since_ FILIGREE_GUARDED_BY(mutex_) = Clock::time_point::min();
  bool stopping_ FILIGREE_GUARDED_BY(mutex_) = false;
};

Executor::Executor() : Executor(configured_threads()) {}

Executor::Executor(std::size_t threads) : threads_(threads) {
  if (threads == 0 || threads > most_threads) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("an executor of {} threads was requested; allowed are 1 to {}", threads, most_threads));
  }
}

Executor::~Executor() {
  Pool* pool = pool_.load();
  if (pool != nullptr && pool->of_this_process()) delete pool;
}

/// Abandons a pool that was inherited through fork: its threads do not exist here, and one of them may have
/// held its mutex.
Executor::Pool& Executor::pool() {
  Pool* current = pool_.load(std::memory_order_acquire);
  while (current == nullptr || !current->of_this_process()) {
    auto* fresh = new Pool(threads_ - 1);
    if (pool_.compare_exchange_strong(current, fresh, std::memory_order_acq_rel)) return *fresh;
    delete fresh;
  }
  return *current;
}

void Executor::for_each(std::size_t count, FunctionRef<void(std::size_t)> task) {
  if (count <= 1 || threads_ == 1) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  Loop loop{count, task};
  pool().run(loop);
  loop.rethrow();
}

namespace {
std::atomic<bool> default_is_sequential = false;
}

void Executor::make_default_sequential() { default_is_sequential = true; }

Executor& Executor::default_executor() {
  // Never destroyed: its threads may still work while static objects are destroyed.
  static Executor* const executor = default_is_sequential ? new Executor(1) : new Executor;
  return *executor;
}

}  // namespace filigree
