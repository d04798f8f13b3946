// SPDX-License-Identifier: Apache-2.0
#include "model/virtual/pieces.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "model/dataset/dataset.hpp"
#include "model/file/file.hpp"
#include "model/virtual/sources.hpp"
#include "space/encoding.hpp"
#include "space/shape.hpp"

namespace filigree::model {
namespace {

/// Returns the current extent of a source. Requires: the thread holds no file lock.
space::Frame current_frame(const ObjectLocation& location, const VirtualTrail& trail) {
  const FileLock::Shared shared(location.file->lock());
  return space::frame_of(Dataset(*location.file, location.header).extent(&trail));
}

using space::Frame;
using space::Selection;
using space::SlabDimension;
using space::unlimited;
using space::UnlimitedSlab;

constexpr unsigned deepest_trail = 16;
constexpr const char* mapping_end = "the end of a mapping";

[[noreturn]] void contradict(const std::string& what) { throw Error(ErrorKind::corrupt, what); }

void spend(const VirtualTrail& trail) {
  const std::uint64_t cost = trail.depth > 0 ? nested_source_cost : 1;
  if (*trail.sources_left < cost)
    throw Error(ErrorKind::limit, "too many sources take part in one request to a virtual dataset");
  *trail.sources_left -= cost;
}

/// Returns the number of steps of the unlimited dimension before `extent`.
std::uint64_t steps_within(const SlabDimension& d, std::uint64_t extent) {
  if (extent <= d.start) return 0;
  const std::uint64_t after_start = extent - d.start;
  if (d.block == unlimited) return after_start;
  const std::uint64_t begun = after_start / d.stride;
  return begun * d.block + std::min(d.block, after_start % d.stride);
}

/// Returns the smallest extent with this many steps; with `gap`, up to the start of the next block.
std::uint64_t extent_for(const SlabDimension& d, std::uint64_t steps, bool gap) {
  if (steps == 0) return gap ? d.start : 0;
  if (d.block == unlimited) return checked_add(d.start, steps, mapping_end);
  std::uint64_t blocks = steps / d.block;
  std::uint64_t rest = steps % d.block;
  if (rest == 0 && !gap) {
    --blocks;
    rest = d.block;
  }
  const std::uint64_t before = checked_multiply(blocks, d.stride, mapping_end);
  return checked_add(checked_add(d.start, before, mapping_end), rest, mapping_end);
}

/// Returns an extent with `along` in the unlimited dimension that contains the other dimensions.
Frame frame_around(const UnlimitedSlab& slab, std::uint64_t along) {
  std::vector<std::uint64_t> dims;
  for (std::size_t i = 0; i < slab.dims().size(); ++i) {
    const SlabDimension& d = slab.dims()[i];
    const bool empty = d.count == 0 || d.block == 0;
    dims.push_back(i == slab.dimension() ? along : empty ? 0 : extent_for(d, d.count * d.block, false));
  }
  return Frame(std::move(dims));
}

/// Returns the first `steps` steps.
Selection first_steps(const UnlimitedSlab& slab, std::uint64_t steps) {
  return slab.clip(frame_around(slab, extent_for(slab.dims()[slab.dimension()], steps, false)));
}

/// Returns the start of block `number` in the unlimited dimension.
std::uint64_t block_start(const SlabDimension& d, std::uint64_t number) {
  return checked_add(d.start, checked_multiply(number, d.stride, mapping_end), mapping_end);
}

Selection block_of(const UnlimitedSlab& slab, std::uint64_t number) {
  const SlabDimension& d = slab.dims()[slab.dimension()];
  const std::uint64_t start = block_start(d, number);
  std::vector<SlabDimension> dims = slab.dims();
  dims[slab.dimension()] = {start, 1, 1, d.block};
  return Selection::regular(frame_around(slab, checked_add(start, d.block, mapping_end)), std::move(dims));
}

bool fits(const Selection& elements, const Frame& frame) {
  const auto bounds = elements.bounds();
  if (!bounds) return true;
  for (std::size_t d = 0; d < frame.rank(); ++d)
    if (bounds->high[d] >= frame.dims()[d]) return false;
  return true;
}

/// Restricts `elements` to `frame`, and removes the corresponding elements on the other side.
void trim(Selection& elements, const Frame& frame, Selection& counterparts) {
  if (!fits(elements, frame)) {
    const Selection inside = Selection::all(frame);
    counterparts = space::project_intersection(elements, counterparts, inside);
    elements = space::combine(elements, space::SetOperator::intersect, inside);
  }
  elements = elements.reframed(frame);
}

/// Visits the mappings for one request.
class Pieces {
 public:
  Pieces(File& file, const VirtualJoin& wanted, const VirtualTrail& trail,
         FunctionRef<void(const SourcePiece&)> visit)
      : file_(file), wanted_(wanted), trail_(trail), visit_(visit) {}

  void visit(const VirtualMapping& m) {
    if (!wanted_.bounds() || (m.bounds && !wanted_.may_meet(*m.bounds))) return;
    if (m.numbered) return visit_blocks(m);
    if (m.virtual_elements.unlimited) return visit_unlimited(m);
    const Selection elements = m.virtual_elements.all() ? Selection::all(wanted_.frame())
                                                        : m.virtual_elements.fixed->reframed(wanted_.frame());
    if (trail_.depth > 0) spend(trail_);
    visit_source(m, 0, elements);
  }

 private:
  void visit_blocks(const VirtualMapping& m) {
    const UnlimitedSlab& slab = *m.virtual_elements.unlimited;
    const SlabDimension& d = slab.dims()[slab.dimension()];
    const std::uint64_t high = wanted_.bounds()->high[slab.dimension()];
    const std::uint64_t low = wanted_.bounds()->low[slab.dimension()];
    if (high < d.start) return;
    for (std::uint64_t i = low < d.start ? 0 : (low - d.start) / d.stride; i <= (high - d.start) / d.stride;
         ++i) {
      spend(trail_);
      visit_source(m, i, block_of(slab, i));
    }
  }

  void visit_unlimited(const VirtualMapping& m) {
    const UnlimitedSlab& slab = *m.virtual_elements.unlimited;
    const UnlimitedSlab& from = *m.source_elements.unlimited;
    const std::uint64_t mapped =
        steps_within(slab.dims()[slab.dimension()], wanted_.frame().dims()[slab.dimension()]);
    if (!wanted_.meets(first_steps(slab, mapped).reframed(wanted_.frame()))) return;
    if (trail_.depth > 0) spend(trail_);
    const auto location = find(m, 0);
    if (!location) return;
    const Frame extent = extent_of(*location, from.dims().size());
    const std::uint64_t steps =
        std::min(mapped, steps_within(from.dims()[from.dimension()], extent.dims()[from.dimension()]));
    give(*location, first_steps(slab, steps), first_steps(from, steps), extent);
  }

  void visit_source(const VirtualMapping& m, std::uint64_t block, Selection elements) {
    Selection inside = elements;
    Selection ignored = elements;
    trim(inside, wanted_.frame(), ignored);
    if (!wanted_.meets(inside)) return;
    const auto location = find(m, block);
    if (!location) return;
    const auto& fixed = m.source_elements.fixed;
    const Frame extent = fixed ? extent_of(*location, fixed->frame().rank()) : extent_of(*location);
    const Selection source = fixed ? *fixed : Selection::all(extent);
    if (source.elements() != elements.elements()) {
      contradict(fmt::format("{} elements are mapped to all of '{}' in '{}', which has {}",
                             elements.elements(), location->path, location->file->name(), source.elements()));
    }
    give(*location, std::move(elements), source, extent);
  }

  void give(const ObjectLocation& location, Selection elements, Selection source, const Frame& extent) {
    trim(elements, wanted_.frame(), source);
    trim(source, extent, elements);
    if (elements.elements() != 0) visit_({location, std::move(elements), std::move(source)});
  }

  std::optional<ObjectLocation> find(const VirtualMapping& m, std::uint64_t block) {
    return find_source(file_, trail_.dataset, m.file->with(block), m.dataset->with(block));
  }

  Frame extent_of(const ObjectLocation& location) { return current_frame(location, trail_); }
  Frame extent_of(const ObjectLocation& location, std::size_t rank) {
    Frame extent = extent_of(location);
    if (extent.rank() == rank) return extent;
    contradict(fmt::format("a mapping selects elements of {} dimensions in '{}' of '{}', which has {}", rank,
                           location.path, location.file->name(), extent.rank()));
  }

  File& file_;
  const VirtualJoin& wanted_;
  const VirtualTrail& trail_;
  FunctionRef<void(const SourcePiece&)> visit_;
};

/// Computes the extent that each unlimited mapping gives the dataset.
class Reach {
 public:
  Reach(File& file, Address dataset, const VirtualTrail& trail)
      : file_(file),
        dataset_(dataset),
        trail_(trail),
        view_(file.virtuals().view(dataset).value_or(file.access().virtual_view)) {}

  bool first_missing() const { return view_.extent == VirtualView::Extent::first_missing; }

  std::uint64_t of(const VirtualMapping& m, std::size_t index, std::uint64_t most) {
    return m.numbered ? of_blocks(m, index, most) : of_source(m);
  }

 private:
  std::uint64_t of_source(const VirtualMapping& m) {
    if (trail_.depth > 0) spend(trail_);
    const auto location = find_source(file_, dataset_, m.file->with(0), m.dataset->with(0));
    if (!location) return 0;
    const UnlimitedSlab& from = *m.source_elements.unlimited;
    const Frame extent = current_frame(*location, trail_);
    if (extent.rank() != from.dims().size()) {
      contradict(fmt::format("a mapping selects elements of {} dimensions in '{}' of '{}', which has {}",
                             from.dims().size(), location->path, location->file->name(), extent.rank()));
    }
    const std::uint64_t steps = steps_within(from.dims()[from.dimension()], extent.dims()[from.dimension()]);
    const UnlimitedSlab& slab = *m.virtual_elements.unlimited;
    return extent_for(slab.dims()[slab.dimension()], steps, first_missing());
  }

  std::uint64_t of_blocks(const VirtualMapping& m, std::size_t index, std::uint64_t most) {
    const UnlimitedSlab& slab = *m.virtual_elements.unlimited;
    const SlabDimension& d = slab.dims()[slab.dimension()];
    const std::uint64_t gap = first_missing() ? 0 : view_.gap;
    const std::uint64_t known = file_.virtuals().known_blocks(dataset_, index);
    std::uint64_t found = known;
    for (std::uint64_t i = found; i - found <= gap && block_start(d, i) < most; ++i) {
      spend(trail_);
      if (find_source(file_, dataset_, m.file->with(i), m.dataset->with(i))) found = i + 1;
    }
    if (found != known) file_.virtuals().set_known_blocks(dataset_, index, found);
    if (found == 0) return 0;
    return first_missing() ? block_start(d, found)
                           : checked_add(block_start(d, found - 1), d.block, mapping_end);
  }

  File& file_;
  Address dataset_;
  const VirtualTrail& trail_;
  VirtualView view_;
};

}  // namespace

VirtualTrail extend(const VirtualTrail* above, const File& file, Address dataset, std::uint64_t& budget) {
  for (const VirtualTrail* t = above; t != nullptr; t = t->above) {
    if (t->file == &file && t->dataset == dataset) {
      contradict(fmt::format("the virtual dataset at {} of '{}' is among its own sources", to_string(dataset),
                             file.name()));
    }
  }
  if (above != nullptr && above->depth == deepest_trail) {
    throw Error(
        ErrorKind::limit,
        fmt::format("more than {} virtual datasets lead from an element to its value", deepest_trail));
  }
  return {above, &file, dataset, above == nullptr ? 0 : above->depth + 1,
          above == nullptr ? &budget : above->sources_left};
}

void for_each_piece(File& file, const CheckedMappings& checked, const VirtualJoin& wanted,
                    const VirtualTrail& trail, FunctionRef<void(const SourcePiece&)> visit) {
  const auto& dims = wanted.frame().dims();
  for (std::size_t d = 0; d < checked.least_dims.size(); ++d) {
    if (checked.least_dims[d] > dims[d]) {
      contradict(fmt::format("mappings reach {} in dimension {}, where the virtual dataset has {} elements",
                             checked.least_dims[d], d, dims[d]));
    }
  }
  Pieces pieces(file, wanted, trail, visit);
  for (std::size_t i = 0; i < checked.mappings.size(); ++i)
    in_context([&] { return fmt::format("mapping {}", i); }, [&] { pieces.visit(checked.mappings[i]); });
}

std::vector<std::uint64_t> current_dims(File& file, Address dataset, const DatasetMessages& parts,
                                        const CheckedMappings& checked, const VirtualTrail& trail) {
  const auto& stored = parts.space.dims;
  const auto& most = parts.space.max_dims ? *parts.space.max_dims : stored;
  std::vector<std::optional<std::uint64_t>> reached(stored.size());
  Reach reach(file, dataset, trail);
  for (std::size_t i = 0; i < checked.mappings.size(); ++i) {
    const VirtualMapping& m = checked.mappings[i];
    if (!m.virtual_elements.unlimited) continue;
    const std::size_t d = m.virtual_elements.unlimited->dimension();
    in_context([&] { return fmt::format("mapping {}", i); },
               [&] {
                 const std::uint64_t to = reach.of(m, i, most[d]);
                 const std::uint64_t before = reached[d].value_or(to);
                 reached[d] = reach.first_missing() ? std::min(before, to) : std::max(before, to);
               });
  }
  std::vector<std::uint64_t> dims = stored;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (reached[d]) dims[d] = std::min(most[d], std::max(*reached[d], checked.least_dims[d]));
  return dims;
}

}  // namespace filigree::model
