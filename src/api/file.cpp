// SPDX-License-Identifier: Apache-2.0
#include <filigree/file.hpp>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/inside.hpp"
#include "io/memory/memory_file.hpp"
#include "io/posix/posix_file.hpp"
#include "io/stack/page_buffer_file.hpp"
#include "model/file/file.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree {

File File::open(const std::string& path, OpenMode mode, const AccessOptions& access) {
  File opened(model::File::open_path(path, mode, access));
  if (mode == OpenMode::read_write && !opened.writable())
    throw Error(ErrorKind::read_only, fmt::format("'{}' is open already, for reading only", path));
  return opened;
}

File File::open_swmr(const std::string& path, const AccessOptions& access, unsigned attempts) {
  if (attempts == 0)
    throw Error(ErrorKind::invalid_argument, "a structure needs at least one attempt to be read");
  return File(model::File::open_path(path, OpenMode::read_only, access, nullptr, attempts));
}

FileSet make_file_set() { return std::make_shared<model::FileSet>(); }

File File::create(const std::string& path, CreateMode mode, const CreateOptions& options,
                  const AccessOptions& access) {
  return File(model::File::create_path(path, mode, options, access));
}

File File::create_in_memory(const CreateOptions& options, const AccessOptions& access) {
  return File(model::File::create(std::make_unique<io::MemoryFile>(), options, access));
}

File File::open_image(std::vector<std::byte> image, OpenMode mode, const AccessOptions& access) {
  io::MemoryOptions memory;
  memory.writable = mode == OpenMode::read_write;
  return File(model::File::open(std::make_unique<io::MemoryFile>(std::move(image), memory), access));
}

bool File::is_hdf5(const std::string& path) {
  io::PosixOptions options;
  options.lock = io::LockPolicy::never;
  return model::find_superblock(io::PosixFile(path, io::DriverOpenMode::read_only, options)).has_value();
}

bool File::clear_write_mark(const std::string& path, const AccessOptions& access) {
  AccessOptions anyway = access;
  anyway.ignore_write_mark = true;
  const auto file = model::File::open_path(path, OpenMode::read_write, anyway);
  const FileLock::Exclusive exclusive(file->lock());
  const bool cleared = file->remove_write_mark();
  file->close();
  return cleared;
}

Group File::root() const {
  impl_->store();  // throws for a closed file
  return Group(Object(std::make_shared<model::OpenObject>(impl_, impl_->root(), "/")));
}

Object File::open_object(const ObjectReference& reference) const {
  return api::inside(
      *impl_,
      [&] { return fmt::format("following a reference to {:#x} in '{}'", reference.address, name()); },
      [&] {
        if (reference.address == 0) throw Error(ErrorKind::not_found, "it points nowhere");
        const Address header = to_address(reference.address);
        model::object_kind(*impl_, header);
        return Object(
            std::make_shared<model::OpenObject>(impl_, header, fmt::format("<{:#x}>", reference.address)));
      });
}

const std::string& File::name() const { return impl_->name(); }

bool File::writable() const { return impl_->writable(); }

FileInfo File::info() const {
  const FileLock::Shared shared(impl_->lock());
  const auto& superblock = impl_->superblock();
  FileInfo info;
  info.superblock_version = superblock.version;
  info.user_block_bytes = impl_->store().base();
  info.file_bytes = info.user_block_bytes + impl_->store().file_bytes();
  info.offset_bytes = superblock.widths.offset_bytes;
  info.length_bytes = superblock.widths.length_bytes;
  info.superblock_bytes = impl_->superblock_bytes();
  if (is_valid(superblock.extension))
    info.extension_bytes = model::header_bytes(*impl_, superblock.extension);
  info.space = impl_->space_options();
  const model::FreeSpaceBytes persistent = impl_->persistent_free_space();
  info.reusable_bytes = impl_->reusable_bytes() + persistent.free;
  info.free_space_metadata_bytes = persistent.metadata;
  if (const store::SharedMessages* messages = impl_->shared_messages()) {
    const store::SharedMessageBytes bytes = messages->file_bytes();
    info.shared_message_table_bytes = bytes.table;
    info.shared_message_index_bytes = bytes.indexes;
    info.shared_message_heap_bytes = bytes.heaps;
  }
  info.versions = impl_->formats().bounds;
  if (const io::PageBufferFile* buffer = impl_->page_buffer()) {
    const io::PageBufferCounters counters = buffer->counters();
    const auto kind = [](const io::PageBufferCounters::Kind& from) {
      return PageBufferInfo::Kind{from.hits, from.misses, from.evictions, from.bypasses};
    };
    info.page_buffer = PageBufferInfo{kind(counters.metadata), kind(counters.raw)};
  }
  if (is_valid(impl_->cache_image().address())) {
    info.cache_image_address = to_number(impl_->cache_image().address());
    info.cache_image_bytes = impl_->cache_image().bytes();
  }
  return info;
}

void File::flush() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->flush();
}

void File::close() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->close();
}

void File::start_swmr_write() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->start_swmr_write();
}

bool File::is_swmr_writer() const {
  const FileLock::Shared shared(impl_->lock());
  return impl_->is_swmr_writer();
}

void File::refresh() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->refresh();
}

std::vector<ReadRetries> File::read_retries() const {
  const FileLock::Shared shared(impl_->lock());
  std::vector<ReadRetries> found;
  for (const store::LoadRetries& one : impl_->store().cache().retries())
    found.push_back({std::string(store::to_string(one.kind)), one.failed});
  return found;
}

std::optional<int> File::descriptor() const {
  const FileLock::Shared shared(impl_->lock());
  return impl_->store().file().descriptor();
}

void File::downgrade() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->store();  // throws if the file has been closed
  if (!impl_->has_newer_form()) return;
  const model::Change change(*impl_, "convert the file");
  impl_->downgrade();
}

std::vector<FreeSection> File::free_sections() const {
  const FileLock::Shared shared(impl_->lock());
  impl_->store();  // throws for a closed file
  return impl_->free_sections();
}

void File::move_end(std::uint64_t bytes) {
  const model::Change change(*impl_, "move the end of the file");
  impl_->move_end(bytes);
}

void File::hold_metadata() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->hold_metadata();
}

void File::release_metadata() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->release_metadata();
}

void File::evict_metadata() {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->store().cache().evict_unused();
}

void File::set_metadata_log(std::function<void(const MetadataEvent&)> log) {
  const FileLock::Exclusive exclusive(impl_->lock());
  store::CacheLog inner;
  if (log) {
    inner = [log = std::move(log)](const store::CacheEvent& event) {
      log({static_cast<MetadataEvent::Action>(event.action), std::string(store::to_string(event.kind)),
           to_number(event.at), event.memory_bytes});
    };
  }
  impl_->store().cache().set_log(std::move(inner));
}

void File::set_versions(const VersionBounds& versions) {
  const FileLock::Exclusive exclusive(impl_->lock());
  impl_->set_versions(versions);
}

std::vector<std::byte> File::image() const {
  const FileLock::Exclusive exclusive(impl_->lock());
  return impl_->image();
}

}  // namespace filigree
