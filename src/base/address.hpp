// SPDX-License-Identifier: Apache-2.0
//
// Positions in a file.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace filigree {

/// A position relative to a file's base address. Strong, so that counts and positions
/// cannot be mixed up.
enum class Address : std::uint64_t { undefined = ~std::uint64_t{0} };

constexpr std::uint64_t to_number(Address a) { return static_cast<std::uint64_t>(a); }
constexpr Address to_address(std::uint64_t n) { return static_cast<Address>(n); }
constexpr bool is_valid(Address a) { return a != Address::undefined; }
constexpr Address operator+(Address a, std::uint64_t bytes) { return to_address(to_number(a) + bytes); }

/// "0x1f4", or "undefined".
std::string to_string(Address a);

}  // namespace filigree
