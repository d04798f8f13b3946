// SPDX-License-Identifier: Apache-2.0
//
// Chunks on their way between file, cache and memory. Only ChunkStore's own sources include this.
#pragma once

#include <algorithm>
#include <vector>

#include "base/executor.hpp"
#include "chunk/table/chunk_store.hpp"
#include "io/extent.hpp"
#include "io/stack/prefetched_header_file.hpp"
#include "space/box_partition.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

/// A chunk of which a request needs something that the cache does not have.
struct ChunkStore::Wanted {
  std::uint64_t chunk = 0;
  index::ChunkLocation location{};
  bool whole = false;
  bool direct = false;  ///< its runs go straight to the memory
  const space::ChunkPiece* piece = nullptr;
  ImagePointer image{};
};

/// A chunk on its way to the file.
struct ChunkStore::Outgoing {
  std::uint64_t chunk = 0;
  StoredChunk stored{};
  Bytes bytes{};  ///< of `stored`, of an image, or of a caller
  std::uint64_t stored_bytes = 0;
  bool whole = false;
  const space::ChunkPiece* piece = nullptr;
  index::ChunkLocation before{};
  Address address = Address::undefined;

  void set_bytes(Bytes all) {
    bytes = all;
    stored_bytes = all.size();
  }
};

inline StoredForm form_of(const index::ChunkLocation& location) {
  return {location.filter_mask, location.sections};
}

/// For a writer, which is alone with the file: nobody else looks at an image of its chunks.
inline ChunkImage& own(const ImagePointer& image) { return const_cast<ChunkImage&>(*image); }

/// Runs `work(i)` for every i below `count`, on all cores where that is allowed.
template <class Work>
void for_each(std::size_t count, bool parallel, Work work) {
  if (!parallel || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  // Several at a time: taking one costs more than the work on a small chunk.
  const std::size_t at_once = std::max<std::size_t>(1, std::min<std::size_t>(64, count / 64));
  Executor::default_executor().for_each((count + at_once - 1) / at_once, [&](std::size_t block) {
    for (std::size_t i = block * at_once; i < std::min(count, (block + 1) * at_once); ++i) work(i);
  });
}

/// Shorter runs of a whole chunk are cheaper to copy than to ask the system for.
inline constexpr std::uint64_t least_direct_bytes = 16u << 10;

/// What a core works on at a time.
struct BatchSize {
  /// Less is not worth another core.
  std::uint64_t least_bytes = std::uint64_t{128} << 10;
  /// Large enough for one request to the system, small enough for the cache of the core.
  std::uint64_t most_bytes = std::uint64_t{512} << 10;
  std::uint64_t for_each_thread = 1;  ///< as many batches at least, unless they would be too small
};
/// Writers of one file wait for each other in the system, where few long writes cost less than many: the
/// pages of a file come in larger pieces.
inline constexpr BatchSize written_batch{std::uint64_t{512} << 10, std::uint64_t{4} << 20, 4};

/// Of a file that is far away; bounds the memory, as groups of chunks do.
inline constexpr BatchSize far_batch{std::uint64_t{64} << 20, std::uint64_t{64} << 20, 1};

/// Runs `work(items)` on stretches of items, of `weigh(item)` bytes each, on all cores where that is allowed.
template <class Item, class Weigh, class Work>
void for_each_batch(std::span<Item> items, bool parallel, Weigh weigh, Work work,
                    const BatchSize& size = {}) {
  if (items.empty()) return;
  std::uint64_t all_bytes = 0;
  for (const Item& item : items) all_bytes += std::min(weigh(item), size.most_bytes);
  const std::uint64_t batch_bytes =
      std::clamp(all_bytes / (size.for_each_thread * Executor::default_executor().threads()),
                 size.least_bytes, size.most_bytes);
  std::vector<std::size_t> starts;
  std::uint64_t bytes = batch_bytes;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::uint64_t more = weigh(items[i]);
    if (bytes >= batch_bytes || more > batch_bytes - bytes) {
      starts.push_back(i);
      bytes = 0;
    }
    bytes += std::min(more, batch_bytes);
  }
  starts.push_back(items.size());
  const auto one = [&](std::size_t i) { work(items.subspan(starts[i], starts[i + 1] - starts[i])); };
  if (parallel) return Executor::default_executor().for_each(starts.size() - 1, one);
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) one(i);
}

/// Lengthens the last extent where file and memory both go on.
inline void add_extent(std::vector<io::WriteExtent>& extents, std::uint64_t offset, Bytes from) {
  if (!extents.empty()) {
    auto& last = extents.back();
    if (last.offset + last.from.size() == offset && last.from.data() + last.from.size() == from.data()) {
      last.from = {last.from.data(), last.from.size() + from.size()};
      return;
    }
  }
  extents.push_back({offset, from});
}

inline void add_extent(std::vector<io::ReadExtent>& extents, std::uint64_t offset, MutableBytes into) {
  if (!extents.empty()) {
    auto& last = extents.back();
    if (last.offset + last.into.size() == offset && last.into.data() + last.into.size() == into.data()) {
      last.into = {last.into.data(), last.into.size() + into.size()};
      return;
    }
  }
  extents.push_back({offset, into});
}

/// Calls `work(pieces)` for one group of chunks after the other, until it says no; tells whether it never
/// did.
template <class Work>
bool ChunkStore::for_each_group(const space::Selection& file, const space::Selection& memory,
                                Work work) const {
  std::vector<space::ChunkPiece> pieces;
  const std::size_t most = chunks_at_a_time();
  if (auto box = space::BoxPartition::find(*grid_, file, memory)) {
    while (box->next_batch(most, pieces))
      if (!work(Pieces(pieces))) return false;
    return true;
  }
  space::ParallelPartition partition(*grid_, file, memory);
  while (partition.next_batch(pieces)) {
    for (std::size_t first = 0; first < pieces.size(); first += most)
      if (!work(Pieces(pieces).subspan(first, std::min(most, pieces.size() - first)))) return false;
  }
  return true;
}

template <class Item, class Weigh, class Work>
void ChunkStore::for_each_request(std::span<Item> items, bool parallel, const BatchSize& size, Weigh weigh,
                                  Work work) const {
  const bool far = io::is_high_latency(store_.file().capabilities());
  for_each_batch(
      items, parallel && !far, weigh, [&](std::span<Item> some) { work(some, far && parallel); },
      far ? far_batch : size);
}

}  // namespace filigree::chunk
