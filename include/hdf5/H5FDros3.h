/* SPDX-License-Identifier: Apache-2.0 */
/* The read-only S3 driver: files in object stores. */
#ifndef H5FDros3_H
#define H5FDros3_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef H5_HAVE_ROS3_VFD
#define H5FD_ROS3 (H5FDperform_init(H5FD_ros3_init))
#define H5FD_ROS3_VALUE H5_VFD_ROS3
#else
#define H5FD_ROS3 (H5I_INVALID_HID)
#define H5FD_ROS3_VALUE H5_VFD_INVALID
#endif

#define H5FD_CURR_ROS3_FAPL_T_VERSION 1
#define H5FD_ROS3_MAX_REGION_LEN 32
#define H5FD_ROS3_MAX_SECRET_ID_LEN 128
#define H5FD_ROS3_MAX_SECRET_KEY_LEN 128
#define H5FD_ROS3_MAX_SECRET_TOK_LEN 4096
/* Of HDF5 2.x. */
#define H5FD_ROS3_VFD_DEFAULT_LOG_FILE "hdf5_ros3_vfd.log"
#define HDF5_ROS3_VFD_DEBUG "HDF5_ROS3_VFD_DEBUG"
#define HDF5_ROS3_VFD_LOG_LEVEL "HDF5_ROS3_VFD_LOG_LEVEL"
#define HDF5_ROS3_VFD_LOG_FILE "HDF5_ROS3_VFD_LOG_FILE"
#define HDF5_ROS3_VFD_FORCE_PATH_STYLE "HDF5_ROS3_VFD_FORCE_PATH_STYLE"
#define HDF5_ROS3_VFD_DEFAULT_BLOCK_SIZE 16777216
#define HDF5_ROS3_VFD_DEFAULT_BLOCK_CACHE_SIZE 134217728

typedef struct H5FD_ros3_fapl_t {
  int32_t version;
  hbool_t authenticate;
  char aws_region[H5FD_ROS3_MAX_REGION_LEN + 1];
  char secret_id[H5FD_ROS3_MAX_SECRET_ID_LEN + 1];
  char secret_key[H5FD_ROS3_MAX_SECRET_KEY_LEN + 1];
} H5FD_ros3_fapl_t;

/* Build systems look for these functions, so they exist only where they work. */
#ifdef H5_HAVE_ROS3_VFD
H5_DLL hid_t H5FD_ros3_init(void);
H5_DLL herr_t H5Pget_fapl_ros3(hid_t fapl_id, H5FD_ros3_fapl_t* fa_out);
H5_DLL herr_t H5Pget_fapl_ros3_block_caching(hid_t fapl_id, size_t* block_size, size_t* block_cache_size,
                                             bool* lock_superblock);
H5_DLL herr_t H5Pget_fapl_ros3_endpoint(hid_t fapl_id, size_t size, char* endpoint);
H5_DLL herr_t H5Pget_fapl_ros3_token(hid_t fapl_id, size_t size, char* token);
H5_DLL herr_t H5Pset_fapl_ros3(hid_t fapl_id, H5FD_ros3_fapl_t* fa);
H5_DLL herr_t H5Pset_fapl_ros3_block_caching(hid_t fapl_id, size_t block_size, size_t block_cache_size,
                                             bool lock_superblock);
H5_DLL herr_t H5Pset_fapl_ros3_endpoint(hid_t fapl_id, const char* endpoint);
H5_DLL herr_t H5Pset_fapl_ros3_token(hid_t fapl_id, const char* token);
#endif

#ifdef __cplusplus
}
#endif

#endif
