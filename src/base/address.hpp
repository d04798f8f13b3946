// SPDX-License-Identifier: Apache-2.0
//
// Addresses: positions in a file.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace filigree {

/// A position in bytes relative to the base address of a file. It is a type of its own, so that addresses,
/// sizes and counts cannot be mixed up. `undefined` is the undefined address of the file format, all bits
/// set.
enum class Address : std::uint64_t { undefined = ~std::uint64_t{0} };

/// The address as a number of bytes.
constexpr std::uint64_t to_number(Address a) { return static_cast<std::uint64_t>(a); }
/// The inverse of to_number().
constexpr Address to_address(std::uint64_t n) { return static_cast<Address>(n); }
/// Whether the address is other than the undefined address.
constexpr bool is_valid(Address a) { return a != Address::undefined; }
/// *Requires* a valid address and a sum below 2^64 - 1.
constexpr Address operator+(Address a, std::uint64_t bytes) { return to_address(to_number(a) + bytes); }

/// The address in hexadecimal digits such as "0x1f4", or "undefined".
std::string to_string(Address a);

}  // namespace filigree
