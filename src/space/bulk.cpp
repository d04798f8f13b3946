// SPDX-License-Identifier: Apache-2.0
#include "space/bulk.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/executor.hpp"
#include "base/large_pages.hpp"
#include "space/bit_runs.hpp"
#include "space/blocks.hpp"
#include "space/cursor.hpp"

namespace filigree::space {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::invalid_argument, why); }

void require_coordinate(const Frame& frame, std::string_view what, std::size_t number, std::size_t d,
                        std::uint64_t at) {
  if (at < frame.dims()[d]) return;
  refuse(fmt::format("{} {} reaches {} in dimension {}, the extent has {} elements there", what, number, at,
                     d, frame.dims()[d]));
}

void require_size(std::size_t given, std::uint64_t requested, std::string_view what) {
  if (given != requested) refuse(fmt::format("{} {} where the extent needs {}", given, what, requested));
}

/// Calls `work(from, to)` for spans of a list, on several threads if the list is large.
template <class Work>
void in_stretches(std::size_t items, Work work) {
  constexpr std::size_t span = std::size_t{1} << 18;
  if (items <= 2 * span) return work(std::size_t{0}, items);
  Executor::default_executor().for_each(
      (items + span - 1) / span, [&](std::size_t i) { work(i * span, std::min(items, (i + 1) * span)); });
}

/// The offsets of `elements` elements; `at(i, d)` is coordinate d of element i.
template <class At>
std::vector<std::uint64_t> positions_at(const Frame& frame, std::size_t elements, At at) {
  auto offsets = large_vector<std::uint64_t>(elements);
  std::atomic<bool> outside = false;
  in_stretches(elements, [&](std::size_t from, std::size_t to) {
    bool beyond = false;
    for (std::size_t i = from; i < to; ++i) {
      std::uint64_t offset = 0;
      for (std::size_t d = 0; d < frame.rank(); ++d) {
        beyond |= at(i, d) >= frame.dims()[d];
        offset += at(i, d) * frame.step(d);
      }
      offsets[i] = offset;
    }
    if (beyond) outside = true;
  });
  for (std::size_t i = 0; outside && i < elements; ++i)
    for (std::size_t d = 0; d < frame.rank(); ++d) require_coordinate(frame, "element", i, d, at(i, d));
  return offsets;
}

std::vector<std::uint64_t> offsets_of(const Frame& frame, std::span<const std::uint64_t> coordinates) {
  const std::size_t rank = frame.rank();
  if (rank == 0) refuse("a scalar has no coordinates");
  if (coordinates.size() % rank != 0)
    refuse(fmt::format("{} coordinates do not make elements of {} dimensions", coordinates.size(), rank));
  return positions_at(frame, coordinates.size() / rank,
                      [&](std::size_t i, std::size_t d) { return coordinates[i * rank + d]; });
}

/// Up to eight bytes as a little-endian word.
std::uint64_t load(const std::uint8_t* bytes, std::size_t width = 8) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, width);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// One bit for each of the eight bytes of a word: whether the byte is not zero.
std::uint64_t chosen(std::uint64_t word) {
  constexpr std::uint64_t high_bits = 0x8080'8080'8080'8080u;
  const std::uint64_t not_zero = (((word & ~high_bits) + ~high_bits) | word) & high_bits;
  // The multiplication gathers one bit of every byte in the highest byte.
  return (not_zero >> 7) * 0x0102'0408'1020'4080u >> 56;
}

std::uint64_t chosen_of_64(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i) bits |= chosen(load(bytes + 8 * i)) << 8 * i;
  return bits;
}

/// Converts a mask to the words of a bitmap.
std::vector<std::uint64_t> packed(std::span<const std::uint8_t> mask) {
  const std::size_t whole = mask.size() / 64;
  auto words = large_vector<std::uint64_t>(whole + 1);
  in_stretches(whole, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) words[i] = chosen_of_64(mask.data() + 64 * i);
  });
  std::array<std::uint8_t, 64> rest{};
  std::ranges::copy(mask.subspan(64 * whole), rest.begin());
  words[whole] = chosen_of_64(rest.data());
  return words;
}

/// The set of a bitmap. Bits after the last element may extend it.
RunSet runs_of_bitmap(std::span<const std::uint8_t> bits) {
  const std::size_t whole = bits.size() / 8;
  const std::uint64_t rest = load(bits.data() + 8 * whole, bits.size() % 8);
  return runs_of_bits(whole + 1, [&](std::size_t i) { return i < whole ? load(bits.data() + 8 * i) : rest; });
}

/// A box within a frame. Dimensions that the box covers completely are part of its rows.
class Box {
 public:
  using Corner = std::span<const std::uint64_t>;
  Box(const Frame& frame, Corner low, Corner high)
      : frame_(frame), low_(low), high_(high), last_(frame.rank() - 1) {
    while (last_ > 0 && low_[last_] == 0 && high_[last_] == frame.dims()[last_] - 1) --last_;
  }
  void require_inside(std::size_t number) const {
    for (std::size_t d = 0; d < frame_.rank(); ++d) {
      if (low_[d] > high_[d])
        refuse(fmt::format("box {} goes from {} back to {} in dimension {}", number, low_[d], high_[d], d));
      require_coordinate(frame_, "box", number, d, high_[d]);
    }
  }
  std::uint64_t rows() const {
    std::uint64_t rows = 1;
    for (std::size_t d = 0; d < last_; ++d) rows *= width(d);
    return rows;
  }
  void append_rows_to(std::vector<Run>& runs) const { append(runs, 0, 0); }
  Selection selection() const {
    std::vector<SlabDimension> dims;
    for (std::size_t d = 0; d < frame_.rank(); ++d) dims.push_back({low_[d], 1, 1, width(d)});
    return Selection::regular(frame_, std::move(dims));
  }

 private:
  std::uint64_t width(std::size_t d) const { return high_[d] - low_[d] + 1; }
  void append(std::vector<Run>& runs, std::size_t d, std::uint64_t base) const {
    base += low_[d] * frame_.step(d);
    if (d == last_) {
      runs.push_back({base, width(d) * frame_.step(d)});
      return;
    }
    for (std::uint64_t i = 0; i < width(d); ++i) append(runs, d + 1, base + i * frame_.step(d));
  }

  const Frame& frame_;
  Corner low_;
  Corner high_;
  std::size_t last_;  ///< dimension along which a row extends
};

template <class T>
std::vector<T> list_of(std::uint64_t items) {
  if (items > std::vector<T>().max_size())
    throw Error(ErrorKind::limit, fmt::format("a list of {} items does not fit in memory", items));
  return large_vector<T>(static_cast<std::size_t>(items));
}

template <class Visit>
void for_each_run(const Selection& selection, Visit visit) {
  for (Cursor cursor(selection); !cursor.done();) {
    const RunPattern p = cursor.pattern();
    for (std::uint64_t i = 0; i < p.count; ++i) visit(Run{p.start + i * p.stride, p.length});
    cursor.advance(p.length * p.count);
  }
}

/// Calls `visit(first, length)` for the part of a run in every row, with the coordinates of its first
/// element. The coordinates are computed only when the row changes.
template <class Visit>
void for_each_row_piece(const Selection& selection, Visit visit) {
  const Frame& frame = selection.frame();
  if (frame.rank() == 0) return;
  const std::uint64_t row_elements = frame.dims().back();
  std::array<std::uint64_t, max_rank> first{};
  std::uint64_t row_start = 0;
  for_each_run(selection, [&](Run run) {
    while (run.length != 0) {
      // This is also true before the row, because the difference wraps around.
      if (run.start - row_start >= row_elements) {
        frame.coordinates(run.start, first.data());
        row_start = run.start - first[frame.rank() - 1];
      }
      const std::uint64_t column = run.start - row_start;
      const std::uint64_t length = std::min(run.length, row_elements - column);
      first[frame.rank() - 1] = column;
      visit(first.data(), length);
      run.start += length;
      run.length -= length;
    }
  });
}

void set_bits(std::uint8_t* bits, Run run) {
  const auto ones = [](std::uint64_t n) { return (1u << n) - 1; };
  const std::uint64_t in_first = std::min(run.length, (8 - run.start % 8) % 8);
  bits[run.start / 8] |= static_cast<std::uint8_t>(ones(in_first) << run.start % 8);
  std::uint8_t* const whole = bits + (run.start + in_first) / 8;
  const std::uint64_t bytes = (run.length - in_first) / 8;
  std::memset(whole, 0xFF, bytes);
  if (const std::uint64_t rest = (run.length - in_first) % 8)
    whole[bytes] |= static_cast<std::uint8_t>(ones(rest));
}

/// The same elements as a set with the fewest blocks.
Selection merged(const Selection& selection) {
  using Kind = Selection::Kind;
  if (selection.kind() == Kind::points) return Selection::of_runs(selection.frame(), selection.runs());
  if (selection.kind() != Kind::regular) return selection;
  std::vector<SlabDimension> dims = selection.slab().dims();
  for (SlabDimension& d : dims) d = d.normalised();
  return Selection::regular(selection.frame(), std::move(dims));
}

}  // namespace

Selection from_coordinates(const Frame& frame, std::span<const std::uint64_t> coordinates) {
  return Selection::of_runs(frame, RunSet::of_offsets(offsets_of(frame, coordinates)));
}

Selection points_at(const Frame& frame, std::span<const std::uint64_t> coordinates) {
  return Selection::of_points(frame, offsets_of(frame, coordinates));
}

Selection from_columns(const Frame& frame, std::span<const std::span<const std::uint64_t>> columns) {
  if (columns.empty()) refuse("a scalar has no coordinates");
  require_size(columns.size(), frame.rank(), "columns of coordinates");
  for (std::size_t d = 1; d < columns.size(); ++d) {
    if (columns[d].size() != columns[0].size())
      refuse(fmt::format("column {} has {} coordinates, column 0 has {}", d, columns[d].size(),
                         columns[0].size()));
  }
  return Selection::of_runs(
      frame, RunSet::of_offsets(positions_at(frame, columns[0].size(),
                                             [&](std::size_t i, std::size_t d) { return columns[d][i]; })));
}

Selection from_offsets(const Frame& frame, std::span<const std::uint64_t> offsets) {
  const auto outside =
      std::ranges::find_if(offsets, [&](std::uint64_t at) { return at >= frame.elements(); });
  if (outside != offsets.end())
    refuse(fmt::format("element {} is at offset {} of an extent of {} elements", outside - offsets.begin(),
                       *outside, frame.elements()));
  return Selection::of_runs(frame, RunSet::of_offsets({offsets.begin(), offsets.end()}));
}

Selection from_mask(const Frame& frame, std::span<const std::uint8_t> mask) {
  require_size(mask.size(), frame.elements(), "bytes of mask");
  const auto words = packed(mask);
  return Selection::of_runs(frame, runs_of_bits(words.size(), [&](std::size_t i) { return words[i]; }));
}

Selection from_bitmap(const Frame& frame, std::span<const std::uint8_t> bits) {
  const std::uint64_t elements = frame.elements();
  require_size(bits.size(), elements / 8 + (elements % 8 != 0), "bytes of bitmap");
  const RunSet set = runs_of_bitmap(bits);
  const bool beyond = !set.empty() && set.edges().back() > elements;
  return Selection::of_runs(frame, beyond ? set.within({0, elements}) : set);
}

Selection from_boxes(const Frame& frame, std::span<const Bounds> boxes) {
  std::vector<std::uint64_t> blocks;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto& [low, high] = boxes[i];
    if (low.size() != frame.rank() || high.size() != frame.rank())
      refuse(fmt::format("box {} has {} and {} coordinates, the extent {} dimensions", i, low.size(),
                         high.size(), frame.rank()));
    blocks.insert(blocks.end(), low.begin(), low.end());
    blocks.insert(blocks.end(), high.begin(), high.end());
  }
  if (frame.rank() == 0 && !boxes.empty()) return Selection::regular(frame, {});
  return from_blocks(frame, blocks);
}

Selection from_blocks(const Frame& frame, std::span<const std::uint64_t> blocks, std::uint64_t rows_at_most) {
  if (blocks.empty()) return Selection::none(frame);
  const std::size_t rank = frame.rank();
  if (rank == 0 || blocks.size() % (2 * rank) != 0)
    refuse(fmt::format("{} coordinates do not make boxes of {} dimensions", blocks.size(), rank));
  const std::size_t boxes = blocks.size() / (2 * rank);
  const auto box = [&](std::size_t i) {
    return Box(frame, blocks.subspan(2 * i * rank, rank), blocks.subspan((2 * i + 1) * rank, rank));
  };
  for (std::size_t i = 0; i < boxes; ++i) box(i).require_inside(i);
  if (boxes == 1) return box(0).selection();
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < boxes; ++i) {
    const std::uint64_t more = box(i).rows();
    if (more > rows_at_most - rows)
      throw Error(ErrorKind::limit,
                  fmt::format("the boxes have more than {} rows, which is the limit", rows_at_most));
    rows += more;
  }
  std::vector<Run> runs;
  runs.reserve(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < boxes; ++i) box(i).append_rows_to(runs);
  return Selection::of_runs(frame, RunSet::of_runs(std::move(runs)));
}

Selection from_runs(const Frame& frame, std::span<const std::uint64_t> starts,
                    std::span<const std::uint64_t> lengths) {
  if (starts.size() != lengths.size())
    refuse(fmt::format("{} starts of runs and {} lengths", starts.size(), lengths.size()));
  std::vector<Run> runs(starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    runs[i] = {starts[i], lengths[i]};
    if (lengths[i] > frame.elements() || starts[i] > frame.elements() - lengths[i])
      refuse(fmt::format("run {} of {} elements from offset {} leaves the extent of {} elements", i,
                         lengths[i], starts[i], frame.elements()));
  }
  return Selection::of_runs(frame, RunSet::of_runs(std::move(runs)));
}

std::vector<std::uint64_t> to_coordinates(const Selection& selection) {
  const std::size_t rank = selection.frame().rank();
  auto coordinates =
      list_of<std::uint64_t>(checked_multiply(selection.elements(), rank, "the number of coordinates"));
  std::uint64_t* out = coordinates.data();
  for_each_row_piece(selection, [&](const std::uint64_t* first, std::uint64_t length) {
    for (std::uint64_t i = 0; i < length; ++i) {
      out = std::copy_n(first, rank, out);
      out[-1] += i;
    }
  });
  return coordinates;
}

std::vector<std::vector<std::uint64_t>> to_columns(const Selection& selection) {
  const std::size_t rank = selection.frame().rank();
  std::vector<std::vector<std::uint64_t>> columns(rank, list_of<std::uint64_t>(selection.elements()));
  std::size_t at = 0;
  for_each_row_piece(selection, [&](const std::uint64_t* first, std::uint64_t length) {
    for (std::size_t d = 0; d + 1 < rank; ++d) std::fill_n(columns[d].data() + at, length, first[d]);
    for (std::uint64_t i = 0; i < length; ++i) columns[rank - 1][at + i] = first[rank - 1] + i;
    at += length;
  });
  return columns;
}

namespace {

/// The number of runs that is worth a thread.
constexpr std::size_t part_runs = std::size_t{1} << 15;

/// Most runs are short and their lengths are unpredictable, so the first few offsets are written without a
/// branch.
void write_offsets(std::span<const std::uint64_t> edges, std::uint64_t* out, const std::uint64_t* end) {
  constexpr std::uint64_t few = 4;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const std::uint64_t start = edges[i], length = edges[i + 1] - start;
    if (length <= few && static_cast<std::uint64_t>(end - out) >= few) {
      for (std::uint64_t k = 0; k < few; ++k) out[k] = start + k;
    } else {
      for (std::uint64_t k = 0; k < length; ++k) out[k] = start + k;
    }
    out += length;
  }
}

}  // namespace

std::vector<std::uint64_t> to_offsets(const Selection& selection) {
  auto offsets = list_of<std::uint64_t>(selection.elements());
  if (selection.kind() == Selection::Kind::runs) {
    const RunSet set = selection.runs();
    const std::size_t parts = (set.runs() + part_runs - 1) / part_runs;
    const auto edges_of = [&](std::size_t i) {
      return set.edges().subspan(2 * i * part_runs,
                                 std::min(2 * part_runs, set.edges().size() - 2 * i * part_runs));
    };
    std::vector<std::uint64_t> starts(parts + 1, 0);
    for (std::size_t i = 0; i < parts; ++i) {
      std::uint64_t elements = 0;
      const auto edges = edges_of(i);
      for (std::size_t e = 0; e < edges.size(); e += 2) elements += edges[e + 1] - edges[e];
      starts[i + 1] = starts[i] + elements;
    }
    Executor::default_executor().for_each(parts, [&](std::size_t i) {
      write_offsets(edges_of(i), offsets.data() + starts[i], offsets.data() + starts[i + 1]);
    });
    return offsets;
  }
  std::uint64_t* out = offsets.data();
  for_each_run(selection, [&](Run run) {
    for (std::uint64_t i = 0; i < run.length; ++i) *out++ = run.start + i;
  });
  return offsets;
}

std::vector<std::uint8_t> to_mask(const Selection& selection) {
  auto mask = list_of<std::uint8_t>(selection.frame().elements());
  for_each_run(selection, [&](Run run) { std::memset(mask.data() + run.start, 1, run.length); });
  return mask;
}

std::vector<std::uint8_t> to_bitmap(const Selection& selection) {
  const std::uint64_t elements = selection.frame().elements();
  auto bits = list_of<std::uint8_t>(elements / 8 + (elements % 8 != 0));
  for_each_run(selection, [&](Run run) { set_bits(bits.data(), run); });
  return bits;
}

std::vector<Bounds> to_boxes(const Selection& selection) {
  std::vector<Bounds> boxes;
  for_each_block(merged(selection), [&](auto low, auto high) {
    boxes.push_back({{low.begin(), low.end()}, {high.begin(), high.end()}});
    return true;
  });
  return boxes;
}

std::vector<Run> to_runs(const Selection& selection) {
  std::vector<Run> runs;
  for_each_run(selection, [&](Run run) {
    if (!runs.empty() && runs.back().end() == run.start) {
      runs.back().length += run.length;
    } else {
      runs.push_back(run);
    }
  });
  return runs;
}

}  // namespace filigree::space
