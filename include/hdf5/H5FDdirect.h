/* SPDX-License-Identifier: Apache-2.0 */
/* The direct driver: files that bypass the page cache. */
#ifndef H5FDdirect_H
#define H5FDdirect_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef H5_HAVE_DIRECT
#define H5FD_DIRECT (H5FDperform_init(H5FD_direct_init))
#define H5FD_DIRECT_VALUE H5_VFD_DIRECT
#else
#define H5FD_DIRECT (H5I_INVALID_HID)
#define H5FD_DIRECT_VALUE H5_VFD_INVALID
#endif

/* Defaults, bytes. */
#define MBOUNDARY_DEF 4096
#define FBSIZE_DEF 4096
#define CBSIZE_DEF (16 * 1024 * 1024)

/* Build systems look for these functions, so they exist only where they work. */
#ifdef H5_HAVE_DIRECT
H5_DLL hid_t H5FD_direct_init(void);
H5_DLL herr_t H5Pget_fapl_direct(hid_t fapl_id, size_t* boundary, size_t* block_size, size_t* cbuf_size);
H5_DLL herr_t H5Pset_fapl_direct(hid_t fapl_id, size_t alignment, size_t block_size, size_t cbuf_size);
#endif

#ifdef __cplusplus
}
#endif

#endif
