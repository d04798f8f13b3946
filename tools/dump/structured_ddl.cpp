// SPDX-License-Identifier: Apache-2.0
//
// Defined elements are looked at twice, in parts of bounded size: for blocks, then for single elements. A
// block that crosses the border of two parts is printed as two.
#include "structured_ddl.hpp"

#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/sparse.hpp>

#include "../sections.hpp"
#include "../values.hpp"
#include "coordinate_lines.hpp"
#include "data_ddl.hpp"
#include "property_ddl.hpp"
#include "reference_ddl.hpp"

namespace filigree::tools {

namespace {

constexpr std::uint64_t part_elements = std::uint64_t{1} << 20;

const char* section_ddl(SectionKind kind, bool sparse) {
  switch (kind) {
    case SectionKind::selection:
      return "SPARSE_SELECTION";
    case SectionKind::elements:
      return sparse ? "SPARSE_FIXED_DATA" : "FIXED_DATA";
    case SectionKind::heap:
      return sparse ? "SPARSE_VL" : "VL_DATA";
  }
  return "UNKNOWN";
}

/// Visits boxes of defined elements; `single` chooses those of one element or the others.
void for_each_box(const std::vector<Selection>& parts, const Dataset& data, bool single,
                  const std::function<void(const Selection::Box&)>& visit) {
  const std::vector<std::uint64_t> extent = data.space().dims();
  for (const Selection& part : parts) {
    const Selection defined = data.defined(part).within(extent);
    if (defined.elements() == 0) continue;
    for (const Selection::Box& box : defined.boxes())
      if ((box.low == box.high) == single) visit(box);
  }
}

/// Calls `visit` with an item and whether it is the last one.
class OneBehind {
 public:
  explicit OneBehind(std::function<void(const Selection::Box&, bool)> visit) : visit_(std::move(visit)) {}
  void add(const Selection::Box& box) {
    if (held_) visit_(*held_, false);
    held_ = box;
  }
  void finish() const {
    if (held_) visit_(*held_, true);
  }
  bool is_empty() const { return !held_; }

 private:
  std::function<void(const Selection::Box&, bool)> visit_;
  std::optional<Selection::Box> held_;
};

void dump_locations(DumpContext& context, const Dataset& data, const std::vector<Selection>& parts) {
  for (const bool single : {false, true}) {
    CoordinateLines lines(context.out, context.lines.columns);
    OneBehind boxes([&](const Selection::Box& box, bool last) {
      lines.add(single ? corner_text(box.low) : box_text(box), last);
    });
    for_each_box(parts, data, single, [&](const Selection::Box& box) {
      if (boxes.is_empty()) lines.begin(fmt::format("DEFINED_SPARSE_DATA {} ", single ? "POINT" : "BLOCK"));
      boxes.add(box);
    });
    boxes.finish();
  }
}

void put_line(const DumpContext& context, const std::string& text) {
  context.out.put("\n" + context.out.indent() + text);
}

/// Writes single elements, one on each line.
void dump_points(DumpContext& context, const Dataset& data, const std::vector<Selection>& parts) {
  const ElementText text(memory_type(data.datatype()), context.elements, context.paths);
  LineStyle style = context.lines;
  style.one_per_line = true;
  std::uint64_t total = 0;
  for_each_box(parts, data, true, [&](const Selection::Box&) { ++total; });
  if (total == 0) return;
  ElementLines lines(context.out, style, total);
  put_line(context, "DEFINED_SPARSE_DATA POINT {");
  for (const Selection& part : parts) {
    Selection::Dims points;
    for_each_box({part}, data, true, [&](const Selection::Box& box) {
      points.insert(points.end(), box.low.begin(), box.low.end());
    });
    if (points.empty()) continue;
    const Elements found(data, Selection::of_coordinates(data.space().dims(), points));
    const std::size_t rank = points.size() / found.size();
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::string element;
      text.append(element, found.at(i), context.out.level() + 1);
      lines.add(element, {points.data() + i * rank, rank});
    }
  }
  lines.finish();
  put_line(context, "}");
}

void dump_values(DumpContext& context, const Dataset& data, const std::vector<Selection>& parts) {
  for_each_box(parts, data, false, [&](const Selection::Box& box) {
    put_line(context, fmt::format("DEFINED_SPARSE_DATA BLOCK {} {{", box_text(box)));
    dump_elements(context, data, {Lattice(ranges_of(box))}, context.lines);
    put_line(context, "}");
  });
  dump_points(context, data, parts);
}

}  // namespace

void dump_structured_layout(DumpContext& context, const Dataset& data, const DatasetInfo& info) {
  context.out.open(fmt::format("STRUCTURED_CHUNK ( {} ) {{", fmt::join(info.chunk, ", ")));
  context.out.line(info.sparse ? "SPARSE_CHUNK" : "VL_CHUNK");
  const std::vector<SectionKind> kinds = section_kinds(info);
  std::vector<SectionSizes> sizes = section_sizes(data, info);
  sizes.resize(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto& filters = section_filters(info, kinds[i]);
    context.out.open(fmt::format("SECTION {} {} {{", i, section_ddl(kinds[i], info.sparse)));
    context.out.line(size_ddl(sizes[i].stored_bytes, sizes[i].original_bytes, !filters.empty()));
    dump_filters(context, filters);
    context.out.close();
  }
  context.out.close();
}

void dump_defined(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges) {
  context.out.put(context.out.indent() + "DATA {");
  context.attempt(data.path(), [&] {
    context.out.deeper();
    const Selection selection = ranges.empty() ? Selection::all() : Selection::blocks(ranges);
    const std::vector<Selection> parts = partition_defined(data, selection, part_elements);
    if (context.options.sparse_data)
      dump_values(context, data, parts);
    else
      dump_locations(context, data, parts);
    context.out.higher();
  });
  context.out.put("\n" + context.out.indent() + "}\n");
}

}  // namespace filigree::tools
