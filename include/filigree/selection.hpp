// SPDX-License-Identifier: Apache-2.0
//
// Which elements of an array a transfer touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// Everything, a box, or boxes at regular distances. Elements are taken in row-major order.
class FILIGREE_EXPORT Selection {
 public:
  /// In one dimension: `count` blocks of `block` elements, the first at `start`, `stride` apart.
  struct Range {
    std::uint64_t start = 0;
    std::uint64_t stride = 1;
    std::uint64_t count = 0;
    std::uint64_t block = 1;
    friend bool operator==(const Range&, const Range&) = default;
  };

  Selection() = default;
  static Selection all() { return {}; }
  /// `count[i]` elements from `start[i]` on in every dimension.
  static Selection box(std::vector<std::uint64_t> start, std::vector<std::uint64_t> count);
  /// Every `stride[i]`-th element.
  static Selection strided(std::vector<std::uint64_t> start, std::vector<std::uint64_t> stride,
                           std::vector<std::uint64_t> count);
  static Selection blocks(std::vector<Range> ranges);

  bool is_all() const { return !ranges_; }
  /// One for each dimension; throws Error(invalid_argument) for all().
  const std::vector<Range>& ranges() const;
  /// Elements that are selected in an extent of these dimensions. Throws Error(invalid_argument) when the
  /// selection does not fit there.
  std::uint64_t elements(const std::vector<std::uint64_t>& extent) const;

  friend bool operator==(const Selection&, const Selection&) = default;

 private:
  std::optional<std::vector<Range>> ranges_;
};

}  // namespace filigree
