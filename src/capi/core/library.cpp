// SPDX-License-Identifier: Apache-2.0
#include "capi/core/library.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "capi/core/ids.hpp"

namespace filigree::capi {
namespace {

std::atomic<bool> ready{false};
std::atomic<bool> at_exit{true};
// A thread that sets up the library calls functions of the library.
thread_local bool setting_up = false;

std::mutex& set_up_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

// Modules register functions while the library is being set up, so this mutex is not that of
// set_up_library().
std::mutex& last_work_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

std::vector<std::function<void()>>& last_work() {
  static auto* const work = new std::vector<std::function<void()>>;
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
}

}  // namespace

void set_up_library() {
  if (ready.load(std::memory_order_acquire) || setting_up) return;
  const std::lock_guard lock(set_up_mutex());
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
  try {
    for (;;) {
      std::function<void()> work;
      {
        const std::lock_guard lock(last_work_mutex());
        if (last_work().empty()) break;
        work = std::move(last_work().back());
        last_work().pop_back();
      }
      work();
    }
  } catch (...) {  // A failing function does not keep the rest from being closed.
  }
  ids().close_all();
  ready.store(false);
}

bool library_is_being_set_up() { return setting_up; }

void at_library_close(std::function<void()> work) {
  const std::lock_guard lock(last_work_mutex());
  last_work().push_back(std::move(work));
}

bool skip_atexit() {
  at_exit = false;
  return true;
}

}  // namespace filigree::capi
