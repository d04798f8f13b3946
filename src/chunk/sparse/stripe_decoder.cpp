// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/stripe_decoder.hpp"

#include <cstring>

#include "chunk/format/ordinal_set.hpp"
#include "chunk/sparse/chunk_rows.hpp"

namespace filigree::chunk {
namespace {

/// Bytes after the values, so that a few may be copied without a branch on their number.
constexpr std::size_t slack = 16;

/// Copies so many bytes, and perhaps some of the slack.
void copy_few(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes <= slack) {
    std::memcpy(to, from, slack);
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// The runs of more adjacent chunks are cheaper to merge than to visit row by row.
constexpr std::size_t most_adjacent = 64;

}  // namespace

void StripeDecoder::decode(Stripe& stripe, const space::Bounds* box, const Values* values) const {
  const space::ChunkGrid& grid = table_.grid();
  std::vector<ChunkHits> hits;
  Buffer found_values;
  std::uint64_t elements = 0;
  for (const CandidateChunk& one : stripe.chunks) {
    const StoredChunkView stored = view_of(one.location, one.bytes, table_.geometry().edge(one.chunk));
    DecodedChunkPointer decoded = one.decoded;
    if (!decoded && values != nullptr) decoded = table_.format().decode(stored);
    const space::RunSet all = decoded ? defined_.defined(*decoded) : defined_.decode_defined(stored);
    const space::RunSet part =
        box == nullptr ? all : elements_in_box(grid.chunk(), all, box_in_chunk(grid, one.at, *box));
    hits.push_back({part, elements});
    elements += part.elements();
    if (values == nullptr) continue;
    append_values(*decoded, all, part, *values, found_values);
    // A read of everything is not likely to be repeated soon.
    if (box != nullptr && !one.decoded) table_.cache().put(table_.key(one.chunk), std::move(decoded), false);
  }
  found_values.resize(found_values.size() + slack);
  const std::size_t element_bytes = values == nullptr ? 0 : values->element_bytes;
  if (are_rows_in_order(grid) && hits.size() <= most_adjacent) {
    merge_rows(stripe, hits, found_values, element_bytes);
  } else {
    merge_runs(stripe, hits, found_values, element_bytes);
  }
}

void StripeDecoder::append_values(const DecodedChunk& decoded, const space::RunSet& all,
                                  const space::RunSet& part, const Values& values, Buffer& found) const {
  const std::size_t before = found.size(), stored_element_bytes = table_.traits().element_bytes;
  found.resize(before + static_cast<std::size_t>(part.elements()) * values.element_bytes);
  const auto spans =
      part == all ? std::vector<OrdinalSpan>{{0, 0, all.elements()}} : ordinal_spans(part, all);
  Buffer buffer;
  const Bytes stored = defined_.values(decoded, buffer);
  for (const OrdinalSpan& span : spans) {
    values.conversion.apply(
        {stored.data() + span.whole_ordinal * stored_element_bytes, stored_element_bytes,
         found.data() + before + span.part_ordinal * values.element_bytes, values.element_bytes, span.length},
        values.context);
  }
}

/// Merges the runs of all chunks by their offsets.
void StripeDecoder::merge_runs(Stripe& stripe, std::span<const ChunkHits> hits, Bytes values,
                               std::size_t element_bytes) const {
  std::vector<OffsetRun> runs;
  std::vector<std::size_t> ends{0};
  for (std::size_t i = 0; i < hits.size(); ++i) {
    append_offsets(table_.grid(), stripe.chunks[i].at, hits[i].elements, hits[i].first_ordinal, runs);
    ends.push_back(runs.size());
  }
  merge_offsets(runs, std::move(ends));
  space::RunSetWriter writer(runs.size());
  for (const OffsetRun& run : runs) writer.add({run.offset, run.length});
  stripe.offsets = writer.finish();
  if (element_bytes == 0) return;
  const auto bytes = static_cast<std::size_t>(stripe.offsets.elements()) * element_bytes;
  stripe.values.resize(bytes + slack);
  std::byte* to = stripe.values.data();
  for (const OffsetRun& run : runs) {
    copy_few(to, values.data() + run.ordinal * element_bytes, run.length * element_bytes);
    to += run.length * element_bytes;
  }
  stripe.values.resize(bytes);
}

/// The same where the chunks of the stripe alternate from row to row, which is much faster.
void StripeDecoder::merge_rows(Stripe& stripe, std::span<const ChunkHits> hits, Bytes values,
                               std::size_t element_bytes) const {
  const space::ChunkGrid& grid = table_.grid();
  std::vector<AdjacentChunk> adjacent;
  std::vector<const std::byte*> from;
  std::uint64_t elements = 0, runs = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    adjacent.push_back({stripe.chunks[i].at, hits[i].elements.edges()});
    from.push_back(values.data() + hits[i].first_ordinal * element_bytes);
    elements += hits[i].elements.elements();
    runs += hits[i].elements.runs();
  }
  if (element_bytes == 0) {
    if (auto offsets = offsets_of_rows(grid, adjacent)) {
      stripe.offsets = std::move(*offsets);
      return;
    }
  }
  stripe.values.resize(static_cast<std::size_t>(elements) * element_bytes + slack);
  std::byte* to = stripe.values.data();
  space::RunSetWriter writer(runs);
  for_each_row(grid, adjacent, [&](std::size_t i, space::Run run, std::uint64_t kept) {
    if (kept != 0) {
      writer.add({run.start, kept});
      copy_few(to, from[i], kept * element_bytes);
      to += kept * element_bytes;
    }
    from[i] += run.length * element_bytes;
  });
  stripe.offsets = writer.finish();
  stripe.values.resize(static_cast<std::size_t>(to - stripe.values.data()));
}

}  // namespace filigree::chunk
