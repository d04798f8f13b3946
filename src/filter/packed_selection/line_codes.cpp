// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/line_codes.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/limits.hpp"
#include "filter/packed_values/packed_values.hpp"

namespace filigree::filter {
namespace {

constexpr NumberKind count_kind{4};

/// What the gaps of a line separate: its elements, or its holes if these are fewer.
struct LineCode {
  bool holes = false;
  std::uint64_t items = 0;
  unsigned parameter = 0;  ///< of the Rice code that suits evenly spread items

  LineCode(std::uint64_t count, std::uint64_t length)
      : holes(2 * count > length), items(holes ? length - count : count) {
    if (items != 0) {
      // 77 / 320 is half of the natural logarithm of the golden ratio, from which the best parameter follows.
      parameter = static_cast<unsigned>(std::bit_width((2 * length - items) * 77 / (320 * items)));
    }
  }
  RiceCode rice() const { return {static_cast<std::uint8_t>(parameter)}; }
};

template <class Visit>
void for_each_offset(WordSpan edges, Visit visit) {
  for (std::size_t i = 0; i < edges.size(); i += 2)
    for (std::uint64_t at = edges[i]; at < edges[i + 1]; ++at) visit(at);
}

/// The counts of all rows and of all columns.
struct BothCounts {
  std::vector<std::uint32_t> rows, columns;
};

BothCounts count_both(const auto& for_each, std::uint64_t end, std::uint64_t row) {
  BothCounts counts{std::vector<std::uint32_t>(static_cast<std::size_t>(end / row)),
                    std::vector<std::uint32_t>(static_cast<std::size_t>(row))};
  std::size_t at_row = 0;
  std::uint64_t begin = 0;
  for_each([&](std::uint64_t at) {
    if (at - begin >= row) {
      at_row = static_cast<std::size_t>(at / row);
      begin = at_row * row;
    }
    ++counts.rows[at_row];
    ++counts.columns[static_cast<std::size_t>(at - begin)];
  });
  return counts;
}

/// About the bits of the gaps of all lines, and of the counts.
std::uint64_t estimate(const std::vector<std::uint32_t>& counts, std::uint64_t length) {
  std::uint64_t bits = 0;
  for (const std::uint32_t count : counts) {
    const LineCode code(count, length);
    // Gaps after the last item are not written, and the low bits of gaps are not part of quotients.
    const std::uint64_t spread = (length - code.items) * code.items / (code.items + 1);
    const std::uint64_t low = code.items * (((std::uint64_t{1} << code.parameter) - 1) * 7 / 16);
    bits += code.items * (1 + code.parameter) + ((spread - std::min(spread, low)) >> code.parameter);
    bits += static_cast<unsigned>(std::bit_width(count)) + 1u;
  }
  return bits;
}

/// Calls `gap(number, code)` for everything that is written after the counts.
template <class Gap>
void for_each_gap(const LinePlan& plan, Gap gap) {
  const std::uint32_t* position = plan.positions.data();
  const std::uint64_t length = plan.shape.length();
  for (const std::uint32_t count : plan.counts) {
    const LineCode code(count, length);
    std::uint64_t next = 0, hole = 0;
    for (std::uint32_t i = 0; i < count; ++i, next = std::uint64_t{*position++} + 1) {
      if (!code.holes) {
        gap(*position - next, code.rice());
        continue;
      }
      for (; next < *position; hole = ++next) gap(next - hole, code.rice());
    }
    for (; code.holes && next < length; hole = ++next) gap(next - hole, code.rice());
  }
}

/// The positions of the elements in their lines, ordered by lines.
std::vector<std::uint32_t> sort_by_lines(WordSpan edges, const LinePlan& plan) {
  const std::uint64_t columns = plan.shape.columns;
  std::vector<std::uint32_t> starts(plan.counts.size());
  std::uint32_t elements = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i] = elements;
    elements += plan.counts[i];
  }
  std::vector<std::uint32_t> positions(elements);
  std::uint64_t row = 0, begin = 0;
  for_each_offset(edges, [&](std::uint64_t at) {
    if (at - begin >= columns) {
      row = at / columns;
      begin = row * columns;
    }
    const std::uint64_t column = at - begin;
    const std::uint64_t line = plan.shape.along_columns ? column : row;
    positions[starts[static_cast<std::size_t>(line)]++] =
        static_cast<std::uint32_t>(plan.shape.along_columns ? row : column);
  });
  return positions;
}

Buffer pack_counts(const std::vector<std::uint32_t>& counts) {
  Buffer bytes(4 * counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) store_word(bytes.data() + 4 * i, counts[i], 4);
  return pack_values(bytes, count_kind);
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::corrupt, "packed selection has " + what);
}

/// Whether lines can be the smallest encoding: they have several elements on average, and a reader accepts
/// them.
bool may_be_lines(std::uint64_t elements, std::uint64_t end, std::uint64_t row) {
  if (row < 2 || end % row != 0 || end / row < 2 || end > LineShape::most_elements) return false;
  const std::uint64_t rows = end / row;
  return elements >= 4 * std::min(rows, row) && std::max(rows, row) <= LineShape::most_lines;
}

std::uint64_t least_bits(const BothCounts& counts) {
  return std::min(estimate(counts.rows, counts.columns.size()), estimate(counts.columns, counts.rows.size()));
}

}  // namespace

std::uint64_t about_line_bits(WordSpan edges, std::uint64_t elements, std::uint64_t end, std::uint64_t row) {
  if (!may_be_lines(elements, end, row)) return ~std::uint64_t{0};
  return least_bits(count_both([&](auto visit) { for_each_offset(edges, visit); }, end, row));
}

std::uint64_t about_line_bits(std::span<const std::uint32_t> points, std::uint64_t end, std::uint64_t row) {
  if (!may_be_lines(points.size(), end, row)) return ~std::uint64_t{0};
  return least_bits(count_both([&](auto visit) { std::ranges::for_each(points, visit); }, end, row));
}

std::optional<LinePlan> plan_lines(WordSpan edges, std::uint64_t end, std::uint64_t row,
                                   const LineLimits& limits) {
  if (!may_be_lines(limits.elements, end, row)) return std::nullopt;
  BothCounts counts = count_both([&](auto visit) { for_each_offset(edges, visit); }, end, row);
  const std::uint64_t rows = estimate(counts.rows, row), columns = estimate(counts.columns, end / row);
  if (std::min(rows, columns) >= limits.bits) return std::nullopt;
  LinePlan plan{.shape = {end / row, row, columns < rows}};
  plan.counts = std::move(plan.shape.along_columns ? counts.columns : counts.rows);
  plan.positions = sort_by_lines(edges, plan);
  plan.packed_counts = pack_counts(plan.counts);
  plan.bits = 8 * plan.packed_counts.size();
  for_each_gap(plan, [&](std::uint64_t gap, RiceCode code) { plan.bits += rice_bits(gap, code); });
  return plan;
}

void write_lines(Buffer& to, const LinePlan& plan) {
  put_varint(to, plan.shape.columns);
  to.push_back(static_cast<std::byte>(plan.shape.along_columns));
  put_varint(to, plan.packed_counts.size());
  to.insert(to.end(), plan.packed_counts.begin(), plan.packed_counts.end());
  RiceWriter bits(to, plan.bits);
  for_each_gap(plan, [&](std::uint64_t gap, RiceCode code) { bits.put(gap, code); });
}

namespace {

LineShape read_shape(VarintReader& in, std::uint64_t end) {
  LineShape shape;
  shape.columns = in.varint();
  const unsigned direction = in.byte();
  shape.along_columns = direction == 1;
  shape.rows = shape.columns == 0 ? 0 : end / shape.columns;
  if (direction > 1 || !shape.is_possible(end)) {
    refuse(
        fmt::format("lines in direction {} of {} columns, for {} elements", direction, shape.columns, end));
  }
  return shape;
}

std::vector<std::uint32_t> read_counts(Bytes packed, const LineShape& shape, std::uint64_t elements) {
  Buffer bytes(static_cast<std::size_t>(4 * shape.lines()));
  if (unpacked_bytes(packed) != bytes.size()) refuse("another number of lines than its extent");
  unpack_values(packed, count_kind, bytes);
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(shape.lines()));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = static_cast<std::uint32_t>(load_word(bytes.data() + 4 * i, 4));
    if (counts[i] > shape.length())
      refuse(fmt::format("{} elements in a line of {}", counts[i], shape.length()));
    sum += counts[i];
  }
  if (sum != elements) refuse(fmt::format("{} elements in lines, but declares {}", sum, elements));
  return counts;
}

}  // namespace

Bitmap read_lines(VarintReader& in, std::uint64_t count, std::uint64_t end) {
  const LineShape shape = read_shape(in, end);
  const std::uint64_t packed = in.varint();
  check_holds(in.rest().size(), packed, "packed selection");
  const auto counts = read_counts(in.rest().first(static_cast<std::size_t>(packed)), shape, count);
  RiceReader bits(in.rest().subspan(static_cast<std::size_t>(packed)));
  Bitmap set(end, 0);
  const std::uint64_t length = shape.length();
  const std::uint64_t step = shape.along_columns ? shape.columns : 1,
                      next_line = shape.along_columns ? 1 : length;
  std::uint64_t first = 0;  // the offset of the line
  for (const std::uint32_t elements : counts) {
    const LineCode code(elements, length);
    std::uint64_t next = 0;
    const auto advance = [&](std::uint64_t gap) {
      if (gap >= length - next) [[unlikely]]
        refuse(fmt::format("an element beyond its line, after {}", first));
      return next + gap;
    };
    if (code.holes) {
      bits.for_each(code.items, code.rice(), [&](std::uint64_t gap) {
        for (const std::uint64_t hole = advance(gap); next < hole; ++next) set.set(first + next * step);
        ++next;
      });
      for (; next < length; ++next) set.set(first + next * step);
    } else {
      bits.for_each(code.items, code.rice(), [&](std::uint64_t gap) {
        const std::uint64_t at = advance(gap);
        set.set(first + at * step);
        next = at + 1;
      });
    }
    first += next_line;
  }
  return set;
}

}  // namespace filigree::filter
