// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/sparse_format.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "chunk/format/sparse_decoded_chunk.hpp"
#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;
using space::SetOperator;

constexpr std::uint64_t uncountable = ~std::uint64_t{0};
/// Bytes by which a sparse chunk may exceed a dense one.
constexpr std::uint64_t allowance = 64;
/// A few bytes can describe any number of runs; so many take 1 GiB of memory.
constexpr std::uint64_t most_runs = std::uint64_t{1} << 26;

[[noreturn]] void corrupt(std::string message) { throw Error(ErrorKind::corrupt, std::move(message)); }

/// The most bytes that section 0 needs, however it is encoded: a block for every element.
std::uint64_t most_selection_bytes(const space::Frame& chunk) {
  const std::uint64_t around = 1024;
  const auto blocks = try_multiply(chunk.elements(), 16 * chunk.rank());
  return blocks && *blocks < uncountable - around ? *blocks + around : uncountable;
}

/// The most bytes of section 0 that are written in chunks of less than 2^32 elements. The smallest encoding
/// lists at most all elements, in 4 bytes per dimension. A dense chunk may be larger than that.
std::uint64_t most_written_selection_bytes(const space::Frame& chunk, std::uint64_t dense_bytes) {
  const std::uint64_t around = std::uint64_t{1} << 20;
  const auto points = try_multiply(chunk.elements(), 4 * chunk.rank());
  const auto bytes = points ? try_add(std::max(*points, dense_bytes), around) : points;
  return std::min(bytes.value_or(uncountable), most_selection_bytes(chunk));
}

/// Whether the standard encoding can count as many blocks as there may be.
bool fits_standard_form(std::size_t runs, std::size_t rank) {
  return runs <= (std::size_t{1} << 28) / (rank * rank);
}

bool is_ascending(std::span<const std::uint64_t> points) {
  return std::ranges::adjacent_find(points, std::greater_equal()) == points.end();
}

/// Ordinals of the points in their list, by ascending offset. Of points listed twice the last one counts, as
/// if they had been written in this order.
std::vector<std::uint64_t> ordinals_of(std::span<const std::uint64_t> points) {
  std::vector<std::uint64_t> ordinals(points.size());
  std::iota(ordinals.begin(), ordinals.end(), std::uint64_t{0});
  std::ranges::stable_sort(ordinals, {}, [&](std::uint64_t ordinal) { return points[ordinal]; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ordinals.size(); ++i)
    if (i + 1 == ordinals.size() || points[ordinals[i]] != points[ordinals[i + 1]])
      ordinals[kept++] = ordinals[i];
  ordinals.resize(kept);
  return ordinals;
}

}  // namespace

SparseFormat::SparseFormat(SparseShape shape, std::vector<SectionRule> rules)
    : shape_(std::move(shape)),
      sections_(std::move(rules), shape_.filter_partial_edges),
      dense_bytes_(try_multiply(shape_.chunk.elements(), shape_.element_bytes).value_or(uncountable)),
      most_written_selection_bytes_(most_written_selection_bytes(shape_.chunk, dense_bytes_)),
      most_selection_bytes_(shape_.refuses_longer_selections ? most_written_selection_bytes_
                                                             : most_selection_bytes(shape_.chunk)) {
  const std::size_t sections = shape_.variable ? 3 : 2;
  if (sections_.count() != sections || !sections_.checked(selection_section))
    corrupt(fmt::format("sparse chunks have {} sections, the first with a checksum", sections));
  constexpr std::size_t block_bytes = 4096;
  if (shape_.chunk.rank() == 0 || shape_.element_bytes == 0)
    throw Error(ErrorKind::invalid_argument, "sparse chunks need a dimension and elements of some bytes");
  const std::size_t elements = std::max<std::size_t>(1, block_bytes / shape_.element_bytes);
  fill_block_.resize(elements * shape_.element_bytes);
  if (!shape_.fill.empty())
    for (std::size_t i = 0; i < elements; ++i)
      std::ranges::copy(shape_.fill, fill_block_.begin() + i * shape_.element_bytes);
}

std::unique_ptr<DecodedChunk> SparseFormat::blank() const {
  return std::make_unique<SparseDecodedChunk>(shape_.element_bytes);
}

std::unique_ptr<DecodedChunk> SparseFormat::copy(const DecodedChunk& decoded) const {
  return std::make_unique<SparseDecodedChunk>(sparse(decoded));
}

bool SparseFormat::is_empty(const DecodedChunk& decoded) const { return sparse(decoded).is_empty(); }

// Encoding and decoding.

Buffer SparseFormat::encode_selection(const SparseDecodedChunk& decoded) const {
  const RunSet& defined = decoded.defined();
  if (fits_standard_form(defined.runs(), shape_.chunk.rank())) {
    Buffer bytes = space::encode_defined(shape_.chunk, defined, shape_.form);
    const std::uint64_t sum_bytes = 4;
    if (dense_bytes_ > uncountable - allowance ||
        bytes.size() + sum_bytes + decoded.values().size() <= dense_bytes_ + allowance)
      return bytes;
  }
  return space::encode_defined(shape_.chunk, defined, space::DefinedEncoding::smallest);
}

bool SparseFormat::packs_runs(std::size_t runs, ChunkEdge edge) const {
  return shape_.selection_packed && sections_.filters(selection_section, edge) && runs != 0 &&
         shape_.form == space::DefinedEncoding::standard && fits_standard_form(runs, shape_.chunk.rank());
}

bool SparseFormat::is_worth_packing(const filter::PackedRuns& packed) const {
  return packed.stored.size() < packed.unfiltered_bytes &&
         packed.unfiltered_bytes <= most_written_selection_bytes_;
}

/// Encodes section 0 straight from runs; empty where the standard encoding is needed as an intermediate step.
std::optional<Sections::Packed> SparseFormat::pack_selection(const SparseDecodedChunk& decoded,
                                                             ChunkEdge edge) const {
  const RunSet& defined = decoded.defined();
  if (!packs_runs(defined.runs(), edge)) return std::nullopt;
  auto packed = filter::pack_runs(shape_.chunk.dims(), defined.edges());
  if (!packed || !is_worth_packing(*packed)) return std::nullopt;
  return Sections::Packed{std::move(packed->stored), packed->unfiltered_bytes};
}

StoredChunk SparseFormat::encode(const DecodedChunk& decoded, ChunkEdge edge) const {
  if (sparse(decoded).compact() != nullptr) {
    SparseDecodedChunk expanded(sparse(decoded));
    expanded.expand();
    return encode(expanded, edge);
  }
  auto packed = pack_selection(sparse(decoded), edge);
  const Buffer selection = packed ? Buffer() : encode_selection(sparse(decoded));
  VariableCells cells;
  if (shape_.variable && shape_.heap_set)
    cells = shape_.variable->encode_set(sparse(decoded).values(), sparse(decoded).heap());
  else if (shape_.variable)
    cells = shape_.variable->compact(sparse(decoded).values(), sparse(decoded).heap());
  const std::array<Bytes, 3> contents{selection, shape_.variable ? cells.elements : sparse(decoded).values(),
                                      cells.heap};
  return sections_.pack(std::span(contents).first(sections_.count()), edge, packed ? &*packed : nullptr);
}

Run SparseFormat::defined_part(const StoredChunkInfo& info, std::uint64_t stored_bytes) const {
  return sections_.extent(selection_section, info, stored_bytes);
}

bool SparseFormat::is_packed(const StoredChunkInfo& info, ChunkEdge edge) const {
  return shape_.selection_packed && sections_.filters(selection_section, edge) &&
         info.sections.filter_masks[selection_section] == 0 &&
         // decoding by way of the standard encoding refuses more
         info.sections.unfiltered_bytes[selection_section] <= most_selection_bytes_;
}

/// Decodes section 0 as runs; empty where it has to be decoded by way of the standard encoding.
std::optional<space::Selection> SparseFormat::unpack_selection(const StoredChunkView& part) const {
  if (!is_packed(part.info, part.edge)) return std::nullopt;
  const std::uint64_t bytes = part.info.sections.unfiltered_bytes[selection_section];
  const auto runs = filter::unpack_runs(part.bytes, static_cast<std::size_t>(bytes));
  if (!runs) return std::nullopt;
  if (runs->dims != shape_.chunk.dims()) corrupt("a chunk defines elements of another extent than its own");
  space::RunSetWriter writer(runs->edges.size() / 2);
  writer.add_edges(runs->edges);
  return space::Selection::of_runs(shape_.chunk, writer.finish());
}

space::Selection SparseFormat::decode_selection(const StoredChunkView& part, std::uint64_t values) const {
  if (!part.bytes.empty()) {
    if (auto selection = unpack_selection(part)) return std::move(*selection);
    const Buffer bytes =
        sections_.unpack(selection_section, part.bytes, part.info, part.edge, most_selection_bytes_);
    return space::decode_defined(bytes, shape_.chunk, {most_runs});
  }
  // Some writers omit section 0 where everything is defined.
  if (values != shape_.chunk.elements()) corrupt("a chunk does not say which elements it defines");
  return space::Selection::all(shape_.chunk);
}

SparseFormat::Described SparseFormat::describe(const StoredChunkView& part) const {
  const std::uint64_t bytes =
      sections_.content_bytes(values_section, part.info, part.stored_bytes, part.edge);
  const space::Selection selection = decode_selection(part, bytes / shape_.element_bytes);
  if (bytes % shape_.element_bytes != 0 || selection.elements() != bytes / shape_.element_bytes) {
    corrupt(fmt::format("a chunk defines {} elements of {} bytes and has {} bytes of values",
                        selection.elements(), shape_.element_bytes, bytes));
  }
  if (selection.run_count() > most_runs && selection.is_set()) {
    throw Error(ErrorKind::limit, fmt::format("a chunk defines {} runs of elements; at most {} are possible",
                                              selection.run_count(), most_runs));
  }
  Described described{selection.runs(), {}, bytes};
  if (!selection.is_set() && !is_ascending(selection.points()))
    described.ordinals = ordinals_of(selection.points());
  return described;
}

RunSet SparseFormat::decode_defined(const StoredChunkView& part) const { return describe(part).elements; }

Buffer SparseFormat::decode_values(const StoredChunkView& stored, const Described& described) const {
  const Run section = sections_.extent(values_section, stored.info, stored.bytes.size());
  Buffer values = sections_.unpack(values_section, stored.bytes.subspan(section.start, section.length),
                                   stored.info, stored.edge, described.value_bytes);
  if (described.ordinals.empty()) return values;
  const std::size_t size = shape_.element_bytes;
  Buffer sorted(described.ordinals.size() * size);
  for (std::size_t i = 0; i < described.ordinals.size(); ++i)
    std::memcpy(sorted.data() + i * size, values.data() + described.ordinals[i] * size, size);
  return sorted;
}

std::unique_ptr<DecodedChunk> SparseFormat::decode(const StoredChunkView& stored) const {
  if (auto compact = decode_compact(stored)) return compact;
  const auto section = [&](std::size_t i) {
    const Run run = sections_.extent(i, stored.info, stored.bytes.size());
    return stored.bytes.subspan(run.start, run.length);
  };
  Described described = describe({section(selection_section), stored.info, stored.edge, stored.bytes.size()});
  Buffer values = decode_values(stored, described);
  if (is_better_compact(described.elements))
    return make_compact(
        filter::blocks_of(described.elements.edges(), shape_.chunk.elements(), described.elements.elements()),
        std::move(values));
  if (!shape_.variable)
    return std::make_unique<SparseDecodedChunk>(shape_.element_bytes, std::move(described.elements),
                                                std::move(values));
  const Buffer heap =
      sections_.unpack(heap_section, section(heap_section), stored.info, stored.edge, uncountable);
  auto decoded =
      std::make_unique<SparseDecodedChunk>(shape_.element_bytes, std::move(described.elements), Buffer());
  decoded->set_cells(shape_.variable->decode(std::move(values), heap));
  return decoded;
}

SectionSize SparseFormat::section_size(std::size_t section, Bytes first) const {
  if (section == selection_section) return {most_selection_bytes_, false};
  if (section == heap_section) return {most_heap_bytes, false};
  const std::uint64_t elements = first.empty()
                                     ? shape_.chunk.elements()
                                     : space::decode_defined(first, shape_.chunk, {most_runs}).elements();
  return {checked_multiply(elements, shape_.element_bytes, "the bytes of the values"), true};
}

StoredValues SparseFormat::find_values(const StoredChunkView& part, const RunSet& wanted) const {
  const Described described = describe(part);
  const std::uint64_t base = sections_.extent(values_section, part.info, part.stored_bytes).start;
  const std::uint64_t size = shape_.element_bytes;
  StoredValues found{combine(described.elements, SetOperator::intersect, wanted), {}};
  for (const OrdinalSpan& span : ordinal_spans(found.elements, described.elements)) {
    if (described.ordinals.empty()) {
      found.bytes.push_back({base + span.whole_ordinal * size, span.length * size});
      continue;
    }
    for (std::uint64_t i = 0; i < span.length; ++i)
      found.bytes.push_back({base + described.ordinals[span.whole_ordinal + i] * size, size});
  }
  return found;
}

std::unique_ptr<DecodedChunk> SparseFormat::assemble(const StoredValues& found, Buffer values) const {
  return std::make_unique<SparseDecodedChunk>(shape_.element_bytes, found.elements, std::move(values));
}

std::unique_ptr<const ChunkFormat> make_sparse_format(FormatSetup setup) {
  SparseShape shape;
  shape.chunk = space::Frame(setup.chunk_dims);
  shape.element_bytes = setup.type.size;
  if (setup.layout.composition.has_heap()) shape.variable = std::make_shared<VariableLayout>(setup.type);
  shape.heap_set = setup.layout.composition.has_heap_set();
  shape.fill = std::move(setup.fill.elements);
  shape.fill_heap = std::move(setup.fill.heap);
  shape.filter_partial_edges = setup.filter_partial_edges();
  const format::SectionPipeline* const selection = setup.section_filters.find(0);
  shape.selection_packed = selection != nullptr && selection->filters.size() == 1 &&
                           selection->filters[0].id == filter::packed_selection_id;
  return std::make_unique<SparseFormat>(std::move(shape), make_section_rules(setup));
}

}  // namespace filigree::chunk
