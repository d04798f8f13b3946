// SPDX-License-Identifier: Apache-2.0
//
// The functions on filters of sections as the present prototype of structured chunks declares them. Programs
// that define H5_USE_SPARSE_PROTOTYPE_API call them by the names of the RFC's functions.
#include <algorithm>

#include "capi/H5P/plist_calls.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

/// More parameters than this never fit a list; see check_result() of the other form.
constexpr std::size_t most_parameters = 65536;

/// Returns the number of a section among those of the chunks, which lack a selection unless they are sparse.
std::uint64_t section_number(hid_t plist_id, H5_section_type_t section) {
  if (section < 0) return ~std::uint64_t{0};
  if (section == H5_SECTION_NUM) return H5_SECTION_NUM;
  const auto plist = ids().find_as<PropertyListHandle>(plist_id);
  const auto settings =
      plist ? std::dynamic_pointer_cast<const DatasetCreationSettings>(plist->settings()) : nullptr;
  const bool dense =
      settings && settings->layout == H5D_STRUCT_CHUNK && (settings->structured_kind & H5D_SPARSE_CHUNK) == 0;
  return static_cast<std::uint64_t>(section) - (dense ? 1 : 0);
}

std::size_t parameter_bytes(std::size_t count) { return std::min(count, most_parameters) * sizeof(unsigned); }

/// The arguments of the other form that differ in type, converted there and back.
struct FilterQuery {
  FilterQuery(unsigned* flags, std::size_t* count)
      : flags_(flags), count_(count), bytes(count == nullptr ? 0 : parameter_bytes(*count)) {}
  std::size_t* bytes_or_null() { return count_ == nullptr ? nullptr : &bytes; }
  void store() const {
    if (flags_ != nullptr) *flags_ = static_cast<unsigned>(wide_flags);
    if (count_ != nullptr) *count_ = bytes / sizeof(unsigned);
  }

 private:
  unsigned* flags_;
  std::size_t* count_;

 public:
  std::size_t bytes;
  std::uint64_t wide_flags = 0;
};

}  // namespace

herr_t H5Pset_filter2_prototype(hid_t plist_id, H5_section_type_t section, H5Z_filter_t filter,
                                unsigned flags, size_t cd_nelmts, const unsigned cd_values[]) {
  return H5Pset_filter2(plist_id, section_number(plist_id, section), filter, flags,
                        parameter_bytes(cd_nelmts), cd_values);
}

herr_t H5Pmodify_filter2_prototype(hid_t plist_id, H5_section_type_t section, H5Z_filter_t filter,
                                   unsigned flags, size_t cd_nelmts, const unsigned cd_values[]) {
  return H5Pmodify_filter2(plist_id, section_number(plist_id, section), filter, flags,
                           parameter_bytes(cd_nelmts), cd_values);
}

herr_t H5Premove_filter2_prototype(hid_t plist_id, H5_section_type_t section, H5Z_filter_t filter) {
  return H5Premove_filter2(plist_id, section_number(plist_id, section), filter);
}

herr_t H5Pget_nfilters2(hid_t plist_id, H5_section_type_t section, int* num_filters) {
  return H5Pget_nfilter2(plist_id, section_number(plist_id, section), num_filters);
}

H5Z_filter_t H5Pget_filter3_prototype(hid_t plist_id, H5_section_type_t section, unsigned idx,
                                      unsigned* flags, size_t* cd_nelmts, unsigned cd_values[],
                                      size_t namelen, char name[], unsigned* filter_config) {
  FilterQuery query(flags, cd_nelmts);
  const H5Z_filter_t found =
      H5Pget_filter3(plist_id, section_number(plist_id, section), idx, &query.wide_flags,
                     query.bytes_or_null(), cd_values, namelen, name, filter_config);
  if (found >= 0) query.store();
  return found;
}

herr_t H5Pget_filter_by_id3_prototype(hid_t plist_id, H5_section_type_t section, H5Z_filter_t filter,
                                      unsigned* flags, size_t* cd_nelmts, unsigned cd_values[],
                                      size_t namelen, char name[], unsigned* filter_config) {
  FilterQuery query(flags, cd_nelmts);
  const H5Z_filter_t found =
      H5Pget_filter_by_id3(plist_id, section_number(plist_id, section), filter, &query.wide_flags,
                           query.bytes_or_null(), cd_values, namelen, name, filter_config);
  if (found < 0) return -1;
  query.store();
  return 0;
}

herr_t H5Pset_struct_chunk_prototype(hid_t plist, int ndims, const hsize_t dim[], unsigned flag) {
  return H5Pset_struct_chunk(plist, ndims, dim, flag == 0 ? H5D_SPARSE_CHUNK : flag);
}
