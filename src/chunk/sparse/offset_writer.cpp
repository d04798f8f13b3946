// SPDX-License-Identifier: Apache-2.0
//
// Offset write: prepare under the shared lock, commit under the exclusive lock if the dataset is
// unchanged.
//
//  1. The list is ascending, so the elements of a stripe are contiguous in it (see StripeGrid). Groups of
//     stripes are processed one after the other, each with about a million elements. A group is a
//     transaction of its own: readers may see some groups written and others not.
//  2. Datasets that allocate late, stripes of too many chunks and lists of 2^32 elements are written by
//     ChunkWriter, as a selection (write_by_chunks()). Steps 3 to 9 are for all others.
//
// StripeEncoder::encode(), under the shared lock, stripes on all cores:
//  3. Each linear offset is converted to a chunk of the stripe and an offset within that chunk; values
//     are converted to the file's type. Both are sorted by chunk, in one pass where there is memory for
//     it.
//  4. If the stripe is inside of `covered`, no other elements of it are expected soon. Chunks of it that
//     exist neither in the cache nor in the index are encoded directly from the sorted elements, without
//     a decoded chunk. They will bypass the cache.
//  5. Elements of all other chunks are noted as `rest`.
//
// The commit, under the exclusive lock:
//  6. ExclusiveAccess::run() has checked that the dataset was neither resized nor reopened since step 3.
//     If it was, write() returns false and the caller starts again.
//  7. Another writer may have created some of the chunks meanwhile. The encoded chunks would drop its
//     elements, so all chunks are looked up again. If one exists, nothing is committed.
//  8. Otherwise the chunks are allocated, written and entered into the index by ChunkTable::commit().
//
// After the commit, under the shared lock again:
//  9. The rest is written by ChunkWriter, which merges it into the existing chunks. If step 7 found a
//     chunk, the whole group is written that way.
//
// An error in step 8 leaves the index without the chunks that were not entered; their space is free
// again.
#include "chunk/sparse/offset_writer.hpp"

#include <algorithm>
#include <iterator>

#include "chunk/sparse/stripe_encoder.hpp"
#include "chunk/transfer/batches.hpp"
#include "chunk/transfer/chunk_writer.hpp"

namespace filigree::chunk {

template <class OrdinalAt>
bool OffsetWriter::write_by_chunks(std::span<const std::uint64_t> offsets, std::size_t count,
                                   OrdinalAt ordinal_at, const Values& values, ExclusiveAccess& access) {
  space::RunSetWriter in_file(count), in_memory(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t ordinal = ordinal_at(i);
    in_file.add({offsets[ordinal], 1});
    in_memory.add({ordinal, 1});
  }
  const auto file = space::Selection::of_runs(table_.grid().extent(), in_file.finish());
  const auto memory = space::Selection::of_runs(space::Frame({offsets.size()}), in_memory.finish());
  return ChunkWriter(table_).write(file, memory, values, true, access);
}

bool OffsetWriter::write(std::span<const std::uint64_t> offsets, space::Run covered, const Values& values,
                         ExclusiveAccess& access) {
  const StripeEncoder encoder(table_, offsets, covered, values);
  const auto write_range = [&](std::size_t first, std::size_t end) {
    return write_by_chunks(
        offsets, end - first, [&](std::size_t i) { return first + i; }, values, access);
  };
  if (table_.traits().allocates_late || encoder.chunks_per_stripe() > StripeEncoder::most_stripe_chunks ||
      offsets.size() >> 32 != 0)
    return write_range(0, offsets.size());
  for (std::size_t first = 0, begin = 0; (begin = first) < offsets.size();) {
    auto group = encoder.next_group(first);
    for_each(group.size(), true, [&](std::size_t i) { encoder.encode(group[i]); });
    std::vector<PendingWrite> writes;
    std::vector<std::size_t> rest;
    for (EncodedStripe& stripe : group) {
      std::ranges::move(stripe.writes, std::back_inserter(writes));
      rest.insert(rest.end(), stripe.rest.begin(), stripe.rest.end());
    }
    bool is_outdated = false;
    const auto commit = [&] {
      is_outdated = encoder.any_exists(writes);
      if (is_outdated) return;
      table_.commit(writes);
      table_.cache().count_bypass(writes.size());
    };
    if (!writes.empty() && !access.run(commit)) return false;
    const auto write_rest = [&] {
      return write_by_chunks(
          offsets, rest.size(), [&](std::size_t i) { return rest[i]; }, values, access);
    };
    if (is_outdated ? !write_range(begin, first) : !rest.empty() && !write_rest()) return false;
  }
  return true;
}

}  // namespace filigree::chunk
