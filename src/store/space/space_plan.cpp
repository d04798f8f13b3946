// SPDX-License-Identifier: Apache-2.0
#include "store/space/space_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"

namespace filigree::store {
namespace {

/// The largest offset of a file. All ones is the undefined address, and systems have signed 64-bit file
/// offsets. The superblock stores the end of the file with the base address added.
std::uint64_t last_position(std::uint8_t offset_bytes) {
  return std::min(widest_word(offset_bytes) - 1, ~std::uint64_t{0} >> 1);
}

}  // namespace

FileEnd::FileEnd(std::uint64_t end, std::uint64_t base, std::uint8_t offset_bytes)
    : end_(end), limit_(last_position(offset_bytes)), offset_bytes_(offset_bytes) {
  limit_ -= std::min(limit_, base);
}

std::uint64_t FileEnd::grow(std::uint64_t bytes) {
  if (bytes > growth_limit()) {
    throw Error(
        ErrorKind::limit,
        fmt::format("the file cannot grow by {} bytes: it has {}, and its offsets of {} bytes reach only {}",
                    bytes, end_, offset_bytes_, limit_));
  }
  const std::uint64_t start = end_;
  if (allocator_ != nullptr && bytes > 0) allocator_->extend(kind_, end_ + bytes);
  end_ += bytes;
  return start;
}

std::uint64_t FileEnd::append(std::uint64_t bytes) {
  if (allocator_ == nullptr) return grow(bytes);
  const std::uint64_t at = allocator_->allocate(kind_, bytes);
  if (at > limit_ || bytes > limit_ - at) {
    throw Error(ErrorKind::limit,
                fmt::format("the driver allocated {} bytes at {}, but offsets of {} bytes reach only {}",
                            bytes, at, offset_bytes_, limit_));
  }
  end_ = std::max(end_, at + bytes);
  return at;
}

std::uint64_t FileEnd::append(std::uint64_t bytes, const Alignment& alignment) {
  const std::uint64_t at = append(bytes);
  const std::uint64_t skip = alignment.gap(at);
  if (skip == 0) return at;
  if (at + bytes != end_) {
    throw Error(ErrorKind::unsupported,
                fmt::format("the driver allocated {} bytes at {}, which is not aligned", bytes, at));
  }
  grow(skip);
  return at + skip;
}

void FileEnd::set(std::uint64_t end) {
  const std::uint64_t old = end_;
  end_ = end;
  if (allocator_ != nullptr && end < old) allocator_->free(end, old - end);
}

}  // namespace filigree::store
