// SPDX-License-Identifier: Apache-2.0
//
// Adding what a caller knows to an error that passes through it.
#pragma once

#include <utility>

#include <filigree/error.hpp>

namespace filigree {

/// Runs `work`; an Error on its way out gets the frame that `doing()` makes. `doing` runs
/// only then, so it may format freely.
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
