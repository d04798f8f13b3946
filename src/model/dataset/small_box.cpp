// SPDX-License-Identifier: Apache-2.0
#include "model/dataset/small_box.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "chunk/table/chunk_table.hpp"
#include "model/dataset/dataset.hpp"
#include "model/dataset/small_read.hpp"
#include "model/file/file.hpp"
#include "model/heap/heap_values.hpp"
#include "space/huge_selection.hpp"
#include "space/partition.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

/// Boxes with more runs are read as others are, with one request for all of them.
constexpr std::size_t most_runs = 64;
/// Runs that are further apart are not in one block of the file.
constexpr std::uint64_t most_reach_bytes = 16u << 10;

using Coordinates = std::array<std::uint64_t, space::max_rank>;

/// The runs of a box in a frame, in ascending order.
class BoxRuns {
 public:
  /// Requires: the box is within the frame, and not empty.
  BoxRuns(const space::Frame& frame, const SmallBox& box) : frame_(frame), box_(box) {
    outer_ = frame.rank();
    // Dimensions that are covered completely continue the runs of the dimension before.
    while (outer_ > 0 && (outer_ == frame.rank() || box.count[outer_] == frame.dims()[outer_])) --outer_;
    if (frame.rank() > 0) length_ = box.count[outer_] * frame.step(outer_);
    for (std::size_t d = 0; d < outer_; ++d) count_ *= box.count[d];
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t length() const { return length_; }

  /// Calls `visit(offset)` for each run; a visit that returns false ends it.
  template <class Visit>
  bool for_each(Visit visit) const {
    Coordinates at{};
    std::uint64_t offset = frame_.offset(box_.start);
    for (;;) {
      if (!visit(offset)) return false;
      std::size_t d = outer_;
      for (; d > 0; --d) {
        offset += frame_.step(d - 1);
        if (++at[d - 1] < box_.count[d - 1]) break;
        offset -= box_.count[d - 1] * frame_.step(d - 1);
        at[d - 1] = 0;
      }
      if (d == 0) return true;
    }
  }

 private:
  const space::Frame& frame_;
  const SmallBox& box_;
  std::size_t outer_;  ///< dimensions that separate runs
  std::uint64_t length_ = 1, count_ = 1;
};

/// The number of elements of a box, or nothing unless it is within the extent, not empty and small.
std::optional<std::uint64_t> count_small(const SmallBoxRead& read, const SmallBox& box) {
  const std::vector<std::uint64_t>& dims = read.extent.dims();
  const std::uint64_t most =
      SmallConversion::most_bytes / std::max<std::uint64_t>(read.memory_bytes, read.messages->type.size);
  if (box.start.size() != dims.size() || box.count.size() != dims.size()) return std::nullopt;
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (box.start[d] >= dims[d] || box.count[d] > dims[d] - box.start[d]) return std::nullopt;
    if (box.count[d] == 0 || box.count[d] > most) return std::nullopt;
    elements *= box.count[d];
    if (elements > most) return std::nullopt;
  }
  return elements;
}

/// Elements that are stored as one sequence of bytes.
bool read_flat(const Dataset& dataset, const SmallBoxRead& read, const SmallBox& box, std::uint64_t elements,
               std::byte* memory) {
  const BoxRuns runs(read.extent, box);
  const std::uint64_t size = read.messages->type.size, run_bytes = runs.length() * size;
  std::uint64_t reach = runs.length();
  for (std::size_t d = 0; d < box.count.size(); ++d) reach += (box.count[d] - 1) * read.extent.step(d);
  if (runs.count() > most_runs || (runs.count() > 1 && reach * size > most_reach_bytes)) return false;
  const bool copies = read.conversion->traits().copies;
  std::array<std::byte, SmallConversion::most_bytes> converted;
  std::byte* at = copies ? memory : converted.data();
  const bool found = runs.for_each([&](std::uint64_t offset) {
    const MutableBytes into(at, run_bytes);
    at += run_bytes;
    if (is_valid(read.stored->address))
      return dataset.file().store().read_small(read.stored->address + offset * size, into);
    std::memcpy(into.data(), read.stored->in_header.data() + offset * size, run_bytes);
    return true;
  });
  if (found && !copies)
    read.conversion->apply({converted.data(), size, memory, read.memory_bytes, elements}, {});
  return found;
}

/// The chunk that has all of a box, and the box in it; nothing for a box in several chunks.
struct BoxInChunk {
  Coordinates chunk{}, start{};

  static std::optional<BoxInChunk> find(const space::ChunkGrid& grid, const SmallBox& box) {
    BoxInChunk found;
    for (std::size_t d = 0; d < box.start.size(); ++d) {
      const std::uint64_t length = grid.chunk().dims()[d];
      found.chunk[d] = box.start[d] / length;
      found.start[d] = box.start[d] % length;
      if (found.start[d] + box.count[d] > length) return std::nullopt;
    }
    return found;
  }
};

/// Elements of a chunk that is in the cache.
bool read_cached(const Dataset& dataset, const SmallBoxRead& read, const SmallBox& box, std::byte* memory) {
  const auto table = dataset.layout().open_chunks(dataset);
  if (table->has_members() || table->geometry().is_huge()) return false;
  const std::size_t rank = box.start.size();
  const auto inside = BoxInChunk::find(table->grid(), box);
  if (!inside) return false;
  const SmallBox part{std::span(inside->start).first(rank), box.count};
  const BoxRuns runs(table->grid().chunk(), part);
  if (runs.count() > most_runs) return false;
  const std::uint64_t chunk = table->grid().chunks().offset(std::span(inside->chunk).first(rank));
  const auto found = table->cache().find_held(table->cache_owner(), {&chunk, 1});
  if (!found[0]) return false;
  if (table->traits().format.slow_to_decode) table->prefetcher().note_hits({&chunk, 1});
  std::array<space::ChunkRun, most_runs> list;
  std::size_t count = 0;
  runs.for_each([&](std::uint64_t offset) {
    list[count] = {chunk, offset, count * runs.length(), runs.length()};
    return ++count > 0;
  });
  const type::Context context;
  table->format().read(*found[0], std::span(list).first(count),
                       {*read.conversion, context, memory, read.memory_bytes});
  return true;
}

}  // namespace

SmallBoxRead prepare_small_boxes(const Dataset& dataset, const format::DatatypeMessage& memory_type) {
  SmallBoxRead read;
  read.messages = load_messages(dataset.file(), dataset.header());
  const DatasetMessages& messages = *read.messages;
  if (dataset.file().parallel() || dataset.file().store().accepts_selections()) return read;
  const bool has_extent = messages.space.kind != format::DataspaceKind::null &&
                          !layout_of(messages).computes_extent() && !space::is_huge(messages.space.dims);
  if (!has_extent || messages.type.size == 0) return read;
  read.stored = layout_of(messages).stored_elements(messages);
  if (!read.stored && !messages.layout.in_chunks()) return read;
  if (has_heap_values(messages.type) || has_references(messages.type)) return read;
  auto conversion = type::prepare(messages.type, memory_type, type::Rules::hdf5);
  if (conversion->traits().uses_files) return read;
  read.conversion = std::move(conversion);
  read.memory_bytes = memory_type.size;
  read.extent = space::Frame(messages.space.dims);
  return read;
}

bool read_small_box(const Dataset& dataset, const SmallBoxRead& read, const SmallBox& box,
                    std::byte* memory) {
  if (read.conversion == nullptr) return false;
  const auto elements = count_small(read, box);
  if (!elements) return false;
  return read.stored ? read_flat(dataset, read, box, *elements, memory)
                     : read_cached(dataset, read, box, memory);
}

}  // namespace filigree::model
