// SPDX-License-Identifier: Apache-2.0
//
// What the stored bytes of a chunk mean. A chunk format is one class: it derives from ChunkFormat, offers
// the capabilities that its encoding has, and gets a row in make_format.cpp. The suite in
// testing/chunk_format_suite.hpp checks it.
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
#include "filter/pipeline.hpp"
#include "format/chunk_index/section_table.hpp"
#include "space/partition.hpp"
#include "space/run_set.hpp"
#include "type/conversion.hpp"

namespace filigree::chunk {

class Sections;

/// A chunk as its format holds it in memory. Shared chunks are never changed: a writer makes a copy, or
/// changes a chunk that no other thread can reach.
class DecodedChunk {
 public:
  virtual ~DecodedChunk() = default;
  DecodedChunk() = default;
  DecodedChunk& operator=(const DecodedChunk&) = delete;
  /// The memory that the chunk cache accounts for.
  virtual std::size_t memory_bytes() const = 0;

 protected:
  DecodedChunk(const DecodedChunk&) = default;
};

/// Whether the dataset's extent ends inside of a chunk. HDF5 can leave partial edge chunks unfiltered
/// (H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS), so every encoding depends on it.
enum class ChunkEdge : bool { partial, full };

/// What an index knows about the stored bytes of a chunk, besides their address and their number.
struct StoredChunkInfo {
  std::uint32_t filter_mask = 0;    ///< bit i set: filter i was skipped; of dense chunks
  format::SectionTable sections{};  ///< of structured chunks
  filter::Decoding decoding = {};   ///< how the reader wants it
};

/// Stored bytes with all that is needed to decode them. The bytes are untrusted.
struct StoredChunkView {
  Bytes bytes;  ///< of the whole chunk, or of DefinedElements::defined_part()
  StoredChunkInfo info{};
  ChunkEdge edge = ChunkEdge::full;
  std::uint64_t stored_bytes = 0;  ///< size of the whole chunk
};

/// A view of a complete chunk.
inline StoredChunkView view_of(Bytes bytes, const StoredChunkInfo& info, ChunkEdge edge) {
  return {bytes, info, edge, bytes.size()};
}

/// The size of a section without filters and checksum.
struct SectionSize {
  std::uint64_t most = ~std::uint64_t{0};
  bool exact = false;  ///< every such section has the size `most`
};

/// An encoded chunk, ready to be written.
struct StoredChunk {
  Buffer bytes;
  StoredChunkInfo info{};

  /// *Invalidates*: the view refers to `bytes`.
  StoredChunkView view(ChunkEdge edge) const { return view_of(bytes, info, edge); }
};

/// Elements in a program's memory, and their conversion to or from the type in the file.
struct Values {
  const type::Conversion& conversion;
  const type::Context& context;
  std::byte* memory = nullptr;  ///< only read from when chunks are written
  std::size_t element_bytes = 0;
  /// If set, called with elements in the file's type that are overwritten: before and after. Formats with a
  /// heap of their own do not call it, because they leave no values behind.
  FunctionRef<void(Bytes, Bytes)>* replaced = nullptr;
};

/// Where the values of some elements are in a stored chunk.
struct StoredValues {
  space::RunSet elements;
  /// Byte ranges of the stored chunk. Concatenated, they are the values of the elements in ascending order.
  std::vector<space::Run> bytes;
};

/// Elements that were taken out of a chunk, by ascending offset.
struct TakenElements {
  std::vector<std::uint64_t> offsets;  ///< within the chunk
  Buffer values;                       ///< in the file's type
  std::vector<std::size_t> ends;       ///< for each wanted run: the number of elements up to its end
};

/// Capability of formats whose chunks define some of their elements only.
class DefinedElements {
 public:
  virtual space::RunSet defined(const DecodedChunk& decoded) const = 0;
  /// The number of defined elements.
  virtual std::uint64_t count(const DecodedChunk& decoded) const = 0;
  /// The values of the defined elements, contiguous, in ascending order, in the file's type. *Invalidates*:
  /// the result refers to `decoded` or to `buffer`.
  virtual Bytes values(const DecodedChunk& decoded, Buffer& buffer) const = 0;
  /// Takes out the defined ones of some elements. The cost depends on what is taken. *Requires*: `wanted`
  /// are ascending runs, none of them empty; with values, elements of a fixed size.
  virtual TakenElements take(const DecodedChunk& decoded, std::span<const space::Run> wanted,
                             bool with_values) const = 0;
  /// Whether nothing is defined, so that the chunk need not be stored.
  virtual bool is_empty(const DecodedChunk& decoded) const = 0;

  /// The byte range of a stored chunk that decode_defined() and find_values() need; may be empty.
  /// *Throws* Error(corrupt) for a section table that contradicts itself.
  virtual space::Run defined_part(const StoredChunkInfo& info, std::uint64_t stored_bytes) const = 0;
  /// The same or less, by what the first header_bytes() of the chunk say; `start` has these bytes, or all of
  /// a smaller chunk. *Throws* Error(corrupt) for a damaged header.
  virtual space::Run defined_part_of(const StoredChunkView& start) const {
    return defined_part(start.info, start.stored_bytes);
  }
  /// *Requires*: `part` has the bytes of defined_part() or of defined_part_of(). *Throws* as
  /// ChunkFormat::decode().
  virtual space::RunSet decode_defined(const StoredChunkView& part) const = 0;
  /// As take(), from a stored chunk and without values. *Requires* and *throws* as decode_defined().
  virtual TakenElements take_defined(const StoredChunkView& part,
                                     std::span<const space::Run> wanted) const = 0;
  /// The number of bytes at the start of a stored chunk that declared_elements() and defined_part_of() need.
  /// Where it is not 0, the defined part starts at the start of the chunk.
  virtual std::size_t header_bytes() const { return 0; }
  /// An upper bound of the number of elements, from what the index knows: the view needs no bytes but those
  /// of header_bytes(). Empty without these, and where so few stored bytes cannot plausibly hold so many
  /// elements. *Throws* as ChunkFormat::decode().
  virtual std::optional<std::uint64_t> declared_elements(const StoredChunkView& stored) const = 0;

  /// Whether values can be read without the rest of their chunk, by find_values() and assemble().
  virtual bool finds_values(ChunkEdge edge) const = 0;
  /// Which of the wanted elements are defined, and where their values are. *Requires*: as decode_defined(),
  /// and finds_values().
  virtual StoredValues find_values(const StoredChunkView& part, const space::RunSet& wanted) const = 0;
  /// A decoded chunk that has only these elements, to be read from.
  virtual std::unique_ptr<DecodedChunk> assemble(const StoredValues& found, Buffer values) const = 0;

 protected:
  ~DefinedElements() = default;
};

/// Elements of a chunk as a list of offsets within the chunk, with their values.
struct ChunkElements {
  /// A bitmap is not counted here: the caller must check that it matches the number of values.
  filter::Points offsets;
  Buffer values;  ///< by ascending offset, in the file's type
};

/// Capability of formats that encode and decode lists of elements without a decoded chunk in between.
/// *Requires*: offsets within the chunk fit into 32 bits.
class OffsetCodec {
 public:
  /// A chunk that defines these elements and no others. *Requires*: ascending offsets; `values` is in the
  /// file's type.
  virtual StoredChunk encode_elements(std::span<const std::uint32_t> offsets, Bytes values,
                                      ChunkEdge edge) const = 0;
  /// *Throws* as ChunkFormat::decode().
  virtual ChunkElements decode_elements(const StoredChunkView& stored) const = 0;
  /// The elements of a chunk that is decoded already.
  virtual ChunkElements list_elements(const DecodedChunk& decoded) const = 0;

 protected:
  ~OffsetCodec() = default;
};

/// Capability of chunks that are stored exactly as they are in memory: element i is at byte
/// i * element_bytes. Such elements can be transferred without a decoded chunk.
class UnfilteredLayout {
 public:
  /// A decoded chunk whose `bytes` the caller reads from the file. Null when a chunk has another size:
  /// ChunkFormat::decode() then reports why.
  virtual std::unique_ptr<DecodedChunk> make_unread(std::uint64_t stored_bytes,
                                                    MutableBytes& bytes) const = 0;
  /// As ChunkFormat::decode(), taking over the bytes.
  virtual std::unique_ptr<DecodedChunk> adopt(Buffer stored) const = 0;
  /// The encoded chunk. *Invalidates*: refers to `decoded`.
  virtual Bytes stored_bytes(const DecodedChunk& decoded) const = 0;
  /// As ChunkFormat::write_stored(), to memory of a chunk's size.
  virtual void write_unfiltered(std::span<const space::ChunkRun> runs, const Values& values, ChunkEdge edge,
                                MutableBytes chunk) const = 0;

 protected:
  ~UnfilteredLayout() = default;
};

/// The sections of a stored chunk.
struct SectionedChunk {
  StoredChunkView view;   ///< the bytes of the sections, and where each of them is
  StoredChunk made = {};  ///< owns the bytes unless they are part of the stored chunk
};

/// Capability of formats whose sections are behind an envelope. The index knows nothing of them.
class Envelope {
 public:
  /// *Throws* as ChunkFormat::decode(). *Invalidates*: the result refers to `stored`.
  virtual SectionedChunk open(const StoredChunkView& stored) const = 0;
  /// The chunk of these sections. *Throws* what ChunkFormat::decode() throws.
  virtual StoredChunk close(StoredChunk sections, ChunkEdge edge) const = 0;
  /// Whether HDF5 has stored the chunk, so that nobody knows whether elements with the fill value were
  /// defined. *Requires*: `start` has at least DefinedElements::header_bytes(), or the complete chunk.
  /// *Throws* as ChunkFormat::decode().
  virtual bool is_from_hdf5(const StoredChunkView& start) const = 0;

 protected:
  ~Envelope() = default;
};

/// Costs of a format, for those who plan transfers.
struct FormatTraits {
  bool slow_to_decode = false;        ///< decoding takes much longer than reading the stored bytes
  bool partial_edges_differ = false;  ///< partial edge chunks are encoded differently
  std::uint64_t typical_bytes = 0;    ///< estimated memory of a decoded chunk
};

/// How the chunks of one dataset are held, read, written and encoded. Only a format knows what its decoded
/// chunks look like.
///
/// *Thread safety*: immutable; any number of threads may work on different chunks.
class ChunkFormat {
 public:
  virtual ~ChunkFormat() = default;

  /// A chunk that was never written.
  virtual std::unique_ptr<DecodedChunk> blank() const = 0;
  virtual std::unique_ptr<DecodedChunk> copy(const DecodedChunk& decoded) const = 0;

  /// *Throws* Error(corrupt), Error(truncated) or Error(limit) when the bytes do not make a chunk.
  virtual std::unique_ptr<DecodedChunk> decode(const StoredChunkView& stored) const = 0;
  virtual StoredChunk encode(const DecodedChunk& decoded, ChunkEdge edge) const = 0;

  /// Move the elements of runs between a decoded chunk and memory.
  virtual void read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                    const Values& values) const = 0;
  virtual void write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                     const Values& values) const = 0;
  /// Reads from a stored chunk that the caller does not keep decoded.
  virtual void read_stored(const StoredChunkView& stored, std::span<const space::ChunkRun> runs,
                           const Values& values) const {
    read(*decode(stored), runs, values);
  }
  /// Encodes a chunk of which `runs` are all elements inside of the extent.
  virtual StoredChunk write_stored(std::span<const space::ChunkRun> runs, const Values& values,
                                   ChunkEdge edge) const {
    const auto decoded = blank();
    write(*decoded, runs, values);
    return encode(*decoded, edge);
  }

  /// Visits the elements that the chunk holds, in the file's type, many at a time. Descriptors of formats
  /// with a heap of their own mean nothing outside of the chunk.
  virtual void for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const = 0;
  virtual void for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const = 0;

  /// Gives elements the state that they have in a blank chunk: undefined, or the fill value.
  virtual void erase(DecodedChunk& decoded, const space::RunSet& elements) const = 0;

  virtual FormatTraits traits(std::uint64_t chunk_bytes) const = 0;

  // Capabilities; null where a format does not have them.

  virtual const DefinedElements* defined_elements() const { return nullptr; }
  virtual const OffsetCodec* offset_codec() const { return nullptr; }
  /// Depends on the edge: partial edge chunks may be unfiltered where others are not.
  virtual const UnfilteredLayout* unfiltered(ChunkEdge /*edge*/) const { return nullptr; }
  /// The sections that structured and portable chunks consist of.
  virtual const Sections* sections() const { return nullptr; }
  /// The envelope of the sections; portable chunks have one.
  virtual const Envelope* envelope() const { return nullptr; }
  /// The size of a section as far as it is known; `first` is the content of section 0.
  virtual SectionSize section_size(std::size_t /*section*/, Bytes /*first*/) const { return {}; }
};

/// As ChunkFormat::encode(), without a copy of the bytes where they are in the decoded chunk already.
/// *Invalidates*: the result refers to `decoded` or to `buffer`.
inline Bytes encode_view(const ChunkFormat& format, const DecodedChunk& decoded, ChunkEdge edge,
                         StoredChunk& buffer) {
  buffer = {};
  if (const UnfilteredLayout* const unfiltered = format.unfiltered(edge))
    return unfiltered->stored_bytes(decoded);
  buffer = format.encode(decoded, edge);
  return buffer.bytes;
}

/// The elements that a decoded chunk holds: those that it defines, or all.
inline space::RunSet elements_held(const ChunkFormat& format, const DecodedChunk& decoded,
                                   std::uint64_t chunk_elements) {
  const DefinedElements* const defined = format.defined_elements();
  return defined != nullptr ? defined->defined(decoded) : space::RunSet({0, chunk_elements});
}

}  // namespace filigree::chunk
