// SPDX-License-Identifier: Apache-2.0
#include "store/cache/raw_block.hpp"

#include <algorithm>
#include <cstring>

namespace filigree::store {
namespace {

/// The most reads that bypass the block after it was not kept.
constexpr unsigned most_bypasses = 1024;

}  // namespace

bool RawBlock::find(std::uint64_t offset, MutableBytes into) {
  if (offset < start_ || offset - start_ > block_.size() || block_.size() - (offset - start_) < into.size())
    return false;
  std::memcpy(into.data(), block_.data() + (offset - start_), into.size());
  return true;
}

void RawBlock::read(std::uint64_t offset, MutableBytes into, std::uint64_t end,
                    FunctionRef<void(std::uint64_t, MutableBytes)> load) {
  std::uint64_t start = 0;
  std::uint64_t writes = 0;
  bool near = false;
  {
    const MutexLock lock(mutex_);
    if (held_.load(std::memory_order_relaxed) && find(offset, into)) return;
    start = std::min(offset, missed_);
    near = offset + into.size() - start <= capacity_ && std::max(offset, missed_) - start < capacity_;
    missed_ = offset;
    if (near && bypasses_left_ > 0) {
      --bypasses_left_;
      near = false;
    }
    writes = writes_.load();
  }
  if (!near) return load(offset, into);
  Buffer block(std::min<std::uint64_t>(capacity_, end - start));
  load(start, block);
  std::memcpy(into.data(), block.data() + (offset - start), into.size());
  const MutexLock lock(mutex_);
  held_ = true;  // before the count is compared: a writer counts first, and then looks at the flag
  if (writes_.load() != writes) {
    held_ = !block_.empty();
    bypasses_ = std::min(2 * bypasses_ + 1, most_bypasses);
    bypasses_left_ = bypasses_;
    return;
  }
  bypasses_ = 0;
  start_ = start;
  block_.swap(block);
}

void RawBlock::write(std::uint64_t offset, Bytes bytes) {
  ++writes_;
  if (!held_.load()) return;
  const MutexLock lock(mutex_);
  const std::uint64_t from = std::max(offset, start_);
  const std::uint64_t to = std::min(offset + bytes.size(), start_ + block_.size());
  if (from < to) std::memcpy(block_.data() + (from - start_), bytes.data() + (from - offset), to - from);
}

void RawBlock::invalidate(std::uint64_t offset, std::uint64_t bytes) {
  ++writes_;
  if (!held_.load()) return;
  const MutexLock lock(mutex_);
  const bool is_after = offset >= start_ + block_.size();
  const bool is_before = offset < start_ && bytes <= start_ - offset;
  if (is_after || is_before) return;
  block_.clear();
  held_ = false;
}

}  // namespace filigree::store
