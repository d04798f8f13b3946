// SPDX-License-Identifier: Apache-2.0
#include "filter/patch_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

constexpr std::uint64_t ones(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

/// Columns of positions, by a shift where rows allow it.
class Columns {
 public:
  explicit Columns(std::uint64_t row) : row_(static_cast<std::uint32_t>(row)), even_(std::has_single_bit(row)) {}
  std::uint32_t of(std::uint64_t position) const {
    const auto at = static_cast<std::uint32_t>(position);
    return even_ ? at & (row_ - 1) : at % row_;
  }
  /// Which bits of `shape.row_bits()`, around `column`, are in the row.
  std::uint64_t inside(const PatchShape& shape, std::uint32_t column) const {
    std::uint64_t bits = ones(shape.row_bits());
    if (column < shape.left) bits &= ~ones(shape.left - column);
    if (column + shape.right >= row_) bits &= ones(shape.left + (row_ - column));
    return bits;
  }

 private:
  std::uint32_t row_;
  bool even_;
};

/// A bit for each element, with room around them, so that groups of bits are taken and set wherever a patch
/// may reach.
class Bitmap {
 public:
  Bitmap(std::uint64_t elements, std::uint64_t row)
      : elements_(elements), bytes_((lead + elements + 8 * row) / 8 + 16) {}

  void set_run(std::uint64_t from, std::uint64_t to) {
    for (; to - from > 32; from += 32) put(static_cast<std::int64_t>(from), ones(32));
    put(static_cast<std::int64_t>(from), ones(static_cast<unsigned>(to - from)));
  }
  /// At most 57 bits.
  std::uint64_t get(std::int64_t position) const {
    const auto at = static_cast<std::uint64_t>(position + lead);
    return load_word(bytes_.data() + at / 8, 8) >> at % 8;
  }
  void put(std::int64_t position, std::uint64_t bits) {
    const auto at = static_cast<std::uint64_t>(position + lead);
    std::byte* const byte = bytes_.data() + at / 8;
    store_word(byte, load_word(byte, 8) | bits << at % 8, 8);
  }
  void clear(std::int64_t position, std::uint64_t bits) {
    const auto at = static_cast<std::uint64_t>(position + lead);
    std::byte* const byte = bytes_.data() + at / 8;
    store_word(byte, load_word(byte, 8) & ~(bits << at % 8), 8);
  }
  /// The first elements, and what patches of them reach.
  Bitmap front(std::uint64_t elements, std::uint64_t row) const {
    Bitmap part(elements, row);
    std::ranges::copy(Bytes(bytes_).first(std::min(bytes_.size(), part.bytes_.size())), part.bytes_.begin());
    return part;
  }
  std::uint64_t words() const { return (elements_ + 63) / 64; }
  std::uint64_t word(std::uint64_t i) const { return load_word(bytes_.data() + lead / 8 + 8 * i, 8); }
  /// Whether some bit is set that is no element's.
  bool strays() const {
    for (std::uint64_t i = words(); lead / 8 + 8 * (i + 1) <= bytes_.size(); ++i)
      if (word(i) != 0) return true;
    return elements_ % 64 != 0 && word(words() - 1) >> elements_ % 64 != 0;
  }

 private:
  static constexpr std::int64_t lead = 64;
  std::uint64_t elements_;
  Buffer bytes_;
};

/// Takes one patch after the other off a copy of the set, up to `end`, each from the first element that is
/// left; `take(position, mask)`.
template <class Take>
void take_patches(Bitmap& set, std::uint64_t end, std::uint64_t row, const PatchShape& shape, Take take) {
  const Columns columns(row);
  for (std::uint64_t i = 0; 64 * i < end; ++i) {
    for (std::uint64_t word = set.word(i); word != 0; word = set.word(i)) {
      const auto position = static_cast<std::int64_t>(64 * i + static_cast<unsigned>(std::countr_zero(word)));
      const std::uint64_t inside = columns.inside(shape, columns.of(static_cast<std::uint64_t>(position)));
      const std::uint64_t first = set.get(position) & inside >> shape.left;
      set.clear(position, first);
      std::uint64_t mask = first >> 1;
      unsigned at = shape.right;
      for (unsigned k = 1; k < shape.rows; ++k, at += shape.row_bits()) {
        const std::int64_t below = position + static_cast<std::int64_t>(k * row) - shape.left;
        const std::uint64_t bits = set.get(below) & inside;
        set.clear(below, bits);
        mask |= bits << at;
      }
      take(static_cast<std::uint64_t>(position), mask);
    }
  }
}

constexpr std::array<PatchShape, 5> shapes{{{3, 3, 3}, {3, 1, 2}, {2, 2, 2}, {3, 1, 1}, {4, 4, 4}}};

/// The shape that takes the fewest bits in the first part of the set.
PatchShape best_shape(const Bitmap& set, std::uint64_t end, std::uint64_t row) {
  const std::uint64_t part = std::min(end, std::max(8 * row, end / 8));
  PatchShape best;
  std::uint64_t fewest = ~std::uint64_t{0};
  for (const PatchShape& shape : shapes) {
    Bitmap rest = set.front(part, row);
    std::uint64_t patches = 0;
    take_patches(rest, part, row, shape, [&](std::uint64_t, std::uint64_t) { ++patches; });
    const unsigned gap_bits = 1u + static_cast<unsigned>(std::bit_width(part / std::max<std::uint64_t>(1, patches)));
    const std::uint64_t bits = patches * (gap_bits + shape.bits());
    if (bits < fewest) {
      fewest = bits;
      best = shape;
    }
  }
  return best;
}

/// The places where membership changes. How many a word has is as good as random: a few are noted without
/// asking.
Words edges_of(const Bitmap& set, std::uint64_t end, std::size_t expected) {
  constexpr unsigned few = 4;
  Words edges(expected + 65);
  std::size_t used = 0;
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < set.words(); ++i) {
    if (used + 65 > edges.size()) edges.resize(2 * edges.size());
    const std::uint64_t bits = set.word(i);
    std::uint64_t changes = bits ^ (bits << 1 | before);
    before = bits >> 63;
    const auto note = [&] {
      edges[used] = 64 * i + static_cast<unsigned>(std::countr_zero(changes));
      used += changes != 0;
      changes &= changes - 1;
    };
    for (unsigned k = 0; k < few; ++k) note();
    while (changes != 0) note();
  }
  edges.resize(used);
  if (used % 2 != 0) edges.push_back(end);
  return edges;
}

}  // namespace

std::optional<PatchPlan> plan_patches(WordSpan edges, std::uint64_t end, std::uint64_t row) {
  Bitmap set(end, row);
  for (std::size_t i = 0; i < edges.size(); i += 2) set.set_run(edges[i], edges[i + 1]);
  PatchPlan plan{.shape = best_shape(set, end, row)};
  const std::size_t most = edges.size() / 2;
  plan.gaps.resize(most);
  plan.masks.resize(most);
  std::size_t count = 0;
  std::uint64_t next = 0;
  take_patches(set, end, row, plan.shape, [&](std::uint64_t position, std::uint64_t mask) {
    if (count < most) {
      plan.gaps[count] = position - next;
      plan.masks[count] = mask;
    }
    next = position + 1;
    ++count;
  });
  if (count >= most) return std::nullopt;
  plan.gaps.resize(count);
  plan.masks.resize(count);
  const RiceChoice choice = best_rice(plan.gaps);
  plan.gap_code = choice.code;
  plan.bits = choice.bits + count * plan.shape.bits();
  return plan;
}

void write_patches(Buffer& to, const PatchPlan& plan) {
  for (const std::uint8_t byte : {plan.shape.rows, plan.shape.left, plan.shape.right})
    to.push_back(static_cast<std::byte>(byte));
  put_code(to, plan.gap_code);
  RiceWriter bits(to, plan.bits);
  const unsigned mask_bits = plan.shape.bits();
  for (std::size_t i = 0; i < plan.gaps.size(); ++i) {
    bits.put(plan.gaps[i], plan.gap_code);
    bits.bits(plan.masks[i], mask_bits);
  }
}

Words read_patches(VarintReader& in, std::uint64_t count, std::uint64_t end, std::uint64_t row) {
  const auto refuse = [](std::string what) { throw Error(ErrorKind::corrupt, "packed selection has " + what); };
  PatchShape shape;
  for (std::uint8_t* part : {&shape.rows, &shape.left, &shape.right}) *part = in.byte();
  if (!shape.is_possible() || row == 0 || end > most_patched_elements)
    refuse(fmt::format("patches of {} rows, {} to the left and {} to the right, for {} elements", shape.rows,
                       shape.left, shape.right, end));
  const RiceCode gaps = in.code();
  RiceReader bits(in.rest());
  Bitmap set(end, row);
  const Columns columns(row);
  const unsigned mask_bits = shape.bits();
  // About two edges a row.
  const auto expected = static_cast<std::size_t>(std::min<std::uint64_t>(2 * shape.rows * count, end));
  for (std::uint64_t next = 0; count > 0; --count) {
    const std::uint64_t apart = bits.get(gaps);
    std::uint64_t mask = bits.bits(mask_bits);
    if (apart >= end - next) refuse(fmt::format("a patch at {} of {} elements", next, end));
    const auto position = static_cast<std::int64_t>(next + apart);
    next += apart + 1;
    const std::uint64_t outside = ~columns.inside(shape, columns.of(static_cast<std::uint64_t>(position)));
    const std::uint64_t first = (mask & ones(shape.right)) << 1 | 1;
    std::uint64_t strays = first & outside >> shape.left;
    set.put(position, first);
    mask >>= shape.right;
    for (unsigned k = 1; k < shape.rows; ++k, mask >>= shape.row_bits()) {
      const std::uint64_t below = mask & ones(shape.row_bits());
      strays |= below & outside;
      set.put(position + static_cast<std::int64_t>(k * row) - shape.left, below);
    }
    if (strays != 0) [[unlikely]]
      refuse(fmt::format("a patch that leaves its rows, at {}", position));
  }
  if (set.strays()) refuse("a patch that leaves the extent");
  return edges_of(set, end, expected);
}

}  // namespace filigree::filter
