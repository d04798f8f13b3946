// SPDX-License-Identifier: Apache-2.0
#include "io/virtual_file.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::io {

void VirtualFile::read(std::span<const ReadExtent> extents) const {
  const std::uint64_t bytes = size();
  for (const ReadExtent& e : extents) {
    if (e.offset > bytes || e.into.size() > bytes - e.offset) {
      throw Error(ErrorKind::truncated, fmt::format("'{}': {} bytes at offset {} lie beyond the end of the file ({} bytes)", name(),
                                                    e.into.size(), e.offset, bytes));
    }
  }
  do_read(extents);
}

void VirtualFile::read(std::uint64_t offset, MutableBytes into) const {
  const ReadExtent extent{offset, into};
  read(std::span(&extent, 1));
}

void VirtualFile::write(std::span<const WriteExtent> extents) {
  if (!writable()) throw Error(ErrorKind::read_only, fmt::format("'{}' was opened for reading only", name()));
  do_write(extents);
}

void VirtualFile::write(std::uint64_t offset, Bytes from) {
  const WriteExtent extent{offset, from};
  write(std::span(&extent, 1));
}

}  // namespace filigree::io
