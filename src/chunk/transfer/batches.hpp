// SPDX-License-Identifier: Apache-2.0
//
// Splitting the work on many chunks into batches: for cores, for requests to the file, for memory.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "chunk/table/chunk_table.hpp"
#include "io/extent.hpp"
#include "io/stack/prefetched_header_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

/// Runs `work(i)` for every i below `count`, on all cores if `parallel`.
template <class Work>
void for_each(std::size_t count, bool parallel, Work work) {
  if (!parallel || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  // Several items at a time: dispatching costs more than the work on a small chunk.
  const std::size_t block = std::max<std::size_t>(1, std::min<std::size_t>(64, count / 64));
  Executor::default_executor().for_each((count + block - 1) / block, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i) work(i);
  });
}

/// Shorter runs of a chunk that is transferred completely are cheaper to copy than to request separately.
inline constexpr std::uint64_t least_direct_bytes = 16u << 10;

/// How much a core works on at a time.
struct BatchSize {
  /// Smaller batches are not worth another core.
  std::uint64_t least_bytes = std::uint64_t{128} << 10;
  /// Large enough for one system call, small enough for the second-level cache.
  std::uint64_t most_bytes = std::uint64_t{512} << 10;
  std::uint64_t for_each_thread = 1;  ///< minimum number of batches, unless they became too small
};
/// For writes. The system serialises writers of one file, where few long writes cost less than many.
inline constexpr BatchSize written_batch{std::uint64_t{512} << 10, std::uint64_t{4} << 20, 4};

/// For files of high latency: one request for as much as memory allows.
inline constexpr BatchSize high_latency_batch{std::uint64_t{64} << 20, std::uint64_t{64} << 20, 1};

/// Runs `work(items)` on consecutive parts of the items, each of `weigh(item)` bytes; on all cores if
/// `parallel`.
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

/// As for_each_batch(), with `work(items, decode_parallel)` for each request to the file. Local files get a
/// request from each core; files of high latency get few large ones, whose results are decoded in parallel.
template <class Item, class Weigh, class Work>
void for_each_request(const store::FileStore& store, std::span<Item> items, bool parallel,
                      const BatchSize& size, Weigh weigh, Work work) {
  const bool is_slow = io::is_high_latency(store.file().capabilities());
  for_each_batch(
      items, parallel && !is_slow, weigh, [&](std::span<Item> some) { work(some, is_slow && parallel); },
      is_slow ? high_latency_batch : size);
}

/// Appends an extent, or lengthens the last one where both file and memory are contiguous.
/// Whether the elements of a piece are transferred without the rest of an unfiltered chunk, which the cache
/// could not keep. Very many short runs are cheaper to copy from the whole chunk.
inline bool transfers_elements_only(const ChunkTable& table, const space::ChunkPiece& piece, ChunkEdge edge) {
  constexpr std::uint64_t bytes_per_run = 64;
  const std::uint64_t chunk_bytes = table.traits().chunk_bytes;
  return table.format().unfiltered(edge) != nullptr && piece.run_count <= chunk_bytes / bytes_per_run &&
         !table.cache().can_hold(chunk_bytes);
}

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

}  // namespace filigree::chunk
