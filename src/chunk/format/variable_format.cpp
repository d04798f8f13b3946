// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/variable_format.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

constexpr std::size_t elements_section = 0;
constexpr std::size_t heap_section = 1;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

class VariableDecodedChunk final : public DecodedChunk {
 public:
  explicit VariableDecodedChunk(VariableCells held)
      : cells(std::move(held)), compact_bytes(cells.heap.size()) {}
  VariableDecodedChunk(const VariableDecodedChunk&) = default;
  std::size_t memory_bytes() const override { return cells.elements.size() + cells.heap.capacity(); }
  VariableCells cells;
  std::size_t compact_bytes;  ///< of the heap when it was last compacted
};

const VariableDecodedChunk& variable(const DecodedChunk& decoded) {
  return static_cast<const VariableDecodedChunk&>(decoded);
}
VariableDecodedChunk& variable(DecodedChunk& decoded) { return static_cast<VariableDecodedChunk&>(decoded); }

}  // namespace

VariableFormat::VariableFormat(VariableShape shape, std::vector<SectionRule> rules)
    : shape_(std::move(shape)), sections_(std::move(rules), shape_.filter_partial_edges) {
  if (sections_.count() != 2)
    throw Error(ErrorKind::corrupt, "chunks of elements of variable length have 2 sections");
  const std::uint64_t bytes =
      checked_multiply(shape_.elements, shape_.layout->element_bytes(), "the bytes of a chunk");
  if (bytes > most_bytes)
    throw Error(ErrorKind::limit,
                fmt::format("chunks of {} bytes; at most {} are possible", bytes, most_bytes));
  bytes_ = static_cast<std::size_t>(bytes);
}

void VariableFormat::fill(MutableBytes elements, Bytes element) const {
  for (std::size_t at = 0; at < elements.size(); at += element.size())
    std::ranges::copy(element, elements.begin() + static_cast<std::ptrdiff_t>(at));
}

/// All elements share the payloads of the fill value until they are written; encode() separates them.
std::unique_ptr<DecodedChunk> VariableFormat::blank() const {
  VariableCells cells{Buffer(bytes_), {}};
  if (!shape_.fill.empty()) {
    fill(cells.elements, shape_.fill);
    cells.heap = shape_.fill_heap;
  }
  return std::make_unique<VariableDecodedChunk>(std::move(cells));
}

std::unique_ptr<DecodedChunk> VariableFormat::copy(const DecodedChunk& decoded) const {
  return std::make_unique<VariableDecodedChunk>(variable(decoded));
}

std::unique_ptr<DecodedChunk> VariableFormat::decode(const StoredChunkView& stored) const {
  const auto unpack = [&](std::size_t section, std::uint64_t most) {
    const space::Run run = sections_.extent(section, stored.info, stored.bytes.size());
    return sections_.unpack(section, stored.bytes.subspan(run.start, run.length), stored.info, stored.edge,
                            most);
  };
  Buffer elements = unpack(elements_section, bytes_);
  if (elements.size() != bytes_) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a chunk has {} bytes of elements, not {}", elements.size(), bytes_));
  }
  const Buffer heap = unpack(heap_section, ~std::uint64_t{0});
  return std::make_unique<VariableDecodedChunk>(shape_.layout->decode(std::move(elements), heap));
}

StoredChunk VariableFormat::encode(const DecodedChunk& decoded, ChunkEdge edge) const {
  const VariableCells& held = variable(decoded).cells;
  const VariableCells cells = shape_.layout->compact(held.elements, held.heap);
  const std::array<Bytes, 2> contents{cells.elements, cells.heap};
  return sections_.pack(contents, edge);
}

void VariableFormat::read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                          const Values& values) const {
  const VariableCells& cells = variable(decoded).cells;
  const std::size_t size = shape_.layout->element_bytes();
  HeapReader heap(cells.heap, shape_.layout->offset_bytes());
  type::Context context = values.context;
  context.from_file = &heap;
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply(
        {cells.elements.data() + run.chunk_offset * size, size,
         values.memory + run.memory * values.element_bytes, values.element_bytes, run.length},
        context);
  }
}

void VariableFormat::write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                           const Values& values) const {
  VariableDecodedChunk& into = variable(decoded);
  const std::size_t size = shape_.layout->element_bytes();
  HeapWriter heap(into.cells.heap, shape_.layout->offset_bytes());
  type::Context context = values.context;
  context.to_file = &heap;
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                             into.cells.elements.data() + run.chunk_offset * size, size, run.length},
                            context);
  }
  if (!heap_has_grown(into.cells.heap.size(), into.compact_bytes)) return;
  into.cells = shape_.layout->compact(std::move(into.cells.elements), into.cells.heap);
  into.compact_bytes = into.cells.heap.size();
}

void VariableFormat::for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const {
  visit(variable(decoded).cells.elements);
}

void VariableFormat::for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const {
  change(variable(decoded).cells.elements);
}

void VariableFormat::erase(DecodedChunk& decoded, const space::RunSet& elements) const {
  VariableCells& cells = variable(decoded).cells;
  const std::size_t size = shape_.layout->element_bytes();
  Buffer element = shape_.fill.empty() ? Buffer(size) : shape_.fill;
  shape_.layout->move_payloads(element, shape_.fill_heap, cells.heap);
  for (std::size_t i = 0; i < elements.runs(); ++i)
    fill(MutableBytes(cells.elements).subspan(elements.run(i).start * size, elements.run(i).length * size),
         element);
}

std::unique_ptr<const ChunkFormat> make_variable_format(FormatSetup setup) {
  VariableShape shape;
  shape.elements = setup.chunk_elements();
  shape.layout = std::make_shared<VariableLayout>(setup.type);
  shape.fill = std::move(setup.fill.elements);
  shape.fill_heap = std::move(setup.fill.heap);
  shape.filter_partial_edges = setup.filter_partial_edges();
  return std::make_unique<VariableFormat>(std::move(shape), make_section_rules(setup));
}

}  // namespace filigree::chunk
