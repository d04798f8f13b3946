// SPDX-License-Identifier: Apache-2.0
#include "store/read_ahead.hpp"

#include <algorithm>

#include "io/virtual_file.hpp"

namespace filigree::store {

ReadAhead::ReadAhead(const io::VirtualFile& file, io::MemoryType type, std::uint64_t first,
                     std::size_t budget_bytes)
    : file_(file), type_(type), first_(first), most_pages_(std::max<std::size_t>(2, budget_bytes / page_bytes)) {}

std::optional<ReadAhead::Page> ReadAhead::find(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const std::size_t* const slot = by_number_.find(to_address(number));
  if (slot == nullptr) return std::nullopt;
  slots_[*slot].used = true;
  return slots_[*slot].page;
}

void ReadAhead::keep(std::uint64_t number, const Page& page) {
  const std::lock_guard lock(mutex_);
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

ReadAhead::Page ReadAhead::page(std::uint64_t number) {
  if (auto held = find(number)) return std::move(*held);
  const std::uint64_t offset = first_ + number * page_bytes;
  const std::uint64_t size = file_.end_of_file(type_);
  const std::size_t held = offset < size ? std::min<std::uint64_t>(page_bytes, size - offset) : 0;
  const auto bytes = std::make_shared_for_overwrite<std::byte[]>(held);
  file_.read(offset, MutableBytes(bytes.get(), held));
  Page page{bytes, held};
  keep(number, page);
  return page;
}

void ReadAhead::read(std::uint64_t offset, MutableBytes into) {
  // A read that fills pages by itself gains nothing from a copy of them.
  if (into.size() >= 2 * page_bytes) return file_.read(offset, into);
  while (!into.empty()) {
    const std::uint64_t within = (offset - first_) % page_bytes;
    const Page source = page((offset - first_) / page_bytes);
    const std::size_t wanted = std::min<std::uint64_t>(into.size(), page_bytes - within);
    if (within + wanted > source.size) return file_.read(offset, into);  // the file grew since
    std::copy_n(source.bytes.get() + within, wanted, into.begin());
    offset += wanted;
    into = into.subspan(wanted);
  }
}

void ReadAhead::invalidate(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
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
