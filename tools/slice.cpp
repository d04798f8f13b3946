// SPDX-License-Identifier: Apache-2.0
#include "slice.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace filigree::tools {

namespace {

/// Reads a slice from left to right.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<SliceItem> parse() {
    std::vector<SliceItem> items;
    skip_spaces();
    if (at_ == text_.size()) fail("a slice needs at least one item, such as ':'");
    while (true) {
      items.push_back(item());
      if (at_ == text_.size()) break;
      ++at_;  // the comma
      skip_spaces();
      if (at_ == text_.size()) break;  // as in numpy, a comma may follow the last item
    }
    check_ellipses(items);
    return items;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw SliceError(message, at_); }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    skip_spaces();
    return true;
  }

  bool at_end_of_item() const { return at_ == text_.size() || text_[at_] == ','; }

  std::optional<std::int64_t> number() {
    const char* const first = text_.data() + at_;
    const char* const last = text_.data() + text_.size();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error == std::errc::invalid_argument) return std::nullopt;
    if (error != std::errc()) fail("this number is too large");
    at_ += static_cast<std::size_t>(end - first);
    skip_spaces();
    return value;
  }

  SliceItem item() {
    SliceItem found;
    found.position = at_;
    if (take("...")) {
      found.kind = SliceItem::Kind::ellipsis;
      if (!at_end_of_item()) fail("expected ',' or ']' after '...'");
      return found;
    }
    found.start = number();
    if (at_end_of_item()) {
      if (!found.start) fail("expected a number, a range such as 2:5, or '...'");
      found.kind = SliceItem::Kind::coordinate;
      return found;
    }
    if (!take(":")) fail(found.start ? "expected ':', ',' or ']'" : "expected a number, ':' or '...'");
    range(found);
    return found;
  }

  void range(SliceItem& found) {
    found.stop = number();
    if (take(":")) {
      const std::size_t step_at = at_;
      found.step = number();
      if (found.step && *found.step <= 0) {
        at_ = step_at;
        fail("a step must be 1 or more");
      }
    }
    if (!at_end_of_item()) fail("expected a number, ',' or ']'");
  }

  void check_ellipses(const std::vector<SliceItem>& items) {
    bool seen = false;
    for (const SliceItem& one : items) {
      if (one.kind != SliceItem::Kind::ellipsis) continue;
      if (seen) throw SliceError("a slice has at most one '...'", one.position);
      seen = true;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A bound of a range within the dimension, as numpy clips it.
std::uint64_t clipped(std::int64_t bound, std::uint64_t size) {
  if (bound >= 0) return std::min(static_cast<std::uint64_t>(bound), size);
  const std::uint64_t from_end = std::uint64_t{0} - static_cast<std::uint64_t>(bound);
  return from_end > size ? 0 : size - from_end;
}

SliceRange resolve(const SliceItem& item, std::uint64_t size) {
  if (item.kind == SliceItem::Kind::coordinate) {
    const std::int64_t at = *item.start;
    const bool inside = at >= 0 ? static_cast<std::uint64_t>(at) < size
                                : std::uint64_t{0} - static_cast<std::uint64_t>(at) <= size;
    if (!inside)
      throw SliceError(fmt::format("{} is outside of this dimension, which has {} elements", at, size),
                       item.position);
    return {clipped(at, size), 1, 1, true};
  }
  const std::uint64_t start = item.start ? clipped(*item.start, size) : 0;
  const std::uint64_t stop = item.stop ? clipped(*item.stop, size) : size;
  const auto step = static_cast<std::uint64_t>(item.step.value_or(1));
  const std::uint64_t length = stop > start ? stop - start : 0;
  return {start, step, length / step + (length % step != 0 ? 1 : 0), false};
}

}  // namespace

std::vector<SliceItem> parse_slice(std::string_view text) { return Parser(text).parse(); }

std::vector<SliceRange> resolve_slice(const std::vector<SliceItem>& items,
                                      const std::vector<std::uint64_t>& extent) {
  std::vector<SliceItem> given(items);
  const auto ellipsis = std::ranges::find(given, SliceItem::Kind::ellipsis, &SliceItem::kind);
  const std::size_t named = given.size() - (ellipsis != given.end() ? 1 : 0);
  if (named > extent.size()) {
    std::vector<SliceItem> without(given);
    std::erase_if(without, [](const SliceItem& i) { return i.kind == SliceItem::Kind::ellipsis; });
    throw SliceError(fmt::format("the dataset has {} dimension{}, this is one more", extent.size(),
                                 extent.size() == 1 ? "" : "s"),
                     without[extent.size()].position);
  }
  const std::size_t missing = extent.size() - named;
  if (ellipsis != given.end()) {
    const auto at = given.erase(ellipsis);
    given.insert(at, missing, SliceItem{});
  } else {
    given.resize(extent.size());
  }
  std::vector<SliceRange> ranges;
  for (std::size_t d = 0; d < extent.size(); ++d) ranges.push_back(resolve(given[d], extent[d]));
  return ranges;
}

Selection to_selection(const std::vector<SliceRange>& ranges) {
  if (ranges.empty()) return Selection::all();
  Selection::Dims start, step, count;
  for (const SliceRange& range : ranges) {
    if (range.count == 0) return Selection::none();
    start.push_back(range.start);
    step.push_back(range.count == 1 ? 1 : range.step);
    count.push_back(range.count);
  }
  return Selection::strided(start, step, count);
}

std::string slice_text(const std::vector<SliceRange>& ranges) {
  std::string text;
  for (const SliceRange& range : ranges) {
    if (!text.empty()) text += ", ";
    if (range.dropped) {
      text += fmt::format("{}", range.start);
      continue;
    }
    const std::uint64_t stop = range.count == 0 ? range.start : range.at(range.count - 1) + 1;
    text += fmt::format("{}:{}", range.start, stop);
    if (range.step != 1) text += fmt::format(":{}", range.step);
  }
  return text;
}

}  // namespace filigree::tools
