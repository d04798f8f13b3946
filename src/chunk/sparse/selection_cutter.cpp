// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/selection_cutter.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

/// Finds chunks among the candidates of a stripe. Mostly the next one is wanted, or the first one again.
class ChunkFinder {
 public:
  explicit ChunkFinder(std::span<const CandidateChunk> chunks) : chunks_(chunks) {}
  /// The index of a chunk; the number of candidates if it is none.
  std::size_t find(std::uint64_t chunk) {
    if (last_ + 1 < chunks_.size() && chunks_[last_ + 1].chunk == chunk) return ++last_;
    if (last_ < chunks_.size() && chunks_[last_].chunk == chunk) return last_;
    const auto at = std::ranges::lower_bound(chunks_, chunk, {}, &CandidateChunk::chunk);
    if (at == chunks_.end() || at->chunk != chunk) return chunks_.size();
    return last_ = static_cast<std::size_t>(at - chunks_.begin());
  }

 private:
  std::span<const CandidateChunk> chunks_;
  std::size_t last_ = 0;
};

}  // namespace

std::vector<SelectedPart> SelectionCutter::cut(Stripe& stripe) const {
  const StripeGrid::Stripe range = grid_.stripe_of_chunk(stripe.chunks.front().chunk);
  StripeGrid::Finder rows(grid_);
  ChunkFinder chunks(stripe.chunks);
  std::vector<SelectedPart> parts;
  for (std::size_t i = selected_.find(range.first_offset);
       i < selected_.runs() && selected_.run(i).start < range.end_offset; ++i) {
    const std::uint64_t end = std::min(selected_.run(i).end(), range.end_offset);
    for (std::uint64_t at = std::max(selected_.run(i).start, range.first_offset); at < end;) {
      const auto [first, most] = rows.find_part(at - range.first_offset);
      const std::uint64_t length = std::min(most, end - at);
      const std::size_t chunk = chunks.find(range.first_chunk + first.chunk);
      if (chunk < stripe.chunks.size()) {
        stripe.chunks[chunk].wanted.push_back({first.offset, length});
        parts.push_back({chunk, at - first.offset});
      }
      at += length;
    }
  }
  for (CandidateChunk& one : stripe.chunks) one.is_skipped = one.wanted.empty();
  return parts;
}

std::uint64_t SelectionCutter::most_parts(const ChunkTable& table, std::uint64_t runs,
                                          std::uint64_t elements) {
  const StripeGrid grid(table.grid());
  const std::uint64_t narrow = std::max<std::uint64_t>(1, std::min(grid.width(), grid.row_elements()));
  // A run has a part for each row and each chunk that it covers, and one at each end.
  const std::uint64_t most = ~std::uint64_t{0};
  return try_add(try_multiply(2, runs).value_or(most), try_multiply(2, elements / narrow).value_or(most))
      .value_or(most);
}

}  // namespace filigree::chunk
