// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/stripe_grid.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

std::size_t first_dimension(const space::ChunkGrid& grid) {
  std::size_t d = 0;
  while (d + 1 < grid.chunk().rank() && grid.chunk().dims()[d] == 1) ++d;
  return d;
}

}  // namespace

StripeGrid::StripeGrid(const space::ChunkGrid& grid)
    : grid_(grid),
      dimension_(first_dimension(grid)),
      chunks_(std::max<std::uint64_t>(1, grid.chunks().step(dimension_))) {
  const space::Frame &extent = grid.extent(), &chunk = grid.chunk();
  const std::size_t last = chunk.rank() - 1;
  width_ = space::Divider(chunk.dims()[last]);
  if (dimension_ == last) {
    row_ = width_;  // a stripe is one chunk of one row
    return;
  }
  row_ = space::Divider(std::max<std::uint64_t>(1, extent.dims()[last]));
  chunks_per_row_ = std::max<std::uint64_t>(1, grid.chunks().dims()[last]);
  const auto rows = try_multiply(extent.step(dimension_) / row_.divisor(), chunk.dims()[dimension_]);
  row_parts_ = try_multiply(rows.value_or(~std::uint64_t{0}), chunks_per_row_).value_or(~std::uint64_t{0});
  for (std::size_t d = dimension_; d < last; ++d) {
    const std::uint64_t row_step = std::max<std::uint64_t>(1, extent.step(d) / row_.divisor());
    axes_.push_back({row_step, space::Divider(row_step), space::Divider(chunk.dims()[d]),
                     grid.chunks().step(d), chunk.step(d)});
  }
}

StripeGrid::Stripe StripeGrid::stripe(std::uint64_t number) const {
  const space::Frame& extent = grid_.extent();
  const std::uint64_t dim = extent.dims()[dimension_], step = extent.step(dimension_);
  const std::uint64_t along = std::max<std::uint64_t>(1, grid_.chunks().dims()[dimension_]);
  const std::uint64_t plane = number / along * dim * step;
  const std::uint64_t from = number % along * grid_.chunk().dims()[dimension_];
  const std::uint64_t until = std::min(grid_.chunk().dims()[dimension_], dim - from) + from;
  return {number * chunks_, plane + from * step, plane + until * step};
}

StripeGrid::Stripe StripeGrid::stripe_of_offset(std::uint64_t offset) const {
  const space::Frame& extent = grid_.extent();
  const std::uint64_t step = extent.step(dimension_), plane = extent.dims()[dimension_] * step;
  return stripe(offset / plane * grid_.chunks().dims()[dimension_] +
                offset % plane / step / grid_.chunk().dims()[dimension_]);
}

bool StripeGrid::covers_stripes(const space::Bounds& box) const {
  const std::vector<std::uint64_t>& dims = grid_.extent().dims();
  for (std::size_t d = dimension_; d < dims.size(); ++d) {
    const std::uint64_t step = d == dimension_ ? grid_.chunk().dims()[d] : dims[d];
    const std::uint64_t end = box.high[d] + 1;
    if (box.low[d] % step != 0 || (end % step != 0 && end != dims[d])) return false;
  }
  return true;
}

void StripeGrid::Finder::enter_row(std::uint64_t offset) {
  std::uint64_t row = stripes_.row_.quotient(offset);
  row_start_ = row * stripes_.row_elements();
  row_ = {};
  if (stripes_.axes_.size() == 1) {
    row_.offset = row * stripes_.axes_[0].offset_step;  // the rows of a stripe are those of its chunks
    return;
  }
  for (const Axis& axis : stripes_.axes_) {
    const std::uint64_t coordinate = axis.by_step.quotient(row);
    row -= coordinate * axis.row_step;
    const std::uint64_t chunk = axis.by_chunk.quotient(coordinate);
    row_.chunk += chunk * axis.chunk_step;
    row_.offset += (coordinate - chunk * axis.by_chunk.divisor()) * axis.offset_step;
  }
}

}  // namespace filigree::chunk
