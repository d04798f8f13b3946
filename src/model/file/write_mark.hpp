// SPDX-License-Identifier: Apache-2.0
//
// The mark in a superblock that its file is being changed: bytes since the last flush may be new, old or
// torn.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "format/superblock/superblock.hpp"

namespace filigree::model {

/// Who set the mark that is in a superblock.
enum class WriteMark {
  none,
  writer,         ///< stock or we
  swmr_writer,  ///< one with readers (SWMR); only in version 3
};

/// Version 3: the flag that stock maintains and refuses. Older versions have none that can be relied on (half
/// of all old files carry leftovers), so there it is a value that stock neither writes nor looks at.
WriteMark write_mark(const format::Superblock& superblock);
void set_write_mark(format::Superblock& superblock, WriteMark mark = WriteMark::writer);
/// Also removes what stock leaves in versions 2 and 3.
void clear_write_mark(format::Superblock& superblock);

/// The stored superblock with the mark, as its file has it or would have it; nothing else differs.
Buffer with_write_mark(Bytes stored);

/// Whether bytes that are no valid superblock were left by an interrupted write of one.
bool torn_superblock(Bytes start);
/// What they should have been, with the mark, when nothing but the mark was being written.
std::optional<Buffer> mended_superblock(Bytes start);

/// What a reader says of such a file.
std::string not_closed(WriteMark mark);

}  // namespace filigree::model
