// SPDX-License-Identifier: Apache-2.0
//
// The parts of a fractal heap as the metadata cache holds them.
#pragma once

#include <cstdint>
#include <memory>

#include "format/heaps/fractal_heap.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

/// A heap's header, with what follows from it.
class HeapHeaderEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::heap_header;
  HeapHeaderEntry(format::FractalHeapHeader decoded, const format::Widths& widths)
      : Entry(entry_kind),
        header(std::move(decoded)),
        table(header, widths),
        ids(header, widths),
        widths_(widths) {}

  std::size_t memory_bytes() const override { return sizeof *this + header.pipeline.size(); }
  void encode(EncodedBlocks& out) const override;
  std::size_t encoded_bytes() const;

  format::FractalHeapHeader header;
  const format::DoublingTable table;
  const format::HeapIdLayout ids;

 private:
  format::Widths widths_;
};

class HeapIndirectEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::heap_indirect_block;
  HeapIndirectEntry(format::FractalHeapIndirectBlock decoded, const format::Widths& widths)
      : Entry(entry_kind), block(std::move(decoded)), widths_(widths) {}

  std::size_t memory_bytes() const override {
    return sizeof *this + block.children.size() * sizeof(format::FractalHeapIndirectBlock::Child);
  }
  void encode(EncodedBlocks& out) const override;
  std::size_t encoded_bytes() const;

  format::FractalHeapIndirectBlock block;

 private:
  format::Widths widths_;
};

/// A direct block: its bytes as they are after un-filtering, prefix included. The checksum is made when
/// the block is written.
class HeapDirectEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::heap_direct_block;
  /// `checksum_at` is 0 when the block carries none.
  HeapDirectEntry(Buffer block_bytes, std::uint64_t heap_offset, std::size_t checksum_at)
      : Entry(entry_kind), bytes(std::move(block_bytes)), offset(heap_offset), checksum_at_(checksum_at) {}

  std::size_t memory_bytes() const override { return sizeof *this + bytes.size(); }
  void encode(EncodedBlocks& out) const override;

  Buffer bytes;
  const std::uint64_t offset;  ///< of the block within the heap

 private:
  std::size_t checksum_at_;
};

/// Where a direct block stands in the file, and what it covers of the heap.
struct HeapBlockLocation {
  Address address = Address::undefined;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< in the file: differs from `bytes` in filtered heaps
  std::uint32_t filter_mask = 0;
};

std::shared_ptr<const HeapHeaderEntry> load_heap_header(FileStore& store, Address at);

/// The indirect block at `at` with that many rows, covering the heap from `offset`. Throws Error(corrupt)
/// when another block stands there.
std::shared_ptr<const HeapIndirectEntry> load_heap_indirect(FileStore& store, const HeapHeaderEntry& heap,
                                                            Address at, unsigned rows, std::uint64_t offset);

std::shared_ptr<const HeapDirectEntry> load_heap_direct(FileStore& store, const HeapHeaderEntry& heap,
                                                        const HeapBlockLocation& place);

/// An indirect block without children, not yet in the cache.
std::shared_ptr<HeapIndirectEntry> make_heap_indirect(const FileStore& store, const HeapHeaderEntry& heap,
                                                      unsigned rows, std::uint64_t offset);
/// A direct block without objects, not yet in the cache.
std::shared_ptr<HeapDirectEntry> make_heap_direct(const FileStore& store, const HeapHeaderEntry& heap,
                                                  std::uint64_t offset, std::uint64_t bytes);

/// Undoes the heap's filters: `stored` becomes exactly `expected_bytes`. Without filters it must be
/// that long already. `what` and `at` are for errors.
Buffer unpack_heap_bytes(const HeapHeaderEntry& heap, Buffer stored, std::uint32_t filter_mask,
                         std::uint64_t expected_bytes, std::string_view what, Address at);

}  // namespace filigree::store
