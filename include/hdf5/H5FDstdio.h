/* SPDX-License-Identifier: Apache-2.0 */
/* The stdio driver: files through the stream functions of C. */
#ifndef H5FDstdio_H
#define H5FDstdio_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5FD_STDIO (H5FDperform_init(H5FD_stdio_init))

H5_DLL hid_t H5FD_stdio_init(void);
H5_DLL herr_t H5Pset_fapl_stdio(hid_t fapl_id);

#ifdef __cplusplus
}
#endif

#endif
