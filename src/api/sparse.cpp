// SPDX-License-Identifier: Apache-2.0
#include <filigree/sparse.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <filigree/file.hpp>
#include <filigree/group.hpp>

#include "api/selection_access.hpp"
#include "api/sort_offsets.hpp"
#include "space/bulk.hpp"
#include "space/frame.hpp"
#include "space/run_set.hpp"

namespace filigree {
namespace {

/// Cuts a selection into parts of so many elements.
std::vector<Selection> parts_of(const Dataset& data, const Selection& selection, std::uint64_t elements) {
  const std::vector<std::uint64_t> dims = data.space().dims();
  const Selection all = selection.within(dims);
  if (all.elements() <= elements) return {all};
  std::vector<Selection> parts;
  std::vector<Selection::Run> runs;
  std::uint64_t held = 0;
  for (Selection::Run run : all.runs()) {
    while (run.length > 0) {
      const std::uint64_t length = std::min(run.length, elements - held);
      runs.push_back({run.start, length});
      held += length;
      run = {run.start + length, run.length - length};
      if (held < elements) continue;
      parts.push_back(Selection::of_runs(dims, runs));
      runs.clear();
      held = 0;
    }
  }
  if (held > 0) parts.push_back(Selection::of_runs(dims, runs));
  return parts;
}

/// A chunk: its first coordinate, and about how many elements it defines.
struct ChunkSize {
  std::uint64_t row = 0;
  double elements = 0;
};

/// The number of elements that these rows of chunks define.
std::uint64_t count_in_rows(const Dataset& data, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> count = data.space().dims(), start(count.size());
  start[0] = first;
  count[0] = std::min(count[0] - first, last - first + data.dataset_info().chunk[0]);
  return data.defined_count(Selection::box(start, count));
}

/// The chunks that a selection touches, in their order. The index does not know how many elements portable
/// chunks define: all of them together are counted, and shared out by the stored bytes.
std::vector<ChunkSize> chunk_sizes(const Dataset& data, const Selection& selection) {
  const bool portable = data.dataset_info().portable;
  const auto element_bytes = static_cast<double>(data.datatype().size());
  std::vector<ChunkSize> sizes;
  double all = 0;
  data.for_each_chunk(
      [&](const ChunkInfo& chunk) {
        auto size = static_cast<double>(portable ? chunk.stored_bytes : 0);
        for (const SectionInfo& section : chunk.sections)
          if (section.kind == SectionKind::elements)
            size += static_cast<double>(section.original_bytes) / element_bytes;
        sizes.push_back({chunk.offset[0], size});
        all += size;
        return true;
      },
      selection);
  if (!portable || sizes.empty()) return sizes;
  const std::uint64_t elements = count_in_rows(data, sizes.front().row, sizes.back().row);
  for (ChunkSize& one : sizes) one.elements *= static_cast<double>(elements) / all;
  return sizes;
}

}  // namespace

std::vector<Selection> partition_defined(const Dataset& data, const Selection& selection,
                                         std::uint64_t elements) {
  if (elements == 0) throw Error(ErrorKind::invalid_argument, "the part size must be at least one element");
  if (!data.dataset_info().sparse) return parts_of(data, selection, elements);
  const std::vector<std::uint64_t> dims = data.space().dims();
  std::vector<std::uint64_t> ends;  // of parts, along the first dimension
  double held = 0;
  std::uint64_t row = 0;
  for (const ChunkSize& chunk : chunk_sizes(data, selection)) {
    if (chunk.row != row && held >= static_cast<double>(elements)) {
      ends.push_back(chunk.row);
      held = 0;
    }
    row = chunk.row;
    held += chunk.elements;
  }
  if (ends.empty()) return {selection};
  ends.push_back(dims[0]);
  Selection wanted = selection.within(dims);
  if (wanted.kind() == Selection::Kind::points)
    wanted = Selection::of_coordinates(dims, wanted.coordinates());
  std::vector<Selection> bands;
  std::vector<std::uint64_t> start(dims.size()), count = dims;
  for (const std::uint64_t end : ends) {
    count[0] = end - start[0];
    bands.push_back(wanted & Selection::box(start, count).within(dims));
    start[0] = end;
  }
  return bands;
}

Dataset fill_element(const Dataset& data) {
  DatasetOptions options;
  options.fill = data.creation_options().fill;
  return File::create_in_memory().root().create_dataset("fill", data.datatype().stored(), Dataspace::scalar(),
                                                        options);
}

FilterChoice portable_filter(const Datatype& type, const DatasetOptions& options) {
  if (options.chunk.empty())
    throw Error(ErrorKind::invalid_argument, "the filter of portable sparse chunks needs chunk dimensions");
  DatasetOptions made = options;
  made.sparse = made.portable = true;
  // A dataset of one chunk gets the filter of all datasets with such chunks.
  const Dataset example = File::create_in_memory().root().create_dataset(
      "portable", type.stored(), Dataspace::simple(options.chunk), made);
  return example.dataset_info().filters.at(0);
}

std::vector<std::uint64_t> coordinate_offsets(const std::vector<std::uint64_t>& extent,
                                              std::span<const std::uint64_t> coordinates, std::size_t values,
                                              std::vector<std::size_t>& order) {
  auto offsets = space::to_offsets(space::points_at(space::Frame(extent), coordinates));
  if (offsets.size() != values) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} elements are selected in the dataset, {} in memory", offsets.size(), values));
  }
  return api::sort_offsets(std::move(offsets), order);
}

Selection selection_of_ascending(const std::vector<std::uint64_t>& extent,
                                 std::span<const std::uint64_t> offsets) {
  const space::Frame frame(extent);
  space::RunSetWriter writer(offsets.size());
  std::uint64_t least = 0;
  for (const std::uint64_t offset : offsets) {
    if (offset < least || offset >= frame.elements())
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("offset {} does not ascend, or is not below {}", offset, frame.elements()));
    writer.add({offset, 1});
    least = offset + 1;
  }
  return api::SelectionAccess::make(space::Selection::of_runs(frame, writer.finish()));
}

}  // namespace filigree
