// SPDX-License-Identifier: Apache-2.0
//
// Encoded selections, which occur in region references, virtual mappings, encoded dataspaces and sparse
// chunks, and the header of an encoded dataspace. See docs/format/selections.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::format {

/// The extent before the selection of an encoded dataspace.
struct EncodedExtent {
  static constexpr std::string_view structure = "encoded dataspace";
  std::uint8_t length_bytes = 8;  ///< width of the dimensions in `message`: 2, 4 or 8
  Buffer message;                 ///< a dataspace message
};

enum class SelectionType : std::uint32_t { none = 0, points = 1, hyperslab = 2, all = 3 };

/// One dimension of a regular hyperslab. The count or the block may be `unlimited`.
struct HyperslabDimension {
  std::uint64_t start = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 1;
  std::uint64_t block = 1;
  friend bool operator==(const HyperslabDimension&, const HyperslabDimension&) = default;
};

/// An encoded selection. The versions are 1 for none and all, 1 and 2 for points, 1 to 3 for hyperslabs.
struct EncodedSelection {
  static constexpr std::string_view structure = "selection";
  SelectionType type = SelectionType::all;
  std::uint32_t version = 1;
  std::uint8_t number_bytes = 4;  ///< width of numbers: 2, 4 or 8; fixed except in the last version of a type
  std::uint8_t rank = 0;          ///< number of dimensions of points and hyperslabs
  bool regular = false;           ///< always true in version 2 of hyperslabs, always false in version 1
  std::vector<HyperslabDimension> slab;  ///< `rank` dimensions of a regular hyperslab
  /// The coordinates of all points, or both inclusive corners of all blocks. Blocks may overlap and be in any
  /// order.
  std::vector<std::uint64_t> coordinates;
};

}  // namespace filigree::format
