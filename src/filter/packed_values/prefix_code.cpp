// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_values/prefix_code.hpp"

#include <algorithm>

namespace filigree::filter {
namespace {

struct Counted {
  std::uint64_t count = 0;
  std::uint32_t symbol = 0;
};

/// The used symbols in ascending order of counts; at least two.
std::vector<Counted> used_symbols(std::span<const std::uint32_t> counts) {
  std::vector<Counted> used;
  for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol)
    if (counts[symbol] != 0) used.push_back({counts[symbol], symbol});
  // A complete code has two symbols at least.
  for (std::uint32_t symbol = 0; used.size() < 2; ++symbol)
    if (counts[symbol] == 0) used.push_back({1, symbol});
  std::ranges::sort(used, [](const Counted& a, const Counted& b) {
    return a.count != b.count ? a.count < b.count : a.symbol < b.symbol;
  });
  return used;
}

/// One level of the lists of the package-merge algorithm: symbols and pairs of the level below, by weight.
struct Level {
  std::vector<std::uint64_t> weights;
  std::vector<std::uint8_t> are_symbols;
};

Level next_level(const std::vector<Counted>& symbols, const Level& below) {
  Level level;
  std::size_t symbol = 0, pair = 0;
  const std::size_t pairs = below.weights.size() / 2, all = symbols.size() + pairs;
  level.weights.reserve(all);
  level.are_symbols.reserve(all);
  while (symbol + pair < all) {
    const std::uint64_t packed = pair < pairs ? below.weights[2 * pair] + below.weights[2 * pair + 1] : 0;
    const bool takes_symbol = pair == pairs || (symbol < symbols.size() && symbols[symbol].count <= packed);
    level.weights.push_back(takes_symbol ? symbols[symbol].count : packed);
    level.are_symbols.push_back(takes_symbol);
    takes_symbol ? ++symbol : ++pair;
  }
  return level;
}

}  // namespace

CodeLengths code_lengths(std::span<const std::uint32_t> counts, unsigned longest) {
  const std::vector<Counted> used = used_symbols(counts);
  std::vector<Level> levels(longest);
  for (unsigned i = 0; i < longest; ++i) levels[i] = next_level(used, i == 0 ? Level() : levels[i - 1]);
  CodeLengths lengths(counts.size());
  std::size_t taken = 2 * used.size() - 2;
  for (unsigned i = longest; i-- > 0 && taken != 0;) {
    const auto begin = levels[i].are_symbols.begin();
    const auto symbols =
        static_cast<std::size_t>(std::count(begin, begin + static_cast<std::ptrdiff_t>(taken), 1));
    for (std::size_t k = 0; k < symbols; ++k) ++lengths[used[k].symbol];
    taken = 2 * (taken - symbols);
  }
  return lengths;
}

bool is_complete(std::span<const std::uint8_t> lengths) {
  std::uint64_t sum = 0;
  for (const std::uint8_t length : lengths) {
    if (length > longest_code) return false;
    if (length != 0) sum += std::uint64_t{1} << (longest_code - length);
  }
  return sum == std::uint64_t{1} << longest_code;
}

}  // namespace filigree::filter
