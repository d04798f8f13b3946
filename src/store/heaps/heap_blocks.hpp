// SPDX-License-Identifier: Apache-2.0
//
// The header and the blocks of a fractal heap, as the metadata cache holds them.
#pragma once

#include <cstdint>
#include <memory>

#include "format/heaps/fractal_heap.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

class FileStore;

/// The header of a heap, with its doubling table and the layout of its IDs.
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

/// An indirect block: the addresses of other blocks.
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

/// A direct block: its bytes without filters, prefix included. encode() makes the checksum.
class HeapDirectEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::heap_direct_block;
  /// `checksum_at` is the offset of the checksum; 0 when the block has none.
  HeapDirectEntry(Buffer block_bytes, std::uint64_t heap_offset, std::size_t checksum_at)
      : Entry(entry_kind), bytes(std::move(block_bytes)), offset(heap_offset), checksum_at_(checksum_at) {}

  std::size_t memory_bytes() const override { return sizeof *this + bytes.size(); }
  void encode(EncodedBlocks& out) const override;

  Buffer bytes;
  const std::uint64_t offset;  ///< of the block within the heap

 private:
  std::size_t checksum_at_;
};

/// The address of a direct block, and the range of the heap that it covers.
struct HeapBlockLocation {
  Address address = Address::undefined;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< in the file: differs from `bytes` in filtered heaps
  std::uint32_t filter_mask = 0;
};

/// The header of the heap at `at`. *Throws* Error(corrupt or truncated), as the functions below.
std::shared_ptr<const HeapHeaderEntry> load_heap_header(FileStore& store, Address at);

/// The indirect block at `at` with `rows` rows, which covers the heap from `offset` on. *Throws*
/// Error(corrupt) when the cache holds another block at `at`.
std::shared_ptr<const HeapIndirectEntry> load_heap_indirect(FileStore& store, const HeapHeaderEntry& heap,
                                                            Address at, unsigned rows, std::uint64_t offset);

std::shared_ptr<const HeapDirectEntry> load_heap_direct(FileStore& store, const HeapHeaderEntry& heap,
                                                        const HeapBlockLocation& location);

/// A new indirect block without children; the caller inserts it into the cache.
std::shared_ptr<HeapIndirectEntry> make_heap_indirect(const FileStore& store, const HeapHeaderEntry& heap,
                                                      unsigned rows, std::uint64_t offset);
/// A new direct block without objects; the caller inserts it into the cache.
std::shared_ptr<HeapDirectEntry> make_heap_direct(const FileStore& store, const HeapHeaderEntry& heap,
                                                  std::uint64_t offset, std::uint64_t bytes);

/// Reverses the filters of the heap. *Throws* Error(corrupt), naming `what` and `at`, when the result does
/// not have exactly `expected_bytes`.
Buffer unfilter_heap_bytes(const HeapHeaderEntry& heap, Buffer stored, std::uint32_t filter_mask,
                           std::uint64_t expected_bytes, std::string_view what, Address at);

}  // namespace filigree::store
