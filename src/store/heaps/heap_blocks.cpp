// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/heap_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checksum.hpp"
#include "base/context.hpp"
#include "filter/pipeline.hpp"
#include "format/codec/codec.hpp"
#include "format/messages/pipeline.hpp"
#include "store/corrupt.hpp"
#include "store/file_store.hpp"
#include "store/heaps/fractal_heap.hpp"

namespace filigree::store {
namespace {

using format::FractalHeapDirectPrefix;
using format::FractalHeapHeader;
using format::FractalHeapIndirectBlock;

/// The largest factor by which a filter expands stored bytes.
constexpr std::uint64_t most_expansion = 4096;

/// Enough for the header of an unfiltered heap at full widths.
constexpr std::uint64_t usual_header_bytes = 146;

void check_owner(std::string_view structure, Address at, Address heap, Address expected) {
  if (heap != expected) {
    throw_corrupt(structure, at,
                  fmt::format("belongs to the heap at {}, not {}", to_string(heap), to_string(expected)));
  }
}

void check_offset(std::string_view structure, Address at, std::uint64_t found, std::uint64_t expected) {
  if (found != expected) {
    throw_corrupt(structure, at, fmt::format("covers the heap from offset {}, expected {}", found, expected));
  }
}

FractalHeapDirectPrefix blank_prefix(const HeapHeaderEntry& heap) {
  FractalHeapDirectPrefix prefix;
  prefix.offset_bytes = heap.table.offset_bytes();
  prefix.has_checksum = heap.header.checksum_direct;
  return prefix;
}

std::size_t checksum_position(const HeapHeaderEntry& heap) {
  return heap.header.checksum_direct ? heap.table.overhead() - 4 : 0;
}

std::uint32_t direct_checksum(Buffer& bytes, std::size_t checksum_at) {
  store_word(bytes.data() + checksum_at, 0, 4);
  return lookup3(bytes);
}

FractalHeapIndirectBlock blank_indirect(const HeapHeaderEntry& heap, unsigned rows) {
  FractalHeapIndirectBlock block;
  block.rows = rows;
  block.width = heap.table.width();
  block.direct_rows = heap.table.direct_rows();
  block.offset_bytes = heap.table.offset_bytes();
  block.filtered = heap.header.filtered();
  return block;
}

filter::Pipeline pipeline_of(const HeapHeaderEntry& heap, std::uint64_t block_bytes) {
  const auto message = format::decode<format::PipelineMessage>(heap.header.pipeline, {}, heap.address());
  std::vector<filter::FilterSpec> specs;
  for (const auto& stage : message.filters) {
    specs.push_back({stage.id, stage.name, stage.optional(), stage.parameters});
  }
  return filter::Pipeline(specs, {1, block_bytes});
}

std::shared_ptr<HeapDirectEntry> read_direct(const FileStore& store, const HeapHeaderEntry& heap,
                                             const HeapBlockLocation& location) {
  constexpr auto structure = FractalHeapDirectPrefix::structure;
  Buffer bytes = unfilter_heap_bytes(heap, store.read(location.address, location.stored_bytes, structure),
                                     location.filter_mask, location.bytes, structure, location.address);
  FractalHeapDirectPrefix prefix = blank_prefix(heap);
  format::decode(prefix, bytes, store.widths(), location.address);
  check_owner(structure, location.address, prefix.heap, heap.address());
  check_offset(structure, location.address, prefix.offset, location.offset);
  const std::size_t checksum_at = checksum_position(heap);
  if (checksum_at > 0) {
    const std::uint32_t computed = direct_checksum(bytes, checksum_at);
    if (!checksum_holds(prefix.checksum, computed)) {
      throw_corrupt(
          structure, location.address,
          fmt::format("field 'checksum' is {:#010x}, the bytes give {:#010x}", prefix.checksum, computed));
    }
  }
  return std::make_shared<HeapDirectEntry>(std::move(bytes), location.offset, heap);
}

}  // namespace

std::size_t HeapHeaderEntry::encoded_bytes() const { return format::encoded_bytes(header, widths_); }

void HeapHeaderEntry::encode(EncodedBlocks& out) const {
  out.push_back({address(), format::encode(header, widths_)});
}

std::size_t HeapIndirectEntry::encoded_bytes() const { return format::encoded_bytes(block, widths_); }

void HeapIndirectEntry::encode(EncodedBlocks& out) const {
  out.push_back({address(), format::encode(block, widths_)});
}

HeapDirectEntry::HeapDirectEntry(Buffer block_bytes, std::uint64_t heap_offset, const HeapHeaderEntry& of)
    : Entry(entry_kind),
      bytes(std::move(block_bytes)),
      offset(heap_offset),
      heap_(of.address()),
      checksum_at_(checksum_position(of)),
      has_filters_(of.header.filtered()) {}

Buffer HeapDirectEntry::sealed() const {
  Buffer all = bytes;
  if (checksum_at_ > 0) {
    const std::uint32_t sum = direct_checksum(all, checksum_at_);
    store_word(all.data() + checksum_at_, sum, 4);
  }
  return all;
}

void HeapDirectEntry::encode(EncodedBlocks& out) const {
  if (has_filters_ && filtered_.empty())
    throw Error(ErrorKind::internal, "a block of a fractal heap is written before its filters were applied");
  if (has_filters_) {
    out.push_back({address(), {}, filtered_});
  } else {
    out.push_back({address(), sealed()});
  }
}

void HeapIndirectEntry::allocate_for_flush(FileStore& store) {
  if (is_temporary(address())) FractalHeap(store, block.heap).allocate_indirect(*this);
}

void HeapDirectEntry::allocate_for_flush(FileStore& store) {
  if (!has_filters_) {
    if (is_temporary(address())) FractalHeap(store, heap_).allocate_direct(*this, bytes.size(), 0);
    return;
  }
  if (!filtered_.empty()) return;
  const auto heap = load_heap_header(store, heap_);
  std::uint32_t mask = 0;
  Buffer result = filter_heap_bytes(*heap, sealed(), mask);
  FractalHeap(store, heap_).allocate_direct(*this, result.size(), mask);
  filtered_ = std::move(result);
}

std::shared_ptr<const HeapHeaderEntry> load_heap_header(FileStore& store, Address at) {
  return store.cache().get<HeapHeaderEntry>(at, [&] {
    constexpr auto structure = FractalHeapHeader::structure;
    Buffer bytes = store.read_up_to(at, usual_header_bytes, structure);
    // A filter pipeline makes the header longer; its length is stored near the start.
    if (bytes.size() >= 9) {
      const std::uint64_t more = load_word(bytes.data() + 7, 2);
      if (more > 0) bytes = store.read_up_to(at, usual_header_bytes + 12 + more, structure);
    }
    return std::make_shared<HeapHeaderEntry>(format::decode<FractalHeapHeader>(bytes, store.widths(), at),
                                             store.widths());
  });
}

std::shared_ptr<const HeapIndirectEntry> load_heap_indirect(FileStore& store, const HeapHeaderEntry& heap,
                                                            Address at, unsigned rows, std::uint64_t offset) {
  constexpr auto structure = FractalHeapIndirectBlock::structure;
  auto entry = store.cache().get<HeapIndirectEntry>(at, [&] {
    FractalHeapIndirectBlock block = blank_indirect(heap, rows);
    block.children.resize(std::size_t{rows} * block.width);
    const Buffer bytes = store.read(at, format::encoded_bytes(block, store.widths()), structure);
    format::decode(block, bytes, store.widths(), at);
    return std::make_shared<HeapIndirectEntry>(std::move(block), store.widths());
  });
  check_owner(structure, at, entry->block.heap, heap.address());
  check_offset(structure, at, entry->block.offset, offset);
  if (entry->block.rows != rows) {
    throw_corrupt(structure, at, fmt::format("is used with {} and with {} rows", entry->block.rows, rows));
  }
  return entry;
}

std::shared_ptr<const HeapDirectEntry> load_heap_direct(FileStore& store, const HeapHeaderEntry& heap,
                                                        const HeapBlockLocation& location) {
  auto entry = store.cache().get<HeapDirectEntry>(location.address,
                                                  [&] { return read_direct(store, heap, location); });
  if (entry->offset != location.offset || entry->bytes.size() != location.bytes) {
    throw_corrupt(FractalHeapDirectPrefix::structure, location.address,
                  fmt::format("is used for heap offsets {} and {}", entry->offset, location.offset));
  }
  return entry;
}

std::shared_ptr<HeapIndirectEntry> make_heap_indirect(const FileStore& store, const HeapHeaderEntry& heap,
                                                      unsigned rows, std::uint64_t offset) {
  FractalHeapIndirectBlock block = blank_indirect(heap, rows);
  block.heap = heap.address();
  block.offset = offset;
  block.children.resize(std::size_t{rows} * block.width);
  return std::make_shared<HeapIndirectEntry>(std::move(block), store.widths());
}

std::shared_ptr<HeapDirectEntry> make_heap_direct(const FileStore& store, const HeapHeaderEntry& heap,
                                                  std::uint64_t offset, std::uint64_t bytes) {
  FractalHeapDirectPrefix prefix = blank_prefix(heap);
  prefix.heap = heap.address();
  prefix.offset = offset;
  Buffer block(bytes);
  format::encode(prefix, MutableBytes(block), store.widths());
  return std::make_shared<HeapDirectEntry>(std::move(block), offset, heap);
}

void require_heap_filters(const Buffer& pipeline) {
  if (pipeline.empty()) return;
  const auto message = format::decode<format::PipelineMessage>(pipeline, {});
  auto& registry = filter::shared_registry();
  for (const auto& stage : message.filters)
    if (!stage.optional() && !registry.find(stage.id)) throw registry.missing(stage.id, stage.name);
}

Buffer filter_heap_bytes(const HeapHeaderEntry& heap, Bytes bytes, std::uint32_t& filter_mask) {
  return in_context(
      [&] { return fmt::format("encoding a part of the fractal heap at {}", to_string(heap.address())); },
      [&] { return pipeline_of(heap, bytes.size()).encode(bytes, filter_mask); });
}

Buffer unfilter_heap_bytes(const HeapHeaderEntry& heap, Buffer stored, std::uint32_t filter_mask,
                           std::uint64_t expected_bytes, std::string_view what, Address at) {
  if (!heap.header.filtered()) {
    if (stored.size() == expected_bytes) return stored;
    throw_corrupt(what, at, fmt::format("holds {} bytes, expected {}", stored.size(), expected_bytes));
  }
  // No filter expands its input by more than this, so a larger size is corrupt.
  if (expected_bytes > 65536 && expected_bytes / most_expansion > stored.size()) {
    throw_corrupt(what, at,
                  fmt::format("cannot be decoded from {} to {} bytes", stored.size(), expected_bytes));
  }
  return in_context(
      [&] { return fmt::format("decoding {} at {}", what, to_string(at)); },
      [&] { return pipeline_of(heap, expected_bytes).decode(stored, filter_mask, expected_bytes); });
}

}  // namespace filigree::store
