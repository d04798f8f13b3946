// SPDX-License-Identifier: Apache-2.0
#include "space/slab.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::space {
namespace {

void check_dimension(const SlabDimension& d, std::uint64_t extent, std::size_t number) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::invalid_argument, fmt::format("selection in dimension {}: {}", number, why));
  };
  if (d.stride == 0) refuse("a stride of zero");
  if (d.count == 0 || d.block == 0) return;
  if (d.count > 1 && d.stride < d.block)
    refuse(fmt::format("blocks of {} elements overlap at a stride of {}", d.block, d.stride));
  const auto span = try_multiply(d.count - 1, d.stride);
  const auto start = span ? try_add(*span, d.start) : span;
  const auto end = start ? try_add(*start, d.block) : start;
  if (!end) refuse("its end does not fit in 64 bits");
  if (*end > extent) refuse(fmt::format("it ends at {}, the extent has {} elements", *end, extent));
}

}  // namespace

Slab::Slab(std::vector<std::uint64_t> extent) : extent_(std::move(extent)) {
  for (const std::uint64_t n : extent_) dims_.push_back({0, 1, n == 0 ? 0u : 1u, n == 0 ? 1 : n});
  make_axes();
}

Slab::Slab(std::vector<std::uint64_t> extent, std::vector<SlabDimension> dims)
    : extent_(std::move(extent)), dims_(std::move(dims)) {
  if (dims_.size() != extent_.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the selection has {} dimensions, the extent {}", dims_.size(), extent_.size()));
  }
  for (std::size_t i = 0; i < dims_.size(); ++i) check_dimension(dims_[i], extent_[i], i);
  make_axes();
}

void Slab::make_axes() {
  // Axes are collected from the innermost on. Adjacent axes that form one regular sequence become one axis.
  std::vector<Axis> inside_out;
  const auto add = [&](std::uint64_t count, std::uint64_t step) {
    elements_ = checked_multiply(elements_, count, "the number of selected elements");
    if (count == 1) return;
    if (!inside_out.empty() && inside_out.back().count * inside_out.back().step == step) {
      inside_out.back().count *= count;
    } else {
      inside_out.push_back({count, step});
    }
  };
  elements_ = 1;
  std::uint64_t below = 1;  // elements of the extent in one step of the dimension
  for (std::size_t i = dims_.size(); i-- > 0 && elements_ != 0;) {
    add(dims_[i].block, below);
    add(dims_[i].count, dims_[i].stride * below);
    if (elements_ == 0) break;
    first_ += dims_[i].start * below;
    below = checked_multiply(below, extent_[i], "the number of elements in the extent");
  }
  if (elements_ == 0) return;
  run_elements_ = 1;
  if (!inside_out.empty() && inside_out.front().step == 1) {
    run_elements_ = inside_out.front().count;
    inside_out.erase(inside_out.begin());
  }
  if (inside_out.empty()) inside_out.push_back({1, run_elements_});
  axes_.assign(inside_out.rbegin(), inside_out.rend());
}

bool Slab::contains(std::span<const std::uint64_t> coordinates) const {
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    const SlabDimension& d = dims_[i];
    if (d.block == 0 || coordinates[i] < d.start) return false;
    const std::uint64_t along = coordinates[i] - d.start;
    // A single block may be longer than the stride.
    const bool inside =
        d.count == 1 ? along < d.block : along / d.stride < d.count && along % d.stride < d.block;
    if (!inside) return false;
  }
  return true;
}

SlabCursor::SlabCursor(const Slab& slab)
    : slab_(&slab),
      remaining_(slab.elements_),
      index_(slab.axes_.empty() ? 0 : slab.axes_.size() - 1),
      row_start_(slab.first_) {}

RunPattern SlabCursor::pattern() const {
  const Slab::Axis& axis = slab_->axes_.back();
  const std::uint64_t start = row_start_ + run_ * axis.step + inside_;
  if (inside_ != 0) return {start, slab_->run_elements_ - inside_, axis.step, 1};
  return {start, slab_->run_elements_, axis.step, axis.count - run_};
}

void SlabCursor::advance(std::uint64_t elements) {
  remaining_ -= elements;
  inside_ += elements;
  if (inside_ < slab_->run_elements_) return;
  if (inside_ == slab_->run_elements_) {
    ++run_;
    inside_ = 0;
  } else {
    run_ += inside_ / slab_->run_elements_;
    inside_ %= slab_->run_elements_;
  }
  if (run_ == slab_->axes_.back().count && remaining_ != 0) next_row();
}

void SlabCursor::next_row() {
  run_ = 0;
  for (std::size_t i = index_.size(); i-- > 0;) {
    const Slab::Axis& axis = slab_->axes_[i];
    row_start_ += axis.step;
    if (++index_[i] < axis.count) return;
    row_start_ -= axis.step * axis.count;
    index_[i] = 0;
  }
}

}  // namespace filigree::space
