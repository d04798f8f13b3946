// SPDX-License-Identifier: Apache-2.0
#include "store/space_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"

namespace filigree::store {
namespace {

/// The last position of a file: all ones means "undefined", and systems count file positions in signed
/// 64-bit numbers. The superblock stores it with the base.
std::uint64_t last_position(std::uint8_t offset_bytes) {
  return std::min(widest_word(offset_bytes) - 1, ~std::uint64_t{0} >> 1);
}

}  // namespace

FileEnd::FileEnd(std::uint64_t end, std::uint64_t base, std::uint8_t offset_bytes)
    : end_(end), limit_(last_position(offset_bytes)), offset_bytes_(offset_bytes) {
  limit_ -= std::min(limit_, base);
}

std::uint64_t FileEnd::grow(std::uint64_t bytes) {
  if (bytes > room()) {
    throw Error(
        ErrorKind::limit,
        fmt::format("the file cannot grow by {} bytes: it has {}, and its offsets of {} bytes reach {}",
                    bytes, end_, offset_bytes_, limit_));
  }
  const std::uint64_t start = end_;
  end_ += bytes;
  return start;
}

}  // namespace filigree::store
