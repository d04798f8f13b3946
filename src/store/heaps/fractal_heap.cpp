// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/fractal_heap.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap_parts.hpp"
#include "store/heaps/heap_blocks.hpp"
#include "store/heaps/heap_free_space.hpp"

namespace filigree::store {

using format::FractalHeapHeader;
using format::HeapId;
using format::HeapIdKind;

Address FractalHeap::create(FileStore& store, const FractalHeapShape& shape) {
  store.require_writable("create a fractal heap");
  require_heap_filters(shape.pipeline);
  FractalHeapHeader header;
  header.id_bytes = shape.id_bytes;
  header.checksum_direct = shape.checksum_direct;
  header.max_managed = shape.max_managed;
  header.table_width = shape.table_width;
  header.start_block = shape.start_block;
  // The field has the width of lengths: 65536 does not fit into 2 bytes.
  header.max_direct =
      store.widths().length_bytes == 2 ? std::min<std::uint64_t>(shape.max_direct, 32768) : shape.max_direct;
  header.max_bits = shape.max_bits;
  header.start_rows = shape.start_rows;
  header.pipeline = shape.pipeline;
  const Buffer checked = format::encode(header, store.widths());
  const Address at = store.space().allocate(SpaceKind::object_header, checked.size());
  store.cache().insert(at, std::make_shared<HeapHeaderEntry>(std::move(header), store.widths()));
  return at;
}

FractalHeap::FractalHeap(FileStore& store, Address header)
    : store_(&store), heap_(load_heap_header(store, header)) {}

Address FractalHeap::address() const { return heap_->address(); }

std::size_t FractalHeap::id_bytes() const { return heap_->header.id_bytes; }

std::uint64_t FractalHeap::objects() const {
  const FractalHeapHeader& h = heap_->header;
  return h.managed_objects + h.huge_objects + h.tiny_objects;
}

const FractalHeapHeader& FractalHeap::header() const { return heap_->header; }

HeapHeaderEntry& FractalHeap::edit() { return store_->cache().edit(heap_); }

HeapBlockLocation FractalHeap::location_of(std::uint64_t offset) const {
  const FractalHeapHeader& h = heap_->header;
  const format::DoublingTable& table = heap_->table;
  if (!is_valid(h.root))
    throw_corrupt(address(), fmt::format("offset {} is beyond the heap, which has no blocks", offset));
  if (h.root_rows == 0) {
    if (offset >= h.start_block)
      throw_corrupt(address(), fmt::format("offset {} is beyond its only block", offset));
    return {h.root, 0, h.start_block, h.filtered() ? h.root_stored_bytes : h.start_block, h.root_filter_mask};
  }
  if (offset >= table.covered(h.root_rows)) {
    throw_corrupt(address(), fmt::format("offset {} is beyond its {} rows", offset, h.root_rows));
  }
  Address at = h.root;
  unsigned rows = h.root_rows;
  for (std::uint64_t start = 0;;) {
    const auto block = load_heap_indirect(*store_, *heap_, at, rows, start);
    const auto cell = table.find(offset - start);
    const auto& child = block->block.children[cell.row * table.width() + cell.column];
    if (!is_valid(child.address)) throw_corrupt(address(), fmt::format("no block at offset {}", offset));
    start += cell.offset;
    if (cell.row < table.direct_rows()) {
      return {child.address, start, cell.bytes, h.filtered() ? child.stored_bytes : cell.bytes,
              child.filter_mask};
    }
    at = child.address;
    rows = table.child_rows(cell.row);
  }
}

HeapBlockLocation FractalHeap::location_of(const HeapId& id) const {
  const HeapBlockLocation location = location_of(id.offset);
  const std::uint64_t within = id.offset - location.offset;
  if (within < heap_->table.overhead() || id.length > location.bytes - within) {
    throw_corrupt(address(),
                  fmt::format("the object of {} bytes at offset {} is not inside of the data of its block",
                              id.length, id.offset));
  }
  return location;
}

void FractalHeap::read(Bytes id, FunctionRef<void(Bytes)> use) const {
  const HeapId decoded = decode_heap_id(id, heap_->ids);
  switch (decoded.kind) {
    case HeapIdKind::tiny:
      return use(decoded.tiny);
    case HeapIdKind::huge: {
      const Huge huge = find_huge(decoded);
      constexpr std::string_view what = "huge object";
      return use(unfilter_heap_bytes(*heap_, store_->read(huge.at, huge.stored_bytes, what), huge.filter_mask,
                                     huge.bytes, what, huge.at));
    }
    case HeapIdKind::managed:
      break;
  }
  const HeapBlockLocation location = location_of(decoded);
  const auto block = load_heap_direct(*store_, *heap_, location);
  use(Bytes(block->bytes).subspan(decoded.offset - location.offset, decoded.length));
}

Buffer FractalHeap::read(Bytes id) const {
  Buffer out;
  read(id, [&](Bytes object) { out.assign(object.begin(), object.end()); });
  return out;
}

Buffer FractalHeap::insert(Bytes object) {
  store_->require_writable("add an object to a fractal heap");
  if (object.empty())
    throw Error(ErrorKind::invalid_argument, "an object of a fractal heap has at least one byte");
  if (object.size() > heap_->header.max_managed) return insert_huge(object);
  HeapId id;
  if (object.size() <= heap_->ids.longest_tiny()) {
    FractalHeapHeader& h = edit().header;
    ++h.tiny_objects;
    h.tiny_bytes += object.size();
    id.kind = HeapIdKind::tiny;
    id.tiny = object;
    return encode_heap_id(id, heap_->ids);
  }
  id.length = object.size();
  id.offset = allocate(object.size());
  const HeapBlockLocation location = location_of(id);
  const auto block = load_heap_direct(*store_, *heap_, location);
  Buffer& bytes = store_->cache().edit(block).bytes;
  std::copy(object.begin(), object.end(), bytes.begin() + (id.offset - location.offset));
  FractalHeapHeader& h = edit().header;
  ++h.managed_objects;
  h.free_bytes -= std::min<std::uint64_t>(h.free_bytes, object.size());
  return encode_heap_id(id, heap_->ids);
}

void FractalHeap::remove(Bytes id) {
  store_->require_writable("remove an object from a fractal heap");
  const HeapId decoded = decode_heap_id(id, heap_->ids);
  if (decoded.kind == HeapIdKind::huge) return remove_huge(decoded);
  if (decoded.kind == HeapIdKind::tiny) {
    FractalHeapHeader& h = edit().header;
    if (h.tiny_objects == 0 || h.tiny_bytes < decoded.length)
      throw_corrupt(address(), "has no such tiny object");
    --h.tiny_objects;
    h.tiny_bytes -= decoded.length;
    return;
  }
  if (heap_->header.managed_objects == 0) throw_corrupt(address(), "has no managed objects");
  const HeapBlockLocation block = location_of(decoded);
  const bool last = heap_->header.managed_objects == 1;
  const auto free = last ? find_free_space() : free_space();
  if (last && !free) return release_blocks();
  store_->cache().edit(free).free(decoded.offset, decoded.length);
  if (last) return release_blocks();
  FractalHeapHeader& h = edit().header;
  --h.managed_objects;
  h.free_bytes += decoded.length;
  free_if_unused(block, store_->cache().edit(free));
  update_free_space(free);
}

bool FractalHeap::overwrite(Bytes id, Bytes object) {
  store_->require_writable("overwrite an object of a fractal heap");
  const HeapId decoded = decode_heap_id(id, heap_->ids);
  if (decoded.kind == HeapIdKind::tiny) return false;
  if (decoded.kind == HeapIdKind::huge) {
    const Huge huge = find_huge(decoded);
    if (huge.bytes != object.size() || heap_->header.filtered()) return false;
    store_->write(huge.at, object);
    return true;
  }
  if (decoded.length != object.size()) return false;
  const HeapBlockLocation location = location_of(decoded);
  const auto block = load_heap_direct(*store_, *heap_, location);
  Buffer& bytes = store_->cache().edit(block).bytes;
  std::copy(object.begin(), object.end(), bytes.begin() + (decoded.offset - location.offset));
  return true;
}

std::uint64_t FractalHeap::allocate(std::uint64_t bytes) {
  const auto entry = free_space();
  HeapFreeSpace& free = store_->cache().edit(entry);
  auto offset = free.allocate(bytes);
  if (!offset) {
    add_block(bytes, free);
    offset = free.allocate(bytes);
  }
  update_free_space(entry);
  if (!offset) throw Error(ErrorKind::internal, "fractal heap: a new block is too small for its object");
  return *offset;
}

void FractalHeap::destroy() {
  store_->require_writable("delete a fractal heap");
  destroy_huge();
  release_blocks();
  const std::size_t bytes = heap_->encoded_bytes();
  const Address at = address();
  store_->cache().forget(at);
  store_->space().release(SpaceKind::object_header, at, bytes);
}

}  // namespace filigree::store
