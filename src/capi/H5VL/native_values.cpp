// SPDX-License-Identifier: Apache-2.0
//
// The native connector: attributes, datasets and committed datatypes.
#include <vector>

#include "capi/H5VL/native_objects.hpp"

namespace filigree::capi {
namespace {

using Parameters = const H5VL_loc_params_t*;

void unknown() { bad_value("unknown operation"); }

herr_t close_object(void* object, hid_t, void**) {
  return native_call(herr_t{-1}, [&] { return H5Idec_ref(native_id(object)) < 0 ? -1 : 0; });
}

/// No optional operation of the native connector goes through its class: programs call its functions.
herr_t no_optional(void*, H5VL_optional_args_t*, hid_t, void**) {
  return native_call(herr_t{-1},
                     []() -> herr_t { bad_value("optional operations have functions of their own"); });
}

herr_t stored(hid_t& to, hid_t id) {
  to = id;
  return id < 0 ? -1 : 0;
}

// Attributes.

void* create_attribute(void* object, Parameters at, const char* name, hid_t type, hid_t space, hid_t creation,
                       hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    return native_object(H5Acreate2(location.get(), name, type, space, creation, access));
  });
}

void* open_attribute(void* object, Parameters at, const char* name, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    if (required(at, "loc_params")->type == H5VL_OBJECT_BY_IDX) {
      const H5VL_loc_by_idx_t& by = at->loc_data.loc_by_idx;
      return native_object(
          H5Aopen_by_idx(native_id(object), by.name, by.idx_type, by.order, by.n, access, by.lapl_id));
    }
    const LocationId location(object, at);
    return native_object(H5Aopen(location.get(), name, access));
  });
}

herr_t read_attribute(void* object, hid_t type, void* buffer, hid_t, void**) {
  return native_call(herr_t{-1}, [&] { return H5Aread(native_id(object), type, buffer); });
}

herr_t write_attribute(void* object, hid_t type, const void* buffer, hid_t, void**) {
  return native_call(herr_t{-1}, [&] { return H5Awrite(native_id(object), type, buffer); });
}

herr_t attribute_name(hid_t id, H5VL_attr_get_name_args_t& asked) {
  const H5VL_loc_by_idx_t& by = asked.loc_params.loc_data.loc_by_idx;
  const ssize_t length = asked.loc_params.type == H5VL_OBJECT_BY_IDX
                             ? H5Aget_name_by_idx(id, by.name, by.idx_type, by.order, by.n, asked.buf,
                                                  asked.buf_size, by.lapl_id)
                             : H5Aget_name(id, asked.buf_size, asked.buf);
  if (length >= 0) *required(asked.attr_name_len, "attr_name_len") = static_cast<std::size_t>(length);
  return length < 0 ? -1 : 0;
}

herr_t attribute_information(hid_t id, H5VL_attr_get_info_args_t& asked) {
  const auto& data = asked.loc_params.loc_data;
  switch (asked.loc_params.type) {
    case H5VL_OBJECT_BY_SELF:
      return H5Aget_info(id, asked.ainfo);
    case H5VL_OBJECT_BY_NAME:
      return H5Aget_info_by_name(id, data.loc_by_name.name, asked.attr_name, asked.ainfo,
                                 data.loc_by_name.lapl_id);
    case H5VL_OBJECT_BY_IDX:
      return H5Aget_info_by_idx(id, data.loc_by_idx.name, data.loc_by_idx.idx_type, data.loc_by_idx.order,
                                data.loc_by_idx.n, asked.ainfo, data.loc_by_idx.lapl_id);
    default:
      bad_value("attributes have no tokens");
  }
}

herr_t get_of_attribute(void* object, H5VL_attr_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_ATTR_GET_ACPL:
        return stored(asked.get_acpl.acpl_id, H5Aget_create_plist(id));
      case H5VL_ATTR_GET_INFO:
        return attribute_information(id, asked.get_info);
      case H5VL_ATTR_GET_NAME:
        return attribute_name(id, asked.get_name);
      case H5VL_ATTR_GET_SPACE:
        return stored(asked.get_space.space_id, H5Aget_space(id));
      case H5VL_ATTR_GET_STORAGE_SIZE:
        *required(asked.get_storage_size.data_size, "data_size") = H5Aget_storage_size(id);
        return 0;
      case H5VL_ATTR_GET_TYPE:
        return stored(asked.get_type.type_id, H5Aget_type(id));
    }
    unknown();
    return -1;
  });
}

herr_t change_attributes(void* object, Parameters at, H5VL_attr_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    auto& asked = required(args, "args")->args;
    if (args->op_type == H5VL_ATTR_DELETE_BY_IDX) {
      const H5VL_loc_by_name_t& by = required(at, "loc_params")->loc_data.loc_by_name;
      const H5VL_attr_delete_by_idx_args_t& which = asked.delete_by_idx;
      const bool named = at->type == H5VL_OBJECT_BY_NAME;
      return H5Adelete_by_idx(native_id(object), named ? by.name : ".", which.idx_type, which.order, which.n,
                              named ? by.lapl_id : H5P_DEFAULT);
    }
    const LocationId location(object, at);
    switch (args->op_type) {
      case H5VL_ATTR_DELETE:
        return H5Adelete(location.get(), asked.del.name);
      case H5VL_ATTR_EXISTS: {
        const htri_t found = H5Aexists(location.get(), asked.exists.name);
        if (found >= 0) *required(asked.exists.exists, "exists") = found > 0;
        return found < 0 ? -1 : 0;
      }
      case H5VL_ATTR_ITER:
        return H5Aiterate2(location.get(), asked.iterate.idx_type, asked.iterate.order, asked.iterate.idx,
                           asked.iterate.op, asked.iterate.op_data);
      case H5VL_ATTR_RENAME:
        return H5Arename(location.get(), asked.rename.old_name, asked.rename.new_name);
      default:
        unknown();
        return -1;
    }
  });
}

// Datasets.

void* create_dataset(void* object, Parameters at, const char* name, hid_t links, hid_t type, hid_t space,
                     hid_t creation, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    return native_object(name == nullptr
                             ? H5Dcreate_anon(location.get(), type, space, creation, access)
                             : H5Dcreate2(location.get(), name, type, space, links, creation, access));
  });
}

void* open_dataset(void* object, Parameters at, const char* name, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    return native_object(H5Dopen2(location.get(), name, access));
  });
}

std::vector<hid_t> dataset_ids(std::size_t count, void** objects) {
  std::vector<hid_t> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(native_id(objects[i]));
  return all;
}

herr_t read_datasets(size_t count, void* objects[], hid_t types[], hid_t memory[], hid_t file[],
                     hid_t transfer, void* buffers[], void**) {
  return native_call(herr_t{-1}, [&] {
    return H5Dread_multi(count, dataset_ids(count, objects).data(), types, memory, file, transfer, buffers);
  });
}

herr_t write_datasets(size_t count, void* objects[], hid_t types[], hid_t memory[], hid_t file[],
                      hid_t transfer, const void* buffers[], void**) {
  return native_call(herr_t{-1}, [&] {
    return H5Dwrite_multi(count, dataset_ids(count, objects).data(), types, memory, file, transfer, buffers);
  });
}

herr_t get_of_dataset(void* object, H5VL_dataset_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_DATASET_GET_DAPL:
        return stored(asked.get_dapl.dapl_id, H5Dget_access_plist(id));
      case H5VL_DATASET_GET_DCPL:
        return stored(asked.get_dcpl.dcpl_id, H5Dget_create_plist(id));
      case H5VL_DATASET_GET_SPACE:
        return stored(asked.get_space.space_id, H5Dget_space(id));
      case H5VL_DATASET_GET_SPACE_STATUS:
        return H5Dget_space_status(id, asked.get_space_status.status);
      case H5VL_DATASET_GET_STORAGE_SIZE:
        *required(asked.get_storage_size.storage_size, "storage_size") = H5Dget_storage_size(id);
        return 0;
      case H5VL_DATASET_GET_TYPE:
        return stored(asked.get_type.type_id, H5Dget_type(id));
    }
    unknown();
    return -1;
  });
}

herr_t change_dataset(void* object, H5VL_dataset_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    switch (required(args, "args")->op_type) {
      case H5VL_DATASET_SET_EXTENT:
        return H5Dset_extent(id, args->args.set_extent.size);
      case H5VL_DATASET_FLUSH:
        return H5Dflush(id);
      case H5VL_DATASET_REFRESH:
        return H5Drefresh(id);
    }
    unknown();
    return -1;
  });
}

// Committed datatypes.

void* commit_datatype(void* object, Parameters at, const char* name, hid_t type, hid_t links, hid_t creation,
                      hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&]() -> void* {
    const LocationId location(object, at);
    const hid_t id = H5Tcopy(type);  // the given type stays as it is
    if (id < 0) return nullptr;
    const herr_t made = name == nullptr ? H5Tcommit_anon(location.get(), id, creation, access)
                                        : H5Tcommit2(location.get(), name, id, links, creation, access);
    if (made >= 0) return native_object(id);
    ids().release(id);
    return nullptr;
  });
}

void* open_datatype(void* object, Parameters at, const char* name, hid_t access, hid_t, void**) {
  return native_call<void*>(nullptr, [&] {
    const LocationId location(object, at);
    return native_object(H5Topen2(location.get(), name, access));
  });
}

herr_t get_of_datatype(void* object, H5VL_datatype_get_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    auto& asked = required(args, "args")->args;
    switch (args->op_type) {
      case H5VL_DATATYPE_GET_BINARY_SIZE:
        return H5Tencode(id, nullptr, asked.get_binary_size.size);
      case H5VL_DATATYPE_GET_BINARY: {
        std::size_t bytes = asked.get_binary.buf_size;
        return H5Tencode(id, asked.get_binary.buf, &bytes);
      }
      case H5VL_DATATYPE_GET_TCPL:
        return stored(asked.get_tcpl.tcpl_id, H5Tget_create_plist(id));
    }
    unknown();
    return -1;
  });
}

herr_t change_datatype(void* object, H5VL_datatype_specific_args_t* args, hid_t, void**) {
  return native_call(herr_t{-1}, [&]() -> herr_t {
    const hid_t id = native_id(object);
    return required(args, "args")->op_type == H5VL_DATATYPE_FLUSH ? H5Tflush(id) : H5Trefresh(id);
  });
}

}  // namespace

const H5VL_attr_class_t native_attributes{create_attribute, open_attribute,   read_attribute,
                                          write_attribute,  get_of_attribute, change_attributes,
                                          no_optional,      close_object};
const H5VL_dataset_class_t native_datasets{create_dataset, open_dataset,   read_datasets, write_datasets,
                                           get_of_dataset, change_dataset, no_optional,   close_object};
const H5VL_datatype_class_t native_datatypes{commit_datatype, open_datatype, get_of_datatype,
                                             change_datatype, nullptr,       close_object};

}  // namespace filigree::capi
