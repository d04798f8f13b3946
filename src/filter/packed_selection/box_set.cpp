// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/box_set.hpp"

#include <algorithm>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

[[noreturn]] void too_many() {
  throw Error(ErrorKind::corrupt, "packed selection has more blocks or points than it declares");
}

/// A range of boxes of a list.
struct Part {
  std::size_t begin = 0, end = 0;  ///< as indexes of words
  std::size_t size() const { return end - begin; }
};

/// Whether two ranges have equal boxes in all dimensions after `dim`.
bool same_behind(WordSpan boxes, Part a, Part b, std::size_t dim, std::size_t rank) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size(); at += rank) {
    const std::uint64_t* first = boxes.data() + a.begin + at;
    if (!std::equal(first + dim + 1, first + rank, boxes.data() + b.begin + at + dim + 1)) return false;
  }
  return true;
}

/// The boxes from `begin` on that have the same bounds in dimension `dim`.
Part slice_at(WordSpan boxes, std::size_t begin, std::size_t end, std::size_t dim, std::size_t rank) {
  Part part{begin, begin + 2 * rank};
  while (part.end < end && boxes[part.end + dim] == boxes[begin + dim] &&
         boxes[part.end + rank + dim] == boxes[begin + rank + dim]) {
    part.end += 2 * rank;
  }
  return part;
}

bool is_canonical(WordSpan boxes, Part all, std::size_t dim, std::size_t rank) {
  const bool last = dim + 1 == rank;
  Part before;
  for (std::size_t at = all.begin; at < all.end;) {
    const Part part = slice_at(boxes, at, all.end, dim, rank);
    if (last && part.size() != 2 * rank) return false;
    if (before.size() != 0) {
      const std::uint64_t low = boxes[part.begin + dim], high = boxes[before.begin + rank + dim];
      if (low <= high) return false;
      if (low == high + 1 && (last || same_behind(boxes, before, part, dim, rank))) return false;
    }
    if (!last && !is_canonical(boxes, part, dim + 1, rank)) return false;
    before = part;
    at = part.end;
  }
  return true;
}

void append(Words& edges, std::uint64_t begin, std::uint64_t end) {
  if (!edges.empty() && edges.back() == begin) {
    edges.back() = end;
  } else {
    edges.push_back(begin);
    edges.push_back(end);
  }
}

class Expander {
 public:
  Expander(WordSpan boxes, WordSpan dims, std::uint64_t most_runs)
      : boxes_(boxes), dims_(dims), strides_(strides_of(dims)), left_(most_runs) {
    edges_.reserve(std::min<std::uint64_t>(2 * most_runs, boxes.size() / dims.size()));
  }

  std::optional<Words> run() {
    if (!expand({0, boxes_.size()}, 0, 0)) return std::nullopt;
    return std::move(edges_);
  }

 private:
  bool expand(Part all, std::size_t dim, std::uint64_t base) {
    const std::size_t rank = dims_.size();
    for (std::size_t at = all.begin; at < all.end;) {
      const Part part = slice_at(boxes_, at, all.end, dim, rank);
      const std::uint64_t low = boxes_[at + dim], end = boxes_[at + rank + dim] + 1;
      if (dim + 1 == rank || is_full(part, dim)) {
        if (!add(base + low * strides_[dim], base + end * strides_[dim])) return false;
      } else {
        for (std::uint64_t i = low; i < end; ++i) {
          if (!expand(part, dim + 1, base + i * strides_[dim])) return false;
        }
      }
      at = part.end;
    }
    return true;
  }

  /// Whether the cross-section covers the dimensions after `dim` completely.
  bool is_full(Part part, std::size_t dim) const {
    const std::size_t rank = dims_.size();
    if (part.size() != 2 * rank) return false;
    for (std::size_t d = dim + 1; d < rank; ++d) {
      if (boxes_[part.begin + d] != 0 || boxes_[part.begin + rank + d] + 1 != dims_[d]) return false;
    }
    return true;
  }

  bool add(std::uint64_t begin, std::uint64_t end) {
    if (left_ == 0) return false;
    --left_;
    append(edges_, begin, end);
    return true;
  }

  WordSpan boxes_, dims_;
  Words strides_, edges_;
  std::uint64_t left_;
};

class BoxBuilder {
 public:
  BoxBuilder(WordSpan edges, WordSpan dims, std::uint64_t most_boxes)
      : edges_(edges), dims_(dims), strides_(strides_of(dims)), box_words_(2 * dims.size()) {
    // A cross-section is kept in every dimension until the next one is known to differ.
    most_words_ = most_boxes * box_words_ * (dims.size() + 1);
    boxes_.reserve(std::min<std::uint64_t>(most_boxes + 1, edges.size()) * box_words_);
    if (!edges.empty()) start_ = edges[0];
  }

  Words run() {
    build(0, 0);
    return std::move(boxes_);
  }

 private:
  /// Appends the boxes within the part of the extent that begins at `base` and has the dimensions from `dim`
  /// on. Their coordinates before `dim` are not set.
  void build(std::size_t dim, std::uint64_t base) {
    const std::uint64_t stride = strides_[dim], end = base + dims_[dim] * stride;
    const std::size_t rank = dims_.size();
    Part before;
    while (at_ < edges_.size() && start_ < end) {
      const Part part{boxes_.size(), 0};
      const std::uint64_t stop = std::min(edges_[at_ + 1], end);
      if (dim + 1 == rank) {
        push(dim, start_ - base, stop - base - 1);
        consume(stop);
        continue;
      }
      const std::uint64_t low = (start_ - base) / stride, here = base + low * stride;
      std::uint64_t high = low;
      if (here == start_ && stop - start_ >= stride) {
        high = low + (stop - start_) / stride - 1;
        push(dim, low, high);
        consume(base + (high + 1) * stride);
      } else {
        build(dim + 1, here);
      }
      before = join(before, {part.begin, boxes_.size()}, dim, low, high);
    }
  }

  /// Sets the range of `part`, or extends the range of the previous part if the two have equal
  /// cross-sections.
  Part join(Part before, Part part, std::size_t dim, std::uint64_t low, std::uint64_t high) {
    const std::size_t rank = dims_.size();
    if (before.size() != 0 && boxes_[before.begin + rank + dim] + 1 == low &&
        same_behind(boxes_, before, part, dim, rank)) {
      boxes_.resize(part.begin);
      part = before;
    } else {
      for (std::size_t at = part.begin; at < part.end; at += box_words_) boxes_[at + dim] = low;
    }
    for (std::size_t at = part.begin; at < part.end; at += box_words_) boxes_[at + rank + dim] = high;
    return part;
  }

  /// Appends a box that covers the dimensions after `dim` completely.
  void push(std::size_t dim, std::uint64_t low, std::uint64_t high) {
    if (boxes_.size() >= most_words_) too_many();
    const std::size_t rank = dims_.size(), at = boxes_.size();
    boxes_.resize(at + box_words_);
    boxes_[at + dim] = low;
    boxes_[at + rank + dim] = high;
    for (std::size_t d = dim + 1; d < rank; ++d) boxes_[at + rank + d] = dims_[d] - 1;
  }

  void consume(std::uint64_t upto) {
    start_ = upto;
    if (start_ != edges_[at_ + 1]) return;
    at_ += 2;
    if (at_ < edges_.size()) start_ = edges_[at_];
  }

  WordSpan edges_, dims_;
  Words strides_, boxes_;
  std::size_t box_words_;
  std::uint64_t most_words_;
  std::size_t at_ = 0;       ///< the run that is being divided
  std::uint64_t start_ = 0;  ///< the start of its remainder
};

}  // namespace

Words strides_of(WordSpan dims) {
  Words strides(dims.size(), 1);
  for (std::size_t d = dims.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * dims[d + 1];
  return strides;
}

bool are_canonical(WordSpan boxes, std::size_t rank) {
  return is_canonical(boxes, {0, boxes.size()}, 0, rank);
}

std::optional<Words> edges_of_boxes(WordSpan boxes, WordSpan dims, std::uint64_t most_runs) {
  return Expander(boxes, dims, most_runs).run();
}

std::optional<std::uint64_t> count_boxes_by_rows(WordSpan edges, WordSpan dims) {
  const std::uint64_t width = dims.back();
  for (std::size_t d = 0; d + 2 < dims.size(); ++d)
    if (dims[d] != 1) return std::nullopt;
  std::uint64_t boxes = 0, row_end = 0;
  WordSpan before;  // the previous row
  for (std::size_t at = 0; at < edges.size();) {
    row_end += width;
    if (edges[at] >= row_end) row_end = edges[at] - edges[at] % width + width;
    std::size_t end = at;
    for (; end < edges.size() && edges[end] < row_end; end += 2)
      if (edges[end + 1] > row_end) return std::nullopt;
    const WordSpan row = edges.subspan(at, end - at);
    // Equal rows become one box of the list.
    if (!std::ranges::equal(before, row, {}, [&](std::uint64_t edge) { return edge + width; }))
      boxes += row.size() / 2;
    before = row;
    at = end;
  }
  return boxes;
}

Words boxes_of_edges(WordSpan edges, WordSpan dims, std::uint64_t most_boxes) {
  return BoxBuilder(edges, dims, most_boxes).run();
}

std::optional<Words> edges_of_points(WordSpan points, WordSpan dims) {
  Words edges;
  const std::size_t rank = dims.size();
  for (std::size_t at = 0; at < points.size(); at += rank) {
    std::uint64_t position = 0;
    for (std::size_t d = 0; d < rank; ++d) position = position * dims[d] + points[at + d];
    if (!edges.empty() && position < edges.back()) return std::nullopt;
    append(edges, position, position + 1);
  }
  return edges;
}

Words points_of_edges(WordSpan edges, WordSpan dims, std::uint64_t most_points) {
  const std::size_t rank = dims.size();
  const Words strides = strides_of(dims);
  Words points;
  std::uint64_t left = most_points;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const std::uint64_t length = edges[i + 1] - edges[i];
    if (length > left) too_many();
    left -= length;
    for (std::uint64_t position = edges[i]; position < edges[i + 1]; ++position) {
      std::uint64_t rest = position;
      for (std::size_t d = 0; d + 1 < rank; ++d) {
        points.push_back(rest / strides[d]);
        rest -= points.back() * strides[d];
      }
      points.push_back(rest);
    }
  }
  return points;
}

std::optional<BoxGrid> grid_of_boxes(WordSpan boxes, std::size_t rank) {
  const std::uint64_t total = boxes.size() / (2 * rank);
  if (total < 2) return std::nullopt;
  BoxGrid grid{Words(rank), Words(rank, 1), Words(rank, 1), Words(rank)};
  for (std::size_t d = 0; d < rank; ++d) {
    grid.start[d] = boxes[d];
    grid.block[d] = boxes[rank + d] - boxes[d] + 1;
  }
  std::uint64_t unit = 1;
  for (std::size_t d = rank; d-- > 0;) {
    const auto low = [&](std::uint64_t i) { return boxes[2 * rank * unit * i + d]; };
    if (unit == total || low(1) <= low(0)) continue;
    grid.stride[d] = low(1) - low(0);
    std::uint64_t count = 2;
    while (count * unit < total && low(count) == low(0) + count * grid.stride[d]) ++count;
    grid.count[d] = count;
    unit *= count;
    if (unit > total) return std::nullopt;
  }
  if (unit != total || !std::ranges::equal(boxes_of_grid(grid, total), boxes)) return std::nullopt;
  return grid;
}

Words boxes_of_grid(const BoxGrid& grid, std::uint64_t boxes) {
  const std::size_t rank = grid.start.size();
  Words words(boxes * 2 * rank), index(rank);
  for (std::size_t at = 0; at < words.size(); at += 2 * rank) {
    for (std::size_t d = 0; d < rank; ++d) {
      words[at + d] = grid.start[d] + index[d] * grid.stride[d];
      words[at + rank + d] = words[at + d] + grid.block[d] - 1;
    }
    for (std::size_t d = rank; d-- > 0;) {
      if (++index[d] < grid.count[d]) break;
      index[d] = 0;
    }
  }
  return words;
}

}  // namespace filigree::filter
