// SPDX-License-Identifier: Apache-2.0
//
// H5DOappend.
#include <vector>

#include <hdf5_hl.h>

#include "capi/H5D/dataset_ids.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/hl/high_level.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// A dataset that grows along an axis.
struct Growth {
  Growth(hid_t dataset, unsigned along, std::size_t by) : axis(along) {
    const OwnedId space(H5Dget_space(dataset));
    size.resize(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space))));
    if (axis >= size.size()) refuse("the dataset has no such axis");
    checked(H5Sget_simple_extent_dims(space, size.data(), nullptr));
    before = size[axis];
    size[axis] += by;
    if (size[axis] < before) refuse("the dataset would become too large");
  }
  hsize_t added() const { return size[axis] - before; }

  /// Returns a dataspace that selects the new elements. *Requires* that the dataset has grown.
  OwnedId select_added(hid_t dataset) const {
    OwnedId space(H5Dget_space(dataset));
    std::vector<hsize_t> start(size.size(), 0), count = size;
    start[axis] = before;
    count[axis] = added();
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    return space;
  }
  /// Returns whether the dataset has reached or crossed a multiple of `boundary`.
  bool passes(hsize_t boundary) const { return boundary != 0 && size[axis] / boundary != before / boundary; }

  unsigned axis;
  std::vector<hsize_t> size;
  hsize_t before = 0;
};

void write_added(hid_t dataset, const Growth& growth, hid_t type, hid_t transfer, const void* buffer) {
  checked(H5Dset_extent(dataset, growth.size.data()));
  if (growth.added() == 0) return;
  const OwnedId in_file = growth.select_added(dataset);
  const auto count = static_cast<hsize_t>(checked(H5Sget_select_npoints(in_file)));
  const OwnedId in_memory(H5Screate_simple(1, &count, nullptr));
  checked(H5Dwrite(dataset, type, in_memory, in_file, transfer, buffer));
}

}  // namespace

herr_t H5DOappend(hid_t dset_id, hid_t dxpl_id, unsigned axis, size_t extension, hid_t memtype,
                  const void* buf) {
  return high_level(outer(__func__), [&](const QuietErrors& quiet) {
    const auto handle = get_dataset(dset_id, "a dataset ID");
    get_settings<TransferSettings>(dxpl_id, "a dataset transfer property list");
    Growth growth(dset_id, axis, extension);
    write_added(dset_id, growth, memtype, dxpl_id, buf);
    const DatasetAccessSettings& access = *handle->access;
    if (axis >= access.append_boundary.size() || !growth.passes(access.append_boundary[axis])) return;
    if (access.append_callback != nullptr) {
      const herr_t answer = QuietErrors::call_user_function(
          quiet, [&] { return access.append_callback(dset_id, growth.size.data(), access.append_data); });
      if (answer < 0) refuse("the callback of appends has failed");
    }
    checked(H5Dflush(dset_id));
  });
}
