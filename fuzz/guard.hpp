// SPDX-License-Identifier: Apache-2.0
//
// What a fuzzer demands of the code it calls: success, or an Error that blames the input.
#pragma once

#include <cstdio>
#include <cstdlib>

#include <filigree/error.hpp>

namespace filigree::fuzz {

/// Runs `work`; true when it succeeded. Any other exception than Error ends the program by itself.
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
