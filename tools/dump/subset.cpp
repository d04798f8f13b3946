// SPDX-License-Identifier: Apache-2.0
#include "subset.hpp"

#include <charconv>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "../text.hpp"

namespace filigree::tools {

namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

bool is_separator(char c) { return c == ',' || c == ' '; }

/// Returns a number of the list, or the default for a dimension that the list does not reach.
std::uint64_t item(const std::vector<std::uint64_t>& list, std::size_t d, std::uint64_t fallback) {
  return d < list.size() ? list[d] : fallback;
}

void check_length(const std::vector<std::uint64_t>& list, const char* name, std::size_t rank) {
  if (list.size() > rank)
    refuse(fmt::format("the subset's {} has {} numbers, but the dataset has {} dimensions", name, list.size(),
                       rank));
}

void check_range(const Selection::Range& range) {
  if (range.stride == 0) refuse("a stride of a subset is 0");
  if (range.block == 0) refuse("a block of a subset is 0");
  if (range.count > 1 && range.block > range.stride) refuse("the blocks of a subset overlap");
}

}  // namespace

std::vector<std::uint64_t> parse_numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (is_separator(text[at])) {
      ++at;
      continue;
    }
    std::uint64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (fault != std::errc{}) refuse(fmt::format("'{}' is not a list of numbers", printable(text)));
    numbers.push_back(number);
    at = static_cast<std::size_t>(end - text.data());
    if (at < text.size() && !is_separator(text[at]))
      refuse(fmt::format("'{}' is not a list of numbers", printable(text)));
  }
  return numbers;
}

SubsetText take_compact_subset(std::string& path) {
  SubsetText subset;
  const std::size_t open = path.rfind('[');
  if (open == std::string::npos || open == 0 || !path.ends_with(']')) return subset;
  std::string_view lists = std::string_view(path).substr(open + 1, path.size() - open - 2);
  std::vector<std::uint64_t>* const parts[] = {&subset.start, &subset.stride, &subset.count, &subset.block};
  for (auto* part : parts) {
    const std::size_t end = std::min(lists.find(';'), lists.size());
    *part = parse_numbers(lists.substr(0, end));
    lists.remove_prefix(std::min(end + 1, lists.size()));
  }
  path.resize(open);
  return subset;
}

std::vector<Selection::Range> to_ranges(const SubsetText& subset, const std::vector<std::uint64_t>& dims) {
  check_length(subset.start, "start", dims.size());
  check_length(subset.stride, "stride", dims.size());
  check_length(subset.count, "count", dims.size());
  check_length(subset.block, "block", dims.size());
  std::vector<Selection::Range> ranges(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) {
    ranges[d] = {item(subset.start, d, 0), item(subset.stride, d, 1), item(subset.count, d, 1),
                 item(subset.block, d, 1)};
    check_range(ranges[d]);
  }
  return ranges;
}

std::vector<Selection::Range> to_ranges(const std::vector<SliceRange>& slice) {
  std::vector<Selection::Range> ranges;
  for (const SliceRange& range : slice) ranges.push_back({range.start, range.step, range.count, 1});
  return ranges;
}

std::vector<Selection::Range> all_of(const std::vector<std::uint64_t>& dims) {
  std::vector<Selection::Range> ranges;
  for (const std::uint64_t dim : dims) ranges.push_back({0, 1, dim, 1});
  return ranges;
}

}  // namespace filigree::tools
