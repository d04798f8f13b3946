// SPDX-License-Identifier: Apache-2.0
//
// Attributes of an object: the object of an id, and its attributes by index.
#pragma once

#include <vector>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5L/link_info.hpp"

namespace filigree::capi {

/// Returns the object of an id.
/// *Throws* bad_type() for ids of attributes, which have no attributes themselves, and for ids outside of
/// files.
Location object_location(hid_t id);
/// Returns the object at `path`, starting from the object of `id`; `access` is a link access property list.
/// *Throws* bad_type(), bad_value() for an empty path, Error(not_found).
Location object_at(hid_t id, const char* path, hid_t access);

/// Returns what H5Aget_info reports.
H5A_info_t attribute_info(const Attribute& attribute);
/// Returns all attributes of the object. Attributes without a creation order keep the order of the object
/// header.
std::vector<Attribute> attributes_of(const Location& at, const IterationOrder& order);
/// Returns the attribute with that index.
/// *Throws* NestedFailure when the object has fewer attributes.
Attribute attribute_at(const Location& at, const IterationOrder& order, hsize_t position);

}  // namespace filigree::capi
