// SPDX-License-Identifier: Apache-2.0
#include "value_parts.hpp"

#include <algorithm>
#include <limits>

namespace filigree::tools {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > largest / b ? largest : a * b;
}

}  // namespace

std::uint64_t Lattice::coordinate(std::size_t d, std::uint64_t i) const {
  const Selection::Range& range = ranges_[d];
  return range.start + i / range.block * range.stride + i % range.block;
}

std::uint64_t Lattice::elements() const {
  std::uint64_t all = 1;
  for (const Selection::Range& range : ranges_) all = product(all, product(range.count, range.block));
  return all;
}

void Lattice::split(std::size_t d, std::vector<Selection::Range>& part, std::uint64_t most,
                    const std::function<void(const Selection&)>& visit) const {
  std::uint64_t inner = 1;
  for (std::size_t i = d + 1; i < rank(); ++i) inner = product(inner, length(i));
  if (product(length(d), inner) <= most) {
    std::copy(ranges_.begin() + static_cast<std::ptrdiff_t>(d), ranges_.end(),
              part.begin() + static_cast<std::ptrdiff_t>(d));
    return visit(Selection::blocks(part));
  }
  if (inner > most) {
    for (std::uint64_t i = 0; i < length(d); ++i) {
      part[d] = {coordinate(d, i), 1, 1, 1};
      split(d + 1, part, most, visit);
    }
    return;
  }
  std::copy(ranges_.begin() + static_cast<std::ptrdiff_t>(d), ranges_.end(),
            part.begin() + static_cast<std::ptrdiff_t>(d));
  // Of blocks with several elements, one coordinate at a time: a part of a block is no range.
  const std::uint64_t step = ranges_[d].block == 1 ? std::max<std::uint64_t>(1, most / inner) : 1;
  for (std::uint64_t i = 0; i < length(d); i += step) {
    part[d] = {coordinate(d, i), ranges_[d].stride, std::min(step, length(d) - i), 1};
    visit(Selection::blocks(part));
  }
}

void Lattice::for_each_part(std::uint64_t most, const std::function<void(const Selection&)>& visit) const {
  if (elements() == 0) return;
  if (rank() == 0) return visit(Selection::all());
  std::vector<Selection::Range> part(rank());
  split(0, part, most, visit);
}

LatticeWalk::LatticeWalk(const Lattice& lattice)
    : lattice_(lattice), index_(lattice.rank(), 0), labels_(lattice.rank()) {
  for (std::size_t d = 0; d < lattice.rank(); ++d) labels_[d] = lattice.ranges()[d].start;
}

void LatticeWalk::next() {
  for (std::size_t d = lattice_.rank(); d-- > 0;) {
    if (++index_[d] < lattice_.length(d)) {
      labels_[d] = lattice_.label(d, index_[d]);
      return;
    }
    index_[d] = 0;
    labels_[d] = lattice_.label(d, 0);
  }
}

}  // namespace filigree::tools
