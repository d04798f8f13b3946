// SPDX-License-Identifier: Apache-2.0
//
// Chunks that idle cores decode while a small read waits for its own.
#include <atomic>
#include <chrono>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/table/chunk_store.hpp"
#include "chunk/transfer/chunk_parts.hpp"
#include "io/stack/prefetched_header_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

std::vector<ChunkStore::Wanted> ChunkStore::choose_ahead(std::span<const Wanted> wanted) const {
  std::vector<Wanted> ahead;
  const std::size_t threads = Executor::default_executor().threads();
  if (wanted.empty() || wanted.size() >= threads || !format_->slow_to_decode()) return ahead;
  if (io::is_high_latency(store_.file().capabilities())) return ahead;  // it would take the line from others
  const auto bytes = try_multiply(grid_->chunks().elements(), image_bytes_);
  if (!bytes || !cache_.has_room_for(grid_->chunks().elements(), *bytes)) return ahead;
  std::vector<std::uint64_t> missed;
  for (const Wanted& one : wanted) missed.push_back(one.chunk);
  const auto chosen = look_ahead_.choose(missed, threads - wanted.size());
  try {
    const auto locations = locate(chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (is_valid(locations[i].address) && !cache_.contains(key(chosen[i]))) {
        ahead.push_back({chosen[i], locations[i], whole(chosen[i]), false, nullptr, {}});
      } else {
        look_ahead_.give_up(chosen[i], false);
      }
    }
  } catch (const Error&) {
    // Who asks for these chunks will hear of it.
    ahead.clear();
  }
  return ahead;
}

/// Nothing outlives the call, so that writers, closing and forks meet nothing that they would not meet
/// anyway.
void ChunkStore::load_looking_ahead(std::span<Wanted> wanted, const Values* values) const {
  std::vector<Wanted> ahead = choose_ahead(wanted);
  if (ahead.empty()) return load(wanted, values);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  std::atomic<std::size_t> missing = wanted.size();
  Clock::time_point loaded;  // written by whoever makes `missing` zero
  Executor::default_executor().for_each(wanted.size() + ahead.size(), [&](std::size_t i) {
    if (i < wanted.size()) {
      load_batch(wanted.subspan(i, 1), values, false);
      if (missing.fetch_sub(1) == 1) loaded = Clock::now();
      return;
    }
    // The reader has what it asked for, and does not stay for more.
    if (missing.load() == 0) return;
    try {
      load_batch(std::span(ahead).subspan(i - wanted.size(), 1), nullptr, false);
    } catch (const Error&) {
      // As above.
    }
  });
  const Clock::time_point end = Clock::now();
  bool any = false;
  for (Wanted& one : ahead) {
    if (one.image) {
      any = true;
      cache_.put_ahead(key(one.chunk), std::move(one.image));
    } else {
      look_ahead_.give_up(one.chunk, true);
    }
  }
  if (any) look_ahead_.took(loaded - begin, end - loaded);
}

}  // namespace filigree::chunk
