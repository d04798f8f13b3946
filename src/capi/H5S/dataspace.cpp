// SPDX-License-Identifier: Apache-2.0
#include "capi/H5S/dataspace.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/checked.hpp"
#include "space/shape.hpp"

namespace filigree::capi {
namespace {

using space::Frame;
using space::SetOperator;
using space::SlabDimension;

[[noreturn]] void unsupported(std::string text) {
  throw NestedFailure({&H5E_ARGS_g, &H5E_UNSUPPORTED_g}, std::move(text));
}

/// Returns the smallest frame that contains the extent and the slab.
Frame frame_around(const Frame& extent, const std::vector<SlabDimension>& slab) {
  std::vector<std::uint64_t> dims = extent.dims();
  for (std::size_t d = 0; d < slab.size(); ++d)
    if (slab[d].count != 0 && slab[d].block != 0) dims[d] = std::max(dims[d], slab[d].last() + 1);
  return Frame(std::move(dims));
}

bool is_empty(const std::vector<SlabDimension>& slab) {
  return std::ranges::any_of(slab, [](const SlabDimension& s) { return s.count == 0 || s.block == 0; });
}

/// Applies the operator to an operand that selects nothing.
void select_empty(SpaceValue& value, H5S_seloper_t op) {
  if (op == H5S_SELECT_OR || op == H5S_SELECT_XOR || op == H5S_SELECT_NOTB) return;
  select_nothing(value);
}

[[noreturn]] void exceeds_extent(const char* what) {
  throw Failure({&H5E_DATASPACE_g, &H5E_BADRANGE_g},
                fmt::format("selection + offset not within extent for {} dataspace", what));
}

/// Applies an operator other than H5S_SELECT_SET in an extent of 2^64 elements or more.
void combine_huge(SpaceValue& value, SetOperator op, space::HugeSelection operand) {
  if (!value.is_all()) return value.select(space::combine(huge_without_offset(value), op, operand));
  if (op == SetOperator::unite) return;
  if (op == SetOperator::intersect) return value.select(std::move(operand));
  if (op == SetOperator::supplant) return select_nothing(value);
  unsupported("all elements of an extent of 2^64 elements or more cannot be divided");
}

/// Whether points are selected, which are no set.
bool selects_points(const SpaceValue& value) {
  return value.huge ? !value.huge->is_set() : value.selection && !value.selection->is_set();
}

void combine_unlimited(SpaceValue& value, SetOperator op, const std::vector<SlabDimension>& slab) {
  const bool operand = space::UnlimitedSlab::needed(slab);
  if (operand && value.unlimited) unsupported("two unlimited selections cannot be combined");
  if (operand) {
    if (op != SetOperator::intersect && op != SetOperator::subtract)
      unsupported("an unlimited operand only works with H5S_SELECT_AND and H5S_SELECT_NOTB");
    value.selection = space::combine(selection_without_offset(value), op, space::UnlimitedSlab(slab));
    return;
  }
  if (op != SetOperator::intersect && op != SetOperator::supplant)
    unsupported("an unlimited selection only works with H5S_SELECT_AND and H5S_SELECT_NOTA");
  const auto limited = space::Selection::regular(frame_around(frame_of(value), slab), slab);
  value.selection = space::combine(*value.unlimited, op, limited);
  value.unlimited.reset();
}

/// *Throws* Failure if an offset would move what begins at `start` before the origin.
void check_offset(std::int64_t offset, std::uint64_t start) {
  if (offset < 0 && std::uint64_t{0} - static_cast<std::uint64_t>(offset) > start)
    throw Failure({&H5E_DATASPACE_g, &H5E_BADRANGE_g}, "the selection's offset moves it out of bounds");
}

space::Selection moved(const space::Selection& selection, const std::vector<std::int64_t>& offset) {
  if (selection.elements() == 0) return selection;
  const space::Bounds bounds = *selection.bounds();
  std::vector<std::uint64_t> dims = selection.frame().dims();
  for (std::size_t d = 0; d < dims.size(); ++d) {
    check_offset(offset[d], bounds.low[d]);
    if (offset[d] > 0)
      dims[d] = checked_add(dims[d], static_cast<std::uint64_t>(offset[d]), "the selection's offset");
  }
  return selection.reframed(Frame(std::move(dims))).moved(offset);
}

space::UnlimitedSlab moved(const space::UnlimitedSlab& slab, const std::vector<std::int64_t>& offset) {
  std::vector<SlabDimension> dims = slab.dims();
  for (std::size_t d = 0; d < dims.size(); ++d) {
    check_offset(offset[d], dims[d].start);
    dims[d].start += static_cast<std::uint64_t>(offset[d]);
  }
  return space::UnlimitedSlab(std::move(dims));
}

/// Returns whether the offset has an effect. It has none on the selections all and none.
bool has_offset(const SpaceValue& value) {
  return !value.is_all() && std::ranges::any_of(value.offset, [](std::int64_t o) { return o != 0; });
}

}  // namespace

std::shared_ptr<SpaceHandle> get_space_handle(hid_t id) { return ids().get<SpaceHandle>(id, "a dataspace"); }
std::shared_ptr<const SpaceValue> get_space(hid_t id) { return get_space_handle(id)->value.get(); }
hid_t add_space(SpaceValue value) { return ids().add(std::make_shared<SpaceHandle>(std::move(value))); }

SpaceValue space_of(const Dataspace& extent) {
  SpaceValue value;
  value.extent = extent;
  return value;
}

Frame frame_of(const SpaceValue& value) {
  if (!value.has_extent || value.extent.kind() == Dataspace::Kind::null) return Frame({0});
  return Frame(value.extent.dims());
}

space::Selection selection_without_offset(const SpaceValue& value) {
  if (value.unlimited) return value.unlimited->clip(frame_of(value));
  return value.selection ? *value.selection : space::Selection::all(frame_of(value));
}

std::uint64_t extent_elements(const SpaceValue& value) {
  if (!value.has_extent || value.extent.kind() == Dataspace::Kind::null) return 0;
  std::uint64_t elements = 1;
  for (const std::uint64_t n : value.extent.dims()) elements *= n;
  return elements;
}

void select_nothing(SpaceValue& value) {
  if (value.is_huge()) return value.select(space::HugeSelection::none(value.rank()));
  value.select(space::Selection::none(frame_of(value)));
}

space::HugeSelection huge_without_offset(const SpaceValue& value) {
  if (value.huge) return *value.huge;
  if (value.selection) return space::HugeSelection::of(*value.selection);
  throw Error(ErrorKind::limit,
              "an extent of 2^64 elements or more is not possible here: select a part of it");
}

space::HugeSelection valid_huge_selection(const SpaceValue& value, const char* what) {
  space::HugeSelection selection = huge_without_offset(value);
  try {
    if (has_offset(value)) selection = selection.moved(value.offset);
  } catch (const Error&) {
    exceeds_extent(what);
  }
  if (!selection.is_within(value.extent.dims())) exceeds_extent(what);
  return selection;
}

space::Selection valid_selection(const SpaceValue& value, const char* what) {
  if (value.is_huge())
    throw Error(ErrorKind::limit,
                fmt::format("an extent of 2^64 elements or more is not possible for {} dataspace", what));
  try {
    const space::Selection stated = selection_without_offset(value);
    return (has_offset(value) ? moved(stated, value.offset) : stated).reframed(frame_of(value));
  } catch (const Error&) {
  } catch (const Failure&) {
  }
  exceeds_extent(what);
}

SpaceValue with_offset_applied(const SpaceValue& value) {
  SpaceValue result = value;
  result.offset.clear();
  if (!has_offset(value)) return result;
  if (value.unlimited) {
    result.unlimited = moved(*value.unlimited, value.offset);
  } else if (value.huge) {
    result.huge = value.huge->moved(value.offset);
  } else {
    result.selection = moved(*value.selection, value.offset);
  }
  return result;
}

bool selection_is_valid(const SpaceValue& value) {
  if (value.unlimited) return false;
  if (value.is_huge() && value.is_all()) return true;
  try {
    if (value.is_huge()) {
      valid_huge_selection(value, "the");
    } else {
      valid_selection(value, "the");
    }
    return true;
  } catch (const Failure&) {
    return false;
  }
}

Selection public_selection(const SpaceValue& value, const char* what) {
  if (!value.is_huge()) return api::SelectionAccess::make(valid_selection(value, what));
  if (value.is_all()) return Selection::all();
  return api::SelectionAccess::make(valid_huge_selection(value, what), value.extent.dims());
}

std::uint64_t selected_elements(const SpaceValue& value) {
  if (value.unlimited) return H5S_UNLIMITED;
  if (value.huge) return value.huge->elements();
  return value.selection ? value.selection->elements() : extent_elements(value);
}

SetOperator set_operator(H5S_seloper_t op) {
  switch (op) {
    case H5S_SELECT_OR:
      return SetOperator::unite;
    case H5S_SELECT_AND:
      return SetOperator::intersect;
    case H5S_SELECT_XOR:
      return SetOperator::differ;
    case H5S_SELECT_NOTB:
      return SetOperator::subtract;
    case H5S_SELECT_NOTA:
      return SetOperator::supplant;
    default:
      unsupported("invalid selection operation");
  }
}

std::vector<SlabDimension> slab_dimensions(std::size_t rank, const hsize_t* start, const hsize_t* stride,
                                           const hsize_t* count, const hsize_t* block) {
  if (start == nullptr || count == nullptr) bad_value("hyperslab not specified");
  std::vector<SlabDimension> dims(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    dims[d] = {start[d], stride == nullptr ? 1 : stride[d], count[d], block == nullptr ? 1 : block[d]};
    if (start[d] == H5S_UNLIMITED) bad_value("hyperslab cannot have an unlimited start");
    if (dims[d].stride == H5S_UNLIMITED) bad_value("hyperslab cannot have an unlimited stride");
    if (dims[d].stride == 0) bad_value("invalid stride==0 value");
  }
  return dims;
}

void select_slab(SpaceValue& value, H5S_seloper_t op, const std::vector<SlabDimension>& slab) {
  if (is_empty(slab)) {
    if (op != H5S_SELECT_SET) set_operator(op);
    return select_empty(value, op);
  }
  const bool no_end = space::UnlimitedSlab::needed(slab);
  const bool huge = value.is_huge();
  if (op == H5S_SELECT_SET) {
    if (huge) return value.select(space::HugeSelection::regular(slab));
    if (no_end) return value.select(space::UnlimitedSlab(slab));
    return value.select(space::Selection::regular(frame_around(frame_of(value), slab), slab));
  }
  const SetOperator combined = set_operator(op);
  if (selects_points(value)) unsupported("invalid selection operation for a list of points");
  if (huge) return combine_huge(value, combined, space::HugeSelection::regular(slab));
  if (no_end || value.unlimited) return combine_unlimited(value, combined, slab);
  if (value.is_all() && op == H5S_SELECT_OR) return;
  const auto operand = space::Selection::regular(frame_around(frame_of(value), slab), slab);
  if (value.is_all() && op == H5S_SELECT_AND) {
    value.selection = operand;
  } else if (value.is_all() && op == H5S_SELECT_NOTA) {
    value.selection = space::Selection::none(frame_of(value));
  } else {
    value.selection = space::combine(selection_without_offset(value), combined, operand);
  }
}

void combine_selections(SpaceValue& a, H5S_seloper_t op, const SpaceValue& b) {
  const SetOperator combined = set_operator(op);
  if (a.rank() != b.rank()) bad_value("dataspaces not same rank");
  const auto is_slab = [](const SpaceValue& v) {
    if (v.huge) return v.huge->is_set() && v.huge->elements() != 0;
    return v.unlimited || (v.selection && v.selection->is_set() && v.selection->elements() != 0);
  };
  if (!is_slab(a) || !is_slab(b)) bad_value("dataspaces don't have hyperslab selections");
  if (a.unlimited || b.unlimited) unsupported("unlimited selections cannot be combined with others");
  if (a.is_huge() || b.is_huge())
    return a.select(space::combine(huge_without_offset(a), combined, huge_without_offset(b)));
  a.selection = space::combine(*a.selection, combined, *b.selection);
}

format::DataspaceMessage extent_message(const SpaceValue& value) {
  format::DataspaceMessage message;
  switch (value.extent.kind()) {
    case Dataspace::Kind::scalar:
      message.kind = format::DataspaceKind::scalar;
      break;
    case Dataspace::Kind::null:
      message.kind = format::DataspaceKind::null;
      message.version = 2;
      break;
    case Dataspace::Kind::simple:
      message.kind = format::DataspaceKind::simple;
      message.dims = value.extent.dims();
      message.max_dims = value.extent.max_dims();  // HDF5 always stores them
      break;
  }
  return message;
}

namespace {

format::EncodedSelection encode_selection(const SpaceValue& value, const space::ReleaseBounds& bounds) {
  if (value.unlimited) return space::hdf5_encoding(*value.unlimited, bounds);
  if (value.is_huge() && value.is_all()) return {};
  if (value.is_huge()) return space::hdf5_encoding(huge_without_offset(value), bounds);
  return space::hdf5_encoding(selection_without_offset(value), bounds);
}

}  // namespace

std::vector<std::byte> encode_space(const SpaceValue& value, const space::ReleaseBounds& bounds) {
  const format::EncodedSelection selection = encode_selection(value, bounds);
  const Buffer bytes = space::encode_dataspace(extent_message(value), selection);
  return {bytes.begin(), bytes.end()};
}

DecodedSpace decode_space(const std::byte* bytes) {
  constexpr auto most_bytes = static_cast<std::size_t>(PTRDIFF_MAX) / 2;
  constexpr std::size_t length_at = 3,
                        most_extent_bytes = 1024;  // more than an extent of 32 dimensions needs
  if (load_word(bytes + length_at, 4) > most_extent_bytes)
    throw NestedFailure({&H5E_DATASPACE_g, &H5E_CANTDECODE_g}, "the extent is too long for one");
  space::DecodedDataspace decoded =
      space::decode_dataspace(Bytes(bytes, most_bytes), {.may_exceed_extent = true});
  DecodedSpace result;
  SpaceValue& value = result.space;
  result.bytes = decoded.bytes;
  switch (decoded.extent.kind) {
    case format::DataspaceKind::scalar:
      break;
    case format::DataspaceKind::null:
      value.extent = Dataspace::null();
      break;
    case format::DataspaceKind::simple:
      value.extent = Dataspace::simple(decoded.extent.dims,
                                       decoded.extent.max_dims.value_or(std::vector<std::uint64_t>{}));
      break;
  }
  if (value.is_huge()) {
    value.huge = std::move(decoded.selection.huge);
    return result;
  }
  value.unlimited = std::move(decoded.selection.unlimited);
  if (!value.unlimited && decoded.selection.selection.kind() != space::Selection::Kind::all)
    value.selection = std::move(decoded.selection.selection);
  return result;
}

}  // namespace filigree::capi
