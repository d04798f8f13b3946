// SPDX-License-Identifier: Apache-2.0
//
// Structures that belong to no object: superblock, free-space managers, shared messages.
#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "format/free_space/free_space.hpp"
#include "format/object_header/shared_message_index.hpp"
#include "format/superblock/superblock.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "model/file/file.hpp"
#include "store/shared_messages/shared_message_entries.hpp"

namespace filigree::model {

using format::FreeSpaceHeader;
using format::FreeSpaceList;
using format::MessageType;

namespace {

/// Superblocks of versions 0 and 1 are followed by the driver information block, if there is one.
void visit_superblock(FileWalk& walk) {
  const File& file = walk.file();
  const std::uint64_t bytes = file.superblock_bytes();
  walk.use(format::Superblock::structure, Address{0}, bytes);
  if (walk.wants(Address{0}, bytes)) {
    format::Superblock superblock;
    const Buffer stored = walk.store().read(Address{0}, bytes, superblock.structure);
    walk.describe(superblock.structure, Address{0}, bytes,
                  format::inspect(superblock, stored, walk.widths()));
  }
  const Address driver = file.superblock().driver_info;
  if (!is_valid(driver) || to_number(driver) < bytes) return;
  format::DriverInfoBlock block;
  constexpr std::uint64_t most_bytes = 65536;
  walk.load(block, {driver, most_bytes, 0, true});
}

void visit_extension(FileWalk& walk, Address at) {
  const auto entry = visit_header(walk, at);
  if (!entry) return;
  for (const auto& message : entry->messages) {
    const Bytes body = entry->body(message);
    // The message is outdated if a release that does not know it has modified the file.
    if ((message.slot.flags & format::message_flag::was_unknown) != 0) continue;
    walk.guarded("object header", at, [&] {
      switch (message.slot.type) {
        case MessageType::shared_message_table:
          return visit_shared_messages(
              walk, format::decode<format::SharedMessageTableInfo>(body, walk.widths(), at));
        case MessageType::file_space_info:
          return visit_free_space_managers(walk,
                                           format::decode<format::FileSpaceInfo>(body, walk.widths(), at));
        case MessageType::cache_image: {
          const auto image = format::decode<format::CacheImageMessage>(body, walk.widths(), at);
          format::CacheImage content;
          if (is_valid(image.block)) walk.load(content, {image.block, image.bytes, image.bytes, false});
          return;
        }
        default:
          return decode_message(message.slot.type, body, walk.widths(), at);
      }
    });
  }
}

}  // namespace

void visit_file_structures(FileWalk& walk) {
  walk.set_owner(the_file);
  visit_superblock(walk);
  check_root_entry(walk);
  if (is_valid(walk.file().superblock().extension)) visit_extension(walk, walk.file().superblock().extension);
}

void visit_free_space_managers(FileWalk& walk, const format::FileSpaceInfo& info) {
  // HDF5 stores most free space of files with pages, but not that around the free-space managers themselves.
  // With a threshold, smaller sections are not stored, even if they are adjacent.
  walk.persists_free_space = info.persist && info.threshold <= 1 &&
                             info.strategy == format::FileSpaceStrategy::managers_and_aggregators;
  for (const Address at : info.managers) {
    if (!is_valid(at)) continue;
    FreeSpaceHeader header;
    const std::uint64_t bytes = format::encoded_bytes(header, walk.widths());
    if (!walk.load(header, {at, bytes, bytes, false}) || !is_valid(header.list)) continue;
    if (!walk.enter(FreeSpaceList::structure, header.list, header.list_allocated_bytes)) continue;
    walk.guarded(FreeSpaceList::structure, header.list, [&] {
      const Buffer list = walk.store().read(header.list, header.list_bytes, FreeSpaceList::structure);
      std::uint64_t total = 0;
      for (const auto& section : format::decode_sections(header, at, list, walk.widths()))
        total = checked_add(total, section.size, "free space");
      if (total == header.free_bytes) return;
      throw Error(ErrorKind::corrupt,
                  fmt::format("{} at {}: its sections hold {} bytes, its header says {}",
                              FreeSpaceHeader::structure, to_string(at), total, header.free_bytes));
    });
  }
}

void visit_shared_messages(FileWalk& walk, const format::SharedMessageTableInfo& info) {
  walk.has_shared_messages = true;
  format::SharedMessageTable table{.index_count = info.indexes};
  const std::uint64_t bytes = 8 + info.indexes * (14u + 2u * walk.widths().offset_bytes);
  if (!walk.load(table, {info.table, bytes, bytes, false})) return;
  for (const format::SharedMessageIndex& index : table.indexes) {
    if (is_valid(index.heap)) visit_fractal_heap(walk, index.heap);
    if (!is_valid(index.records)) continue;
    if (index.kind == format::SharedIndexKind::btree) {
      constexpr std::uint8_t type = 7;
      visit_btree2(walk, index.records, type, [](Bytes) {});
      continue;
    }
    format::SharedMessageList list{.record_count = index.messages};
    walk.load(list, {index.records, store::shared_list_bytes(index.messages, walk.widths()),
                     store::shared_list_bytes(index.list_maximum, walk.widths()), false});
  }
}

}  // namespace filigree::model
