// SPDX-License-Identifier: Apache-2.0
//
// Stripes: groups of chunks whose elements are contiguous in the row-major order of the extent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "space/divider.hpp"
#include "space/partition.hpp"
#include "space/selection.hpp"

namespace filigree::chunk {

/// Cuts a grid into stripes. A stripe is a row of chunks along all dimensions after the first one in which
/// chunks have more than one element. All elements of a stripe come before those of the next stripe, so that
/// stripes can be processed independently and their results concatenated.
class StripeGrid {
 public:
  /// *Requires*: the grid outlives the object.
  explicit StripeGrid(const space::ChunkGrid& grid);

  struct Stripe {
    std::uint64_t first_chunk = 0;
    std::uint64_t first_offset = 0, end_offset = 0;  ///< range of linear offsets in the extent
  };
  Stripe stripe_of_offset(std::uint64_t offset) const;
  Stripe stripe_of_chunk(std::uint64_t chunk) const { return stripe(chunk / chunks_); }
  /// Whether a box of the extent consists of complete stripes.
  bool covers_stripes(const space::Bounds& box) const;
  /// Chunks of a stripe.
  std::uint64_t chunks() const { return chunks_; }

  // The rows of a stripe are those of the extent. A chunk has a part of a row: `width()` elements, or fewer
  // if it is a partial edge chunk.

  std::uint64_t width() const { return width_.divisor(); }
  /// How many chunks share a row.
  std::uint64_t chunks_per_row() const { return chunks_per_row_; }
  /// Rows of a stripe times the chunks that share each; an upper bound for the last stripe.
  std::uint64_t row_parts() const { return row_parts_; }
  std::uint64_t row_elements() const { return row_.divisor(); }

  /// An element of a stripe.
  struct ChunkOffset {
    std::uint64_t chunk = 0;   ///< number within the stripe
    std::uint64_t offset = 0;  ///< within the chunk
  };
  /// Contiguous elements in a row of one chunk.
  struct RowPart {
    ChunkOffset first;
    std::uint64_t length = 0;
  };
  /// Converts ascending offsets, relative to Stripe::first_offset.
  class Finder {
   public:
    explicit Finder(const StripeGrid& stripes)
        : stripes_(stripes), width_(stripes.width_), row_elements_(stripes.row_elements()) {}
    ChunkOffset find(std::uint64_t offset) {
      if (offset - row_start_ >= row_elements_) enter_row(offset);
      const std::uint64_t column = offset - row_start_;
      const std::uint64_t side = width_.quotient(column);
      return {row_.chunk + side, row_.offset + (column - side * width_.divisor())};
    }
    /// The elements from `offset` on that are in the same row of the same chunk.
    RowPart find_part(std::uint64_t offset) {
      const ChunkOffset first = find(offset);
      const std::uint64_t column = offset - row_start_, width = width_.divisor();
      const std::uint64_t in_chunk = first.offset - row_.offset;
      return {first, std::min(width - in_chunk, row_elements_ - column)};
    }

   private:
    void enter_row(std::uint64_t offset);
    const StripeGrid& stripes_;
    const space::Divider width_;
    const std::uint64_t row_elements_;
    std::uint64_t row_start_ = std::uint64_t{1} << 63;  ///< beyond all offsets
    ChunkOffset row_;
  };

 private:
  /// A dimension of the rows of a stripe.
  struct Axis {
    std::uint64_t row_step;  ///< rows from one coordinate to the next
    space::Divider by_step;
    space::Divider by_chunk;    ///< coordinates in a chunk
    std::uint64_t chunk_step;   ///< chunks of the stripe from one to the next
    std::uint64_t offset_step;  ///< within a chunk
  };
  Stripe stripe(std::uint64_t number) const;

  const space::ChunkGrid& grid_;
  std::size_t dimension_;  ///< the first one in which chunks have more than one element
  std::uint64_t chunks_;
  space::Divider width_{1}, row_{1};
  std::uint64_t chunks_per_row_ = 1, row_parts_ = 1;
  std::vector<Axis> axes_;
};

}  // namespace filigree::chunk
