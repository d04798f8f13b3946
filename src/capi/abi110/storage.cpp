// SPDX-License-Identifier: Apache-2.0
//
// How much of a chunked dataset has storage. Later releases count chunks. HDF5 1.10 compares sizes in bytes,
// so filtered chunks and partial edge chunks make a dataset look partly allocated.
#include <hdf5.h>

#include "capi/abi110/next.hpp"
#include "capi/abi110/owned_id.hpp"

using filigree::abi110::OwnedId;

namespace {

hsize_t file_bytes(hid_t type);

/// The size in memory, with what members of variable length need more or less in the file.
hsize_t compound_file_bytes(hid_t type) {
  hsize_t bytes = H5Tget_size(type);
  const int members = H5Tget_nmembers(type);
  for (int i = 0; i < members; ++i) {
    const OwnedId member(H5Tget_member_type(type, static_cast<unsigned>(i)));
    bytes += file_bytes(member) - H5Tget_size(member);
  }
  return bytes;
}

/// The size of an element in a file with addresses of 8 bytes: a value of variable length has a length, an
/// address and an index there.
hsize_t file_bytes(hid_t type) {
  constexpr hsize_t variable_bytes = 4 + 8 + 4;
  const hsize_t bytes = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_VLEN:
      return variable_bytes;
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? variable_bytes : bytes;
    case H5T_COMPOUND:
      return compound_file_bytes(type);
    case H5T_ARRAY: {
      const OwnedId base(H5Tget_super(type));
      return bytes / H5Tget_size(base) * file_bytes(base);
    }
    default:
      return bytes;
  }
}

bool is_chunked(hid_t dataset) {
  const OwnedId plist(H5Dget_create_plist(dataset));
  return H5Pget_layout(plist) == H5D_CHUNKED;
}

bool is_size_of_all_elements(hid_t dataset, hsize_t bytes) {
  const OwnedId type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  const auto elements = static_cast<hsize_t>(H5Sget_simple_extent_npoints(space));
  const hsize_t element_bytes = file_bytes(type);
  return bytes % element_bytes == 0 && bytes / element_bytes == elements;
}

}  // namespace

extern "C" {

H5_DLL herr_t H5Dget_space_status(hid_t dset_id, H5D_space_status_t* allocation) {
  const herr_t result = FILIGREE_NEXT(H5Dget_space_status)(dset_id, allocation);
  if (result < 0 || allocation == nullptr || *allocation == H5D_SPACE_STATUS_NOT_ALLOCATED) return result;
  if (!is_chunked(dset_id)) return result;
  const bool all = is_size_of_all_elements(dset_id, H5Dget_storage_size(dset_id));
  *allocation = all ? H5D_SPACE_STATUS_ALLOCATED : H5D_SPACE_STATUS_PART_ALLOCATED;
  return result;
}

}  // extern "C"
