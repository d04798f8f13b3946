// SPDX-License-Identifier: Apache-2.0
//
// The file space info message: how a file manages its space, and where its free-space managers are.
#pragma once

#include <cstdint>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "format/messages/file_messages.hpp"

namespace filigree::store {
class FileSpace;
class FileStore;
}  // namespace filigree::store

namespace filigree::model {

/// Bytes that the free-space managers in a file account for.
struct FreeSpaceBytes {
  std::uint64_t free = 0;
  std::uint64_t metadata = 0;  ///< of the free-space managers themselves
};

/// The file space info of an open file. The message is in the superblock extension; a file with the default
/// options has none.
/// Thread safety: like File; reading needs the shared file lock, all else the exclusive one.
class StoredSpaceInfo {
 public:
  /// Returns whether the file has the message, or must get it.
  bool present() const { return present_; }
  /// Returns the fields; those of the default options if there is no message.
  const format::FileSpaceInfo& operator*() const { return fields_; }
  const format::FileSpaceInfo* operator->() const { return &fields_; }
  SpaceOptions options() const;

  /// Sets the options of a new file.
  void set_options(const SpaceOptions& options);
  /// Sets the fields that were read from the file.
  void set_fields(const format::FileSpaceInfo& fields);
  /// Writes the message. Requires: the address of a superblock extension.
  void write(store::FileStore& store, Address extension) const;
  /// Removes the message. The options stay those of the open file; free space is no longer stored when the
  /// file is closed. Requires: present().
  void remove(store::FileStore& store, Address extension);

  /// Returns what the free-space managers in the file account for. Damaged managers are ignored.
  FreeSpaceBytes managed_bytes(const store::FileStore& store) const;
  /// Loads the free space that the file has stored into `space`, and removes it from the message. Damaged
  /// records are ignored; that space stays unused. Has no effect unless the file persists free space.
  void load_free_space(store::FileStore& store, store::FileSpace& space, Address extension);
  /// Stores the free space of `space` if the file persists it; otherwise shrinks the allocation by it.
  void save_free_space(store::FileStore& store, store::FileSpace& space, Address extension);

 private:
  format::FileSpaceInfo fields_;
  bool present_ = false;
};

}  // namespace filigree::model
