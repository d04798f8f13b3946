// SPDX-License-Identifier: Apache-2.0
//
// Files that are read while they are written, for those who write and those who read.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "model/file/user_file.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/virtual/virtual_sources.hpp"
#include "store/file_store.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {

void File::start_swmr_write() {
  if (swmr_writer_)
    throw Error(ErrorKind::invalid_argument, fmt::format("'{}' is being written for readers already", name_));
  store().require_writable("let others read what is written");
  if (superblock_.version < 3) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("others cannot follow '{}' while it is written: its superblock has version {}, and "
                    "that takes version 3",
                    name_, superblock_.version));
  }
  if (page_buffer_ != nullptr || store_->parts().size() > 1 || find_user_file(store_->file()) != nullptr) {
    throw Error(ErrorKind::unsupported,
                fmt::format("others cannot follow '{}' while it is written: it has a driver that writes in "
                            "another order",
                            name_));
  }
  begin_change("let others read what is written");
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

/// At every moment the file can be read: first elements and room, then the end of the file, then metadata
/// from the leaves up. The mark stays until the file is closed.
void File::write_out_in_order(bool closing) {
  store_->grow_to_allocation();
  write_superblock(true);
  store_->flush_metadata();
  if (!closing) return;
  store_->shrink_to_allocation();
  end_mark();
}

void File::refresh() {
  if (store().writable()) return;
  virtuals_->release_sources();
  chunks_->refresh();
  store_->refresh();
}

}  // namespace filigree::model
