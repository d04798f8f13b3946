// SPDX-License-Identifier: Apache-2.0
//
// The datatype in n-bit's parameters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "filter/facts.hpp"

namespace filigree::filter {

/// A part of an element as n-bit packs it.
struct NbitNode {
  enum class Kind : std::uint32_t { number = 1, array = 2, compound = 3, bytes = 4 };

  Kind kind = Kind::bytes;
  std::size_t size = 0;     ///< bytes
  std::size_t at = 0;       ///< of a member: where it starts in its compound
  bool big_endian = false;  ///< of a number
  unsigned precision_bits = 0;
  unsigned offset_bits = 0;
  std::vector<NbitNode> parts = {};  ///< members of a compound, or the element of an array

  /// Bits that the part takes when packed.
  std::uint64_t packed_bits() const;
};

struct NbitPlan {
  bool packs = false;  ///< else data are stored as they are, and the rest is unknown
  /// Stock HDF5 loses its place in the parameters behind an array of compounds or arrays: the members that
  /// follow in the same compound are not stored. Then `element` is what it makes of them; of size 0 where
  /// that is nothing.
  bool loses_members = false;
  std::uint64_t elements = 0;  ///< of every chunk; 0: as many as the pipeline expects
  NbitNode element;
};

/// Takes untrusted parameters apart. Throws Error(corrupt).
NbitPlan parse_nbit(std::span<const std::uint32_t> params);

/// See builtin.hpp. Throws Error(invalid_argument).
std::vector<std::uint32_t> nbit_params(const ChunkFacts& chunk);

}  // namespace filigree::filter
