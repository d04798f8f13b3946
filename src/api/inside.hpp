// SPDX-License-Identifier: Apache-2.0
//
// How calls of the API go into a file.
#pragma once

#include <utility>

#include "base/context.hpp"
#include "base/file_lock.hpp"
#include "model/file/file.hpp"

namespace filigree::api {

/// Runs `work` while nobody changes the file; `doing()` says in errors what was going on.
template <class Doing, class Work>
decltype(auto) inside(model::File& file, Doing&& doing, Work&& work) {
  const FileLock::Shared shared(file.lock());
  return in_context(std::forward<Doing>(doing), std::forward<Work>(work));
}

/// Runs `work` alone with the file. A Change is that by itself; this is for what it has to look at before.
template <class Doing, class Work>
decltype(auto) alone(model::File& file, Doing&& doing, Work&& work) {
  const FileLock::Exclusive exclusive(file.lock());
  return in_context(std::forward<Doing>(doing), std::forward<Work>(work));
}

}  // namespace filigree::api
