// SPDX-License-Identifier: Apache-2.0
#include "capi/H5FD/image_driver.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/mutex.hpp"
#include "capi/core/guarded.hpp"
#include "format/messages/file_messages.hpp"

namespace filigree::capi {
namespace {

[[noreturn]] void callback_failed(const char* name, const char* doing) {
  throw Error(ErrorKind::io, fmt::format("the image callback '{}' failed while {}", name, doing));
}

std::unique_ptr<FileDriver> open_on_disk(const std::string& path, DriverOpenMode mode) {
  AccessOptions options;
  options.locking = Locking::off;  // ImageFile::lock() is for that
  return open_file_driver(path, mode, options);
}

/// HDF5 opens the image before it creates a file, to see whether that file is open. Callbacks that count
/// their calls expect this.
void open_before_creation(const ImageSetting& setting) {
  ImageFile file(setting.functions, CoreInfo(), nullptr);
  file.load(setting.bytes());
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// Opens files for one call of H5Fopen or H5Fcreate, and files that links in the opened file name.
class ImageOpener {
 public:
  ImageOpener(const ImageSetting& setting, const CoreInfo& info) : setting_(setting), info_(info) {}

  std::unique_ptr<FileDriver> open(const std::string& path, DriverOpenMode mode) const {
    // The image is for the call that opens; as in HDF5, linked files are opened without it.
    const ImageSetting setting = *setting_.get();
    setting_.change([](ImageSetting& held) { held = {}; });
    const bool creating = mode == DriverOpenMode::create_new || mode == DriverOpenMode::create_truncate;
    if (creating) return create(path, mode, setting);
    return setting.empty() ? open_file(path, mode, setting) : open_image(path, mode, setting);
  }

 private:
  std::unique_ptr<FileDriver> create(const std::string& path, DriverOpenMode mode,
                                     const ImageSetting& setting) const {
    if (!setting.empty()) open_before_creation(setting);
    auto backing = info_.backing_store ? open_on_disk(path, mode) : nullptr;
    return std::make_unique<ImageFile>(setting.functions, info_, std::move(backing));
  }

  std::unique_ptr<FileDriver> open_image(const std::string& path, DriverOpenMode mode,
                                         const ImageSetting& setting) const {
    if (exists(path))
      throw Error(ErrorKind::already_exists,
                  fmt::format("'{}' exists already, so an image cannot be opened under its name", path));
    const bool saved = info_.backing_store && mode == DriverOpenMode::read_write;
    auto backing = saved ? open_on_disk(path, DriverOpenMode::create_new) : nullptr;
    auto file = std::make_unique<ImageFile>(setting.functions, info_, std::move(backing));
    file->load(setting.bytes());
    return file;
  }

  std::unique_ptr<FileDriver> open_file(const std::string& path, DriverOpenMode mode,
                                        const ImageSetting& setting) const {
    const bool saved = info_.backing_store && mode == DriverOpenMode::read_write;
    auto disk = open_on_disk(path, saved ? mode : DriverOpenMode::read_only);
    FileDriver& source = *disk;
    auto file = std::make_unique<ImageFile>(setting.functions, info_, saved ? std::move(disk) : nullptr);
    file->load(source);
    return file;
  }

  mutable Guarded<ImageSetting> setting_;
  const CoreInfo info_;
};

}  // namespace

ImageFile::ImageFile(std::shared_ptr<const ImageFunctions> functions, const CoreInfo& info,
                     std::unique_ptr<FileDriver> backing)
    : functions_(std::move(functions)),
      increment_(info.increment > 0 ? info.increment : CoreInfo().increment),
      backing_(std::move(backing)) {}

ImageFile::~ImageFile() { free(); }

bool ImageFile::free() {
  void* const memory = std::exchange(memory_, nullptr);
  capacity_ = size_ = 0;
  return memory == nullptr || functions_->free(memory, H5FD_FILE_IMAGE_OP_FILE_CLOSE);
}

void ImageFile::allocate(std::uint64_t bytes) {
  memory_ = functions_->allocate(bytes, H5FD_FILE_IMAGE_OP_FILE_OPEN);
  if (memory_ == nullptr) callback_failed("image_malloc", "the file was opened");
  capacity_ = size_ = bytes;
}

void ImageFile::load(std::span<const std::byte> image) {
  const ExclusiveLock lock(mutex_);
  allocate(image.size());
  if (!functions_->copy(memory_, image.data(), image.size(), H5FD_FILE_IMAGE_OP_FILE_OPEN))
    callback_failed("image_memcpy", "the file was opened");
  changed_ = true;
}

void ImageFile::load(FileDriver& from) {
  const std::uint64_t bytes = from.size();
  if (bytes == 0) return;
  const ExclusiveLock lock(mutex_);
  allocate(bytes);
  const ReadExtent whole{0, {this->bytes(), bytes}};
  from.read({&whole, 1});
}

DriverCapabilities ImageFile::capabilities() const {
  DriverCapabilities can;
  can.thread_safe = true;
  can.coalescing = CoalescingLimits::none();
  return can;
}

void ImageFile::read(std::span<const ReadExtent> extents) {
  const SharedLock lock(mutex_);
  for (const ReadExtent& e : extents) {
    if (e.offset > size_ || e.into.size() > size_ - e.offset)
      throw Error(ErrorKind::truncated, fmt::format("the image was cut to {} bytes meanwhile", size_));
    std::copy_n(bytes() + e.offset, e.into.size(), e.into.begin());
  }
}

void ImageFile::write(std::span<const WriteExtent> extents) {
  const ExclusiveLock lock(mutex_);
  for (const WriteExtent& e : extents) {
    if (e.from.empty()) continue;
    const std::uint64_t end = e.offset + e.from.size();
    if (end > capacity_) resize(rounded(end));
    std::copy_n(e.from.begin(), e.from.size(), bytes() + e.offset);
    size_ = std::max(size_, end);
    changed_ = true;
  }
}

std::uint64_t ImageFile::size() {
  const SharedLock lock(mutex_);
  return size_;
}

std::uint64_t ImageFile::rounded(std::uint64_t bytes) const {
  return (bytes + increment_ - 1) / increment_ * increment_;
}

void ImageFile::resize(std::uint64_t bytes) {
  void* const moved = functions_->resize(memory_, bytes, H5FD_FILE_IMAGE_OP_FILE_RESIZE);
  if (moved == nullptr)
    throw Error(ErrorKind::no_space, fmt::format("the memory of the image cannot have {} bytes", bytes));
  memory_ = moved;
  if (bytes > capacity_) std::memset(this->bytes() + capacity_, 0, bytes - capacity_);
  capacity_ = bytes;
}

void ImageFile::truncate(std::uint64_t bytes) {
  const ExclusiveLock lock(mutex_);
  if (bytes == size_) return;
  if (bytes < size_) std::memset(this->bytes() + bytes, 0, size_ - bytes);
  size_ = std::min(size_, bytes);
  if (bytes > capacity_) resize(rounded(bytes));  // as in HDF5, closing the file does not make it smaller
  size_ = bytes;
  changed_ = true;
}

void ImageFile::save() {
  if (backing_ == nullptr || !changed_) return;
  const WriteExtent whole{0, {bytes(), capacity_}};
  if (capacity_ > 0) backing_->write({&whole, 1});
  if (backing_->size() != capacity_) backing_->truncate(capacity_);
  changed_ = false;
}

void ImageFile::flush() {
  const ExclusiveLock lock(mutex_);
  save();
}

void ImageFile::sync() {
  flush();
  if (backing_ != nullptr) backing_->sync();
}

void ImageFile::close() {
  const ExclusiveLock lock(mutex_);
  if (backing_ != nullptr) {
    if (size_ > 0 && size_ != capacity_) {
      resize(size_);
      changed_ = true;
    }
    save();
    backing_->close();
  }
  if (!free()) callback_failed("image_free", "the file was closed");
}

void ImageFile::lock(LockKind kind) {
  if (backing_ != nullptr) backing_->lock(kind);
}

void ImageFile::unlock() {
  if (backing_ != nullptr) backing_->unlock();
}

std::optional<int> ImageFile::descriptor() {
  return backing_ != nullptr ? backing_->descriptor() : std::nullopt;
}

bool ImageFile::accept_driver_info(const DriverInfo& stored) {
  return stored.id != format::family_driver_id && stored.id != format::multi_driver_id;
}

std::optional<UserDriver> image_driver(const FileAccessSettings& settings) {
  const auto info = driver_info<CoreInfo>(settings.driver, H5_VFD_CORE);
  // Files without a copy on disk are here as well, because H5Fget_vfd_handle points to their memory.
  const bool in_memory_only = info != nullptr && !info->backing_store;
  if (settings.image.empty() && !settings.image.functions->given() && !in_memory_only) return std::nullopt;
  if (info == nullptr && driver_of(settings.driver)->functions.value != H5_VFD_CORE) return std::nullopt;
  const auto opener = std::make_shared<const ImageOpener>(settings.image, info ? *info : CoreInfo());
  UserDriver made;
  made.open = [opener](const DriverOpenRequest& request) { return opener->open(request.path, request.mode); };
  return made;
}

ImageFile* image_file(const File& file) { return dynamic_cast<ImageFile*>(filigree::driver_of(file)); }

}  // namespace filigree::capi
