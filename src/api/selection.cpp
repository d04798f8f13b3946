// SPDX-License-Identifier: Apache-2.0
#include <filigree/selection.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"

namespace filigree {
namespace {

void require_rank(std::size_t given, std::size_t wanted, const char* what) {
  if (given != wanted)
    throw Error(ErrorKind::invalid_argument, fmt::format("{} {} for {} dimensions", given, what, wanted));
}

}  // namespace

Selection Selection::box(std::vector<std::uint64_t> start, std::vector<std::uint64_t> count) {
  require_rank(count.size(), start.size(), "counts");
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < start.size(); ++i) ranges.push_back({start[i], 1, count[i], 1});
  return blocks(std::move(ranges));
}

Selection Selection::strided(std::vector<std::uint64_t> start, std::vector<std::uint64_t> stride,
                             std::vector<std::uint64_t> count) {
  require_rank(stride.size(), start.size(), "strides");
  require_rank(count.size(), start.size(), "counts");
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < start.size(); ++i) ranges.push_back({start[i], stride[i], count[i], 1});
  return blocks(std::move(ranges));
}

Selection Selection::blocks(std::vector<Range> ranges) {
  Selection selection;
  selection.ranges_ = std::move(ranges);
  return selection;
}

const std::vector<Selection::Range>& Selection::ranges() const {
  if (!ranges_) throw Error(ErrorKind::invalid_argument, "a selection of everything has no ranges");
  return *ranges_;
}

std::uint64_t Selection::elements(const std::vector<std::uint64_t>& extent) const {
  return api::to_space(*this, extent).elements();
}

space::Selection api::to_space(const Selection& selection, const std::vector<std::uint64_t>& extent) {
  if (selection.is_all()) return space::Selection::all(space::Frame(extent));
  std::vector<space::SlabDimension> dims;
  for (const Selection::Range& r : selection.ranges()) dims.push_back({r.start, r.stride, r.count, r.block});
  return space::Selection::regular(space::Frame(extent), std::move(dims));
}

}  // namespace filigree
