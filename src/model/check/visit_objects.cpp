// SPDX-License-Identifier: Apache-2.0
//
// Object headers and what their messages lead to.
#include <algorithm>

#include <fmt/format.h>

#include "format/object_header/object_header.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/check/file_walk.hpp"
#include "model/check/visitors.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "model/object/object.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::MessageType;
namespace flag = format::message_flag;

namespace {

constexpr std::string_view header_structure = "object header";
constexpr std::string_view continuation_structure = "object header continuation block";

/// In memory, blocks of a changed header have no checksum, so they are read again.
void describe_block(FileWalk& walk, std::string_view structure, const store::HeaderEntry::Block& block,
                    const store::HeaderEntry* header) {
  if (!walk.wants(block.at, block.bytes.size())) return;
  const Buffer stored = walk.store().read(block.at, block.bytes.size(), structure);
  walk.describe(structure, block.at, stored.size(), inspect_header_block(stored, walk.widths(), header));
}

/// A header that cannot be decoded is described as far as it goes.
void describe_damaged(FileWalk& walk, Address at) {
  constexpr std::uint64_t most_bytes = 65536;
  if (!walk.wants(at, most_bytes) || !is_valid(at) || walk.store().available(at) == 0) return;
  const Buffer bytes = walk.store().read_up_to(at, most_bytes, header_structure);
  walk.describe(header_structure, at, bytes.size(), inspect_header_block(bytes, walk.widths(), nullptr));
}

}  // namespace

std::shared_ptr<const store::HeaderEntry> visit_header(FileWalk& walk, Address at) {
  if (!walk.enter(header_structure, at, 0)) return nullptr;
  std::shared_ptr<const store::HeaderEntry> entry;
  if (!walk.guarded(header_structure, at, [&] { entry = store::ObjectHeader(walk.store(), at).load(); })) {
    walk.guarded(header_structure, at, [&] { describe_damaged(walk, at); });
    return nullptr;
  }
  for (const store::HeaderEntry::Block& block : entry->blocks) {
    const bool is_first = &block == &entry->blocks.front();
    const std::string_view structure = is_first ? header_structure : continuation_structure;
    walk.use(structure, block.at, block.bytes.size());
    describe_block(walk, structure, block, is_first ? nullptr : entry.get());
  }
  return entry;
}

std::optional<Buffer> resolve_message(FileWalk& walk, Address header, MessageType type, Bytes body) {
  std::optional<Buffer> resolved;
  walk.guarded(format::SharedReference::structure, header, [&] {
    const auto reference = format::decode<format::SharedReference>(body, walk.widths(), header);
    if (reference.kind == format::SharedKind::header) walk.refer_to_type(reference.header);
    resolved = store::resolve_shared(walk.store(), walk.file().shared_messages(), type, body, header);
  });
  return resolved;
}

namespace {

/// The messages of one header.
class HeaderVisit {
 public:
  HeaderVisit(FileWalk& walk, Address at, const store::HeaderEntry& entry)
      : walk_(walk), at_(at), entry_(entry) {}

  void visit() {
    walk_.declare_links(store::ObjectHeader(walk_.store(), at_).link_count());
    bool is_sound = true;
    for (const auto& message : entry_.messages) {
      const Bytes body = entry_.body(message);
      if ((message.slot.flags & flag::shared) == 0 || !may_be_shared(message.slot.type)) {
        is_sound = visit(message.slot.type, body) && is_sound;
      } else if (const auto resolved = resolve_message(walk_, at_, message.slot.type, body)) {
        is_sound = visit(message.slot.type, *resolved) && is_sound;
      } else {
        is_sound = false;
      }
    }
    if (!is_sound) return;
    walk_.guarded(header_structure, at_, [&] {
      if (object_kind(walk_.file(), at_) == ObjectKind::dataset) visit_dataset(walk_, at_);
    });
  }

 private:
  /// HDF5 replaces shared messages with these types and keeps their flags.
  static bool may_be_shared(MessageType type) {
    return type != MessageType::nil && type != MessageType::continuation;
  }

  bool visit(MessageType type, Bytes body) {
    return walk_.guarded(header_structure, at_, [&] {
      switch (type) {
        case MessageType::link:
          return visit_link(walk_, format::decode<format::LinkMessage>(body, walk_.widths(), at_));
        case MessageType::link_info:
          return visit_dense_links(walk_, format::decode<format::LinkInfo>(body, walk_.widths(), at_));
        case MessageType::symbol_table:
          return visit_symbol_table(walk_,
                                    format::decode<format::SymbolTableMessage>(body, walk_.widths(), at_));
        case MessageType::attribute:
          return visit_attribute(walk_, at_,
                                 format::decode<format::AttributeMessage>(body, walk_.widths(), at_));
        case MessageType::attribute_info:
          return visit_dense_attributes(walk_,
                                        format::decode<format::AttributeInfo>(body, walk_.widths(), at_));
        // These belong to the superblock extension. Prereleases of HDF5 used the numbers for something else.
        case MessageType::shared_message_table:
        case MessageType::btree_k:
        case MessageType::driver_info:
        case MessageType::file_space_info:
        case MessageType::cache_image:
          return;
        default:
          return decode_message(type, body, walk_.widths(), at_);
      }
    });
  }

  FileWalk& walk_;
  const Address at_;
  const store::HeaderEntry& entry_;
};

}  // namespace

bool visit_object(FileWalk& walk, Address at) {
  const auto entry = visit_header(walk, at);
  if (!entry) return false;
  walk.guarded(header_structure, at, [&] { HeaderVisit(walk, at, *entry).visit(); });
  return true;
}

}  // namespace filigree::model
