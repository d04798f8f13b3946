/* SPDX-License-Identifier: Apache-2.0 */
/* The pass-through connector. */
#ifndef H5VLpassthru_H
#define H5VLpassthru_H

#include "H5VLpublic.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5VL_PASSTHRU (H5VL_pass_through_register())
#define H5VL_PASSTHRU_NAME "pass_through"
#define H5VL_PASSTHRU_VALUE 1
#define H5VL_PASSTHRU_VERSION 0

typedef struct H5VL_pass_through_info_t {
  hid_t under_vol_id;
  void* under_vol_info;
} H5VL_pass_through_info_t;

H5_DLL hid_t H5VL_pass_through_register(void);

#ifdef __cplusplus
}
#endif

#endif
