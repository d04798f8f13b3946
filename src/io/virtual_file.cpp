// SPDX-License-Identifier: Apache-2.0
#include "io/virtual_file.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {
namespace {

bool representable(std::uint64_t offset, std::uint64_t bytes) {
  return offset <= largest_file_bytes && bytes <= largest_file_bytes - offset;
}

}  // namespace

void VirtualFile::read(std::span<const ReadExtent> extents) const {
  for (const ReadExtent& e : extents) {
    if (representable(e.offset, e.into.size()) && reaches(e.offset + e.into.size())) continue;
    throw Error(ErrorKind::truncated,
                fmt::format("'{}': {} bytes at offset {} lie beyond the end of the file ({} bytes)", name(),
                            e.into.size(), e.offset, size()));
  }
  do_read(extents);
}

void VirtualFile::read(std::uint64_t offset, MutableBytes into) const {
  const ReadExtent extent{offset, into};
  read(std::span(&extent, 1));
}

void VirtualFile::write(std::span<const WriteExtent> extents) {
  require_writable();
  for (const WriteExtent& e : extents) {
    if (representable(e.offset, e.from.size())) continue;
    throw Error(ErrorKind::limit, fmt::format("'{}': {} bytes at offset {} end beyond the largest file",
                                              name(), e.from.size(), e.offset));
  }
  do_write(extents);
}

void VirtualFile::write(std::uint64_t offset, Bytes from) {
  const WriteExtent extent{offset, from};
  write(std::span(&extent, 1));
}

void VirtualFile::truncate(std::uint64_t bytes) {
  require_writable();
  if (!representable(bytes, 0)) {
    throw Error(ErrorKind::limit,
                fmt::format("'{}': a size of {} bytes is beyond the largest file", name(), bytes));
  }
  do_truncate(bytes);
}

void VirtualFile::require_writable() const {
  if (!writable()) throw Error(ErrorKind::read_only, fmt::format("'{}' was opened for reading only", name()));
}

}  // namespace filigree::io
