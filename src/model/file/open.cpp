// SPDX-License-Identifier: Apache-2.0
//
// Opening of files: the superblock extension, and what follows from it.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "format/codec/codec.hpp"
#include "io/memory/memory_file.hpp"
#include "io/stack/page_buffer_file.hpp"
#include "io/stack/prefetched_header_file.hpp"
#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/object_header/object_header.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {
namespace {

constexpr std::size_t read_ahead_bytes = 16u << 20;

}  // namespace

using format::MessageType;

std::shared_ptr<File> File::open(std::unique_ptr<io::VirtualFile> file, const AccessOptions& access,
                                 std::shared_ptr<FileSet> set, unsigned swmr_read_attempts) {
  std::shared_ptr<File> opened(new File);
  opened->swmr_read_attempts_ = swmr_read_attempts;
  opened->name_ = file->name();
  opened->writable_ = file->writable();
  opened->access_ = access;
  opened->set_ = set ? std::move(set) : access.files ? access.files : std::make_shared<FileSet>();
  in_context([&] { return fmt::format("opening '{}'", opened->name_); },
             [&] {
               if (file->communicator() != nullptr) return opened->load_together(std::move(file));
               check_environment();
               opened->load(swmr_read_attempts > 0 ? std::move(file)
                                                   : io::PrefetchedHeaderFile::wrap(std::move(file)));
             });
  return opened;
}

void File::load(std::unique_ptr<io::VirtualFile> file) {
  const std::uint64_t missing = superblock_.read(*file, access_.ignore_write_mark, swmr_read_attempts_);
  set_versions(access_.versions);
  if (swmr_read_attempts_ > 0 && superblock_->version >= 3) {
    // The end of file in the superblock may be outdated.
    const std::uint64_t end = file->end_of_file(io::MemoryType::superblock);
    attach(std::move(file), end - superblock_.position());
    return read_extension();
  }
  const std::uint64_t bytes = superblock_->end_of_file - to_number(superblock_->base);
  attach(std::move(file), bytes);
  if (missing == 0) {
    read_extension();
    return add_page_buffer();
  }
  try {
    read_extension();  // which may name further member files
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsupported || error.kind() == ErrorKind::invalid_argument) throw;
  }
  throw Error(ErrorKind::truncated,
              fmt::format("the file is truncated: its superblock tells of {} bytes, but there are only {}",
                          bytes, bytes - missing));
}

void File::set_versions(VersionBounds versions) {
  const Version least = superblock_->version >= 3   ? Version::v1_10
                        : superblock_->version == 2 ? Version::v1_8
                                                    : Version::earliest;
  if (least > versions.high) {
    throw Error(ErrorKind::unsupported,
                fmt::format("superblock version {} is newer than the upper version bound allows",
                            superblock_->version));
  }
  versions.low = std::max(versions.low, least);
  formats_.bounds = versions;
}

void File::attach(std::unique_ptr<io::VirtualFile> file, std::uint64_t end) {
  store::FileSpaceOptions space;
  space.strategy = static_cast<store::SpaceStrategy>(space_info_->strategy);
  space.persist = space_info_->persist;
  space.threshold = space_info_->threshold;
  space.page_bytes = space_info_->page_bytes;
  space.metadata_block_bytes = access_.metadata_block_bytes;
  space.small_data_block_bytes = access_.small_data_block_bytes;
  space.alignment = access_.alignment;
  space.alignment_threshold = access_.alignment_threshold;
  space.offset_bytes = superblock_->widths.offset_bytes;
  space.base = superblock_.position();
  io::VirtualFile& driver = store_ ? store_->file() : *file;
  if (!driver.capabilities().aggregate_metadata) space.metadata_block_bytes = 0;
  if (!driver.capabilities().aggregate_small_data) space.small_data_block_bytes = 0;
  space.allocator = driver_allocator(driver, superblock_.position());
  const std::vector<store::FilePart> parts = store::file_parts(driver, superblock_.position(), end);
  auto owned = std::make_unique<store::FileSpace>(space, parts);
  space_ = owned.get();
  if (store_) {
    store_->replace_space(std::move(owned));
    return;
  }
  store::FileStore::Setup setup;
  setup.widths = superblock_->widths;
  setup.base = superblock_.position();
  setup.parts = parts;
  setup.cache_bytes = access_.metadata_cache_bytes;
  // What was decoded is cached, so pages only serve what is decoded next.
  setup.read_ahead_bytes = read_ahead_bytes;
  setup.swmr_read_attempts = swmr_read_attempts_;
  if (parallel_) setup.raw_block_bytes = setup.gathered_bytes = 0;  // other processes write raw data
  // A SWMR reader keeps one view until refresh(): entries must not be evicted and read again in a newer
  // version.
  if (swmr_read_attempts_ > 0) setup.cache_bytes = std::numeric_limits<std::size_t>::max();
  store_ = std::make_unique<store::FileStore>(std::move(file), setup, std::move(owned));
  store_->on_first_write([this] { add_mark(); });
  global_heap_ = std::make_unique<store::GlobalHeap>(*store_);
}

void File::read_extension() {
  if (superblock_->version <= 1) {
    if (is_valid(superblock_->driver_info)) {
      read_driver_info(superblock_.read_driver_info_block(*store_));
      attach(nullptr, space_->end_of_allocation());
    }
    if (!has_driver_info_) require_no_driver_info(store_->file());
    return;
  }
  if (!is_valid(superblock_->extension)) return require_no_driver_info(store_->file());
  const format::Widths& widths = store_->widths();
  const auto entry = store::ObjectHeader(*store_, superblock_->extension).load();
  for (const auto& m : entry->messages) {
    const Bytes body = entry->body(m);
    // The message is outdated if a release that does not know it has modified the file.
    const bool stale = (m.slot.flags & format::message_flag::was_unknown) != 0;
    switch (m.slot.type) {
      case MessageType::shared_message_table: {
        const auto info = format::decode<format::SharedMessageTableInfo>(body, widths, entry->address());
        shared_messages_ = std::make_unique<store::SharedMessages>(*store_, info.table, info.indexes);
        formats_.attributes_shared = shared_messages_->tracks(MessageType::attribute);
        break;
      }
      case MessageType::btree_k: {
        const auto k = format::decode<format::BTreeK>(body, widths, entry->address());
        superblock_->chunk_k = k.chunk_k;
        superblock_->group_internal_k = k.group_internal_k;
        superblock_->group_leaf_k = k.group_leaf_k;
        break;
      }
      case MessageType::driver_info: {
        auto info = format::decode<format::DriverInfoMessage>(body, widths, entry->address());
        read_driver_info({std::move(info.id), std::move(info.info)});
        break;
      }
      case MessageType::file_space_info:
        if (stale) break;
        space_info_.set_fields(format::decode<format::FileSpaceInfo>(body, widths, entry->address()));
        break;
      case MessageType::cache_image:
        if (stale) break;
        cache_image_.read(*store_, format::decode<format::CacheImageMessage>(body, widths, entry->address()));
        break;
      default:
        break;
    }
  }
  if (!has_driver_info_) require_no_driver_info(store_->file());
  if (space_info_.present() || has_driver_info_) attach(nullptr, space_->end_of_allocation());
}

void File::add_page_buffer() {
  if (access_.page_buffer_bytes == 0 || swmr_read_attempts_ > 0 ||
      space_info_->strategy != format::FileSpaceStrategy::paged)
    return;
  io::PageBufferOptions options;
  options.page_bytes = space_info_->page_bytes;
  options.base = superblock_.position();
  options.bytes = access_.page_buffer_bytes;
  options.metadata_percent = access_.page_buffer_metadata_percent;
  options.raw_percent = access_.page_buffer_raw_percent;
  try {
    store_->wrap_file([&](std::unique_ptr<io::VirtualFile> file) {
      auto buffer = std::make_unique<io::PageBufferFile>(std::move(file), options);
      page_buffer_ = buffer.get();
      return buffer;
    });
  } catch (...) {
    // The file was destroyed with the page buffer that failed; closing needs one.
    store_->wrap_file([](const auto&) { return std::make_unique<io::MemoryFile>(); });
    throw;
  }
}

void File::read_driver_info(const DriverInfo& stored) {
  apply_driver_info(store_->file(), stored);
  has_driver_info_ = true;
}

}  // namespace filigree::model
