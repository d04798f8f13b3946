// SPDX-License-Identifier: Apache-2.0
//
// An extent and a selection as H5Sencode writes them, taken apart into what the packed form keeps. Only what
// write() gives back byte for byte is taken apart; the limits of space/decoding are not repeated here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The kinds of a selection, as numbered in the file.
enum class BlobKind : std::uint8_t { none = 0, points = 1, hyperslab = 2, all = 3 };

/// Everything but the selected elements.
struct BlobShape {
  std::uint8_t extent_version = 1;
  std::uint8_t length_bytes = 8;  ///< of a dimension
  bool has_max = true;
  BlobKind kind = BlobKind::hyperslab;
  std::uint8_t version = 1;  ///< of the selection
  std::uint8_t width = 4;    ///< bytes of a number in it
  bool regular = false;
  bool summed = false;  ///< the lookup3 of all bytes follows
  std::vector<std::uint64_t> dims;
  std::vector<std::uint64_t> max;  ///< as many, when there are any

  std::size_t rank() const { return dims.size(); }
  /// Whether there is a list of blocks or points.
  bool listed() const { return (kind == BlobKind::hyperslab && !regular) || kind == BlobKind::points; }
  /// Numbers that a block, a point or a regular pattern takes.
  std::size_t item_words() const;
  /// Of the extent; nothing where it is too large to be numbered.
  std::optional<std::uint64_t> elements() const;
};

struct Blob {
  BlobShape shape;
  std::vector<std::uint64_t> words;  ///< the items, one behind the other, as in the file
};

/// Nothing when the bytes are not what write_blob() makes of any blob.
std::optional<Blob> parse_blob(Bytes plain);

/// Bytes of a blob with so many items; all ones when that is too much for a number.
std::uint64_t blob_bytes(const BlobShape& shape, std::uint64_t items);

/// `words` are whole items.
Buffer write_blob(const BlobShape& shape, std::span<const std::uint64_t> words);

/// Whether versions and widths are ones that exist.
bool is_known(const BlobShape& shape);

}  // namespace filigree::filter
