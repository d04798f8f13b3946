// SPDX-License-Identifier: Apache-2.0
//
// Parameters of scale-offset: taken apart, and made for a new dataset.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "filter/builtin.hpp"
#include "filter/facts.hpp"

namespace filigree::filter {

struct ScalePlan {
  bool floating = false;
  std::int32_t factor = 0;     ///< decimal digits, or bits of an integer
  std::uint64_t elements = 0;  ///< of every chunk; 0: as many as the pipeline expects
  std::size_t size = 0;        ///< bytes of an element: 1, 2, 4 or 8
  bool is_signed = false;
  bool big_endian = false;
  bool has_fill = false;
  std::uint64_t fill = 0;  ///< its bits

  unsigned bits() const { return static_cast<unsigned>(8 * size); }
  /// Integers of all their bits are stored as they are.
  bool packs() const { return floating || factor != static_cast<std::int32_t>(bits()); }
};

/// Takes untrusted parameters apart. Throws Error(corrupt).
ScalePlan parse_scale_offset(std::span<const std::uint32_t> params);

/// See builtin.hpp. Throws Error(invalid_argument).
std::vector<std::uint32_t> scale_offset_params(std::span<const std::uint32_t> wanted,
                                               const ChunkFacts& chunk);

}  // namespace filigree::filter
