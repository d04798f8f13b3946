// SPDX-License-Identifier: Apache-2.0
//
// Encodes listed elements as chunks, stripe by stripe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chunk/sparse/stripe_grid.hpp"
#include "chunk/table/chunk_table.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// The elements of a list that belong to one stripe, and the chunks that were made of them.
struct EncodedStripe {
  StripeGrid::Stripe range;
  std::size_t first = 0, end = 0;      ///< ordinals in the list
  std::vector<PendingWrite> writes{};  ///< new chunks, encoded
  std::vector<std::size_t> rest{};     ///< ordinals of elements whose chunks exist already or are not covered
};

/// *Thread safety*: any number of threads, each with its own stripe, under the shared lock.
class StripeEncoder {
 public:
  /// *Requires*: ascending offsets; the format has an OffsetCodec. See OffsetWriter::write().
  StripeEncoder(const ChunkTable& table, std::span<const std::uint64_t> offsets, space::Run covered,
                const Values& values);

  /// Stripes of more chunks than that are not split in memory.
  static constexpr std::uint64_t most_stripe_chunks = std::uint64_t{1} << 16;
  std::uint64_t chunks_per_stripe() const { return grid_.chunks(); }

  /// The next stripes from `first` on, with enough elements to be worth a parallel step. Advances `first`.
  std::vector<EncodedStripe> next_group(std::size_t& first) const;
  /// Sorts the elements of a stripe into its chunks and encodes the new ones.
  void encode(EncodedStripe& stripe) const;
  /// Whether some of the chunks exist, in cache or index.
  bool any_exists(std::span<const PendingWrite> writes) const;

 private:
  /// The elements of a stripe, sorted by chunk.
  struct SortedElements {
    std::span<const std::uint32_t> starts, ends;  ///< of each chunk in the lists
    std::span<const std::uint32_t> offsets;       ///< within the chunk
    Bytes values;
  };

  const std::byte* in_file_type(const EncodedStripe& stripe, std::span<std::byte> buffer) const;
  std::vector<char> exist(std::span<const std::uint64_t> chunks) const;
  std::vector<std::uint64_t> encode_new(EncodedStripe& stripe, const SortedElements& sorted) const;

  const ChunkTable& table_;
  const OffsetCodec& codec_;
  std::span<const std::uint64_t> offsets_;
  const space::Run covered_;
  const Values& values_;
  const StripeGrid grid_;
};

}  // namespace filigree::chunk
