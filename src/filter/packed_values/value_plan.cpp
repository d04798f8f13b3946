// SPDX-License-Identifier: Apache-2.0
//
// Chooses the encoding of values and writes it.
#include <algorithm>
#include <array>
#include <bit>

#include "filter/packed_selection/rice.hpp"
#include "filter/packed_values/bit_pack.hpp"
#include "filter/packed_values/exceptions.hpp"
#include "filter/packed_values/value_codes.hpp"

namespace filigree::filter {
namespace {

using Words = std::vector<std::uint64_t>;
using WordSpan = std::span<const std::uint64_t>;

void put_value(Buffer& to, std::uint64_t value, unsigned bytes) {
  to.resize(to.size() + bytes);
  store_word(to.data() + to.size() - bytes, value, bytes);
}

/// The base from which the differences are smallest: the least value, of unsigned or of signed numbers.
std::uint64_t best_base(const ValueCounts& counts, unsigned element_bytes) {
  const std::uint64_t mask = widest_word(element_bytes), sign = mask / 2 + 1;
  std::uint64_t least = mask, most = 0, least_signed = mask, most_signed = 0;
  counts.for_each([&](std::uint64_t value, std::uint32_t) {
    const std::uint64_t shifted = value ^ sign;  // in the order of signed numbers
    least = std::min(least, value);
    most = std::max(most, value);
    least_signed = std::min(least_signed, shifted);
    most_signed = std::max(most_signed, shifted);
  });
  return most - least <= most_signed - least_signed ? least : least_signed ^ sign;
}

/// Differences of a few bits, with exceptions.
struct PackedPlan {
  unsigned bits = 0;
  std::uint64_t exceptions = 0;
  std::uint64_t bytes = ~std::uint64_t{0};  ///< approximate
};

PackedPlan plan_packed(const Differences& from, const ValueCounts& counts) {
  std::array<std::uint64_t, 65> widths{};
  counts.for_each([&](std::uint64_t value, std::uint32_t count) {
    widths[static_cast<unsigned>(std::bit_width((value - from.base) & widest_word(from.element_bytes)))] +=
        count;
  });
  PackedPlan best;
  for (unsigned bits = 0; bits <= std::min(8 * from.element_bytes, most_packed_bits); ++bits) {
    PackedPlan plan{bits, 0, packed_bytes(from.words.size(), bits) + from.element_bytes + 2};
    for (unsigned width = bits + 1; width < widths.size(); ++width) {
      plan.exceptions += widths[width];
      plan.bytes += widths[width] * exception_bytes(width - bits);
    }
    if (plan.bytes < best.bytes) best = plan;
  }
  return best;
}

Buffer write_packed(const Differences& from, const PackedPlan& plan) {
  Buffer to;
  put_value(to, from.base, from.element_bytes);
  to.push_back(static_cast<std::byte>(plan.bits));
  put_varint(to, plan.exceptions);
  Words words(from.words.begin(), from.words.end());
  for (std::uint64_t& word : words) word = (word - from.base) & widest_word(from.element_bytes);
  append_packed(to, words, plan.bits);
  ExceptionWriter exceptions;
  for (std::size_t i = 0; i < words.size() && plan.exceptions != 0; ++i)
    if (const std::uint64_t high = words[i] >> plan.bits; high != 0) exceptions.add(i, high);
  to.insert(to.end(), exceptions.list().begin(), exceptions.list().end());
  return to;
}

/// The bytes of a table with indexes; the largest number if there are too many values.
std::uint64_t table_bytes(const ValueCounts& counts, std::size_t words, unsigned element_bytes) {
  if (!counts.others().empty()) return ~std::uint64_t{0};
  const std::size_t values = counts.values().size();
  return 2 + values * element_bytes + packed_bytes(words, static_cast<unsigned>(std::bit_width(values - 1)));
}

Buffer write_table(const ValueCounts& counts, unsigned element_bytes) {
  Buffer to;
  const std::size_t values = counts.values().size();
  put_varint(to, values);
  for (const CountedValue& one : counts.values()) put_value(to, one.value, element_bytes);
  const Words indexes(counts.indexes().begin(), counts.indexes().end());
  append_packed(to, indexes, static_cast<unsigned>(std::bit_width(values - 1)));
  return to;
}

/// Runs of equal values.
struct RunPlan {
  std::uint64_t runs = 0;
  unsigned length_bits = 0, value_bits = 0;
  std::uint64_t bytes = ~std::uint64_t{0};
};

std::uint64_t count_runs(WordSpan words) {
  std::uint64_t runs = 1;
  for (std::size_t i = 1; i < words.size(); ++i) runs += words[i] != words[i - 1];
  return runs;
}

/// *Requires* the number of runs.
RunPlan plan_runs(const Differences& from, std::uint64_t runs) {
  RunPlan plan{.runs = runs};
  // Shorter runs take fewer bits as groups, or as packed numbers.
  if (runs > from.words.size() / 4) return plan;
  std::uint64_t longest = 0, widest = 0, length = 0;
  for (std::size_t i = 0; i < from.words.size(); ++i, ++length) {
    widest |= (from.words[i] - from.base) & widest_word(from.element_bytes);
    if (i == 0 || from.words[i] == from.words[i - 1]) continue;
    longest |= length - 1;
    length = 0;
  }
  plan.length_bits = static_cast<unsigned>(std::bit_width(longest | (length - 1)));
  plan.value_bits = static_cast<unsigned>(std::bit_width(widest));
  if (plan.value_bits <= most_packed_bits)
    plan.bytes = packed_bytes(plan.runs, plan.length_bits) + packed_bytes(plan.runs, plan.value_bits) +
                 from.element_bytes + 5;
  return plan;
}

Buffer write_runs(const Differences& from, const RunPlan& plan) {
  Words lengths, values;
  lengths.reserve(plan.runs);
  values.reserve(plan.runs);
  for (std::size_t i = 0; i < from.words.size(); ++i) {
    if (i != 0 && from.words[i] == from.words[i - 1]) {
      ++lengths.back();
    } else {
      lengths.push_back(0);
      values.push_back((from.words[i] - from.base) & widest_word(from.element_bytes));
    }
  }
  Buffer to;
  put_varint(to, plan.runs);
  to.push_back(static_cast<std::byte>(plan.length_bits));
  put_value(to, from.base, from.element_bytes);
  to.push_back(static_cast<std::byte>(plan.value_bits));
  append_packed(to, lengths, plan.length_bits);
  append_packed(to, values, plan.value_bits);
  return to;
}

}  // namespace

std::optional<EncodedValues> encode_values(WordSpan words, unsigned element_bytes, std::uint64_t most_bytes) {
  const std::uint64_t run_count = count_runs(words);
  if (run_count == 1) {
    Buffer value;
    put_value(value, words[0], element_bytes);
    return EncodedValues{ValueForm::equal, std::move(value)};
  }
  const ValueCounts counts(words);
  const Differences from{words, best_base(counts, element_bytes), element_bytes};
  const RunPlan runs = plan_runs(from, run_count);
  const PackedPlan packed = plan_packed(from, counts);
  const std::uint64_t table = table_bytes(counts, words.size(), element_bytes);
  const std::uint64_t least = std::min({packed.bytes, table, runs.bytes, most_bytes});
  // The other forms decode faster.
  if (const auto groups = plan_groups(from, counts, least - least / 32)) {
    EncodedValues encoded{ValueForm::groups};
    write_groups(encoded.bytes, *groups, from, counts);
    return encoded;
  }
  if (least == most_bytes) return std::nullopt;
  if (least == runs.bytes) return EncodedValues{ValueForm::runs, write_runs(from, runs)};
  if (least == table) return EncodedValues{ValueForm::table, write_table(counts, element_bytes)};
  return EncodedValues{ValueForm::packed, write_packed(from, packed)};
}

}  // namespace filigree::filter
