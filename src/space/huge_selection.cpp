// SPDX-License-Identifier: Apache-2.0
//
// Set algebra of boxes. The corners of all boxes divide every dimension into parts. A box of parts is a box
// in a small extent, the cells, where the ordinary selections compute the result.
#include "space/huge_selection.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "space/blocks.hpp"
#include "space/bulk.hpp"

namespace filigree::space {
namespace {

using Numbers = std::vector<std::uint64_t>;

/// More boxes, or rows of cells, indicate a mistake in the request.
constexpr std::uint64_t most_boxes = std::uint64_t{1} << 22;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 24;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::invalid_argument, why); }

void check_dimension(const SlabDimension& d, std::size_t number) {
  const auto refuse_it = [&](const std::string& why) {
    refuse(fmt::format("selection in dimension {}: {}", number, why));
  };
  if (d.stride == 0) refuse_it("a stride of zero");
  if (d.count == 0 || d.block == 0) return;
  if (d.count == unlimited || d.block == unlimited)
    refuse_it("an unlimited selection is not possible in an extent of 2^64 elements or more");
  if (d.count > 1 && d.stride < d.block)
    refuse_it(fmt::format("blocks of {} elements overlap at a stride of {}", d.block, d.stride));
  const auto along = try_multiply(d.count - 1, d.stride);
  const auto start = along ? try_add(*along, d.start) : along;
  if (!start || !try_add(*start, d.block)) refuse_it("its end does not fit in 64 bits");
}

/// The parts into which the corners of boxes divide the dimensions.
class Cells {
 public:
  Cells(std::size_t rank, std::initializer_list<std::span<const std::uint64_t>> lists) : edges_(rank) {
    for (const auto& corners : lists) {
      for (std::size_t i = 0; i < corners.size(); i += 2 * rank) {
        for (std::size_t d = 0; d < rank; ++d) {
          edges_[d].push_back(corners[i + d]);
          edges_[d].push_back(corners[i + rank + d] + 1);
        }
      }
    }
    for (Numbers& edges : edges_) {
      std::ranges::sort(edges);
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    }
  }
  Frame frame() const {
    Numbers dims;
    for (const Numbers& edges : edges_) dims.push_back(edges.size() - 1);
    return Frame(std::move(dims));
  }
  /// The boxes in terms of cells.
  Selection selection(const Frame& frame, std::span<const std::uint64_t> corners) const {
    const std::size_t rank = edges_.size();
    Numbers mapped(corners.begin(), corners.end());
    for (std::size_t i = 0; i < mapped.size(); i += 2 * rank) {
      for (std::size_t d = 0; d < rank; ++d) {
        mapped[i + d] = index(d, mapped[i + d]);
        mapped[i + rank + d] = index(d, mapped[i + rank + d] + 1) - 1;
      }
    }
    return from_blocks(frame, mapped, most_rows);
  }
  /// The inverse.
  Numbers corners(const Selection& selection) const {
    const Selection set = Selection::of_runs(selection.frame(), selection.runs());
    const std::uint64_t count = space::block_count(set);
    if (count > most_boxes)
      throw Error(ErrorKind::limit, fmt::format("the selection has {} boxes; at most {} are possible in an "
                                                "extent of 2^64 elements or more",
                                                count, most_boxes));
    Numbers list = space::block_list(set, 0, count);
    const std::size_t rank = edges_.size();
    for (std::size_t i = 0; i < list.size(); i += 2 * rank) {
      for (std::size_t d = 0; d < rank; ++d) {
        list[i + d] = edges_[d][list[i + d]];
        list[i + rank + d] = edges_[d][list[i + rank + d] + 1] - 1;
      }
    }
    return list;
  }

 private:
  std::uint64_t index(std::size_t d, std::uint64_t edge) const {
    const Numbers& edges = edges_[d];
    return static_cast<std::uint64_t>(std::ranges::lower_bound(edges, edge) - edges.begin());
  }
  std::vector<Numbers> edges_;
};

std::uint64_t elements_of_boxes(std::size_t rank, std::span<const std::uint64_t> corners) {
  constexpr const char* what = "the number of selected elements";
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < corners.size(); i += 2 * rank) {
    std::uint64_t box = 1;
    for (std::size_t d = 0; d < rank; ++d)
      box = checked_multiply(box, corners[i + rank + d] - corners[i + d] + 1, what);
    elements = checked_add(elements, box, what);
  }
  return elements;
}

/// The hyperslab in one dimension that consists of these intervals, if it is regular.
std::optional<SlabDimension> regular_dimension(std::vector<std::pair<std::uint64_t, std::uint64_t>> parts) {
  const std::uint64_t block = parts[0].second - parts[0].first + 1;
  const std::uint64_t stride = parts.size() > 1 ? parts[1].first - parts[0].first : 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool fits = parts[i].second - parts[i].first + 1 == block &&
                      (i == 0 || parts[i].first - parts[i - 1].first == stride);
    if (!fits) return std::nullopt;
  }
  return SlabDimension{parts[0].first, stride, parts.size(), block};
}

/// Appends the coordinates of all elements of a box, in row-major order.
void append_box(Numbers& list, std::span<const std::uint64_t> low, std::span<const std::uint64_t> high) {
  for (Numbers at(low.begin(), low.end());;) {
    list.insert(list.end(), at.begin(), at.end());
    std::size_t d = at.size();
    while (d-- > 0 && ++at[d] > high[d]) at[d] = low[d];
    if (d == ~std::size_t{0}) return;
  }
}

/// Sorts points into row-major order.
Numbers sorted_points(std::size_t rank, const Numbers& list) {
  std::vector<std::size_t> order(list.size() / rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto at = [&](std::size_t i) { return std::span(list).subspan(i * rank, rank); };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(at(a), at(b));
  });
  Numbers sorted;
  sorted.reserve(list.size());
  for (const std::size_t i : order) sorted.insert(sorted.end(), at(i).begin(), at(i).end());
  return sorted;
}

}  // namespace

bool is_huge(std::span<const std::uint64_t> dims) {
  std::uint64_t product = 1;
  bool overflows = false;
  for (const std::uint64_t n : dims) {
    if (n == 0) return false;
    overflows |= __builtin_mul_overflow(product, n, &product);
  }
  return overflows;
}

HugeSelection HugeSelection::none(std::size_t rank) { return {rank, Kind::none}; }

HugeSelection HugeSelection::regular(std::vector<SlabDimension> dims) {
  HugeSelection made(dims.size(), Kind::regular);
  made.elements_ = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    check_dimension(dims[d], d);
    if (dims[d].count == 0 || dims[d].block == 0) return none(dims.size());
  }
  for (const SlabDimension& d : dims) {
    made.elements_ = checked_multiply(made.elements_, d.count, "the number of selected elements");
    made.elements_ = checked_multiply(made.elements_, d.block, "the number of selected elements");
  }
  made.slab_ = std::move(dims);
  return made;
}

HugeSelection HugeSelection::boxes(std::size_t rank, std::span<const std::uint64_t> corners) {
  if (corners.empty()) return none(rank);
  for (std::size_t i = 0; i < corners.size(); i += 2 * rank) {
    for (std::size_t d = 0; d < rank; ++d) {
      if (corners[i + d] > corners[i + rank + d] || corners[i + rank + d] == unlimited)
        refuse(fmt::format("box {} goes from {} to {} in dimension {}", i / (2 * rank), corners[i + d],
                           corners[i + rank + d], d));
    }
  }
  const Cells cells(rank, {corners});
  HugeSelection made(rank, Kind::boxes);
  made.coordinates_ = cells.corners(cells.selection(cells.frame(), corners));
  made.elements_ = elements_of_boxes(rank, made.coordinates_);
  return made;
}

HugeSelection HugeSelection::points(std::size_t rank, std::vector<std::uint64_t> coordinates) {
  if (coordinates.empty()) return none(rank);
  HugeSelection made(rank, Kind::points);
  made.elements_ = coordinates.size() / rank;
  made.coordinates_ = std::move(coordinates);
  return made;
}

HugeSelection HugeSelection::of(const Selection& selection) {
  const std::size_t rank = selection.frame().rank();
  if (selection.elements() == 0) return none(rank);
  if (!selection.is_set()) return points(rank, to_coordinates(selection));
  if (selection.kind() != Selection::Kind::runs) return regular(selection.slab().dims());
  HugeSelection made(rank, Kind::boxes);
  made.coordinates_ = space::block_list(selection, 0, space::block_count(selection));
  made.elements_ = selection.elements();
  return made;
}

std::optional<Bounds> HugeSelection::bounds() const {
  if (elements_ == 0) return std::nullopt;
  Bounds bounds{Numbers(rank_, ~std::uint64_t{0}), Numbers(rank_, 0)};
  for (std::size_t d = 0; d < slab_.size(); ++d) {
    bounds.low[d] = slab_[d].start;
    bounds.high[d] = slab_[d].last();
  }
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    bounds.low[i % rank_] = std::min(bounds.low[i % rank_], coordinates_[i]);
    bounds.high[i % rank_] = std::max(bounds.high[i % rank_], coordinates_[i]);
  }
  return bounds;
}

bool HugeSelection::is_within(std::span<const std::uint64_t> dims) const {
  const auto box = bounds();
  return !box || std::ranges::equal(box->high, dims, std::less<>());
}

bool HugeSelection::contains(std::span<const std::uint64_t> coordinates) const {
  const Numbers at(coordinates.begin(), coordinates.end());
  return intersects({at, at});
}

bool HugeSelection::intersects(const Bounds& box) const {
  if (elements_ == 0) return false;
  if (kind_ == Kind::regular) {
    for (std::size_t d = 0; d < rank_; ++d) {
      const SlabDimension& s = slab_[d];
      if (box.high[d] < s.start || box.low[d] > s.last()) return false;
      const std::uint64_t end = s.start + s.block;  // of the first block
      const std::uint64_t block = box.low[d] < end ? 0 : (box.low[d] - end) / s.stride + 1;
      if (s.start + block * s.stride > box.high[d]) return false;
    }
    return true;
  }
  const std::size_t corners = kind_ == Kind::boxes ? 2 : 1;
  for (std::size_t i = 0; i < coordinates_.size(); i += corners * rank_) {
    bool meets = true;
    for (std::size_t d = 0; d < rank_; ++d)
      meets &=
          coordinates_[i + d] <= box.high[d] && coordinates_[i + (corners - 1) * rank_ + d] >= box.low[d];
    if (meets) return true;
  }
  return false;
}

HugeSelection HugeSelection::moved(std::span<const std::int64_t> offset) const {
  if (offset.size() != rank_) refuse(fmt::format("{} offsets for {} dimensions", offset.size(), rank_));
  const auto box = bounds();
  if (!box) return *this;
  for (std::size_t d = 0; d < rank_; ++d) {
    const auto by = static_cast<std::uint64_t>(offset[d]);
    const bool fits = offset[d] < 0 ? box->low[d] >= std::uint64_t{0} - by
                                    : try_add(box->high[d], by).value_or(unlimited) < unlimited - 1;
    if (!fits) refuse(fmt::format("an offset of {} moves it out of dimension {}", offset[d], d));
  }
  HugeSelection result = *this;
  for (std::size_t d = 0; d < slab_.size(); ++d)
    result.slab_[d].start += static_cast<std::uint64_t>(offset[d]);
  for (std::size_t i = 0; i < coordinates_.size(); ++i)
    result.coordinates_[i] += static_cast<std::uint64_t>(offset[i % rank_]);
  return result;
}

std::uint64_t HugeSelection::block_count() const {
  if (kind_ == Kind::regular) {
    std::uint64_t blocks = 1;
    for (const SlabDimension& d : slab_) blocks *= d.count;  // not more than elements
    return blocks;
  }
  return coordinates_.size() / rank_ / (kind_ == Kind::boxes ? 2 : 1);
}

std::vector<std::uint64_t> HugeSelection::block_list(std::uint64_t first, std::uint64_t count) const {
  count = std::min(count, block_count() - std::min(first, block_count()));
  Numbers list;
  if (kind_ == Kind::boxes) {
    const auto from = coordinates_.begin() + static_cast<std::ptrdiff_t>(first * 2 * rank_);
    list.assign(from, from + static_cast<std::ptrdiff_t>(count * 2 * rank_));
    return list;
  }
  Numbers low(rank_), high(rank_);
  for (std::uint64_t i = first; i < first + count; ++i) {
    std::uint64_t rest = i;
    for (std::size_t d = rank_; d-- > 0;) {
      if (kind_ == Kind::points) {
        low[d] = high[d] = coordinates_[i * rank_ + d];
        continue;
      }
      low[d] = slab_[d].start + rest % slab_[d].count * slab_[d].stride;
      high[d] = low[d] + slab_[d].block - 1;
      rest /= slab_[d].count;
    }
    list.insert(list.end(), low.begin(), low.end());
    list.insert(list.end(), high.begin(), high.end());
  }
  return list;
}

std::optional<std::vector<SlabDimension>> HugeSelection::regular_slab() const {
  if (kind_ == Kind::regular) return slab_;
  if (kind_ != Kind::boxes) return std::nullopt;
  std::vector<SlabDimension> dims;
  std::uint64_t products = 1;
  for (std::size_t d = 0; d < rank_; ++d) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
    for (std::size_t i = 0; i < coordinates_.size(); i += 2 * rank_)
      parts.emplace_back(coordinates_[i + d], coordinates_[i + rank_ + d]);
    std::ranges::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    products = saturating_multiply(products, parts.size());
    const auto dim = regular_dimension(std::move(parts));
    if (!dim) return std::nullopt;
    dims.push_back(*dim);
  }
  // The boxes are disjoint, so as many as there are products are all of them.
  return products == block_count() ? std::optional(std::move(dims)) : std::nullopt;
}

std::vector<std::uint64_t> HugeSelection::coordinates() const {
  if (kind_ == Kind::points) return coordinates_;
  if (elements_ > most_listed)
    throw Error(ErrorKind::limit, fmt::format("{} elements that are far apart in an extent of 2^64 elements "
                                              "or more; at most {} are possible",
                                              elements_, most_listed));
  Numbers list;
  list.reserve(elements_ * rank_);
  const Numbers corners = block_list(0, block_count());
  for (std::size_t i = 0; i < corners.size(); i += 2 * rank_)
    append_box(list, std::span(corners).subspan(i, rank_), std::span(corners).subspan(i + rank_, rank_));
  return corners.size() > 2 * rank_ ? sorted_points(rank_, list) : list;
}

HugeSelection combine(const HugeSelection& a, SetOperator op, const HugeSelection& b) {
  if (a.rank() != b.rank())
    refuse(fmt::format("a selection of {} dimensions and one of {} cannot be combined", a.rank(), b.rank()));
  if (!a.is_set() || !b.is_set()) refuse("a list of points is not a set; it cannot be combined");
  const auto corners_of = [](const HugeSelection& s) {
    if (s.block_count() > most_boxes)
      throw Error(ErrorKind::limit, fmt::format("a hyperslab of {} blocks; at most {} can be combined in an "
                                                "extent of 2^64 elements or more",
                                                s.block_count(), most_boxes));
    return s.block_list(0, s.block_count());
  };
  const Numbers first = corners_of(a), second = corners_of(b);
  HugeSelection made(a.rank(), HugeSelection::Kind::boxes);
  if (!first.empty() || !second.empty()) {
    const Cells cells(a.rank(), {first, second});
    const Frame frame = cells.frame();
    made.coordinates_ =
        cells.corners(space::combine(cells.selection(frame, first), op, cells.selection(frame, second)));
  }
  if (made.coordinates_.empty()) return HugeSelection::none(a.rank());
  made.elements_ = elements_of_boxes(a.rank(), made.coordinates_);
  // A union that adds nothing keeps the description.
  return op == SetOperator::unite && made.elements_ == a.elements() ? a : made;
}

bool same_elements(const HugeSelection& a, const HugeSelection& b) {
  if (a.rank() != b.rank() || a.elements() != b.elements() || a.is_set() != b.is_set()) return false;
  if (!a.is_set()) return a.coordinates_ == b.coordinates_;
  return combine(a, SetOperator::differ, b).elements() == 0;
}

}  // namespace filigree::space
