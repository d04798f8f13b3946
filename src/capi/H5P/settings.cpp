// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/settings.hpp"

#include <algorithm>
#include <tuple>
#include <typeinfo>

#include "capi/H5P/library_property.hpp"

namespace filigree::capi {
namespace {

/// Calls `visit` for the properties of the settings until it returns false, which is returned.
template <class Visit>
bool for_each_property(const Settings& settings, Visit visit) {
  for (const PlistLineage* from = &settings.lineage(); from != nullptr; from = from->parent)
    for (const LibraryProperty& row : library_properties(from->type))
      if (!visit(row)) return false;
  return true;
}

}  // namespace

bool Settings::same(const Settings& other) const {
  return typeid(*this) == typeid(other) && for_each_property(*this, [&](const LibraryProperty& row) {
           return row.equal == nullptr || row.equal(*this, other);
         });
}

void Settings::make_own_copies() {
  for_each_property(*this, [&](const LibraryProperty& row) {
    if (row.copy != nullptr) row.copy(*this);
    return true;
  });
  keep_copied();
}

void Settings::keep_created() {
  for_each_property(*this, [&](const LibraryProperty& row) {
    if (row.on_creation) keep({row.name});
    return true;
  });
}

void Settings::keep_copied() {
  for_each_property(*this, [&](const LibraryProperty& row) {
    if (row.on_copy) keep({row.name});
    return true;
  });
}

bool SlabOperation::operator==(const SlabOperation& other) const {
  const auto values = [](const space::SlabDimension& d) {
    return std::tuple(d.start, d.stride, d.count, d.block);
  };
  return op == other.op && std::ranges::equal(slab, other.slab, {}, values, values);
}

bool needs_elements(H5Z_filter_t id) {
  return id == H5Z_FILTER_NBIT || id == H5Z_FILTER_SCALEOFFSET || id == H5Z_FILTER_SZIP;
}

H5D_alloc_time_t usual_allocation(H5D_layout_t layout) {
  switch (layout) {
    case H5D_COMPACT:
      return H5D_ALLOC_TIME_EARLY;
    case H5D_CHUNKED:
    case H5D_VIRTUAL:
    case H5D_STRUCT_CHUNK:
      return H5D_ALLOC_TIME_INCR;
    default:
      return H5D_ALLOC_TIME_LATE;
  }
}

}  // namespace filigree::capi
