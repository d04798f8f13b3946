// SPDX-License-Identifier: Apache-2.0
//
// The write mark: a flag in the superblock of a file that is being modified. Until the next flush or close,
// the file may be a mixture of old and new data.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "format/superblock/superblock.hpp"

namespace filigree::model {

/// The kind of writer that set the mark.
enum class WriteMark {
  none,
  writer,       ///< HDF5 or Filigree
  swmr_writer,  ///< a SWMR writer; only in version 3
};

/// Returns the mark of a superblock. In version 3 it is the file consistency flags, which HDF5 sets and
/// checks. Older versions have no reliable flag, because many old files have leftover bits; there the mark is
/// a value that HDF5 neither writes nor checks.
WriteMark write_mark(const format::Superblock& superblock);
void set_write_mark(format::Superblock& superblock, WriteMark mark = WriteMark::writer);
/// Removes the mark, and the flags that HDF5 leaves in versions 2 and 3.
void clear_write_mark(format::Superblock& superblock);

/// Returns the encoded superblock `stored` with the mark set and nothing else changed.
Buffer with_write_mark(Bytes stored);

/// Returns whether an invalid superblock is the result of an interrupted write.
bool torn_superblock(Bytes start);
/// Returns the intended superblock, with the mark, if the interrupted write changed only the mark.
std::optional<Buffer> mended_superblock(Bytes start);

/// Returns the error message for a file with the mark.
std::string not_closed(WriteMark mark);

}  // namespace filigree::model
