// SPDX-License-Identifier: Apache-2.0
#include "capi/H5S/shared_space.hpp"

#include <algorithm>

namespace filigree::capi {
namespace {

/// Returns whether additions within `frame` leave it as it is: it contains the extent.
bool contains_extent(const space::Frame& frame, const SpaceValue& value) {
  return value.has_extent && std::ranges::equal(value.extent.dims(), frame.dims(), std::less_equal());
}

}  // namespace

bool SharedSpace::collect(space::SetOperator op, std::span<const space::SlabDimension> slab) {
  const MutexLock lock(mutex_);
  if (!slabs_) {
    settle();
    const auto value = value_.get();
    if (value->unlimited || !value->selection || value->selection->kind() != space::Selection::Kind::runs ||
        !contains_extent(value->selection->frame(), *value))
      return false;
    slabs_.emplace(*value->selection);
  }
  const bool collected = slabs_->collect(op, slab);
  if (!collected && !collects_.load(std::memory_order_relaxed)) slabs_.reset();
  if (collected) collects_.store(true, std::memory_order_release);
  return collected;
}

bool SharedSpace::collect_points(std::span<const std::uint64_t> coordinates) {
  const MutexLock lock(mutex_);
  if (slabs_ || points_.empty()) {
    settle();
    const auto value = value_.get();
    if (value->unlimited || !value->selection || value->selection->is_set() ||
        !contains_extent(value->selection->frame(), *value))
      return false;
    points_frame_ = value->selection->frame();
    points_.assign(value->selection->points().begin(), value->selection->points().end());
  }
  const std::size_t rank = points_frame_.rank();
  for (std::size_t i = 0; i < coordinates.size(); i += rank) {
    if (!points_frame_.contains(coordinates.subspan(i, rank))) {
      if (!collects_.load(std::memory_order_relaxed)) points_.clear();
      return false;
    }
  }
  for (std::size_t i = 0; i < coordinates.size(); i += rank)
    points_.push_back(points_frame_.offset(coordinates.subspan(i, rank)));
  collects_.store(true, std::memory_order_release);
  return true;
}

void SharedSpace::settle() const {
  if (!collects_.load(std::memory_order_relaxed)) return;
  std::optional<space::Selection> selection;
  if (slabs_) {
    selection = slabs_->selection();
    slabs_.reset();
  } else {
    selection = space::Selection::of_points(points_frame_, std::exchange(points_, {}));
  }
  value_.change([&](SpaceValue& value) { value.selection = std::move(selection); });
  collects_.store(false, std::memory_order_release);
}

}  // namespace filigree::capi
