// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on datasets.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

hid_t H5Dcreate_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                      const char* name, hid_t type_id, hid_t space_id, hid_t lcpl_id, hid_t dcpl_id,
                      hid_t dapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, type_id, space_id, lcpl_id, dcpl_id, dapl_id"),
                    H5I_DATASET, H5Dcreate2, LocationId{loc_id}, name, TypeId{type_id}, SpaceId{space_id},
                    PlistId{lcpl_id, PlistType::link_create}, PlistId{dcpl_id, PlistType::dataset_create},
                    PlistId{dapl_id, PlistType::dataset_access});
}

hid_t H5Dopen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                    const char* name, hid_t dapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, dapl_id"), H5I_DATASET, H5Dopen2, LocationId{loc_id},
                    name, PlistId{dapl_id, PlistType::dataset_access});
}

hid_t H5Dget_space_async(const char* app_file, const char* app_func, unsigned app_line, hid_t dset_id,
                         hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("dset_id"), H5I_DATASPACE, H5Dget_space, DatasetId{dset_id});
}

herr_t H5Dread_async(const char* app_file, const char* app_func, unsigned app_line, hid_t dset_id,
                     hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id, hid_t dxpl_id, void* buf,
                     hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, buf"),
                    H5Dread, DatasetId{dset_id}, TypeId{mem_type_id}, SpaceId{mem_space_id},
                    SpaceId{file_space_id}, PlistId{dxpl_id, PlistType::dataset_transfer}, buf);
}

herr_t H5Dwrite_async(const char* app_file, const char* app_func, unsigned app_line, hid_t dset_id,
                      hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id, hid_t dxpl_id,
                      const void* buf, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, buf"),
                    H5Dwrite, DatasetId{dset_id}, TypeId{mem_type_id}, SpaceId{mem_space_id},
                    SpaceId{file_space_id}, PlistId{dxpl_id, PlistType::dataset_transfer}, buf);
}

herr_t H5Dread_multi_async(const char* app_file, const char* app_func, unsigned app_line, size_t count,
                           hid_t dset_id[], hid_t mem_type_id[], hid_t mem_space_id[], hid_t file_space_id[],
                           hid_t dxpl_id, void* buf[], hid_t es_id) {
  return call_async(
      FILIGREE_ASYNC_CALL("count, dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, buf"),
      H5Dread_multi, count, IdArray<DatasetId>{dset_id, count}, IdArray<TypeId>{mem_type_id, count},
      IdArray<SpaceId>{mem_space_id, count}, IdArray<SpaceId>{file_space_id, count},
      PlistId{dxpl_id, PlistType::dataset_transfer}, Array{buf, count});
}

herr_t H5Dwrite_multi_async(const char* app_file, const char* app_func, unsigned app_line, size_t count,
                            hid_t dset_id[], hid_t mem_type_id[], hid_t mem_space_id[], hid_t file_space_id[],
                            hid_t dxpl_id, const void* buf[], hid_t es_id) {
  return call_async(
      FILIGREE_ASYNC_CALL("count, dset_id, mem_type_id, mem_space_id, file_space_id, dxpl_id, buf"),
      H5Dwrite_multi, count, IdArray<DatasetId>{dset_id, count}, IdArray<TypeId>{mem_type_id, count},
      IdArray<SpaceId>{mem_space_id, count}, IdArray<SpaceId>{file_space_id, count},
      PlistId{dxpl_id, PlistType::dataset_transfer}, Array{buf, count});
}

herr_t H5Dset_extent_async(const char* app_file, const char* app_func, unsigned app_line, hid_t dset_id,
                           const hsize_t size[], hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("dset_id, size"), H5Dset_extent, DatasetId{dset_id},
                    ExtentOf{dset_id, size});
}

herr_t H5Dclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t dset_id,
                      hid_t es_id) {
  return close_async(FILIGREE_ASYNC_CALL("dset_id"), H5Dclose, {H5I_DATASET}, dset_id);
}
