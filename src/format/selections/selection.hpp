// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a selection, as region references, virtual mappings, encoded dataspaces and sparse chunks hold
// them, and what an encoded dataspace puts in front of it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::format {

/// Before the selection of an encoded dataspace: the extent.
struct EncodedExtent {
  static constexpr std::string_view structure = "encoded dataspace";
  std::uint8_t length_bytes = 8;  ///< 2, 4 or 8: the width of the sizes in `message`
  Buffer message;                 ///< a dataspace message
};

enum class SelectionType : std::uint32_t { none = 0, points = 1, hyperslab = 2, all = 3 };

/// One dimension of a regular hyperslab. `unlimited` may stand for the count or the block.
struct HyperslabDimension {
  std::uint64_t start = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 1;
  std::uint64_t block = 1;
  friend bool operator==(const HyperslabDimension&, const HyperslabDimension&) = default;
};

/// Versions: 1 for nothing and everything, 1 and 2 for points, 1 to 3 for hyperslabs.
struct EncodedSelection {
  static constexpr std::string_view structure = "selection";
  SelectionType type = SelectionType::all;
  std::uint32_t version = 1;
  std::uint8_t number_bytes = 4;         ///< 2, 4 or 8: what the last version of a type may choose
  std::uint8_t rank = 0;                 ///< of points and hyperslabs
  bool regular = false;                  ///< always in version 2 of hyperslabs, never in version 1
  std::vector<HyperslabDimension> slab;  ///< of a regular hyperslab, `rank` of them
  /// The coordinates of one point after the other, or of one block after the other: both its corners, the
  /// last one included. Blocks may overlap and come in any order.
  std::vector<std::uint64_t> coordinates;
};

}  // namespace filigree::format
