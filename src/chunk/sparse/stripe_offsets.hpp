// SPDX-License-Identifier: Apache-2.0
//
// The defined elements of a stripe as a list of offsets, without run sets in between.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "chunk/sparse/candidate_chunks.hpp"
#include "chunk/sparse/offset_reader.hpp"
#include "chunk/sparse/stripe_decoder.hpp"
#include "chunk/sparse/stripe_grid.hpp"

namespace filigree::chunk {

/// Lists the elements of stripes in the order of the extent.
///
/// *Thread safety*: any number of threads, each with its own stripe, under the shared lock.
class StripeOffsets {
 public:
  /// *Requires*: the format has an OffsetCodec.
  StripeOffsets(const ChunkTable& table, const Values& values, const IndexFormat& indices);

  /// An upper bound of the elements that a chunk defines; empty if what it declares is not plausible.
  std::optional<std::uint64_t> declared_elements(const CandidateChunk& one) const;

  /// Lists the elements of a stripe in `to`, which has space for `declared` elements; returns their number.
  /// *Throws* Error(corrupt) if there are more.
  std::uint64_t list(Stripe& stripe, std::uint64_t declared, const OffsetBuffers& to) const;

 private:
  /// How far the elements of a chunk have been taken. Sentinels follow its offsets, slack its values.
  struct Cursor {
    const std::uint32_t* offset;
    const std::byte* value;
    const std::uint64_t* words = nullptr;  ///< the bitmap of its elements, if it is one
    std::size_t left = 0;                  ///< values; counted only for bitmaps
  };
  /// Where listed elements go.
  template <class Number>
  struct Output {
    Number* next;
    Number* end;
    std::byte* values;
  };
  /// What is listed for the first element of a row: its offset, or its column.
  std::uint64_t index_of_row(std::uint64_t offset) const {
    return indices_.has_columns() ? offset % columns_ : offset;
  }
  /// Counts elements of the row at an offset. Several stripes may have parts of one row.
  void count_row(std::uint64_t offset, std::uint64_t elements) const {
    if (indices_.has_columns() && elements != 0)
      std::atomic_ref(indices_.row_counts[offset / columns_]).fetch_add(elements, std::memory_order_relaxed);
  }

  std::uint64_t list_runs(Stripe& stripe, std::uint64_t declared, const OffsetBuffers& to) const;
  /// Converts a bitmap to a list.
  void expand(ChunkElements& elements) const;
  /// Removes elements outside of the extent.
  void clip(const CandidateChunk& one, ChunkElements& elements) const;
  std::uint64_t merge(const Stripe& stripe, std::span<ChunkElements> found, bool all_bitmaps,
                      std::uint64_t declared, const OffsetBuffers& to) const;
  template <class Number, class Size>
  void merge_bitmaps(const StripeGrid::Stripe& range, std::span<Cursor> cursors, Output<Number> to,
                     Size size) const;
  /// Returns the number of elements.
  template <class Number, class Size>
  std::size_t append_word(std::uint64_t index, std::uint64_t bits, Cursor& from, Output<Number>& to,
                          Size size) const;
  template <class Number, class Size>
  void merge_lists(const StripeGrid::Stripe& range, std::span<Cursor> cursors, Output<Number> to,
                   Size size) const;
  Buffer converted(Buffer stored, std::size_t elements) const;

  const ChunkTable& table_;
  const OffsetCodec& codec_;
  const StripeDecoder decoder_;
  const Values& values_;
  const IndexFormat indices_;
  const std::uint64_t columns_;  ///< of the extent
  const StripeGrid grid_;
  Buffer no_values_;  ///< the values of chunks without elements
};

}  // namespace filigree::chunk
