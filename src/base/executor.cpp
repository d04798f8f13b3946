// SPDX-License-Identifier: Apache-2.0
#include "base/executor.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "base/failures.hpp"

namespace filigree {
namespace {

constexpr std::size_t most_threads = 4096;

/// A core that a caller left is free when the caller has not come back for so long.
constexpr std::chrono::microseconds grace{200};
/// How often somebody looks whether one is.
constexpr std::chrono::milliseconds watch_period{1};

std::size_t threads_wanted() {
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

/// One for_each. Lives on its caller's stack, so the caller leaves only when no helper is inside.
struct Loop {
  const std::size_t count;
  const FunctionRef<void(std::size_t)> task;
  std::atomic<std::size_t> next{0};
  std::size_t helpers = 0;  ///< guarded by the pool's mutex
  Failures failures{};      ///< guarded by failure_mutex
  std::mutex failure_mutex{};
  std::condition_variable deserted{};  ///< helpers became 0

  bool exhausted() const { return next.load(std::memory_order_relaxed) >= count; }

  void work() {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      try {
        task(i);
      } catch (...) {
        next.store(count, std::memory_order_relaxed);
        const std::lock_guard lock(failure_mutex);
        failures.add_current();
      }
    }
  }
};

/// Loops that the thread is in, one inside the other.
thread_local std::size_t loops_around = 0;

/// The thread is in one more.
struct InLoop {
  InLoop() { ++loops_around; }
  ~InLoop() { --loops_around; }
  InLoop(const InLoop&) = delete;
  InLoop& operator=(const InLoop&) = delete;
};

/// Keeps signals away from threads that start in its scope: handlers belong to the program's threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

/// The threads of one process and the loops they may help with.
///
/// A caller waits only for helpers inside its own loop, and a helper waits only for loops that its
/// task started: waiting follows the nesting of loops and cannot form a circle.
class Executor::Pool {
 public:
  explicit Pool(std::size_t helpers) : most_helpers_(helpers) {}

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  bool of_this_process() const { return process_ == getpid(); }

  void run(Loop& loop) {
    const bool counts = loops_around == 0;
    offer(loop, counts);
    {
      const InLoop inside;
      loop.work();
    }
    if (!of_this_process()) {
      throw Error(ErrorKind::internal,
                  "the process was forked inside a parallel loop, whose other threads are gone");
    }
    std::unique_lock lock(mutex_);
    std::erase(loops_, &loop);
    if (counts) {
      leave();
      // Others may have got no help because of this thread.
      if (!watched_ && find_loop() != nullptr) wake_.notify_one();
    }
    loop.deserted.wait(lock, [&] { return loop.helpers == 0; });
  }

 private:
  /// `counts`: the calling thread was not in a loop before. Where callers keep all cores at work, another
  /// thread would only take turns with them: nobody is woken.
  void offer(Loop& loop, bool counts) {
    std::size_t useful = std::min(most_helpers_, loop.count - 1);
    {
      const std::lock_guard lock(mutex_);
      loops_.push_back(&loop);
      busy_ += counts;
      useful = std::min(useful, most_helpers_ + 1 - std::min(busy_, most_helpers_ + 1));
      start_up_to(useful);
      if (useful > 0) free_since_ = Clock::time_point::min();
    }
    for (std::size_t i = 0; i < useful; ++i) wake_.notify_one();
  }

  /// A system that gives no more threads leaves the work to those there are, at least the caller.
  void start_up_to(std::size_t count) {
    if (threads_.size() >= count) return;
    const SignalsBlocked blocked;
    try {
      while (threads_.size() < count) threads_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
    }
  }

  /// The youngest loop with work left: inner loops hold up outer ones.
  Loop* find_loop() const {
    for (std::size_t i = loops_.size(); i-- > 0;) {
      if (!loops_[i]->exhausted()) return loops_[i];
    }
    return nullptr;
  }

  void leave() {
    if (busy_-- > most_helpers_) free_since_ = Clock::now();
  }

  /// Null at the end. Callers that go from loop to loop are alone with their cores, but when one stays away,
  /// somebody has to see that: one of the helpers.
  Loop* wait_for_loop(std::unique_lock<std::mutex>& lock) {
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

  void help() {
    std::unique_lock lock(mutex_);
    while (Loop* const loop = wait_for_loop(lock)) {
      ++loop->helpers;
      ++busy_;
      lock.unlock();
      {
        const InLoop inside;
        loop->work();
      }
      if (!of_this_process()) _exit(EXIT_FAILURE);  // a task forked, and its child came back here
      lock.lock();
      leave();
      if (--loop->helpers == 0) loop->deserted.notify_one();
    }
  }

  const std::size_t most_helpers_;
  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable wake_;      ///< a loop was offered, or stopping_
  std::vector<std::thread> threads_;  ///< guarded by mutex_
  std::vector<Loop*> loops_;          ///< guarded by mutex_
  std::size_t busy_ = 0;              ///< threads at work on loops; guarded by mutex_
  bool watched_ = false;              ///< a helper waits for cores to become free; guarded by mutex_
  using Clock = std::chrono::steady_clock;
  Clock::time_point free_since_ = Clock::time_point::min();  ///< some core; guarded by mutex_
  bool stopping_ = false;                                    ///< guarded by mutex_
};

Executor::Executor() : Executor(threads_wanted()) {}

Executor::Executor(std::size_t threads) : threads_(threads) {
  if (threads == 0 || threads > most_threads) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("an executor of {} threads was asked for, allowed 1 to {}", threads, most_threads));
  }
}

Executor::~Executor() {
  Pool* pool = pool_.load();
  if (pool != nullptr && pool->of_this_process()) delete pool;
}

/// A pool inherited through fork is abandoned: its threads do not exist here, and its mutex may have
/// been held by one of them.
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
  loop.failures.rethrow();
}

Executor& Executor::default_executor() {
  // Never destroyed: its threads may be at work when static objects are.
  static Executor* const executor = new Executor;
  return *executor;
}

}  // namespace filigree
