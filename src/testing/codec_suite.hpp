// SPDX-License-Identifier: Apache-2.0
//
// The conformance suite of codecs: what every described structure must satisfy, given golden bytes that HDF5
// wrote or that the specification shows.
#pragma once

#include <gtest/gtest.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "format/codec/codec.hpp"
#include "format/codec/inspect.hpp"
#include "testing/hex.hpp"

namespace filigree::testing {

/// What a structure does about flipped bits.
enum class Guard {
  none,      ///< a flipped bit may be missed, but must not crash
  checksum,  ///< every flipped bit must be reported
};

/// Inspecting must decode as decode() does, find a fault where that does, and list fields within the bytes.
template <class T>
void expect_inspection(const T& blank, Bytes bytes, const format::Widths& widths, bool has_fault) {
  T model = blank;
  const format::Inspection found = format::inspect(model, bytes, widths);
  EXPECT_EQ(!found.fault.empty(), has_fault) << T::structure << ": " << found.fault;
  for (const format::InspectedField& field : found.fields)
    EXPECT_LE(field.offset + field.bytes, bytes.size()) << T::structure << ": " << field.name;
  if (has_fault) return;
  EXPECT_EQ(to_hex(format::encode(model, widths)), to_hex(bytes));
}

/// Decodes `golden` into a copy of `blank`, which has the parameters that the structure does not store.
/// Checks that it encodes to the same bytes, and its size and dump. Then tries every truncation and every
/// flip of one bit. Returns the decoded structure for further checks.
template <class T>
T expect_codec(T blank, Bytes golden, const format::Widths& widths, Guard guard) {
  T model = blank;
  EXPECT_EQ(format::decode(model, golden, widths), golden.size()) << T::structure;
  EXPECT_EQ(format::encoded_bytes(model, widths), golden.size());
  EXPECT_EQ(to_hex(format::encode(model, widths)), to_hex(golden));
  EXPECT_FALSE(format::dump(model, widths).empty());
  expect_inspection(blank, golden, widths, false);

  for (std::size_t kept = 0; kept < golden.size(); ++kept) {
    T cut = blank;
    // A copy of exactly that size, so that the sanitizer sees a read beyond it.
    const Buffer bytes(golden.begin(), golden.begin() + kept);
    EXPECT_THROW(format::decode(cut, Bytes(bytes), widths), Error) << T::structure << " cut to " << kept;
    expect_inspection(blank, Bytes(bytes), widths, true);
  }
  for (std::size_t bit = 0; bit < golden.size() * 8; ++bit) {
    Buffer bytes(golden.begin(), golden.end());
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    T flipped = blank;
    try {
      format::decode(flipped, Bytes(bytes), widths);
      EXPECT_EQ(guard, Guard::none) << T::structure << ": flipped bit " << bit << " was missed";
      (void)format::dump(flipped, widths);
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find(T::structure), std::string_view::npos) << error.what();
    }
  }
  return model;
}

}  // namespace filigree::testing
