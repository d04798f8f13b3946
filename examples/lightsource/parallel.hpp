// SPDX-License-Identifier: Apache-2.0
//
// Loops on several threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lightsource {

/// work(0), work(1), ... work(count - 1) from several threads. The first failure is thrown again.
template <class Work>
void in_parallel(std::uint64_t count, std::uint64_t threads, Work work) {
  std::atomic<std::uint64_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (std::uint64_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (std::uint64_t n = 1; n < threads; ++n) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lightsource
