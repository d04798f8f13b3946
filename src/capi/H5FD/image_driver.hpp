// SPDX-License-Identifier: Apache-2.0
//
// The core driver over memory that programs see: files that begin with an image, have image callbacks, or are
// never saved.
#pragma once

#include <memory>
#include <optional>

#include <filigree/driver.hpp>

#include "base/mutex.hpp"
#include "capi/H5FD/drivers.hpp"
#include "capi/H5FD/file_image.hpp"

namespace filigree::capi {

/// A file in memory that image functions allocate. As in HDF5, the memory grows by multiples of an increment.
/// *Thread safety*: reads run concurrently, changes are serialised.
class ImageFile final : public FileDriver {
 public:
  /// Begins with no bytes. `backing` may be null; else the file is saved there at every flush.
  ImageFile(std::shared_ptr<const ImageFunctions> functions, const CoreInfo& info,
            std::unique_ptr<FileDriver> backing);
  ~ImageFile() override;

  /// Copies the first contents. *Throws* Error.
  void load(std::span<const std::byte> image);
  /// Reads the first contents from a file. *Throws* Error.
  void load(FileDriver& from);
  /// Where the pointer to the bytes is, as H5Fget_vfd_handle returns it.
  void** memory() { return &memory_; }

  DriverCapabilities capabilities() const override;
  void read(std::span<const ReadExtent> extents) override;
  void write(std::span<const WriteExtent> extents) override;
  std::uint64_t size() override;
  void truncate(std::uint64_t bytes) override;
  void flush() override;
  void sync() override;
  void close() override;
  void lock(LockKind kind) override;
  void unlock() override;
  std::optional<int> descriptor() override;
  /// The information of other drivers is left alone, except of those that divide a file.
  bool accept_driver_info(const DriverInfo& stored) override;

 private:
  std::byte* bytes() const FILIGREE_REQUIRES_SHARED(mutex_) { return static_cast<std::byte*>(memory_); }
  void allocate(std::uint64_t bytes) FILIGREE_REQUIRES(mutex_);
  void resize(std::uint64_t bytes) FILIGREE_REQUIRES(mutex_);
  std::uint64_t rounded(std::uint64_t bytes) const;
  void save() FILIGREE_REQUIRES(mutex_);
  bool free() FILIGREE_REQUIRES(mutex_);

  const std::shared_ptr<const ImageFunctions> functions_;
  const std::uint64_t increment_;
  const std::unique_ptr<FileDriver> backing_;
  mutable SharedMutex mutex_;
  void* memory_ FILIGREE_GUARDED_BY(mutex_) = nullptr;
  std::uint64_t capacity_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< of the memory
  std::uint64_t size_ FILIGREE_GUARDED_BY(mutex_) = 0;      ///< of the file; the memory behind it is zero
  bool changed_ FILIGREE_GUARDED_BY(mutex_) = false;        ///< since the file was saved
};

/// The core driver for settings that have an image, image callbacks or no backing store; nothing for all
/// others.
std::optional<UserDriver> image_driver(const FileAccessSettings& settings);

/// The file in memory that keeps the bytes of `file`; null for other drivers.
ImageFile* image_file(const File& file);

}  // namespace filigree::capi
