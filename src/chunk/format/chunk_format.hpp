// SPDX-License-Identifier: Apache-2.0
//
// What the bytes of a chunk mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "filter/packed_selection/bitmap.hpp"
#include "format/chunk_index/section_table.hpp"
#include "space/partition.hpp"
#include "space/run_set.hpp"
#include "type/conversion.hpp"

namespace filigree::chunk {

class Sections;

/// A chunk as its format holds it in memory. Shared images are never changed: who writes makes a copy, or
/// changes one that nobody else can see.
class ChunkImage {
 public:
  virtual ~ChunkImage() = default;
  ChunkImage() = default;
  ChunkImage& operator=(const ChunkImage&) = delete;
  /// What it costs the cache.
  virtual std::size_t memory_bytes() const = 0;

 protected:
  ChunkImage(const ChunkImage&) = default;
};

/// What an index says of the bytes of a chunk beside their place.
struct StoredForm {
  std::uint32_t filter_mask = 0;  ///< bit i set: filter i was skipped; of dense chunks
  format::SectionTable sections{};
};

/// A chunk as it goes to the file.
struct StoredChunk {
  Buffer bytes;
  StoredForm form{};
};

/// Where some of a chunk's elements stand in the file.
struct StoredValues {
  space::RunSet elements;
  /// Bytes of the stored chunk; joined they are the values of the elements in ascending order.
  std::vector<space::Run> bytes;
};

/// Elements of a chunk one by one, by their positions in it.
struct ChunkPoints {
  filter::Points
      positions;  ///< those that are bits may be more or fewer than the values: who counts compares
  Buffer values;  ///< by ascending position, in the file's type
};

/// Elements in a program's memory, and how they become those of the chunk, or the way back.
struct Values {
  const type::Conversion& conversion;
  const type::Context& context;
  std::byte* memory = nullptr;  ///< only read from when chunks are written
  std::size_t element_bytes = 0;
  /// Told, where given, of elements in the file's type that are written over: before and after.
  /// Not by formats with a heap of their own, where nothing is left behind.
  FunctionRef<void(Bytes, Bytes)>* replaced = nullptr;
};

/// How chunks of one dataset are held, read, written and packed. Immutable, so that many threads may work on
/// different chunks. Nothing outside a format knows what an image looks like.
class ChunkFormat {
 public:
  virtual ~ChunkFormat() = default;

  /// A chunk that nobody has written to.
  virtual std::unique_ptr<ChunkImage> blank() const = 0;
  virtual std::unique_ptr<ChunkImage> copy(const ChunkImage& image) const = 0;

  /// Of untrusted bytes. `whole`: the extent does not cut the chunk. Throws Error(corrupt) when they do not
  /// make a chunk.
  virtual std::unique_ptr<ChunkImage> decode(Bytes stored, const StoredForm& form, bool whole) const = 0;
  virtual StoredChunk encode(const ChunkImage& image, bool whole) const = 0;
  /// As decode(), of bytes that may become the image.
  virtual std::unique_ptr<ChunkImage> take(Buffer stored, const StoredForm& form, bool whole) const {
    return decode(stored, form, whole);
  }
  /// An image whose `bytes` have yet to come from the file, as they are stored; only where plain(), which
  /// formats that never are need not know. Null when a chunk has another size: then decode() says so.
  virtual std::unique_ptr<ChunkImage> make_unread(std::uint64_t /*stored_bytes*/,
                                                  MutableBytes& /*bytes*/) const {
    return nullptr;
  }
  /// As encode(), but the bytes may be those of the image, which then has to live as long.
  virtual Bytes pack(const ChunkImage& image, bool whole, StoredChunk& room) const {
    room = encode(image, whole);
    return room.bytes;
  }

  /// Moves the elements of a piece between image and memory.
  virtual void read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
                    const Values& values) const = 0;
  virtual void write(ChunkImage& image, std::span<const space::ChunkRun> runs,
                     const Values& values) const = 0;

  /// The same of a stored chunk, for those that need no image afterwards.
  virtual void read_stored(Bytes stored, const StoredForm& form, bool whole,
                           std::span<const space::ChunkRun> runs, const Values& values) const {
    read(*decode(stored, form, whole), runs, values);
  }
  /// A chunk of which `runs` are all elements that the extent has, as it goes to the file.
  virtual StoredChunk write_stored(std::span<const space::ChunkRun> runs, const Values& values,
                                   bool whole) const {
    const auto image = blank();
    write(*image, runs, values);
    return encode(*image, whole);
  }

  /// Shows the elements that the image holds, in the file's type; a writable image may be changed by that.
  /// Descriptors of formats with a heap of their own mean nothing outside.
  virtual void for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const = 0;
  virtual void for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const = 0;

  /// Makes elements what they are in a blank chunk; where chunks define elements, undefines them.
  virtual void erase(ChunkImage& image, const space::RunSet& elements) const = 0;

  /// Whether chunks stand in the file as in memory, so that elements may be transferred without an image:
  /// then element i of a chunk is at byte i * element_bytes.
  virtual bool plain(bool whole) const = 0;
  /// Whether making an image takes much longer than reading the stored chunk.
  virtual bool slow_to_decode() const { return false; }
  /// Whether chunks that the extent cuts are stored otherwise than whole ones.
  virtual bool cut_chunks_differ() const { return plain(true) != plain(false); }
  /// What an image of a chunk of so many bytes may take in memory; a guess.
  virtual std::uint64_t usual_bytes(std::uint64_t chunk_bytes) const { return chunk_bytes; }
  /// As write_stored() to memory of a chunk's size; only where plain(whole), which formats
  /// that never are need not know.
  virtual void write_plain(std::span<const space::ChunkRun> runs, const Values& values, bool whole,
                           MutableBytes chunk) const;

  /// Of structured chunks, what they are put together from; else null.
  virtual const Sections* sections() const { return nullptr; }

  // Elements one by one, where they are few. Only of formats that say so, and where positions fit into 32
  // bits.

  virtual bool knows_points() const { return false; }
  /// A chunk that defines these elements and no others, as it goes to the file. `values` is in the file's
  /// type.
  virtual StoredChunk encode_points(std::span<const std::uint32_t> positions, Bytes values, bool whole) const;
  /// How many elements a stored chunk defines, or a few more, by what the index says: decode_points() finds
  /// out. Nothing where so few bytes are not likely to hold so many.
  virtual std::optional<std::uint64_t> claimed_points(const StoredForm& form, std::uint64_t stored_bytes,
                                                      bool whole) const;
  /// As decode().
  virtual ChunkPoints decode_points(Bytes stored, const StoredForm& form, bool whole) const;

  // What is defined: everything, unless the format knows better.

  virtual space::RunSet defined(const ChunkImage& image) const = 0;
  /// Whether nothing is defined, so that the chunk need not be stored.
  virtual bool empty(const ChunkImage&) const { return false; }
  /// The bytes of a stored chunk that decode_defined() and find_values() have to see; none, perhaps.
  virtual space::Run defined_part(const StoredForm&, std::uint64_t /*stored_bytes*/) const { return {}; }
  /// `part` is defined_part() of a chunk of `stored_bytes`.
  virtual space::RunSet decode_defined(Bytes part, const StoredForm& form, std::uint64_t stored_bytes,
                                       bool whole) const = 0;

  /// Whether values may be fetched without the rest of their chunk: by find_values() and assemble().
  virtual bool finds_values(bool /*whole*/) const { return false; }
  /// Which of the wanted elements are defined, and where their values are.
  virtual StoredValues find_values(Bytes part, const StoredForm& form, std::uint64_t stored_bytes, bool whole,
                                   const space::RunSet& wanted) const;
  /// An image that has only these elements, to read from.
  virtual std::unique_ptr<ChunkImage> assemble(const StoredValues& found, Buffer values) const;
};

/// What an image defines; only of formats that know points.
ChunkPoints points_of(const ChunkFormat& format, const ChunkImage& image);

}  // namespace filigree::chunk
