// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/patch_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::filter {
namespace {

/// Computes the columns of offsets, with a shift if the row length is a power of two.
class Columns {
 public:
  explicit Columns(std::uint64_t row)
      : row_(static_cast<std::uint32_t>(row)), even_(std::has_single_bit(row)) {}
  std::uint32_t of(std::uint64_t position) const {
    const auto at = static_cast<std::uint32_t>(position);
    return even_ ? at & (row_ - 1) : at % row_;
  }
  /// The bits of the `shape.row_bits()` bits around `column` that lie within the row.
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

/// Removes one patch after the other from a copy of the set and calls `take(position, mask)` for each. A
/// patch begins at the first element that remains.
template <PatchShape shape, class Take>
void take_patches(Bitmap& set, std::span<const std::uint32_t> words, std::uint64_t row, Take take) {
  const Columns columns(row);
  // In long rows, the elements below those of a word lie in other words.
  const bool long_rows = row >= 128;
  for (const std::uint64_t i : words) {
    for (std::uint64_t word = set.word(i); word != 0;) {
      const auto bit = static_cast<unsigned>(std::countr_zero(word));
      const auto position = static_cast<std::int64_t>(64 * i + bit);
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
      word = long_rows ? word & ~(first << bit) : set.word(i);
    }
  }
}

/// The shapes to try, as compile-time constants: the loops over their rows take most of the time.
constexpr std::array<PatchShape, 5> shapes{{{3, 3, 3}, {3, 1, 2}, {2, 2, 2}, {3, 1, 1}, {4, 4, 4}}};

template <std::size_t number>
std::uint64_t bits_in_front(const Bitmap& set, std::span<const std::uint32_t> words, std::uint64_t part,
                            std::uint64_t row) {
  Bitmap rest = set.front(part, row);
  std::uint64_t patches = 0;
  take_patches<shapes[number]>(rest, words, row, [&](std::uint64_t, std::uint64_t) { ++patches; });
  const unsigned gap_bits =
      1u + static_cast<unsigned>(std::bit_width(part / std::max<std::uint64_t>(1, patches)));
  return patches * (gap_bits + shapes[number].bits());
}

/// The index of the shape that takes the fewest bits for the first part of the set.
template <std::size_t... numbers>
std::size_t best_shape(const Bitmap& set, std::span<const std::uint32_t> words, std::uint64_t row,
                       std::index_sequence<numbers...>) {
  const std::uint64_t end = set.elements(), part = std::min(end, std::max(8 * row, end / 16));
  const auto in_part = std::ranges::lower_bound(words, (part + 63) / 64) - words.begin();
  const std::array bits{
      bits_in_front<numbers>(set, words.first(static_cast<std::size_t>(in_part)), part, row)...};
  return static_cast<std::size_t>(std::ranges::min_element(bits) - bits.begin());
}

template <std::size_t... numbers, class Take>
void take_patches(std::size_t chosen, Bitmap& set, std::span<const std::uint32_t> words, std::uint64_t row,
                  Take take, std::index_sequence<numbers...>) {
  ((numbers == chosen ? take_patches<shapes[numbers]>(set, words, row, take) : void()), ...);
}

constexpr std::make_index_sequence<shapes.size()> all_shapes;

}  // namespace

std::optional<PatchPlan> plan_patches(Bitmap set, std::uint64_t row, std::size_t most) {
  const auto words = words_of(set);
  const std::size_t chosen = best_shape(set, words, row, all_shapes);
  PatchPlan plan{.shape = shapes[chosen]};
  plan.gaps.resize(most);
  plan.masks.resize(most);
  std::size_t count = 0;
  std::uint64_t next = 0;
  const auto note = [&](std::uint64_t position, std::uint64_t mask) {
    if (count < most) {
      plan.gaps[count] = position - next;
      plan.masks[count] = mask;
    }
    next = position + 1;
    ++count;
  };
  take_patches(chosen, set, words, row, note, all_shapes);
  if (count >= most) return std::nullopt;
  plan.gaps.resize(count);
  plan.masks.resize(count);
  const RiceChoice choice = best_rice(plan.gaps);
  plan.gap_code = choice.code;
  plan.bits = choice.bits + count * plan.shape.bits();
  return plan;
}

std::optional<PatchPlan> plan_patches(WordSpan edges, std::uint64_t end, std::uint64_t row) {
  Bitmap set(end, row);
  for (std::size_t i = 0; i < edges.size(); i += 2) set.set_run(edges[i], edges[i + 1]);
  return plan_patches(std::move(set), row, edges.size() / 2);
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

Bitmap read_patches(VarintReader& in, std::uint64_t count, std::uint64_t end, std::uint64_t row) {
  const auto refuse = [](std::string what) {
    throw Error(ErrorKind::corrupt, "packed selection has " + what);
  };
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
  for (std::uint64_t next = 0; count > 0; --count) {
    const std::uint64_t apart = bits.get(gaps);
    std::uint64_t mask = bits.bits(mask_bits);
    if (apart >= end - next) refuse(fmt::format("a patch at {} of {} elements", next, end));
    const auto position = static_cast<std::int64_t>(next + apart);
    next += apart + 1;
    const std::uint64_t outside = ~columns.inside(shape, columns.of(static_cast<std::uint64_t>(position)));
    const std::uint64_t first = (mask & ones(shape.right)) << 1 | 1;
    std::uint64_t has_stray_bits = first & outside >> shape.left;
    set.put(position, first);
    mask >>= shape.right;
    for (unsigned k = 1; k < shape.rows; ++k, mask >>= shape.row_bits()) {
      const std::uint64_t below = mask & ones(shape.row_bits());
      has_stray_bits |= below & outside;
      set.put(position + static_cast<std::int64_t>(k * row) - shape.left, below);
    }
    if (has_stray_bits != 0) [[unlikely]]
      refuse(fmt::format("a patch that leaves its rows, at {}", position));
  }
  if (set.has_stray_bits()) refuse("a patch that leaves the extent");
  return set;
}

}  // namespace filigree::filter
