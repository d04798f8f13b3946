// SPDX-License-Identifier: Apache-2.0
#include "io/stack/page_buffer_file.hpp"

#include <algorithm>
#include <utility>

#include <filigree/error.hpp>

namespace filigree::io {
namespace {

DriverCapabilities unmerged(const VirtualFile& file) {
  DriverCapabilities result = file.capabilities();
  result.concurrent = result.selections = false;
  result.coalescing.merged_bytes = 0;  // requests are merged into pages
  return result;
}

/// Calls `copy(page offset, extent offset, bytes)` for the part of an extent in the page at `page_at`.
template <class Extent, class Copy>
void for_overlap(const Extent& e, std::uint64_t page_at, std::uint64_t page_bytes, Copy copy) {
  const std::uint64_t start = std::max(e.offset, page_at);
  const std::uint64_t end = std::min(e.offset + e.memory().size(), page_at + page_bytes);
  if (start < end) copy(start - page_at, start - e.offset, end - start);
}

}  // namespace

PageBufferFile::PageBufferFile(std::unique_ptr<VirtualFile> file, const PageBufferOptions& options)
    : PassThroughFile(std::move(file)),
      options_(options),
      capabilities_(unmerged(wrapped())),
      end_(wrapped().size()) {
  if (options.page_bytes == 0 || options.bytes < options.page_bytes)
    throw Error(ErrorKind::invalid_argument, "a page buffer must hold at least one page");
  if (options.metadata_percent + options.raw_percent > 100)
    throw Error(ErrorKind::invalid_argument, "the shares of a page buffer are more than the whole");
  most_pages_ = options.bytes / options.page_bytes;
  least_metadata_ = most_pages_ * options.metadata_percent / 100;
  least_raw_ = most_pages_ * options.raw_percent / 100;
}

PageBufferCounters PageBufferFile::counters() const {
  const MutexLock lock(mutex_);
  return counters_;
}

std::uint64_t PageBufferFile::size() const {
  const MutexLock lock(mutex_);
  return end_;
}

std::uint64_t PageBufferFile::allocation_end(MemoryType) const {
  const MutexLock lock(mutex_);
  return allocation_end_.value_or(end_);
}

void PageBufferFile::set_allocation_end(MemoryType, std::uint64_t end) {
  const MutexLock lock(mutex_);
  allocation_end_ = end;
}

std::size_t PageBufferFile::most_pages(Kind kind) const {
  return most_pages_ - (kind == Kind::raw ? least_metadata_ : least_raw_);
}

PageBufferCounters::Kind& PageBufferFile::counters_of(Kind kind) const {
  return kind == Kind::raw ? counters_.raw : counters_.metadata;
}

template <class Extent>
std::vector<std::uint64_t> PageBufferFile::touched(std::span<const Extent> extents) const {
  std::vector<std::uint64_t> numbers;
  for (const Extent& e : extents) {
    if (e.memory().empty()) continue;
    const std::uint64_t first = (e.offset - options_.base) / options_.page_bytes;
    const std::uint64_t last = (e.offset + e.memory().size() - 1 - options_.base) / options_.page_bytes;
    // Stop as soon as they are more than fit.
    for (std::uint64_t n = first; n <= last && n - first <= most_pages_; ++n)
      if (numbers.empty() || numbers.back() != n) numbers.push_back(n);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

PageBufferFile::Page* PageBufferFile::find(std::uint64_t number) const {
  const auto found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second.order);
  return &found->second;
}

void PageBufferFile::drop(std::uint64_t number) const {
  const auto found = pages_.find(number);
  if (found == pages_.end()) return;
  --held_[static_cast<std::size_t>(found->second.kind)];
  order_.erase(found->second.order);
  pages_.erase(found);
}

/// Evicts the least recently used page, but none of the reserved share of the other kind.
void PageBufferFile::evict_for(Kind kind) const {
  if (pages_.size() < most_pages_ && held_[static_cast<std::size_t>(kind)] < most_pages(kind)) return;
  const bool own_only = held_[static_cast<std::size_t>(kind)] >= most_pages(kind);
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    const Page& page = pages_.at(*at);
    const std::size_t least = page.kind == Kind::raw ? least_raw_ : least_metadata_;
    const bool free = page.kind == kind || (!own_only && held_[static_cast<std::size_t>(page.kind)] > least);
    if (!free) continue;
    const std::uint64_t number = *at;
    ++counters_of(page.kind).evictions;
    if (page.dirty) write_pages({number});
    return drop(number);
  }
}

PageBufferFile::Page& PageBufferFile::insert(std::uint64_t number, Buffer bytes, Kind kind) const {
  evict_for(kind);
  order_.push_front(number);
  ++held_[static_cast<std::size_t>(kind)];
  Page& page = pages_[number];
  page.bytes = std::move(bytes);
  page.kind = kind;
  page.order = order_.begin();
  return page;
}

PageBufferFile::Fetched PageBufferFile::fetch(const std::vector<std::uint64_t>& numbers,
                                              MemoryType type) const {
  Fetched fetched;
  std::vector<ReadExtent> extents;
  const std::uint64_t end = wrapped().size();
  for (const std::uint64_t number : numbers) {
    Buffer& bytes = fetched[number];
    bytes.resize(options_.page_bytes);
    const std::uint64_t at = position(number);
    if (at >= end) continue;
    extents.push_back({at, MutableBytes(bytes).first(std::min(options_.page_bytes, end - at)), type});
  }
  if (!extents.empty()) forward(std::as_const(wrapped()), extents);
  return fetched;
}

template <class Use>
void PageBufferFile::for_each_held(std::uint64_t offset, std::uint64_t bytes, Use use) const {
  if (bytes == 0 || offset + bytes <= options_.base) return;
  const std::uint64_t first = (std::max(offset, options_.base) - options_.base) / options_.page_bytes;
  const std::uint64_t last = (offset + bytes - 1 - options_.base) / options_.page_bytes;
  if (last - first < pages_.size()) {
    for (std::uint64_t number = first; number <= last; ++number)
      if (const auto found = pages_.find(number); found != pages_.end()) use(number, found->second);
    return;
  }
  for (auto& [number, page] : pages_)
    if (number >= first && number <= last) use(number, page);
}

void PageBufferFile::write_pages(std::vector<std::uint64_t> numbers) const {
  std::ranges::sort(numbers);
  std::vector<WriteExtent> extents;
  for (const std::uint64_t number : numbers) {
    const Page& page = pages_.at(number);
    const std::uint64_t at = position(number);
    if (at >= end_) continue;
    extents.push_back({at, Bytes(page.bytes).first(std::min(options_.page_bytes, end_ - at)),
                       page.kind == Kind::raw ? MemoryType::raw : MemoryType::object_header});
  }
  if (!extents.empty()) forward(wrapped(), extents);
  for (const std::uint64_t number : numbers) pages_.at(number).dirty = false;
}

void PageBufferFile::write_all() {
  const MutexLock lock(mutex_);
  for (const Kind kind : {Kind::raw, Kind::metadata}) {
    std::vector<std::uint64_t> dirty;
    for (const auto& [number, page] : pages_)
      if (page.dirty && page.kind == kind) dirty.push_back(number);
    write_pages(std::move(dirty));
  }
}

bool PageBufferFile::bypasses_pages(bool inside, std::size_t pages, Kind kind) const {
  return !inside || pages > most_pages(kind);
}

void PageBufferFile::do_read(std::span<const ReadExtent> extents) const {
  if (extents.empty()) return;
  const MemoryType type = extents[0].type;
  const Kind kind = type == MemoryType::raw ? Kind::raw : Kind::metadata;
  const bool inside =
      std::ranges::all_of(extents, [&](const ReadExtent& e) { return e.offset >= options_.base; });
  const std::vector<std::uint64_t> numbers = inside ? touched(extents) : std::vector<std::uint64_t>();
  MutexLock lock(mutex_);
  if (bypasses_pages(inside, numbers.size(), kind)) {
    ++counters_of(kind).bypasses;
    std::vector<std::uint64_t> dirty;
    for (const ReadExtent& e : extents) {
      for_each_held(e.offset, e.into.size(), [&](std::uint64_t number, const Page& page) {
        if (page.dirty) dirty.push_back(number);
      });
    }
    std::ranges::sort(dirty);
    dirty.erase(std::unique(dirty.begin(), dirty.end()), dirty.end());
    write_pages(std::move(dirty));
    // Bytes between the end of the wrapped file and a page that is not written yet are zero.
    std::uint64_t end = 0;
    for (const ReadExtent& e : extents) end = std::max(end, e.offset + e.into.size());
    if (end > wrapped().size()) forward_truncate(wrapped(), end_);
    lock.unlock();
    return forward(std::as_const(wrapped()), extents);
  }
  std::vector<std::uint64_t> missing = not_held(numbers);
  counters_of(kind).hits += numbers.size() - missing.size();
  counters_of(kind).misses += missing.size();
  Fetched fetched;
  if (!missing.empty()) {
    const std::uint64_t before = changes_;
    lock.unlock();
    fetched = fetch(missing, type);
    lock.lock();
    // Bytes that were read during another thread's write may be stale.
    if (changes_ != before) fetched = fetch(not_held(numbers), type);
  }
  for (const ReadExtent& e : extents) copy_out(e, fetched);
  for (auto& [number, bytes] : fetched)
    if (find(number) == nullptr) insert(number, std::move(bytes), kind);
}

std::vector<std::uint64_t> PageBufferFile::not_held(const std::vector<std::uint64_t>& numbers) const {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t number : numbers)
    if (find(number) == nullptr) missing.push_back(number);
  return missing;
}

void PageBufferFile::copy_out(const ReadExtent& e, const Fetched& fetched) const {
  for (std::uint64_t done = 0; done < e.into.size();) {
    const std::uint64_t at = e.offset + done - options_.base;
    const std::uint64_t within = at % options_.page_bytes;
    const std::uint64_t taken = std::min(e.into.size() - done, options_.page_bytes - within);
    const auto found = fetched.find(at / options_.page_bytes);
    const Buffer& bytes = found != fetched.end() ? found->second : pages_.at(at / options_.page_bytes).bytes;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(within), taken,
                e.into.begin() + static_cast<std::ptrdiff_t>(done));
    done += taken;
  }
}

/// Writes to the wrapped file, and updates the pages that are in the buffer.
void PageBufferFile::write_through(std::span<const WriteExtent> extents) {
  forward(wrapped(), extents);
  for (const WriteExtent& e : extents) {
    for_each_held(e.offset, e.from.size(), [&](std::uint64_t number, Page& page) {
      for_overlap(e, position(number), options_.page_bytes,
                  [&](std::uint64_t in_page, std::uint64_t in_extent, std::uint64_t bytes) {
                    std::copy_n(e.from.begin() + static_cast<std::ptrdiff_t>(in_extent), bytes,
                                page.bytes.begin() + static_cast<std::ptrdiff_t>(in_page));
                  });
    });
  }
}

void PageBufferFile::do_write(std::span<const WriteExtent> extents) {
  if (extents.empty()) return;
  const MemoryType type = extents[0].type;
  const Kind kind = type == MemoryType::raw ? Kind::raw : Kind::metadata;
  const bool inside = std::ranges::all_of(extents, [&](const WriteExtent& e) {
    return e.offset >= options_.base && e.type != MemoryType::superblock;
  });
  const std::vector<std::uint64_t> numbers = inside ? touched(extents) : std::vector<std::uint64_t>();
  const MutexLock lock(mutex_);
  ++changes_;
  const std::uint64_t end_before = end_;
  for (const WriteExtent& e : extents)
    if (!e.from.empty()) end_ = std::max(end_, e.offset + e.from.size());
  try {
    if (bypasses_pages(inside, numbers.size(), kind)) {
      counters_of(kind).bypasses += inside ? 1 : 0;
      return write_through(extents);
    }
    write_to_pages(extents, numbers, kind, type);
  } catch (...) {
    // Part of the request may be written: the end is what the wrapped file has.
    end_ = std::max(end_before, wrapped().size());
    throw;
  }
}

void PageBufferFile::write_to_pages(std::span<const WriteExtent> extents,
                                    const std::vector<std::uint64_t>& numbers, Kind kind, MemoryType type) {
  const std::vector<std::uint64_t> missing = not_held(numbers);
  counters_of(kind).hits += numbers.size() - missing.size();
  counters_of(kind).misses += missing.size();
  std::unordered_map<std::uint64_t, std::uint64_t> covered;
  for_each_piece(extents, [&](const WriteExtent&, std::uint64_t number, std::uint64_t, std::uint64_t,
                              std::uint64_t bytes) { covered[number] += bytes; });
  std::vector<std::uint64_t> needed;
  for (const std::uint64_t number : missing)
    if (covered[number] < options_.page_bytes) needed.push_back(number);
  Fetched fetched = fetch(needed, type);
  // The check does not see that for_each_piece() runs the lambda while the caller holds mutex_.
  const auto obtain = [&](std::uint64_t number) FILIGREE_NO_THREAD_SAFETY_ANALYSIS -> Page& {
    if (Page* const held = find(number)) return *held;
    if (auto found = fetched.extract(number)) return insert(number, std::move(found.mapped()), kind);
    // The page is fully covered, or was evicted by its neighbours.
    return insert(number, std::move(fetch({number}, type)[number]), kind);
  };
  for_each_piece(extents, [&](const WriteExtent& e, std::uint64_t number, std::uint64_t in_page,
                              std::uint64_t in_extent, std::uint64_t bytes) {
    Page& page = obtain(number);
    std::copy_n(e.from.begin() + static_cast<std::ptrdiff_t>(in_extent), bytes,
                page.bytes.begin() + static_cast<std::ptrdiff_t>(in_page));
    page.dirty = true;
  });
}

template <class Use>
void PageBufferFile::for_each_piece(std::span<const WriteExtent> extents, Use use) const {
  for (const WriteExtent& e : extents) {
    for (std::uint64_t done = 0; done < e.from.size();) {
      const std::uint64_t at = e.offset + done - options_.base;
      const std::uint64_t within = at % options_.page_bytes;
      const std::uint64_t taken = std::min(e.from.size() - done, options_.page_bytes - within);
      use(e, at / options_.page_bytes, within, done, taken);
      done += taken;
    }
  }
}

void PageBufferFile::do_truncate(std::uint64_t bytes) {
  const MutexLock lock(mutex_);
  ++changes_;
  std::vector<std::uint64_t> gone;
  for (auto& [number, page] : pages_) {
    const std::uint64_t at = position(number);
    if (at >= bytes) {
      gone.push_back(number);
    } else if (at + options_.page_bytes > bytes) {
      std::fill(page.bytes.begin() + static_cast<std::ptrdiff_t>(bytes - at), page.bytes.end(), std::byte{0});
    }
  }
  forward_truncate(wrapped(), bytes);
  for (const std::uint64_t number : gone) drop(number);
  end_ = bytes;
}

void PageBufferFile::do_sync() {
  write_all();
  wrapped().sync();
}

bool PageBufferFile::do_ctl(const CtlCall& call) {
  if (call.op == ctl_op::write_back) write_all();
  return false;  // the wrapped driver may buffer bytes as well
}

}  // namespace filigree::io
