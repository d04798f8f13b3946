// SPDX-License-Identifier: Apache-2.0
//
// A running hash of 128 bits. It tells different sequences apart, and is no protection against an attacker.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/bytes.hpp"

namespace filigree {

class Hash128 {
 public:
  void add(std::uint64_t word) {
    low_ = mix(low_ ^ word) + 0x9e3779b97f4a7c15u;
    high_ = mix(high_ + word * 0xc2b2ae3d27d4eb4fu) ^ (low_ << 1);
  }
  /// Adds bytes with their number, so that neighbours cannot run together.
  void add(Bytes bytes) {
    add(bytes.size());
    while (bytes.size() >= sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof word);
      add(word);
      bytes = bytes.subspan(sizeof word);
    }
    if (bytes.empty()) return;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    add(word);
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }

  std::array<std::uint64_t, 2> value() const { return {low_, high_}; }
  std::uint64_t folded() const { return mix(low_ ^ high_); }
  bool operator==(const Hash128&) const = default;

 private:
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 29)) * 0xff51afd7ed558ccdu;
    return x ^ (x >> 32);
  }

  std::uint64_t low_ = 0x243f6a8885a308d3u;
  std::uint64_t high_ = 0x13198a2e03707344u;
};

}  // namespace filigree
