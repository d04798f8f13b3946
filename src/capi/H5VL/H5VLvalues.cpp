// SPDX-License-Identifier: Apache-2.0
//
// Calls of connectors for attributes, datasets and datatypes.
#include <algorithm>
#include <initializer_list>

#include "capi/H5VL/connector_call.hpp"

using namespace filigree::capi;

namespace {

Code code(const hid_t* minor) { return {&H5E_VOL_g, minor}; }

/// Whether the arrays of a transfer, and its objects, are there.
bool has_all(std::size_t count, void** objects, std::initializer_list<const void*> arrays) {
  if (objects == nullptr || std::ranges::count(arrays, nullptr) > 0) return false;
  return std::ranges::count(objects, objects + count, nullptr) == 0;
}

}  // namespace

void* H5VLattr_create(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                      const char* attr_name, hid_t type_id, hid_t space_id, hid_t acpl_id, hid_t aapl_id,
                      hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTCREATE_g), "unable to create attribute"}, obj, connector_id,
      [](auto& c) { return c.attr_cls.create; },
      [&](auto call) {
        return call(obj, loc_params, attr_name, type_id, space_id, acpl_id, aapl_id, dxpl_id, req);
      });
}

void* H5VLattr_open(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id, const char* name,
                    hid_t aapl_id, hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTOPENOBJ_g), "unable to open attribute"}, obj, connector_id,
      [](auto& c) { return c.attr_cls.open; },
      [&](auto call) { return call(obj, loc_params, name, aapl_id, dxpl_id, req); });
}

herr_t H5VLattr_read(void* attr, hid_t connector_id, hid_t dtype_id, void* buf, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_READERROR_g), "unable to read attribute"}, attr, connector_id,
      [](auto& c) { return c.attr_cls.read; },
      [&](auto call) { return call(attr, dtype_id, buf, dxpl_id, req); });
}

herr_t H5VLattr_write(void* attr, hid_t connector_id, hid_t dtype_id, const void* buf, hid_t dxpl_id,
                      void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_WRITEERROR_g), "unable to write attribute"}, attr, connector_id,
      [](auto& c) { return c.attr_cls.write; },
      [&](auto call) { return call(attr, dtype_id, buf, dxpl_id, req); });
}

herr_t H5VLattr_get(void* obj, hid_t connector_id, H5VL_attr_get_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get attribute information"}, obj, connector_id,
      [](auto& c) { return c.attr_cls.get; }, [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLattr_specific(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                         H5VL_attr_specific_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute attribute operation"}, obj,
      connector_id, [](auto& c) { return c.attr_cls.specific; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}

herr_t H5VLattr_optional(void* obj, hid_t connector_id, H5VL_optional_args_t* args, hid_t dxpl_id,
                         void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.attr_cls.optional; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLattr_close(void* attr, hid_t connector_id, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCLOSEOBJ_g), "unable to close attribute"}, attr, connector_id,
      [](auto& c) { return c.attr_cls.close; }, [&](auto call) { return call(attr, dxpl_id, req); });
}

void* H5VLdataset_create(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id, const char* name,
                         hid_t lcpl_id, hid_t type_id, hid_t space_id, hid_t dcpl_id, hid_t dapl_id,
                         hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTCREATE_g), "unable to create dataset"}, obj, connector_id,
      [](auto& c) { return c.dataset_cls.create; },
      [&](auto call) {
        return call(obj, loc_params, name, lcpl_id, type_id, space_id, dcpl_id, dapl_id, dxpl_id, req);
      });
}

void* H5VLdataset_open(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id, const char* name,
                       hid_t dapl_id, hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTOPENOBJ_g), "unable to open dataset"}, obj, connector_id,
      [](auto& c) { return c.dataset_cls.open; },
      [&](auto call) { return call(obj, loc_params, name, dapl_id, dxpl_id, req); });
}

herr_t H5VLdataset_read(size_t count, void* dset[], hid_t connector_id, hid_t mem_type_id[],
                        hid_t mem_space_id[], hid_t file_space_id[], hid_t plist_id, void* buf[],
                        void** req) {
  const bool complete = has_all(count, dset, {mem_type_id, mem_space_id, file_space_id, buf});
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTINIT_g), "unable to read dataset"}, complete ? dset : nullptr,
      connector_id, [](auto& c) { return c.dataset_cls.read; },
      [&](auto call) {
        return call(count, dset, mem_type_id, mem_space_id, file_space_id, plist_id, buf, req);
      });
}

herr_t H5VLdataset_write(size_t count, void* dset[], hid_t connector_id, hid_t mem_type_id[],
                         hid_t mem_space_id[], hid_t file_space_id[], hid_t plist_id, const void* buf[],
                         void** req) {
  const bool complete = has_all(count, dset, {mem_type_id, mem_space_id, file_space_id, buf});
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTINIT_g), "unable to write dataset"}, complete ? dset : nullptr,
      connector_id, [](auto& c) { return c.dataset_cls.write; },
      [&](auto call) {
        return call(count, dset, mem_type_id, mem_space_id, file_space_id, plist_id, buf, req);
      });
}

herr_t H5VLdataset_get(void* dset, hid_t connector_id, H5VL_dataset_get_args_t* args, hid_t dxpl_id,
                       void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get dataset information"}, dset, connector_id,
      [](auto& c) { return c.dataset_cls.get; }, [&](auto call) { return call(dset, args, dxpl_id, req); });
}

herr_t H5VLdataset_specific(void* obj, hid_t connector_id, H5VL_dataset_specific_args_t* args, hid_t dxpl_id,
                            void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute dataset operation"}, obj,
      connector_id, [](auto& c) { return c.dataset_cls.specific; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLdataset_optional(void* obj, hid_t connector_id, H5VL_optional_args_t* args, hid_t dxpl_id,
                            void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.dataset_cls.optional; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLdataset_close(void* dset, hid_t connector_id, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCLOSEOBJ_g), "unable to close dataset"}, dset, connector_id,
      [](auto& c) { return c.dataset_cls.close; }, [&](auto call) { return call(dset, dxpl_id, req); });
}

void* H5VLdatatype_commit(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                          const char* name, hid_t type_id, hid_t lcpl_id, hid_t tcpl_id, hid_t tapl_id,
                          hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTCREATE_g), "unable to commit datatype"}, obj, connector_id,
      [](auto& c) { return c.datatype_cls.commit; },
      [&](auto call) {
        return call(obj, loc_params, name, type_id, lcpl_id, tcpl_id, tapl_id, dxpl_id, req);
      });
}

void* H5VLdatatype_open(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id, const char* name,
                        hid_t tapl_id, hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTOPENOBJ_g), "unable to open datatype"}, obj, connector_id,
      [](auto& c) { return c.datatype_cls.open; },
      [&](auto call) { return call(obj, loc_params, name, tapl_id, dxpl_id, req); });
}

herr_t H5VLdatatype_get(void* dt, hid_t connector_id, H5VL_datatype_get_args_t* args, hid_t dxpl_id,
                        void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get datatype information"}, dt, connector_id,
      [](auto& c) { return c.datatype_cls.get; }, [&](auto call) { return call(dt, args, dxpl_id, req); });
}

herr_t H5VLdatatype_specific(void* obj, hid_t connector_id, H5VL_datatype_specific_args_t* args,
                             hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute datatype operation"}, obj,
      connector_id, [](auto& c) { return c.datatype_cls.specific; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLdatatype_optional(void* obj, hid_t connector_id, H5VL_optional_args_t* args, hid_t dxpl_id,
                             void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.datatype_cls.optional; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLdatatype_close(void* dt, hid_t connector_id, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCLOSEOBJ_g), "unable to close datatype"}, dt, connector_id,
      [](auto& c) { return c.datatype_cls.close; }, [&](auto call) { return call(dt, dxpl_id, req); });
}
