// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/file_image.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "capi/core/nested_error.hpp"

namespace filigree::capi {

ImageFunctions::ImageFunctions(const H5FD_file_image_callbacks_t& given) : calls_(given) {
  if (given.udata == nullptr) return;
  calls_.udata = given.udata_copy(given.udata);
  if (calls_.udata == nullptr) throw Failure({&H5E_RESOURCE_g, &H5E_CANTCOPY_g}, "udata_copy failed");
}

ImageFunctions::~ImageFunctions() {
  if (calls_.udata != nullptr) calls_.udata_free(calls_.udata);
}

bool ImageFunctions::given() const { return !(*this == ImageFunctions()); }

bool ImageFunctions::operator==(const ImageFunctions& other) const {
  const auto parts = [](const H5FD_file_image_callbacks_t& c) {
    return std::tuple(c.image_malloc, c.image_memcpy, c.image_realloc, c.image_free, c.udata_copy,
                      c.udata_free, c.udata);
  };
  return parts(calls_) == parts(other.calls_);
}

void* ImageFunctions::allocate(std::size_t bytes, H5FD_file_image_op_t op) const {
  return calls_.image_malloc != nullptr ? calls_.image_malloc(bytes, op, calls_.udata) : std::malloc(bytes);
}

void* ImageFunctions::resize(void* memory, std::size_t bytes, H5FD_file_image_op_t op) const {
  if (calls_.image_realloc != nullptr) return calls_.image_realloc(memory, bytes, op, calls_.udata);
  return std::realloc(memory, bytes);
}

bool ImageFunctions::copy(void* to, const void* from, std::size_t bytes, H5FD_file_image_op_t op) const {
  if (calls_.image_memcpy != nullptr) return calls_.image_memcpy(to, from, bytes, op, calls_.udata) == to;
  std::memcpy(to, from, bytes);
  return true;
}

bool ImageFunctions::free(void* memory, H5FD_file_image_op_t op) const {
  if (calls_.image_free != nullptr) return calls_.image_free(memory, op, calls_.udata) >= 0;
  std::free(memory);
  return true;
}

void* copy_image(const ImageFunctions& functions, std::span<const std::byte> bytes, H5FD_file_image_op_t op) {
  void* const copy = functions.allocate(bytes.size(), op);
  if (copy == nullptr) throw Failure({&H5E_RESOURCE_g, &H5E_NOSPACE_g}, "image malloc callback failed");
  if (!functions.copy(copy, bytes.data(), bytes.size(), op))
    throw Failure({&H5E_RESOURCE_g, &H5E_CANTCOPY_g}, "image_memcpy callback failed");
  return copy;
}

FileImage::~FileImage() {
  // As in HDF5, closing a property list ignores a failure.
  if (memory_ != nullptr) functions_->free(memory_, H5FD_FILE_IMAGE_OP_PROPERTY_LIST_CLOSE);
}

void FileImage::release(H5FD_file_image_op_t op) {
  void* const memory = std::exchange(memory_, nullptr);
  if (memory != nullptr && !functions_->free(memory, op))
    throw Failure({&H5E_RESOURCE_g, &H5E_CANTFREE_g}, "image_free callback failed");
}

ImageSetting ImageSetting::copied() const {
  // HDF5 copies the image with the user data of the original, and frees it with those of the copy.
  constexpr auto op = H5FD_FILE_IMAGE_OP_PROPERTY_LIST_COPY;
  void* const memory = empty() ? nullptr : with_error_code({&H5E_PLIST_g, &H5E_CANTCOPY_g}, [&] {
    return copy_image(*functions, bytes(), op);
  });
  ImageSetting copy;
  copy.functions = std::make_shared<const ImageFunctions>(functions->callbacks());
  if (!empty()) copy.image = std::make_shared<FileImage>(copy.functions, memory, bytes().size());
  return copy;
}

bool ImageSetting::operator==(const ImageSetting& other) const {
  return *functions == *other.functions && empty() == other.empty() &&
         std::ranges::equal(bytes(), other.bytes());
}

}  // namespace filigree::capi
