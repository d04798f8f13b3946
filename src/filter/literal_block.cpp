// SPDX-License-Identifier: Apache-2.0
#include "filter/literal_block.hpp"

#include <algorithm>
#include <span>

namespace filigree::filter {
namespace {

constexpr std::size_t symbols = LiteralPlan::end + 1;
constexpr unsigned most_code_bits = 15;
/// The order in which the lengths of the code length codes are stored; 16 to 18 are repetitions.
constexpr std::array<std::uint8_t, 19> length_order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
constexpr unsigned most_length_bits = 7;

/// Computes the lengths of a complete prefix code, none above `most`: a Huffman code whose deeper leaves are
/// moved up. *Requires* at least two symbols with a count.
void find_lengths(std::span<const std::uint32_t> counts, unsigned most, std::span<std::uint8_t> lengths) {
  struct Node {
    std::uint32_t count;
    std::uint16_t symbol;
  };
  std::array<Node, symbols> leaves;
  std::size_t used = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0) leaves[used++] = {counts[i], static_cast<std::uint16_t>(i)};
  std::sort(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(used),
            [](const Node& a, const Node& b) {
              return a.count != b.count ? a.count < b.count : a.symbol < b.symbol;
            });
  // Sums are created in ascending order, so two queues (leaves and sums) replace a heap.
  std::array<std::uint32_t, symbols> sums;
  std::array<std::uint16_t, 2 * symbols> parent;  // leaves first, then sums
  std::size_t leaf = 0, sum = 0;
  const auto take = [&](std::size_t made) {
    const bool is_leaf = leaf < used && (sum == made || leaves[leaf].count <= sums[sum]);
    const std::size_t node = is_leaf ? leaf : used + sum;
    sums[made] += is_leaf ? leaves[leaf].count : sums[sum];
    parent[node] = static_cast<std::uint16_t>(used + made);
    (is_leaf ? leaf : sum) += 1;
  };
  for (std::size_t made = 0; made + 1 < used; ++made) {
    sums[made] = 0;
    take(made);
    take(made);
  }
  std::array<std::uint8_t, 2 * symbols> depth;
  std::array<std::uint32_t, 64> of_depth{};
  depth[2 * used - 2] = 0;
  for (std::size_t node = 2 * used - 2; node-- > 0;) {
    depth[node] = static_cast<std::uint8_t>(depth[parent[node]] + 1);
    if (node < used) ++of_depth[std::min<unsigned>(depth[node], most)];
  }
  // The leaves that were moved up take too much of the code space: others are moved down to compensate.
  std::uint64_t peek = 0;
  for (unsigned bits = 1; bits <= most; ++bits) peek += std::uint64_t{of_depth[bits]} << (most - bits);
  for (; peek > std::uint64_t{1} << most; --peek) {
    unsigned bits = most - 1;
    while (of_depth[bits] == 0) --bits;
    --of_depth[bits];
    of_depth[bits + 1] += 2;
    --of_depth[most];
  }
  std::size_t next = 0;
  for (unsigned bits = most; bits > 0; --bits)
    for (std::uint32_t i = 0; i < of_depth[bits]; ++i)
      lengths[leaves[next++].symbol] = static_cast<std::uint8_t>(bits);
}

/// Assigns canonical codes to lengths. The lowest bit of a code is stored first.
template <std::size_t n>
std::array<std::uint16_t, n> codes_of(const std::array<std::uint8_t, n>& lengths) {
  std::array<std::uint16_t, most_code_bits + 2> next{};
  for (const std::uint8_t length : lengths)
    if (length != 0) ++next[length + 1u];
  for (unsigned bits = 1; bits <= most_code_bits; ++bits)
    next[bits] = static_cast<std::uint16_t>(bits == 1 ? 0 : (next[bits - 1] + next[bits]) << 1);
  std::array<std::uint16_t, n> codes{};
  for (std::size_t i = 0; i < n; ++i) {
    if (lengths[i] == 0) continue;
    unsigned code = next[lengths[i]]++;
    for (unsigned bit = 0; bit < lengths[i]; ++bit, code >>= 1)
      codes[i] = static_cast<std::uint16_t>(codes[i] << 1 | (code & 1));
  }
  return codes;
}

LiteralPlan::Head head_of(const std::array<std::uint8_t, symbols>& lengths) {
  std::array<std::uint8_t, symbols + 1> all;
  std::ranges::copy(lengths, all.begin());
  all[symbols] = 1;  // one distance code, which is never used
  LiteralPlan::Head head;
  for (std::size_t i = 0, same = 0; i < all.size(); i += same) {
    same = 1;
    while (i + same < all.size() && all[i + same] == all[i]) ++same;
    if (all[i] == 0 && same >= 3) {
      same = std::min<std::size_t>(same, 138);
      same <= 10 ? head.add(17, same - 3, 3) : head.add(18, same - 11, 7);
      continue;
    }
    if (all[i] != 0 && i > 0 && all[i - 1] == all[i] && same >= 3) {
      same = std::min<std::size_t>(same, 6);
      head.add(16, same - 3, 2);
      continue;
    }
    same = 1;
    head.add(all[i], 0, 0);
  }
  std::array<std::uint32_t, 19> counts{};
  for (std::size_t i = 0; i < head.count; ++i) ++counts[head.items[i].symbol];
  find_lengths(counts, most_length_bits, head.lengths);
  head.stored_lengths = length_order.size();
  while (head.lengths[length_order[head.stored_lengths - 1]] == 0) --head.stored_lengths;
  head.bits = 3 + 5 + 5 + 4 + 3 * head.stored_lengths;
  for (std::size_t i = 0; i < head.count; ++i)
    head.bits += head.lengths[head.items[i].symbol] + unsigned{head.items[i].extra_bits};
  return head;
}

class BitWriter {
 public:
  explicit BitWriter(std::byte* to) : to_(to), begin_(to) {}
  /// *Requires* at most 48 bits between two flushes.
  void put(std::uint64_t value, unsigned bits) {
    held_ |= value << count_;
    count_ += bits;
  }
  void flush() {
    store_word(to_, held_, 8);
    to_ += count_ / 8;
    held_ >>= count_ / 8 * 8;
    count_ %= 8;
  }
  std::size_t finish() {
    flush();
    return static_cast<std::size_t>(to_ - begin_) + (count_ != 0);
  }

 private:
  std::byte* to_;
  std::byte* begin_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

}  // namespace

LiteralPlan plan_literals(Bytes unfiltered) {
  // Four counters, because runs of one byte would otherwise wait for their own increments.
  std::array<std::array<std::uint32_t, symbols>, 4> counts{};
  std::size_t i = 0;
  for (; i + 4 <= unfiltered.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) ++counts[k][std::to_integer<std::size_t>(unfiltered[i + k])];
  for (; i < unfiltered.size(); ++i) ++counts[0][std::to_integer<std::size_t>(unfiltered[i])];
  for (std::size_t s = 0; s < symbols; ++s) counts[0][s] += counts[1][s] + counts[2][s] + counts[3][s];
  counts[0][LiteralPlan::end] = 1;
  LiteralPlan plan;
  find_lengths(counts[0], most_code_bits, plan.lengths);
  plan.head = head_of(plan.lengths);
  plan.bits = plan.head.bits;
  for (std::size_t s = 0; s < symbols; ++s) plan.bits += std::uint64_t{counts[0][s]} * plan.lengths[s];
  return plan;
}

std::size_t put_literals(Bytes unfiltered, const LiteralPlan& plan, MutableBytes output) {
  const LiteralPlan::Head& head = plan.head;
  BitWriter to(output.data());
  to.put(1, 1);  // the last block
  to.put(2, 2);  // dynamic Huffman codes
  to.put(symbols - 257, 5);
  to.put(0, 5);
  to.put(head.stored_lengths - 4, 4);
  for (std::size_t i = 0; i < head.stored_lengths; ++i) {
    to.put(head.lengths[length_order[i]], 3);
    to.flush();
  }
  const auto length_codes = codes_of(head.lengths);
  for (std::size_t i = 0; i < head.count; ++i) {
    const LiteralPlan::Item item = head.items[i];
    to.put(length_codes[item.symbol], head.lengths[item.symbol]);
    to.put(item.extra, item.extra_bits);
    to.flush();
  }
  const auto codes = codes_of(plan.lengths);
  const auto put = [&](std::size_t symbol) { to.put(codes[symbol], plan.lengths[symbol]); };
  std::size_t i = 0;
  for (; i + 3 <= unfiltered.size(); i += 3) {
    for (std::size_t k = 0; k < 3; ++k) put(std::to_integer<std::size_t>(unfiltered[i + k]));
    to.flush();
  }
  for (; i < unfiltered.size(); ++i) put(std::to_integer<std::size_t>(unfiltered[i]));
  to.flush();
  put(LiteralPlan::end);
  return to.finish();
}

}  // namespace filigree::filter
