// SPDX-License-Identifier: Apache-2.0
//
// Dataspaces of programs: an extent and what is selected of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <filigree/dataspace.hpp>
#include <filigree/selection.hpp>

#include "capi/core/guarded.hpp"
#include "capi/core/ids.hpp"
#include "format/messages/dataspace.hpp"
#include "space/encoding.hpp"
#include "space/selection.hpp"
#include "space/unlimited_slab.hpp"

namespace filigree::capi {

struct SpaceValue {
  Dataspace extent;
  bool has_extent = true;  ///< false: a simple space whose dimensions are still to be set
  /// None: everything. Others have frames of their own, because they may reach beyond the extent until they
  /// are used.
  std::optional<space::Selection> selection;
  std::optional<space::UnlimitedSlab> unlimited;  ///< counts instead of `selection`
  std::vector<std::int64_t> offset;               ///< of the selection (H5Soffset_simple); empty: none

  std::size_t rank() const { return extent.dims().size(); }
  bool is_all() const { return !selection && !unlimited; }
};

class SpaceHandle final : public Handle {
 public:
  explicit SpaceHandle(SpaceValue made) : value(std::move(made)) {}
  H5I_type_t type() const override { return H5I_DATASPACE; }
  Guarded<SpaceValue> value;
};

/// Throws bad_type().
std::shared_ptr<SpaceHandle> get_space_handle(hid_t id);
std::shared_ptr<const SpaceValue> get_space(hid_t id);
hid_t add_space(SpaceValue value);

SpaceValue space_of(const Dataspace& extent);
/// The whole extent as a frame: that of scalars has one element, of null spaces and missing extents none.
space::Frame frame_of(const SpaceValue& value);
/// What is selected, everything included, as it was selected: without the offset.
space::Selection stated_selection(const SpaceValue& value);
/// What is selected, offset applied, within the extent. Throws Failure when some of it is outside.
space::Selection valid_selection(const SpaceValue& value, const char* what);
bool selection_is_valid(const SpaceValue& value);
/// valid_selection() for the C++ API.
Selection public_selection(const SpaceValue& value, const char* what);
std::uint64_t selected_elements(const SpaceValue& value);

/// `dims` as H5Sselect_hyperslab gets them; null strides and blocks are ones. Throws bad_value().
std::vector<space::SlabDimension> slab_dimensions(std::size_t rank, const hsize_t* start,
                                                  const hsize_t* stride, const hsize_t* count,
                                                  const hsize_t* block);
/// Applies the operator of a hyperslab selection; throws Failure as stock does.
void select_slab(SpaceValue& value, H5S_seloper_t op, const std::vector<space::SlabDimension>& slab);
/// `a op b` for H5Scombine_select and H5Smodify_select.
void combine_selections(SpaceValue& a, H5S_seloper_t op, const SpaceValue& b);

format::DataspaceMessage extent_message(const SpaceValue& value);

/// As H5Sencode writes it.
std::vector<std::byte> encode_space(const SpaceValue& value,
                                    const space::ReleaseBounds& bounds = {space::Release::earliest,
                                                                          space::Release::latest});
struct DecodedSpace {
  SpaceValue space;
  std::size_t bytes = 0;  ///< that it took
};
/// How many bytes there are is not said. No more are looked at than the description asks for.
DecodedSpace decode_space(const std::byte* bytes);

}  // namespace filigree::capi
