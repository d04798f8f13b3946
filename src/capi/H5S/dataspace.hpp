// SPDX-License-Identifier: Apache-2.0
//
// Dataspaces: an extent and a selection.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <filigree/dataspace.hpp>
#include <filigree/selection.hpp>

#include "capi/H5S/shared_space.hpp"
#include "capi/H5S/space_value.hpp"
#include "capi/core/ids.hpp"
#include "format/messages/dataspace.hpp"
#include "space/encoding.hpp"
#include "space/selection.hpp"
#include "space/unlimited_slab.hpp"

namespace filigree::capi {

/// The handle of a dataspace id.
class SpaceHandle final : public Handle {
 public:
  explicit SpaceHandle(SpaceValue made) : value(std::move(made)) {}
  H5I_type_t type() const override { return H5I_DATASPACE; }
  SharedSpace value;
};

/// *Throws* bad_type().
std::shared_ptr<SpaceHandle> get_space_handle(hid_t id);
std::shared_ptr<const SpaceValue> get_space(hid_t id);
/// Returns a new id.
hid_t add_space(SpaceValue value);

/// Returns a dataspace with that extent, in which everything is selected.
SpaceValue space_of(const Dataspace& extent);
/// Returns the extent as a frame. It has one element for scalars, and none for null dataspaces and missing
/// extents.
space::Frame frame_of(const SpaceValue& value);
/// Selects no element.
void select_nothing(SpaceValue& value);
/// Returns the selection as it was made, without the offset.
space::Selection selection_without_offset(const SpaceValue& value);
/// Returns the selection with its offset. *Throws* Failure for selections that exceed the extent.
space::Selection valid_selection(const SpaceValue& value, const char* what);
/// Returns the dataspace with the offset as part of its selection, which may exceed the extent. *Throws*
/// Failure for selections that would begin before the origin.
SpaceValue with_offset_applied(const SpaceValue& value);
/// Returns the number of elements of the extent modulo 2^64, as HDF5 does.
std::uint64_t extent_elements(const SpaceValue& value);
/// Returns the selection of an extent of 2^64 elements or more, without the offset. *Throws* Error(limit) for
/// all elements.
space::HugeSelection huge_without_offset(const SpaceValue& value);
/// Returns it with its offset. *Throws* Failure for selections that exceed the extent.
space::HugeSelection valid_huge_selection(const SpaceValue& value, const char* what);
/// Returns whether the selection with its offset is within the extent.
bool selection_is_valid(const SpaceValue& value);
/// Returns valid_selection() in the type of the C++ API.
Selection public_selection(const SpaceValue& value, const char* what);
/// Returns the number of selected elements.
std::uint64_t selected_elements(const SpaceValue& value);

/// Returns the slab of the arguments of H5Sselect_hyperslab. Null strides and blocks are ones. *Throws*
/// bad_value().
std::vector<space::SlabDimension> slab_dimensions(std::size_t rank, const hsize_t* start,
                                                  const hsize_t* stride, const hsize_t* count,
                                                  const hsize_t* block);
/// Returns the operator of a combination. *Throws* NestedFailure for other operators, H5S_SELECT_SET
/// included.
space::SetOperator set_operator(H5S_seloper_t op);
/// Applies the operator of H5Sselect_hyperslab. *Throws* the same Failure as HDF5.
void select_slab(SpaceValue& value, H5S_seloper_t op, const std::vector<space::SlabDimension>& slab);
/// Computes `a op b` for H5Scombine_select and H5Smodify_select.
void combine_selections(SpaceValue& a, H5S_seloper_t op, const SpaceValue& b);

/// Returns the dataspace message of the extent.
format::DataspaceMessage extent_message(const SpaceValue& value);

/// Returns the encoded form of H5Sencode.
std::vector<std::byte> encode_space(const SpaceValue& value,
                                    const space::ReleaseBounds& bounds = {space::Release::earliest,
                                                                          space::Release::latest});
/// A dataspace in encoded form that was decoded.
struct DecodedSpace {
  SpaceValue space;
  std::size_t bytes = 0;  ///< number of bytes that were read
};
/// Decodes a dataspace. The number of bytes is not known; no more are read than the description requires.
DecodedSpace decode_space(const std::byte* bytes);

}  // namespace filigree::capi
