// SPDX-License-Identifier: Apache-2.0
#include "io/memory_file.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {

MemoryFile::MemoryFile(Buffer image, MemoryOptions options)
    : options_(std::move(options)), image_(std::move(image)) {}

const Capabilities& MemoryFile::capabilities() const {
  static const Capabilities of_memory{.coalescing = CoalescingLimits::none()};
  return of_memory;
}

Buffer MemoryFile::take() {
  const std::unique_lock lock(mutex_);
  return std::exchange(image_, Buffer());
}

std::uint64_t MemoryFile::size() const {
  const std::shared_lock lock(mutex_);
  return image_.size();
}

void MemoryFile::do_read(std::span<const ReadExtent> extents) const {
  const std::shared_lock lock(mutex_);
  for (const ReadExtent& e : extents) {
    // The file may have been cut since the bounds were checked.
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

void MemoryFile::write_one(const WriteExtent& e) {
  const std::uint64_t end = e.offset + e.from.size();
  const std::uint64_t kept_end = std::min(end, options_.max_bytes);
  if (kept_end > e.offset) {
    std::shared_lock touching(mutex_);
    while (image_.size() < kept_end) {
      touching.unlock();
      {
        const std::unique_lock growing(mutex_);
        if (image_.size() < kept_end) resize(kept_end);
      }
      touching.lock();
    }
    std::copy_n(e.from.begin(), kept_end - e.offset, image_.begin() + static_cast<std::ptrdiff_t>(e.offset));
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
  const std::unique_lock lock(mutex_);
  resize(bytes);
}

void MemoryFile::resize(std::uint64_t bytes) {
  const auto refuse = [&] {
    throw Error(ErrorKind::no_space, fmt::format("extending '{}' to {} bytes: out of memory", name(), bytes));
  };
  try {
    image_.resize(bytes);
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const std::length_error&) {
    refuse();
  }
}

}  // namespace filigree::io
