/* SPDX-License-Identifier: Apache-2.0 */
/* The core driver: files in memory. */
#ifndef H5FDcore_H
#define H5FDcore_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5FD_CORE (H5FDperform_init(H5FD_core_init))
#define H5FD_CORE_VALUE H5_VFD_CORE

H5_DLL hid_t H5FD_core_init(void);
H5_DLL herr_t H5Pget_fapl_core(hid_t fapl_id, size_t* increment, hbool_t* backing_store);
H5_DLL herr_t H5Pset_fapl_core(hid_t fapl_id, size_t increment, hbool_t backing_store);

#ifdef __cplusplus
}
#endif

#endif
