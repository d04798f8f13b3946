// SPDX-License-Identifier: Apache-2.0
//
// The checks that every decoder of untrusted bytes makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <filigree/error.hpp>

namespace filigree::filter {

/// Throws Error(corrupt) when `bytes` of plain data stand where at most `max_bytes` belong.
void check_fits(std::uint64_t bytes, std::size_t max_bytes);

/// Throws Error(truncated) unless `available` bytes hold the `needed` ones of `what`.
void check_holds(std::uint64_t available, std::uint64_t needed, std::string_view what);

/// Runs `check`, which judges parameters from a file, on parameters from a caller.
template <class Check>
void check_argument(Check&& check) {
  try {
    check();
  } catch (const Error& error) {
    throw Error(ErrorKind::invalid_argument, error.what());
  }
}

}  // namespace filigree::filter
