// SPDX-License-Identifier: Apache-2.0
//
// Checks for decoders of untrusted bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <filigree/error.hpp>

namespace filigree::filter {

/// *Throws* Error(corrupt) if `bytes` of decoded data exceed `max_bytes`.
void check_fits(std::uint64_t bytes, std::size_t max_bytes);

/// *Throws* Error(truncated), naming `what`, if `available` bytes are fewer than `needed`.
void check_holds(std::uint64_t available, std::uint64_t needed, std::string_view what);

/// Runs a check for parameters of a file on parameters of a caller. *Throws* Error(invalid_argument) instead
/// of Error(corrupt).
template <class Check>
void check_argument(Check&& check) {
  try {
    check();
  } catch (const Error& error) {
    throw Error(ErrorKind::invalid_argument, error.what());
  }
}

}  // namespace filigree::filter
