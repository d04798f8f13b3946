// SPDX-License-Identifier: Apache-2.0
//
// The writer of the group encoding.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "filter/packed_selection/rice.hpp"
#include "filter/packed_values/exceptions.hpp"
#include "filter/packed_values/group_codes.hpp"

namespace filigree::filter {
namespace {

/// From this number on, the size of tables hardly matters.
constexpr std::size_t many_values = 8192;

/// Tables with more symbols are not written.
constexpr unsigned most_written_symbols = 512;

/// Fewer values are in one segment: four would not be faster.
constexpr std::size_t least_segmented = 2048;

/// The difference of a word from the base.
std::uint64_t difference(const Differences& from, std::size_t index) {
  return (from.words[index] - from.base) & widest_word(from.element_bytes);
}

/// Divides the values into groups and calls `visit(symbol, end)` for each, where `end` is the index after its
/// last value. Groups do not cross the boundaries of segments.
template <class Visit>
void for_each_group(const GroupShape& shape, std::span<const std::uint16_t> indexes, std::size_t begin,
                    std::size_t end, Visit visit) {
  for (std::size_t at = begin; at < end;) {
    const std::size_t most = std::min<std::size_t>(end, at + shape.run);
    std::size_t next = at;
    while (next < most && indexes[next] == 0) ++next;
    if (next == most) {
      visit(shape.run_symbol(), next);
    } else {
      const auto value = std::min<unsigned>(indexes[next], shape.values);
      const auto run = static_cast<unsigned>(next - at);
      ++next;
      visit(run * shape.others() + value - 1, next);
    }
    at = next;
  }
}

/// Calls `visit(begin, end)` for every segment.
template <class Visit>
void for_each_segment(std::size_t values, unsigned segments, Visit visit) {
  const std::size_t each = (values + segments - 1) / segments;
  for (unsigned i = 0; i < segments; ++i) visit(std::min(values, i * each), std::min(values, (i + 1) * each));
}

/// The longest code. A small chunk does not repay the time to build a large table for rare groups. With 10
/// bits, three codes with literals of 9 bits are read at once.
unsigned longest_useful(std::size_t values, unsigned literal_bits) {
  return values < 4096 || literal_bits == 9 ? 10 : 11;
}

unsigned symbol_value(const GroupShape& shape, unsigned symbol) {
  return symbol == shape.run_symbol() ? 0 : 1 + symbol % shape.others();
}

/// The groups of a list of values, for the largest table.
struct GroupCounts {
  GroupShape shape;
  std::vector<std::uint32_t> counts;  ///< of all symbols
};

GroupCounts count_groups(unsigned run, unsigned literal_bits, unsigned segments, const ValueCounts& counts) {
  const std::size_t values = std::min<std::size_t>(
      {counts.values().size(), GroupShape::most_values, (most_written_symbols - 1) / run});
  // There may be no literals with this table, but with a smaller one.
  GroupCounts groups{{static_cast<unsigned>(values), literal_bits, run}, {}};
  groups.counts.resize(groups.shape.symbols());
  for_each_segment(counts.indexes().size(), segments, [&](std::size_t begin, std::size_t end) {
    for_each_group(groups.shape, counts.indexes(), begin, end,
                   [&](unsigned symbol, std::size_t) { ++groups.counts[symbol]; });
  });
  return groups;
}

/// The counts for a table of `shape.values`, which is not larger: other values become literals.
std::vector<std::uint32_t> fold(const GroupCounts& groups, const GroupShape& shape) {
  std::vector<std::uint32_t> counts(shape.symbols());
  const unsigned all = groups.shape.others();
  for (unsigned run = 0; run < shape.run; ++run)
    for (unsigned other = 0; other < all; ++other)
      if (const std::uint32_t count = groups.counts[run * all + other]; count != 0)
        counts[run * shape.others() + std::min(other, shape.values - 1)] += count;
  counts[shape.run_symbol()] = groups.counts[groups.shape.run_symbol()];
  return counts;
}

/// Completes a plan for its shape.
void measure(GroupPlan& plan, const std::vector<std::uint32_t>& counts, const Differences& from) {
  plan.lengths = code_lengths(counts, longest_useful(from.words.size(), plan.shape.literal_bits));
  plan.bits = 0;
  for (unsigned symbol = 0; symbol < counts.size(); ++symbol) {
    const bool is_literal = symbol_value(plan.shape, symbol) == plan.shape.values;
    plan.bits +=
        std::uint64_t{counts[symbol]} * (plan.lengths[symbol] + (is_literal ? plan.shape.literal_bits : 0));
  }
  plan.bytes =
      plan.bits / 8 + 2 * plan.shape.values + counts.size() / 2 + from.element_bytes + 4 * plan.segments;
}

/// The sizes of tables that are tried: all values, and those that occur at least so often.
std::vector<unsigned> table_sizes(const GroupCounts& groups, const ValueCounts& counts, std::size_t words) {
  std::vector<unsigned> sizes{groups.shape.values};
  for (std::size_t least = words >> 13; least <= words >> 6; least = 2 * least + 1) {
    unsigned size = sizes.back();
    while (size > 1 && counts.values()[size - 1].count < least) --size;
    if (size != sizes.back()) sizes.push_back(size);
  }
  return sizes;
}

/// The best plan with runs of this length.
GroupPlan plan_runs_of(unsigned run, unsigned literal_bits, const Differences& from,
                       const ValueCounts& counts) {
  const unsigned segments = from.words.size() < least_segmented ? 1u : 4u;
  const GroupCounts groups = count_groups(run, literal_bits, segments, counts);
  GroupPlan best{.bytes = ~std::uint64_t{0}};
  for (const unsigned size : table_sizes(groups, counts, from.words.size())) {
    GroupPlan plan{.shape = {size, 0, run}, .base = from.base, .segments = segments};
    if (size < counts.values().size() || !counts.others().empty()) plan.shape.literal_bits = literal_bits;
    if (!plan.shape.is_possible(8 * from.element_bytes)) continue;
    measure(plan, fold(groups, plan.shape), from);
    if (plan.bytes < best.bytes) best = std::move(plan);
  }
  for (unsigned i = 0; i < best.shape.values; ++i) best.table.push_back(counts.values()[i].value);
  return best;
}

/// A lower bound for the size: the entropy of the counted values.
double least_bytes(const ValueCounts& counts, std::size_t words) {
  double bits = 0;
  for (const CountedValue& one : counts.values())
    bits += one.count * std::log2(static_cast<double>(words) / one.count);
  return bits / 8;
}

/// The bits of literals with which rare values and their exceptions take the least space; at least 1.
unsigned best_literal_bits(const Differences& from, const ValueCounts& counts) {
  std::array<std::uint64_t, 65> widths{};
  counts.for_each([&](std::uint64_t value, std::uint32_t count) {
    const std::uint64_t apart = (value - from.base) & widest_word(from.element_bytes);
    if (count <= from.words.size() >> 10 || count == 1)
      widths[static_cast<unsigned>(std::bit_width(apart))] += count;
  });
  unsigned best = 1;
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned bits = 1; bits <= 8 * from.element_bytes; ++bits) {
    std::uint64_t taken = 0;
    for (unsigned width = 0; width < widths.size(); ++width)
      taken += widths[width] * (bits + (width > bits ? 8 * exception_bytes(width - bits) : 0));
    if (taken < least) best = bits, least = taken;
  }
  return best;
}

/// The longest run that pays for its codes, by the share of the most frequent value.
unsigned best_run(std::size_t values, std::uint32_t most_frequent) {
  constexpr std::array<double, 5> least{0.4, 0.6, 0.7, 0.75, 0.97};
  const double share = most_frequent / static_cast<double>(values);
  const unsigned run = 1u << (std::ranges::upper_bound(least, share) - least.begin());
  return values < many_values ? std::min(run, 8u) : run;
}

}  // namespace

std::optional<GroupPlan> plan_groups(const Differences& from, const ValueCounts& counts,
                                     std::uint64_t most_bytes) {
  // The values of a group may depend on each other, and then take less than their entropy.
  if (0.9 * least_bytes(counts, from.words.size()) > static_cast<double>(most_bytes)) return std::nullopt;
  const unsigned literal_bits = best_literal_bits(from, counts);
  const unsigned longest = best_run(from.words.size(), counts.values()[0].count);
  GroupPlan best = plan_runs_of(longest, literal_bits, from, counts);
  if (longest >= 4 && from.words.size() < many_values) {
    // Shorter runs have fewer codes. Longer runs decode faster.
    GroupPlan shorter = plan_runs_of(longest / 4, literal_bits, from, counts);
    if (shorter.bytes < best.bytes - best.bytes / 16) best = std::move(shorter);
  }
  if (best.bytes >= most_bytes) return std::nullopt;
  return best;
}

namespace {

constexpr std::uint64_t low_bits(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

void write_header(Buffer& to, const GroupPlan& plan, unsigned element_bytes) {
  to.resize(to.size() + element_bytes);
  store_word(to.data() + to.size() - element_bytes, plan.base, element_bytes);
  for (const unsigned field : {plan.shape.values, plan.shape.literal_bits, plan.shape.run, plan.segments})
    to.push_back(static_cast<std::byte>(field));
  for (const std::uint64_t value : plan.table)
    put_varint(to, (value - plan.base) & widest_word(element_bytes));
  for (std::size_t i = 0; i < plan.lengths.size(); i += 2) {
    const unsigned second = i + 1 < plan.lengths.size() ? plan.lengths[i + 1] : 0u;
    to.push_back(static_cast<std::byte>(plan.lengths[i] | second << 4));
  }
}

}  // namespace

void write_groups(Buffer& to, const GroupPlan& plan, const Differences& from, const ValueCounts& counts) {
  write_header(to, plan, from.element_bytes);
  std::vector<std::uint16_t> codes(plan.lengths.size());
  for_each_code(plan.lengths, [&](std::uint16_t symbol, std::uint8_t, unsigned code) {
    codes[symbol] = static_cast<std::uint16_t>(code);
  });
  Buffer streams, sizes;
  ExceptionWriter exceptions;
  const unsigned low = std::min(plan.shape.literal_bits, 32u), high = plan.shape.literal_bits - low;
  for_each_segment(from.words.size(), plan.segments, [&](std::size_t begin, std::size_t end) {
    const std::size_t start = streams.size();
    {
      RiceWriter bits(streams, plan.bits);
      for_each_group(plan.shape, counts.indexes(), begin, end, [&](unsigned symbol, std::size_t next) {
        bits.bits(codes[symbol], plan.lengths[symbol]);
        if (symbol_value(plan.shape, symbol) != plan.shape.values) return;
        const std::uint64_t literal = difference(from, next - 1);
        bits.bits(literal & low_bits(low), low);
        bits.bits(literal >> low & low_bits(high), high);
        if (static_cast<unsigned>(std::bit_width(literal)) > low + high)
          exceptions.add(next - 1, literal >> (low + high));
      });
    }
    if (end != from.words.size()) put_varint(sizes, streams.size() - start);
  });
  put_varint(to, exceptions.count());
  for (const Buffer* part :
       {&exceptions.list(), static_cast<const Buffer*>(&sizes), static_cast<const Buffer*>(&streams)})
    to.insert(to.end(), part->begin(), part->end());
}

}  // namespace filigree::filter
