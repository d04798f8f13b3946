// SPDX-License-Identifier: Apache-2.0
//
// The file lock and the error context of API calls.
#pragma once

#include <utility>

#include "base/context.hpp"
#include "base/file_lock.hpp"
#include "model/file/file.hpp"

namespace filigree::api {

/// Runs `work` under the shared file lock. `doing()` returns the operation for error messages.
template <class Doing, class Work>
decltype(auto) inside(model::File& file, Doing&& doing, Work&& work) {
  const FileLock::Shared shared(file.lock());
  return in_context(std::forward<Doing>(doing), std::forward<Work>(work));
}

/// Runs `work` under the exclusive file lock. Use it if `work` reads the file before it begins a Change,
/// which takes the lock itself.
template <class Doing, class Work>
decltype(auto) exclusively(model::File& file, Doing&& doing, Work&& work) {
  const FileLock::Exclusive exclusive(file.lock());
  return in_context(std::forward<Doing>(doing), std::forward<Work>(work));
}

}  // namespace filigree::api
