// SPDX-License-Identifier: Apache-2.0
//
// The cache image: the metadata cache of HDF5, stored as one block when the file was closed.
#pragma once

#include "base/address.hpp"

namespace filigree::format {
struct CacheImageMessage;
}
namespace filigree::store {
class FileStore;
}

namespace filigree::model {

/// The cache image of an open file. Filigree reads cache images and never writes one.
/// Thread safety: requires the exclusive file lock, or a file that is being opened.
class CacheImage {
 public:
  /// Reads the block of the message. From then on its structures take precedence over those in the file.
  /// Throws: Error(corrupt, truncated) for an invalid block.
  void read(store::FileStore& store, const format::CacheImageMessage& message);
  /// Writes the structures to their own addresses and removes the message from the superblock extension,
  /// because the image is outdated after the first modification. Has no effect if there is no image.
  void replace_by_structures(store::FileStore& store, Address extension);

  /// Where the block is, and its size; an undefined address without an image.
  Address address() const { return at_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  bool present_ = false;
  Address at_ = Address::undefined;
  std::uint64_t bytes_ = 0;
};

}  // namespace filigree::model
