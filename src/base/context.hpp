// SPDX-License-Identifier: Apache-2.0
//
// Context for errors: what the caller was doing when an error passed through it.
#pragma once

#include <utility>

#include <filigree/error.hpp>

namespace filigree {

/// Returns the result of `work()`. If it throws an Error, the text of `doing()` is added as a frame, and the
/// Error is thrown on. `doing` runs only in that case, so it may be as expensive as formatting is.
template <class Doing, class Work>
decltype(auto) in_context(Doing&& doing, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (Error& error) {
    error.add_frame(std::forward<Doing>(doing)());
    throw;
  }
}

}  // namespace filigree
