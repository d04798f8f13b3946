// SPDX-License-Identifier: Apache-2.0
#include "capi/H5A/attributes.hpp"

#include <algorithm>

#include "capi/H5G/traverse.hpp"

namespace filigree::capi {

Location object_location(hid_t id) {
  if (IdTable::type_of(id) == H5I_ATTR && ids().find(id) != nullptr)
    bad_type("location is not valid for an attribute");
  return location(id);
}

Location object_at(hid_t id, const char* path, hid_t access) {
  const Location start = object_location(id);
  return traverse(start, required_string(path, "obj_name"), link_access(access));
}

H5A_info_t attribute_info(const Attribute& attribute) {
  H5A_info_t info{};
  const auto order = attribute.creation_order();
  info.corder_valid = order.has_value();
  info.corder = order ? static_cast<H5O_msg_crt_idx_t>(*order) : 0;
  info.cset = attribute.charset() == CharacterSet::utf8 ? H5T_CSET_UTF8 : H5T_CSET_ASCII;
  info.data_size = attribute.elements() * attribute.datatype().size();
  return info;
}

std::vector<Attribute> attributes_of(const Location& at, const IterationOrder& order) {
  if (order.by == IndexBy::name || at.object.attribute_storage().track_order)
    return at.object.attributes(order.by, order.direction);
  // Without creation order indexes, a compact object header keeps its attributes in the order of their
  // creation.
  std::vector<Attribute> all = at.object.attributes(IndexBy::name, Direction::native);
  if (order.direction == Direction::descending) std::ranges::reverse(all);
  return all;
}

Attribute attribute_at(const Location& at, const IterationOrder& order, hsize_t position) {
  std::vector<Attribute> all = attributes_of(at, order);
  if (position >= all.size()) throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "invalid index specified");
  return all[position];
}

}  // namespace filigree::capi
