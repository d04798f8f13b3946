// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/stripe_offsets.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/sparse/fixed_size.hpp"

namespace filigree::chunk {
namespace {

/// Limits of the parts of rows that are visited: a constant, and so many for each element.
constexpr std::uint64_t most_row_parts = std::uint64_t{1} << 16, row_parts_per_element = 16;

constexpr std::uint64_t word_bits = 64;
/// Rows of more words are not visited bitmap by bitmap.
constexpr std::uint64_t most_row_words = 256;

/// Elements of a row that are copied unconditionally.
constexpr std::size_t unrolled = 4;
/// Calls `work` with a null pointer to the type of numbers with so many bytes.
template <class Work>
void with_number(std::size_t bytes, Work work) {
  if (bytes == 4) return work(static_cast<std::uint32_t*>(nullptr));
  work(static_cast<std::uint64_t*>(nullptr));
}

/// Offsets that no element has.
constexpr std::array<std::uint32_t, unrolled> sentinels{~std::uint32_t{0}, ~std::uint32_t{0},
                                                        ~std::uint32_t{0}, ~std::uint32_t{0}};

[[noreturn]] void refuse_count() {
  throw Error(ErrorKind::corrupt, "corrupt chunk: the numbers of its defined elements and values differ");
}

void check_declared(std::uint64_t elements, std::uint64_t declared) {
  if (elements > declared) throw Error(ErrorKind::corrupt, "chunks define more elements than they declare");
}

}  // namespace

StripeOffsets::StripeOffsets(const ChunkTable& table, const Values& values, const IndexFormat& indices)
    : table_(table),
      codec_(*table.format().offset_codec()),
      decoder_(table),
      values_(values),
      indices_(indices),
      columns_(std::max<std::uint64_t>(1, table.grid().extent().dims().back())),
      grid_(table.grid()),
      no_values_(unrolled * values.element_bytes) {}

std::optional<std::uint64_t> StripeOffsets::declared_elements(const CandidateChunk& one) const {
  return chunk::declared_elements(table_, one);
}

std::uint64_t StripeOffsets::list(Stripe& stripe, std::uint64_t declared, const OffsetBuffers& to) const {
  const StripeGrid::Stripe range = grid_.stripe_of_chunk(stripe.chunks.front().chunk);
  // Where most elements are defined, runs are long.
  if (declared > (range.end_offset - range.first_offset) / 2 ||
      grid_.row_parts() > most_row_parts + row_parts_per_element * declared)
    return list_runs(stripe, declared, to);
  std::vector<ChunkElements> found;
  bool all_bitmaps =
      grid_.width() % word_bits == 0 && grid_.chunks_per_row() * grid_.width() <= most_row_words * word_bits;
  for (const CandidateChunk& one : stripe.chunks) {
    const ChunkEdge edge = table_.geometry().edge(one.chunk);
    found.push_back(one.decoded ? codec_.list_elements(*one.decoded)
                                : codec_.decode_elements(view_of(one.location, one.bytes, edge)));
    all_bitmaps &= found.back().offsets.bits && edge == ChunkEdge::full;
  }
  if (!all_bitmaps) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      expand(found[i]);
      if (table_.geometry().edge(stripe.chunks[i].chunk) == ChunkEdge::partial)
        clip(stripe.chunks[i], found[i]);
    }
  }
  return merge(stripe, found, all_bitmaps, declared, to);
}

/// By way of run sets, whose cost depends on the number of runs.
std::uint64_t StripeOffsets::list_runs(Stripe& stripe, std::uint64_t declared,
                                       const OffsetBuffers& to) const {
  decoder_.decode(stripe, nullptr, &values_);
  const std::uint64_t elements = stripe.offsets.elements();
  check_declared(elements, declared);
  with_number(indices_.bytes, [&](auto* number) {
    using Number = std::remove_pointer_t<decltype(number)>;
    auto* next = static_cast<Number*>(to.offsets);
    for (std::size_t i = 0; i < stripe.offsets.runs(); ++i) {
      for (space::Run run = stripe.offsets.run(i); run.length > 0;) {
        const std::uint64_t length = std::min(run.length, columns_ - run.start % columns_);
        const std::uint64_t first = index_of_row(run.start);
        for (std::uint64_t k = 0; k < length; ++k) *next++ = static_cast<Number>(first + k);
        count_row(run.start, length);
        run = {run.start + length, run.length - length};
      }
    }
  });
  std::ranges::copy(stripe.values, to.values);
  stripe.offsets = {};
  stripe.values = {};
  return elements;
}

void StripeOffsets::expand(ChunkElements& elements) const {
  const std::size_t values = elements.values.size() / table_.traits().element_bytes;
  elements.offsets = {std::nullopt, filter::listed(std::move(elements.offsets), values)};
  if (elements.offsets.list.size() != values) refuse_count();
}

void StripeOffsets::clip(const CandidateChunk& one, ChunkElements& elements) const {
  std::vector<std::uint32_t>& offsets = elements.offsets.list;
  const space::Frame &chunk = table_.grid().chunk(), &extent = table_.grid().extent();
  const std::size_t size = table_.traits().element_bytes;
  std::array<std::uint64_t, space::max_rank> at;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    chunk.coordinates(offsets[i], at.data());
    bool inside = true;
    for (std::size_t d = 0; d < chunk.rank(); ++d)
      inside &= one.at[d] * chunk.dims()[d] + at[d] < extent.dims()[d];
    if (!inside) continue;
    offsets[kept] = offsets[i];
    if (kept != i) std::memcpy(elements.values.data() + kept * size, elements.values.data() + i * size, size);
    ++kept;
  }
  offsets.resize(kept);
  elements.values.resize(kept * size);
}

std::uint64_t StripeOffsets::merge(const Stripe& stripe, std::span<ChunkElements> found, bool all_bitmaps,
                                   std::uint64_t declared, const OffsetBuffers& to) const {
  std::vector<Cursor> cursors(static_cast<std::size_t>(grid_.chunks()),
                              {sentinels.data(), no_values_.data()});
  const StripeGrid::Stripe range = grid_.stripe_of_chunk(stripe.chunks.front().chunk);
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ChunkElements& one = found[i];
    const std::size_t count = one.values.size() / table_.traits().element_bytes;
    elements += count;
    one.values = converted(std::move(one.values), count);
    one.values.resize(one.values.size() + unrolled * values_.element_bytes);
    Cursor& cursor = cursors[static_cast<std::size_t>(stripe.chunks[i].chunk - range.first_chunk)];
    cursor.value = one.values.data();
    if (all_bitmaps) {
      cursor.words = one.offsets.bits->all_words().data();
      cursor.left = count;
    } else {
      one.offsets.list.insert(one.offsets.list.end(), sentinels.begin(), sentinels.end());
      cursor.offset = one.offsets.list.data();
    }
  }
  check_declared(elements, declared);
  with_number(indices_.bytes, [&](auto* number) {
    using Number = std::remove_pointer_t<decltype(number)>;
    auto* const first = static_cast<Number*>(to.offsets);
    const Output<Number> output{first, first + elements, to.values};
    with_size(values_.element_bytes, [&](auto size) {
      if (all_bitmaps) {
        merge_bitmaps(range, cursors, output, size);
      } else {
        merge_lists(range, cursors, output, size);
      }
    });
  });
  return elements;
}

/// Word by word. Which words of a few rows have elements is unpredictable: they are found first, without a
/// branch for each.
template <class Number, class Size>
void StripeOffsets::merge_bitmaps(const StripeGrid::Stripe& range, std::span<Cursor> cursors,
                                  Output<Number> to, Size size) const {
  constexpr std::size_t most_rows = 16;
  const std::uint64_t row_elements = grid_.row_elements();
  const auto chunk_words = static_cast<std::uint32_t>(grid_.width() / word_bits);
  const auto chunks_per_row = static_cast<std::uint32_t>(grid_.chunks_per_row());
  struct Row {
    std::uint64_t offset, index, chunk, first_word;
  };
  std::array<Row, most_rows> rows;
  std::array<std::uint32_t, most_rows * most_row_words> found;  // row, and word of the row
  std::array<std::uint8_t, most_row_words> chunk_of_word;
  for (std::uint32_t i = 0; i < chunks_per_row * chunk_words; ++i)
    chunk_of_word[i] = static_cast<std::uint8_t>(i / chunk_words);
  StripeGrid::Finder finder(grid_);
  for (std::uint64_t next = range.first_offset; next < range.end_offset;) {
    std::size_t count = 0;
    for (std::uint32_t r = 0; r < most_rows && next < range.end_offset; ++r, next += row_elements) {
      const StripeGrid::ChunkOffset first = finder.find(next - range.first_offset);
      rows[r] = {next, index_of_row(next), first.chunk, first.offset / word_bits};
      for (std::uint32_t c = 0; c < chunks_per_row; ++c) {
        const std::uint64_t* words = cursors[first.chunk + c].words;
        if (words == nullptr) continue;
        words += rows[r].first_word;
        for (std::uint32_t i = 0; i < chunk_words; ++i) {
          found[count] = r << 16 | (c * chunk_words + i);
          count += words[i] != 0;
        }
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Row& row = rows[found[i] >> 16];
      const std::uint32_t word = found[i] & 0xffff, c = chunk_of_word[word];
      Cursor& cursor = cursors[row.chunk + c];
      const std::size_t taken =
          append_word(row.index + word * word_bits, cursor.words[row.first_word + (word - c * chunk_words)],
                      cursor, to, size);
      count_row(row.offset, taken);
    }
  }
  for (const Cursor& cursor : cursors)
    if (cursor.left != 0) refuse_count();
}

/// Appends the elements of one word of a bitmap; `index` is that of its lowest bit.
template <class Number, class Size>
std::size_t StripeOffsets::append_word(std::uint64_t index, std::uint64_t bits, Cursor& from,
                                       Output<Number>& to, Size size) const {
  Number* next = to.next;
  const bool has_slack = static_cast<std::size_t>(to.end - next) >= word_bits + unrolled;
  if (has_slack) {
    next = filter::note_bits<unrolled>(next, index, bits);
  } else {
    for (; bits != 0 && next != to.end; bits &= bits - 1)
      *next++ = static_cast<Number>(index + static_cast<unsigned>(std::countr_zero(bits)));
    if (bits != 0) refuse_count();
  }
  const auto taken = static_cast<std::size_t>(next - to.next);
  if (taken > from.left) refuse_count();
  if (taken <= unrolled && has_slack && size <= sizeof(std::uint64_t)) {
    std::memcpy(to.values, from.value, unrolled * size);
  } else {
    std::memcpy(to.values, from.value, taken * size);
  }
  to.next = next;
  to.values += taken * size;
  from.value += taken * size;
  from.left -= taken;
  return taken;
}

/// Row by row, and within a row from chunk to chunk. How many elements a chunk has in a row is unpredictable,
/// so a few are copied unconditionally, and count as far as they are in the row.
template <class Number, class Size>
void StripeOffsets::merge_lists(const StripeGrid::Stripe& range, std::span<Cursor> cursors, Output<Number> to,
                                Size size) const {
  const std::uint64_t row_elements = grid_.row_elements(), width = grid_.width();
  const std::uint64_t chunks_per_row = grid_.chunks_per_row();
  StripeGrid::Finder finder(grid_);
  Number* next = to.next;
  std::byte* values = to.values;
  for (std::uint64_t row = range.first_offset; row < range.end_offset; row += row_elements) {
    const StripeGrid::ChunkOffset begin = finder.find(row - range.first_offset);
    const std::uint64_t row_index = index_of_row(row);
    const Number* const row_begin = next;
    for (std::uint64_t c = 0; c < chunks_per_row; ++c) {
      Cursor& cursor = cursors[begin.chunk + c];
      const std::uint64_t row_end = begin.offset + width, first = row_index + c * width - begin.offset;
      std::size_t taken = unrolled;
      while (taken == unrolled) {
        const auto free = static_cast<std::size_t>(to.end - next);
        taken = 0;
        if (free >= unrolled && size <= sizeof(std::uint64_t)) {
          for (std::size_t k = 0; k < unrolled; ++k) {
            next[k] = static_cast<Number>(first + cursor.offset[k]);
            taken += cursor.offset[k] < row_end;
          }
          std::memcpy(values, cursor.value, unrolled * size);
        } else {
          for (; taken < std::min(unrolled, free) && cursor.offset[taken] < row_end; ++taken) {
            next[taken] = static_cast<Number>(first + cursor.offset[taken]);
            std::memcpy(values + taken * size, cursor.value + taken * size, size);
          }
        }
        next += taken;
        values += taken * size;
        cursor.offset += taken;
        cursor.value += taken * size;
      }
    }
    count_row(row, static_cast<std::uint64_t>(next - row_begin));
  }
  if (next != to.end) throw Error(ErrorKind::corrupt, "chunks define elements that they do not have");
}

Buffer StripeOffsets::converted(Buffer stored, std::size_t elements) const {
  if (values_.conversion.traits().copies) return stored;
  Buffer values(elements * values_.element_bytes);
  values_.conversion.apply(
      {stored.data(), table_.traits().element_bytes, values.data(), values_.element_bytes, elements},
      values_.context);
  return values;
}

}  // namespace filigree::chunk
