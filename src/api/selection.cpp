// SPDX-License-Identifier: Apache-2.0
#include <filigree/selection.hpp>

#include <algorithm>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/checked.hpp"
#include "space/blocks.hpp"
#include "space/bulk.hpp"
#include "space/selection_builder.hpp"

namespace filigree {

using Dims = Selection::Dims;
using Range = Selection::Range;

/// Ranges without an extent, or a selection in an extent. An empty list of ranges selects nothing.
struct Selection::Impl {
  struct Nothing {};
  /// In an extent of 2^64 elements or more.
  struct Huge {
    space::HugeSelection selection;
    Dims extent;
  };
  std::variant<Nothing, std::vector<Range>, space::Selection, Huge> form;
};

namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::invalid_argument, why); }

void require_rank(std::size_t given, std::size_t wanted, const char* what) {
  if (given != wanted) refuse(fmt::format("{} {} for {} dimensions", given, what, wanted));
}

std::vector<space::SlabDimension> to_slab(const std::vector<Range>& ranges) {
  std::vector<space::SlabDimension> dims;
  for (const Range& r : ranges) dims.push_back({r.start, r.stride, r.count, r.block});
  return dims;
}

std::vector<Range> to_ranges(const std::vector<space::SlabDimension>& dims) {
  std::vector<Range> ranges;
  for (const space::SlabDimension& d : dims) ranges.push_back({d.start, d.stride, d.count, d.block});
  return ranges;
}

/// Returns the smallest extent that contains the ranges.
Dims ends_of(const std::vector<Range>& ranges) {
  constexpr const char* end = "the end of a selection";
  std::vector<std::uint64_t> dims;
  for (const Range& r : ranges) {
    const bool empty = r.count == 0 || r.block == 0;
    const std::uint64_t along = empty ? 0 : checked_multiply(r.count - 1, r.stride, end);
    dims.push_back(empty ? 0 : checked_add(checked_add(r.start, along, end), r.block, end));
  }
  return dims;
}

/// Throws: Error(invalid_argument), naming the item, for coordinates outside of the extent.
space::HugeSelection checked_points(const Dims& extent, std::span<const std::uint64_t> coordinates) {
  if (coordinates.size() % extent.size() != 0)
    refuse(fmt::format("{} coordinates for {} dimensions", coordinates.size(), extent.size()));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i] >= extent[i % extent.size()])
      refuse(fmt::format("item {} of a list has the coordinate {} in dimension {}, which has {} elements",
                         i / extent.size(), coordinates[i], i % extent.size(), extent[i % extent.size()]));
  }
  return space::HugeSelection::points(extent.size(), {coordinates.begin(), coordinates.end()});
}

/// Returns the set of these elements.
Selection huge_set(const Dims& extent, std::span<const std::uint64_t> coordinates) {
  const auto points = checked_points(extent, coordinates);
  return api::SelectionAccess::make(
      space::HugeSelection::boxes(extent.size(), points.block_list(0, points.block_count())), extent);
}

}  // namespace

class api::SelectionAccess::Forms {
 public:
  static const std::vector<Range>* ranges(const Selection& s) {
    return s.impl_ ? std::get_if<std::vector<Range>>(&s.impl_->form) : nullptr;
  }
  static const space::Selection* bound(const Selection& s) {
    return s.impl_ ? std::get_if<space::Selection>(&s.impl_->form) : nullptr;
  }
  static const Selection::Impl::Huge* huge(const Selection& s) {
    return s.impl_ ? std::get_if<Selection::Impl::Huge>(&s.impl_->form) : nullptr;
  }
  /// Returns the selection by coordinates if its extent, or that of its ranges, has 2^64 elements or more.
  static std::optional<space::HugeSelection> by_coordinates(const Selection& s) {
    if (const auto* held = huge(s)) return held->selection;
    const auto* list = ranges(s);
    return list != nullptr && space::is_huge(ends_of(*list))
               ? std::optional(space::HugeSelection::regular(to_slab(*list)))
               : std::nullopt;
  }
  /// Returns the extent of a result in which both operands fit.
  static Dims joined_extent(const Selection& a, const Selection& b) {
    Dims dims = extent_of(a), other = extent_of(b);
    for (std::size_t d = 0; d < std::min(dims.size(), other.size()); ++d)
      dims[d] = std::max(dims[d], other[d]);
    return dims;
  }
  static Dims extent_of(const Selection& s) {
    if (const auto extent = s.extent()) return *extent;
    const auto* list = ranges(s);
    return list == nullptr ? Dims{} : ends_of(*list);
  }
  /// Returns the selection in its own extent, or in that of its ranges.
  static space::Selection settled(const Selection& s) {
    if (huge(s) != nullptr)
      throw Error(ErrorKind::limit, "elements of an extent of 2^64 elements or more have no linear offsets");
    if (const auto* selection = bound(s)) return *selection;
    const auto* list = ranges(s);
    if (list == nullptr)
      refuse("a selection of everything or nothing has no extent; give it one with within()");
    return space::Selection::regular(space::Frame(ends_of(*list)), to_slab(*list));
  }
  /// Combines two selections. One without an extent takes that of the other.
  static Selection combine(const Selection& a, space::SetOperator op, const Selection& b) {
    const auto lacks = [](const Selection& s) {
      return bound(s) == nullptr && ranges(s) == nullptr && huge(s) == nullptr;
    };
    if (lacks(a) && lacks(b)) refuse("two selections without extent cannot be combined");
    const Dims extent = joined_extent(a, b);
    if (space::is_huge(extent))
      return make(space::combine(to_huge(a, extent), op, to_huge(b, extent)), extent);
    if (lacks(a)) return make(space::combine(to_space(a, settled(b).frame().dims()), op, settled(b)));
    if (lacks(b)) return make(space::combine(settled(a), op, to_space(b, settled(a).frame().dims())));
    return make(space::combine(settled(a), op, settled(b)));
  }
};

using Forms = api::SelectionAccess::Forms;

Selection api::SelectionAccess::make(space::Selection selection) {
  Selection made;
  made.impl_ = std::make_shared<const Selection::Impl>(Selection::Impl{std::move(selection)});
  return made;
}

Selection api::SelectionAccess::make(space::HugeSelection selection, Dims extent) {
  Selection made;
  made.impl_ = std::make_shared<const Selection::Impl>(
      Selection::Impl{Selection::Impl::Huge{std::move(selection), std::move(extent)}});
  return made;
}

space::HugeSelection api::to_huge(const Selection& selection, const Dims& extent) {
  const auto made = [&] {
    if (selection.is_all())
      throw Error(ErrorKind::limit,
                  "all elements of an extent of 2^64 elements or more cannot be selected; select a part");
    if (const auto* held = Forms::huge(selection)) return held->selection;
    if (const auto* bound = Forms::bound(selection)) return space::HugeSelection::of(*bound);
    if (const auto* ranges = Forms::ranges(selection)) return space::HugeSelection::regular(to_slab(*ranges));
    return space::HugeSelection::none(extent.size());
  }();
  if (made.rank() != extent.size() || !made.is_within(extent))
    refuse(fmt::format("the selection exceeds the extent, which is ({})", fmt::join(extent, ", ")));
  return made;
}

space::Selection api::to_space(const Selection& selection, const Dims& extent) {
  space::Frame frame(extent);
  if (selection.kind() == Selection::Kind::all && !selection.extent())
    return space::Selection::all(std::move(frame));
  if (Forms::huge(selection) != nullptr)
    refuse("the selection belongs to an extent of 2^64 elements or more");
  if (const auto* bound = Forms::bound(selection)) return bound->reframed(frame);
  if (const auto* ranges = Forms::ranges(selection))
    return space::Selection::regular(std::move(frame), to_slab(*ranges));
  return space::Selection::none(std::move(frame));
}

model::MappedElements api::to_mapped(const Selection& selection) {
  model::MappedElements elements;
  const auto* ranges = Forms::ranges(selection);
  if (ranges != nullptr && space::UnlimitedSlab::needed(to_slab(*ranges))) {
    elements.unlimited.emplace(to_slab(*ranges));
  } else if (selection.kind() == Selection::Kind::none && !selection.extent()) {
    elements.fixed = space::Selection::none(space::Frame());
  } else if (!selection.is_all() || selection.extent()) {
    elements.fixed = Forms::settled(selection);
  }
  return elements;
}

Selection api::from_mapped(const model::MappedElements& elements) {
  if (elements.all()) return Selection::all();
  if (elements.unlimited) return Selection::blocks(to_ranges(elements.unlimited->dims()));
  if (elements.fixed->kind() == space::Selection::Kind::none) return Selection::none();
  return SelectionAccess::make(*elements.fixed);
}

Selection Selection::none() {
  Selection selection;
  selection.impl_ = std::make_shared<const Impl>();
  return selection;
}

Selection Selection::box(Dims start, Dims count) {
  require_rank(count.size(), start.size(), "counts");
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < start.size(); ++i) ranges.push_back({start[i], 1, count[i], 1});
  return blocks(std::move(ranges));
}

Selection Selection::strided(Dims start, Dims stride, Dims count) {
  require_rank(stride.size(), start.size(), "strides");
  require_rank(count.size(), start.size(), "counts");
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < start.size(); ++i) ranges.push_back({start[i], stride[i], count[i], 1});
  return blocks(std::move(ranges));
}

Selection Selection::blocks(std::vector<Range> ranges) {
  Selection selection;
  selection.impl_ = std::make_shared<const Impl>(Impl{std::move(ranges)});
  return selection;
}

Selection Selection::of_coordinates(const Dims& extent, std::span<const std::uint64_t> coordinates) {
  if (space::is_huge(extent)) return huge_set(extent, coordinates);
  return api::SelectionAccess::make(space::from_coordinates(space::Frame(extent), coordinates));
}

Selection Selection::of_columns(const Dims& extent, std::span<const std::span<const std::uint64_t>> columns) {
  if (space::is_huge(extent)) {
    require_rank(columns.size(), extent.size(), "columns");
    Dims coordinates;
    for (std::size_t i = 0; i < columns[0].size(); ++i)
      for (const auto& column : columns) coordinates.push_back(column[i]);
    return huge_set(extent, coordinates);
  }
  return api::SelectionAccess::make(space::from_columns(space::Frame(extent), columns));
}

Selection Selection::of_offsets(const Dims& extent, std::span<const std::uint64_t> offsets) {
  return api::SelectionAccess::make(space::from_offsets(space::Frame(extent), offsets));
}

Selection Selection::of_mask(const Dims& extent, std::span<const std::uint8_t> mask) {
  return api::SelectionAccess::make(space::from_mask(space::Frame(extent), mask));
}

Selection Selection::of_bitmap(const Dims& extent, std::span<const std::uint8_t> bits) {
  return api::SelectionAccess::make(space::from_bitmap(space::Frame(extent), bits));
}

Selection Selection::of_boxes(const Dims& extent, std::span<const Box> boxes) {
  std::vector<space::Bounds> bounds;
  for (const Box& box : boxes) bounds.push_back({box.low, box.high});
  if (space::is_huge(extent)) {
    Dims corners;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const auto& [low, high] = bounds[i];
      const bool fits = low.size() == extent.size() && std::ranges::equal(low, high, std::less_equal<>()) &&
                        std::ranges::equal(high, extent, std::less<>());
      if (!fits) refuse(fmt::format("box {} of a list is no box of the extent", i));
      corners.insert(corners.end(), low.begin(), low.end());
      corners.insert(corners.end(), high.begin(), high.end());
    }
    return api::SelectionAccess::make(space::HugeSelection::boxes(extent.size(), corners), extent);
  }
  return api::SelectionAccess::make(space::from_boxes(space::Frame(extent), bounds));
}

Selection Selection::of_runs(const Dims& extent, std::span<const Run> runs) {
  const auto made = [&](space::RunSet set) {
    return api::SelectionAccess::make(space::Selection::of_runs(space::Frame(extent), std::move(set)));
  };
  space::RunSetWriter writer(runs.size());
  std::uint64_t end = 0;
  const auto follows = [&](const Run& run) {
    if (run.start < end || run.length == 0 || run.length > ~std::uint64_t{0} - run.start) return false;
    end = run.start + run.length;
    writer.add({run.start, run.length});
    return true;
  };
  if (std::ranges::all_of(runs, follows)) return made(writer.finish());
  std::vector<space::Run> list;
  list.reserve(runs.size());
  for (const Run& run : runs) list.push_back({run.start, run.length});
  return made(space::RunSet::of_runs(std::move(list)));
}

Selection Selection::points(const Dims& extent, std::span<const std::uint64_t> coordinates) {
  if (space::is_huge(extent)) return api::SelectionAccess::make(checked_points(extent, coordinates), extent);
  return api::SelectionAccess::make(space::points_at(space::Frame(extent), coordinates));
}

Selection::Kind Selection::kind() const {
  if (!impl_) return Kind::all;
  if (Forms::ranges(*this) != nullptr) return Kind::regular;
  if (const auto* held = Forms::huge(*this)) {
    constexpr Kind kinds[] = {Kind::none, Kind::regular, Kind::set, Kind::points};
    return kinds[static_cast<std::size_t>(held->selection.kind())];
  }
  const auto* selection = Forms::bound(*this);
  if (selection == nullptr) return Kind::none;
  switch (selection->kind()) {
    case space::Selection::Kind::none:
      return Kind::none;
    case space::Selection::Kind::all:
      return Kind::all;
    case space::Selection::Kind::regular:
      return Kind::regular;
    case space::Selection::Kind::runs:
      return Kind::set;
    case space::Selection::Kind::points:
      return Kind::points;
  }
  return Kind::none;
}

std::optional<Dims> Selection::extent() const {
  if (const auto* held = Forms::huge(*this)) return held->extent;
  const auto* selection = Forms::bound(*this);
  return selection == nullptr ? std::nullopt : std::optional(selection->frame().dims());
}

std::vector<Range> Selection::ranges() const {
  if (const auto* ranges = Forms::ranges(*this)) return *ranges;
  const auto* held = Forms::huge(*this);
  if (held != nullptr && held->selection.kind() == space::HugeSelection::Kind::regular)
    return to_ranges(*held->selection.regular_slab());
  const auto* selection = Forms::bound(*this);
  if (selection == nullptr || selection->kind() != space::Selection::Kind::regular)
    refuse("only a regular selection has ranges");
  return to_ranges(selection->slab().dims());
}

Selection Selection::within(const Dims& extent) const {
  if (space::is_huge(extent)) return api::SelectionAccess::make(api::to_huge(*this, extent), extent);
  return api::SelectionAccess::make(api::to_space(*this, extent));
}

std::uint64_t Selection::elements() const {
  if (const auto huge = Forms::by_coordinates(*this)) return huge->elements();
  return Forms::settled(*this).elements();
}

bool Selection::contains(std::span<const std::uint64_t> coordinates) const {
  if (const auto huge = Forms::by_coordinates(*this)) return huge->contains(coordinates);
  return Forms::settled(*this).contains(coordinates);
}

std::optional<Selection::Box> Selection::bounds() const {
  const auto huge = Forms::by_coordinates(*this);
  auto bounds = huge ? huge->bounds() : Forms::settled(*this).bounds();
  if (!bounds) return std::nullopt;
  return Box{std::move(bounds->low), std::move(bounds->high)};
}

std::optional<std::vector<Range>> Selection::regular() const {
  const auto huge = Forms::by_coordinates(*this);
  const auto dims = huge ? huge->regular_slab() : space::regular_slab(Forms::settled(*this));
  return dims ? std::optional(to_ranges(*dims)) : std::nullopt;
}

Selection Selection::moved(std::span<const std::int64_t> offset) const {
  if (const auto* held = Forms::huge(*this)) {
    const auto moved = api::SelectionAccess::make(held->selection.moved(offset), held->extent);
    return moved.within(held->extent);
  }
  return api::SelectionAccess::make(Forms::settled(*this).moved(offset));
}

Dims Selection::coordinates() const {
  if (const auto huge = Forms::by_coordinates(*this)) return huge->coordinates();
  return space::to_coordinates(Forms::settled(*this));
}
std::vector<Dims> Selection::columns() const {
  const auto huge = Forms::by_coordinates(*this);
  if (!huge) return space::to_columns(Forms::settled(*this));
  std::vector<Dims> columns(huge->rank());
  const Dims list = huge->coordinates();
  for (std::size_t i = 0; i < list.size(); ++i) columns[i % columns.size()].push_back(list[i]);
  return columns;
}
std::vector<std::uint64_t> Selection::offsets() const { return space::to_offsets(Forms::settled(*this)); }
std::vector<std::uint8_t> Selection::mask() const { return space::to_mask(Forms::settled(*this)); }
std::vector<std::uint8_t> Selection::bitmap() const { return space::to_bitmap(Forms::settled(*this)); }

std::vector<Selection::Box> Selection::boxes() const {
  std::vector<Box> boxes;
  if (const auto huge = Forms::by_coordinates(*this)) {
    const Dims corners = huge->block_list(0, huge->block_count());
    const auto rank = static_cast<std::ptrdiff_t>(huge->rank());
    for (auto at = corners.begin(); at != corners.end(); at += 2 * rank)
      boxes.push_back({{at, at + rank}, {at + rank, at + 2 * rank}});
    return boxes;
  }
  for (space::Bounds& b : space::to_boxes(Forms::settled(*this)))
    boxes.push_back({std::move(b.low), std::move(b.high)});
  return boxes;
}

std::vector<Selection::Run> Selection::runs() const {
  const space::Selection selection = Forms::settled(*this);
  std::vector<Run> runs;
  if (selection.kind() == space::Selection::Kind::runs) {
    const space::RunSet set = selection.runs();
    runs.reserve(set.runs());
    for (std::size_t i = 0; i < set.runs(); ++i) runs.push_back({set.run(i).start, set.run(i).length});
    return runs;
  }
  for (const space::Run& run : space::to_runs(selection)) runs.push_back({run.start, run.length});
  return runs;
}

Selection operator|(const Selection& a, const Selection& b) {
  return Forms::combine(a, space::SetOperator::unite, b);
}
Selection operator&(const Selection& a, const Selection& b) {
  return Forms::combine(a, space::SetOperator::intersect, b);
}
Selection operator^(const Selection& a, const Selection& b) {
  return Forms::combine(a, space::SetOperator::differ, b);
}
Selection operator-(const Selection& a, const Selection& b) {
  return Forms::combine(a, space::SetOperator::subtract, b);
}

bool operator==(const Selection& a, const Selection& b) {
  const auto open = [](const Selection& s) {
    return Forms::bound(s) == nullptr && Forms::ranges(s) == nullptr && Forms::huge(s) == nullptr;
  };
  if (open(a) || open(b)) return open(a) && open(b) && a.kind() == b.kind();
  const Dims extent = Forms::joined_extent(a, b);
  if (space::is_huge(extent)) return space::same_elements(api::to_huge(a, extent), api::to_huge(b, extent));
  return space::same_elements(Forms::settled(a), Forms::settled(b));
}

struct SelectionBuilder::Impl {
  space::SelectionBuilder builder;
  std::vector<space::SlabDimension> slab;  ///< reused by every call

  void combine(space::SetOperator op, std::span<const std::uint64_t> start,
               std::span<const std::uint64_t> count) {
    if (!count.empty()) require_rank(count.size(), start.size(), "counts");
    slab.clear();
    for (std::size_t i = 0; i < start.size(); ++i)
      slab.push_back({start[i], 1, 1, count.empty() ? 1 : count[i]});
    builder.combine(op, slab);
  }
  void combine(space::SetOperator op, const Selection& selection) {
    builder.combine(op, api::to_space(selection, builder.frame().dims()));
  }
};

SelectionBuilder::SelectionBuilder(const Dims& extent)
    : impl_(new Impl{space::SelectionBuilder(space::Selection::none(space::Frame(extent))), {}}) {}
SelectionBuilder::~SelectionBuilder() = default;
SelectionBuilder::SelectionBuilder(SelectionBuilder&&) noexcept = default;
SelectionBuilder& SelectionBuilder::operator=(SelectionBuilder&&) noexcept = default;

void SelectionBuilder::add(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count) {
  impl_->combine(space::SetOperator::unite, start, count);
}
void SelectionBuilder::remove(std::span<const std::uint64_t> start, std::span<const std::uint64_t> count) {
  impl_->combine(space::SetOperator::subtract, start, count);
}
void SelectionBuilder::add(const Selection& selection) {
  impl_->combine(space::SetOperator::unite, selection);
}
void SelectionBuilder::remove(const Selection& selection) {
  impl_->combine(space::SetOperator::subtract, selection);
}

Selection SelectionBuilder::selection() { return api::SelectionAccess::make(impl_->builder.selection()); }

}  // namespace filigree
