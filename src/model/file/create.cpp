// SPDX-License-Identifier: Apache-2.0
//
// Creation of files.
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/context.hpp"
#include "format/codec/codec.hpp"
#include "io/virtual_file.hpp"
#include "model/file/file.hpp"
#include "model/file/superblock_extension.hpp"
#include "model/link/link_table.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/object_header/object_header.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "store/space/file_space.hpp"

namespace filigree::model {

using format::MessageType;

namespace {

void require(bool holds, const char* otherwise) {
  if (!holds) throw Error(ErrorKind::invalid_argument, otherwise);
}

bool legal_width(std::uint8_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

}  // namespace

void check_create_options(const CreateOptions& o, const AccessOptions& access) {
  require(o.user_block_bytes == 0 || (o.user_block_bytes >= 512 && std::has_single_bit(o.user_block_bytes)),
          "user_block_bytes must be 0 or a power of two from 512 on");
  require(legal_width(o.offset_bytes) && legal_width(o.length_bytes),
          "offset_bytes and length_bytes must be 2, 4 or 8");
  require(o.group_leaf_k >= 1 && o.group_leaf_k <= 32767 && o.group_internal_k >= 1 &&
              o.group_internal_k <= 32767,
          "group_leaf_k and group_internal_k must be from 1 to 32767");
  require(o.chunk_k >= 1 && o.chunk_k <= 32767, "chunk_k must be from 1 to 32767");
  require(o.space.page_bytes >= 512 && o.space.page_bytes <= (1u << 30),
          "page_bytes must be from 512 to 2^30");
  require(o.shared_messages.size() <= 8, "a file has at most 8 indexes of shared messages");
  require(o.shared_btree_min <= o.shared_list_max + 1u && o.shared_list_max <= 5000,
          "shared_btree_min must be at most shared_list_max + 1, and both at most 5000");
  require(access.versions.low <= access.versions.high, "the lower version bound lies above the upper one");
  require(access.versions.high > Version::earliest, "the upper version bound must be 1.8 or newer");
  require(access.alignment >= 1, "alignment must be at least 1");
  require(access.page_buffer_bytes == 0 || o.space.strategy != SpaceStrategy::paged ||
              access.page_buffer_bytes >= o.space.page_bytes,
          "a page buffer must hold at least one page");
  require(access.page_buffer_metadata_percent <= 100 && access.page_buffer_raw_percent <= 100 &&
              access.page_buffer_metadata_percent + access.page_buffer_raw_percent <= 100,
          "the shares of a page buffer are more than the whole");
  const bool paged = o.space.strategy == SpaceStrategy::paged;
  require(o.user_block_bytes == 0 || !paged || o.user_block_bytes % o.space.page_bytes == 0,
          "with pages, the user block must be a multiple of their size");
  require(o.user_block_bytes % access.alignment == 0 || o.user_block_bytes == 0,
          "the user block must be a multiple of the alignment");
  const Formats formats{access.versions, false};
  const std::uint8_t superblock = formats.superblock(o);
  require(superblock < 3 || access.versions.high >= Version::v1_10,
          "the upper version bound is too low for this file");
  std::uint16_t seen = 0;
  for (const auto& index : o.shared_messages) {
    for (const SharedMessage type : index.types) {
      require((seen & static_cast<std::uint16_t>(type)) == 0,
              "a type of message can be in one shared index only");
      seen |= static_cast<std::uint16_t>(type);
    }
  }
}

std::shared_ptr<File> File::create(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options,
                                   const AccessOptions& access) {
  check_create_options(options, access);
  std::shared_ptr<File> made(new File);
  made->name_ = file->name();
  made->writable_ = true;
  made->changed_ = true;
  made->access_ = access;
  made->formats_.bounds = access.versions;
  made->set_ = access.files ? access.files : std::make_shared<FileSet>();
  in_context([&] { return fmt::format("creating '{}'", made->name_); },
             [&] {
               if (file->communicator() != nullptr) return made->create_together(std::move(file), options);
               check_environment();
               made->make(std::move(file), options);
             });
  return made;
}

void File::make(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options) {
  make_superblock(options);
  attach(std::move(file), 0);
  add_page_buffer();
  make_contents(options);
  write_out(false);
}

void File::make_superblock(const CreateOptions& options) {
  superblock_->version = formats_.superblock(options);
  superblock_->widths = {options.offset_bytes, options.length_bytes};
  superblock_->group_leaf_k = options.group_leaf_k;
  superblock_->group_internal_k = options.group_internal_k;
  superblock_->chunk_k = options.chunk_k;
  superblock_->root.header = to_address(0);  // until the root group exists
  superblock_.set_position(options.user_block_bytes);
  // Opening such a file raises the lower bound, so a new file starts with it.
  const Version least = superblock_->version >= 3 ? Version::v1_10 : Version::earliest;
  formats_.bounds.low = std::max(formats_.bounds.low, least);
  space_info_.set_options(options.space);
}

void File::make_contents(const CreateOptions& options) {
  const auto driver = driver_info(store_->file(), store_->parts());
  has_driver_info_ = driver.has_value();
  // The superblock is at address 0, followed by the driver information block.
  const std::uint64_t own_bytes = format::encoded_bytes(*superblock_, superblock_->widths);
  std::uint64_t bytes = own_bytes;
  if (driver && superblock_->version <= 1) {
    bytes += format::encode(format::DriverInfoBlock{driver->id, driver->info}, superblock_->widths).size();
    superblock_->driver_info = to_address(own_bytes);
  }
  const Address superblock = store_->space().allocate(store::SpaceKind::superblock, bytes);
  // A driver that allocates space is notified of the superblock, but cannot move it.
  if (to_number(superblock) != 0 && to_number(superblock) < bytes)
    throw Error(ErrorKind::unsupported, "the driver has put space where the superblock stands");
  for (const auto& index : options.shared_messages) {
    for (const SharedMessage type : index.types)
      formats_.attributes_shared |= type == SharedMessage::attribute;
  }
  if (superblock_->version >= 2 && (space_info_.present() || has_driver_info_ || has_own_btree_k(options) ||
                                    !options.shared_messages.empty()))
    make_extension(options);
  superblock_->root.header = LinkTable::create_group(*this, options.root);
  if (superblock_->version > 1) return;
  if (const auto body = store::ObjectHeader(*store_, root()).find(MessageType::symbol_table)) {
    const auto table = format::decode<format::SymbolTableMessage>(*body, store_->widths());
    superblock_->root.cache = format::EntryCache::group;
    superblock_->root.cached_btree = table.btree;
    superblock_->root.cached_heap = table.heap;
  }
}

void File::make_extension(const CreateOptions& options) {
  const NewExtension made = create_extension(*store_, formats_.object_header(false), options);
  superblock_->extension = made.address;
  if (const auto& info = made.shared_messages)
    shared_messages_ = std::make_unique<store::SharedMessages>(*store_, info->table, info->indexes);
  if (space_info_.present()) space_info_.write(*store_, made.address);
  store_driver_info();
}

}  // namespace filigree::model
