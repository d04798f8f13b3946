// SPDX-License-Identifier: Apache-2.0
//
// SWMR: a single writer and multiple readers, each in a process of its own, without any communication but
// the file. A reader may read the file between any two writes of the writer. The protocol makes every
// such state a valid file.
//
// Start of SWMR writing (start_swmr_write()):
//  1. The superblock must have version 3, which has the flag for SWMR writers, and the driver must write
//     in the order of the calls. Page buffer, several members and user-defined drivers do not.
//  2. A normal flush makes the file consistent.
//  3. From now on freed space is kept: readers may still read what was there (keep_released()).
//  4. The superblock is written with the flags for writer and SWMR, and the file lock is released, so
//     that readers can open the file.
//
// Flush of the writer (write_out() -> write_out_in_order()):
//  5. The chunk cache is flushed. A filtered or sparse chunk gets a new address at every write; an
//     unfiltered chunk is overwritten, as in HDF5. Only chunk indexes in memory refer to new addresses.
//  6. Dirty metadata gets its space in the file (allocate_for_flush()). B-tree nodes that cannot be
//     overwritten safely, because several nodes change together, get new addresses
//     (move_for_swmr_readers()).
//  7. The file grows to the end of the allocated space.
//  8. The superblock with the new end of file is written. Readers accept addresses up to this end only.
//  9. Metadata is written from the leaves up, in the order of the levels in the metadata cache: first
//     structures that are new in the file, to which nothing points yet; then changed ones, each after all
//     structures it may point to. The continuation blocks of an object header precede its first block. A
//     write that is seen partially fails its checksum, and the reader tries again.
// 10. The flags stay set until close(), which also truncates the file and clears them (end_mark()).
//
// Reader (File::open with swmr_read_attempts, refresh()):
// 11. The reader accepts the flag for SWMR. A structure whose checksum or contents are invalid is read
//     again, up to swmr_read_attempts times, with a pause (MetadataCache::get()).
// 12. Structures that were read stay in the cache, so that one view of the file is kept. refresh() drops
//     the metadata cache (and with it the decoded messages of datasets), the open chunk indexes and
//     cached chunks, and the sources of virtual datasets. Later calls read what the last flush has
//     written.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/virtual/sources.hpp"
#include "store/file_store.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {

/// Steps 1 to 4 of the protocol.
void File::start_swmr_write() {
  if (swmr_writer_)
    throw Error(ErrorKind::invalid_argument, fmt::format("SWMR writing of '{}' has already started", name_));
  store().require_writable("start SWMR writing");
  if (superblock_->version < 3) {
    throw Error(ErrorKind::unsupported,
                fmt::format("'{}' cannot be written with SWMR: its superblock has version {}, SWMR requires "
                            "version 3",
                            name_, superblock_->version));
  }
  if (page_buffer_ != nullptr || store_->parts().size() > 1 || has_driver_paths(*this)) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("'{}' cannot be written with SWMR: its driver does not keep the order of writes", name_));
  }
  begin_change("start SWMR writing");
  flush();
  space_->keep_released();
  store_->start_swmr_write();
  swmr_writer_ = true;
  try {
    write_superblock(true);
  } catch (...) {
    swmr_writer_ = false;
    throw;
  }
  store_->file().unlock();
}

/// Steps 7 to 10 of the protocol.
void File::write_out_in_order(bool closing) {
  store_->grow_to_allocation();
  write_superblock(true);
  store_->flush_metadata();
  if (!closing) return;
  store_->shrink_to_allocation();
  end_mark();
}

/// Step 12 of the protocol.
void File::refresh() {
  if (store().writable()) return;
  virtuals_->release_sources();
  chunks_->refresh();
  store_->refresh();
}

}  // namespace filigree::model
