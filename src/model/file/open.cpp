// SPDX-License-Identifier: Apache-2.0
//
// Opening of files: the superblock and its extension.
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
#include "model/file/write_mark.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/object_header/object_header.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {

using format::MessageType;

namespace {

constexpr std::size_t largest_superblock_bytes = 128;
constexpr std::byte newest_superblock{3};

}  // namespace

std::optional<SuperblockLocation> find_superblock(const io::VirtualFile& file) {
  const std::uint64_t size = file.end_of_file(io::MemoryType::superblock);
  for (std::uint64_t at = 0; at + format::superblock_signature.size() <= size; at = at == 0 ? 512 : at * 2) {
    Buffer start(std::min<std::uint64_t>(largest_superblock_bytes, size - at));
    file.read(at, start, io::MemoryType::superblock);
    if (as_text(start).starts_with(format::superblock_signature))
      return SuperblockLocation{at, std::move(start)};
    if (at > size / 2) break;
  }
  return std::nullopt;
}

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
               opened->load(swmr_read_attempts > 0 ? std::move(file)
                                                   : io::PrefetchedHeaderFile::wrap(std::move(file)));
             });
  return opened;
}

void File::load(std::unique_ptr<io::VirtualFile> file) {
  const std::uint64_t missing =
      swmr_read_attempts_ > 0 ? read_superblock_patiently(*file) : read_superblock(*file);
  if (swmr_read_attempts_ > 0 && superblock_.version >= 3) {
    // The end of file in the superblock may be outdated.
    const std::uint64_t end = file->end_of_file(io::MemoryType::superblock);
    attach(std::move(file), end - position_);
    return read_extension();
  }
  const std::uint64_t bytes = superblock_.end_of_file - to_number(superblock_.base);
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

std::uint64_t File::read_superblock_patiently(const io::VirtualFile& file) {
  for (unsigned failed = 0;; ++failed) {
    superblock_torn_ = false;
    try {
      return read_superblock(file);
    } catch (const Error& error) {
      if (failed + 1 >= swmr_read_attempts_ || !(superblock_torn_ || store::may_be_torn_read(error))) throw;
    }
    store::pause_before_retry(failed);
  }
}

std::uint64_t File::read_superblock(const io::VirtualFile& file) {
  const std::uint64_t size = file.end_of_file(io::MemoryType::superblock);
  const auto found = find_superblock(file);
  if (!found) {
    throw Error(ErrorKind::not_hdf5, size == 0
                                         ? "the file is empty, so it is not an HDF5 file"
                                         : "not an HDF5 file: it has no HDF5 signature at 0, 512, 1024, ...");
  }
  position_ = found->position;
  constexpr std::size_t version_at = 8;
  if (found->start.size() > version_at && found->start[version_at] > newest_superblock) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("superblock at {}: version {} is newer than this version of Filigree reads (0 to {})",
                    to_string(to_address(position_)), std::to_integer<unsigned>(found->start[version_at]),
                    std::to_integer<unsigned>(newest_superblock)));
  }
  decode_superblock(found->start);
  const std::uint64_t base = to_number(superblock_.base);
  const std::uint64_t end = superblock_.end_of_file;
  if (end == ~std::uint64_t{0} || end < base) {
    throw Error(
        ErrorKind::corrupt,
        fmt::format("superblock: its end of file ({:#x}) lies before its base address ({:#x})", end, base));
  }
  set_versions(access_.versions);
  return end - base - std::min(end - base, size - position_);
}

void File::set_versions(VersionBounds versions) {
  const Version least = superblock_.version >= 3   ? Version::v1_10
                        : superblock_.version == 2 ? Version::v1_8
                                                   : Version::earliest;
  if (least > versions.high) {
    throw Error(ErrorKind::unsupported,
                fmt::format("superblock version {} is newer than the upper version bound allows",
                            superblock_.version));
  }
  versions.low = std::max(versions.low, least);
  formats_.bounds = versions;
}

void File::decode_superblock(Bytes start) {
  std::optional<Buffer> mended;
  if (torn_superblock(start)) {
    superblock_torn_ = true;
    if (access_.ignore_write_mark) mended = mended_superblock(start);
    if (!mended)
      throw Error(ErrorKind::locked, "the file was not closed: writing its superblock was interrupted");
    start = *mended;
  }
  const std::size_t used = format::decode(superblock_, start, {}, to_address(position_));
  stored_superblock_.assign(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(used));
  const WriteMark mark = write_mark(superblock_);
  const bool follows = swmr_read_attempts_ > 0 && mark == WriteMark::swmr_writer;
  if (mark != WriteMark::none && !access_.ignore_write_mark && !follows)
    throw Error(ErrorKind::locked, not_closed(mark));
  clear_write_mark(superblock_);
}

void File::attach(std::unique_ptr<io::VirtualFile> file, std::uint64_t end) {
  store::FileSpaceOptions space;
  space.strategy = static_cast<store::SpaceStrategy>(space_info_.strategy);
  space.persist = space_info_.persist;
  space.threshold = space_info_.threshold;
  space.page_bytes = space_info_.page_bytes;
  space.metadata_block_bytes = access_.metadata_block_bytes;
  space.small_data_block_bytes = access_.small_data_block_bytes;
  space.alignment = access_.alignment;
  space.alignment_threshold = access_.alignment_threshold;
  space.offset_bytes = superblock_.widths.offset_bytes;
  space.base = position_;
  io::VirtualFile& driver = store_ ? store_->file() : *file;
  if (!driver.capabilities().aggregate_metadata) space.metadata_block_bytes = 0;
  if (!driver.capabilities().aggregate_small_data) space.small_data_block_bytes = 0;
  space.allocator = driver_allocator(driver, position_);
  const std::vector<store::FilePart> parts = store::file_parts(driver, position_, end);
  auto owned = std::make_unique<store::FileSpace>(space, parts);
  space_ = owned.get();
  if (store_) {
    store_->replace_space(std::move(owned));
    return;
  }
  store::FileStore::Setup setup;
  setup.widths = superblock_.widths;
  setup.base = position_;
  setup.parts = parts;
  setup.cache_bytes = access_.metadata_cache_bytes;
  setup.swmr_read_attempts = swmr_read_attempts_;
  // A SWMR reader keeps one view until refresh(): entries must not be evicted and read again in a newer
  // version.
  if (swmr_read_attempts_ > 0) setup.cache_bytes = std::numeric_limits<std::size_t>::max();
  store_ = std::make_unique<store::FileStore>(std::move(file), setup, std::move(owned));
  store_->on_first_write([this] { mark_file(); });
  global_heap_ = std::make_unique<store::GlobalHeap>(*store_);
}

void File::read_extension() {
  if (superblock_.version <= 1) {
    if (is_valid(superblock_.driver_info)) {
      const Buffer bytes = store_->read_up_to(superblock_.driver_info, 4096, "driver info block");
      format::DriverInfoBlock block;
      const std::size_t used = format::decode(block, bytes, store_->widths(), superblock_.driver_info);
      stored_superblock_.insert(stored_superblock_.end(), bytes.begin(),
                                bytes.begin() + static_cast<std::ptrdiff_t>(used));
      read_driver_info({std::move(block.id), std::move(block.info)});
      attach(nullptr, space_->end_of_allocation());
    }
    if (!has_driver_info_) require_no_driver_info(store_->file());
    return;
  }
  if (!is_valid(superblock_.extension)) return require_no_driver_info(store_->file());
  const format::Widths& widths = store_->widths();
  const auto entry = store::ObjectHeader(*store_, superblock_.extension).load();
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
        superblock_.chunk_k = k.chunk_k;
        superblock_.group_internal_k = k.group_internal_k;
        superblock_.group_leaf_k = k.group_leaf_k;
        break;
      }
      case MessageType::driver_info: {
        auto info = format::decode<format::DriverInfoMessage>(body, widths, entry->address());
        read_driver_info({std::move(info.id), std::move(info.info)});
        break;
      }
      case MessageType::file_space_info:
        if (stale) break;
        space_info_ = format::decode<format::FileSpaceInfo>(body, widths, entry->address());
        has_space_info_ = true;
        break;
      case MessageType::cache_image:
        if (stale) break;
        read_cache_image(format::decode<format::CacheImageMessage>(body, widths, entry->address()));
        break;
      default:
        break;
    }
  }
  if (!has_driver_info_) require_no_driver_info(store_->file());
  if (has_space_info_ || has_driver_info_) attach(nullptr, space_->end_of_allocation());
}

void File::add_page_buffer() {
  if (access_.page_buffer_bytes == 0 || swmr_read_attempts_ > 0 ||
      space_info_.strategy != format::FileSpaceStrategy::paged)
    return;
  io::PageBufferOptions options;
  options.page_bytes = space_info_.page_bytes;
  options.base = position_;
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

void File::read_cache_image(const format::CacheImageMessage& message) {
  if (!is_valid(message.block)) return;
  const Buffer bytes = store_->read(message.block, message.bytes, "cache image");
  const auto image = format::decode<format::CacheImage>(bytes, store_->widths(), message.block);
  store::EncodedBlocks overlay;
  for (const auto& entry : image.entries) overlay.push_back({entry.address, entry.bytes});
  // The extension was read without the cache image, which may hold a newer version; its messages stay valid.
  store_->set_overlay(std::move(overlay));
  drop_cache_image_ = true;
}

}  // namespace filigree::model
