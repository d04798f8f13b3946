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
#include "chunk/format/sparse_image.hpp"
#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;
using space::SetOperator;

constexpr std::uint64_t uncountable = ~std::uint64_t{0};
/// What a sparse chunk may take more than a dense one.
constexpr std::uint64_t allowance = 64;
/// A few bytes can describe any number of runs; these are 1 GiB in memory.
constexpr std::uint64_t most_runs = std::uint64_t{1} << 26;

const SparseImage& sparse(const ChunkImage& image) { return static_cast<const SparseImage&>(image); }
SparseImage& sparse(ChunkImage& image) { return static_cast<SparseImage&>(image); }

[[noreturn]] void corrupt(std::string message) { throw Error(ErrorKind::corrupt, std::move(message)); }

/// The most bytes that section 0 needs, however it is encoded: a block for every element.
std::uint64_t most_selection_bytes(const space::Frame& chunk) {
  const std::uint64_t around = 1024;
  const auto blocks = try_multiply(chunk.elements(), 16 * chunk.rank());
  return blocks && *blocks < uncountable - around ? *blocks + around : uncountable;
}

/// Whether the standard form has numbers for as many blocks as there may be.
bool fits_standard_form(std::size_t runs, std::size_t rank) {
  return runs <= (std::size_t{1} << 28) / (rank * rank);
}

bool are_ascending(std::span<const space::ChunkRun> runs) {
  const auto comes_after = [](const space::ChunkRun& a, const space::ChunkRun& b) {
    return b.chunk_offset < a.chunk_offset + a.length;
  };
  return std::ranges::adjacent_find(runs, comes_after) == runs.end();
}

RunSet set_of_ascending(std::span<const space::ChunkRun> runs) {
  space::RunSetWriter writer(runs.size());
  for (const space::ChunkRun& run : runs) writer.add({run.chunk_offset, run.length});
  return writer.finish();
}

RunSet set_of(std::span<const space::ChunkRun> runs) {
  if (are_ascending(runs)) return set_of_ascending(runs);
  std::vector<Run> list;
  list.reserve(runs.size());
  for (const space::ChunkRun& run : runs) list.push_back({run.chunk_offset, run.length});
  return RunSet::of_runs(std::move(list));
}

/// Copies elements out of memory, those of the runs one behind the other; behind them is room for 16 bytes.
/// Runs are mostly short, so 16 bytes are copied without asking how many are meant, where memory has them.
void gather(std::span<const space::ChunkRun> runs, const std::byte* memory, std::size_t size, std::byte* to) {
  constexpr std::size_t few = 16;
  std::uint64_t end = 0;
  for (const space::ChunkRun& run : runs) end = std::max(end, run.memory + run.length);
  const std::uint64_t sure = end * size < few ? 0 : end * size - few + 1;
  for (const space::ChunkRun& run : runs) {
    const std::size_t from = run.memory * size, bytes = run.length * size;
    if (bytes <= few && from < sure) {
      std::memcpy(to, memory + from, few);
    } else {
      std::memcpy(to, memory + from, bytes);
    }
    to += bytes;
  }
}

bool is_ascending(std::span<const std::uint64_t> points) {
  return std::ranges::adjacent_find(points, std::greater_equal()) == points.end();
}

/// Places of the points in their list, by ascending position. Of points listed twice the last one counts, as
/// if they had been written in this order.
std::vector<std::uint64_t> places_of(std::span<const std::uint64_t> points) {
  std::vector<std::uint64_t> places(points.size());
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  std::ranges::stable_sort(places, {}, [&](std::uint64_t place) { return points[place]; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i + 1 == places.size() || points[places[i]] != points[places[i + 1]]) places[kept++] = places[i];
  places.resize(kept);
  return places;
}

}  // namespace

SparseFormat::SparseFormat(SparseShape shape, std::vector<SectionRule> rules)
    : shape_(std::move(shape)),
      sections_(std::move(rules), shape_.filter_cut_chunks),
      dense_bytes_(try_multiply(shape_.chunk.elements(), shape_.element_bytes).value_or(uncountable)) {
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

std::unique_ptr<ChunkImage> SparseFormat::blank() const {
  return std::make_unique<SparseImage>(shape_.element_bytes);
}

std::unique_ptr<ChunkImage> SparseFormat::copy(const ChunkImage& image) const {
  return std::make_unique<SparseImage>(sparse(image));
}

RunSet SparseFormat::defined(const ChunkImage& image) const { return sparse(image).defined(); }
bool SparseFormat::empty(const ChunkImage& image) const { return sparse(image).defined().empty(); }

// Encoding and decoding.

Buffer SparseFormat::encode_selection(const SparseImage& image) const {
  const RunSet& defined = image.defined();
  if (fits_standard_form(defined.runs(), shape_.chunk.rank())) {
    Buffer bytes = space::encode_defined(shape_.chunk, defined, shape_.form);
    const std::uint64_t sum_bytes = 4;
    if (dense_bytes_ > uncountable - allowance ||
        bytes.size() + sum_bytes + image.values().size() <= dense_bytes_ + allowance)
      return bytes;
  }
  return space::encode_defined(shape_.chunk, defined, space::DefinedEncoding::smallest);
}

bool SparseFormat::packs_at_once(std::size_t runs, bool whole) const {
  return shape_.selection_packed && sections_.filters(selection_section, whole) && runs != 0 &&
         shape_.form == space::DefinedEncoding::standard && fits_standard_form(runs, shape_.chunk.rank());
}

/// Section 0 straight from runs; nothing where the way over the standard encoding has to be taken.
std::optional<Sections::Packed> SparseFormat::pack_selection(const SparseImage& image, bool whole) const {
  const RunSet& defined = image.defined();
  if (!packs_at_once(defined.runs(), whole)) return std::nullopt;
  auto packed = filter::pack_runs(shape_.chunk.dims(), defined.edges());
  if (!packed || packed->stored.size() >= packed->unfiltered_bytes) return std::nullopt;
  return Sections::Packed{std::move(packed->stored), packed->unfiltered_bytes};
}

StoredChunk SparseFormat::encode(const ChunkImage& image, bool whole) const {
  auto packed = pack_selection(sparse(image), whole);
  const Buffer selection = packed ? Buffer() : encode_selection(sparse(image));
  VariableCells cells;
  if (shape_.variable) cells = shape_.variable->compact(sparse(image).values(), sparse(image).heap());
  const std::array<Bytes, 3> contents{selection, shape_.variable ? cells.elements : sparse(image).values(),
                                      cells.heap};
  return sections_.pack(std::span(contents).first(sections_.count()), whole, packed ? &*packed : nullptr);
}

Run SparseFormat::defined_part(const StoredForm& form, std::uint64_t stored_bytes) const {
  return sections_.extent(selection_section, form, stored_bytes);
}

bool SparseFormat::is_packed(const StoredForm& form, bool whole) const {
  return shape_.selection_packed && sections_.filters(selection_section, whole) &&
         form.sections.filter_masks[selection_section] == 0 &&
         // more is refused by the way over the standard encoding
         form.sections.unfiltered_bytes[selection_section] <= most_selection_bytes(shape_.chunk);
}

/// Without the way over the standard encoding; nothing where that has to be taken.
std::optional<space::Selection> SparseFormat::unpack_selection(Bytes part, const StoredForm& form,
                                                               bool whole) const {
  if (!is_packed(form, whole)) return std::nullopt;
  const std::uint64_t bytes = form.sections.unfiltered_bytes[selection_section];
  const auto runs = filter::unpack_runs(part, static_cast<std::size_t>(bytes));
  if (!runs) return std::nullopt;
  if (runs->dims != shape_.chunk.dims()) corrupt("a chunk defines elements of another extent than its own");
  space::RunSetWriter writer(runs->edges.size() / 2);
  writer.add_edges(runs->edges);
  return space::Selection::of_runs(shape_.chunk, writer.finish());
}

space::Selection SparseFormat::decode_selection(Bytes part, const StoredForm& form, bool whole,
                                                std::uint64_t values) const {
  if (!part.empty()) {
    if (auto selection = unpack_selection(part, form, whole)) return std::move(*selection);
    const Buffer bytes =
        sections_.unpack(selection_section, part, form, whole, most_selection_bytes(shape_.chunk));
    return space::decode_defined(bytes, shape_.chunk, {most_runs});
  }
  // Some writers leave section 0 out where everything is defined.
  if (values != shape_.chunk.elements()) corrupt("a chunk does not say which elements it defines");
  return space::Selection::all(shape_.chunk);
}

SparseFormat::Described SparseFormat::describe(Bytes part, const StoredForm& form, std::uint64_t stored_bytes,
                                               bool whole) const {
  const std::uint64_t bytes = sections_.content_bytes(values_section, form, stored_bytes, whole);
  const space::Selection selection = decode_selection(part, form, whole, bytes / shape_.element_bytes);
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
    described.places = places_of(selection.points());
  return described;
}

RunSet SparseFormat::decode_defined(Bytes part, const StoredForm& form, std::uint64_t stored_bytes,
                                    bool whole) const {
  return describe(part, form, stored_bytes, whole).elements;
}

Buffer SparseFormat::decode_values(Bytes stored, const StoredForm& form, bool whole,
                                   const Described& described) const {
  Buffer values = sections_.unpack(values_section, stored, form, whole, described.value_bytes);
  if (described.places.empty()) return values;
  const std::size_t size = shape_.element_bytes;
  Buffer sorted(described.places.size() * size);
  for (std::size_t i = 0; i < described.places.size(); ++i)
    std::memcpy(sorted.data() + i * size, values.data() + described.places[i] * size, size);
  return sorted;
}

std::unique_ptr<ChunkImage> SparseFormat::decode(Bytes stored, const StoredForm& form, bool whole) const {
  const auto section = [&](std::size_t i) {
    const Run run = sections_.extent(i, form, stored.size());
    return stored.subspan(run.start, run.length);
  };
  Described described = describe(section(selection_section), form, stored.size(), whole);
  Buffer values = decode_values(section(values_section), form, whole, described);
  if (!shape_.variable)
    return std::make_unique<SparseImage>(shape_.element_bytes, std::move(described.elements),
                                         std::move(values));
  const Buffer heap = sections_.unpack(heap_section, section(heap_section), form, whole, uncountable);
  auto image = std::make_unique<SparseImage>(shape_.element_bytes, std::move(described.elements), Buffer());
  image->set_cells(shape_.variable->decode(std::move(values), heap));
  return image;
}

StoredValues SparseFormat::find_values(Bytes part, const StoredForm& form, std::uint64_t stored_bytes,
                                       bool whole, const RunSet& wanted) const {
  const Described described = describe(part, form, stored_bytes, whole);
  const std::uint64_t base = sections_.extent(values_section, form, stored_bytes).start;
  const std::uint64_t size = shape_.element_bytes;
  StoredValues found{combine(described.elements, SetOperator::intersect, wanted), {}};
  for (const Stretch& stretch : stretches(found.elements, described.elements)) {
    if (described.places.empty()) {
      found.bytes.push_back({base + stretch.whole_rank * size, stretch.length * size});
      continue;
    }
    for (std::uint64_t i = 0; i < stretch.length; ++i)
      found.bytes.push_back({base + described.places[stretch.whole_rank + i] * size, size});
  }
  return found;
}

std::unique_ptr<ChunkImage> SparseFormat::assemble(const StoredValues& found, Buffer values) const {
  return std::make_unique<SparseImage>(shape_.element_bytes, found.elements, std::move(values));
}

// Elements.

void SparseFormat::read_undefined(std::byte* memory, std::uint64_t count, const Values& values) const {
  const std::uint64_t at_once = fill_block_.size() / shape_.element_bytes;
  for (std::uint64_t done = 0; done < count; done += at_once) {
    values.conversion.apply({fill_block_.data(), shape_.element_bytes, memory + done * values.element_bytes,
                             values.element_bytes, std::min(at_once, count - done)},
                            values.context);
  }
}

void SparseFormat::read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
                        const Values& values) const {
  if (!shape_.variable) return read_values(image, runs, values, values);
  const std::uint8_t width = shape_.variable->offset_bytes();
  HeapReader heap(sparse(image).heap(), width);
  HeapReader fill_heap(shape_.fill_heap, width);
  type::Context of_values = values.context;
  of_values.from_file = &heap;
  type::Context of_fill = values.context;
  of_fill.from_file = &fill_heap;
  read_values(image, runs, {values.conversion, of_values, values.memory, values.element_bytes},
              {values.conversion, of_fill, values.memory, values.element_bytes});
}

void SparseFormat::read_values(const ChunkImage& image, std::span<const space::ChunkRun> runs,
                               const Values& values, const Values& undefined) const {
  RankedSet::Cursor cursor(sparse(image).ranked());
  for (const space::ChunkRun& wanted : runs) {
    const std::uint64_t end = wanted.chunk_offset + wanted.length;
    std::byte* memory = values.memory + wanted.memory * values.element_bytes;
    for (std::uint64_t at = wanted.chunk_offset; at < end;) {
      const bool more = cursor.seek(at);
      const bool inside = more && cursor.run().start <= at;
      const std::uint64_t until =
          !more ? end : std::min(end, inside ? cursor.run().end() : cursor.run().start);
      if (inside) {
        values.conversion.apply({sparse(image).value(cursor.rank(at)), shape_.element_bytes, memory,
                                 values.element_bytes, until - at},
                                values.context);
      } else {
        read_undefined(memory, until - at, undefined);
      }
      memory += (until - at) * values.element_bytes;
      at = until;
    }
  }
}

void SparseFormat::fill_values(SparseImage& image, const RunSet& elements) const {
  Buffer adopted;
  if (shape_.variable && !shape_.fill_heap.empty()) {
    adopted = shape_.fill;
    shape_.variable->move_payloads(adopted, shape_.fill_heap, image.heap());
  }
  const Bytes block = adopted.empty() ? fill_block_ : adopted;
  RankedSet::Cursor cursor(image.ranked());
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    const Run run = elements.run(i);
    cursor.seek(run.start);
    std::byte* const to = image.value(cursor.rank(run.start));
    const std::size_t bytes = static_cast<std::size_t>(run.length) * shape_.element_bytes;
    for (std::size_t done = 0; done < bytes; done += block.size())
      std::memcpy(to + done, block.data(), std::min(block.size(), bytes - done));
  }
}

void SparseFormat::write(ChunkImage& image, std::span<const space::ChunkRun> runs,
                         const Values& values) const {
  SparseImage& into = sparse(image);
  if (!shape_.variable) return write_values(into, runs, values);
  HeapWriter heap(into.heap(), shape_.variable->offset_bytes());
  type::Context context = values.context;
  context.to_file = &heap;
  write_values(into, runs, {values.conversion, context, values.memory, values.element_bytes});
  if (heap_has_grown(into.heap().size(), into.compact_heap_bytes()))
    into.set_cells(shape_.variable->compact(into.values(), into.heap()));
}

void SparseFormat::write_values(SparseImage& into, std::span<const space::ChunkRun> runs,
                                const Values& values) const {
  if (into.defined().empty() && values.conversion.traits().copies && values.replaced == nullptr &&
      are_ascending(runs)) {
    RunSet elements = set_of_ascending(runs);
    const auto bytes = static_cast<std::size_t>(
        checked_multiply(elements.elements(), shape_.element_bytes, "the bytes of a chunk's values"));
    Buffer copied(bytes + 16);
    gather(runs, values.memory, shape_.element_bytes, copied.data());
    copied.resize(bytes);
    return into.set_elements(std::move(elements), std::move(copied));
  }
  if (!into.covers(runs)) {
    const RunSet fresh = combine(set_of(runs), SetOperator::subtract, into.defined());
    into.define(fresh);
    // A conversion may leave bytes alone, or throw.
    if (!values.conversion.traits().copies || shape_.variable || values.replaced != nullptr)
      fill_values(into, fresh);
  }
  Buffer before;
  RankedSet::Cursor cursor(into.ranked());
  for (const space::ChunkRun& run : runs) {
    cursor.seek(run.chunk_offset);
    const Bytes place(into.value(cursor.rank(run.chunk_offset)), run.length * shape_.element_bytes);
    if (values.replaced != nullptr) before.assign(place.begin(), place.end());
    values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                             into.value(cursor.rank(run.chunk_offset)), shape_.element_bytes, run.length},
                            values.context);
    if (values.replaced != nullptr) (*values.replaced)(before, place);
  }
}

void SparseFormat::for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const {
  see(sparse(image).values());
}

void SparseFormat::for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const {
  change({sparse(image).value(0), sparse(image).values().size()});
}

void SparseFormat::erase(ChunkImage& image, const RunSet& elements) const { sparse(image).erase(elements); }

}  // namespace filigree::chunk
