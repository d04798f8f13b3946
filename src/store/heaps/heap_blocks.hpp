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
  void allocate_for_flush(FileStore& store) override;
  std::size_t encoded_bytes() const;

  format::FractalHeapIndirectBlock block;

 private:
  format::Widths widths_;
};

/// A direct block: its bytes without filters, prefix included. encode() makes the checksum.
class HeapDirectEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::heap_direct_block;
  HeapDirectEntry(Buffer block_bytes, std::uint64_t heap_offset, const HeapHeaderEntry& of);

  std::size_t memory_bytes() const override { return sizeof *this + bytes.size() + filtered_.size(); }
  void encode(EncodedBlocks& out) const override;
  void before_edit() override { filtered_.clear(); }
  /// Applies the filters of the heap, and gives the block or the result of the filters its space.
  void allocate_for_flush(FileStore& store) override;

  Buffer bytes;
  const std::uint64_t offset;  ///< of the block within the heap

 private:
  /// The bytes with their checksum.
  Buffer sealed() const;

  const Address heap_;             ///< the header
  const std::size_t checksum_at_;  ///< 0 when the block has no checksum
  const bool has_filters_;
  Buffer filtered_;  ///< what the file stores; empty before allocate_for_flush()
};

/// The address of a direct block, and the range of the heap that it covers.
struct HeapBlockLocation {
  Address address = Address::undefined;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stored_bytes = 0;  ///< in the file: differs from `bytes` in filtered heaps
  std::uint32_t filter_mask = 0;
};

/// Whether this is the address of a block that has no space in the file yet.
bool is_temporary(Address at);

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

/// *Throws* Error if a filter that is not optional is not available, so that new blocks could not be written.
/// `pipeline` is that of a heap header.
void require_heap_filters(const Buffer& pipeline);
/// Applies the filters of the heap to a block or an object, and sets the bits of those that were skipped.
Buffer filter_heap_bytes(const HeapHeaderEntry& heap, Bytes bytes, std::uint32_t& filter_mask);
/// Reverses the filters of the heap. *Throws* Error(corrupt), naming `what` and `at`, when the result does
/// not have exactly `expected_bytes`.
Buffer unfilter_heap_bytes(const HeapHeaderEntry& heap, Buffer stored, std::uint32_t filter_mask,
                           std::uint64_t expected_bytes, std::string_view what, Address at);

}  // namespace filigree::store
