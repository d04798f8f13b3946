// SPDX-License-Identifier: Apache-2.0
//
// The native connector: files, groups, links and objects of any kind.
#include <algorithm>

#include "capi/H5F/flags.hpp"
#include "capi/H5VL/native_objects.hpp"

namespace filigree::capi {
namespace {

using Parameters = const H5VL_loc_params_t*;

herr_t unknown() { bad_value("unknown operation"); }

herr_t stored(hid_t& to, hid_t id) {
  to = id;
  return id < 0 ? -1 : 0;
}

/// Stores a length that a function returned.
herr_t stored_length(std::size_t* to, ssize_t length) {
  if (length >= 0 && to != nullptr) *to = static_cast<std::size_t>(length);
  return length < 0 ? -1 : 0;
}

herr_t stored_answer(hbool_t* to, htri_t answer) {
  if (answer >= 0) *required(to, "the answer") = answer > 0;
  return answer < 0 ? -1 : 0;
}

herr_t close_object(void* object, hid_t, void**) {
  return native_call(herr_t{-1}, [&] { return H5Idec_ref(native_id(object)) < 0 ? -1 : 0; });
}

herr_t no_optional(void*, H5VL_optional_args_t*, hid_t, void**) {
  return native_call(herr_t{-1},
                     []() -> herr_t { bad_value("optional operations have functions of their own"); });
}

herr_t no_optional_at(void*, Parameters, H5VL_optional_args_t*, hid_t, void**) {
  return no_optional(nullptr, nullptr, H5P_DEFAULT, nullptr);
}

// Files.

void* create_file(const char* name, unsigned given, hid_t creation, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const unsigned known = given & (flags::truncate | flags::exclusive | flags::swmr_write);
    return native_object(H5Fcreate(name, known, creation, access));
  });
}

void* open_file(const char* name, unsigned given, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] { return native_object(H5Fopen(name, given, access)); });
}

herr_t container_info(hid_t file, H5VL_file_cont_info_t* info) {
  required(info, "info");
  if (info->version != H5VL_CONTAINER_INFO_VERSION) bad_value("unknown version of container info");
  const std::size_t width = address_bytes(file);
  info->feature_flags = 0;
  info->token_size = width;
  info->blob_id_size = width + 4;
  return 0;
}

herr_t get_of_file(void* object, H5VL_file_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_FILE_GET_CONT_INFO:
        return container_info(id, asked.get_cont_info.info);
      case H5VL_FILE_GET_FAPL:
        return stored(asked.get_fapl.fapl_id, H5Fget_access_plist(id));
      case H5VL_FILE_GET_FCPL:
        return stored(asked.get_fcpl.fcpl_id, H5Fget_create_plist(id));
      case H5VL_FILE_GET_FILENO:
        return H5Fget_fileno(id, asked.get_fileno.fileno);
      case H5VL_FILE_GET_INTENT:
        return H5Fget_intent(id, asked.get_intent.flags);
      case H5VL_FILE_GET_NAME:
        return stored_length(asked.get_name.file_name_len,
                             H5Fget_name(id, asked.get_name.buf, asked.get_name.buf_size));
      case H5VL_FILE_GET_OBJ_COUNT:
        return stored_length(asked.get_obj_count.count, H5Fget_obj_count(id, asked.get_obj_count.types));
      case H5VL_FILE_GET_OBJ_IDS:
        return stored_length(asked.get_obj_ids.count,
                             H5Fget_obj_ids(id, asked.get_obj_ids.types, asked.get_obj_ids.max_objs,
                                            asked.get_obj_ids.oid_list));
    }
    return unknown();
  });
}

herr_t reopen_file(hid_t file, void** made) {
  required(made, "file");
  *made = native_object(H5Freopen(file));
  return *made == nullptr ? -1 : 0;
}

herr_t change_file(void* object, H5VL_file_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_FILE_FLUSH:
        return H5Fflush(native_id(object), asked.flush.scope);
      case H5VL_FILE_REOPEN:
        return reopen_file(native_id(object), asked.reopen.file);
      case H5VL_FILE_IS_ACCESSIBLE:
        return stored_answer(asked.is_accessible.accessible,
                             H5Fis_accessible(asked.is_accessible.filename, asked.is_accessible.fapl_id));
      case H5VL_FILE_DELETE:
        return H5Fdelete(asked.del.filename, asked.del.fapl_id);
      case H5VL_FILE_IS_EQUAL: {
        const auto one = file_of(native_id(object));
        const bool same =
            asked.is_equal.obj2 != nullptr && file_of(native_id(asked.is_equal.obj2))->shared == one->shared;
        return stored_answer(asked.is_equal.same_file, same ? 1 : 0);
      }
    }
    return unknown();
  });
}

herr_t close_file(void* object, hid_t, void**) {
  return native_call(herr_t{-1}, [&] { return H5Fclose(native_id(object)); });
}

// Groups.

void* create_group(void* object, Parameters at, const char* name, hid_t links, hid_t creation, hid_t access,
                   hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    return native_object(name == nullptr ? H5Gcreate_anon(location.get(), creation, access)
                                         : H5Gcreate2(location.get(), name, links, creation, access));
  });
}

void* open_group(void* object, Parameters at, const char* name, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    return native_object(H5Gopen2(location.get(), name, access));
  });
}

herr_t get_of_group(void* object, H5VL_group_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    switch (required(args, "args")->op_type) {
      case H5VL_GROUP_GET_GCPL:
        return stored(args->args.get_gcpl.gcpl_id, H5Gget_create_plist(native_id(object)));
      case H5VL_GROUP_GET_INFO: {
        const LocationId location(object, &args->args.get_info.loc_params);
        return H5Gget_info(location.get(), args->args.get_info.ginfo);
      }
    }
    return unknown();
  });
}

herr_t change_group(void* object, H5VL_group_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_GROUP_MOUNT:
        return H5Fmount(id, asked.mount.name, native_id(asked.mount.child_file), asked.mount.fmpl_id);
      case H5VL_GROUP_UNMOUNT:
        return H5Funmount(id, asked.unmount.name);
      case H5VL_GROUP_FLUSH:
        return H5Gflush(id);
      case H5VL_GROUP_REFRESH:
        return H5Grefresh(id);
    }
    return unknown();
  });
}

// Links.

/// Returns the path of location parameters by name. *Throws* bad_value() for others.
const H5VL_loc_by_name_t& by_name(Parameters at) {
  if (required(at, "loc_params")->type != H5VL_OBJECT_BY_NAME) bad_value("a link needs a name");
  return at->loc_data.loc_by_name;
}

/// A null object of a link operation stands for the location of the other one.
hid_t id_or_same(const void* object) { return object == nullptr ? H5L_SAME_LOC : native_id(object); }

herr_t create_link(H5VL_link_create_args_t* args, void* object, Parameters at, hid_t creation, hid_t access,
                   hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const char* const name = by_name(at).name;
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_LINK_CREATE_HARD: {
        const Parameters target = &asked.hard.curr_loc_params;
        if (target->type == H5VL_OBJECT_BY_NAME)
          return H5Lcreate_hard(id_or_same(asked.hard.curr_obj), target->loc_data.loc_by_name.name,
                                id_or_same(object), name, creation, access);
        const LocationId location(asked.hard.curr_obj, target);
        return H5Olink(location.get(), native_id(object), name, creation, access);
      }
      case H5VL_LINK_CREATE_SOFT:
        return H5Lcreate_soft(asked.soft.target, native_id(object), name, creation, access);
      case H5VL_LINK_CREATE_UD:
        return H5Lcreate_ud(native_id(object), name, asked.ud.type, asked.ud.buf, asked.ud.buf_size, creation,
                            access);
    }
    return unknown();
  });
}

herr_t copy_link(void* from, Parameters from_at, void* to, Parameters to_at, hid_t creation, hid_t access,
                 hid_t, void**) {
  return native_call(herr_t{-1}, [&] {
    return H5Lcopy(id_or_same(from), by_name(from_at).name, id_or_same(to), by_name(to_at).name, creation,
                   access);
  });
}

herr_t move_link(void* from, Parameters from_at, void* to, Parameters to_at, hid_t creation, hid_t access,
                 hid_t, void**) {
  return native_call(herr_t{-1}, [&] {
    return H5Lmove(id_or_same(from), by_name(from_at).name, id_or_same(to), by_name(to_at).name, creation,
                   access);
  });
}

herr_t get_of_link(void* object, Parameters at, H5VL_link_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    auto& asked = required(args, "args")->args;
    const bool indexed = required(at, "loc_params")->type == H5VL_OBJECT_BY_IDX;
    const H5VL_loc_by_idx_t& by = at->loc_data.loc_by_idx;
    switch (args->op_type) {
      case H5VL_LINK_GET_INFO:
        return indexed ? H5Lget_info_by_idx2(id, by.name, by.idx_type, by.order, by.n, asked.get_info.linfo,
                                             by.lapl_id)
                       : H5Lget_info2(id, by_name(at).name, asked.get_info.linfo, by_name(at).lapl_id);
      case H5VL_LINK_GET_NAME:
        if (!indexed) bad_value("the name of a link is asked for by index");
        return stored_length(asked.get_name.name_len,
                             H5Lget_name_by_idx(id, by.name, by.idx_type, by.order, by.n, asked.get_name.name,
                                                asked.get_name.name_size, by.lapl_id));
      case H5VL_LINK_GET_VAL:
        return indexed ? H5Lget_val_by_idx(id, by.name, by.idx_type, by.order, by.n, asked.get_val.buf,
                                           asked.get_val.buf_size, by.lapl_id)
                       : H5Lget_val(id, by_name(at).name, asked.get_val.buf, asked.get_val.buf_size,
                                    by_name(at).lapl_id);
    }
    return unknown();
  });
}

herr_t iterate_links(void* object, Parameters at, H5VL_link_iterate_args_t& asked) {
  const LocationId location(object, at);
  if (asked.recursive) return H5Lvisit2(location.get(), asked.idx_type, asked.order, asked.op, asked.op_data);
  return H5Literate2(location.get(), asked.idx_type, asked.order, asked.idx_p, asked.op, asked.op_data);
}

herr_t change_link(void* object, Parameters at, H5VL_link_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_LINK_DELETE: {
        const H5VL_loc_by_idx_t& by = required(at, "loc_params")->loc_data.loc_by_idx;
        return at->type == H5VL_OBJECT_BY_IDX
                   ? H5Ldelete_by_idx(native_id(object), by.name, by.idx_type, by.order, by.n, by.lapl_id)
                   : H5Ldelete(native_id(object), by_name(at).name, by_name(at).lapl_id);
      }
      case H5VL_LINK_EXISTS:
        return stored_answer(asked.exists.exists,
                             H5Lexists(native_id(object), by_name(at).name, by_name(at).lapl_id));
      case H5VL_LINK_ITER:
        return iterate_links(object, at, asked.iterate);
    }
    return unknown();
  });
}

// Objects of any kind.

void* open_object(void* object, Parameters at, H5I_type_t* type, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    ids().retain(location.get());  // the caller closes it
    if (type != nullptr) *type = IdTable::type_of(location.get());
    return native_object(location.get());
  });
}

herr_t copy_object(void* from, Parameters from_at, const char* from_name, void* to, Parameters to_at,
                   const char* to_name, hid_t copying, hid_t links, hid_t, void**) {
  return native_call(herr_t{-1}, [&] {
    const LocationId source(from, from_at), target(to, to_at);
    return H5Ocopy(source.get(), from_name, target.get(), to_name, copying, links);
  });
}

herr_t get_of_object(void* object, Parameters at, H5VL_object_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    auto& asked = required(args, "args")->args;
    if (args->op_type == H5VL_OBJECT_GET_FILE) {
      *required(asked.get_file.file, "file") = native_object(file_of(native_id(object))->retain_id());
      return 0;
    }
    const LocationId location(object, at);
    switch (args->op_type) {
      case H5VL_OBJECT_GET_NAME:
        return stored_length(asked.get_name.name_len,
                             H5Iget_name(location.get(), asked.get_name.buf, asked.get_name.buf_size));
      case H5VL_OBJECT_GET_TYPE: {
        H5O_info2_t info;
        if (H5Oget_info3(location.get(), &info, H5O_INFO_BASIC) < 0) return -1;
        *required(asked.get_type.obj_type, "obj_type") = info.type;
        return 0;
      }
      case H5VL_OBJECT_GET_INFO:
        return H5Oget_info3(location.get(), asked.get_info.oinfo, asked.get_info.fields);
      default:
        return unknown();
    }
  });
}

herr_t object_exists(void* object, Parameters at, hbool_t* exists) {
  return stored_answer(exists, H5Oexists_by_name(native_id(object), by_name(at).name, by_name(at).lapl_id));
}

herr_t look_up(hid_t id, H5O_token_t* token) {
  H5O_info2_t info;
  if (H5Oget_info3(id, &info, H5O_INFO_BASIC) < 0) return -1;
  *required(token, "token") = info.token;
  return 0;
}

herr_t change_links_of(hid_t id, int delta) {
  for (; delta > 0; --delta)
    if (H5Oincr_refcount(id) < 0) return -1;
  for (; delta < 0; ++delta)
    if (H5Odecr_refcount(id) < 0) return -1;
  return 0;
}

herr_t change_object(void* object, Parameters at, H5VL_object_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    auto& asked = required(args, "args")->args;
    if (args->op_type == H5VL_OBJECT_EXISTS) return object_exists(object, at, asked.exists.exists);
    const LocationId location(object, at);
    switch (args->op_type) {
      case H5VL_OBJECT_CHANGE_REF_COUNT:
        return change_links_of(location.get(), asked.change_rc.delta);
      case H5VL_OBJECT_LOOKUP:
        return look_up(location.get(), asked.lookup.token_ptr);
      case H5VL_OBJECT_VISIT:
        return H5Ovisit3(location.get(), asked.visit.idx_type, asked.visit.order, asked.visit.op,
                         asked.visit.op_data, asked.visit.fields);
      case H5VL_OBJECT_FLUSH:
        return H5Oflush(location.get());
      case H5VL_OBJECT_REFRESH:
        return H5Orefresh(location.get());
      default:
        return unknown();
    }
  });
}

}  // namespace

const H5VL_file_class_t native_files{create_file, open_file,   get_of_file,
                                     change_file, no_optional, close_file};
const H5VL_group_class_t native_groups{create_group, open_group,  get_of_group,
                                       change_group, no_optional, close_object};
const H5VL_link_class_t native_links{create_link, copy_link,   move_link,
                                     get_of_link, change_link, no_optional_at};
const H5VL_object_class_t native_object_calls{open_object, copy_object, get_of_object, change_object,
                                              no_optional_at};

}  // namespace filigree::capi
