// SPDX-License-Identifier: Apache-2.0
//
// H5LTopen_file_image: files in a buffer of the program.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>

#include <hdf5_hl.h>

#include "capi/H5F/flags.hpp"
#include "capi/hl/high_level.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// A buffer of the program that the file uses in place (H5LT_FILE_IMAGE_DONT_COPY).
struct BorrowedImage {
  void* buffer;
  std::size_t bytes;
  bool release;         ///< the library frees the buffer when the file is closed, and may move it
  bool opened = false;  ///< until then the buffer is the program's
};

/// Property lists and files share one BorrowedImage.
using Shared = std::shared_ptr<BorrowedImage>;

BorrowedImage& borrowed(void* data) { return **static_cast<Shared*>(data); }

void* get_buffer(std::size_t, H5FD_file_image_op_t, void* data) { return borrowed(data).buffer; }

void* leave_in_place(void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; }

void* resize_buffer(void*, std::size_t bytes, H5FD_file_image_op_t, void* data) {
  BorrowedImage& image = borrowed(data);
  if (!image.release) return bytes <= image.bytes ? image.buffer : nullptr;
  void* const moved = std::realloc(image.buffer, bytes);
  if (moved != nullptr) image.buffer = moved;
  return moved;
}

herr_t free_buffer(void*, H5FD_file_image_op_t op, void* data) {
  const BorrowedImage& image = borrowed(data);
  if (op == H5FD_FILE_IMAGE_OP_FILE_CLOSE && image.release && image.opened) std::free(image.buffer);
  return 0;
}

void* copy_data(void* data) { return new Shared(*static_cast<Shared*>(data)); }

herr_t free_data(void* data) {
  delete static_cast<Shared*>(data);
  return 0;
}

void set_borrowed_image(hid_t access, Shared& image) {
  H5FD_file_image_callbacks_t callbacks{get_buffer, leave_in_place, resize_buffer, free_buffer,
                                        copy_data,  free_data,      &image};
  checked(H5Pset_file_image_callbacks(access, &callbacks));
}

}  // namespace

hid_t H5LTopen_file_image(void* buf_ptr, size_t buf_size, unsigned flags) {
  return high_level(hid_t{H5I_INVALID_HID}, outer(__func__), [&](auto&) {
    if (buf_ptr == nullptr) refuse("buf_ptr cannot be NULL");
    if (buf_size == 0) refuse("buf_size cannot be zero");
    if ((flags & ~static_cast<unsigned>(H5LT_FILE_IMAGE_ALL)) != 0) refuse("unknown flags");
    const bool in_place = (flags & H5LT_FILE_IMAGE_DONT_COPY) != 0;
    Shared image(new BorrowedImage{buf_ptr, buf_size, (flags & H5LT_FILE_IMAGE_DONT_RELEASE) == 0});
    const OwnedId access(H5Pcreate(H5P_CLS_FILE_ACCESS_ID_g));
    // A buffer that cannot be moved is used up to its last byte.
    const std::size_t increment = in_place && !image->release ? 1 : 64 * 1024;
    checked(H5Pset_fapl_core(access, increment, false));
    if (in_place) set_borrowed_image(access, image);
    checked(H5Pset_file_image(access, buf_ptr, buf_size));
    static std::atomic<long> images = 0;
    const std::string name = "file_image_" + std::to_string(images++);
    const bool writable = (flags & H5LT_FILE_IMAGE_OPEN_RW) != 0;
    const hid_t file =
        checked(H5Fopen(name.c_str(), writable ? flags::read_write : flags::read_only, access));
    image->opened = true;
    return file;
  });
}
