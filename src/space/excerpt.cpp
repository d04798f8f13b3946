// SPDX-License-Identifier: Apache-2.0
#include "space/excerpt.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "space/blocks.hpp"
#include "space/bulk.hpp"

namespace filigree::space {
namespace {

using Numbers = std::vector<std::uint64_t>;
using Interval = Excerpt::Interval;

/// An excerpt of more elements would leave no margin for the ends of its rows of chunks.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 62;

/// The elements of `chunks` rows of chunks in each dimension, or nothing if they are too many.
template <class Count>
bool fits(const Numbers& chunk_dims, Count chunks) {
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < chunk_dims.size(); ++d) {
    const std::uint64_t along = saturating_multiply(chunks(d), chunk_dims[d]);
    product = saturating_multiply(product, along);
  }
  return product <= most_elements;
}

std::vector<Interval> intervals_of(const std::set<std::uint64_t>& chunks) {
  std::vector<Interval> intervals;
  for (const std::uint64_t chunk : chunks) {
    if (!intervals.empty() && intervals.back().last + 1 == chunk) {
      intervals.back().last = chunk;
    } else {
      intervals.push_back({chunk, chunk});
    }
  }
  return intervals;
}

Selection points_in(const Excerpt& excerpt, std::span<const std::uint64_t> coordinates) {
  const std::size_t rank = excerpt.extent().size();
  Numbers offsets(coordinates.size() / rank);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    offsets[i / rank] += excerpt.in_excerpt(i % rank, coordinates[i]) * excerpt.frame().step(i % rank);
  return Selection::of_points(excerpt.frame(), std::move(offsets));
}

/// *Requires* that all chunks between those of the selection are in the excerpt.
Selection selection_in(const Excerpt& excerpt, const HugeSelection& selection) {
  if (!selection.is_set()) return points_in(excerpt, selection.points());
  if (selection.kind() == HugeSelection::Kind::regular) {
    auto slab = *selection.regular_slab();
    for (std::size_t d = 0; d < slab.size(); ++d) slab[d].start = excerpt.in_excerpt(d, slab[d].start);
    return Selection::regular(excerpt.frame(), std::move(slab));
  }
  Numbers corners = selection.block_list(0, selection.block_count());
  for (std::size_t i = 0; i < corners.size(); ++i)
    corners[i] = excerpt.in_excerpt(i % selection.rank(), corners[i]);
  return from_blocks(excerpt.frame(), corners);
}

/// The excerpt of the bounding box, if it has few enough elements.
std::shared_ptr<const Excerpt> excerpt_around(const Bounds& box, const Numbers& extent,
                                              const Numbers& chunk_dims) {
  std::vector<std::vector<Interval>> intervals;
  for (std::size_t d = 0; d < extent.size(); ++d)
    intervals.push_back({{box.low[d] / chunk_dims[d], box.high[d] / chunk_dims[d]}});
  const auto chunks = [&](std::size_t d) { return intervals[d][0].last - intervals[d][0].first + 1; };
  if (!fits(chunk_dims, chunks)) return nullptr;
  return std::make_shared<const Excerpt>(extent, chunk_dims, std::move(intervals));
}

/// Points in the order of their chunks, divided into groups whose excerpts are small enough.
class PointGroups {
 public:
  PointGroups(Numbers coordinates, const Numbers& extent, const Numbers& chunk_dims, const Selection& memory)
      : coordinates_(std::move(coordinates)),
        extent_(extent),
        chunk_dims_(chunk_dims),
        memory_(memory),
        offsets_(to_offsets(memory)),
        order_(offsets_.size()),
        chunks_(chunk_dims.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // Points of equal chunks keep their order: of several values for one element, the last one counts.
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return precedes(a, b); });
  }

  std::vector<ExcerptPart> divide() {
    for (const std::size_t point : order_) {
      if (!add(point)) {
        finish();
        add(point);
      }
      group_.push_back(point);
    }
    finish();
    return std::move(parts_);
  }

 private:
  std::uint64_t chunk_of(std::size_t point, std::size_t d) const {
    return coordinates_[point * chunk_dims_.size() + d] / chunk_dims_[d];
  }
  bool precedes(std::size_t a, std::size_t b) const {
    for (std::size_t d = 0; d < chunk_dims_.size(); ++d) {
      const std::uint64_t x = chunk_of(a, d), y = chunk_of(b, d);
      if (x != y) return x < y;
    }
    return false;
  }
  /// Adds the chunk of a point to those of the group; returns false, without an effect, if that is too much.
  bool add(std::size_t point) {
    std::vector<std::set<std::uint64_t>::iterator> added;
    std::vector<std::size_t> where;
    for (std::size_t d = 0; d < chunks_.size(); ++d) {
      const auto [at, is_new] = chunks_[d].insert(chunk_of(point, d));
      if (!is_new) continue;
      added.push_back(at);
      where.push_back(d);
    }
    if (added.empty() || group_.empty() ||
        fits(chunk_dims_, [&](std::size_t d) { return chunks_[d].size(); }))
      return true;
    for (std::size_t i = 0; i < added.size(); ++i) chunks_[where[i]].erase(added[i]);
    return false;
  }
  void finish() {
    if (group_.empty()) return;
    std::vector<std::vector<Interval>> intervals;
    for (auto& chunks : chunks_) {
      intervals.push_back(intervals_of(chunks));
      chunks.clear();
    }
    auto excerpt = std::make_shared<const Excerpt>(extent_, chunk_dims_, std::move(intervals));
    Numbers file, memory;
    const std::size_t rank = extent_.size();
    for (const std::size_t point : group_) {
      const auto from = coordinates_.begin() + static_cast<std::ptrdiff_t>(point * rank);
      file.insert(file.end(), from, from + static_cast<std::ptrdiff_t>(rank));
      memory.push_back(offsets_[point]);
    }
    Selection in_file = points_in(*excerpt, file);
    parts_.push_back(
        {std::move(excerpt), std::move(in_file), Selection::of_points(memory_.frame(), std::move(memory))});
    group_.clear();
  }

  Numbers coordinates_;
  const Numbers& extent_;
  const Numbers& chunk_dims_;
  const Selection& memory_;
  Numbers offsets_;  ///< of the elements in memory
  std::vector<std::size_t> order_;
  std::vector<std::set<std::uint64_t>> chunks_;  ///< of the group, in every dimension
  std::vector<std::size_t> group_;
  std::vector<ExcerptPart> parts_;
};

}  // namespace

Excerpt::Excerpt(std::vector<std::uint64_t> extent, std::vector<std::uint64_t> chunk_dims,
                 std::vector<std::vector<Interval>> intervals)
    : extent_(std::move(extent)), chunk_dims_(std::move(chunk_dims)), dims_(extent_.size()) {
  Numbers elements(extent_.size());
  for (std::size_t d = 0; d < extent_.size(); ++d) {
    std::uint64_t chunks = 0;
    for (const Interval& interval : intervals[d]) {
      dims_[d].push_back({interval, chunks});
      chunks += interval.last - interval.first + 1;
    }
    // Only the last chunk of a dimension may extend beyond the extent.
    const std::uint64_t last = dims_[d].back().last;
    const std::uint64_t inside = std::min(chunk_dims_[d], extent_[d] - last * chunk_dims_[d]);
    elements[d] = checked_multiply(chunks - 1, chunk_dims_[d], "the elements of an excerpt") + inside;
  }
  frame_ = Frame(std::move(elements));
}

const Excerpt::Part& Excerpt::part_of(std::size_t d, std::uint64_t chunk) const {
  return *std::ranges::lower_bound(dims_[d], chunk, {}, &Part::last);
}

std::size_t Excerpt::part_at(std::size_t d, std::uint64_t chunk) const {
  const auto after = std::ranges::upper_bound(dims_[d], chunk, {}, &Part::start);
  return static_cast<std::size_t>(after - dims_[d].begin()) - 1;
}

void Excerpt::chunk_in_extent(std::span<const std::uint64_t> chunk, std::uint64_t* into) const {
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    const Part& part = dims_[d][part_at(d, chunk[d])];
    into[d] = part.first + (chunk[d] - part.start);
  }
}

bool Excerpt::chunk_in_excerpt(std::span<const std::uint64_t> chunk, std::uint64_t* into) const {
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    if (chunk[d] > last_chunk(d)) return false;
    const Part& part = part_of(d, chunk[d]);
    if (chunk[d] < part.first) return false;
    into[d] = part.start + (chunk[d] - part.first);
  }
  return true;
}

std::uint64_t Excerpt::in_excerpt(std::size_t d, std::uint64_t at) const {
  const Part& part = part_of(d, at / chunk_dims_[d]);
  return at - (part.first - part.start) * chunk_dims_[d];
}

/// Appends the parts of a box of the excerpt as boxes of the extent. It may continue where the extent has a
/// gap, and is divided there; dimensions before `d` have been translated.
void Excerpt::divide_box(std::span<std::uint64_t> box, std::size_t d,
                         std::vector<std::uint64_t>& into) const {
  const std::size_t rank = dims_.size();
  if (d == rank) {
    into.insert(into.end(), box.begin(), box.end());
    return;
  }
  const std::uint64_t dim = chunk_dims_[d], low = box[d], high = box[rank + d];
  for (std::size_t i = part_at(d, low / dim); i < dims_[d].size(); ++i) {
    const Part& part = dims_[d][i];
    const std::uint64_t start = part.start * dim, end = start + (part.last - part.first + 1) * dim;
    if (start > high) break;
    const std::uint64_t shift = part.first * dim - start;
    box[d] = std::max(low, start) + shift;
    box[rank + d] = std::min(high, end - 1) + shift;
    divide_box(box, d + 1, into);
  }
  box[d] = low;
  box[rank + d] = high;
}

HugeSelection Excerpt::in_extent(const Selection& selection) const {
  const std::size_t rank = dims_.size();
  if (selection.elements() == 0) return HugeSelection::none(rank);
  if (!selection.is_set()) {
    Numbers coordinates = to_coordinates(selection);
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::size_t d = i % rank;
      const Part& part = dims_[d][part_at(d, coordinates[i] / chunk_dims_[d])];
      coordinates[i] += (part.first - part.start) * chunk_dims_[d];
    }
    return HugeSelection::points(rank, std::move(coordinates));
  }
  Numbers corners = block_list(selection, 0, block_count(selection)), boxes;
  for (std::size_t i = 0; i < corners.size(); i += 2 * rank)
    divide_box(std::span(corners).subspan(i, 2 * rank), 0, boxes);
  return HugeSelection::boxes(rank, boxes);
}

Selection cropped(const HugeSelection& selection) {
  const auto box = selection.bounds();
  if (!box) return Selection::none(Frame(Numbers(selection.rank(), 0)));
  Numbers extent = box->high;
  for (std::uint64_t& n : extent) ++n;
  if (const auto excerpt = excerpt_around(*box, extent, Numbers(extent.size(), 1)))
    return selection_in(*excerpt, selection);
  throw Error(ErrorKind::limit, fmt::format("the selection lies in a box of more than {} elements, which is "
                                            "the limit",
                                            most_elements));
}

std::vector<ExcerptPart> divide(const HugeSelection& file, const std::vector<std::uint64_t>& extent,
                                const std::vector<std::uint64_t>& chunk_dims, const Selection& memory) {
  if (file.elements() != memory.elements())
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} elements are selected in the dataset, {} in memory", file.elements(),
                            memory.elements()));
  if (file.rank() != extent.size() || !file.is_within(extent))
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the selection exceeds the extent, which is ({})", fmt::join(extent, ", ")));
  const auto box = file.bounds();
  if (!box) return {};
  if (auto excerpt = excerpt_around(*box, extent, chunk_dims)) {
    Selection selection = selection_in(*excerpt, file);
    return {{std::move(excerpt), std::move(selection), memory}};
  }
  return PointGroups(file.coordinates(), extent, chunk_dims, memory).divide();
}

}  // namespace filigree::space
