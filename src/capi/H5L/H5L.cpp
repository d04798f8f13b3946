// SPDX-License-Identifier: Apache-2.0
//
// H5L: links.
#include <cstring>

#include <fmt/format.h>

#include "capi/H5L/link_info.hpp"
#include "capi/H5L/link_operations.hpp"
#include "capi/H5L/user_links.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_LINK_g, &H5E_CANTGET_g}; }

/// Removes repeated and trailing slashes. External links store the path in this form.
std::string normalised(std::string_view path) {
  std::string made;
  for (const char c : path)
    if (c != '/' || made.empty() || made.back() != '/') made += c;
  if (made.size() > 1 && made.back() == '/') made.pop_back();
  return made;
}

/// Returns whether a path ends in a dot or consists of slashes. Such a path denotes a group, and no link.
bool ends_at_a_group(std::string_view path) {
  const std::size_t last = path.find_last_not_of('/');
  if (last == std::string_view::npos) return true;
  return path[last] == '.' && (last == 0 || path[last - 1] == '/');
}

/// Returns the n-th link of the group at `path`.
std::pair<Location, Link> positioned(hid_t loc, const char* path, const IterationOrder& order, hsize_t n,
                                     hid_t access) {
  const Location start = location(loc);
  Location group = traverse(start, path, link_access(access));
  Link link = link_at(group, order, n);
  return {std::move(group), std::move(link)};
}

}  // namespace

herr_t H5Lcreate_hard(hid_t cur_loc, const char* cur_name, hid_t dst_loc, const char* dst_name, hid_t lcpl_id,
                      hid_t lapl_id) {
  return api_call({"H5Lcreate_hard", {&H5E_LINK_g, &H5E_CANTCREATE_g}, "unable to create link"}, [&] {
    required_string(cur_name, "cur_name");
    required_string(dst_name, "dst_name");
    create_hard_link(cur_loc, cur_name, dst_loc, dst_name, lcpl_id, lapl_id);
  });
}

herr_t H5Lcreate_soft(const char* link_target, hid_t link_loc_id, const char* link_name, hid_t lcpl_id,
                      hid_t lapl_id) {
  return api_call({"H5Lcreate_soft", {&H5E_LINK_g, &H5E_CANTCREATE_g}, "unable to create soft link"}, [&] {
    location(link_loc_id);
    required_string(link_target, "link_target");
    required_string(link_name, "link_name");
    create_soft_link(link_target, link_loc_id, link_name, lcpl_id, lapl_id);
  });
}

herr_t H5Lcreate_external(const char* file_name, const char* obj_name, hid_t link_loc_id,
                          const char* link_name, hid_t lcpl_id, hid_t lapl_id) {
  return api_call(
      {"H5Lcreate_external", {&H5E_LINK_g, &H5E_CANTINIT_g}, "unable to create external link"}, [&] {
        required_string(file_name, "file_name");
        required_string(obj_name, "obj_name");
        required_string(link_name, "link_name");
        const Location start = location(link_loc_id);
        const auto plist = as_nested_error([&] { return link_creation(lcpl_id); });
        const LinkLocation link_location = locate_new_link(start, link_name, link_access(lapl_id), *plist);
        link_location.group().link_external(link_location.name, file_name, normalised(obj_name),
                                            link_options_of(*plist));
      });
}

herr_t H5Lcreate_ud(hid_t link_loc_id, const char* link_name, H5L_type_t link_type, const void* udata,
                    size_t udata_size, hid_t lcpl_id, hid_t lapl_id) {
  return api_call(
      {"H5Lcreate_ud", {&H5E_LINK_g, &H5E_CANTINIT_g}, "unable to create user-defined link"}, [&] {
        const Location start = location(link_loc_id);
        required_string(link_name, "link_name");
        if (link_type < H5L_TYPE_UD_MIN || link_type > H5L_TYPE_MAX) bad_value("invalid user link class");
        if (udata == nullptr && udata_size > 0) bad_value("udata cannot be NULL if udata_size is non-zero");
        if (link_type != H5L_TYPE_EXTERNAL && find_link_class(link_type) == nullptr)
          throw NestedFailure({&H5E_LINK_g, &H5E_NOTREGISTERED_g},
                              "link class has not been registered with library");
        const auto plist = link_creation(lcpl_id);
        const LinkLocation link_location = locate_new_link(start, link_name, link_access(lapl_id), *plist);
        const std::span data(static_cast<const std::byte*>(udata), udata_size);
        link_location.group().link_user(link_location.name, static_cast<std::uint8_t>(link_type), data,
                                        link_options_of(*plist));
        user_link_created(link_location.parent, link_location.name, link_type, data, lcpl_id);
      });
}

herr_t H5Lmove(hid_t src_loc, const char* src_name, hid_t dst_loc, const char* dst_name, hid_t lcpl_id,
               hid_t lapl_id) {
  return api_call({"H5Lmove", {&H5E_LINK_g, &H5E_CANTMOVE_g}, "unable to move link"}, [&] {
    move_link(src_loc, src_name, dst_loc, dst_name, {lcpl_id, lapl_id, false});
  });
}

herr_t H5Lcopy(hid_t src_loc, const char* src_name, hid_t dst_loc, const char* dst_name, hid_t lcpl_id,
               hid_t lapl_id) {
  return api_call({"H5Lcopy", {&H5E_LINK_g, &H5E_CANTMOVE_g}, "unable to copy link"}, [&] {
    move_link(src_loc, src_name, dst_loc, dst_name, {lcpl_id, lapl_id, true});
  });
}

herr_t H5Ldelete(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_call({"H5Ldelete", {&H5E_LINK_g, &H5E_CANTDELETE_g}, "unable to delete link"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    delete_link(start, name, link_access(lapl_id));
  });
}

herr_t H5Ldelete_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                        hsize_t n, hid_t lapl_id) {
  return api_call({"H5Ldelete_by_idx", {&H5E_LINK_g, &H5E_CANTDELETE_g}, "unable to delete link"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const auto [group, link] = positioned(loc_id, group_name, iteration_order(idx_type, order), n, lapl_id);
    delete_link(group, link);
  });
}

herr_t H5Lget_val(hid_t loc_id, const char* name, void* buf, size_t size, hid_t lapl_id) {
  return api_call({"H5Lget_val", cannot_get(), "unable to get link value"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    const LinkLocation link_location = locate_existing_link(start, name, link_access(lapl_id));
    if (link_location.link->kind == LinkKind::hard) link_value(*link_location.link);
    copy_link_value(*link_location.link, buf, size);
  });
}

herr_t H5Lget_val_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                         hsize_t n, void* buf, size_t size, hid_t lapl_id) {
  return api_call({"H5Lget_val_by_idx", cannot_get(), "unable to get link value"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const auto [group, link] = positioned(loc_id, group_name, iteration_order(idx_type, order), n, lapl_id);
    if (link.kind == LinkKind::hard) link_value(link);
    copy_link_value(link, buf, size);
  });
}

htri_t H5Lexists(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_call({"H5Lexists", cannot_get(), "unable to get link info"}, [&]() -> htri_t {
    const Location start = location(loc_id);
    required_string(name, "name");
    const LinkLocation link_location = locate_link(start, name, link_access(lapl_id));
    if (std::string_view(name) == "/") return 1;
    return link_location.link && !ends_at_a_group(name) ? 1 : 0;
  });
}

herr_t H5Lget_info1(hid_t loc_id, const char* name, H5L_info1_t* linfo, hid_t lapl_id) {
  return api_call({"H5Lget_info1", cannot_get(), "unable to get link info"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    const H5L_info1_t info = link_info1(*locate_existing_link(start, name, link_access(lapl_id)).link);
    if (linfo != nullptr) *linfo = info;
  });
}

herr_t H5Lget_info2(hid_t loc_id, const char* name, H5L_info2_t* linfo, hid_t lapl_id) {
  return api_call({"H5Lget_info2", cannot_get(), "unable to get link info"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    const H5L_info2_t info = link_info2(*locate_existing_link(start, name, link_access(lapl_id)).link);
    if (linfo != nullptr) *linfo = info;
  });
}

herr_t H5Lget_info_by_idx1(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, H5L_info1_t* linfo, hid_t lapl_id) {
  return api_call({"H5Lget_info_by_idx1", cannot_get(), "unable to get link info"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const auto [group, link] = positioned(loc_id, group_name, iteration_order(idx_type, order), n, lapl_id);
    if (linfo != nullptr) *linfo = link_info1(link);
  });
}

herr_t H5Lget_info_by_idx2(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, H5L_info2_t* linfo, hid_t lapl_id) {
  return api_call({"H5Lget_info_by_idx2", cannot_get(), "unable to get link info"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const auto [group, link] = positioned(loc_id, group_name, iteration_order(idx_type, order), n, lapl_id);
    if (linfo != nullptr) *linfo = link_info2(link);
  });
}

ssize_t H5Lget_name_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                           hsize_t n, char* name, size_t size, hid_t lapl_id) {
  return api_call({"H5Lget_name_by_idx", cannot_get(), "unable to get link name"}, [&] {
    location(loc_id);
    required_string(group_name, "group_name");
    const auto [group, link] = positioned(loc_id, group_name, iteration_order(idx_type, order), n, lapl_id);
    return copy_string(link.name, name, size);
  });
}

herr_t H5Lregister(const H5L_class_t* cls) {
  return api_call({"H5Lregister", {&H5E_LINK_g, &H5E_NOTREGISTERED_g}, "unable to register link type"}, [&] {
    required(cls, "cls");
    if (cls->version != 0 && cls->version != H5L_LINK_CLASS_T_VERS)
      bad_value("invalid H5L_class_t version number");
    if (cls->id < H5L_TYPE_UD_MIN || cls->id > H5L_TYPE_MAX) bad_value("invalid link identification number");
    if (cls->trav_func == nullptr) bad_value("no traversal function specified");
    auto made = std::make_shared<LinkClass>();
    made->functions = *cls;  // both versions of the structure have the same layout
    if (cls->version == 0) {
      H5L_class_0_t old{};
      static_assert(sizeof old == sizeof *cls);
      std::memcpy(&old, cls, sizeof old);
      made->old_traverse = old.trav_func;
    }
    add_link_class(std::move(made));
  });
}

herr_t H5Lunregister(H5L_type_t id) {
  return api_call(
      {"H5Lunregister", {&H5E_LINK_g, &H5E_NOTREGISTERED_g}, "unable to unregister link type"}, [&] {
        if (id < 0 || id > H5L_TYPE_MAX) bad_value("invalid link type");
        if (!remove_link_class(id))
          throw NestedFailure({&H5E_LINK_g, &H5E_NOTREGISTERED_g}, "link class is not registered");
      });
}

htri_t H5Lis_registered(H5L_type_t id) {
  return api_call({"H5Lis_registered", {&H5E_LINK_g, &H5E_BADTYPE_g}, "unable to look for a link type"},
                  [&]() -> htri_t {
                    if (id < 0 || id > H5L_TYPE_MAX) bad_value("invalid link type id number");
                    return id == H5L_TYPE_EXTERNAL || find_link_class(id) != nullptr ? 1 : 0;
                  });
}

herr_t H5Lunpack_elink_val(const void* ext_linkval, size_t link_size, unsigned* flags, const char** filename,
                           const char** obj_path) {
  return api_call({"H5Lunpack_elink_val", {&H5E_LINK_g, &H5E_CANTDECODE_g}, "unable to unpack link value"},
                  [&] {
                    if (ext_linkval == nullptr) bad_value("not an external link linkval buffer");
                    const auto* const bytes = static_cast<const char*>(ext_linkval);
                    const auto first = static_cast<unsigned char>(link_size > 0 ? bytes[0] : 0);
                    if (link_size > 0 && (first >> 4) != 0)
                      throw Failure({&H5E_LINK_g, &H5E_CANTDECODE_g}, "bad version number for external link");
                    if ((first & 0x0f) != 0)
                      throw Failure({&H5E_LINK_g, &H5E_CANTDECODE_g}, "bad flags for external link");
                    if (link_size <= 1) bad_value("not a valid external link buffer");
                    if (bytes[link_size - 1] != '\0') bad_value("linkval buffer is not NULL-terminated");
                    const std::size_t file_bytes = std::strlen(bytes + 1);
                    if (1 + file_bytes + 1 >= link_size)
                      bad_value("linkval buffer doesn't contain an object path");
                    if (filename != nullptr) *filename = bytes + 1;
                    if (obj_path != nullptr) *obj_path = bytes + 1 + file_bytes + 1;
                    if (flags != nullptr) *flags = first & 0x0f;
                  });
}
