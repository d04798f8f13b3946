// SPDX-License-Identifier: Apache-2.0
//
// Filters: availability, and user-defined filters.
#include <fmt/format.h>

#include "capi/H5Z/filters.hpp"

namespace filigree::capi {
namespace {

Code cannot_get() { return {&H5E_PLINE_g, &H5E_CANTGET_g}; }
Code cannot_set() { return {&H5E_PLINE_g, &H5E_CANTINIT_g}; }

bool is_number(H5Z_filter_t id) { return id >= 0 && id <= H5Z_FILTER_MAX; }

/// Checks that a filter id is in the range for user-defined filters.
void check_user_filter(H5Z_filter_t id) {
  if (!is_number(id)) bad_value(fmt::format("invalid filter number {}", id));
  if (id < H5Z_FILTER_RESERVED) bad_value(fmt::format("filter {} belongs to the library", id));
}

/// Returns the current version of a filter class. The oldest version has no version field.
H5Z_class2_t to_class2(const void* given) {
  const auto& present = *static_cast<const H5Z_class2_t*>(given);
  if (present.version == H5Z_CLASS_T_VERS) return present;
  const auto& old = *static_cast<const H5Z_class1_t*>(given);
  return {H5Z_CLASS_T_VERS, old.id, 1, 1, old.name, old.can_apply, old.set_local, old.filter};
}

/// The filter is part of the library, which does not need its class.
std::size_t refuse_szip(unsigned, std::size_t, const unsigned*, std::size_t, std::size_t*, void**) {
  return api_call_or(std::size_t{0}, {"H5Z_SZIP", cannot_set(), "unable to call the filter"},
                     []() -> std::size_t { bad_value("the szip filter is called by the library only"); });
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;

// netCDF's configure script looks for this symbol to know whether there is an szip filter.
extern "C" {
H5_DLLVAR const H5Z_class2_t H5Z_SZIP[1];
}
const H5Z_class2_t H5Z_SZIP[1] = {
    {H5Z_CLASS_T_VERS, H5Z_FILTER_SZIP, 1, 1, "szip", nullptr, nullptr, refuse_szip}};

htri_t H5Zfilter_avail(H5Z_filter_t id) {
  return api_call({"H5Zfilter_avail", {&H5E_PLINE_g, &H5E_NOTFOUND_g}, "unable to look for the filter"}, [&] {
    if (!is_number(id)) bad_value(fmt::format("invalid filter number {}", id));
    return htri_t{filigree::filters::find(static_cast<std::uint16_t>(id)).has_value()};
  });
}

herr_t H5Zget_filter_info(H5Z_filter_t filter, unsigned int* filter_config_flags) {
  return api_call({"H5Zget_filter_info", cannot_get(), "unable to describe the filter"}, [&] {
    const auto found = is_number(filter) ? filter_configuration(filter) : std::optional<unsigned>();
    if (!found) throw Failure(cannot_get(), fmt::format("there is no filter {}", filter));
    if (filter_config_flags != nullptr) *filter_config_flags = *found;
  });
}

herr_t H5Zregister(const void* cls) {
  return api_call({"H5Zregister", cannot_set(), "unable to register the filter"}, [&] {
    const H5Z_class2_t filter = to_class2(required(cls, "cls"));
    check_user_filter(filter.id);
    if (filter.filter == nullptr) bad_value("the class has no filter function");
    register_filter(filter);
  });
}

herr_t H5Zunregister(H5Z_filter_t id) {
  return api_call({"H5Zunregister", cannot_set(), "unable to unregister the filter"}, [&] {
    check_user_filter(id);
    if (!unregister_filter(id))
      throw Failure(cannot_set(), fmt::format("filter {} is not one of the program", id));
  });
}
