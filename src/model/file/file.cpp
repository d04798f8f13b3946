// SPDX-License-Identifier: Apache-2.0
#include "model/file/file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>
#include <filigree/file.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "base/executor.hpp"
#include "chunk/cache/chunk_cache.hpp"
#include "io/drivers.hpp"
#include "io/virtual_file.hpp"
#include "model/file/superblock_extension.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "model/virtual/sources.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {

std::shared_ptr<File> FileSet::find(std::uint64_t device, std::uint64_t inode) {
  const MutexLock lock(mutex_);
  for (const Member& m : members_) {
    if (m.device != device || m.inode != inode) continue;
    auto file = m.file.lock();
    if (file && !file->closed()) return file;
  }
  return nullptr;
}

void FileSet::add(std::uint64_t device, std::uint64_t inode, const std::shared_ptr<File>& file) {
  const MutexLock lock(mutex_);
  std::erase_if(members_, [](const Member& m) { return m.file.expired(); });
  members_.push_back({device, inode, file});
}

std::shared_ptr<File> FileSet::keeper(File& asking) {
  const MutexLock lock(mutex_);
  if (auto file = keeper_.lock(); file && !file->closed()) return file;
  keeper_ = asking.weak_from_this();
  return asking.shared_from_this();
}

std::shared_ptr<File> File::open_path(const std::string& path, OpenMode mode, const AccessOptions& access,
                                      std::shared_ptr<FileSet> set, unsigned swmr_read_attempts) {
  if (!set) set = access.files;
  if (!set) set = std::make_shared<FileSet>();
  const auto before = io::driver_file_identity(path, access);
  if (before) {
    if (auto file = set->find(before->device, before->inode)) return file;
  }
  auto file = open(
      io::open_driver(
          path, mode == OpenMode::read_only ? DriverOpenMode::read_only : DriverOpenMode::read_write, access),
      access, set, swmr_read_attempts);
  if (before) set->add(before->device, before->inode, file);
  return file;
}

std::shared_ptr<File> File::create_path(const std::string& path, CreateMode mode,
                                        const CreateOptions& options, const AccessOptions& access) {
  const bool exclusive = mode == CreateMode::exclusive;
  // Before an existing file is truncated.
  check_create_options(options, access);
  check_environment();
  const auto before = io::driver_file_identity(path, access);
  if (before && access.files && access.files->find(before->device, before->inode)) {
    throw Error(exclusive ? ErrorKind::already_exists : ErrorKind::locked,
                fmt::format("'{}' is open already, so it cannot be made anew", path));
  }
  auto bytes =
      io::open_driver(path, exclusive ? DriverOpenMode::create_new : DriverOpenMode::create_truncate, access);
  try {
    auto file = create(std::move(bytes), options, access);
    if (const auto made = io::driver_file_identity(path, access))
      file->set_->add(made->device, made->inode, file);
    return file;
  } catch (...) {
    // A file whose creation failed is removed.
    if (exclusive) io::remove_driver_files(path, access);
    throw;
  }
}

File::File()
    : chunks_(std::make_unique<DatasetChunks>()),
      virtuals_(std::make_unique<VirtualDatasets>()),
      unlinked_(*this) {}

void File::check_environment() {
  Executor::default_executor();
  chunk::ChunkCache::shared();
}

File::~File() {
  try {
    close();
  } catch (...) {  // callers that need the error call close()
  }
}

store::FileStore& File::store() const {
  if (!store_) throw Error(ErrorKind::closed, fmt::format("'{}' has been closed", name_));
  return *store_;
}

std::uint64_t File::reusable_bytes() const { return space_ != nullptr ? space_->free_bytes() : 0; }

std::vector<FreeSection> File::free_sections() const {
  if (space_ == nullptr) return {};
  store::FreeSpaceSnapshot all;
  if (changed_) {
    all = space_->sections();
  } else if (space_info_.present() && space_info_->persist) {
    try {
      all = store::read_free_space(*store_, space_info_->managers, space_->end_of_allocation()).sections;
    } catch (const Error&) {
      // As in StoredSpaceInfo::load_free_space().
    }
  }
  std::vector<FreeSection> found;
  for (std::size_t slot = 0; slot < all.size(); ++slot) {
    const auto type = static_cast<MemoryType>(slot % store::first_large_slot + 1);
    for (const store::SpaceRange& range : all[slot])
      found.push_back({type, range.at, range.bytes, slot >= store::first_large_slot});
  }
  return found;
}

void File::move_end(std::uint64_t bytes) {
  const std::uint64_t end = std::max(space_->end_of_allocation(), store_->file_end());
  const std::uint64_t moved = checked_add(end, bytes, "the end of the file");
  space_->skip_to(moved);
  store_->reach(moved);
}

void File::release_metadata() {
  if (holds_ > 0) --holds_;
}

void File::begin_change(std::string_view doing) {
  store().require_writable(doing);
  note_change(doing);
  prepare_change();
}

void File::prepare_change() {
  if (changed_) return;
  changed_ = true;
  cache_image_.replace_by_structures(*store_, superblock_->extension);
  space_info_.load_free_space(*store_, *space_, superblock_->extension);
}

void File::end_change() {
  // Handles live differently long on the members of a communicator, and their caches differ. So what depends
  // on them waits for a collective call.
  if (parallel_) return store_->trim_cache([] {});
  unlinked_.free_unused(false);
  // SWMR readers must see a new extent together with its elements, so only the caller decides when to flush.
  store_->trim_cache([this] {
    if (!swmr_writer_ && holds_ == 0) store_->flush_metadata();
  });
}

void File::root_changed() {
  superblock_->root.cache = format::EntryCache::none;
  superblock_->root.cached_btree = superblock_->root.cached_heap = Address::undefined;
}

void File::downgrade() {
  superblock_->version = std::min(superblock_->version, newest_superblock_of_v1_8);
  if (space_info_.present()) space_info_.remove(*store_, superblock_->extension);
}

void File::flush() {
  flush_sources();
  if (parallel_) {
    store();  // throws for a closed file
    return flush_together();
  }
  if (!store().writable() || !changed_) return;
  in_context([&] { return fmt::format("writing '{}'", name_); },
             [&] {
               unlinked_.free_unused(false);
               write_out(false);
             });
}

void File::flush_sources() {
  const FileLock::Unlocked unlocked(lock_);
  virtuals_->flush_sources();
}

void File::close() {
  flush_sources();
  if (!store_) return;
  if (parallel_) {
    close_together();
  } else if (changed_) {
    in_context([&] { return fmt::format("closing '{}'", name_); },
               [&] {
                 unlinked_.free_unused(true);
                 write_out(true);
               });
  }
  release();
}

/// Ends the use of a file whose changes are written.
void File::release() {
  virtuals_->release_sources();
  chunks_.reset();
  global_heap_.reset();
  shared_messages_.reset();
  space_ = nullptr;
  page_buffer_ = nullptr;
  parallel_file_ = nullptr;
  std::exception_ptr failure;
  try {
    store_->file().close();
  } catch (...) {
    failure = std::current_exception();
  }
  closed_ = true;
  store_.reset();
  access_.driver = {};  // a user-defined driver may hold resources
  if (failure) std::rethrow_exception(failure);
}

/// Allocates space for dirty structures before the free space is stored.
void File::settle_space(bool closing) {
  store_->allocate_for_flush();
  if (swmr_writer_) store_->move_for_swmr_readers();
  if (closing) space_info_.save_free_space(*store_, *space_, superblock_->extension);
  store_driver_info();
}

void File::write_out(bool closing) {
  chunks_->flush();
  settle_space(closing);
  if (swmr_writer_) return write_out_in_order(closing);
  store_->flush_metadata();
  // The end of file in the superblock must never exceed the file: it grows before the superblock is written
  // and shrinks after. The write mark is removed last, by a write of its own.
  store_->grow_to_allocation();
  store_->write_back();
  write_superblock(true);
  store_->shrink_to_allocation();
  store_->write_back();
  end_mark();
}

void File::end_mark() {
  try {
    write_superblock(false);
    store_->write_back();
  } catch (...) {
    store_->end_writing();  // the mark may have been removed, so the next modification sets it again
    throw;
  }
  store_->end_writing();
}

std::optional<DriverInfo> File::current_driver_info() const {
  if (!has_driver_info_) return std::nullopt;
  std::vector<store::FilePart> parts = store_->parts();
  for (store::FilePart& part : parts) part.end = space_->allocated_until(to_address(part.first));
  return driver_info(store_->file(), parts);
}

void File::store_driver_info() {
  if (superblock_->version <= 1) return;  // it is written with the superblock
  if (const auto current = current_driver_info())
    write_driver_info(*store_, superblock_->extension, *current);
}

void File::write_superblock(bool marked) {
  const auto info = [this] { return current_driver_info(); };
  const WriteMark mark = swmr_writer_ ? WriteMark::swmr_writer : WriteMark::writer;
  superblock_.write(*store_, {space_->end_of_allocation(), info}, marked ? mark : WriteMark::none);
}

bool File::remove_write_mark() {
  store().require_writable("clear the mark");
  if (superblock_.stored_mark() == WriteMark::none) return false;
  write_superblock(false);
  store_->write_back();
  store_->end_writing();
  return true;
}

Buffer File::image() {
  flush();
  io::VirtualFile& file = store().file();
  if (store_->parts().size() > 1)
    throw Error(ErrorKind::unsupported, fmt::format("'{}' is several files, not one image", name_));
  Buffer bytes(file.size());
  file.read(0, bytes);
  return bytes;
}

}  // namespace filigree::model
