// SPDX-License-Identifier: Apache-2.0
//
// Direct chunk I/O: chunks as they are stored, past filters and cache.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chunk/format/sections.hpp"
#include "chunk/table/chunk_table.hpp"

namespace filigree::chunk {

/// Space for a chunk that its caller writes.
struct RawChunkAllocation {
  Address address = Address::undefined;
  std::uint64_t bytes = 0;
  std::optional<index::ChunkLocation> replaced_in_place{};  ///< the stored chunk, if it is overwritten
};

/// Chunks are given by their coordinates in the grid.
class ConstRawChunks {
 public:
  using Coordinates = std::span<const std::uint64_t>;

  explicit ConstRawChunks(const ChunkTable& table) : table_(table) {}

  /// Nothing for a chunk that is not stored. A dirty chunk in the cache may be newer.
  std::optional<index::ChunkLocation> find(Coordinates at) const;
  void read(const index::ChunkLocation& location, Buffer& into) const;

  // Structured and portable chunks, section by section. *Throws* Error(unsupported) for others.

  /// Assembles sections that were encoded by the caller; the result is written by RawChunks. The sections
  /// are decoded, as far as the filters are available. *Throws* Error(invalid_argument) unless they make a
  /// chunk that defines elements, all of them inside of the extent, and Error(unsupported) if filters are
  /// missing that a checksum needs. Valid while the extent stays.
  StoredChunk assemble(Coordinates at, std::span<const RawSection> sections) const;
  /// *Requires*: `stored` was read from `location`. *Invalidates*: the sections refer to it.
  std::vector<RawSection> split(Bytes stored, Coordinates at, const index::ChunkLocation& location) const;
  /// The properties of what split() returns. Reads sections whose checksum is among filtered bytes, unless
  /// their filters are missing: split() fails then.
  std::vector<RawSectionFacts> describe_split(Coordinates at, const index::ChunkLocation& location) const;
  /// What the index knows about each section. *Requires*: structured chunks.
  std::vector<RawSectionFacts> describe_sections(Coordinates at, const index::ChunkLocation& location) const;

 protected:
  const Sections& sections() const;
  ChunkEdge edge(Coordinates at) const { return table_.geometry().edge_at(at); }

 private:
  void check_assembled(Coordinates at, const StoredChunkView& chunk) const;
  /// Reads the stored bytes of a section. *Invalidates*: what it returned before.
  using ReadSection = FunctionRef<Bytes(std::size_t section)>;
  RawSection raw_section(std::size_t section, const StoredChunkView& chunk, ReadSection read) const;
  RawSection raw_section(std::size_t section, const StoredChunkView& chunk) const;

  const ChunkTable& table_;
};

/// *Requires*: the exclusive lock.
class RawChunks : public ConstRawChunks {
 public:
  explicit RawChunks(ChunkTable& table) : ConstRawChunks(table), table_(table) {}

  /// Writing takes three steps, so that the second one needs no exclusive lock: allocate(), write at most
  /// the announced bytes to the allocated address, commit(). A chunk that is replaced in place must be
  /// written before the lock is released.
  RawChunkAllocation allocate(Coordinates at, std::uint64_t bytes);
  /// Enters the written chunk into the index. A cached chunk is dropped, dirty or not.
  void commit(Coordinates at, const RawChunkAllocation& allocation, const StoredChunkInfo& info);

 private:
  ChunkTable& table_;
};

}  // namespace filigree::chunk
