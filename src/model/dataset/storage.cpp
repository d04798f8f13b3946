// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/storage.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/raw/release_chunks.hpp"
#include "chunk/table/chunk_table.hpp"
#include "chunk/transfer/chunk_reader.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/object_messages.hpp"
#include "format/object_header/shared_reference.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "model/layout/dataset_chunks.hpp"
#include "model/object/object.hpp"
#include "model/virtual/sources.hpp"
#include "store/file_store.hpp"
#include "store/heaps/global_heap.hpp"
#include "store/heaps/local_heap.hpp"
#include "store/shared_messages/shared_messages.hpp"

namespace filigree::model {

using format::FillState;
using format::FillTime;
using format::LayoutClass;
using format::MessageType;
namespace flag = format::message_flag;

void add_shareable(File& file, store::ObjectHeader& header, MessageType type, std::uint8_t flags,
                   Bytes body) {
  store::SharedMessages* shared = file.shared_messages();
  const auto id = shared != nullptr ? shared->share(type, body) : std::nullopt;
  if (!id) return header.add(type, flags, body);
  format::SharedReference reference;
  reference.version = 3;
  reference.kind = format::SharedKind::heap;
  reference.heap_id = *id;
  try {
    header.add(type, flags | flag::shared, format::encode(reference, file.store().widths()));
  } catch (...) {
    shared->release(type, *id);
    throw;
  }
}

void replace_body(File& file, Address header, MessageType type, Bytes body) {
  store::ObjectHeader handle(file.store(), header);
  const auto entry = handle.load();
  const auto* m = entry->find(type);
  if (m == nullptr) throw Error(ErrorKind::internal, "replacing a message that the header does not have");
  const std::uint8_t flags = m->slot.flags;
  const Bytes old_view = entry->body(*m);
  const Buffer old(old_view.begin(), old_view.end());
  handle.replace(static_cast<std::size_t>(m - entry->messages.data()), body,
                 flags & static_cast<std::uint8_t>(~(flag::shared | flag::shareable)));
  store::SharedMessages* shared = file.shared_messages();
  if (shared == nullptr) return;
  if ((flags & flag::shareable) != 0) shared->forget_in_header(type, header, old);
  if ((flags & flag::shared) == 0) return;
  const auto reference = format::decode<format::SharedReference>(old, file.store().widths(), header);
  if (reference.kind == format::SharedKind::heap) shared->release(type, reference.heap_id);
}

Buffer make_external_message(File& file, std::span<const ExternalSegment> segments) {
  std::uint64_t heap_bytes = 8;  // the empty string
  for (const ExternalSegment& segment : segments) heap_bytes += pad8(segment.path.size() + 1);
  store::LocalHeap heap(file.store(), store::LocalHeap::create(file.store(), heap_bytes));
  try {
    format::ExternalFiles message;
    message.heap = heap.address();
    message.allocated = static_cast<std::uint16_t>(segments.size());
    for (const ExternalSegment& segment : segments)
      message.files.push_back({heap.insert(segment.path), segment.offset, segment.bytes});
    return format::encode(message, file.store().widths());
  } catch (...) {
    heap.destroy();
    throw;
  }
}

void destroy_external_names(File& file, Bytes message) {
  const auto decoded = format::decode<format::ExternalFiles>(message, file.store().widths());
  store::LocalHeap(file.store(), decoded.heap).destroy();
}

std::vector<ExternalSegment> load_external(File& file, Address header) {
  const auto body = find_message(file, header, MessageType::external_files);
  if (!body) return {};
  const auto message = format::decode<format::ExternalFiles>(*body, file.store().widths(), header);
  std::vector<ExternalSegment> segments;
  if (message.files.empty()) return segments;
  const auto names = store::LocalHeap(file.store(), message.heap).entry();
  for (const format::ExternalFile& stored : message.files) {
    ExternalSegment& segment = segments.emplace_back();
    segment.path = names->string_at(stored.name_offset);
    segment.offset = stored.file_offset;
    segment.bytes = stored.bytes;
    if (segment.path.empty()) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("dataset at {}: one of its external files has no name", to_string(header)));
    }
  }
  return segments;
}

std::uint64_t external_bytes(std::span<const ExternalSegment> segments) {
  std::uint64_t sum = 0;
  for (const ExternalSegment& segment : segments) {
    if (segment.bytes == format::unlimited) return format::unlimited;
    checked_add(segment.offset, segment.bytes, "the end of an external file");
    sum = checked_add(sum, segment.bytes, "the bytes of the external files");
  }
  return sum;
}

Buffer make_fill(File& file, const DatasetMessages& parts, std::uint64_t count) {
  Buffer elements(checked_multiply(count, parts.type.size, "the fill values of a dataset"));
  if (parts.fill.state != FillState::user || parts.fill.write == FillTime::never) return elements;
  for (std::size_t at = 0; at < elements.size(); at += parts.type.size)
    std::ranges::copy(parts.fill.value, elements.begin() + static_cast<std::ptrdiff_t>(at));
  copy_heap_values(file, file, parts.type, elements);
  return elements;
}

namespace {

enum class Filling { nothing, zeros, values };

/// HDF5 does not write default fill values, so that reused space shows its old bytes. Zeros are written here
/// instead, and for variable-length elements always, because old bytes would be taken for heap references.
Filling filling_of(const DatasetMessages& parts, bool about_to_cover) {
  const bool has_values = has_heap_values(parts.type);
  if (about_to_cover && !has_values) return Filling::nothing;
  if (parts.fill.write != FillTime::never && parts.fill.state == FillState::user)
    return about_to_cover ? Filling::zeros : Filling::values;
  if (has_values) return Filling::zeros;
  const bool anything_goes = parts.fill.write == FillTime::never || parts.fill.state == FillState::undefined;
  return anything_goes ? Filling::nothing : Filling::zeros;
}

void write_zeros(store::FileStore& store, Address at, std::uint64_t bytes) {
  const Buffer zeros(std::min(bytes, tile_bytes));
  for (std::uint64_t done = 0; done < bytes; done += zeros.size())
    store.write(at + done, Bytes(zeros).first(std::min<std::uint64_t>(zeros.size(), bytes - done)));
}

std::uint64_t elements_per_tile(const format::DatatypeMessage& type) {
  return std::max<std::uint64_t>(1, tile_bytes / std::max(1u, type.size));
}

void write_values(File& file, const DatasetMessages& parts, Address at) {
  const std::uint64_t most = elements_per_tile(parts.type);
  const bool repeats = !has_heap_values(parts.type);
  Buffer tile;
  for (std::uint64_t done = 0; done < parts.elements;) {
    const std::uint64_t count = std::min(most, parts.elements - done);
    if (tile.size() != count * parts.type.size || !repeats) tile = make_fill(file, parts, count);
    file.store().write(at + done * parts.type.size, tile);
    done += count;
  }
}

}  // namespace

Address make_contiguous(File& file, const DatasetMessages& parts, bool about_to_cover) {
  store::FileStore& store = file.store();
  const Address at = store.space().allocate(store::SpaceKind::raw, parts.data_bytes);
  const Filling filling = filling_of(parts, about_to_cover);
  try {
    const std::uint64_t end = to_number(at) + parts.data_bytes;
    const std::uint64_t held = store.file_end(at);
    // Space at the end of the file reads as zeros without a write. Extending the file also shows a full
    // device.
    if (end > held && !(about_to_cover && filling == Filling::nothing)) store.reach(end);
    if (filling == Filling::values) write_values(file, parts, at);
    if (filling == Filling::zeros && to_number(at) < held)
      write_zeros(store, at, std::min(end, held) - to_number(at));
  } catch (...) {
    store.space().release(store::SpaceKind::raw, at, parts.data_bytes);
    throw;
  }
  return at;
}

void for_each_tile(File& file, const DatasetMessages& parts, FunctionRef<void(Bytes)> use) {
  if (parts.data_bytes == 0 || !parts.external.empty()) return;
  if (parts.layout.layout == LayoutClass::compact) return use(parts.layout.compact_data);
  if (parts.layout.layout != LayoutClass::contiguous || !is_valid(parts.layout.address)) return;
  const std::uint64_t held = file.store().available(parts.layout.address);
  if (held < parts.data_bytes) {
    throw Error(ErrorKind::truncated,
                fmt::format("the elements at {} need {} bytes, but the file holds {} there",
                            to_string(parts.layout.address), parts.data_bytes, held));
  }
  const std::uint64_t step = elements_per_tile(parts.type) * parts.type.size;
  for (std::uint64_t at = 0; at < parts.data_bytes; at += step)
    use(file.store().read(parts.layout.address + at, std::min(step, parts.data_bytes - at), "raw data"));
}

namespace {

bool is_damage(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
    case ErrorKind::limit:
    case ErrorKind::unsupported:
      return true;
    default:
      return false;
  }
}

/// Runs `step` and ignores errors that are caused by a damaged file.
template <class Step>
void despite_damage(Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    if (!is_damage(error)) throw;
  }
}

void release_elements(File& file, Address header, const DatasetMessages& parts) {
  if (!has_heap_values(parts.type)) return;
  const auto release_some = [&](Bytes some) {
    // Only elements of chunks share heap objects with the fill value.
    if (parts.layout.in_chunks()) return release_chunk_values(file, parts, some, {});
    release_heap_values(file, parts.type, some);
  };
  const auto release = [&](Bytes tile) {
    try {
      return release_some(tile);
    } catch (const Error& error) {
      if (!is_damage(error)) throw;
    }
    // Nothing was freed. Element by element, an invalid one does not affect the others.
    for (std::size_t at = 0; at + parts.type.size <= tile.size(); at += parts.type.size)
      despite_damage([&] { release_some(tile.subspan(at, parts.type.size)); });
  };
  if (!parts.layout.in_chunks()) return for_each_tile(file, parts, release);
  if (owns_heap_values(parts))
    chunk::ChunkReader(*file.chunks().open(file, header, parts)).for_each_value(release);
}

/// Frees all chunks by the chunk index alone, because filters may be unavailable.
void release_chunks(File& file, Address header) {
  file.chunks().forget(header);
  const auto messages = load_messages(file, header);
  const DatasetMessages& parts = *messages;
  if (!is_valid(parts.layout.address)) return;
  chunk::release_chunks(file.store(),
                        *index::make_index(file.store(), parts.layout, chunk_facts(file, parts)));
}

void release_storage(File& file, Address header, const format::LayoutMessage& layout) {
  if (layout.layout == LayoutClass::virtual_dataset) file.virtuals().forget(header);
  file.virtual_prefixes().set(header, std::nullopt);
  file.external_prefixes().set(header, std::nullopt);
  if (layout.layout == LayoutClass::virtual_dataset && is_valid(layout.address))
    file.global_heap().remove({layout.address, layout.heap_index});
  if (layout.in_chunks()) return release_chunks(file, header);
  if (layout.layout != LayoutClass::contiguous || !is_valid(layout.address)) return;
  const std::uint64_t bytes = contiguous_bytes(file, header, layout);
  if (bytes > 0) file.store().space().release(store::SpaceKind::raw, layout.address, bytes);
}

}  // namespace

MetadataBytes dataset_metadata(File& file, Address header) {
  MetadataBytes bytes;
  const auto messages = load_messages(file, header);
  const DatasetMessages& parts = *messages;
  const format::LayoutMessage& layout = parts.layout;
  if (layout.in_chunks()) {
    // An open chunk index may be newer than the header.
    const auto in_use = file.chunks().find(header);
    bytes.index = in_use ? in_use->index().index_bytes()
                         : index::make_index(file.store(), layout, chunk_facts(file, parts))->index_bytes();
  } else if (layout.layout == LayoutClass::virtual_dataset && is_valid(layout.address)) {
    bytes.heap = file.global_heap().get(layout.address, layout.heap_index).size();
  }
  if (const auto body = find_message(file, header, MessageType::external_files)) {
    const auto message = format::decode<format::ExternalFiles>(*body, file.store().widths(), header);
    if (is_valid(message.heap))
      bytes.heap += store::LocalHeap(file.store(), message.heap).entry()->file_bytes();
  }
  return bytes;
}

void destroy_dataset_storage(File& file, Address header) {
  const format::Widths& widths = file.store().widths();
  despite_damage([&] { release_elements(file, header, *load_messages(file, header)); });
  despite_damage([&] {
    const auto body = find_message(file, header, MessageType::layout);
    if (body) release_storage(file, header, format::decode<format::LayoutMessage>(*body, widths, header));
  });
  despite_damage([&] {
    const auto body = find_message(file, header, MessageType::external_files);
    if (body) destroy_external_names(file, *body);
  });
}

}  // namespace filigree::model
