// SPDX-License-Identifier: Apache-2.0
//
// H5G: deprecated functions that H5L and H5O have replaced.
#include <cstring>

#include <filigree/error.hpp>

#include "capi/H5G/traverse.hpp"
#include "capi/H5L/link_info.hpp"
#include "capi/H5L/link_operations.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_SYM_g, &H5E_CANTGET_g}; }
const IterationOrder by_name{};

/// Returns the location of an id, with the error codes of these functions.
Location start_of(hid_t id) {
  return with_error_code({&H5E_SYM_g, &H5E_BADTYPE_g}, [&] { return location(id); });
}

/// Returns the group of an id.
Location listed_group(hid_t id) {
  const Location at = start_of(id);
  if (at.object.kind() != ObjectKind::group || IdTable::type_of(id) == H5I_ATTR)
    throw Failure({&H5E_SYM_g, &H5E_BADTYPE_g}, "not a group");
  return at;
}

[[noreturn]] void refuse(const char* text) { throw Failure({&H5E_SYM_g, &H5E_BADVALUE_g}, text); }

H5G_obj_t kind_number(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::group:
      return H5G_GROUP;
    case ObjectKind::dataset:
      return H5G_DATASET;
    case ObjectKind::datatype:
      break;
  }
  return H5G_TYPE;
}

void make_link(hid_t from, const char* target, H5L_type_t type, hid_t to, const char* name) {
  switch (type) {
    case H5L_TYPE_HARD:
      return create_hard_link(from, target, to, name, H5P_DEFAULT, H5P_DEFAULT);
    case H5L_TYPE_SOFT:
      if (to == H5L_SAME_LOC) to = from;
      return create_soft_link(target, to, name, H5P_DEFAULT, H5P_DEFAULT);
    default:
      throw NestedFailure({&H5E_ARGS_g, &H5E_BADVALUE_g}, "not a valid link type");
  }
}

}  // namespace

herr_t H5Glink(hid_t cur_loc_id, H5L_type_t type, const char* cur_name, const char* new_name) {
  return api_call({"H5Glink", {&H5E_SYM_g, &H5E_CANTINIT_g}, "couldn't create link"}, [&] {
    required_string(cur_name, "cur_name");
    required_string(new_name, "new_name");
    as_nested_error([&] { make_link(cur_loc_id, cur_name, type, H5L_SAME_LOC, new_name); });
  });
}

herr_t H5Glink2(hid_t cur_loc_id, const char* cur_name, H5L_type_t type, hid_t new_loc_id,
                const char* new_name) {
  return api_call({"H5Glink2", {&H5E_SYM_g, &H5E_CANTINIT_g}, "couldn't create link"}, [&] {
    required_string(cur_name, "cur_name");
    required_string(new_name, "new_name");
    as_nested_error([&] { make_link(cur_loc_id, cur_name, type, new_loc_id, new_name); });
  });
}

herr_t H5Gmove(hid_t src_loc_id, const char* src_name, const char* dst_name) {
  return api_call({"H5Gmove", {&H5E_SYM_g, &H5E_CANTMOVE_g}, "couldn't move link"}, [&] {
    as_nested_error([&] {
      move_link(src_loc_id, src_name, H5L_SAME_LOC, dst_name, {H5P_DEFAULT, H5P_DEFAULT, false});
    });
  });
}

herr_t H5Gmove2(hid_t src_loc_id, const char* src_name, hid_t dst_loc_id, const char* dst_name) {
  return api_call({"H5Gmove2", {&H5E_SYM_g, &H5E_CANTMOVE_g}, "couldn't move link"}, [&] {
    as_nested_error([&] {
      move_link(src_loc_id, src_name, dst_loc_id, dst_name, {H5P_DEFAULT, H5P_DEFAULT, false});
    });
  });
}

herr_t H5Gunlink(hid_t loc_id, const char* name) {
  return api_call({"H5Gunlink", {&H5E_SYM_g, &H5E_CANTDELETE_g}, "couldn't delete link"}, [&] {
    const Location start = start_of(loc_id);
    if (name == nullptr || *name == '\0') refuse("no name specified");
    delete_link(start, name, link_access(H5P_DEFAULT));
  });
}

herr_t H5Gget_linkval(hid_t loc_id, const char* name, size_t size, char* buf) {
  return api_call({"H5Gget_linkval", {&H5E_SYM_g, &H5E_NOTFOUND_g}, "couldn't get link info"}, [&] {
    required_string(name, "name");
    const LinkLocation link_location = locate_existing_link(location(loc_id), name, link_access(H5P_DEFAULT));
    if (link_location.link->kind == LinkKind::hard)
      throw NestedFailure({&H5E_LINK_g, &H5E_BADTYPE_g}, "object is not a symbolic or user-defined link");
    copy_link_value(*link_location.link, buf, size);
  });
}

herr_t H5Gset_comment(hid_t loc_id, const char* name, const char* comment) {
  return api_call({"H5Gset_comment", {&H5E_SYM_g, &H5E_CANTSET_g}, "unable to set comment value"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    Location at = traverse(start, name, link_access(H5P_DEFAULT));
    at.object.set_comment(comment == nullptr ? "" : comment);
  });
}

int H5Gget_comment(hid_t loc_id, const char* name, size_t bufsize, char* buf) {
  return api_call({"H5Gget_comment", cannot_get(), "unable to get comment value"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    if (bufsize > 0) required(buf, "buf");
    const Location at = traverse(start, name, link_access(H5P_DEFAULT));
    return static_cast<int>(copy_comment(at.object.comment().value_or(""), buf, bufsize));
  });
}

herr_t H5Giterate(hid_t loc_id, const char* name, int* idx, H5G_iterate_t op, void* op_data) {
  return api_call({"H5Giterate", {&H5E_SYM_g, &H5E_BADITER_g}, "group iteration failed"}, [&]() -> herr_t {
    if (name == nullptr || *name == '\0') refuse("no name specified");
    if (idx != nullptr && *idx < 0) refuse("invalid index specified");
    if (op == nullptr) refuse("no operator specified");
    const Location group =
        traverse(as_nested_error([&] { return location(loc_id); }), name, link_access(H5P_DEFAULT));
    const ScopedId id(add_object(group));
    hsize_t next = idx == nullptr ? 0 : static_cast<hsize_t>(*idx);
    const herr_t result = iterate_links(
        group, by_name, &next, [&](const Link& link) { return op(id.get(), link.name.c_str(), op_data); });
    if (idx != nullptr) *idx = static_cast<int>(next);
    if (result < 0) throw CallbackFailure({&H5E_SYM_g, &H5E_BADITER_g}, "iteration operator failed");
    return result;
  });
}

herr_t H5Gget_num_objs(hid_t loc_id, hsize_t* num_objs) {
  return api_call({"H5Gget_num_objs", cannot_get(), "can't determine # of objects"}, [&] {
    const H5I_type_t type = ids().find(loc_id) == nullptr ? H5I_BADID : IdTable::type_of(loc_id);
    if (type != H5I_GROUP && type != H5I_FILE)
      throw Failure({&H5E_SYM_g, &H5E_BADTYPE_g}, "not a group or file");
    if (num_objs == nullptr) refuse("bad pointer to the number of objects");
    *num_objs = location(loc_id).group().size();
  });
}

herr_t H5Gget_objinfo(hid_t loc_id, const char* name, hbool_t follow_link, H5G_stat_t* statbuf) {
  return api_call({"H5Gget_objinfo", cannot_get(), "cannot stat object"}, [&] {
    if (name == nullptr || *name == '\0') refuse("no name specified");
    const LinkAccess access = link_access(H5P_DEFAULT);
    const LinkLocation link_location = locate_link(start_of(loc_id), name, access);
    if (statbuf == nullptr) {
      if (!link_location.name.empty()) resolve_link(link_location, access);
      return;
    }
    std::memset(statbuf, 0, sizeof *statbuf);
    if (!follow_link && link_location.link && link_location.link->kind != LinkKind::hard) {
      const bool soft = link_location.link->kind == LinkKind::soft;
      statbuf->type = soft ? H5G_LINK : H5G_UDLINK;
      statbuf->linklen = link_value_bytes(*link_location.link);
      statbuf->fileno[0] = link_location.parent.open->shared->number;
      return;
    }
    const Location at =
        link_location.name.empty() ? link_location.parent : resolve_link(link_location, access);
    const ObjectInfo info = at.object.info();
    statbuf->fileno[0] = at.open->shared->number;
    statbuf->objno[0] = info.address;
    statbuf->nlink = info.link_count;
    statbuf->type = kind_number(info.kind);
    statbuf->mtime = info.modified.value_or(0);
    statbuf->ohdr.size = info.header_bytes;
    statbuf->ohdr.free = info.header_free_bytes;
    statbuf->ohdr.nmesgs = info.header_messages;
    statbuf->ohdr.nchunks = info.header_blocks;
  });
}

ssize_t H5Gget_objname_by_idx(hid_t loc_id, hsize_t idx, char* name, size_t size) {
  return api_call({"H5Gget_objname_by_idx", cannot_get(), "can't get object name"},
                  [&] { return copy_string(link_at(listed_group(loc_id), by_name, idx).name, name, size); });
}

H5G_obj_t H5Gget_objtype_by_idx(hid_t loc_id, hsize_t idx) {
  return api_call_or(H5G_UNKNOWN,
                     {"H5Gget_objtype_by_idx", {&H5E_SYM_g, &H5E_BADTYPE_g}, "can't get object type"}, [&] {
                       const Location group = location(loc_id);
                       const Link link = link_at(group, by_name, idx);
                       if (link.kind == LinkKind::soft) return H5G_LINK;
                       if (link.kind != LinkKind::hard) return H5G_UDLINK;
                       return kind_number(group.group().open(link).kind());
                     });
}
