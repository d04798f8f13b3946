// SPDX-License-Identifier: Apache-2.0
#include "compare.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include <filigree/error.hpp>
#include <filigree/sparse.hpp>

namespace filigree::tools {

namespace {

using Coordinates = std::vector<std::uint64_t>;

/// Defined elements of a part of a dataset, and their stored values.
struct Part {
  Selection defined;
  std::vector<std::byte> values;
};

Part read_part(const Dataset& data, const Datatype& type, const Selection& box) {
  Part part;
  part.defined = data.read_defined_elements(type, box, [&](std::size_t count) {
    part.values.resize(count * type.size());
    return part.values.data();
  });
  return part;
}

/// Compares values at equal positions.
void compare_values(const std::vector<std::byte>& a, const std::vector<std::byte>& b, std::size_t size,
                    DefinedComparison& found) {
  if (a == b) {
    found.equal_elements += a.size() / size;
    return;
  }
  for (std::size_t at = 0; at < a.size(); at += size) {
    const bool same = std::memcmp(a.data() + at, b.data() + at, size) == 0;
    ++(same ? found.equal_elements : found.different);
  }
}

void compare_part(const Dataset& a, const Dataset& b, const Datatype& type, const Selection& box,
                  DefinedComparison& found) {
  const Part in_a = read_part(a, type, box);
  const Part in_b = read_part(b, type, box);
  const std::size_t size = type.size();
  if (in_a.values.size() == in_b.values.size() && in_a.defined == in_b.defined)
    return compare_values(in_a.values, in_b.values, size, found);
  const Coordinates extent = a.space().dims();
  const Selection common = in_a.defined & in_b.defined;
  const std::uint64_t shared = common.elements(extent);
  found.only_in_a += in_a.values.size() / size - shared;
  found.only_in_b += in_b.values.size() / size - shared;
  if (shared == 0) return;
  compare_values(read_part(a, type, common).values, read_part(b, type, common).values, size, found);
}

/// Visits the chunks of both datasets, which have the same chunk dimensions.
void for_each_chunk_box(const Dataset& a, const Dataset& b, const Coordinates& chunk,
                        const std::function<void(const Selection&)>& visit) {
  const Coordinates extent = a.space().dims();
  // Files of other writers may store chunks outside of the extent.
  const auto is_inside = [&](const ChunkInfo& info) {
    return std::ranges::equal(info.offset, extent, std::less<>());
  };
  const auto visit_chunk = [&](const ChunkInfo& info) {
    if (!is_inside(info)) return true;
    Coordinates count(chunk);
    for (std::size_t d = 0; d < count.size(); ++d) count[d] = std::min(count[d], extent[d] - info.offset[d]);
    visit(Selection::box(info.offset, count));
    return true;
  };
  a.for_each_chunk(visit_chunk);
  b.for_each_chunk([&](const ChunkInfo& info) {
    return !is_inside(info) || a.find_chunk(info.offset) || visit_chunk(info);
  });
}

bool has_chunks(const DatasetInfo& info) {
  return info.layout == Layout::chunked || info.layout == Layout::structured;
}

/// Whether elements that were never written have the same bytes in both datasets, and do not depend on the
/// file.
bool has_same_fill(const Dataset& a, const DatasetInfo& in_a, const Dataset& b, const DatasetInfo& in_b) {
  const Datatype type = a.datatype();
  if (type.has_variable_parts() || !(type == b.datatype())) return false;
  const bool is_set = in_a.fill == Fill::State::value || in_b.fill == Fill::State::value;
  return in_a.sparse == in_b.sparse &&
         (!is_set || (in_a.fill == in_b.fill && a.fill_bytes() == b.fill_bytes()));
}

/// Whether no element has been written.
bool is_empty(const Dataset& data, const DatasetInfo& info) {
  const bool can_tell = info.layout == Layout::contiguous || has_chunks(info);
  return can_tell && info.external.empty() && data.stored_bytes() == 0;
}

/// Visits pieces of the extent with about `most` elements, as boxes of whole rows where possible.
void for_each_piece(const Coordinates& extent, std::uint64_t most,
                    const std::function<void(const Selection&)>& visit) {
  if (extent.empty()) return visit(Selection::all());
  if (std::ranges::find(extent, 0u) != extent.end()) return;
  Coordinates piece(extent);
  std::uint64_t below = 1;
  for (std::size_t d = extent.size(); d-- > 0;) {
    piece[d] = std::clamp<std::uint64_t>(most / below, 1, extent[d]);
    below = std::min(most, below * piece[d]);
  }
  Coordinates start(extent.size(), 0);
  while (true) {
    Coordinates count(piece);
    for (std::size_t d = 0; d < count.size(); ++d) count[d] = std::min(count[d], extent[d] - start[d]);
    visit(Selection::box(start, count));
    std::size_t d = extent.size();
    while (d-- > 0) {
      start[d] += piece[d];
      if (start[d] < extent[d]) break;
      start[d] = 0;
      if (d == 0) return;
    }
  }
}

}  // namespace

void for_each_box(const Dataset& a, const Dataset& b, const std::function<void(const Selection&)>& visit) {
  constexpr std::uint64_t most_elements = std::uint64_t{1} << 20;
  const DatasetInfo in_a = a.dataset_info(), in_b = b.dataset_info();
  // All other elements of the same sparse datasets are undefined, and those of others are the same fill
  // value.
  const bool same_elsewhere = (in_a.sparse && in_b.sparse) || has_same_fill(a, in_a, b, in_b);
  if (same_elsewhere && is_empty(a, in_a) && is_empty(b, in_b)) return;
  if (same_elsewhere && has_chunks(in_a) && has_chunks(in_b) && in_a.chunk == in_b.chunk)
    return for_each_chunk_box(a, b, in_a.chunk, visit);
  for_each_piece(a.space().dims(), most_elements, visit);
}

DefinedComparison compare_defined(const Dataset& a, const Dataset& b) {
  const Datatype type = a.datatype();
  if (!(type == b.datatype()) || a.space().dims() != b.space().dims())
    throw Error(ErrorKind::invalid_argument, "datasets of different types or shapes cannot be compared");
  if (type.has_variable_parts())
    throw Error(ErrorKind::invalid_argument, "values of variable length cannot be compared by their bytes");
  DefinedComparison found;
  if (a.space().kind() == Dataspace::Kind::null) return found;
  for_each_box(a, b, [&](const Selection& box) { compare_part(a, b, type, box, found); });
  return found;
}

}  // namespace filigree::tools
