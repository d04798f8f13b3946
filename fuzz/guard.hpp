// SPDX-License-Identifier: Apache-2.0
//
// What a fuzzer demands of the code that it calls: success, or an Error about the input.
#pragma once

#include <cstdio>
#include <cstdlib>

#include <filigree/error.hpp>

namespace filigree::fuzz {

/// Runs `work` and returns whether it succeeded. An exception other than Error ends the program.
template <class Work>
bool survives(Work&& work) {
  try {
    work();
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::internal && *error.what() != '\0') return false;
    std::fprintf(stderr, "an input must not cause this error: %s\n", error.what());
    std::abort();
  }
}

}  // namespace filigree::fuzz
