// SPDX-License-Identifier: Apache-2.0
//
// Dataspaces: extents.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "capi/H5P/property_list.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/core/nested_error.hpp"
#include "space/encoding.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

const Code cannot_create{&H5E_DATASPACE_g, &H5E_CANTCREATE_g};
const Code cannot_get{&H5E_DATASPACE_g, &H5E_CANTGET_g};
const Code cannot_set{&H5E_DATASPACE_g, &H5E_CANTINIT_g};

Dataspace simple_extent(int rank, const hsize_t* dims, const hsize_t* maxima) {
  if (rank < 0) bad_value("dimensionality cannot be negative");
  if (rank > H5S_MAX_RANK) bad_value("dimensionality is too large");
  if (rank > 0 && dims == nullptr) bad_value("invalid dataspace information");
  if (rank == 0) return Dataspace::scalar();
  for (int d = 0; d < rank; ++d) {
    if (dims[d] == H5S_UNLIMITED) bad_value("current dimension must have a specific size, not H5S_UNLIMITED");
    if (maxima != nullptr && maxima[d] != H5S_UNLIMITED && maxima[d] < dims[d])
      bad_value("maxdims is smaller than dims");
  }
  std::vector<std::uint64_t> most;
  if (maxima != nullptr) most.assign(maxima, maxima + rank);
  return Dataspace::simple({dims, dims + rank}, std::move(most));
}

/// Sets the extent. H5S_ALL follows the extent; other selections stay as they are.
void set_extent(SpaceValue& value, Dataspace extent) {
  if (extent.dims().size() != value.rank()) value.offset.clear();
  value.extent = std::move(extent);
  value.has_extent = true;
}

space::ReleaseBounds release_bounds(hid_t fapl) {
  const auto settings = get_settings<FileAccessSettings>(fapl, "a file access property list");
  const auto release = [](H5F_libver_t version) {
    return static_cast<space::Release>(
        std::clamp(static_cast<int>(version), 0, static_cast<int>(space::Release::latest)));
  };
  return {release(settings->low), release(settings->high)};
}

herr_t encode(const SpaceValue& value, void* buf, size_t* nalloc, const space::ReleaseBounds& bounds) {
  required(nalloc, "nalloc");
  const std::vector<std::byte> bytes = encode_space(value, bounds);
  // Like HDF5, this stores the size only when the buffer is missing or too small.
  if (buf != nullptr && *nalloc >= bytes.size()) {
    std::memcpy(buf, bytes.data(), bytes.size());
  } else {
    *nalloc = bytes.size();
  }
  return 0;
}

/// Runs `work`, and reports an id of another type as an id that does not exist.
template <class Work>
auto found(Work&& work) {
  return with_error_code({&H5E_ID_g, &H5E_BADID_g}, std::forward<Work>(work));
}

}  // namespace

hid_t H5Screate(H5S_class_t type) {
  return api_call({__func__, cannot_create, "unable to create dataspace"}, [&] {
    SpaceValue value;
    switch (type) {
      case H5S_SCALAR:
        break;
      case H5S_NULL:
        value.extent = Dataspace::null();
        break;
      case H5S_SIMPLE:
        value.has_extent = false;
        break;
      default:
        bad_value("invalid dataspace type");
    }
    return add_space(std::move(value));
  });
}

hid_t H5Screate_simple(int rank, const hsize_t dims[], const hsize_t maxdims[]) {
  return api_call({__func__, cannot_create, "can't create simple dataspace"},
                  [&] { return add_space(space_of(simple_extent(rank, dims, maxdims))); });
}

herr_t H5Sset_extent_simple(hid_t space_id, int rank, const hsize_t dims[], const hsize_t max[]) {
  return api_call({__func__, cannot_set, "unable to set simple extent"}, [&] {
    const auto handle = found([&] { return get_space_handle(space_id); });
    Dataspace extent = simple_extent(rank, dims, max);
    handle->value.change([&](SpaceValue& value) { set_extent(value, std::move(extent)); });
  });
}

herr_t H5Sset_extent_none(hid_t space_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTDELETE_g}, "can't reset previous extent"}, [&] {
    found([&] { return get_space_handle(space_id); })->value.change([](SpaceValue& value) {
      set_extent(value, Dataspace::null());
    });
  });
}

hid_t H5Scopy(hid_t space_id) {
  return api_call({__func__, cannot_create, "unable to copy dataspace"},
                  [&] { return add_space(*get_space(space_id)); });
}

herr_t H5Sclose(hid_t space_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTDEC_g}, "problem freeing id"}, [&] {
    get_space_handle(space_id);
    ids().release(space_id);
  });
}

herr_t H5Sextent_copy(hid_t dst_id, hid_t src_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTCOPY_g}, "can't copy extent"}, [&] {
    const auto to = get_space_handle(dst_id);
    const auto from = get_space(src_id);
    to->value.change([&](SpaceValue& value) {
      set_extent(value, from->extent);
      value.has_extent = from->has_extent;
    });
  });
}

htri_t H5Sextent_equal(hid_t space1_id, hid_t space2_id) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTCOMPARE_g}, "dataspace comparison failed"}, [&] {
    const auto a = get_space(space1_id), b = get_space(space2_id);
    return htri_t{a->extent == b->extent && a->has_extent == b->has_extent};
  });
}

htri_t H5Sis_simple(hid_t space_id) {
  return api_call({__func__, cannot_get, "can't look at dataspace"}, [&] {
    const auto value = found([&] { return get_space(space_id); });
    return htri_t{value->extent.kind() != Dataspace::Kind::null};
  });
}

H5S_class_t H5Sget_simple_extent_type(hid_t space_id) {
  return api_call_or(H5S_NO_CLASS, {__func__, cannot_get, "can't look at dataspace"}, [&] {
    const auto value = get_space(space_id);
    if (!value->has_extent) return H5S_SIMPLE;
    switch (value->extent.kind()) {
      case Dataspace::Kind::scalar:
        return H5S_SCALAR;
      case Dataspace::Kind::null:
        return H5S_NULL;
      case Dataspace::Kind::simple:
        break;
    }
    return H5S_SIMPLE;
  });
}

int H5Sget_simple_extent_ndims(hid_t space_id) {
  return api_call({__func__, cannot_get, "can't look at dataspace"},
                  [&] { return static_cast<int>(get_space(space_id)->rank()); });
}

int H5Sget_simple_extent_dims(hid_t space_id, hsize_t dims[], hsize_t maxdims[]) {
  return api_call({__func__, cannot_get, "can't look at dataspace"}, [&] {
    const auto value = get_space(space_id);
    if (dims != nullptr) std::ranges::copy(value->extent.dims(), dims);
    if (maxdims != nullptr) std::ranges::copy(value->extent.max_dims(), maxdims);
    return static_cast<int>(value->rank());
  });
}

hssize_t H5Sget_simple_extent_npoints(hid_t space_id) {
  return api_call({__func__, cannot_get, "can't look at dataspace"},
                  [&] { return static_cast<hssize_t>(extent_elements(*get_space(space_id))); });
}

herr_t H5Soffset_simple(hid_t space_id, const hssize_t* offset) {
  return api_call({__func__, cannot_set, "can't set offset"}, [&] {
    const auto handle = found([&] { return get_space_handle(space_id); });
    const std::size_t rank = handle->value.get()->rank();
    if (rank == 0)
      throw Failure({&H5E_ID_g, &H5E_UNSUPPORTED_g}, "can't set offset on scalar or null dataspace");
    required(offset, "offset");
    handle->value.change([&](SpaceValue& value) { value.offset.assign(offset, offset + rank); });
  });
}

herr_t H5Sencode2(hid_t obj_id, void* buf, size_t* nalloc, hid_t fapl) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTENCODE_g}, "can't encode dataspace"},
                  [&] { return encode(*get_space(obj_id), buf, nalloc, release_bounds(fapl)); });
}

herr_t H5Sencode1(hid_t obj_id, void* buf, size_t* nalloc) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTENCODE_g}, "can't encode dataspace"}, [&] {
    return encode(*get_space(obj_id), buf, nalloc, {space::Release::earliest, space::Release::latest});
  });
}

hid_t H5Sdecode(const void* buf) {
  return api_call({__func__, {&H5E_DATASPACE_g, &H5E_CANTDECODE_g}, "can't decode object"}, [&] {
    return add_space(decode_space(static_cast<const std::byte*>(required(buf, "empty buffer"))).space);
  });
}
