// SPDX-License-Identifier: Apache-2.0
//
// The superblock of an open file: its fields, and the bytes that are stored in the file.
#pragma once

#include <cstdint>
#include <optional>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/superblock/superblock.hpp"
#include "model/file/file_driver.hpp"
#include "model/file/write_mark.hpp"

namespace filigree::io {
class VirtualFile;
}
namespace filigree::store {
class FileStore;
}

namespace filigree::model {

/// A superblock signature in a file.
struct SuperblockLocation {
  std::uint64_t position = 0;
  Buffer start;  ///< the bytes there, enough for the largest superblock unless the file ends
};

/// Finds the superblock. Takes one read if it is at the start of the file.
std::optional<SuperblockLocation> find_superblock(const io::VirtualFile& file);

/// The superblock of an open file. It is written only if its bytes differ from the stored ones. In versions 0
/// and 1 the stored bytes include the driver information block, which follows the superblock.
/// Thread safety: like File; reading needs the shared file lock, all else the exclusive one.
class StoredSuperblock {
 public:
  /// The values of a superblock that are known only when it is written.
  struct Current {
    std::uint64_t end_of_allocation = 0;
    /// Called for versions 0 and 1 only.
    FunctionRef<std::optional<DriverInfo>()> driver_info;
  };

  /// The fields, without the write mark.
  const format::Superblock& operator*() const { return fields_; }
  const format::Superblock* operator->() const { return &fields_; }
  format::Superblock* operator->() { return &fields_; }
  /// Returns the position in the file, which is also the base address.
  std::uint64_t position() const { return position_; }
  /// Sets the position of a new superblock.
  void set_position(std::uint64_t position) { position_ = position; }
  /// Returns the number of stored bytes; 0 before the first write.
  std::uint64_t stored_bytes() const { return stored_.size(); }
  /// Returns the write mark of the stored bytes.
  WriteMark stored_mark() const;

  /// Reads the superblock. For a SWMR reader it is read up to `swmr_read_attempts` times while the writer is
  /// changing it, and may have the mark of a SWMR writer. Returns how many bytes the file is shorter than the
  /// superblock says. Throws: Error(not_hdf5, unsupported, corrupt); Error(locked) for a write mark, unless
  /// `ignore_write_mark` is set.
  std::uint64_t read(const io::VirtualFile& file, bool ignore_write_mark, unsigned swmr_read_attempts);
  /// Reads the driver information block. Requires: version 0 or 1, with the address of a block.
  DriverInfo read_driver_info_block(store::FileStore& store);

  /// Writes the superblock with this mark. A superblock that was never stored gets no mark. If writing fails,
  /// the next write happens even if nothing has changed.
  void write(store::FileStore& store, const Current& current, WriteMark mark);
  /// Adds the write mark to the stored bytes and changes nothing else. Has no effect if the file is new.
  void add_mark(store::FileStore& store);

 private:
  std::uint64_t read_once(const io::VirtualFile& file, bool ignore_write_mark, bool is_swmr_reader);
  void decode(Bytes start, bool ignore_write_mark, bool is_swmr_reader);
  /// Returns the encoded superblock, followed by the driver information block if there is one.
  Buffer encode(const store::FileStore& store, const Current& current, WriteMark mark);

  format::Superblock fields_;
  Buffer stored_;      ///< encoded, as last read or written
  bool torn_ = false;  ///< a write failed: the file may hold any part of it
  std::uint64_t position_ = 0;
};

}  // namespace filigree::model
