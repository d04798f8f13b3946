// SPDX-License-Identifier: Apache-2.0
//
// An extent and a selection as H5Sencode writes them, decoded to the parts that a packed selection stores.
//
// Only bytes that write_blob() reproduces exactly are decoded. The limits of space/decoding.cpp are not
// checked here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The kinds of selections, as numbered in the file.
enum class BlobKind : std::uint8_t { none = 0, points = 1, hyperslab = 2, all = 3 };

/// Everything except the selected elements.
struct BlobShape {
  std::uint8_t extent_version = 1;
  std::uint8_t length_bytes = 8;  ///< size of a dimension
  bool has_max = true;
  BlobKind kind = BlobKind::hyperslab;
  std::uint8_t version = 1;  ///< version of the selection
  std::uint8_t width = 4;    ///< size of a number in the selection
  bool regular = false;
  bool summed = false;  ///< whether the lookup3 checksum of all bytes follows
  std::vector<std::uint64_t> dims;
  std::vector<std::uint64_t> max;  ///< maximum dimensions, if there are any

  std::size_t rank() const { return dims.size(); }
  /// Whether the selection is a list of blocks or points.
  bool listed() const { return (kind == BlobKind::hyperslab && !regular) || kind == BlobKind::points; }
  /// The number of words of a block, a point or a regular hyperslab.
  std::size_t item_words() const;
  /// The number of elements of the extent, or nothing if it exceeds 64 bits.
  std::optional<std::uint64_t> elements() const;
};

/// A decoded extent and selection.
struct Blob {
  BlobShape shape;
  std::vector<std::uint64_t> words;  ///< all items as in the file
};

/// Returns nothing unless write_blob() reproduces the bytes.
std::optional<Blob> parse_blob(Bytes unfiltered);

/// The size of a blob with `items` items; all bits set if the size exceeds 64 bits.
std::uint64_t blob_bytes(const BlobShape& shape, std::uint64_t items);

/// *Requires* words of complete items.
Buffer write_blob(const BlobShape& shape, std::span<const std::uint64_t> words);

/// Whether versions and widths are known.
bool is_known(const BlobShape& shape);

}  // namespace filigree::filter
