// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <filigree/chunks.hpp>

#include "base/checked.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

constexpr std::uint64_t least_bytes = 64u << 10;
constexpr std::uint64_t least_growing_bytes = 256u << 10;
constexpr std::uint64_t most_bytes = 1u << 20;
constexpr std::uint64_t chunks_aimed_at = 64;
/// Shorter parts of a row cost as much as a cache line.
constexpr std::uint64_t least_row_bytes = 64;
constexpr std::uint64_t usual_growth = 1024;

class Advisor {
 public:
  Advisor(const Dataspace& space, std::uint64_t element_bytes)
      : space_(space), rank_(space.dims().size()), element_bytes_(element_bytes) {
    std::uint64_t total = element_bytes;
    for (std::size_t d = rank_; d-- > 0;) {
      total = try_multiply(total, std::max<std::uint64_t>(1, space.dims()[d])).value_or(unlimited);
      if (grows(d)) growing_ = d;
    }
    const std::uint64_t least = growing_ < rank_ ? least_growing_bytes : least_bytes;
    target_ = std::max<std::uint64_t>(1, std::clamp(total / chunks_aimed_at, least, most_bytes) /
                                             std::max<std::uint64_t>(1, element_bytes));
    chunk_.assign(rank_, 1);
  }

  Dims rows() {
    for (std::size_t d = rank_; d-- > 0;) fill(d);
    return evened();
  }
  Dims columns() {
    const std::size_t last = rank_ - 1;
    chunk_[last] =
        std::min({longest(last), std::max<std::uint64_t>(1, least_row_bytes / element_bytes_), target_});
    for (std::size_t d = 0; d < rank_; ++d) fill(d);
    return evened();
  }
  Dims frames() {
    const std::size_t along = growing_ < rank_ ? growing_ : 0;
    for (std::size_t d = 0; d < rank_; ++d)
      if (d != along) chunk_[d] = usual(d);
    shrink();
    fill(along);
    return evened();
  }
  Dims anything() {
    for (std::size_t d = 0; d < rank_; ++d) chunk_[d] = usual(d);
    shrink();
    if (growing_ < rank_) fill(growing_);
    return evened();
  }

 private:
  bool grows(std::size_t d) const { return space_.max_dims()[d] > space_.dims()[d]; }
  std::uint64_t longest(std::size_t d) const { return std::max<std::uint64_t>(1, space_.max_dims()[d]); }
  std::uint64_t usual(std::size_t d) const {
    const std::uint64_t now = std::max<std::uint64_t>(1, space_.dims()[d]);
    return grows(d) ? std::min(longest(d), std::max(now, usual_growth)) : now;
  }
  bool fits() const {
    std::uint64_t elements = 1;
    for (const std::uint64_t n : chunk_) elements = try_multiply(elements, n).value_or(unlimited);
    return elements <= target_;
  }
  /// Extends a dimension as far as the target and the maximum allow.
  void fill(std::size_t d) {
    std::uint64_t others = 1;
    for (std::size_t i = 0; i < rank_; ++i)
      if (i != d) others *= chunk_[i];  // at most the target
    chunk_[d] = std::max(chunk_[d], std::min(longest(d), target_ / others));
  }
  void shrink() {
    while (!fits()) {
      std::uint64_t& side = *std::ranges::max_element(chunk_);
      side = side / 2 + side % 2;
    }
  }
  Dims evened() {
    for (std::size_t d = 0; d < rank_; ++d) {
      if (grows(d) || space_.dims()[d] == 0) continue;
      const std::uint64_t n = space_.dims()[d];
      const std::uint64_t parts = n / chunk_[d] + (n % chunk_[d] != 0 ? 1 : 0);
      chunk_[d] = n / parts + (n % parts != 0 ? 1 : 0);
    }
    return chunk_;
  }

  const Dataspace& space_;
  std::size_t rank_;
  std::uint64_t element_bytes_;
  std::size_t growing_ = ~std::size_t{0};  ///< the first dimension that grows
  std::uint64_t target_ = 1;               ///< in elements
  Dims chunk_;
};

}  // namespace

std::vector<std::uint64_t> suggest_chunks(const Dataspace& space, const Datatype& type, ChunkAccess access) {
  if (space.kind() != Dataspace::Kind::simple || space.dims().empty()) return {};
  Advisor advisor(space, std::max<std::uint64_t>(1, type.stored().size()));
  switch (access) {
    case ChunkAccess::rows:
      return advisor.rows();
    case ChunkAccess::columns:
      return advisor.columns();
    case ChunkAccess::frames:
      return advisor.frames();
    case ChunkAccess::anything:
      break;
  }
  return advisor.anything();
}

}  // namespace filigree
