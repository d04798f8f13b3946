// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <filigree/chunks.hpp>
#include <filigree/error.hpp>

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

/// Defined elements of a sparse chunk.
constexpr double usual_defined = 8192;
constexpr double least_defined_of_frames = 4096;
constexpr double most_defined_of_frame = 65536;
/// Elements of a sparse chunk, defined or not.
constexpr double most_sparse_elements = 1u << 26;
constexpr double most_sparse_frame = 1u << 31;

/// The dimension along which slices follow each other.
std::size_t slicing_dimension(const Dataspace& space) {
  for (std::size_t d = 0; d < space.dims().size(); ++d)
    if (space.max_dims()[d] > space.dims()[d]) return d;
  return 0;
}

/// The size of a chunk, in elements.
struct ChunkTarget {
  std::uint64_t elements = 1;
  std::uint64_t most_of_frame = 1;  ///< a larger frame is split
  std::uint64_t least_row = 1;      ///< shorter parts of a row are not worth it
};

ChunkTarget dense_target(const Dataspace& space, std::uint64_t element_bytes) {
  std::uint64_t total = element_bytes;
  bool grows = false;
  for (std::size_t d = 0; d < space.dims().size(); ++d) {
    total = try_multiply(total, std::max<std::uint64_t>(1, space.dims()[d])).value_or(unlimited);
    grows |= space.max_dims()[d] > space.dims()[d];
  }
  const std::uint64_t bytes =
      std::clamp(total / chunks_aimed_at, grows ? least_growing_bytes : least_bytes, most_bytes);
  const std::uint64_t elements = std::max<std::uint64_t>(1, bytes / element_bytes);
  return {elements, elements, std::max<std::uint64_t>(1, least_row_bytes / element_bytes)};
}

ChunkTarget sparse_target(double share, ChunkAccess access) {
  const auto elements = [&](double defined, double most) {
    return static_cast<std::uint64_t>(std::clamp(defined / share, 1.0, most));
  };
  const double defined = access == ChunkAccess::frames ? least_defined_of_frames : usual_defined;
  return {elements(defined, most_sparse_elements), elements(most_defined_of_frame, most_sparse_frame), 1};
}

class Advisor {
 public:
  Advisor(const Dataspace& space, const ChunkTarget& target)
      : space_(space), rank_(space.dims().size()), along_(slicing_dimension(space)), target_(target) {
    chunk_.assign(rank_, 1);
  }

  Dims suggest(ChunkAccess access) {
    switch (access) {
      case ChunkAccess::rows:
        return rows();
      case ChunkAccess::columns:
        return columns();
      case ChunkAccess::frames:
        return frames();
      case ChunkAccess::anything:
        break;
    }
    return anything();
  }

 private:
  Dims rows() {
    for (std::size_t d = rank_; d-- > 0;) fill(d);
    return evened();
  }
  Dims columns() {
    const std::size_t last = rank_ - 1;
    chunk_[last] = std::min({longest(last), target_.least_row, target_.elements});
    for (std::size_t d = 0; d < rank_; ++d) fill(d);
    return evened();
  }
  Dims frames() {
    for (std::size_t d = 0; d < rank_; ++d)
      if (d != along_) chunk_[d] = usual(d);
    shrink(target_.most_of_frame);
    fill(along_);
    return evened();
  }
  Dims anything() {
    for (std::size_t d = 0; d < rank_; ++d) chunk_[d] = usual(d);
    shrink(target_.elements);
    if (grows(along_)) fill(along_);
    return evened();
  }
  bool grows(std::size_t d) const { return space_.max_dims()[d] > space_.dims()[d]; }
  std::uint64_t longest(std::size_t d) const { return std::max<std::uint64_t>(1, space_.max_dims()[d]); }
  std::uint64_t usual(std::size_t d) const {
    const std::uint64_t now = std::max<std::uint64_t>(1, space_.dims()[d]);
    return grows(d) ? std::min(longest(d), std::max(now, usual_growth)) : now;
  }
  bool fits(std::uint64_t most) const {
    std::uint64_t elements = 1;
    for (const std::uint64_t n : chunk_) elements = try_multiply(elements, n).value_or(unlimited);
    return elements <= most;
  }
  /// Extends a dimension as far as the target and the maximum allow.
  void fill(std::size_t d) {
    std::uint64_t others = 1;
    for (std::size_t i = 0; i < rank_; ++i)
      if (i != d) others *= chunk_[i];  // at most the target, or one frame
    chunk_[d] = std::max(chunk_[d], std::min(longest(d), target_.elements / others));
  }
  void shrink(std::uint64_t most) {
    while (!fits(most)) {
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
  std::size_t along_;  ///< slicing_dimension()
  ChunkTarget target_;
  Dims chunk_;
};

}  // namespace

std::vector<std::uint64_t> suggest_chunks(const Dataspace& space, const Datatype& type, ChunkAccess access) {
  if (space.kind() != Dataspace::Kind::simple || space.dims().empty()) return {};
  const std::uint64_t element_bytes = std::max<std::uint64_t>(1, type.stored().size());
  return Advisor(space, dense_target(space, element_bytes)).suggest(access);
}

ExpectedDensity ExpectedDensity::of(double share) {
  if (!(share > 0 && share <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a density of {}: it must be greater than 0 and at most 1", share));
  }
  ExpectedDensity density;
  density.share_ = share;
  return density;
}

ExpectedDensity ExpectedDensity::per_slice(double elements) {
  if (!(elements > 0 && std::isfinite(elements))) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} defined elements in a slice: there must be more than 0", elements));
  }
  ExpectedDensity density;
  density.per_slice_ = elements;
  return density;
}

double ExpectedDensity::share(const Dataspace& space) const {
  if (per_slice_ == 0) return share_;
  double slice = 1;
  for (std::size_t d = 0; d < space.dims().size(); ++d)
    if (d != slicing_dimension(space))
      slice *= static_cast<double>(std::max<std::uint64_t>(1, space.dims()[d]));
  return std::min(1.0, per_slice_ / slice);
}

std::vector<std::uint64_t> suggest_sparse_chunks(const Dataspace& space, const ExpectedDensity& density,
                                                 ChunkAccess access) {
  if (space.kind() != Dataspace::Kind::simple || space.dims().empty()) return {};
  return Advisor(space, sparse_target(density.share(space), access)).suggest(access);
}

}  // namespace filigree
