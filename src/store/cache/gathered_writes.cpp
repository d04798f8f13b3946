// SPDX-License-Identifier: Apache-2.0
#include "store/cache/gathered_writes.hpp"

#include <algorithm>
#include <cstring>

namespace filigree::store {

void GatheredWrites::add(std::uint64_t offset, Bytes bytes, std::uint64_t file_end, Write write) {
  const MutexLock lock(mutex_);
  const std::uint64_t at = offset - start_;  // wraps around for a write before the gathered bytes
  const bool continues =
      !bytes_.empty() && offset >= start_ && at <= bytes_.size() && at + bytes.size() <= capacity_;
  if (!continues) {
    write_all(write);
    if (bytes_.capacity() < capacity_) bytes_.reserve(capacity_);
    start_ = offset;
    from_ = std::min(offset, file_end);
    bytes_.assign(bytes.begin(), bytes.end());
    any_ = !bytes_.empty();
    return;
  }
  bytes_.resize(std::max(bytes_.size(), at + bytes.size()));
  std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(at));
}

bool GatheredWrites::find(std::uint64_t offset, MutableBytes into) const {
  if (!any()) return false;
  const MutexLock lock(mutex_);
  if (offset < start_ || offset - start_ > bytes_.size() || bytes_.size() - (offset - start_) < into.size())
    return false;
  std::memcpy(into.data(), bytes_.data() + (offset - start_), into.size());
  return true;
}

void GatheredWrites::settle(std::uint64_t offset, std::uint64_t bytes, Write write) {
  if (!any()) return;
  const MutexLock lock(mutex_);
  const bool is_after = offset >= start_ + bytes_.size();
  const bool is_before = offset < from_ && bytes <= from_ - offset;
  if (!is_after && !is_before) write_all(write);
}

void GatheredWrites::settle(Write write) {
  if (!any()) return;
  const MutexLock lock(mutex_);
  write_all(write);
}

void GatheredWrites::write_all(Write write) {
  if (bytes_.empty()) return;
  write(start_, bytes_);
  bytes_.clear();
  any_ = false;
}

}  // namespace filigree::store
