// SPDX-License-Identifier: Apache-2.0
#include "chunk/raw/raw_chunks.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/table/chunk_allocation.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::chunk {

std::optional<index::ChunkLocation> ConstRawChunks::find(Coordinates at) const {
  auto location = table_.index().find(at);
  if (location && !is_valid(location->address)) location.reset();
  return location;
}

void ConstRawChunks::read(const index::ChunkLocation& location, Buffer& into) const {
  into.resize(static_cast<std::size_t>(location.stored_bytes));
  const io::ReadExtent extent{to_number(location.address), into};
  table_.store().read_raw(Address{0}, std::span(&extent, 1));
}

RawChunkAllocation RawChunks::allocate(Coordinates at, std::uint64_t bytes) {
  const bool is_unfiltered = table_.format().unfiltered(ChunkEdge::full) != nullptr;
  if (bytes == 0) throw Error(ErrorKind::invalid_argument, "a chunk of no bytes cannot be stored");
  if (is_unfiltered && bytes != table_.traits().chunk_bytes) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} bytes for a chunk of a dataset without filters, where all have {}", bytes,
                            table_.traits().chunk_bytes));
  }
  allocate_before_write(table_);
  table_.index().allocate();
  table_.publish_layout();
  const auto before = find(at);
  if (before && before->stored_bytes == bytes && table_.is_overwritable(edge(at)))
    return {before->address, bytes, before};
  return {table_.store().space().allocate(store::SpaceKind::raw, bytes), bytes, std::nullopt};
}

void RawChunks::commit(Coordinates at, const RawChunkAllocation& allocation, const StoredChunkInfo& info) {
  if (!table_.geometry().contains(at))
    throw Error(ErrorKind::invalid_argument, "the chunk lies outside of the dataset's extent");
  // Without a pipeline the filter mask is meaningless and stored as 0.
  const std::uint32_t mask = table_.format().unfiltered(ChunkEdge::full) != nullptr ? 0 : info.filter_mask;
  const index::ChunkLocation now{allocation.address, allocation.bytes, mask, info.sections};
  const auto old = allocation.replaced_in_place ? allocation.replaced_in_place : find(at);
  if (old != now) {
    try {
      table_.index().insert(at, now);
    } catch (...) {
      table_.publish_layout();
      throw;
    }
    table_.publish_layout();
  }
  table_.cache().forget(table_.key(table_.grid().chunks().offset(at)));
  if (old && old->address != allocation.address)
    table_.store().space().release(store::SpaceKind::raw, old->address, old->stored_bytes);
}

// Structured chunks.

const Sections& ConstRawChunks::sections() const {
  const Sections* const found = table_.format().sections();
  if (found == nullptr) throw Error(ErrorKind::unsupported, "the chunks of this dataset have no sections");
  return *found;
}

namespace {

/// Sections that a caller passes are no fault of the file.
[[noreturn]] void blame_caller(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::corrupt:
    case ErrorKind::truncated:
    case ErrorKind::limit:
      throw Error(ErrorKind::invalid_argument, fmt::format("the sections make no chunk: {}", error.what()));
    default:
      throw error;
  }
}

}  // namespace

StoredChunk ConstRawChunks::assemble(Coordinates at, std::span<const RawSection> given) const {
  const auto size_of = [&](std::size_t section, Bytes first) {
    return table_.format().section_size(section, first);
  };
  try {
    StoredChunk chunk = sections().assemble(given, edge(at), size_of);
    // Without the filters the chunk is stored unchecked. Readers that have them do not trust it either.
    const bool is_checked = sections().decodable(chunk.info, edge(at));
    if (const Envelope* const envelope = table_.format().envelope())
      chunk = envelope->close(std::move(chunk), edge(at));
    if (is_checked) check_assembled(at, chunk.view(edge(at)));
    return chunk;
  } catch (const Error& error) {
    blame_caller(error);
  }
}

void ConstRawChunks::check_assembled(Coordinates at, const StoredChunkView& chunk) const {
  const auto decoded = table_.format().decode(chunk);
  const DefinedElements* const defined = table_.format().defined_elements();
  if (defined == nullptr) return;
  if (defined->is_empty(*decoded))
    throw Error(ErrorKind::invalid_argument, "a chunk that defines nothing is not stored: erase it");
  if (chunk.edge == ChunkEdge::full) return;
  const space::RunSet elements = defined->defined(*decoded);
  const space::ChunkGrid& grid = table_.grid();
  space::Bounds all{std::vector<std::uint64_t>(at.size(), 0), table_.geometry().dims()};
  for (std::uint64_t& last : all.high) --last;
  if (elements_in_box(grid.chunk(), elements, box_in_chunk(grid, at, all)) != elements)
    throw Error(ErrorKind::invalid_argument, "the chunk defines elements outside of the extent");
}

RawSection ConstRawChunks::raw_section(std::size_t section, const StoredChunkView& chunk,
                                       ReadSection read) const {
  const ChunkFormat& format = table_.format();
  SectionSize size;
  if (sections().is_recoded(section, chunk.info, chunk.edge)) {
    Buffer first;
    if (section != 0)
      first = sections().unpack(0, read(0), chunk.info, chunk.edge, format.section_size(0, {}).most);
    size = format.section_size(section, first);
  }
  return sections().raw(section, {read(section), chunk.info, chunk.edge, chunk.stored_bytes}, size);
}

RawSection ConstRawChunks::raw_section(std::size_t section, const StoredChunkView& chunk) const {
  return raw_section(section, chunk, [&](std::size_t wanted) {
    const space::Run run = sections().extent(wanted, chunk.info, chunk.stored_bytes);
    return chunk.bytes.subspan(run.start, run.length);
  });
}

std::vector<RawSection> ConstRawChunks::split(Bytes stored, Coordinates at,
                                              const index::ChunkLocation& location) const {
  SectionedChunk chunk{view_of(stored, info_of(location), edge(at))};
  if (const Envelope* const envelope = table_.format().envelope()) chunk = envelope->open(chunk.view);
  std::vector<RawSection> found;
  for (std::size_t i = 0; i < sections().count(); ++i) {
    found.push_back(raw_section(i, chunk.view));
    if (chunk.made.bytes.empty() || found.back().made) continue;
    found.back().made = std::make_shared<const Buffer>(found.back().bytes.begin(), found.back().bytes.end());
    found.back().bytes = *found.back().made;
  }
  return found;
}

std::vector<RawSectionFacts> ConstRawChunks::describe_split(Coordinates at,
                                                            const index::ChunkLocation& location) const {
  SectionedChunk chunk{view_of(location, {}, edge(at))};
  Buffer stored, part;
  if (const Envelope* const envelope = table_.format().envelope()) {
    read(location, stored);
    chunk = envelope->open(view_of(location, stored, edge(at)));
  }
  const StoredChunkInfo& info = chunk.view.info;
  const ChunkEdge chunk_edge = chunk.view.edge;
  const auto read_section = [&](std::size_t section) -> Bytes {
    const space::Run run = sections().extent(section, info, chunk.view.stored_bytes);
    if (!chunk.view.bytes.empty()) return chunk.view.bytes.subspan(run.start, run.length);
    part.resize(static_cast<std::size_t>(run.length));
    const io::ReadExtent extent{to_number(location.address) + run.start, part};
    table_.store().read_raw(Address{0}, std::span(&extent, 1));
    return part;
  };
  std::vector<RawSectionFacts> facts;
  for (std::size_t i = 0; i < sections().count(); ++i) {
    facts.push_back(sections().raw_facts(i, info, chunk.view.stored_bytes, chunk_edge));
    const bool readable =
        sections().decodable(0, info, chunk_edge) && sections().decodable(i, info, chunk_edge);
    if (facts[i].bytes == 0 || !readable || !sections().is_recoded(i, info, chunk_edge)) continue;
    const RawSection made = raw_section(i, chunk.view, read_section);
    facts[i].bytes = made.bytes.size();
    facts[i].filter_mask = made.filter_mask;
  }
  return facts;
}

std::vector<RawSectionFacts> ConstRawChunks::describe_sections(Coordinates at,
                                                               const index::ChunkLocation& location) const {
  std::vector<RawSectionFacts> facts;
  for (std::size_t i = 0; i < sections().count(); ++i)
    facts.push_back(sections().raw_facts(i, info_of(location), location.stored_bytes, edge(at)));
  return facts;
}

}  // namespace filigree::chunk
