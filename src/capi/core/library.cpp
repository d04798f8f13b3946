// SPDX-License-Identifier: Apache-2.0
#include "capi/core/library.hpp"

#include <atomic>
#include <cstdlib>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5ES/operations.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {
namespace {

std::atomic<bool> ready{false};
std::atomic<bool> at_exit{true};
// A thread that sets up the library calls functions of the library.
thread_local bool setting_up = false;

Mutex& set_up_mutex() {
  static auto* const mutex = new Mutex;
  return *mutex;
}

/// Functions that run when the library is closed. Modules add them while the library is being set up, so
/// their mutex is not that of set_up_library().
struct LastWork {
  Mutex mutex;
  std::vector<std::function<void()>> functions FILIGREE_GUARDED_BY(mutex);
};

LastWork& last_work() {
  static auto* const work = new LastWork;
  return *work;
}

void set_up() {
  static const bool registered = [] {
    if (at_exit.load()) std::atexit([] { close_library(); });
    return true;
  }();
  (void)registered;
  set_up_errors();
  set_up_property_lists();
  set_up_types();
  set_up_filters();
  set_up_drivers();
  set_up_connectors();
}

}  // namespace

void set_up_library() {
  if (ready.load(std::memory_order_acquire) || setting_up) return;
  const MutexLock lock(set_up_mutex());
  if (ready.load()) return;
  setting_up = true;
  try {
    set_up();
  } catch (...) {
    setting_up = false;
    throw;
  }
  setting_up = false;
  ready.store(true, std::memory_order_release);
}

void close_library() noexcept {
  if (!ready.load()) return;
  finish_operations();
  try {
    for (;;) {
      std::function<void()> work;
      {
        const MutexLock lock(last_work().mutex);
        if (last_work().functions.empty()) break;
        work = std::move(last_work().functions.back());
        last_work().functions.pop_back();
      }
      work();
    }
  } catch (...) {  // A failing function does not keep the rest from being closed.
  }
  finish_operations();  // the functions may have started some
  ids().close_all();
  ready.store(false);
}

bool library_is_being_set_up() { return setting_up; }

bool library_is_set_up() { return ready.load(std::memory_order_acquire); }

void at_library_close(std::function<void()> work) {
  const MutexLock lock(last_work().mutex);
  last_work().functions.push_back(std::move(work));
}

bool skip_atexit() {
  at_exit = false;
  return true;
}

}  // namespace filigree::capi
