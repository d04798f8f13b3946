// SPDX-License-Identifier: Apache-2.0
//
// Decodes untrusted bytes as one structure. If that succeeds, the structure must print, and must be equal
// after it was encoded and decoded again.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "format/codec/codec.hpp"
#include "guard.hpp"

namespace filigree::fuzz {

/// Widths of offsets and lengths, chosen by one byte of the input.
inline format::Widths choose_widths(std::uint8_t selector) {
  constexpr std::uint8_t legal[] = {8, 4, 2};
  return {legal[selector % 3], legal[selector / 3 % 3]};
}

/// `blank` has the parameters that are not part of the structure. Returns whether the bytes were decoded.
template <class T>
bool round_trip(T blank, Bytes bytes, const format::Widths& widths) {
  T model = blank;
  if (!survives([&] { format::decode(model, bytes, widths); })) return false;
  (void)format::dump(model, widths);
  Buffer once;
  // A value in memory may be longer than any field that the chosen version has for it.
  if (!survives([&] { once = format::encode(model, widths); })) return true;
  T again = blank;
  try {
    format::decode(again, once, widths);
    if (format::encode(again, widths) == once) return true;
    std::fprintf(stderr, "%s: not the same after being written and read\n", T::structure.data());
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: not read back: %s\n", T::structure.data(), error.what());
  }
  std::abort();
}

}  // namespace filigree::fuzz
