// SPDX-License-Identifier: Apache-2.0
#include <filigree/selection.hpp>

#include <algorithm>
#include <variant>

#include <fmt/format.h>

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
  std::variant<Nothing, std::vector<Range>, space::Selection> form;
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
space::Frame frame_of(const std::vector<Range>& ranges) {
  constexpr const char* end = "the end of a selection";
  std::vector<std::uint64_t> dims;
  for (const Range& r : ranges) {
    const bool empty = r.count == 0 || r.block == 0;
    const std::uint64_t along = empty ? 0 : checked_multiply(r.count - 1, r.stride, end);
    dims.push_back(empty ? 0 : checked_add(checked_add(r.start, along, end), r.block, end));
  }
  return space::Frame(std::move(dims));
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
  /// Returns the selection in its own extent, or in that of its ranges.
  static space::Selection settled(const Selection& s) {
    if (const auto* selection = bound(s)) return *selection;
    const auto* list = ranges(s);
    if (list == nullptr)
      refuse("a selection of everything or nothing has no extent; give it one with within()");
    return space::Selection::regular(frame_of(*list), to_slab(*list));
  }
  /// Combines two selections. One without an extent takes that of the other.
  static Selection combine(const Selection& a, space::SetOperator op, const Selection& b) {
    const auto lacks = [](const Selection& s) { return bound(s) == nullptr && ranges(s) == nullptr; };
    if (lacks(a) && lacks(b)) refuse("two selections without extent cannot be combined");
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

space::Selection api::to_space(const Selection& selection, const Dims& extent) {
  space::Frame frame(extent);
  if (selection.kind() == Selection::Kind::all && !selection.extent())
    return space::Selection::all(std::move(frame));
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
  return api::SelectionAccess::make(space::from_coordinates(space::Frame(extent), coordinates));
}

Selection Selection::of_columns(const Dims& extent, std::span<const std::span<const std::uint64_t>> columns) {
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
  return api::SelectionAccess::make(space::points_at(space::Frame(extent), coordinates));
}

Selection::Kind Selection::kind() const {
  if (!impl_) return Kind::all;
  if (Forms::ranges(*this) != nullptr) return Kind::regular;
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
  const auto* selection = Forms::bound(*this);
  return selection == nullptr ? std::nullopt : std::optional(selection->frame().dims());
}

std::vector<Range> Selection::ranges() const {
  if (const auto* ranges = Forms::ranges(*this)) return *ranges;
  const auto* selection = Forms::bound(*this);
  if (selection == nullptr || selection->kind() != space::Selection::Kind::regular)
    refuse("only a regular selection has ranges");
  return to_ranges(selection->slab().dims());
}

Selection Selection::within(const Dims& extent) const {
  return api::SelectionAccess::make(api::to_space(*this, extent));
}

std::uint64_t Selection::elements() const { return Forms::settled(*this).elements(); }

bool Selection::contains(std::span<const std::uint64_t> coordinates) const {
  return Forms::settled(*this).contains(coordinates);
}

std::optional<Selection::Box> Selection::bounds() const {
  auto bounds = Forms::settled(*this).bounds();
  if (!bounds) return std::nullopt;
  return Box{std::move(bounds->low), std::move(bounds->high)};
}

std::optional<std::vector<Range>> Selection::regular() const {
  const auto dims = space::regular_slab(Forms::settled(*this));
  return dims ? std::optional(to_ranges(*dims)) : std::nullopt;
}

Selection Selection::moved(std::span<const std::int64_t> offset) const {
  return api::SelectionAccess::make(Forms::settled(*this).moved(offset));
}

Dims Selection::coordinates() const { return space::to_coordinates(Forms::settled(*this)); }
std::vector<Dims> Selection::columns() const { return space::to_columns(Forms::settled(*this)); }
std::vector<std::uint64_t> Selection::offsets() const { return space::to_offsets(Forms::settled(*this)); }
std::vector<std::uint8_t> Selection::mask() const { return space::to_mask(Forms::settled(*this)); }
std::vector<std::uint8_t> Selection::bitmap() const { return space::to_bitmap(Forms::settled(*this)); }

std::vector<Selection::Box> Selection::boxes() const {
  std::vector<Box> boxes;
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
    return Forms::bound(s) == nullptr && Forms::ranges(s) == nullptr;
  };
  if (open(a) || open(b)) return open(a) && open(b) && a.kind() == b.kind();
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
