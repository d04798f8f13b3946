// SPDX-License-Identifier: Apache-2.0
//
// Enumerations that have more values in later releases. Programs of HDF5 1.10 get and set those of 1.10 only.
#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include <hdf5.h>

#include "capi/abi110/next.hpp"

namespace {

constexpr H5F_libver_t latest_110 = H5F_LIBVER_V110;
constexpr H5D_layout_t layouts_110 = static_cast<H5D_layout_t>(H5D_VIRTUAL + 1);

/// The upper bound that 1.10 calls the latest release sets no limit.
H5F_libver_t upper_bound(H5F_libver_t high) { return high == latest_110 ? H5F_LIBVER_LATEST : high; }

H5F_libver_t known_bound(H5F_libver_t bound) { return bound > latest_110 ? latest_110 : bound; }

/// Values that 1.10 does not have fail as any other invalid value does.
H5F_libver_t checked_bound(H5F_libver_t bound) { return bound > latest_110 ? H5F_LIBVER_NBOUNDS : bound; }

bool is_bound(const char* name) {
  return name != nullptr &&
         (std::strcmp(name, "libver_low_bound") == 0 || std::strcmp(name, "libver_high_bound") == 0);
}

/// An encoded property is its name, a NUL and its value; this one has a single byte. Link access property
/// lists contain a file access property list.
void lower_encoded_bounds(std::span<char> encoded) {
  constexpr std::string_view name("libver_high_bound\0", 18);
  for (auto found = std::ranges::search(encoded, name); !found.empty() && found.end() != encoded.end();
       found = std::ranges::search(found.end(), encoded.end(), name.begin(), name.end())) {
    char& bound = *found.end();
    bound = static_cast<char>(known_bound(static_cast<H5F_libver_t>(bound)));
  }
}

bool is_file_access(hid_t plist) { return H5Pisa_class(plist, H5P_FILE_ACCESS) > 0; }

void raise_bound(hid_t plist) {
  H5F_libver_t low, high;
  if (FILIGREE_NEXT(H5Pget_libver_bounds)(plist, &low, &high) >= 0)
    FILIGREE_NEXT(H5Pset_libver_bounds)(plist, low, upper_bound(high));
}

}  // namespace

extern "C" {

H5_DLL herr_t H5Pset_libver_bounds(hid_t plist_id, H5F_libver_t low, H5F_libver_t high) {
  return FILIGREE_NEXT(H5Pset_libver_bounds)(plist_id, checked_bound(low), upper_bound(checked_bound(high)));
}

H5_DLL herr_t H5Pget_libver_bounds(hid_t plist_id, H5F_libver_t* low, H5F_libver_t* high) {
  const herr_t result = FILIGREE_NEXT(H5Pget_libver_bounds)(plist_id, low, high);
  if (result >= 0 && low != nullptr) *low = known_bound(*low);
  if (result >= 0 && high != nullptr) *high = known_bound(*high);
  return result;
}

H5_DLL herr_t H5Fset_libver_bounds(hid_t file_id, H5F_libver_t low, H5F_libver_t high) {
  return FILIGREE_NEXT(H5Fset_libver_bounds)(file_id, checked_bound(low), upper_bound(checked_bound(high)));
}

H5_DLL herr_t H5Pget(hid_t plist_id, const char* name, void* value) {
  const herr_t result = FILIGREE_NEXT(H5Pget)(plist_id, name, value);
  if (result >= 0 && is_bound(name) && is_file_access(plist_id)) {
    auto* const bound = static_cast<H5F_libver_t*>(value);
    *bound = known_bound(*bound);
  }
  return result;
}

#undef H5Pencode
/// The bytes can be decoded by HDF5 1.10.
H5_DLL herr_t H5Pencode(hid_t plist_id, void* buf, size_t* nalloc) {
  const size_t capacity = nalloc == nullptr ? 0 : *nalloc;
  const herr_t result = H5Pencode1(plist_id, buf, nalloc);
  if (result >= 0 && buf != nullptr && *nalloc <= capacity)
    lower_encoded_bounds({static_cast<char*>(buf), *nalloc});
  return result;
}

/// The bound that 1.10 calls the latest is the latest of the decoded list as well.
H5_DLL hid_t H5Pdecode(const void* buf) {
  const hid_t plist = FILIGREE_NEXT(H5Pdecode)(buf);
  if (plist < 0) return plist;
  if (is_file_access(plist)) raise_bound(plist);
  if (H5Pisa_class(plist, H5P_LINK_ACCESS) <= 0) return plist;
  const hid_t of_external_links = H5Pget_elink_fapl(plist);
  if (of_external_links <= 0) return plist;
  raise_bound(of_external_links);
  H5Pset_elink_fapl(plist, of_external_links);
  H5Pclose(of_external_links);
  return plist;
}

/// Structured chunks are a kind of chunks for programs that do not know them.
H5_DLL H5D_layout_t H5Pget_layout(hid_t plist_id) {
  const H5D_layout_t layout = FILIGREE_NEXT(H5Pget_layout)(plist_id);
  return layout >= layouts_110 ? H5D_CHUNKED : layout;
}

H5_DLL int H5Pget_chunk(hid_t plist_id, int max_ndims, hsize_t dim[]) {
  if (FILIGREE_NEXT(H5Pget_layout)(plist_id) != H5D_STRUCT_CHUNK)
    return FILIGREE_NEXT(H5Pget_chunk)(plist_id, max_ndims, dim);
  unsigned kind = 0;
  return H5Pget_struct_chunk(plist_id, max_ndims, dim, &kind);
}

H5_DLL herr_t H5Pset_layout(hid_t plist_id, H5D_layout_t layout) {
  return FILIGREE_NEXT(H5Pset_layout)(plist_id, layout >= layouts_110 ? H5D_NLAYOUTS : layout);
}

/// Complex numbers are a class of later releases.
H5_DLL htri_t H5Tdetect_class(hid_t type, H5T_class_t cls) {
  return FILIGREE_NEXT(H5Tdetect_class)(type, cls >= H5T_COMPLEX ? H5T_NCLASSES : cls);
}

/// What H5get_alloc_stats fills in. Only builds of HDF5 that check allocations count anything.
struct H5_alloc_stats_t {
  unsigned long long total_alloc_bytes;
  size_t curr_alloc_bytes, peak_alloc_bytes, max_block_size;
  size_t total_alloc_blocks_count, curr_alloc_blocks_count, peak_alloc_blocks_count;
};

H5_DLL herr_t H5get_alloc_stats(H5_alloc_stats_t* stats) {
  if (stats != nullptr) *stats = {};
  return stats == nullptr ? -1 : 0;
}

}  // extern "C"
