// SPDX-License-Identifier: Apache-2.0
//
// What the functions of attributes share.
#pragma once

#include <vector>

#include "capi/H5F/open_file.hpp"
#include "capi/H5L/link_info.hpp"

namespace filigree::capi {

/// The object of an id: anything but an attribute. Throws bad_type().
Location object_location(hid_t id);
/// The object at a path from there.
Location object_at(hid_t id, const char* path, hid_t access);

H5A_info_t attribute_info(const Attribute& attribute);
std::vector<Attribute> attributes_of(const Location& at, const IterationOrder& order);
/// Throws NestedFailure when there are not so many.
Attribute attribute_at(const Location& at, const IterationOrder& order, hsize_t position);

}  // namespace filigree::capi
