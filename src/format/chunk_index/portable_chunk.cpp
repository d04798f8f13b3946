// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/portable_chunk.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec.hpp"
#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {
namespace {

constexpr std::uint64_t most_rank = 32;
constexpr std::uint64_t most_filters = 32;
/// HDF5 stores chunks of less than 4 GiB.
constexpr std::uint64_t most_chunk_bytes = 0xffffffff;

template <class Io, class M>
void describe_envelope_section(Io& io, M& m, std::uint64_t kind) {
  io.u8("section kind", m.kind);
  io.range("section kind", m.kind, kind, kind);
  io.u32("filter mask", m.filter_mask);
  io.u32("stored bytes", m.stored_bytes);
  io.u64("unfiltered bytes", m.unfiltered_bytes);
}

template <class Io, class Filters>
void describe_section_filters(Io& io, Filters& list) {
  std::uint64_t filters = list.size();
  io.u32("filters", filters);
  io.range("filters", filters, 0, most_filters);
  io.resize("filters", list, filters, 12);
  for (auto& filter : list) {
    std::uint64_t parameters = filter.parameters.size();
    io.word("filter id", filter.id, 4);
    io.word("filter flags", filter.flags, 4);
    io.u32("parameters", parameters);
    io.resize("parameters", filter.parameters, parameters, 4);
    for (auto& parameter : filter.parameters) io.u32("parameter", parameter);
  }
}

void check_parameters(const PortableParameters& parameters) {
  if (!parameters.fill.empty() && parameters.fill.size() != parameters.element_bytes) {
    throw Error(ErrorKind::corrupt, fmt::format("a fill value of {} bytes for elements of {} bytes",
                                                parameters.fill.size(), parameters.element_bytes));
  }
  std::uint64_t bytes = parameters.element_bytes;
  for (const std::uint32_t dim : parameters.dims)
    bytes = try_multiply(bytes, dim).value_or(~std::uint64_t{0});
  if (bytes > most_chunk_bytes)
    throw Error(ErrorKind::corrupt, "portable chunks have 4 GiB or more when they are dense");
}

}  // namespace

template <class Io, Model<PortableEnvelope> M>
void describe(Io& io, M& m) {
  io.signature("FGSC");
  io.u8("version", m.version);
  io.range("version", m.version, 1, 1);
  io.u8("flags", m.flags);
  io.range("flags", m.flags, 0, PortableEnvelope::written_by_plugin);
  std::uint64_t sections = PortableEnvelope::sections_in_chunk;
  io.u16("sections", sections);
  io.range("sections", sections, PortableEnvelope::sections_in_chunk, PortableEnvelope::sections_in_chunk);
  io.u64("defined elements", m.defined);
  for (std::size_t i = 0; i < PortableEnvelope::sections_in_chunk; ++i)
    describe_envelope_section(io, m.sections[i], i);
  io.checksum();
}

template <class Io, Model<PortableParameters> M>
void describe(Io& io, M& m) {
  io.u32("version", m.version);
  io.range("version", m.version, 1, 1);
  std::uint64_t rank = m.dims.size();
  io.u32("rank", rank);
  io.range("rank", rank, 1, most_rank);
  io.resize("chunk dimensions", m.dims, rank, 4);
  for (auto& dim : m.dims) {
    io.u32("chunk dimension", dim);
    io.range("chunk dimension", dim, 1, most_chunk_bytes);
  }
  io.u32("element bytes", m.element_bytes);
  io.range("element bytes", m.element_bytes, 1, most_chunk_bytes);
  std::uint64_t fill_bytes = m.fill.size();
  io.u32("fill value bytes", fill_bytes);
  io.range("fill value bytes", fill_bytes, 0, PortableParameters::most_fill_bytes);
  io.blob("fill value", m.fill, fill_bytes);
  if (fill_bytes % 4 != 0) io.reserved(static_cast<unsigned>(4 - fill_bytes % 4));
  for (auto& filters : m.filters) describe_section_filters(io, filters);
}

FILIGREE_DESCRIBED(PortableEnvelope);
FILIGREE_DESCRIBED(PortableParameters);

SectionTable PortableEnvelope::table() const {
  SectionTable made;
  made.count = sections_in_chunk;
  made.offsets[1] = sections[0].stored_bytes;
  for (std::size_t i = 0; i < sections_in_chunk; ++i) {
    made.unfiltered_bytes[i] = sections[i].unfiltered_bytes;
    made.filter_masks[i] = sections[i].filter_mask;
  }
  return made;
}

PortableEnvelope decode_envelope(Bytes chunk, std::uint64_t stored_bytes) {
  const auto envelope = decode<PortableEnvelope>(chunk, {});
  std::uint64_t bytes = PortableEnvelope::bytes;
  for (const PortableSection& section : envelope.sections) bytes += section.stored_bytes;
  if (bytes != stored_bytes) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a portable chunk of {} bytes has an envelope for {}", stored_bytes, bytes));
  }
  return envelope;
}

Buffer encode_envelope(const SectionTable& table, std::uint64_t stored_bytes, std::uint64_t defined,
                       std::uint8_t flags) {
  if (stored_bytes > most_chunk_bytes - PortableEnvelope::bytes)
    throw Error(ErrorKind::limit,
                fmt::format("a portable chunk of {} bytes: the limit is 4 GiB", stored_bytes));
  PortableEnvelope envelope;
  envelope.flags = flags;
  envelope.defined = defined;
  for (std::size_t i = 0; i < PortableEnvelope::sections_in_chunk; ++i) {
    PortableSection& section = envelope.sections[i];
    section.filter_mask = table.filter_masks[i];
    section.stored_bytes = static_cast<std::uint32_t>(table.bytes(i, stored_bytes));
    section.unfiltered_bytes = table.unfiltered_bytes[i];
    if (section.unfiltered_bytes == 0) section.unfiltered_bytes = section.stored_bytes;
  }
  return encode(envelope, {});
}

std::uint64_t PortableParameters::elements() const {
  std::uint64_t elements = 1;
  for (const std::uint32_t dim : dims) elements *= dim;  // the dense size is below 4 GiB
  return elements;
}

std::vector<std::uint32_t> to_words(const PortableParameters& parameters) {
  const Buffer bytes = encode(parameters, {});
  std::vector<std::uint32_t> words(bytes.size() / 4);
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint32_t>(load_word(bytes.data() + 4 * i, 4));
  return words;
}

PortableParameters from_words(std::span<const std::uint32_t> words) {
  Buffer bytes(words.size() * 4);
  for (std::size_t i = 0; i < words.size(); ++i) store_word(bytes.data() + 4 * i, words[i], 4);
  auto parameters = decode<PortableParameters>(bytes, {});
  if (encoded_bytes(parameters, {}) != bytes.size())
    throw Error(ErrorKind::corrupt, "there are more parameters than portable chunks have");
  check_parameters(parameters);
  return parameters;
}

}  // namespace filigree::format
