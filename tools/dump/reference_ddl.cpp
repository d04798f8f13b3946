// SPDX-License-Identifier: Apache-2.0
//
// References to objects print the elements of their targets, which may be references again.
#include "reference_ddl.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../text.hpp"
#include "coordinate_lines.hpp"
#include "data_ddl.hpp"

namespace filigree::tools {

namespace {

/// A damaged region may have so many that no memory holds them.
constexpr std::uint64_t most_blocks = 1'000'000;

/// Merges blocks that touch: they are one block.
Selection::Range merged(Selection::Range range) {
  if (range.count > 0 && range.stride == range.block) return {range.start, 1, 1, range.count * range.block};
  return range;
}

std::vector<Selection::Box> blocks_of(const std::vector<Selection::Range>& all) {
  std::uint64_t blocks = 1;
  for (const Selection::Range& range : all) {
    blocks = range.count > most_blocks ? most_blocks + 1 : blocks * range.count;
    if (blocks > most_blocks)
      throw Error(ErrorKind::limit,
                  fmt::format("a region of more than {} blocks is not printed", most_blocks));
  }
  std::vector<Selection::Box> boxes;
  Selection::Dims index(all.size(), 0);
  for (;;) {
    Selection::Box box;
    for (std::size_t d = 0; d < all.size(); ++d) {
      box.low.push_back(all[d].start + index[d] * all[d].stride);
      box.high.push_back(box.low.back() + all[d].block - 1);
    }
    boxes.push_back(std::move(box));
    std::size_t d = all.size();
    while (d > 0 && ++index[d - 1] == all[d - 1].count) index[--d] = 0;
    if (d == 0) return boxes;
  }
}

/// Blocks, or each point as a block of one element.
std::vector<Selection::Box> pieces_of(const Region& region) {
  const std::vector<std::uint64_t> extent = region.dataset.space().dims();
  if (region.selection.kind() != Selection::Kind::points) return tools::boxes_of(region.selection, extent);
  const Selection::Dims all = region.selection.coordinates();
  std::vector<Selection::Box> pieces;
  for (auto at = all.begin(); at != all.end(); at += static_cast<std::ptrdiff_t>(extent.size())) {
    const Selection::Dims point(at, at + static_cast<std::ptrdiff_t>(extent.size()));
    pieces.push_back({point, point});
  }
  return pieces;
}

}  // namespace

std::vector<Selection::Box> boxes_of(const Selection& selection, const std::vector<std::uint64_t>& extent) {
  if (selection.kind() == Selection::Kind::all) return blocks_of(all_of(extent));
  if (selection.elements(extent) == 0) return {};
  if (auto ranges = selection.regular()) {
    std::ranges::transform(*ranges, ranges->begin(), merged);
    return blocks_of(*ranges);
  }
  return selection.boxes();
}

std::vector<Selection::Range> ranges_of(const Selection::Box& box) {
  std::vector<Selection::Range> ranges;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    ranges.push_back({box.low[d], 1, box.high[d] - box.low[d] + 1, 1});
  return ranges;
}

std::string corner_text(std::span<const std::uint64_t> corner) {
  return fmt::format("({})", fmt::join(corner, ","));
}

std::string box_text(const Selection::Box& box) { return corner_text(box.low) + "-" + corner_text(box.high); }

void ReferenceDump::line(std::string_view text) const {
  context_.out.put("\n" + context_.out.indent());
  context_.out.put(text);
}

void ReferenceDump::add(const Elements& elements) {
  context_.out.deeper();
  for (std::size_t i = 0; i < elements.size(); ++i, ++count_) {
    const std::byte* const element = elements.at(i);
    if (is_null_reference(type_, element)) {
      line("NULL");
    } else if (const auto object = referenced_object(type_, element)) {
      add_object(*object);
    } else {
      add_region(element);
    }
  }
  context_.out.higher();
}

void ReferenceDump::add_object(std::uint64_t address) {
  line(object_reference_ddl(context_.paths, address));
  context_.out.deeper();
  line("DATA {");
  const Object target = context_.file.open_object(ObjectReference{address});
  if (target.kind() == ObjectKind::dataset) {
    const Dataset data(target);
    dump_data_body(context_, data, all_of(data.space().dims()));
  }
  line("}");
  context_.out.higher();
}

void ReferenceDump::add_region(const std::byte* element) {
  const Region region = referenced_region(context_.file, type_, element);
  const Dataspace space = region.dataset.space();
  const bool is_points = region.selection.kind() == Selection::Kind::points;
  // h5dump writes one space more before the brace of blocks, and behind the first reference.
  line(fmt::format("DATASET \"{}\"{}{}{{",
                   printable(context_.paths.find(region.dataset.address()).value_or("")),
                   is_points ? "" : " ", count_ > 0 ? " " : ""));
  context_.out.deeper();
  constexpr std::size_t columns = 80;  // as h5dump, whatever the width of other lines
  CoordinateLines lines(context_.out, columns);
  if (is_points) {
    lines.begin("REGION_TYPE POINT  ");
    const Selection::Dims all = region.selection.coordinates();
    const std::size_t rank = space.dims().size();
    for (std::size_t i = 0; i + rank <= all.size() && rank > 0; i += rank)
      lines.add(corner_text({all.data() + i, rank}), i + rank == all.size());
  } else {
    lines.begin("REGION_TYPE BLOCK  ");
    const auto boxes = boxes_of(region.selection, space.dims());
    for (const Selection::Box& box : boxes) lines.add(box_text(box), &box == &boxes.back());
  }
  line("DATATYPE  " + type_or_name_ddl(context_, region.dataset.datatype()));
  line("DATASPACE  " + space_ddl(space));
  if (context_.options.regions) add_region_data(region);
  context_.out.higher();
  line("}");
}

void ReferenceDump::add_region_data(const Region& region) const {
  line("DATA {");
  LineStyle style = context_.lines;
  style.without_indices = style.is_region = true;
  std::vector<Lattice> pieces;
  for (const Selection::Box& box : pieces_of(region)) pieces.emplace_back(ranges_of(box));
  dump_elements(context_, region.dataset, pieces, style);
  line("}");
}

}  // namespace filigree::tools
