// SPDX-License-Identifier: Apache-2.0
//
// Dataspaces: selections.
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/core/nested_error.hpp"
#include "space/blocks.hpp"
#include "space/excerpt.hpp"
#include "space/shape.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using space::Frame;

const Code cannot_get{&H5E_DATASPACE_g, &H5E_CANTGET_g};
const Code cannot_set{&H5E_DATASPACE_g, &H5E_CANTSET_g};

/// Refuses scalar and null dataspaces, which have no coordinates.
void require_simple(const SpaceValue& value, const char* what) {
  if (value.extent.kind() == Dataspace::Kind::null)
    bad_type(fmt::format("{} doesn't support H5S_NULL space", what));
  if (value.has_extent && value.extent.kind() == Dataspace::Kind::scalar)
    bad_type(fmt::format("{} doesn't support H5S_SCALAR space", what));
  if (!value.has_extent) bad_type("dataspace has no extent");
}

H5S_sel_type selection_type(const SpaceValue& value) {
  if (value.unlimited) return H5S_SEL_HYPERSLABS;
  if (value.huge) {
    if (value.huge->elements() == 0) return H5S_SEL_NONE;
    return value.huge->is_set() ? H5S_SEL_HYPERSLABS : H5S_SEL_POINTS;
  }
  if (!value.selection) return H5S_SEL_ALL;
  switch (value.selection->kind()) {
    case space::Selection::Kind::none:
      return H5S_SEL_NONE;
    case space::Selection::Kind::all:
    case space::Selection::Kind::regular:
    case space::Selection::Kind::runs:
      return value.selection->elements() == 0 ? H5S_SEL_NONE : H5S_SEL_HYPERSLABS;
    case space::Selection::Kind::points:
      break;
  }
  return H5S_SEL_POINTS;
}

void require_limited_hyperslab(const SpaceValue& value) {
  if (selection_type(value) != H5S_SEL_HYPERSLABS) bad_type("not a hyperslab selection");
  if (value.unlimited)
    throw Failure({&H5E_DATASPACE_g, &H5E_UNSUPPORTED_g}, "cannot get blocks of an unlimited hyperslab");
}

std::uint64_t count_blocks(const SpaceValue& value) {
  require_limited_hyperslab(value);
  return value.huge ? value.huge->block_count() : space::block_count(*value.selection);
}

std::vector<std::uint64_t> list_blocks(const SpaceValue& value, std::uint64_t first, std::uint64_t count) {
  require_limited_hyperslab(value);
  return value.huge ? value.huge->block_list(first, count)
                    : space::block_list(*value.selection, first, count);
}

/// Returns the regular hyperslab that the selection equals, if any; it may be unlimited.
std::optional<std::vector<space::SlabDimension>> regular_dimensions(const SpaceValue& value) {
  if (value.unlimited) return value.unlimited->dims();
  require_limited_hyperslab(value);
  return value.huge ? value.huge->regular_slab() : space::regular_slab(*value.selection);
}

void require_points(const SpaceValue& value) {
  if (selection_type(value) != H5S_SEL_POINTS) bad_type("not an element selection");
}

/// The same as points_of() in an extent of 2^64 elements or more.
space::HugeSelection huge_points_of(const SpaceValue& value, H5S_seloper_t op, std::size_t count,
                                    const hsize_t* coordinates) {
  std::vector<std::uint64_t> list(coordinates, coordinates + count * value.rank());
  if (op != H5S_SELECT_SET && selection_type(value) == H5S_SEL_POINTS) {
    const auto before = huge_without_offset(value);
    list.insert(op == H5S_SELECT_APPEND ? list.begin() : list.end(), before.points().begin(),
                before.points().end());
  }
  return space::HugeSelection::points(value.rank(), std::move(list));
}

/// Returns a selection of points, appended or prepended to the points that are selected. Its frame contains
/// all of them and the extent.
space::Selection points_of(const SpaceValue& value, H5S_seloper_t op, std::size_t count,
                           const hsize_t* coordinates) {
  const std::size_t rank = value.rank();
  std::vector<std::uint64_t> positions(count);  // allocated first, because too large a count fails here
  std::vector<std::uint64_t> dims = frame_of(value).dims();
  for (std::size_t i = 0; i < count * rank; ++i)
    dims[i % rank] = std::max<std::uint64_t>(dims[i % rank], coordinates[i] + 1);
  Frame frame(std::move(dims));
  const bool joins = op != H5S_SELECT_SET && value.selection && !value.selection->is_set();
  if (joins) frame = frame.joined(value.selection->frame());
  for (std::size_t i = 0; i < count; ++i) positions[i] = frame.offset({coordinates + i * rank, rank});
  if (!joins) return space::Selection::of_points(frame, std::move(positions));
  const space::Selection list = value.selection->reframed(frame);
  return op == H5S_SELECT_APPEND ? space::append_points(list, positions)
                                 : space::prepend_points(list, positions);
}

/// Returns the bounds of an unlimited slab within the current extent.
space::Bounds bounds_of(const space::UnlimitedSlab& slab) {
  space::Bounds bounds;
  for (const space::SlabDimension& d : slab.dims()) {
    bounds.low.push_back(d.start);
    bounds.high.push_back(d.last());
  }
  return bounds;
}

/// Returns the bounds of the selection without its offset, or nothing for an empty selection.
std::optional<space::Bounds> bounds_without_offset(const SpaceValue& value) {
  if (value.unlimited) return bounds_of(*value.unlimited);
  if (!value.is_huge()) return selection_without_offset(value).bounds();
  if (!value.is_all()) return huge_without_offset(value).bounds();
  space::Bounds bounds{std::vector<std::uint64_t>(value.rank(), 0), value.extent.dims()};
  for (std::uint64_t& last : bounds.high) --last;
  return bounds;
}

/// Stores the bounds of the selection with its offset.
void fill_bounds(const SpaceValue& value, hsize_t* start, hsize_t* end) {
  const auto bounds = bounds_without_offset(value);
  if (!bounds) throw Failure({&H5E_DATASPACE_g, &H5E_CANTGET_g}, "nothing is selected");
  for (std::size_t d = 0; d < value.rank(); ++d) {
    const std::int64_t offset = value.is_all() || value.offset.empty() ? 0 : value.offset[d];
    if (offset < 0 && bounds->low[d] < static_cast<std::uint64_t>(-offset))
      throw Failure({&H5E_DATASPACE_g, &H5E_BADRANGE_g}, "offset moves selection out of bounds");
    start[d] = bounds->low[d] + static_cast<std::uint64_t>(offset);
    end[d] = bounds->high[d] + static_cast<std::uint64_t>(offset);
  }
  if (value.unlimited) end[value.unlimited->dimension()] = H5S_UNLIMITED;
}

/// Returns a selection of the same shape; in an extent of 2^64 elements or more, in that of its bounds.
space::Selection shape_of(const SpaceValue& value) {
  return value.is_huge() ? space::cropped(huge_without_offset(value)) : selection_without_offset(value);
}

Code not_a_space() { return {&H5E_DATASPACE_g, &H5E_BADTYPE_g}; }

std::shared_ptr<const SpaceValue> space_of_selection(hid_t id) {
  return with_error_code(not_a_space(), [&] { return get_space(id); });
}

/// Checks the operator of a combination of two selections.
void check_operator(H5S_seloper_t op) {
  if (op < H5S_SELECT_OR || op > H5S_SELECT_NOTA)
    throw Failure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, "invalid selection operation");
}

/// Collects a hyperslab of one run; see SharedSpace. Returns false if the general path has to do it, which
/// also reports what is wrong with the arguments.
bool collect_slab(SharedSpace& space, H5S_seloper_t op, const hsize_t* start, const hsize_t* stride,
                  const hsize_t* count, const hsize_t* block) {
  const bool collects = op == H5S_SELECT_OR || op == H5S_SELECT_XOR || op == H5S_SELECT_NOTB;
  if (!collects || start == nullptr || count == nullptr) return false;
  std::array<space::SlabDimension, space::max_rank> slab;
  const std::size_t rank = space.rank();
  for (std::size_t d = 0; d < rank; ++d)
    slab[d] = {start[d], stride == nullptr ? 1 : stride[d], count[d], block == nullptr ? 1 : block[d]};
  return space.collect(set_operator(op), std::span(slab).first(rank));
}

/// Collects points; see SharedSpace. Returns false if the general path has to do it.
bool collect_elements(SharedSpace& space, H5S_seloper_t op, std::size_t count, const hsize_t* coordinates) {
  constexpr std::size_t most = 4096;  // more points are worth the general path, which allocates first
  if (op != H5S_SELECT_APPEND || coordinates == nullptr || count == 0 || count > most) return false;
  return space.collect_points({coordinates, count * space.rank()});
}

/// Moves the selection towards the origin.
void adjust(SpaceValue& value, const hssize_t* offset) {
  if (selection_type(value) == H5S_SEL_NONE)
    throw Failure(cannot_get, "nothing is selected that could be adjusted");
  std::vector<std::uint64_t> low(value.rank());
  if (!value.is_all()) low = bounds_without_offset(value)->low;
  std::vector<std::int64_t> by(value.rank());
  for (std::size_t d = 0; d < by.size(); ++d) {
    if (offset[d] > 0 && static_cast<std::uint64_t>(offset[d]) > low[d])
      bad_value("adjustment would move selection below zero offset");
    if (offset[d] < -std::numeric_limits<hssize_t>::max()) bad_value("adjustment is too large");
    by[d] = -offset[d];
  }
  if (value.unlimited) {
    std::vector<space::SlabDimension> dims = value.unlimited->dims();
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d].start += static_cast<std::uint64_t>(by[d]);
    value.unlimited.emplace(std::move(dims));
  } else if (value.huge) {
    value.huge = value.huge->moved(by);
  } else if (value.selection) {
    std::vector<std::uint64_t> dims = value.selection->frame().dims();
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (by[d] > 0) dims[d] = checked_add(dims[d], static_cast<std::uint64_t>(by[d]), "the adjustment");
    value.selection = value.selection->reframed(Frame(std::move(dims))).moved(by);
  }
}

}  // namespace

herr_t H5Sselect_all(hid_t spaceid) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTDELETE_g}, "can't change selection"}, [&] {
    get_space_handle(spaceid)->value.change([](SpaceValue& value) { value.select_all(); });
  });
}

herr_t H5Sselect_none(hid_t spaceid) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTDELETE_g}, "can't change selection"},
                  [&] { get_space_handle(spaceid)->value.change(select_nothing); });
}

herr_t H5Sselect_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[], const hsize_t stride[],
                           const hsize_t count[], const hsize_t block[]) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTINIT_g}, "unable to set hyperslab selection"}, [&] {
    const auto handle = get_space_handle(space_id);
    if (collect_slab(handle->value, op, start, stride, count, block)) return;
    handle->value.change([&](SpaceValue& value) {
      require_simple(value, "hyperslab");
      if (op < H5S_SELECT_SET || op > H5S_SELECT_NOTA)
        throw Failure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, "invalid selection operation");
      select_slab(value, op, slab_dimensions(value.rank(), start, stride, count, block));
    });
  });
}

hid_t H5Scombine_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[], const hsize_t stride[],
                           const hsize_t count[], const hsize_t block[]) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTINIT_g}, "unable to set hyperslab selection"}, [&] {
    SpaceValue value = *get_space(space_id);
    require_simple(value, "hyperslab");
    if (op < H5S_SELECT_SET || op > H5S_SELECT_NOTA)
      throw Failure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, "invalid selection operation");
    select_slab(value, op, slab_dimensions(value.rank(), start, stride, count, block));
    return add_space(std::move(value));
  });
}

hid_t H5Scombine_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTINIT_g}, "unable to create hyperslab selection"},
                  [&] {
                    SpaceValue value = *get_space(space1_id);
                    const auto other = get_space(space2_id);
                    check_operator(op);
                    combine_selections(value, op, *other);
                    return add_space(std::move(value));
                  });
}

herr_t H5Smodify_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTINIT_g}, "unable to modify hyperslab selection"},
                  [&] {
                    const auto handle = get_space_handle(space1_id);
                    const auto other = get_space(space2_id);
                    check_operator(op);
                    handle->value.change([&](SpaceValue& value) { combine_selections(value, op, *other); });
                  });
}

herr_t H5Sselect_elements(hid_t space_id, H5S_seloper_t op, size_t num_elem, const hsize_t* coord) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTINIT_g}, "can't select elements"}, [&] {
    const auto handle = get_space_handle(space_id);
    if (collect_elements(handle->value, op, num_elem, coord)) return;
    handle->value.change([&](SpaceValue& value) {
      require_simple(value, "point");
      if (coord == nullptr || num_elem == 0) bad_value("elements not specified");
      if (op != H5S_SELECT_SET && op != H5S_SELECT_APPEND && op != H5S_SELECT_PREPEND)
        throw Failure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, "unsupported operation attempted");
      if (value.is_huge()) return value.select(huge_points_of(value, op, num_elem, coord));
      value.select(points_of(value, op, num_elem, coord));
    });
  });
}

herr_t H5Sselect_copy(hid_t dst_id, hid_t src_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTCOPY_g}, "can't copy selection"}, [&] {
    const auto to = get_space_handle(dst_id);
    const auto from = get_space(src_id);
    if (to->value.get()->rank() != from->rank()) bad_value("dataspaces not same rank");
    to->value.change([&](SpaceValue& value) {
      value.selection = from->selection;
      value.unlimited = from->unlimited;
      value.huge = from->huge;
      value.offset = from->offset;
    });
  });
}

herr_t H5Sselect_adjust(hid_t spaceid, const hssize_t* offset) {
  return api_call({__func__, cannot_set, "can't adjust selection"}, [&] {
    const auto handle = with_error_code(not_a_space(), [&] { return get_space_handle(spaceid); });
    if (offset == nullptr) throw Failure(not_a_space(), "no offset given");
    handle->value.change([&](SpaceValue& value) { adjust(value, offset); });
  });
}

H5S_sel_type H5Sget_select_type(hid_t spaceid) {
  return api_call_or(H5S_SEL_ERROR, {__func__, cannot_get, "can't look at selection"}, [&] {
    return selection_type(*with_error_code({&H5E_ID_g, &H5E_BADID_g}, [&] { return get_space(spaceid); }));
  });
}

hssize_t H5Sget_select_npoints(hid_t spaceid) {
  return api_call({__func__, cannot_get, "can't look at selection"},
                  [&] { return static_cast<hssize_t>(selected_elements(*get_space(spaceid))); });
}

htri_t H5Sselect_valid(hid_t spaceid) {
  return api_call({__func__, cannot_get, "can't look at selection"},
                  [&] { return htri_t{selection_is_valid(*get_space(spaceid))}; });
}

herr_t H5Sget_select_bounds(hid_t spaceid, hsize_t start[], hsize_t end[]) {
  return api_call({__func__, cannot_get, "can't get bounds"}, [&] {
    if (start == nullptr || end == nullptr) bad_value("invalid pointer");
    const auto value = get_space(spaceid);
    fill_bounds(*value, start, end);
  });
}

hssize_t H5Sget_select_hyper_nblocks(hid_t spaceid) {
  return api_call({__func__, cannot_get, "can't count blocks"},
                  [&] { return static_cast<hssize_t>(count_blocks(*get_space(spaceid))); });
}

herr_t H5Sget_select_hyper_blocklist(hid_t spaceid, hsize_t startblock, hsize_t numblocks, hsize_t buf[]) {
  return api_call({__func__, cannot_get, "can't get blocks"}, [&] {
    const auto value = get_space(spaceid);
    required(buf, "buf");
    std::ranges::copy(list_blocks(*value, startblock, numblocks), buf);
  });
}

hssize_t H5Sget_select_elem_npoints(hid_t spaceid) {
  return api_call({__func__, cannot_get, "can't count points"}, [&] {
    const auto value = get_space(spaceid);
    require_points(*value);
    return static_cast<hssize_t>(selected_elements(*value));
  });
}

herr_t H5Sget_select_elem_pointlist(hid_t spaceid, hsize_t startpoint, hsize_t numpoints, hsize_t buf[]) {
  return api_call({__func__, cannot_get, "can't get points"}, [&] {
    const auto value = get_space(spaceid);
    required(buf, "buf");
    require_points(*value);
    if (value->huge) {
      const std::uint64_t count = value->huge->elements();
      if (startpoint > count) bad_value("the list of points ends before the start");
      const std::size_t numbers = std::min<std::uint64_t>(numpoints, count - startpoint) * value->rank();
      std::ranges::copy(value->huge->points().subspan(startpoint * value->rank(), numbers), buf);
      return;
    }
    const space::Selection& list = *value->selection;
    const auto points = list.points();
    if (startpoint > points.size()) bad_value("the list of points ends before the start");
    const std::size_t count = std::min<std::size_t>(numpoints, points.size() - startpoint);
    std::vector<std::uint64_t> at(value->rank());
    for (std::size_t i = 0; i < count; ++i) {
      list.frame().coordinates(points[startpoint + i], at.data());
      buf = std::ranges::copy(at, buf).out;
    }
  });
}

htri_t H5Sis_regular_hyperslab(hid_t spaceid) {
  return api_call({__func__, cannot_get, "can't look at selection"}, [&] {
    const auto value = get_space(spaceid);
    return htri_t{regular_dimensions(*value).has_value()};
  });
}

htri_t H5Sget_regular_hyperslab(hid_t spaceid, hsize_t start[], hsize_t stride[], hsize_t count[],
                                hsize_t block[]) {
  return api_call({__func__, cannot_get, "can't look at selection"}, [&]() -> htri_t {
    const auto value = get_space(spaceid);
    const auto dims = regular_dimensions(*value);
    if (!dims) bad_value("hyperslab selection is not regular");
    for (std::size_t d = 0; d < dims->size(); ++d) {
      if (start != nullptr) start[d] = (*dims)[d].start;
      if (stride != nullptr) stride[d] = (*dims)[d].stride;
      if (count != nullptr) count[d] = (*dims)[d].count;
      if (block != nullptr) block[d] = (*dims)[d].block;
    }
    return 0;
  });
}

htri_t H5Sselect_shape_same(hid_t space1_id, hid_t space2_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTCOMPARE_g}, "can't compare selections"}, [&] {
    const auto a = space_of_selection(space1_id), b = space_of_selection(space2_id);
    return htri_t{space::same_shape(shape_of(*a), shape_of(*b))};
  });
}

htri_t H5Sselect_intersect_block(hid_t space_id, const hsize_t* start, const hsize_t* end) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTCOMPARE_g}, "can't compare selections"}, [&] {
    const auto value = space_of_selection(space_id);
    if (start == nullptr || end == nullptr)
      throw Failure({&H5E_DATASPACE_g, &H5E_BADVALUE_g}, "a block has a start and an end");
    const std::size_t rank = value->rank();
    for (std::size_t d = 0; d < rank; ++d)
      if (start[d] > end[d])
        throw Failure({&H5E_DATASPACE_g, &H5E_BADRANGE_g},
                      fmt::format("the block ends before it starts in dimension {}", d));
    if (value->is_huge())
      return htri_t{value->is_all() ||
                    huge_without_offset(*value).intersects({{start, start + rank}, {end, end + rank}})};
    return htri_t{space::intersects_block(selection_without_offset(*value), {start, rank}, {end, rank})};
  });
}

hid_t H5Sselect_project_intersection(hid_t src_space_id, hid_t dst_space_id, hid_t src_intersect_space_id) {
  return api_call(
      {__func__, {&H5E_DATASPACE_g, &H5E_CANTCLIP_g}, "can't project dataspace intersection"}, [&] {
        const auto from = space_of_selection(src_space_id), onto = space_of_selection(dst_space_id),
                   part = space_of_selection(src_intersect_space_id);
        const Code unfit{&H5E_DATASPACE_g, &H5E_BADVALUE_g};
        if (selected_elements(*from) != selected_elements(*onto))
          throw Failure(unfit, "number of points selected in source and destination spaces differ");
        if (from->rank() != part->rank())
          throw Failure(unfit, "rank of the source space and that of the intersecting one differ");
        // The result keeps the offset of the destination, as the selection that it is a part of.
        SpaceValue value = *onto;
        value.select(space::project_intersection(selection_without_offset(with_offset_applied(*from)),
                                                 selection_without_offset(*onto),
                                                 selection_without_offset(with_offset_applied(*part))));
        return add_space(std::move(value));
      });
}
