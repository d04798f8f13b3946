/* SPDX-License-Identifier: Apache-2.0 */
/* Maps. Files of this library have none, so the functions fail. */
#ifndef H5Mpublic_H
#define H5Mpublic_H

#include "H5Ipublic.h"
#include "H5VLconnector.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Operations of connectors that support maps. */
#define H5VL_MAP_CREATE 1
#define H5VL_MAP_OPEN 2
#define H5VL_MAP_GET_VAL 3
#define H5VL_MAP_EXISTS 4
#define H5VL_MAP_PUT 5
#define H5VL_MAP_GET 6
#define H5VL_MAP_SPECIFIC 7
#define H5VL_MAP_OPTIONAL 8
#define H5VL_MAP_CLOSE 9

typedef enum H5VL_map_get_t {
  H5VL_MAP_GET_MAPL,
  H5VL_MAP_GET_MCPL,
  H5VL_MAP_GET_KEY_TYPE,
  H5VL_MAP_GET_VAL_TYPE,
  H5VL_MAP_GET_COUNT
} H5VL_map_get_t;

typedef enum H5VL_map_specific_t { H5VL_MAP_ITER, H5VL_MAP_DELETE } H5VL_map_specific_t;

typedef herr_t (*H5M_iterate_t)(hid_t map_id, const void* key, void* op_data);

H5_DLL herr_t H5Mclose(hid_t map_id);
H5_DLL herr_t H5Mclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t map_id,
                             hid_t es_id);
H5_DLL hid_t H5Mcreate(hid_t loc_id, const char* name, hid_t key_type_id, hid_t val_type_id, hid_t lcpl_id,
                       hid_t mcpl_id, hid_t mapl_id);
H5_DLL hid_t H5Mcreate_anon(hid_t loc_id, hid_t key_type_id, hid_t val_type_id, hid_t mcpl_id, hid_t mapl_id);
H5_DLL hid_t H5Mcreate_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                             const char* name, hid_t key_type_id, hid_t val_type_id, hid_t lcpl_id,
                             hid_t mcpl_id, hid_t mapl_id, hid_t es_id);
H5_DLL herr_t H5Mdelete(hid_t map_id, hid_t key_mem_type_id, const void* key, hid_t dxpl_id);
H5_DLL herr_t H5Mexists(hid_t map_id, hid_t key_mem_type_id, const void* key, hbool_t* exists, hid_t dxpl_id);
H5_DLL herr_t H5Mget(hid_t map_id, hid_t key_mem_type_id, const void* key, hid_t val_mem_type_id, void* value,
                     hid_t dxpl_id);
H5_DLL hid_t H5Mget_access_plist(hid_t map_id);
H5_DLL herr_t H5Mget_async(const char* app_file, const char* app_func, unsigned app_line, hid_t map_id,
                           hid_t key_mem_type_id, const void* key, hid_t val_mem_type_id, void* value,
                           hid_t dxpl_id, hid_t es_id);
H5_DLL herr_t H5Mget_count(hid_t map_id, hsize_t* count, hid_t dxpl_id);
H5_DLL hid_t H5Mget_create_plist(hid_t map_id);
H5_DLL hid_t H5Mget_key_type(hid_t map_id);
H5_DLL hid_t H5Mget_val_type(hid_t map_id);
H5_DLL herr_t H5Miterate(hid_t map_id, hsize_t* idx, hid_t key_mem_type_id, H5M_iterate_t op, void* op_data,
                         hid_t dxpl_id);
H5_DLL herr_t H5Miterate_by_name(hid_t loc_id, const char* map_name, hsize_t* idx, hid_t key_mem_type_id,
                                 H5M_iterate_t op, void* op_data, hid_t dxpl_id, hid_t lapl_id);
H5_DLL hid_t H5Mopen(hid_t loc_id, const char* name, hid_t mapl_id);
H5_DLL hid_t H5Mopen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                           const char* name, hid_t mapl_id, hid_t es_id);
H5_DLL herr_t H5Mput(hid_t map_id, hid_t key_mem_type_id, const void* key, hid_t val_mem_type_id,
                     const void* value, hid_t dxpl_id);
H5_DLL herr_t H5Mput_async(const char* app_file, const char* app_func, unsigned app_line, hid_t map_id,
                           hid_t key_mem_type_id, const void* key, hid_t val_mem_type_id, const void* value,
                           hid_t dxpl_id, hid_t es_id);

#ifdef __cplusplus
}
#endif

/* The macros add the source location of the call; the `_wrap` functions take another location. */
#if !defined(H5M_MODULE) && !defined(FILIGREE_HDF5_SOURCE)
#define H5Mclose_async(...) H5Mclose_async(__FILE__, __func__, __LINE__, __VA_ARGS__)
#define H5Mcreate_async(...) H5Mcreate_async(__FILE__, __func__, __LINE__, __VA_ARGS__)
#define H5Mget_async(...) H5Mget_async(__FILE__, __func__, __LINE__, __VA_ARGS__)
#define H5Mopen_async(...) H5Mopen_async(__FILE__, __func__, __LINE__, __VA_ARGS__)
#define H5Mput_async(...) H5Mput_async(__FILE__, __func__, __LINE__, __VA_ARGS__)
#define H5Mclose_async_wrap H5_NO_EXPAND(H5Mclose_async)
#define H5Mcreate_async_wrap H5_NO_EXPAND(H5Mcreate_async)
#define H5Mget_async_wrap H5_NO_EXPAND(H5Mget_async)
#define H5Mopen_async_wrap H5_NO_EXPAND(H5Mopen_async)
#define H5Mput_async_wrap H5_NO_EXPAND(H5Mput_async)
#endif

#endif
