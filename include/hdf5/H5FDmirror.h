/* SPDX-License-Identifier: Apache-2.0 */
/* The mirror driver: files that are replicated on another machine. */
#ifndef H5FDmirror_H
#define H5FDmirror_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef H5_HAVE_MIRROR_VFD
#define H5FD_MIRROR (H5FDperform_init(H5FD_mirror_init))
#define H5FD_MIRROR_VALUE H5_VFD_MIRROR
#else
#define H5FD_MIRROR (H5I_INVALID_HID)
#define H5FD_MIRROR_VALUE H5_VFD_INVALID
#endif

#define H5FD_MIRROR_FAPL_MAGIC 0xF8DD514C
#define H5FD_MIRROR_CURR_FAPL_T_VERSION 1
#define H5FD_MIRROR_MAX_IP_LEN 32

typedef struct H5FD_mirror_fapl_t {
  uint32_t magic;
  uint32_t version;
  int handshake_port;
  char remote_ip[H5FD_MIRROR_MAX_IP_LEN + 1];
} H5FD_mirror_fapl_t;

H5_DLL hid_t H5FD_mirror_init(void);
H5_DLL herr_t H5Pget_fapl_mirror(hid_t fapl_id, H5FD_mirror_fapl_t* fa_out);
H5_DLL herr_t H5Pset_fapl_mirror(hid_t fapl_id, H5FD_mirror_fapl_t* fa);

#ifdef __cplusplus
}
#endif

#endif
