// SPDX-License-Identifier: Apache-2.0
#include "capi/hl/elements.hpp"

#include <limits>

#include "capi/H5R/references.hpp"
#include "capi/H5T/datatype.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

std::size_t packed_bytes(hid_t type, std::size_t count) {
  const std::size_t each = H5Tget_size(type);
  if (each == 0) throw NestedCallFailed();
  if (count > std::numeric_limits<std::size_t>::max() / each)
    refuse(std::to_string(count) + " elements of " + std::to_string(each) + " bytes do not fit into memory");
  return each * count;
}

/// Returns whether elements may own memory. Strings of any kind count, because HDF5's query of classes does
/// not tell them apart.
bool may_own_memory(hid_t type) {
  for (const H5T_class_t of : {H5T_VLEN, H5T_STRING, H5T_REFERENCE})
    if (checked(H5Tdetect_class(type, of)) > 0) return true;
  return false;
}

}  // namespace

void reclaim_elements(hid_t type_id, void* elements, std::size_t count) noexcept {
  if (count == 0) return;
  try {
    const auto message = get_type(type_id)->value.get();
    auto* const first = static_cast<std::byte*>(elements);
    reclaim_references(*message, first, count);
    type::reclaim(*message, first, count, nullptr);
  } catch (...) {  // The memory is lost, which is no reason to fail.
  }
}

Elements::Elements(hid_t type, std::size_t count)
    : type_(type), count_(count), bytes_(packed_bytes(type, count)), owns_(may_own_memory(type)) {}

}  // namespace filigree::capi
