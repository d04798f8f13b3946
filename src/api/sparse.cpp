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

}  // namespace

std::vector<Selection> partition_defined(const Dataset& data, const Selection& selection,
                                         std::uint64_t elements) {
  if (elements == 0) throw Error(ErrorKind::invalid_argument, "the part size must be at least one element");
  if (!data.dataset_info().sparse) return parts_of(data, selection, elements);
  const std::vector<std::uint64_t> dims = data.space().dims();
  const std::uint64_t element_bytes = data.datatype().size();
  std::vector<std::uint64_t> ends;  // of parts, along the first dimension
  std::uint64_t held = 0, row = 0;
  data.for_each_chunk(
      [&](const ChunkInfo& chunk) {
        if (chunk.offset[0] != row && held >= elements) {
          ends.push_back(chunk.offset[0]);
          held = 0;
        }
        row = chunk.offset[0];
        for (const SectionInfo& section : chunk.sections)
          if (section.kind == SectionKind::elements) held += section.original_bytes / element_bytes;
        return true;
      },
      selection);
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
