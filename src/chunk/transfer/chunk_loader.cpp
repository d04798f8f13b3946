// SPDX-License-Identifier: Apache-2.0
#include "chunk/transfer/chunk_loader.hpp"

#include <atomic>
#include <chrono>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/workspace.hpp"
#include "chunk/transfer/batches.hpp"
#include "io/virtual_file.hpp"
#include "space/box_partition.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

void ChunkLoader::load(std::span<PendingRead> reads, const Values* values) const {
  const std::uint64_t typical_bytes = table_.traits().format.typical_bytes;
  for_each_request(
      table_.store(), reads, true, {},
      [&](const PendingRead& read) { return std::max(typical_bytes, read.location.stored_bytes); },
      [&](std::span<PendingRead> batch, bool parallel) { load_batch(batch, values, parallel); });
}

/// Unfiltered chunks are read straight into their decoded form, all others into a workspace.
void ChunkLoader::load_batch(std::span<PendingRead> reads, const Values* values, bool parallel) const {
  std::vector<std::unique_ptr<DecodedChunk>> decoded(reads.size());
  std::vector<MutableBytes> bytes(reads.size());
  std::uint64_t staged = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::uint64_t stored_bytes = reads[i].location.stored_bytes;
    if (const UnfilteredLayout* const unfiltered = format_.unfiltered(reads[i].edge))
      decoded[i] = unfiltered->make_unread(stored_bytes, bytes[i]);
    if (!decoded[i]) staged += stored_bytes;
  }
  Workspace workspace;
  MutableBytes staging = workspace.allocate(static_cast<std::size_t>(staged));
  std::vector<io::ReadExtent> extents;
  extents.reserve(reads.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (!decoded[i]) {
      bytes[i] = staging.first(static_cast<std::size_t>(reads[i].location.stored_bytes));
      staging = staging.subspan(bytes[i].size());
    }
    extents.push_back({to_number(reads[i].location.address), bytes[i]});
  }
  table_.store().read_raw(Address{0}, extents);
  for_each(reads.size(), parallel, [&](std::size_t i) {
    PendingRead& read = reads[i];
    if (!decoded[i]) decoded[i] = format_.decode(view_of(read.location, bytes[i], read.edge, decoding_));
    read.decoded = std::move(decoded[i]);
    if (values != nullptr) format_.read(*read.decoded, space::PieceRuns(*read.piece).runs(), *values);
  });
}

// Prefetching.

std::vector<PendingRead> ChunkLoader::choose_prefetch(std::span<const PendingRead> reads) const {
  std::vector<PendingRead> prefetch;
  const FormatTraits& traits = table_.traits().format;
  const std::size_t threads = Executor::default_executor().threads();
  if (reads.empty() || reads.size() >= threads || !traits.slow_to_decode) return prefetch;
  // Other readers may want the checksums of these chunks to be verified.
  if (!decoding_.is_usual()) return prefetch;
  // Prefetching would compete for bandwidth with other requests.
  if (io::is_high_latency(table_.store().file().capabilities())) return prefetch;
  const std::uint64_t chunks = table_.geometry().chunks();
  const auto bytes = try_multiply(chunks, traits.typical_bytes);
  if (!bytes || !table_.cache().fits(chunks, *bytes)) return prefetch;
  std::vector<std::uint64_t> missed;
  for (const PendingRead& read : reads) missed.push_back(read.chunk);
  const auto chosen = table_.prefetcher().choose(missed, threads - reads.size());
  try {
    const auto locations = table_.locate(chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (is_valid(locations[i].address) && !table_.cache().contains(table_.key(chosen[i]))) {
        prefetch.push_back({chosen[i], locations[i], table_.geometry().edge(chosen[i]), false, nullptr, {}});
      } else {
        table_.prefetcher().cancel(chosen[i], false);
      }
    }
  } catch (const Error&) {
    // Whoever reads these chunks gets the error.
    prefetch.clear();
  }
  return prefetch;
}

/// Nothing outlives the call: writers, close and fork() never meet a prefetch in progress.
void ChunkLoader::load_and_prefetch(std::span<PendingRead> reads, const Values* values) const {
  std::vector<PendingRead> prefetch = choose_prefetch(reads);
  if (prefetch.empty()) return load(reads, values);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::atomic<std::size_t> missing = reads.size();
  Clock::time_point loaded;  // written by the thread that makes `missing` zero
  Executor::default_executor().for_each(reads.size() + prefetch.size(), [&](std::size_t i) {
    if (i < reads.size()) {
      load_batch(reads.subspan(i, 1), values, false);
      if (missing.fetch_sub(1) == 1) loaded = Clock::now();
      return;
    }
    // The reader has its chunks already, and must not wait for more.
    if (missing.load() == 0) return;
    try {
      load_batch(std::span(prefetch).subspan(i - reads.size(), 1), nullptr, false);
    } catch (const Error&) {
      // As above.
    }
  });
  keep_prefetched(prefetch, loaded - begin, Clock::now() - loaded);
}

void ChunkLoader::keep_prefetched(std::span<PendingRead> prefetched, Prefetcher::Duration work,
                                  Prefetcher::Duration wait) const {
  bool any = false;
  for (PendingRead& one : prefetched) {
    if (one.decoded) {
      any = true;
      table_.cache().put_prefetched(table_.key(one.chunk), std::move(one.decoded));
    } else {
      table_.prefetcher().cancel(one.chunk, true);
    }
  }
  if (any) table_.prefetcher().note_wait(work, wait);
}

}  // namespace filigree::chunk
