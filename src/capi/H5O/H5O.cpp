// SPDX-License-Identifier: Apache-2.0
//
// H5O: objects of any type.
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5L/link_info.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_open() { return {&H5E_OHDR_g, &H5E_CANTOPENOBJ_g}; }

hid_t open_at(const Location& at, std::uint64_t address) {
  if (address == HADDR_UNDEF) bad_value("no address supplied");
  if (address == 0) throw NestedFailure({&H5E_OHDR_g, &H5E_NOTFOUND_g}, "no object is at address 0");
  return add_object(Location{at.open, at.open->file.open_object(ObjectReference{address}), ""});
}

/// Returns the object of an id of a group, dataset or committed datatype. Ids of files and attributes are
/// refused here.
Location counted(hid_t id) {
  const H5I_type_t type = IdTable::type_of(id);
  if (type == H5I_FILE || type == H5I_ATTR) bad_type("not an object");
  return location(id);
}

bool is_file_or_attribute(const InFileHandle& handle) {
  return handle.type() == H5I_FILE || handle.type() == H5I_ATTR;
}

}  // namespace

hid_t H5Oopen(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_call({"H5Oopen", cannot_open(), "unable to open object"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    return add_object(traverse(start, name, link_access(lapl_id)));
  });
}

hid_t H5Oopen_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                     hsize_t n, hid_t lapl_id) {
  return api_call({"H5Oopen_by_idx", cannot_open(), "unable to open object"}, [&] {
    const Location start = location(loc_id);
    required_string(group_name, "group_name");
    const IterationOrder by = iteration_order(idx_type, order);
    const LinkAccess access = link_access(lapl_id);
    const Location group = traverse(start, group_name, access);
    const Link link = link_at(group, by, n);
    return add_object(resolve_link({group, link.name, link}, access));
  });
}

hid_t H5Oopen_by_addr(hid_t loc_id, haddr_t addr) {
  return api_call({"H5Oopen_by_addr", cannot_open(), "unable to open object"},
                  [&] { return open_at(location(loc_id), addr); });
}

hid_t H5Oopen_by_token(hid_t loc_id, H5O_token_t token) {
  return api_call({"H5Oopen_by_token", cannot_open(), "unable to open object"},
                  [&] { return open_at(location(loc_id), address_of(token)); });
}

herr_t H5Oclose(hid_t object_id) {
  return api_call({"H5Oclose", {&H5E_OHDR_g, &H5E_CANTRELEASE_g}, "unable to close object"}, [&] {
    const auto handle = ids().find(object_id);
    const H5I_type_t kind = IdTable::type_of(object_id);
    if (handle == nullptr && (kind == H5I_GROUP || kind == H5I_DATASET || kind == H5I_DATATYPE))
      bad_value("not a valid object ID: it is closed already");
    const auto type = std::dynamic_pointer_cast<TypeHandle>(handle);
    const bool object = std::dynamic_pointer_cast<ObjectHandle>(handle) != nullptr ||
                        (type != nullptr && type->state != TypeState::immutable);
    if (!object)
      throw Failure({&H5E_ARGS_g, &H5E_CANTRELEASE_g}, "not a valid object ID (dataset, group, or datatype)");
    ids().release(object_id);
  });
}

herr_t H5Olink(hid_t obj_id, hid_t new_loc_id, const char* new_name, hid_t lcpl_id, hid_t lapl_id) {
  return api_call({"H5Olink", {&H5E_OHDR_g, &H5E_CANTCREATE_g}, "unable to create link"}, [&] {
    const Location object = location(obj_id);
    if (new_loc_id == H5L_SAME_LOC) bad_type("cannot use H5L_SAME_LOC when only one location is specified");
    const Location start = location(new_loc_id);
    required_string(new_name, "new_name");
    const auto plist = link_creation(lcpl_id);
    const LinkLocation link_location = locate_new_link(start, new_name, link_access(lapl_id), *plist);
    if (object.open->shared != link_location.parent.open->shared)
      throw NestedFailure({&H5E_LINK_g, &H5E_CANTINIT_g}, "interfile hard links are not allowed");
    link_location.group().link_hard(link_location.name, object.object, link_options_of(*plist));
    const auto handle = ids().find_as<InFileHandle>(obj_id);
    if (handle != nullptr && handle->name().empty()) handle->set_name(link_location.path());
  });
}

herr_t H5Ocopy(hid_t src_loc_id, const char* src_name, hid_t dst_loc_id, const char* dst_name,
               hid_t ocpypl_id, hid_t lcpl_id) {
  return api_call({"H5Ocopy", {&H5E_OHDR_g, &H5E_CANTCOPY_g}, "unable to copy object"}, [&] {
    const Location from = location(src_loc_id);
    required_string(src_name, "src_name");
    const Location to = location(dst_loc_id);
    required_string(dst_name, "dst_name");
    const auto creation = as_nested_error([&] { return link_creation(lcpl_id); });
    const auto settings = as_nested_error(
        [&] { return get_settings<ObjectCopySettings>(ocpypl_id, "an object copy property list"); });
    const LinkAccess access = link_access(H5P_DEFAULT);
    const Location source = traverse(from, src_name, access);
    const LinkLocation link_location = locate_link(to, dst_name, access, creation.get());
    if (link_location.name.empty() || link_location.link)
      throw NestedFailure({&H5E_OHDR_g, &H5E_EXISTS_g}, "destination object already exists");
    source.object.copy_to(link_location.group(), link_location.name, copy_options(*settings, *creation),
                          link_options_of(*creation));
  });
}

htri_t H5Oexists_by_name(hid_t loc_id, const char* name, hid_t lapl_id) {
  return api_call(
      {"H5Oexists_by_name", {&H5E_OHDR_g, &H5E_CANTGET_g}, "unable to determine if object exists"},
      [&]() -> htri_t {
        const Location start = location(loc_id);
        required_string(name, "name");
        const LinkAccess access = link_access(lapl_id);
        const LinkLocation link_location = locate_link(start, name, access);
        if (link_location.name.empty()) return 1;
        if (!link_location.link)
          throw Failure({&H5E_OHDR_g, &H5E_CANTGET_g},
                        fmt::format("unable to determine if '{}' exists", name));
        try {
          resolve_link(link_location, access);
          return 1;
        } catch (const Error&) {
          return 0;
        } catch (const Failure&) {
          return 0;
        }
      });
}

herr_t H5Oincr_refcount(hid_t object_id) {
  return api_call({"H5Oincr_refcount", {&H5E_OHDR_g, &H5E_LINKCOUNT_g}, "modifying object link count failed"},
                  [&] {
                    Location at = counted(object_id);
                    at.object.increment_reference_count();
                  });
}

herr_t H5Odecr_refcount(hid_t object_id) {
  return api_call({"H5Odecr_refcount", {&H5E_OHDR_g, &H5E_LINKCOUNT_g}, "modifying object link count failed"},
                  [&] {
                    Location at = counted(object_id);
                    at.object.decrement_reference_count();
                  });
}

herr_t H5Oset_comment(hid_t obj_id, const char* comment) {
  return api_call({"H5Oset_comment", {&H5E_OHDR_g, &H5E_CANTSET_g}, "can't set comment for object"}, [&] {
    Location at = location(obj_id);
    at.object.set_comment(comment == nullptr ? "" : comment);
  });
}

herr_t H5Oset_comment_by_name(hid_t loc_id, const char* name, const char* comment, hid_t lapl_id) {
  return api_call({"H5Oset_comment_by_name", {&H5E_OHDR_g, &H5E_CANTSET_g}, "can't set comment for object"},
                  [&] {
                    const Location start = location(loc_id);
                    required_string(name, "name");
                    Location at = traverse(start, name, link_access(lapl_id));
                    at.object.set_comment(comment == nullptr ? "" : comment);
                  });
}

ssize_t H5Oget_comment(hid_t obj_id, char* comment, size_t bufsize) {
  return api_call({"H5Oget_comment", {&H5E_OHDR_g, &H5E_CANTGET_g}, "can't get comment for object"}, [&] {
    return copy_comment(location(obj_id).object.comment().value_or(""), comment, bufsize);
  });
}

ssize_t H5Oget_comment_by_name(hid_t loc_id, const char* name, char* comment, size_t bufsize, hid_t lapl_id) {
  return api_call({"H5Oget_comment_by_name", {&H5E_OHDR_g, &H5E_CANTGET_g}, "can't get comment for object"},
                  [&] {
                    const Location start = location(loc_id);
                    required_string(name, "name");
                    const Location at = traverse(start, name, link_access(lapl_id));
                    return copy_comment(at.object.comment().value_or(""), comment, bufsize);
                  });
}

herr_t H5Oflush(hid_t obj_id) {
  return api_call({"H5Oflush", {&H5E_OHDR_g, &H5E_CANTFLUSH_g}, "unable to flush object"}, [&] {
    const auto handle = ids().find_as<InFileHandle>(obj_id);
    const auto open = handle == nullptr ? nullptr : handle->open();
    if (open == nullptr || is_file_or_attribute(*handle))
      throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not an object of a file");
    flush_object(obj_id, *open);
  });
}

herr_t H5Orefresh(hid_t oid) {
  return api_call({"H5Orefresh", {&H5E_OHDR_g, &H5E_CANTLOAD_g}, "unable to refresh object"}, [&] {
    const auto handle = ids().find_as<InFileHandle>(oid);
    if (handle != nullptr && is_file_or_attribute(*handle)) bad_type("not a valid file object ID");
    location(oid).open->refresh();
  });
}

herr_t H5Otoken_cmp(hid_t loc_id, const H5O_token_t* token1, const H5O_token_t* token2, int* cmp_value) {
  return api_call({"H5Otoken_cmp", {&H5E_OHDR_g, &H5E_CANTCOMPARE_g}, "object token comparison failed"}, [&] {
    required(cmp_value, "cmp_value");
    location(loc_id);
    if (token1 == nullptr || token2 == nullptr) {
      *cmp_value = token1 == token2 ? 0 : token1 == nullptr ? -1 : 1;
      return;
    }
    const int order = std::memcmp(token1, token2, sizeof *token1);
    *cmp_value = order < 0 ? -1 : order > 0 ? 1 : 0;
  });
}

herr_t H5Otoken_to_str(hid_t loc_id, const H5O_token_t* token, char** token_str) {
  return api_call(
      {"H5Otoken_to_str", {&H5E_OHDR_g, &H5E_CANTSERIALIZE_g}, "object token serialization failed"}, [&] {
        required(token, "token");
        required(token_str, "token_str");
        location(loc_id);
        const std::string text = fmt::format("{}", address_of(*token));
        auto* const made = static_cast<char*>(std::malloc(text.size() + 1));
        if (made == nullptr) throw std::bad_alloc();
        std::memcpy(made, text.c_str(), text.size() + 1);
        *token_str = made;
      });
}

herr_t H5Otoken_from_str(hid_t loc_id, const char* token_str, H5O_token_t* token) {
  return api_call(
      {"H5Otoken_from_str", {&H5E_OHDR_g, &H5E_CANTUNSERIALIZE_g}, "object token deserialization failed"},
      [&] {
        required(token, "token");
        required_string(token_str, "token_str");
        location(loc_id);
        std::uint64_t address = 0;
        const char* const end = token_str + std::strlen(token_str);
        if (std::from_chars(token_str, end, address).ptr != end) bad_value("token_str is no number");
        *token = token_of(address);
      });
}
