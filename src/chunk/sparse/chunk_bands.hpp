// SPDX-License-Identifier: Apache-2.0
//
// Chunks of a grid whose elements come one behind the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "space/divider.hpp"
#include "space/partition.hpp"

namespace filigree::chunk {

/// Cuts a grid into bands of chunks: all elements of a band come before those of the next. Up to the first
/// dimension in which a chunk has more than one element, chunks are in the order of their elements.
class BandGrid {
 public:
  /// The grid outlives it.
  explicit BandGrid(const space::ChunkGrid& grid);

  /// One band, and where it is.
  struct Band {
    std::uint64_t first_chunk = 0;
    std::uint64_t first_place = 0, end_place = 0;  ///< of its elements in the extent
  };
  Band band_of_place(std::uint64_t place) const;
  Band band_of_chunk(std::uint64_t chunk) const { return band(chunk / chunks_); }
  /// Chunks of a band.
  std::uint64_t chunks() const { return chunks_; }

  // Rows of a band, which are those of the extent. A chunk has a part of a row, `width()` elements or, at the
  // edge, fewer.

  std::uint64_t width() const { return width_.divisor(); }
  /// How many chunks share a row.
  std::uint64_t sides() const { return sides_; }
  /// Rows of a band times the chunks that share each; at most, where the extent cuts the band.
  std::uint64_t row_parts() const { return row_parts_; }
  std::uint64_t row_elements() const { return row_.divisor(); }

  /// A place of a band, by its distance from the first one.
  struct Spot {
    std::uint64_t chunk = 0;         ///< of the band
    std::uint64_t chunk_offset = 0;  ///< position in the chunk
  };
  /// Finds places that ascend.
  class Finder {
   public:
    explicit Finder(const BandGrid& bands)
        : bands_(bands), width_(bands.width_), row_elements_(bands.row_elements()) {}
    Spot find(std::uint64_t distance) {
      if (distance - row_start_ >= row_elements_) enter(distance);
      const std::uint64_t column = distance - row_start_;
      const std::uint64_t side = width_.quotient(column);
      return {row_.chunk + side, row_.chunk_offset + (column - side * width_.divisor())};
    }

   private:
    void enter(std::uint64_t distance);
    const BandGrid& bands_;
    const space::Divider width_;
    const std::uint64_t row_elements_;
    std::uint64_t row_start_ = std::uint64_t{1} << 63;  ///< where no place is
    Spot row_;
  };

 private:
  /// A dimension of the rows of a band.
  struct Axis {
    std::uint64_t row_step;  ///< rows from one coordinate to the next
    space::Divider by_step;
    space::Divider by_chunk;   ///< coordinates in a chunk
    std::uint64_t chunk_step;  ///< chunks of the band from one to the next
    std::uint64_t local_step;
  };
  Band band(std::uint64_t number) const;

  const space::ChunkGrid& grid_;
  std::size_t dimension_;  ///< the first one in which bands differ from chunk to chunk
  std::uint64_t chunks_;
  space::Divider width_{1}, row_{1};
  std::uint64_t sides_ = 1, row_parts_ = 1;
  std::vector<Axis> axes_;
};

}  // namespace filigree::chunk
