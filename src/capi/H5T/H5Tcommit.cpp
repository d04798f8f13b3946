// SPDX-License-Identifier: Apache-2.0
//
// Committed datatypes.
#include <filigree/error.hpp>

#include "capi/H5G/traverse.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5T/type_tools.hpp"

namespace filigree::capi {
namespace {

Code bad_args() { return {&H5E_ARGS_g, &H5E_BADVALUE_g}; }

CommitOptions check_plists(hid_t creation, hid_t access) {
  const auto made = get_settings<TypeCreationSettings>(creation, "a datatype creation property list");
  link_access(access);
  return {made->object.attributes, made->object.track_times};
}

/// Checks that a datatype can be committed.
void require_committable(const TypeHandle& type) {
  if (type.state == TypeState::named) throw NestedFailure(bad_args(), "the datatype is committed already");
  if (type.state == TypeState::immutable) throw NestedFailure(bad_args(), "the datatype is immutable");
}

void commit(hid_t loc, const char* name, hid_t type_id, hid_t lcpl_id, hid_t creation, hid_t access) {
  const Location start = location(loc);
  required_string(name, "name");
  const auto type = get_type(type_id);
  const auto link = link_creation(lcpl_id);
  const CommitOptions options = check_plists(creation, access);
  require_committable(*type);
  const LinkLocation link_location = locate_new_link(start, name, link_access(access), *link);
  const Location made = new_object_location(
      link_location, link_location.group().commit(link_location.name, file_datatype(*type),
                                                  link_options_of(*link), options));
  type->become_named(made.open, CommittedDatatype(made.object));
}

hid_t open_type(hid_t loc, const char* name, hid_t access) {
  const Location start = location(loc);
  required_string(name, "name");
  check_plists(H5P_DEFAULT, access);
  const Location at = traverse(start, name, link_access(access));
  if (at.object.kind() != ObjectKind::datatype)
    throw NestedFailure(type_bad_type(), "the object is not a committed datatype");
  return add_object(at);
}

/// Returns the file of a committed datatype.
std::shared_ptr<OpenFile> committed_file(hid_t id) {
  const auto handle = ids().find_as<TypeHandle>(id);
  if (handle == nullptr) bad_type("not a datatype");
  if (handle->state != TypeState::named) bad_type("not a committed datatype");
  return handle->open();
}

Code cannot_open() { return {&H5E_DATATYPE_g, &H5E_CANTOPENOBJ_g}; }

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;

herr_t H5Tcommit2(hid_t loc_id, const char* name, hid_t type_id, hid_t lcpl_id, hid_t tcpl_id,
                  hid_t tapl_id) {
  return api_call({"H5Tcommit2", type_cant_init(), "unable to commit datatype"},
                  [&] { commit(loc_id, name, type_id, lcpl_id, tcpl_id, tapl_id); });
}

herr_t H5Tcommit1(hid_t loc_id, const char* name, hid_t type_id) {
  return api_call({"H5Tcommit1", type_cant_init(), "unable to commit datatype"},
                  [&] { commit(loc_id, name, type_id, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT); });
}

herr_t H5Tcommit_anon(hid_t loc_id, hid_t type_id, hid_t tcpl_id, hid_t tapl_id) {
  return api_call({"H5Tcommit_anon", type_cant_init(), "unable to commit datatype"}, [&] {
    const Location at = location(loc_id);
    const auto type = get_type(type_id);
    const filigree::CommitOptions options = check_plists(tcpl_id, tapl_id);
    require_committable(*type);
    filigree::File file = at.open->file;
    type->become_named(at.open, file.commit_unlinked(file_datatype(*type), options));
  });
}

hid_t H5Topen2(hid_t loc_id, const char* name, hid_t tapl_id) {
  return api_call({"H5Topen2", cannot_open(), "unable to open named datatype"},
                  [&] { return open_type(loc_id, name, tapl_id); });
}

hid_t H5Topen1(hid_t loc_id, const char* name) {
  return api_call({"H5Topen1", cannot_open(), "unable to open named datatype"},
                  [&] { return open_type(loc_id, name, H5P_DEFAULT); });
}

htri_t H5Tcommitted(hid_t type_id) {
  return api_call({"H5Tcommitted", type_cant_init(), "unable to look at the datatype"},
                  [&] { return htri_t{get_type(type_id)->state == TypeState::named}; });
}

hid_t H5Tget_create_plist(hid_t type_id) {
  return api_call(
      {"H5Tget_create_plist", {&H5E_DATATYPE_g, &H5E_CANTGET_g}, "unable to get the creation list"}, [&] {
        const auto type = get_type(type_id);
        if (type->state == TypeState::named) return add_object_plist(creation_settings(*type->committed), {});
        return add_plist(std::make_unique<TypeCreationSettings>());
      });
}

herr_t H5Tflush(hid_t type_id) {
  return api_call({"H5Tflush", {&H5E_DATATYPE_g, &H5E_CANTFLUSH_g}, "unable to flush datatype"},
                  [&] { flush_object(type_id, *committed_file(type_id)); });
}

herr_t H5Trefresh(hid_t type_id) {
  return api_call({"H5Trefresh", {&H5E_DATATYPE_g, &H5E_CANTLOAD_g}, "unable to refresh datatype"},
                  [&] { committed_file(type_id)->refresh(); });
}
