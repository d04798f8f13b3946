// SPDX-License-Identifier: Apache-2.0
//
// The parameters of scale-offset: decoding them, and building them for a new dataset.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "filter/facts.hpp"

namespace filigree::filter {

/// The first parameter.
enum class ScaleKind : std::uint32_t { decimal = 0, binary = 1, integer = 2 };

/// The decoded parameters.
struct ScalePlan {
  bool floating = false;
  std::int32_t factor = 0;     ///< decimal digits, or bits of an integer
  std::uint64_t elements = 0;  ///< number in every chunk; 0 if the pipeline determines it
  std::size_t size = 0;        ///< bytes of an element: 1, 2, 4 or 8
  bool is_signed = false;
  bool big_endian = false;
  bool has_fill = false;
  std::uint64_t fill = 0;  ///< the fill value as bits

  unsigned bits() const { return static_cast<unsigned>(8 * size); }
  /// Whether data are packed. Integers that keep all their bits are stored unpacked.
  bool packs() const { return floating || factor != static_cast<std::int32_t>(bits()); }
};

/// Decodes untrusted parameters. *Throws* Error(corrupt).
ScalePlan parse_scale_offset(std::span<const std::uint32_t> params);

/// Builds the parameters for a new dataset. *Throws* Error(invalid_argument) if scale-offset cannot be
/// applied.
std::vector<std::uint32_t> scale_offset_params(std::span<const std::uint32_t> requested,
                                               const ChunkFacts& chunk);

}  // namespace filigree::filter
