// SPDX-License-Identifier: Apache-2.0
//
// H5G: groups.
#include <filigree/error.hpp>

#include "capi/H5G/traverse.hpp"
#include "capi/H5L/link_info.hpp"
#include "capi/H5P/options.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_create() { return {&H5E_SYM_g, &H5E_CANTINIT_g}; }
Code cannot_open() { return {&H5E_SYM_g, &H5E_CANTOPENOBJ_g}; }
Code cannot_get() { return {&H5E_SYM_g, &H5E_CANTGET_g}; }

GroupOptions options_of(hid_t plist) {
  return group_options(*get_settings<GroupCreationSettings>(plist, "a group creation property list"));
}

hid_t create_group(const Location& start, const char* name, const LinkCreationSettings& creation,
                   const GroupOptions& options, hid_t access = H5P_DEFAULT) {
  const auto create_at = [&](const LinkLocation& link_location) {
    return new_object_location(link_location, link_location.group().create_group(link_location.name, options,
                                                                                 link_options_of(creation)));
  };
  return add_object(create_at_new_link(start, name, link_access(access), creation, create_at));
}

hid_t open_group(hid_t loc, const char* name, hid_t access) {
  const Location start = location(loc);
  required_string(name, "name");
  const Location at = traverse(start, name, link_access(access));
  at.group();
  return add_object(at);
}

H5G_info_t info_of(const Location& at) {
  const GroupInfo known = at.group().group_info();
  H5G_info_t info{};
  switch (known.storage) {
    case GroupStorage::symbol_table:
      info.storage_type = H5G_STORAGE_TYPE_SYMBOL_TABLE;
      break;
    case GroupStorage::compact:
      info.storage_type = H5G_STORAGE_TYPE_COMPACT;
      break;
    case GroupStorage::dense:
      info.storage_type = H5G_STORAGE_TYPE_DENSE;
      break;
  }
  info.nlinks = known.links;
  info.max_corder = known.order_tracked ? known.next_order : 0;
  info.mounted = at.open->shared->mounted_on(at.object.address()) != nullptr;
  return info;
}

}  // namespace

hid_t H5Gcreate2(hid_t loc_id, const char* name, hid_t lcpl_id, hid_t gcpl_id, hid_t gapl_id) {
  return api_call({"H5Gcreate2", cannot_create(), "unable to create group"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    const auto creation = link_creation(lcpl_id);
    return create_group(start, name, *creation, options_of(gcpl_id), gapl_id);
  });
}

hid_t H5Gcreate1(hid_t loc_id, const char* name, size_t size_hint) {
  return api_call({"H5Gcreate1", cannot_create(), "unable to create group"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    if (size_hint > 0xffffffff) bad_value("size_hint is too large");
    GroupOptions options;
    options.local_heap_bytes = size_hint;
    return create_group(start, name, *link_creation(H5P_DEFAULT), options);
  });
}

// As in HDF5, the access property list is ignored, even if it is invalid.
hid_t H5Gcreate_anon(hid_t loc_id, hid_t gcpl_id, hid_t gapl_id) {
  return api_call({"H5Gcreate_anon", cannot_create(), "unable to create group"}, [&] {
    const Location at = location(loc_id);
    const GroupOptions options = options_of(gcpl_id);
    link_access(gapl_id);
    return add_object(Location{at.open, File(at.open->file).create_unlinked_group(options), ""});
  });
}

hid_t H5Gopen2(hid_t loc_id, const char* name, hid_t gapl_id) {
  return api_call({"H5Gopen2", cannot_open(), "unable to open group"},
                  [&] { return open_group(loc_id, name, gapl_id); });
}

hid_t H5Gopen1(hid_t loc_id, const char* name) {
  return api_call({"H5Gopen1", cannot_open(), "unable to open group"},
                  [&] { return open_group(loc_id, name, H5P_DEFAULT); });
}

hid_t H5Gget_create_plist(hid_t group_id) {
  return api_call({"H5Gget_create_plist", cannot_get(), "unable to get group creation properties"}, [&] {
    const auto handle = ids().get<GroupHandle>(group_id, "a group");
    auto settings = creation_settings(handle->group);
    const bool tracked = settings->creation_order != 0;
    return add_object_plist(std::move(settings), tracked ? PropertyNames{"link info"} : PropertyNames{});
  });
}

herr_t H5Gget_info(hid_t loc_id, H5G_info_t* ginfo) {
  return api_call({"H5Gget_info", cannot_get(), "can't retrieve group info"}, [&] {
    required(ginfo, "ginfo");
    const H5I_type_t type = ids().find(loc_id) == nullptr ? H5I_BADID : IdTable::type_of(loc_id);
    if (type != H5I_GROUP && type != H5I_FILE) bad_value("loc_id is neither a group nor a file");
    *ginfo = info_of(location(loc_id));
  });
}

herr_t H5Gget_info_by_name(hid_t loc_id, const char* name, H5G_info_t* ginfo, hid_t lapl_id) {
  return api_call({"H5Gget_info_by_name", cannot_get(), "can't retrieve group info"}, [&] {
    const Location start = location(loc_id);
    required_string(name, "name");
    required(ginfo, "ginfo");
    *ginfo = info_of(traverse(start, name, link_access(lapl_id)));
  });
}

herr_t H5Gget_info_by_idx(hid_t loc_id, const char* group_name, H5_index_t idx_type, H5_iter_order_t order,
                          hsize_t n, H5G_info_t* ginfo, hid_t lapl_id) {
  return api_call({"H5Gget_info_by_idx", cannot_get(), "can't retrieve group info"}, [&] {
    const Location start = location(loc_id);
    required_string(group_name, "group_name");
    const IterationOrder by = iteration_order(idx_type, order);
    required(ginfo, "ginfo");
    const LinkAccess access = link_access(lapl_id);
    const Location group = traverse(start, group_name, access);
    const Link link = link_at(group, by, n);
    *ginfo = info_of(resolve_link({group, link.name, link}, access));
  });
}

herr_t H5Gflush(hid_t group_id) {
  return api_call({"H5Gflush", {&H5E_SYM_g, &H5E_CANTFLUSH_g}, "unable to flush group"}, [&] {
    const auto handle = ids().get<GroupHandle>(group_id, "a group");
    flush_object(group_id, *handle->open());
  });
}

herr_t H5Grefresh(hid_t group_id) {
  return api_call({"H5Grefresh", {&H5E_SYM_g, &H5E_CANTLOAD_g}, "unable to refresh group"},
                  [&] { ids().get<GroupHandle>(group_id, "a group")->open()->refresh(); });
}

herr_t H5Gclose(hid_t group_id) {
  return api_call({"H5Gclose", {&H5E_SYM_g, &H5E_CANTRELEASE_g}, "unable to close group"}, [&] {
    ids().get<GroupHandle>(group_id, "a group");
    ids().release(group_id);
  });
}
