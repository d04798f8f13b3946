// SPDX-License-Identifier: Apache-2.0
//
// What the functions of H5L, H5G and H5O tell of links and objects.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "capi/H5G/traverse.hpp"
#include "capi/H5L/iteration_order.hpp"

namespace filigree::capi {

/// The value of a link that is not hard, as H5Lget_val gives it.
std::vector<std::byte> link_value(const Link& link);
/// Its size; classes of user-defined links may have their own idea of it.
std::size_t link_value_bytes(const Link& link);
/// Writes as much of the value as fits.
void copy_link_value(const Link& link, void* buffer, std::size_t size);

H5L_info1_t link_info1(const Link& link);
H5L_info2_t link_info2(const Link& link);

H5O_token_t token_of(std::uint64_t address);
/// Throws Failure for tokens that cannot be of an object of the file.
std::uint64_t address_of(const H5O_token_t& token);

H5O_type_t object_type(ObjectKind kind);
H5O_info1_t object_info1(const Location& at, unsigned fields);
H5O_info2_t object_info2(const Location& at, unsigned fields);
H5O_native_info_t native_info(const Location& at, unsigned fields);

/// All links of a group as they are now. Throws Failure for an order that it does not keep.
std::vector<Link> links_of(const Location& group, const IterationOrder& order);
/// Throws Failure when there are not so many.
Link link_at(const Location& group, const IterationOrder& order, hsize_t position);

/// Calls `see` for the links from `*position` on until it returns something else than 0, which is returned.
/// `*position` is that of the next link then.
herr_t iterate_links(const Location& group, const IterationOrder& order, hsize_t* position,
                     const std::function<herr_t(const Link&)>& visit);
/// Walks over all links below a group, hard links to groups being followed once. Paths are relative.
herr_t visit_links(
    const Location& start, const IterationOrder& order,
    const std::function<herr_t(const std::string& path, const Location& group, const Link&)>& visit);
/// Walks over the object and all below it, each once.
herr_t visit_objects(const Location& start, const IterationOrder& order,
                     const std::function<herr_t(const std::string& path, const Location& at)>& visit);

}  // namespace filigree::capi
