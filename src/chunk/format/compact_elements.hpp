// SPDX-License-Identifier: Apache-2.0
//
// The elements of a sparse chunk as the chunk cache keeps them: two bytes for the offset of an element, and
// one byte for its value if most values are small whole numbers, as counts are. Only SparseFormat includes
// this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "filter/packed_selection/offset_blocks.hpp"

namespace filigree::chunk {

/// Values without gaps, in the file's type. Values of 2, 4 or 8 bytes that are whole numbers below 256, as
/// little-endian integers or floating-point numbers, take a byte each, if few others are among them. The bits
/// of a value are kept whatever its type is.
class CompactValues {
 public:
  CompactValues(Buffer values, std::size_t element_bytes);

  /// Copies the values with ordinals from `first` on.
  void copy(std::size_t first, std::size_t count, std::byte* to) const;
  std::size_t memory_bytes() const {
    return values_.capacity() + codes_.capacity() + others_.capacity() * sizeof(Other);
  }

 private:
  enum class Coding : std::uint8_t { none, integer, floating };
  struct Other {
    std::size_t ordinal;
    std::uint64_t bits;
  };
  template <class Word, class Code>
  bool narrow(Coding coding, Code code);
  template <class Word>
  void narrow_words();
  template <class Word>
  void expand(std::size_t first, std::size_t count, std::byte* to) const;

  std::size_t element_bytes_;
  Coding coding_ = Coding::none;
  Buffer values_;                    ///< if they are not coded
  std::vector<std::uint8_t> codes_;  ///< of all values
  std::vector<Other> others_;        ///< values that the codes do not represent, by ordinal
};

struct CompactElements {
  filter::OffsetBlocks offsets;
  CompactValues values;
};

}  // namespace filigree::chunk
