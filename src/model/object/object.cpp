// SPDX-License-Identifier: Apache-2.0
#include "model/object/object.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/attribute/attribute_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/destroy.hpp"
#include "model/file/file.hpp"
#include "model/link/link_table.hpp"
#include "store/file_store.hpp"
#include "store/shared_messages/shared_messages.hpp"
#include "type/datatypes.hpp"

namespace filigree::model {

using format::MessageType;
namespace flag = format::message_flag;

OpenObject::OpenObject(std::shared_ptr<File> file, Address header, std::string path,
                       std::optional<ObjectKind> kind)
    : file_(std::move(file)),
      header_(header),
      path_(std::move(path)),
      kind_(kind ? static_cast<int>(*kind) : -1) {
  file_->unlinked().handle_opened(header_);
}

OpenObject::~OpenObject() { file_->unlinked().handle_closed(header_); }

ObjectKind OpenObject::kind() const {
  const int known = kind_.load(std::memory_order_relaxed);
  if (known >= 0 && !file_->closed()) return static_cast<ObjectKind>(known);
  const FileLock::Shared shared(file_->lock());
  const ObjectKind found = object_kind(*file_, header_);
  kind_.store(static_cast<int>(found), std::memory_order_relaxed);
  return found;
}

std::string OpenObject::text() const { return fmt::format("'{}' of '{}'", path_, file_->name()); }

namespace {

std::uint32_t now_seconds(const File& file) { return static_cast<std::uint32_t>(file.seconds()); }

ObjectKind kind_of(const store::HeaderEntry& entry, Address header) {
  if (LinkTable::is_group(entry)) return ObjectKind::group;
  const bool has_type = entry.find(MessageType::datatype) != nullptr;
  if (has_type && entry.find(MessageType::dataspace) != nullptr) return ObjectKind::dataset;
  if (has_type) return ObjectKind::datatype;
  throw Error(ErrorKind::corrupt,
              fmt::format("the object at {} is neither group nor dataset nor datatype", to_string(header)));
}

}  // namespace

std::string_view to_string(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::group:
      return "group";
    case ObjectKind::dataset:
      return "dataset";
    case ObjectKind::datatype:
      return "committed datatype";
  }
  return "object";
}

ObjectKind object_kind(File& file, Address header) {
  return kind_of(*store::ObjectHeader(file.store(), header).load(), header);
}

namespace {

/// Returns the stored flags of a version 2 header.
std::uint8_t header_flags(const store::HeaderEntry& entry) {
  constexpr std::size_t flags_at = 5;  // after signature and version
  return entry.shape.version == 1 ? 0 : std::to_integer<std::uint8_t>(entry.blocks.front().bytes[flags_at]);
}

std::uint64_t bytes_of(const store::HeaderEntry& entry) {
  std::uint64_t bytes = 0;
  for (const auto& block : entry.blocks) bytes += block.bytes.size();
  return bytes;
}

void add_header_facts(ObjectInfo& info, const store::HeaderEntry& entry) {
  info.header_flags = header_flags(entry);
  std::uint64_t area = 0, used = 0;
  for (const auto& block : entry.blocks) area += block.area_end - block.area_at;
  for (const auto& m : entry.messages) {
    const std::uint64_t type = static_cast<std::uint64_t>(m.slot.type);
    const std::uint64_t bit = type < 64 ? std::uint64_t{1} << type : 0;
    info.messages_present |= bit;
    if (m.slot.type == MessageType::nil) continue;
    if ((m.slot.flags & flag::shared) != 0) info.messages_shared |= bit;
    used += entry.prefix_bytes() + m.slot.body_bytes;
    if (m.slot.type != MessageType::continuation) info.header_message_bytes += m.slot.body_bytes;
  }
  info.header_free_bytes = area - std::min(area, used);
}

}  // namespace

std::uint64_t header_bytes(File& file, Address header) {
  return bytes_of(*store::ObjectHeader(file.store(), header).load());
}

ObjectInfo object_info(File& file, Address header) {
  const store::ObjectHeader handle(file.store(), header);
  const auto entry = handle.load();
  ObjectInfo info;
  info.kind = kind_of(*entry, header);
  info.address = to_number(header);
  info.link_count = handle.link_count();
  info.attributes = AttributeTable(file, header).size();
  info.header_version = entry->shape.version;
  info.header_messages = static_cast<std::uint32_t>(entry->messages.size());
  info.header_blocks = static_cast<std::uint32_t>(entry->blocks.size());
  info.header_bytes = bytes_of(*entry);
  add_header_facts(info, *entry);
  if (entry->shape.times) {
    info.modified = entry->shape.times->change;
    info.created = entry->shape.times->birth;
    info.accessed = entry->shape.times->access;
    info.written = entry->shape.times->modification;
  } else if (const auto* m = entry->find(MessageType::modification_time)) {
    info.modified =
        format::decode<format::ModificationTime>(entry->body(*m), file.store().widths(), header).seconds;
  } else if (const auto* old = entry->find(MessageType::modification_time_old)) {
    const auto time =
        format::decode<format::ModificationTimeOld>(entry->body(*old), file.store().widths(), header);
    if (const auto seconds = format::find_seconds(time)) info.modified = static_cast<std::uint32_t>(*seconds);
  }
  return info;
}

ObjectMetadata object_metadata(File& file, Address header) {
  ObjectMetadata metadata;
  metadata.attributes = AttributeTable(file, header).metadata_bytes();
  switch (object_kind(file, header)) {
    case ObjectKind::group:
      metadata.object = LinkTable(file, header).metadata_bytes();
      break;
    case ObjectKind::dataset:
      metadata.object = Dataset(file, header).metadata_bytes();
      break;
    case ObjectKind::datatype:
      break;
  }
  return metadata;
}

store::HeaderShape make_header_shape(const File& file, const AttributeStorage& attributes, bool track_times) {
  store::HeaderShape shape;
  shape.version = file.formats().object_header(attributes.track_order);
  if (shape.version == 1) return shape;
  shape.attribute_order_tracked = attributes.track_order || file.formats().attributes_shared;
  shape.attribute_order_indexed = attributes.index_order;
  if (attributes.max_compact != 8 || attributes.min_dense != 6) {
    shape.attribute_phase = format::AttributePhase{attributes.max_compact, attributes.min_dense};
  }
  if (track_times) {
    const std::uint32_t now = now_seconds(file);
    shape.times = format::ObjectTimes{now, now, now, now};
  }
  return shape;
}

std::optional<Buffer> find_message(File& file, Address header, MessageType type) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  const auto* m = entry->find(type);
  if (m == nullptr) return std::nullopt;
  const Bytes body = entry->body(*m);
  if ((m->slot.flags & flag::shared) != 0)
    return store::resolve_shared(file.store(), file.shared_messages(), type, body, header);
  return Buffer(body.begin(), body.end());
}

Buffer get_message(File& file, Address header, MessageType type) {
  if (auto body = find_message(file, header, type)) return std::move(*body);
  throw Error(ErrorKind::corrupt,
              fmt::format("the object at {} has no {} message", to_string(header), format::to_string(type)));
}

format::DatatypeMessage object_datatype(File& file, Address header) {
  return format::decode<format::DatatypeMessage>(get_message(file, header, MessageType::datatype),
                                                 file.store().widths(), header);
}

format::DataspaceMessage object_dataspace(File& file, Address header) {
  return format::decode<format::DataspaceMessage>(get_message(file, header, MessageType::dataspace),
                                                  file.store().widths(), header);
}

std::uint64_t contiguous_bytes(File& file, Address header, const format::LayoutMessage& layout) {
  if (layout.version >= 3) return layout.contiguous_bytes;
  return checked_multiply(format::element_count(object_dataspace(file, header)),
                          object_datatype(file, header).size, "the size of the dataset");
}

std::optional<std::string> object_comment(File& file, Address header) {
  const auto body = store::ObjectHeader(file.store(), header).find(MessageType::comment);
  if (!body) return std::nullopt;
  return format::decode<format::Comment>(*body, file.store().widths(), header).text;
}

void set_object_comment(File& file, Address header, std::string_view text) {
  store::ObjectHeader handle(file.store(), header);
  if (text.empty()) {
    handle.remove(MessageType::comment);
  } else {
    format::Comment comment;
    comment.text = text;
    handle.set(MessageType::comment, 0, format::encode(comment, file.store().widths()));
  }
  touch(file, header);
}

format::DatatypeMessage versioned_type(const File& file, format::DatatypeMessage type) {
  type::check_type(type);
  if (type.type_class == format::TypeClass::enumeration && type.enum_names.empty())
    throw Error(ErrorKind::invalid_argument, "an enumeration without values");
  type::set_versions(type, file.formats().datatype());
  if (type.version > file.formats().newest_datatype()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the datatype needs version {} of its message, but the file's upper version "
                            "bound allows {}",
                            type.version, file.formats().newest_datatype()));
  }
  return type;
}

Address create_committed_datatype(File& file, const format::DatatypeMessage& type,
                                  const CommitOptions& options) {
  store::FileStore& store = file.store();
  const Buffer body = format::encode(versioned_type(file, type), store.widths());
  const store::HeaderShape shape = make_header_shape(file, options.attributes, options.track_times);
  const std::uint32_t prefix = shape.version == 1 ? 8 : shape.attribute_order_tracked ? 6 : 4;
  auto header = store::ObjectHeader::create(store, shape, prefix + static_cast<std::uint32_t>(body.size()));
  header.add(MessageType::datatype, flag::constant | flag::dont_share, body);
  return header.address();
}

void touch(File& file, Address header) {
  auto handle = store::ObjectHeader::keeping(file.store(), header);
  const auto entry = handle.load();
  if (entry->shape.times) {
    format::ObjectTimes times = *entry->shape.times;
    times.access = times.change = now_seconds(file);
    handle.set_times(times);
  } else if (entry->find(MessageType::modification_time) != nullptr) {
    format::ModificationTime time;
    time.seconds = now_seconds(file);
    handle.set(MessageType::modification_time, 0, format::encode(time, file.store().widths()));
  }
}

void add_link_to(File& file, Address header) {
  store::ObjectHeader handle(file.store(), header);
  const std::uint32_t links = handle.link_count();
  if (links == 0xffffffff)
    throw Error(ErrorKind::limit,
                fmt::format("the object at {} has as many links as can be counted", to_string(header)));
  handle.set_link_count(links + 1);
  if (links == 0) file.unlinked().remove(header);
}

void drop_link_to(File& file, Address header) {
  if (file.unlinked().is_being_freed(header))
    return;  // a link count that is too low must not free the object twice
  store::ObjectHeader handle(file.store(), header);
  const std::uint32_t links = handle.link_count();
  if (links > 1) return handle.set_link_count(links - 1);
  file.unlinked().add(header);
}

namespace {

/// Releases the shared messages of a header: decrements the reference counts of bodies stored elsewhere, and
/// removes bodies in this header from the shared message index.
void release_shared(File& file, const store::HeaderEntry& entry) {
  for (const auto& m : entry.messages) {
    // HDF5 replaces shared messages with these types and keeps their flags.
    if (m.slot.type == MessageType::continuation || m.slot.type == MessageType::nil) continue;
    if ((m.slot.flags & flag::shareable) != 0 && file.shared_messages() != nullptr) {
      file.shared_messages()->forget_in_header(m.slot.type, entry.address(), entry.body(m));
    }
    if ((m.slot.flags & flag::shared) == 0 || m.slot.type == MessageType::attribute) continue;
    const auto reference =
        format::decode<format::SharedReference>(entry.body(m), file.store().widths(), entry.address());
    if (reference.kind == format::SharedKind::header) {
      drop_link_to(file, reference.header);
    } else if (file.shared_messages() != nullptr) {
      file.shared_messages()->release(m.slot.type, reference.heap_id);
    }
  }
}

}  // namespace

void destroy_header(File& file, Address header) {
  store::ObjectHeader handle(file.store(), header);
  release_shared(file, *handle.load());
  handle.destroy();
}

void destroy_object(File& file, Address header) {
  const auto entry = store::ObjectHeader(file.store(), header).load();
  const ObjectKind kind = kind_of(*entry, header);
  std::vector<Address> targets;
  if (kind == ObjectKind::group) {
    LinkTable links(file, header);
    links.for_each_stored([&](const LinkMessage& link) {
      if (link.kind == format::LinkKind::hard) targets.push_back(link.header);
      return true;
    });
    links.destroy();
  }
  if (kind == ObjectKind::dataset) destroy_dataset_storage(file, header);
  AttributeTable(file, header).destroy();
  destroy_header(file, header);
  for (const Address target : targets) drop_link_to(file, target);
}

}  // namespace filigree::model
