// SPDX-License-Identifier: Apache-2.0
//
// Slices of datasets, as numpy writes them: "1:10, ::2, -1, ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/selection.hpp>

namespace filigree::tools {

/// A slice that cannot be used. The user made a mistake at one character.
class SliceError : public std::runtime_error {
 public:
  SliceError(const std::string& message, std::size_t position)
      : std::runtime_error(message), position_(position) {}
  /// The number of bytes before the wrong character.
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// One item of a slice: a coordinate, a range, or an ellipsis.
struct SliceItem {
  enum class Kind : std::uint8_t { coordinate, range, ellipsis };
  Kind kind = Kind::range;
  std::optional<std::int64_t> start, stop;  ///< negative numbers count from the end; a coordinate is `start`
  std::optional<std::int64_t> step;
  std::size_t position = 0;  ///< of its first character

  friend bool operator==(const SliceItem&, const SliceItem&) = default;
};

/// Reads what is between the brackets. Positions count from the start of `text`.
/// Throws: SliceError.
std::vector<SliceItem> parse_slice(std::string_view text);

/// The selected coordinates of one dimension: `start`, `start + step` and so on.
struct SliceRange {
  std::uint64_t start = 0;
  std::uint64_t step = 1;
  std::uint64_t count = 0;
  bool dropped = false;  ///< the user named a single coordinate, so that the result lacks the dimension

  std::uint64_t at(std::uint64_t i) const { return start + i * step; }
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};

/// Applies a slice to an extent. Missing items select everything; ranges are cut at the extent.
/// Throws: SliceError for more items than dimensions, and for coordinates outside of the extent.
std::vector<SliceRange> resolve_slice(const std::vector<SliceItem>& items,
                                      const std::vector<std::uint64_t>& extent);

/// Selects the coordinates; all elements if there are no dimensions.
Selection to_selection(const std::vector<SliceRange>& ranges);
/// Writes the ranges as a slice: "7, 500:503, 0:20:2".
std::string slice_text(const std::vector<SliceRange>& ranges);

}  // namespace filigree::tools
