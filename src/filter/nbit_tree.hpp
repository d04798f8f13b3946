// SPDX-License-Identifier: Apache-2.0
//
// The datatype that the parameters of n-bit describe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "filter/facts.hpp"

namespace filigree::filter {

/// A part of an element: a number, an array, a compound, or bytes that are not packed.
struct NbitNode {
  enum class Kind : std::uint32_t { number = 1, array = 2, compound = 3, bytes = 4 };

  Kind kind = Kind::bytes;
  std::size_t size = 0;     ///< size in bytes
  std::size_t at = 0;       ///< byte offset of a member in its compound
  bool big_endian = false;  ///< byte order of a number
  unsigned precision_bits = 0;
  unsigned offset_bits = 0;
  std::vector<NbitNode> parts = {};  ///< members of a compound, or the element of an array

  /// The number of bits of the packed part.
  std::uint64_t packed_bits() const;
};

/// The decoded parameters.
struct NbitPlan {
  bool packs = false;  ///< if false, data are stored unpacked, and the other members are unset
  /// HDF5 reads the parameters wrongly after an array of compounds or arrays, so it does not store the
  /// members that follow in the same compound. `element` then describes what HDF5 stores; its size is 0 if
  /// that is nothing.
  bool loses_members = false;
  std::uint64_t elements = 0;  ///< number in every chunk; 0 if the pipeline determines it
  NbitNode element;
};

/// Decodes untrusted parameters. *Throws* Error(corrupt).
NbitPlan parse_nbit(std::span<const std::uint32_t> params);

/// Builds the parameters for a new dataset. *Throws* Error(invalid_argument) if n-bit cannot be applied.
std::vector<std::uint32_t> nbit_params(const ChunkFacts& chunk);

}  // namespace filigree::filter
