// SPDX-License-Identifier: Apache-2.0
#include "space/frame.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::space {

Frame::Frame(std::vector<std::uint64_t> dims) : dims_(std::move(dims)), steps_(dims_.size()) {
  if (dims_.size() > max_rank)
    throw Error(ErrorKind::limit,
                fmt::format("{} dimensions; at most {} are possible", dims_.size(), max_rank));
  for (std::size_t d = dims_.size(); d-- > 0;) {
    // A dimension of zero makes the frame empty, but steps of zero would be divisors.
    steps_[d] = std::max<std::uint64_t>(1, elements_);
    elements_ = checked_multiply(elements_, dims_[d], "the number of elements in the extent");
  }
}

bool Frame::contains(std::span<const std::uint64_t> coordinates) const {
  return std::equal(coordinates.begin(), coordinates.end(), dims_.begin(), dims_.end(),
                    [](std::uint64_t at, std::uint64_t end) { return at < end; });
}

bool Frame::has_same_offsets(const Frame& other) const { return steps_ == other.steps_; }

Frame Frame::joined(const Frame& other) const {
  std::vector<std::uint64_t> dims(dims_);
  for (std::size_t d = 0; d < dims.size(); ++d) dims[d] = std::max(dims[d], other.dims_[d]);
  return Frame(std::move(dims));
}

}  // namespace filigree::space
