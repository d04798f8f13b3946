// SPDX-License-Identifier: Apache-2.0
#include "model/attribute/attribute_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "model/attribute/attribute_parts.hpp"
#include "model/attribute/dense_attributes.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/object/object.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::AttributeMessage;
using format::MessageType;
namespace flag = format::message_flag;

namespace {

// The creation order that HDF5 stores if it is not tracked.
constexpr std::uint32_t untracked_order = 0xffff;

std::uint64_t compact_size(const store::HeaderEntry& header) {
  return std::ranges::count_if(header.messages,
                               [](const auto& m) { return m.slot.type == MessageType::attribute; });
}

/// Whether one more attribute is too many for the header.
bool becomes_dense(const store::HeaderEntry& header) {
  const format::AttributePhase phase = header.shape.attribute_phase.value_or(format::AttributePhase{});
  return header.shape.version == 2 && compact_size(header) >= phase.max_compact;
}

void require_room(const store::HeaderEntry& header, const std::string& name, std::size_t bytes) {
  if (header.shape.version != 1 || bytes <= store::ObjectHeader::largest_body) return;
  throw Error(ErrorKind::limit, fmt::format("attribute '{}' takes {} bytes, more than the 64 KiB of a "
                                            "version 1 object header; create the object "
                                            "under version bounds from 1.8 on",
                                            name, bytes));
}

}  // namespace

AttributeTable::AttributeTable(File& file, Address header)
    : file_(file), header_(store::ObjectHeader::keeping(file.store(), header)) {}

bool AttributeTable::order_tracked() const { return header_.load()->shape.attribute_order_tracked; }

format::AttributeInfo AttributeTable::info(const store::HeaderEntry& entry) const {
  if (const auto* m = entry.find(MessageType::attribute_info)) {
    return format::decode<format::AttributeInfo>(entry.body(*m), file_.store().widths(), header_.address());
  }
  format::AttributeInfo fresh;
  fresh.tracks_order = entry.shape.attribute_order_tracked;
  fresh.indexes_order = entry.shape.attribute_order_indexed;
  return fresh;
}

void AttributeTable::store_info(const format::AttributeInfo& info) {
  if (header_.load()->shape.version == 1) return;
  header_.set(MessageType::attribute_info, flag::dont_share, format::encode(info, file_.store().widths()));
}

std::uint64_t AttributeTable::size() const {
  const auto entry = header_.load();
  const format::AttributeInfo now = info(*entry);
  return compact_size(*entry) + (is_valid(now.heap) ? DenseAttributes(file_, now).size() : 0);
}

MetadataBytes AttributeTable::metadata_bytes() const {
  const format::AttributeInfo now = info();
  return is_valid(now.heap) ? DenseAttributes(file_, now).metadata_bytes() : MetadataBytes{};
}

StoredAttribute AttributeTable::decode_compact(const store::HeaderEntry& entry, std::size_t index) const {
  const auto& m = entry.messages[index];
  const Bytes body = entry.body(m);
  StoredAttribute attribute;
  attribute.order = entry.shape.attribute_order_tracked ? m.slot.creation_index : untracked_order;
  if ((m.slot.flags & flag::shared) == 0) {
    format::decode(attribute.message, body, file_.store().widths(), header_.address());
    return attribute;
  }
  const auto reference =
      format::decode<format::SharedReference>(body, file_.store().widths(), header_.address());
  if (reference.kind == format::SharedKind::heap) attribute.shared = reference.heap_id;
  format::decode(attribute.message,
                 store::resolve_shared(file_.store(), file_.shared_messages(), MessageType::attribute, body,
                                       header_.address()),
                 file_.store().widths(), header_.address());
  return attribute;
}

std::optional<std::size_t> AttributeTable::find_compact(const store::HeaderEntry& entry,
                                                        std::string_view name) const {
  for (std::size_t i = 0; i < entry.messages.size(); ++i) {
    const auto& m = entry.messages[i];
    if (m.slot.type != MessageType::attribute) continue;
    const bool shared = (m.slot.flags & flag::shared) != 0;
    if (shared ? decode_compact(entry, i).message.name == name
               : format::is_attribute_named(entry.body(m), name))
      return i;
  }
  return std::nullopt;
}

std::optional<StoredAttribute> AttributeTable::find(std::string_view name) const {
  const auto entry = header_.load();
  if (const auto index = find_compact(*entry, name)) return decode_compact(*entry, *index);
  const format::AttributeInfo now = info(*entry);
  return is_valid(now.heap) ? DenseAttributes(file_, now).find(name) : std::nullopt;
}

std::optional<StoredAttribute> AttributeTable::find_listed(std::string_view name) const {
  std::optional<StoredAttribute> found;
  const format::AttributeInfo now = info();
  if (!is_valid(now.heap)) return found;
  DenseAttributes(file_, now).for_each([&](const StoredAttribute& attribute) {
    if (attribute.message.name == name) found = attribute;
    return !found;
  });
  return found;
}

Buffer AttributeTable::insert(const AttributeMessage& attribute) {
  file_.note_change("make attribute", attribute.name);
  format::AttributeInfo now = info();
  std::uint32_t order = untracked_order;
  if (now.tracks_order) {
    if (now.next_order == 0xffff) {
      throw Error(
          ErrorKind::limit,
          fmt::format("attribute '{}': the object has numbered all 65535 attributes that it can track",
                      attribute.name));
    }
    order = now.next_order++;
  }
  store_info(now);
  Buffer body;
  change_together(attribute, [&] { body = insert_with_order(attribute, order, now); });
  return body;
}

void AttributeTable::change_together(const AttributeMessage& attribute, FunctionRef<void()> change) {
  if (!file_.parallel() || !makes_huge_objects(attribute)) return change();
  file_.collectively("a write of the large attribute", attribute.name, 0, change);
}

/// Whether the attribute may be one, or moves others out of the header that are.
bool AttributeTable::makes_huge_objects(const AttributeMessage& attribute) const {
  const auto is_huge = [this](const AttributeMessage& message) {
    return format::encoded_bytes(message, file_.store().widths()) >
           store::FractalHeapShape::attributes().max_managed;
  };
  if (is_huge(attribute)) return true;
  const auto entry = header_.load();
  if (!becomes_dense(*entry) || is_valid(info(*entry).heap)) return false;
  return !for_each_stored([&](const StoredAttribute& a) { return a.shared || !is_huge(a.message); });
}

Buffer AttributeTable::insert_with_order(const AttributeMessage& attribute, std::uint32_t order,
                                         format::AttributeInfo now) {
  const auto entry = header_.load();
  Buffer body = format::encode(attribute, file_.store().widths());
  const bool too_large = body.size() > store::ObjectHeader::largest_body;
  require_room(*entry, attribute.name, body.size());
  std::optional<format::SharedHeapId> shared;
  if (file_.shared_messages() != nullptr && !too_large) {
    shared = file_.shared_messages()->share(MessageType::attribute, body);
    // A message that was stored before has incremented the counts of its shared messages already.
    const bool known = shared && file_.shared_messages()->references(MessageType::attribute, *shared) > 1;
    if (known) release_attribute_parts(file_, attribute);
  }
  const bool converts = becomes_dense(*entry) || (too_large && entry->shape.version == 2);
  if (converts && !is_valid(now.heap)) convert_to_dense(now);
  if (is_valid(now.heap)) {
    DenseAttributes(file_, now).insert({attribute, order, shared});
  } else {
    add_compact(body, order, shared);
  }
  return body;
}

bool AttributeTable::change_elements(std::string_view name, Bytes head, std::size_t element_bytes,
                                     FunctionRef<void(MutableBytes)> convert) {
  const auto entry = header_.load();
  const auto index = find_compact(*entry, name);
  if (!index || (entry->messages[*index].slot.flags & flag::shared) != 0) return false;
  const Bytes body = entry->body(entry->messages[*index]);
  // Messages of a version 1 header are padded.
  if (body.size() < head.size() + element_bytes || body.size() - head.size() - element_bytes >= 8 ||
      !std::ranges::equal(body.first(head.size()), head))
    return false;
  header_.change_body(*index, [&](MutableBytes now) { convert(now.subspan(head.size(), element_bytes)); });
  return true;
}

void AttributeTable::add_compact(Bytes body, std::uint32_t order,
                                 const std::optional<format::SharedHeapId>& shared) {
  const auto creation_index = static_cast<std::uint16_t>(order_tracked() ? order : 0);
  if (!shared) return header_.add(MessageType::attribute, 0, body, creation_index);
  format::SharedReference reference;
  reference.version = 3;
  reference.kind = format::SharedKind::heap;
  reference.heap_id = *shared;
  header_.add(MessageType::attribute, flag::shared, format::encode(reference, file_.store().widths()),
              creation_index);
}

std::optional<StoredAttribute> AttributeTable::take(std::string_view name) {
  const auto entry = header_.load();
  if (const auto index = find_compact(*entry, name)) {
    StoredAttribute attribute = decode_compact(*entry, *index);
    header_.remove(*index);
    return attribute;
  }
  const format::AttributeInfo now = info(*entry);
  return is_valid(now.heap) ? DenseAttributes(file_, now).remove(name) : std::nullopt;
}

void AttributeTable::replace(std::string_view name, const AttributeMessage& attribute) {
  file_.note_change("write attribute", name);
  const auto entry = header_.load();
  const Buffer body = format::encode(attribute, file_.store().widths());
  require_room(*entry, attribute.name, body.size());
  // In the common case only values change, and nothing is moved.
  if (const auto index = find_compact(*entry, name)) {
    const bool shared = (entry->messages[*index].slot.flags & flag::shared) != 0;
    if (!shared && body.size() <= store::ObjectHeader::largest_body) return header_.replace(*index, body);
  }
  change_together(attribute, [&] { replace_elsewhere(name, attribute); });
}

/// Replaces an attribute by a message that is stored in another place.
void AttributeTable::replace_elsewhere(std::string_view name, const AttributeMessage& attribute) {
  const auto old = take(name);
  if (!old) throw Error(ErrorKind::not_found, fmt::format("there is no attribute '{}'", name));
  if (old->shared && file_.shared_messages() != nullptr &&
      !file_.shared_messages()->release(MessageType::attribute, *old->shared)) {
    // Other objects keep the old message and its references to shared messages.
    acquire_attribute_parts(file_, attribute);
  }
  insert_with_order(attribute, old->order, info());
}

bool AttributeTable::remove(std::string_view name) {
  file_.note_change("remove attribute", name);
  const auto old = take(name);
  if (!old) return false;
  release(*old);
  format::AttributeInfo now = info();
  const auto entry = header_.load();
  const format::AttributePhase phase = entry->shape.attribute_phase.value_or(format::AttributePhase{});
  if (is_valid(now.heap)) {
    const std::uint64_t left = DenseAttributes(file_, now).size();
    if (left < phase.min_dense || left == 0) convert_to_compact(now);
  }
  if (entry->shape.version == 2 && size() == 0) header_.remove(MessageType::attribute_info);
  return true;
}

void AttributeTable::release_values(const StoredAttribute& attribute) {
  const format::DatatypeMessage type = attribute_datatype(file_, attribute.message);
  if (!has_heap_values(type)) return;
  const format::DataspaceMessage space = attribute_dataspace(file_, attribute.message);
  release_heap_values(file_, type, format::attribute_elements(attribute.message, type, space));
}

void AttributeTable::release(const StoredAttribute& attribute) {
  // Other objects may still use the shared message and its heap values.
  if (attribute.shared && file_.shared_messages() != nullptr &&
      !file_.shared_messages()->release(MessageType::attribute, *attribute.shared)) {
    return;
  }
  release_values(attribute);
  release_attribute_parts(file_, attribute.message);
}

void AttributeTable::convert_to_dense(format::AttributeInfo& now) {
  std::vector<StoredAttribute> attributes;
  for_each_stored([&](const StoredAttribute& a) {
    attributes.push_back(a);
    return true;
  });
  DenseAttributes::create(file_, now);
  DenseAttributes dense(file_, now);
  for (const StoredAttribute& a : attributes) dense.insert(a);
  while (header_.remove(MessageType::attribute)) {
  }
  store_info(now);
}

void AttributeTable::convert_to_compact(format::AttributeInfo& now) {
  DenseAttributes dense(file_, now);
  std::vector<StoredAttribute> attributes;
  const bool all_fit = dense.for_each([&](const StoredAttribute& a) {
    attributes.push_back(a);
    return format::encoded_bytes(a.message, file_.store().widths()) <= store::ObjectHeader::largest_body;
  });
  if (!all_fit) return;
  dense.destroy();
  now.heap = now.name_tree = now.order_tree = Address::undefined;
  store_info(now);
  for (const StoredAttribute& a : attributes)
    add_compact(format::encode(a.message, file_.store().widths()), a.order, a.shared);
}

bool AttributeTable::for_each_stored(FunctionRef<bool(const StoredAttribute&)> visit) const {
  const auto entry = header_.load();
  for (std::size_t i = 0; i < entry->messages.size(); ++i) {
    if (entry->messages[i].slot.type == MessageType::attribute && !visit(decode_compact(*entry, i)))
      return false;
  }
  const format::AttributeInfo now = info();
  return !is_valid(now.heap) || DenseAttributes(file_, now).for_each(visit);
}

bool AttributeTable::for_each(IndexBy by, Direction direction,
                              FunctionRef<bool(const StoredAttribute&)> visit) const {
  if (by == IndexBy::creation_order && !order_tracked()) {
    throw Error(ErrorKind::invalid_argument,
                "the object does not track the creation order of its attributes");
  }
  if (direction == Direction::native) return for_each_stored(visit);
  std::vector<StoredAttribute> all;
  for_each_stored([&](const StoredAttribute& a) {
    all.push_back(a);
    return true;
  });
  if (by == IndexBy::name) {
    std::ranges::sort(all, {}, [](const StoredAttribute& a) -> const std::string& { return a.message.name; });
  } else {
    std::ranges::sort(all, {}, &StoredAttribute::order);
  }
  if (direction == Direction::descending) std::ranges::reverse(all);
  return std::ranges::all_of(all, visit);
}

void AttributeTable::destroy() {
  for_each_stored([&](const StoredAttribute& a) {
    release(a);
    return true;
  });
  const format::AttributeInfo now = info();
  if (is_valid(now.heap)) DenseAttributes(file_, now).destroy();
}

}  // namespace filigree::model
