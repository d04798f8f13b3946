// SPDX-License-Identifier: Apache-2.0
#include "store/read_ahead.hpp"

#include <algorithm>

#include "io/virtual_file.hpp"

namespace filigree::store {

ReadAhead::ReadAhead(const io::VirtualFile& file, std::size_t budget_bytes)
    : file_(file), most_pages_(std::max<std::size_t>(2, budget_bytes / page_bytes)) {}

ReadAhead::Page ReadAhead::page(std::uint64_t number) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = pages_.find(number); found != pages_.end()) {
      by_recency_.splice(by_recency_.end(), by_recency_, found->second.recency);
      return found->second.page;
    }
  }
  const std::uint64_t offset = number * page_bytes;
  const std::uint64_t size = file_.size();
  Buffer bytes(offset < size ? std::min<std::uint64_t>(page_bytes, size - offset) : 0);
  file_.read(offset, bytes);
  auto page = std::make_shared<const Buffer>(std::move(bytes));

  const std::lock_guard lock(mutex_);
  const auto [place, added] = pages_.try_emplace(number);
  if (added) {
    place->second.page = page;
    place->second.recency = by_recency_.insert(by_recency_.end(), number);
    if (pages_.size() > most_pages_) {
      pages_.erase(by_recency_.front());
      by_recency_.pop_front();
    }
  }
  return page;
}

void ReadAhead::read(std::uint64_t offset, MutableBytes into) {
  // A read that fills pages by itself gains nothing from a copy of them.
  if (into.size() >= 2 * page_bytes) return file_.read(offset, into);
  while (!into.empty()) {
    const std::uint64_t within = offset % page_bytes;
    const Page source = page(offset / page_bytes);
    const std::size_t wanted = std::min<std::uint64_t>(into.size(), page_bytes - within);
    if (within + wanted > source->size()) return file_.read(offset, into);  // the file grew since
    std::copy_n(source->begin() + within, wanted, into.begin());
    offset += wanted;
    into = into.subspan(wanted);
  }
}

void ReadAhead::invalidate(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  const std::uint64_t first = offset / page_bytes;
  const std::uint64_t last = (offset + bytes - 1) / page_bytes;
  const auto drop = [this](auto slot) {
    by_recency_.erase(slot->second.recency);
    return pages_.erase(slot);
  };
  if (last - first >= pages_.size()) {
    for (auto slot = pages_.begin(); slot != pages_.end();) {
      slot = slot->first >= first && slot->first <= last ? drop(slot) : std::next(slot);
    }
    return;
  }
  for (std::uint64_t number = first; number <= last; ++number) {
    if (const auto slot = pages_.find(number); slot != pages_.end()) drop(slot);
  }
}

}  // namespace filigree::store
