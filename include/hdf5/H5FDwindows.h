/* SPDX-License-Identifier: Apache-2.0 */
/* The Windows driver. */
#ifndef H5FDwindows_H
#define H5FDwindows_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5FD_WINDOWS (H5FDperform_init(H5FD_sec2_init))

H5_DLL herr_t H5Pset_fapl_windows(hid_t fapl_id);

#ifdef __cplusplus
}
#endif

#endif
