// SPDX-License-Identifier: Apache-2.0
#include <filigree/sparse.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <filigree/file.hpp>
#include <filigree/group.hpp>

#include "api/selection_access.hpp"
#include "api/sort_offsets.hpp"
#include "space/bulk.hpp"
#include "space/cursor.hpp"
#include "space/frame.hpp"
#include "space/run_set.hpp"

namespace filigree {
namespace {

using VisitPart = std::function<bool(const Selection&)>;

/// The elements as a set, because parts are in row-major order.
Selection set_within(const Selection& selection, const std::vector<std::uint64_t>& dims) {
  const Selection all = selection.within(dims);
  if (all.kind() != Selection::Kind::points) return all;
  return Selection::of_coordinates(dims, all.coordinates());
}

/// Collects elements, and visits them in parts of one size.
class PartWriter {
 public:
  PartWriter(const space::Frame& frame, std::uint64_t elements, const VisitPart& visit)
      : frame_(frame), elements_(elements), visit_(visit) {}

  /// Adds a run after those before. Returns false if a visit did.
  bool add(space::Run run) {
    while (run.length > 0) {
      const std::uint64_t length = std::min(run.length, elements_ - held_);
      part_.add({run.start, length});
      held_ += length;
      run = {run.start + length, run.length - length};
      if (held_ == elements_ && !finish()) return false;
    }
    return true;
  }
  /// Visits what is left.
  bool finish() {
    if (held_ == 0) return true;
    held_ = 0;
    return visit_(api::SelectionAccess::make(space::Selection::of_runs(frame_, part_.finish())));
  }

 private:
  const space::Frame& frame_;
  const std::uint64_t elements_;
  const VisitPart& visit_;
  space::RunSetWriter part_{16};
  std::uint64_t held_ = 0;  ///< elements of part_
};

/// Cuts a selection into parts of so many elements.
bool for_each_part(const Dataset& data, const Selection& selection, std::uint64_t elements,
                   const VisitPart& visit) {
  const std::vector<std::uint64_t> dims = data.space().dims();
  const Selection all = selection.within(dims);
  if (all.elements() <= elements) return visit(all);
  const space::Selection set = api::to_space(set_within(all, dims), dims);
  PartWriter parts(set.frame(), elements, visit);
  // The runs of a hyperslab are computed as they are needed.
  for (space::Cursor cursor(set); !cursor.done();) {
    const space::RunPattern runs = cursor.pattern();
    for (std::uint64_t i = 0; i < runs.count; ++i)
      if (!parts.add({runs.start + i * runs.stride, runs.length})) return false;
    cursor.advance(runs.count * runs.length);
  }
  return parts.finish();
}

/// Chunks with one first coordinate, and about how many elements they define.
struct ChunkRow {
  std::uint64_t start = 0;
  double elements = 0;
};

/// The number of elements that these rows of chunks define.
std::uint64_t count_in_rows(const Dataset& data, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> count = data.space().dims(), start(count.size());
  start[0] = first;
  count[0] = std::min(count[0] - first, last - first + data.dataset_info().chunk[0]);
  return data.defined_count(Selection::box(start, count));
}

/// About how many elements a chunk defines; of portable chunks, the stored bytes.
double chunk_size(const ChunkInfo& chunk, bool portable, double element_bytes) {
  if (portable) return static_cast<double>(chunk.stored_bytes);
  double size = 0;
  for (const SectionInfo& section : chunk.sections)
    if (section.kind == SectionKind::elements)
      size += static_cast<double>(section.original_bytes) / element_bytes;
  return size;
}

/// The rows of chunks that a selection touches, in their order. The index does not know how many elements
/// portable chunks define: all of them together are counted, and shared out by the stored bytes.
std::vector<ChunkRow> chunk_rows(const Dataset& data, const Selection& selection) {
  const bool portable = data.dataset_info().portable;
  const auto element_bytes = static_cast<double>(data.datatype().size());
  const std::vector<std::uint64_t> dims = data.space().dims();
  std::vector<ChunkRow> rows;
  double all = 0;
  data.for_each_chunk(
      [&](const ChunkInfo& chunk) {
        // Files of other writers may store chunks outside of the extent.
        if (!std::ranges::equal(chunk.offset, dims, std::less<>())) return true;
        const double size = chunk_size(chunk, portable, element_bytes);
        if (rows.empty() || rows.back().start != chunk.offset[0]) rows.push_back({chunk.offset[0], 0});
        rows.back().elements += size;
        all += size;
        return true;
      },
      selection);
  if (!portable || rows.empty()) return rows;
  const std::uint64_t elements = count_in_rows(data, rows.front().start, rows.back().start);
  for (ChunkRow& row : rows) row.elements *= static_cast<double>(elements) / all;
  return rows;
}

/// The ends of parts along the first dimension, except the last one.
std::vector<std::uint64_t> part_ends(const std::vector<ChunkRow>& rows, std::uint64_t elements) {
  std::vector<std::uint64_t> ends;
  double held = 0;
  for (const ChunkRow& row : rows) {
    if (held >= static_cast<double>(elements)) {
      ends.push_back(row.start);
      held = 0;
    }
    held += row.elements;
  }
  return ends;
}

}  // namespace

bool for_each_defined_part(const Dataset& data, const Selection& selection, std::uint64_t elements,
                           const std::function<bool(const Selection&)>& visit) {
  if (elements == 0) throw Error(ErrorKind::invalid_argument, "the part size must be at least one element");
  if (!data.dataset_info().sparse) return for_each_part(data, selection, elements, visit);
  const std::vector<std::uint64_t> dims = data.space().dims();
  std::vector<std::uint64_t> ends = part_ends(chunk_rows(data, selection), elements);
  if (ends.empty()) return visit(selection);
  ends.push_back(dims[0]);
  const Selection wanted = set_within(selection, dims);
  std::vector<std::uint64_t> start(dims.size()), count = dims;
  for (const std::uint64_t end : ends) {
    count[0] = end - start[0];
    if (!visit(wanted & Selection::box(start, count).within(dims))) return false;
    start[0] = end;
  }
  return true;
}

std::vector<Selection> partition_defined(const Dataset& data, const Selection& selection,
                                         std::uint64_t elements) {
  std::vector<Selection> parts;
  for_each_defined_part(data, selection, elements, [&](const Selection& part) {
    parts.push_back(part);
    return true;
  });
  return parts;
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
