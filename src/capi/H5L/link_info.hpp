// SPDX-License-Identifier: Apache-2.0
//
// Information on links and objects, for the functions of H5L, H5G and H5O.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "capi/H5G/traverse.hpp"
#include "capi/H5L/iteration_order.hpp"

namespace filigree::capi {

/// Returns the value of a soft, external or user-defined link, as H5Lget_val does.
std::vector<std::byte> link_value(const Link& link);
/// Returns the size of the value. Classes of user-defined links may report another size.
std::size_t link_value_bytes(const Link& link);
/// Copies the part of the value that fits.
void copy_link_value(const Link& link, void* buffer, std::size_t size);

/// Return the structures of H5Lget_info1 and H5Lget_info2.
H5L_info1_t link_info1(const Link& link);
H5L_info2_t link_info2(const Link& link);

/// Returns the token of an object: its address in the first bytes.
H5O_token_t token_of(std::uint64_t address);
/// Returns the address in a token. *Throws* Failure for tokens that are not those of an object.
std::uint64_t address_of(const H5O_token_t& token);

/// Returns the object type of the C API.
H5O_type_t object_type(ObjectKind kind);
/// Return the structures of H5Oget_info1, H5Oget_info3 and H5Oget_native_info; `fields` are H5O_INFO_*.
H5O_info1_t object_info1(const Location& at, unsigned fields);
H5O_info2_t object_info2(const Location& at, unsigned fields);
H5O_native_info_t native_info(const Location& at, unsigned fields);

/// Returns all links of a group. *Throws* Failure when the group does not keep that order.
std::vector<Link> links_of(const Location& group, const IterationOrder& order);
/// Returns the link with that index. *Throws* Failure when the group has fewer links.
Link link_at(const Location& group, const IterationOrder& order, hsize_t position);

/// Calls `visit` for the links from `*position` on until it returns a value other than 0, which is returned.
/// `*position` is set to the next link.
herr_t iterate_links(const Location& group, const IterationOrder& order, hsize_t* position,
                     const std::function<herr_t(const Link&)>& visit);
/// Visits all links below a group. Each group is entered once. The paths are relative.
herr_t visit_links(
    const Location& start, const IterationOrder& order,
    const std::function<herr_t(const std::string& path, const Location& group, const Link&)>& visit);
/// Visits the object and all objects below it, each once.
herr_t visit_objects(const Location& start, const IterationOrder& order,
                     const std::function<herr_t(const std::string& path, const Location& at)>& visit);

}  // namespace filigree::capi
