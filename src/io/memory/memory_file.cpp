// SPDX-License-Identifier: Apache-2.0
#include "io/memory/memory_file.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {
namespace {

MemoryOptions options_for(const VirtualFile& backing, MemoryOptions options) {
  options.name = backing.name();
  options.writable = options.writable && backing.writable();
  return options;
}

Buffer contents_of(const VirtualFile& file, std::uint64_t max_bytes) {
  const std::uint64_t bytes = file.size();
  if (bytes > max_bytes) {
    throw Error(ErrorKind::no_space,
                fmt::format("'{}' has {} bytes; the limit in memory is {}", file.name(), bytes, max_bytes));
  }
  Buffer contents(bytes);
  file.read(0, contents);
  return contents;
}

}  // namespace

MemoryFile::MemoryFile(Buffer image, MemoryOptions options)
    : options_(std::move(options)), image_(std::move(image)) {}

MemoryFile::MemoryFile(const MemoryOptions& options, std::unique_ptr<VirtualFile> backing)
    : options_(options_for(*backing, options)),
      backing_(std::move(backing)),
      image_(contents_of(*backing_, options_.max_bytes)),
      changed_((image_.size() + options_.page_bytes - 1) / options_.page_bytes),
      backing_bytes_(image_.size()) {}

MemoryFile::~MemoryFile() {
  try {
    if (backing_ && options_.writable) save();
  } catch (...) {  // sync() reports errors to callers that need them
  }
}

const DriverCapabilities& MemoryFile::capabilities() const {
  static const DriverCapabilities of_memory{.coalescing = CoalescingLimits::none()};
  return of_memory;
}

Buffer MemoryFile::take() {
  const ExclusiveLock lock(mutex_);
  changed_.clear();
  return std::exchange(image_, Buffer());
}

std::uint64_t MemoryFile::size() const {
  const SharedLock lock(mutex_);
  return image_.size();
}

void MemoryFile::do_read(std::span<const ReadExtent> extents) const {
  const SharedLock lock(mutex_);
  for (const ReadExtent& e : extents) {
    // Another thread may have truncated the file since the bounds were checked.
    if (e.offset > image_.size() || e.into.size() > image_.size() - e.offset) {
      throw Error(ErrorKind::truncated,
                  fmt::format("'{}' was cut to {} bytes while bytes at offset {} were read", name(),
                              image_.size(), e.offset));
    }
    std::copy_n(image_.begin() + static_cast<std::ptrdiff_t>(e.offset), e.into.size(), e.into.begin());
  }
}

void MemoryFile::do_write(std::span<const WriteExtent> extents) {
  for (const WriteExtent& e : extents) {
    if (!e.from.empty()) write_one(e);
  }
}

void MemoryFile::grow(std::uint64_t bytes) {
  const ExclusiveLock lock(mutex_);
  if (image_.size() < bytes) resize(bytes);
}

bool MemoryFile::write_within(std::uint64_t offset, Bytes from) {
  const SharedLock lock(mutex_);
  if (image_.size() < offset + from.size()) return false;
  mark_changed(offset, from.size());
  std::copy_n(from.begin(), from.size(), image_.begin() + static_cast<std::ptrdiff_t>(offset));
  return true;
}

void MemoryFile::write_one(const WriteExtent& e) {
  const std::uint64_t end = e.offset + e.from.size();
  const std::uint64_t kept_end = std::min(end, options_.max_bytes);
  if (kept_end > e.offset) {
    // Another thread may truncate the file in between.
    while (!write_within(e.offset, e.from.first(kept_end - e.offset))) grow(kept_end);
  }
  if (kept_end < end) {
    throw Error(ErrorKind::no_space,
                fmt::format("writing {} bytes at offset {} of '{}': {} bytes were written, then the limit of "
                            "{} bytes was reached",
                            e.from.size(), e.offset, name(), kept_end > e.offset ? kept_end - e.offset : 0,
                            options_.max_bytes));
  }
}

void MemoryFile::do_truncate(std::uint64_t bytes) {
  if (bytes > options_.max_bytes) {
    throw Error(ErrorKind::no_space, fmt::format("extending '{}' to {} bytes: the limit is {} bytes", name(),
                                                 bytes, options_.max_bytes));
  }
  const ExclusiveLock lock(mutex_);
  resize(bytes);
}

void MemoryFile::resize(std::uint64_t bytes) {
  const auto refuse = [&] {
    throw Error(ErrorKind::no_space, fmt::format("extending '{}' to {} bytes: out of memory", name(), bytes));
  };
  const std::uint64_t before = image_.size();
  try {
    image_.resize(bytes);
    if (backing_) changed_.resize((bytes + options_.page_bytes - 1) / options_.page_bytes);
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const std::length_error&) {
    refuse();
  }
  // Write zeros where the backing file still has bytes from before it was truncated.
  if (before < std::min(bytes, backing_bytes_))
    mark_changed(before, std::min(bytes, backing_bytes_) - before);
}

void MemoryFile::mark_changed(std::uint64_t offset, std::uint64_t bytes) {
  if (!backing_) return;
  const std::uint64_t page_bytes = options_.page_bytes;
  for (std::uint64_t page = offset / page_bytes; page <= (offset + bytes - 1) / page_bytes; ++page)
    std::atomic_ref(changed_[page]).store(1, std::memory_order_relaxed);
}

void MemoryFile::do_sync() {
  if (!backing_ || !options_.writable) return;
  save();
  backing_->sync();
}

bool MemoryFile::do_ctl(const CtlCall& call) {
  if (call.op != ctl_op::write_back) return false;
  if (backing_ && options_.writable) save();
  return true;
}

void MemoryFile::save() {
  const ExclusiveLock lock(mutex_);
  const std::uint64_t page_bytes = options_.page_bytes;
  std::vector<WriteExtent> extents;
  for (std::size_t page = 0; page < changed_.size(); ++page) {
    if (changed_[page] == 0) continue;
    const std::uint64_t at = page * page_bytes;
    extents.push_back({at, Bytes(image_).subspan(at, std::min(page_bytes, image_.size() - at))});
  }
  if (!extents.empty()) backing_->write(extents);
  if (backing_->size() != image_.size()) backing_->truncate(image_.size());
  std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
  backing_bytes_ = image_.size();
}

std::unique_ptr<MemoryFile> open_memory_file(const std::string& path, DriverOpenMode mode, bool keep,
                                             const PosixOptions& options, std::uint64_t page_bytes) {
  const bool creating = mode == DriverOpenMode::create_new || mode == DriverOpenMode::create_truncate;
  if (keep) {
    MemoryOptions memory;
    constexpr std::uint64_t largest_page = 1u << 30;
    if (page_bytes != 0) memory.page_bytes = std::min(page_bytes, largest_page);
    return std::make_unique<MemoryFile>(memory, std::make_unique<PosixFile>(path, mode, options));
  }
  if (creating) return std::make_unique<MemoryFile>(Buffer(), MemoryOptions{.name = path});
  const PosixFile file(path, DriverOpenMode::read_only, options);
  const MemoryOptions memory{.name = path, .writable = mode == DriverOpenMode::read_write};
  return std::make_unique<MemoryFile>(contents_of(file, memory.max_bytes), memory);
}

}  // namespace filigree::io
