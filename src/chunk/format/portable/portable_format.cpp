// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/portable/portable_format.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::chunk {
namespace {

using format::PortableEnvelope;

[[noreturn]] void corrupt(std::string message) { throw Error(ErrorKind::corrupt, std::move(message)); }

std::vector<std::uint64_t> dims_of(const format::PortableParameters& parameters) {
  return {parameters.dims.begin(), parameters.dims.end()};
}

Buffer fill_of(const format::PortableParameters& parameters) {
  return parameters.fill.empty() ? Buffer(parameters.element_bytes) : parameters.fill;
}

bool has_packed_selection(const format::PortableParameters& parameters) {
  const auto& filters = parameters.filters[0];
  return filters.size() == 1 && filters[0].id == filter::packed_selection_id;
}

SparseFormat make_sparse(const format::PortableParameters& parameters) {
  SparseShape shape;
  shape.chunk = space::Frame(dims_of(parameters));
  shape.element_bytes = parameters.element_bytes;
  shape.fill = parameters.fill;
  shape.selection_packed = has_packed_selection(parameters);
  shape.refuses_longer_selections = true;
  std::vector<SectionRule> rules(PortableEnvelope::sections_in_chunk);
  for (std::size_t i = 0; i < rules.size(); ++i)
    rules[i].pipeline = bind_filters(parameters.filters[i], {parameters.element_bytes, 0});
  rules[0].checked = true;
  return SparseFormat(std::move(shape), std::move(rules));
}

/// Calls `use(index)` for elements that differ from the fill value, in ascending order.
template <class Use>
void for_each_other(Bytes dense, Bytes fill, Use use) {
  const std::size_t size = fill.size();
  for (std::size_t i = 0; i * size < dense.size(); ++i)
    if (std::memcmp(dense.data() + i * size, fill.data(), size) != 0) use(i);
}

}  // namespace

PortableFormat::PortableFormat(format::PortableParameters parameters, bool filter_partial_edges)
    : fill_(fill_of(parameters)),
      dense_bytes_(parameters.elements() * parameters.element_bytes),
      filter_partial_edges_(filter_partial_edges),
      packed_(has_packed_selection(parameters)),
      sparse_(make_sparse(parameters)) {}

// The envelope.

bool PortableFormat::is_stored_dense(const StoredChunkView& stored) const {
  return (stored.info.filter_mask & 1) != 0 || (stored.edge == ChunkEdge::partial && !filter_partial_edges_);
}

PortableFormat::Opened PortableFormat::open_chunk(const StoredChunkView& stored) const {
  Opened opened;
  opened.view.info.sections.count = PortableEnvelope::sections_in_chunk;
  if (is_stored_dense(stored)) {
    const ChunkElements elements = find_elements(stored.bytes);
    opened.defined = elements.offsets.list.size();
    opened.empty = opened.defined == 0;
    if (opened.empty) return opened;
    opened.made = sparse_.encode_elements(elements.offsets.list, elements.values, ChunkEdge::full);
    opened.view = opened.made.view(ChunkEdge::full);
    return opened;
  }
  const PortableEnvelope envelope = format::decode_envelope(stored.bytes, stored.stored_bytes);
  opened.defined = envelope.defined;
  opened.empty = envelope.is_empty();
  if (opened.empty) check_defined(opened, 0);
  if (opened.defined > dense_bytes_ / fill_.size())
    corrupt(fmt::format("a portable chunk of {} elements defines {}", dense_bytes_ / fill_.size(),
                        opened.defined));
  StoredChunkInfo info;
  info.sections = envelope.table();
  info.decoding = stored.info.decoding;
  opened.view = {stored.bytes.subspan(PortableEnvelope::bytes), info, ChunkEdge::full,
                 stored.stored_bytes - PortableEnvelope::bytes};
  return opened;
}

SectionedChunk PortableFormat::open(const StoredChunkView& stored) const { return open_chunk(stored); }

StoredChunk PortableFormat::close(StoredChunk sections, ChunkEdge edge) const {
  const StoredChunkView view = sections.view(ChunkEdge::full);
  if (edge == ChunkEdge::partial && !filter_partial_edges_)
    return {expand(sparse_.decode_elements(view)), {}};
  const std::uint64_t defined =
      sparse_.sections()->content_bytes(1, view.info, view.stored_bytes, view.edge) / fill_.size();
  return wrap(std::move(sections), defined);
}

bool PortableFormat::is_from_hdf5(const StoredChunkView& start) const {
  if (is_stored_dense(start)) return true;
  return (format::decode_envelope(start.bytes, start.stored_bytes).flags &
          PortableEnvelope::written_by_plugin) != 0;
}

void PortableFormat::check_defined(const Opened& opened, std::uint64_t found) const {
  if (found != opened.defined)
    corrupt(fmt::format("the envelope of a portable chunk says {} defined elements, its sections {}",
                        opened.defined, found));
}

StoredChunk PortableFormat::wrap(StoredChunk sections, std::uint64_t defined, std::uint8_t flags) const {
  StoredChunk chunk;
  if (defined == 0) sections = {};
  chunk.bytes = format::encode_envelope(sections.info.sections, sections.bytes.size(), defined, flags);
  chunk.bytes.insert(chunk.bytes.end(), sections.bytes.begin(), sections.bytes.end());
  return chunk;
}

// Dense chunks.

ChunkElements PortableFormat::find_elements(Bytes dense) const {
  if (dense.size() != dense_bytes_)
    corrupt(fmt::format("a chunk without its filter has {} bytes instead of {}", dense.size(), dense_bytes_));
  ChunkElements elements;
  for_each_other(dense, fill_, [&](std::size_t i) {
    elements.offsets.list.push_back(static_cast<std::uint32_t>(i));
    const Bytes value = dense.subspan(i * fill_.size(), fill_.size());
    elements.values.insert(elements.values.end(), value.begin(), value.end());
  });
  return elements;
}

Buffer PortableFormat::encode_dense(Bytes dense) const {
  const ChunkElements elements = find_elements(dense);
  const std::vector<std::uint32_t>& offsets = elements.offsets.list;
  StoredChunk sections;
  if (!offsets.empty()) sections = sparse_.encode_elements(offsets, elements.values, ChunkEdge::full);
  return wrap(std::move(sections), offsets.size(), PortableEnvelope::written_by_plugin).bytes;
}

namespace {

/// A dense chunk whose defined elements are put in ascending order.
class DenseChunk {
 public:
  /// *Requires*: the bytes are zero.
  DenseChunk(MutableBytes bytes, Bytes fill, Bytes values)
      : bytes_(bytes), size_(fill.size()), rest_(values) {
    if (std::ranges::all_of(fill, [](std::byte b) { return b == std::byte{0}; })) return;
    for (std::size_t at = 0; at < bytes.size(); at += size_)
      std::memcpy(bytes.data() + at, fill.data(), size_);
  }
  void put(std::uint64_t first, std::uint64_t count = 1) {
    const std::uint64_t all = bytes_.size() / size_;
    if (first > all || count > all - first) corrupt("a chunk defines elements outside of itself");
    if (count > rest_.size() / size_) corrupt("a chunk defines more elements than it has values");
    const auto bytes = static_cast<std::size_t>(count) * size_;
    std::memcpy(bytes_.data() + first * size_, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }
  void put(const filter::Points& points) {
    for (const std::uint32_t offset : points.list) put(offset);
    if (!points.bits) return;
    for (std::uint64_t i = 0; i < points.bits->words(); ++i)
      for (std::uint64_t bits = points.bits->word(i); bits != 0; bits &= bits - 1)
        put(64 * i + static_cast<unsigned>(std::countr_zero(bits)));
  }
  void finish() const {
    if (!rest_.empty()) corrupt("a chunk defines fewer elements than it has values");
  }

 private:
  MutableBytes bytes_;
  std::size_t size_;
  Bytes rest_;  ///< values that are not put yet
};

}  // namespace

void PortableFormat::decode_dense(Bytes stored, Allocate allocate) const {
  const Opened opened = open_chunk(view_of(stored, {}, ChunkEdge::full));
  const auto bytes = static_cast<std::size_t>(dense_bytes_);
  if (opened.empty) {
    DenseChunk(allocate(bytes), fill_, {}).finish();
  } else if (packed_) {
    const ChunkElements elements = sparse_.decode_elements(opened.view);
    check_defined(opened, elements.values.size() / fill_.size());
    DenseChunk dense(allocate(bytes), fill_, elements.values);
    dense.put(elements.offsets);
    dense.finish();
  } else {
    const auto decoded = sparse_.decode(opened.view);
    check_defined(opened, sparse_.count(*decoded));
    Buffer buffer;
    DenseChunk dense(allocate(bytes), fill_, sparse_.values(*decoded, buffer));
    const space::RunSet defined = sparse_.defined(*decoded);
    for (std::size_t i = 0; i < defined.runs(); ++i) dense.put(defined.run(i).start, defined.run(i).length);
    dense.finish();
  }
}

Buffer PortableFormat::decode_dense(Bytes stored) const {
  Buffer dense;
  decode_dense(stored, [&](std::size_t bytes) {
    dense.resize(bytes);
    return MutableBytes(dense);
  });
  return dense;
}

Buffer PortableFormat::expand(const ChunkElements& elements) const {
  Buffer bytes(static_cast<std::size_t>(dense_bytes_));
  DenseChunk dense(bytes, fill_, elements.values);
  dense.put(elements.offsets);
  dense.finish();
  return bytes;
}

// The chunk format.

FormatTraits PortableFormat::traits(std::uint64_t chunk_bytes) const {
  FormatTraits traits = sparse_.traits(chunk_bytes);
  traits.partial_edges_differ = !filter_partial_edges_;
  return traits;
}

std::unique_ptr<DecodedChunk> PortableFormat::decode(const StoredChunkView& stored) const {
  const Opened opened = open_chunk(stored);
  if (opened.empty) return blank();
  auto decoded = sparse_.decode(opened.view);
  check_defined(opened, sparse_.count(*decoded));
  return decoded;
}

StoredChunk PortableFormat::encode(const DecodedChunk& decoded, ChunkEdge edge) const {
  if (edge == ChunkEdge::partial && !filter_partial_edges_) return {expand(list_elements(decoded)), {}};
  return wrap(sparse_.encode(decoded, ChunkEdge::full), sparse_.count(decoded));
}

/// The part of a chunk that says what is defined.
StoredChunkView PortableFormat::defined_view(const Opened& opened) const {
  StoredChunkView view = opened.view;
  const space::Run part = sparse_.defined_part(view.info, view.stored_bytes);
  view.bytes = view.bytes.subspan(part.start, part.length);
  return view;
}

space::Run PortableFormat::defined_part_of(const StoredChunkView& start) const {
  if (is_stored_dense(start)) return {0, start.stored_bytes};
  const PortableEnvelope envelope = format::decode_envelope(start.bytes, start.stored_bytes);
  return {0, PortableEnvelope::bytes + envelope.sections[0].stored_bytes};
}

space::RunSet PortableFormat::decode_defined(const StoredChunkView& part) const {
  const Opened opened = open_chunk(part);
  if (opened.empty) return {};
  auto defined = sparse_.decode_defined(defined_view(opened));
  check_defined(opened, defined.elements());
  return defined;
}

TakenElements PortableFormat::take_defined(const StoredChunkView& part,
                                           std::span<const space::Run> wanted) const {
  const Opened opened = open_chunk(part);
  if (!opened.empty) return sparse_.take_defined(defined_view(opened), wanted);
  return {{}, {}, std::vector<std::size_t>(wanted.size())};
}

StoredValues PortableFormat::find_values(const StoredChunkView&, const space::RunSet&) const {
  throw Error(ErrorKind::internal, "the values of portable chunks are read with their chunks");
}

StoredChunk PortableFormat::encode_elements(std::span<const std::uint32_t> offsets, Bytes values,
                                            ChunkEdge edge) const {
  if (edge == ChunkEdge::partial && !filter_partial_edges_) {
    ChunkElements elements;
    elements.offsets.list.assign(offsets.begin(), offsets.end());
    elements.values.assign(values.begin(), values.end());
    return {expand(elements), {}};
  }
  return wrap(sparse_.encode_elements(offsets, values, ChunkEdge::full), offsets.size());
}

std::optional<std::uint64_t> PortableFormat::declared_elements(const StoredChunkView& stored) const {
  if (is_stored_dense(stored)) return dense_bytes_ / fill_.size();
  if (stored.bytes.size() < std::min<std::uint64_t>(PortableEnvelope::bytes, stored.stored_bytes))
    return std::nullopt;
  const PortableEnvelope envelope = format::decode_envelope(stored.bytes, stored.stored_bytes);
  StoredChunkInfo info;
  info.sections = envelope.table();
  const std::uint64_t bytes = stored.stored_bytes - PortableEnvelope::bytes;
  return sparse_.declared_elements({{}, info, ChunkEdge::full, bytes});
}

ChunkElements PortableFormat::decode_elements(const StoredChunkView& stored) const {
  const Opened opened = open_chunk(stored);
  if (opened.empty) return {};
  ChunkElements elements = sparse_.decode_elements(opened.view);
  check_defined(opened, elements.values.size() / fill_.size());
  return elements;
}

// Making it.

bool is_portable(const format::PipelineMessage& pipeline) {
  return pipeline.filters.size() == 1 && format::is_portable_filter(pipeline.filters[0].id);
}

std::unique_ptr<const ChunkFormat> make_portable_format(FormatSetup setup) {
  format::PortableParameters parameters = format::from_words(setup.pipeline.filters[0].parameters);
  if (dims_of(parameters) != setup.chunk_dims || parameters.element_bytes != setup.type.size)
    corrupt("the parameters of its filter are for other chunks or elements");
  const Buffer fill = setup.fill.elements.empty() ? Buffer(setup.type.size) : setup.fill.elements;
  if (fill_of(parameters) != fill) corrupt("the parameters of its filter have another fill value");
  return std::make_unique<PortableFormat>(std::move(parameters), setup.filter_partial_edges());
}

}  // namespace filigree::chunk
