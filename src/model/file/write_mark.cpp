// SPDX-License-Identifier: Apache-2.0
#include "model/file/write_mark.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"

namespace filigree::model {
namespace {

constexpr std::uint32_t open_for_write = 1;
constexpr std::uint32_t file_ok = 2;
constexpr std::uint32_t swmr_writer = 4;
constexpr std::uint32_t swmr_writer_mark = open_for_write | swmr_writer;

/// Versions 0 and 1: HDF5 reads only the first of four bytes and writes zeros to the others.
constexpr std::uint32_t old_mask = 0xffffff00;
constexpr std::uint32_t old_mark = 0x47494c00;  // "LIG" in the file
/// Version 2: HDF5 sets the first of these bits and never the second.
constexpr std::uint32_t v2_mark = open_for_write | file_ok;

constexpr std::size_t version_at = 8;
constexpr std::size_t flags_at = 11;  ///< versions 2 and 3

bool decodes(Bytes start) {
  try {
    format::Superblock ignored;
    format::decode(ignored, start, {}, to_address(0));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

WriteMark write_mark(const format::Superblock& superblock) {
  const std::uint32_t flags = superblock.flags;
  bool marked = false;
  if (superblock.version <= 1) {
    marked = (flags & old_mask) == old_mark;
  } else if (superblock.version == 2) {
    marked = (flags & v2_mark) == v2_mark;
  } else {
    marked = (flags & swmr_writer_mark) != 0;
    if ((flags & swmr_writer_mark) == swmr_writer_mark) return WriteMark::swmr_writer;
  }
  return marked ? WriteMark::writer : WriteMark::none;
}

void clear_write_mark(format::Superblock& superblock) {
  if (superblock.version >= 2) {
    superblock.flags = 0;
  } else if (write_mark(superblock) != WriteMark::none) {
    superblock.flags &= ~old_mask;
  }
}

void set_write_mark(format::Superblock& superblock, WriteMark mark) {
  clear_write_mark(superblock);
  if (superblock.version <= 1) {
    superblock.flags = (superblock.flags & ~old_mask) | old_mark;
  } else if (superblock.version == 2) {
    superblock.flags = v2_mark;
  } else {
    superblock.flags = mark == WriteMark::swmr_writer ? swmr_writer_mark : open_for_write;
  }
}

Buffer with_write_mark(Bytes stored) {
  format::Superblock superblock;
  format::decode(superblock, stored, {}, to_address(0));
  if (write_mark(superblock) == WriteMark::none) set_write_mark(superblock);
  return format::encode(superblock, superblock.widths);
}

bool torn_superblock(Bytes start) {
  if (start.size() <= flags_at || decodes(start)) return false;
  const auto version = std::to_integer<unsigned>(start[version_at]);
  if (version != 2 && version != 3) return false;
  const auto mark = static_cast<std::byte>(version == 2 ? v2_mark : open_for_write);
  return (start[flags_at] & mark) == mark || mended_superblock(start);
}

std::optional<Buffer> mended_superblock(Bytes start) {
  if (start.size() <= flags_at) return std::nullopt;
  // The checksum belongs to the flags before or after the write.
  for (const std::uint8_t flags : {0u, open_for_write, v2_mark, swmr_writer_mark}) {
    Buffer other(start.begin(), start.end());
    other[flags_at] = std::byte{flags};
    if (decodes(other)) return with_write_mark(other);
  }
  return std::nullopt;
}

std::string not_closed(WriteMark mark) {
  const bool followed = mark == WriteMark::swmr_writer;
  return fmt::format(
      "the file was not closed: it is marked as open for writing{}. Another program is writing it, or one "
      "ended before it had closed it, and the file may be incomplete. {}If no program is writing it, open it "
      "with ignore_write_mark, or clear the mark with 'filigree clear' or 'h5clear -s'",
      followed ? " by a single writer with readers (SWMR)" : "",
      followed ? "To read it while it is written, open it with File::open_swmr or H5F_ACC_SWMR_READ. " : "");
}

}  // namespace filigree::model
