// SPDX-License-Identifier: Apache-2.0
//
// File images in memory that the program may manage itself (H5Pset_file_image_callbacks).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include <hdf5.h>

namespace filigree::capi {

/// The functions that manage the memory of file images: those of the program, and the C library's where it
/// gives none. The user data live as long as this object.
class ImageFunctions {
 public:
  ImageFunctions() = default;
  /// Copies the user data. *Throws* Failure.
  explicit ImageFunctions(const H5FD_file_image_callbacks_t& given);
  ~ImageFunctions();
  ImageFunctions(const ImageFunctions&) = delete;
  ImageFunctions& operator=(const ImageFunctions&) = delete;

  const H5FD_file_image_callbacks_t& callbacks() const { return calls_; }
  /// Whether the program gave any function.
  bool given() const;
  bool operator==(const ImageFunctions& other) const;

  /// Return null if the function fails.
  void* allocate(std::size_t bytes, H5FD_file_image_op_t op) const;
  void* resize(void* memory, std::size_t bytes, H5FD_file_image_op_t op) const;
  /// Return false if the function fails.
  bool copy(void* to, const void* from, std::size_t bytes, H5FD_file_image_op_t op) const;
  bool free(void* memory, H5FD_file_image_op_t op) const;

 private:
  H5FD_file_image_callbacks_t calls_{};
};

/// The image that a file access property list holds.
class FileImage {
 public:
  /// Takes over memory of the functions.
  FileImage(std::shared_ptr<const ImageFunctions> functions, void* memory, std::size_t bytes)
      : functions_(std::move(functions)), memory_(memory), bytes_(bytes) {}
  ~FileImage();
  FileImage(const FileImage&) = delete;
  FileImage& operator=(const FileImage&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_), bytes_}; }
  /// Frees the memory before the list is closed. *Throws* Failure.
  void release(H5FD_file_image_op_t op);

 private:
  std::shared_ptr<const ImageFunctions> functions_;
  void* memory_;
  std::size_t bytes_;
};

/// Returns a copy of the bytes in memory of the functions. *Throws* Failure.
void* copy_image(const ImageFunctions& functions, std::span<const std::byte> bytes, H5FD_file_image_op_t op);

/// What a file access property list holds. Copies of the object share both members; copied() does not.
struct ImageSetting {
  std::shared_ptr<const ImageFunctions> functions = std::make_shared<const ImageFunctions>();
  std::shared_ptr<FileImage> image;  ///< null: none

  bool empty() const { return image == nullptr; }
  std::span<const std::byte> bytes() const { return empty() ? std::span<const std::byte>() : image->bytes(); }
  /// The setting of a copied property list. *Throws* Failure.
  ImageSetting copied() const;
  bool operator==(const ImageSetting& other) const;
};

}  // namespace filigree::capi
