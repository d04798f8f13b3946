// SPDX-License-Identifier: Apache-2.0
#include "store/shared_messages/shared_messages.hpp"

#include <limits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"
#include "store/object_header/object_header.hpp"
#include "store/shared_messages/shared_index.hpp"

namespace filigree::store {
namespace {

using format::MessageType;
using format::SharedHeapId;
using format::SharedLocation;
using format::SharedMessageRecord;

constexpr std::size_t most_indexes = 8;
constexpr std::uint16_t largest_limit = 5000;  // the limit of HDF5
constexpr auto most_references = std::numeric_limits<std::uint32_t>::max();

std::uint32_t type_bit(MessageType type) {
  const auto number = static_cast<unsigned>(type);
  return number < 16 ? 1u << number : 0;
}

[[noreturn]] void refuse(std::string what) {
  throw Error(ErrorKind::invalid_argument, "creating a shared message table: " + std::move(what));
}

void check_shapes(std::span<const SharedIndexShape> indexes) {
  if (indexes.empty() || indexes.size() > most_indexes) {
    refuse(fmt::format("{} indexes, allowed 1 to {}", indexes.size(), most_indexes));
  }
  unsigned seen = 0;
  for (const SharedIndexShape& shape : indexes) {
    for (unsigned t = 0; t < 16; ++t) {
      if ((shape.message_types >> t & 1) && !is_shareable(static_cast<MessageType>(t))) {
        refuse(fmt::format("messages of type {} cannot be shared", t));
      }
    }
    if (seen & shape.message_types) refuse("a message type is in two indexes");
    seen |= shape.message_types;
  }
}

/// Adds a size, unless the structure is damaged: who looks at the file wants to see the rest.
template <class Size>
void add_readable(std::uint64_t& sum, Size size) {
  try {
    sum += size();
  } catch (const Error& error) {
    const bool is_damaged = error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated ||
                            error.kind() == ErrorKind::limit || error.kind() == ErrorKind::unsupported;
    if (!is_damaged) throw;
  }
}

}  // namespace

Address SharedMessages::create(FileStore& store, std::span<const SharedIndexShape> indexes,
                               std::uint16_t list_maximum, std::uint16_t btree_minimum) {
  store.require_writable("creating a shared message table");
  check_shapes(indexes);
  if (list_maximum > largest_limit)
    refuse(fmt::format("lists of {} messages, allowed {}", list_maximum, largest_limit));
  if (btree_minimum > list_maximum + 1) refuse("a B-tree would become a list that cannot hold its messages");
  format::SharedMessageTable table{.index_count = static_cast<std::uint8_t>(indexes.size())};
  for (const SharedIndexShape& shape : indexes) {
    table.indexes.push_back({
        .kind = list_maximum > 0 ? format::SharedIndexKind::list : format::SharedIndexKind::btree,
        .message_types = shape.message_types,
        .smallest_bytes = shape.smallest_bytes,
        .list_maximum = list_maximum,
        .btree_minimum = btree_minimum,
    });
  }
  const std::size_t bytes = format::encoded_bytes(table, store.widths());
  const Address at = store.space().allocate(SpaceKind::object_header, bytes);
  store.cache().insert(at, std::make_shared<SharedTableEntry>(std::move(table), store.widths()));
  return at;
}

SharedMessages::SharedMessages(FileStore& store, Address table, std::uint8_t index_count)
    : store_(&store), table_(load_shared_table(store, table, index_count)) {}

const format::SharedMessageTable& SharedMessages::table() const { return table_->table; }

std::optional<std::size_t> SharedMessages::find_index(MessageType type) const {
  const auto& indexes = table_->table.indexes;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].message_types & type_bit(type)) return i;
  }
  return std::nullopt;
}

SharedIndex SharedMessages::index(MessageType type) const {
  const auto number = find_index(type);
  if (!number) {
    throw Error(ErrorKind::corrupt, fmt::format("shared message table at {}: no index tracks the type '{}'",
                                                to_string(table_->address()), to_string(type)));
  }
  return SharedIndex(*store_, table_, *number);
}

SharedMessageBytes SharedMessages::file_bytes() const {
  SharedMessageBytes bytes;
  bytes.table = format::encoded_bytes(table(), store_->widths());
  for (std::size_t i = 0; i < table().indexes.size(); ++i) {
    const SharedIndex index(*store_, table_, i);
    add_readable(bytes.indexes, [&] { return index.index_bytes(); });
    if (is_valid(index.state().heap)) add_readable(bytes.heaps, [&] { return index.heap().file_bytes(); });
  }
  return bytes;
}

bool SharedMessages::tracks(MessageType type) const { return find_index(type).has_value(); }

Buffer SharedMessages::read(MessageType type, const SharedHeapId& id) const {
  return index(type).heap().read(id);
}

SharedMessageRecord SharedMessages::get_record(const SharedIndex& in, const SharedKey& key,
                                               const SharedHeapId& id) const {
  const auto record = in.find(key);
  if (!record || record->location != SharedLocation::heap || record->heap_id != id) {
    throw Error(ErrorKind::corrupt,
                fmt::format("shared message table at {}: a message of type '{}' in the heap has no record",
                            to_string(table_->address()), to_string(key.type)));
  }
  return *record;
}

std::uint32_t SharedMessages::references(MessageType type, const SharedHeapId& id) const {
  const SharedIndex in = index(type);
  const Buffer body = in.heap().read(id);
  return get_record(in, SharedKey(type, body), id).references;
}

std::optional<SharedHeapId> SharedMessages::share(MessageType type, Bytes body) {
  const auto number = find_index(type);
  // With lengths of 2 bytes a heap cannot store the size of its largest block, 65536 bytes.
  if (!number || body.empty() || store_->widths().length_bytes < 4) return std::nullopt;
  SharedIndex in(*store_, table_, *number);
  if (body.size() < in.state().smallest_bytes) return std::nullopt;
  store_->require_writable("sharing a message");
  const SharedKey key(type, body);
  auto record = in.find(key);
  if (!record) {
    if (in.full()) return std::nullopt;
    record = SharedMessageRecord{.hash = key.hash, .references = 1, .heap_id = in.store_body(body)};
    in.add(key, *record);
    return record->heap_id;
  }
  if (record->location == SharedLocation::header) {
    // The first header keeps the body, and counts as a reference: forget_in_header() removes it.
    record = SharedMessageRecord{.hash = key.hash, .references = 2, .heap_id = in.store_body(body)};
  } else if (record->references == most_references) {
    return std::nullopt;
  } else {
    ++record->references;
  }
  in.replace(key, *record);
  return record->heap_id;
}

bool SharedMessages::drop_reference(SharedIndex& from, const SharedKey& key, SharedMessageRecord record) {
  if (record.location == SharedLocation::heap && record.references > 1) {
    --record.references;
    from.replace(key, record);
    return false;
  }
  // The record is removed first: its comparison needs the body.
  const bool emptied = from.remove(key);
  if (!emptied && record.location == SharedLocation::heap) from.heap().remove(record.heap_id);
  return true;
}

std::optional<Buffer> SharedMessages::release(MessageType type, const SharedHeapId& id) {
  store_->require_writable("releasing a shared message");
  SharedIndex from = index(type);
  Buffer body = from.heap().read(id);
  const SharedKey key(type, body);
  const bool gone = drop_reference(from, key, get_record(from, key, id));
  return gone ? std::optional(std::move(body)) : std::nullopt;
}

void SharedMessages::forget_in_header(MessageType type, Address header, Bytes body) {
  store_->require_writable("forgetting a shareable message");
  const auto number = find_index(type);
  if (!number) return;
  SharedIndex from(*store_, table_, *number);
  for (std::size_t padding = 0; padding < 8 && body.size() > padding; ++padding) {
    if (padding > 0 && body[body.size() - padding] != std::byte{0}) return;
    SharedKey key(type, body.first(body.size() - padding));
    key.header = header;
    const auto record = from.find(key);
    if (!record) continue;
    // An equal message of another header is not concerned.
    if (record->location == SharedLocation::heap || record->header == header)
      drop_reference(from, key, *record);
    return;
  }
}

Buffer resolve_shared(FileStore& store, const SharedMessages* shared, MessageType type, Bytes reference,
                      Address where) {
  const auto to = format::decode<format::SharedReference>(reference, store.widths(), where);
  const auto fail = [&](std::string_view what) {
    throw Error(ErrorKind::corrupt,
                fmt::format("shared message reference at {}: {}", to_string(where), what));
  };
  if (to.kind == format::SharedKind::heap) {
    if (shared == nullptr) fail("the file has no shared message table");
    return shared->read(type, to.heap_id);
  }
  const auto header = ObjectHeader(store, to.header).load();
  const HeaderEntry::Message* message = header->find(type);
  if (message == nullptr) {
    fail(fmt::format("the object header at {} has no message of type '{}'", to_string(to.header),
                     to_string(type)));
  }
  if (message->slot.flags & format::message_flag::shared) {
    fail(fmt::format("the message in the object header at {} is a reference itself", to_string(to.header)));
  }
  const Bytes body = header->body(*message);
  return Buffer(body.begin(), body.end());
}

}  // namespace filigree::store
