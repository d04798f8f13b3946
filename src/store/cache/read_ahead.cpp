// SPDX-License-Identifier: Apache-2.0
#include "store/cache/read_ahead.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "io/virtual_file.hpp"

namespace filigree::store {
namespace {

/// The longest run of pages that one request reads ahead.
constexpr std::uint64_t most_run_pages = 256;

}  // namespace

ReadAhead::ReadAhead(const io::VirtualFile& file, io::MemoryType type, std::uint64_t first,
                     std::size_t budget_bytes)
    : file_(file),
      type_(type),
      first_(first),
      most_pages_(std::max<std::size_t>(2, budget_bytes / page_bytes)),
      run_pages_(std::clamp<std::uint64_t>(file.capabilities().coalescing.read_gap_bytes / page_bytes, 1,
                                           most_run_pages)) {}

std::optional<ReadAhead::Page> ReadAhead::find(std::uint64_t number) {
  const MutexLock lock(mutex_);
  const std::size_t* const slot = by_number_.find(to_address(number));
  if (slot == nullptr) return std::nullopt;
  slots_[*slot].used = true;
  return slots_[*slot].page;
}

void ReadAhead::keep(std::uint64_t number, const Page& page) {
  const MutexLock lock(mutex_);
  if (by_number_.find(to_address(number)) != nullptr) return;  // another thread was faster
  std::size_t slot = slots_.size();
  if (slot < most_pages_) {
    slots_.emplace_back();
  } else {
    while (slots_[hand_].used) {
      slots_[hand_].used = false;
      hand_ = (hand_ + 1) % slots_.size();
    }
    slot = hand_;
    hand_ = (hand_ + 1) % slots_.size();
    by_number_.erase(to_address(slots_[slot].number));
  }
  slots_[slot] = {page, number, false};
  *by_number_.try_emplace(to_address(number)).first = slot;
}

void ReadAhead::drop(std::size_t slot) {
  by_number_.erase(to_address(slots_[slot].number));
  if (slot + 1 < slots_.size()) {
    slots_[slot] = std::move(slots_.back());
    *by_number_.find(to_address(slots_[slot].number)) = slot;
  }
  slots_.pop_back();
  if (hand_ >= slots_.size()) hand_ = 0;
}

bool ReadAhead::held(std::uint64_t number) {
  const MutexLock lock(mutex_);
  return by_number_.find(to_address(number)) != nullptr;
}

ReadAhead::Run ReadAhead::allocate_run(std::uint64_t first, std::uint64_t pages) const {
  const std::uint64_t offset = first_ + first * page_bytes;
  const std::uint64_t end = file_.end_of_file(type_);
  Run run{first, pages};
  run.size = offset < end ? std::min(pages * page_bytes, end - offset) : 0;
  run.bytes = std::make_shared_for_overwrite<std::byte[]>(run.size);
  return run;
}

void ReadAhead::keep(const Run& run) {
  for (std::uint64_t i = 0; i == 0 || i * page_bytes < run.size; ++i) {
    const std::size_t at = i * page_bytes;
    keep(run.first + i, {{run.bytes, run.bytes.get() + at}, std::min(page_bytes, run.size - at)});
  }
}

ReadAhead::Page ReadAhead::page(std::uint64_t number) {
  if (auto found = find(number)) return std::move(*found);
  std::uint64_t pages = 1;
  while (pages < run_pages_ && !held(number + pages)) ++pages;
  const Run run = allocate_run(number, pages);
  file_.read(first_ + number * page_bytes, MutableBytes(run.bytes.get(), run.size));
  keep(run);
  return {run.bytes, std::min(page_bytes, run.size)};
}

void ReadAhead::prefetch(std::span<const std::uint64_t> offsets) {
  if (!file_.capabilities().concurrent) return;
  std::vector<std::uint64_t> numbers;
  // A structure that begins near the end of a page continues in the next one.
  const std::uint64_t reach = run_pages_ > 1 ? 4096 : 512;
  const std::uint64_t end = file_.end_of_file(type_);
  for (const std::uint64_t offset : offsets) {
    if (offset < first_) continue;
    numbers.push_back((offset - first_) / page_bytes);
    if (end > offset && end - offset >= reach) numbers.push_back((offset + reach - 1 - first_) / page_bytes);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::erase_if(numbers, [this](std::uint64_t number) { return held(number); });
  // More pages than this would evict each other.
  numbers.resize(std::min(numbers.size(), most_pages_ / 2));
  std::vector<Run> runs;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t next = i + 1;
    while (next < numbers.size() && numbers[next] == numbers[i] + (next - i)) ++next;
    Run run = allocate_run(numbers[i], next - i);
    if (run.size > 0) runs.push_back(std::move(run));
    i = next;
  }
  std::vector<io::ReadExtent> extents;
  for (const Run& run : runs)
    extents.push_back({first_ + run.first * page_bytes, MutableBytes(run.bytes.get(), run.size), type_});
  try {
    file_.read(extents);
  } catch (const Error&) {
    return;
  }
  for (const Run& run : runs) keep(run);
}

void ReadAhead::read(std::uint64_t offset, MutableBytes into) {
  // A read of whole pages gains nothing from caching them.
  if (into.size() >= 2 * page_bytes) return file_.read(offset, into);
  while (!into.empty()) {
    const std::uint64_t within = (offset - first_) % page_bytes;
    const Page source = page((offset - first_) / page_bytes);
    const std::size_t copied = std::min<std::uint64_t>(into.size(), page_bytes - within);
    if (within + copied > source.size) return file_.read(offset, into);  // the file grew since
    std::copy_n(source.bytes.get() + within, copied, into.begin());
    offset += copied;
    into = into.subspan(copied);
  }
}

void ReadAhead::invalidate(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  const MutexLock lock(mutex_);
  const std::uint64_t first = (offset - first_) / page_bytes;
  const std::uint64_t last = (offset - first_ + bytes - 1) / page_bytes;
  if (last - first >= slots_.size()) {
    for (std::size_t slot = slots_.size(); slot-- > 0;) {
      if (slots_[slot].number >= first && slots_[slot].number <= last) drop(slot);
    }
    return;
  }
  for (std::uint64_t number = first; number <= last; ++number) {
    if (const std::size_t* const slot = by_number_.find(to_address(number))) drop(*slot);
  }
}

}  // namespace filigree::store
