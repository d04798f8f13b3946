/* SPDX-License-Identifier: Apache-2.0 */
/* The multi driver: files with one member for each memory type. */
#ifndef H5FDmulti_H
#define H5FDmulti_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5FD_MULTI (H5FDperform_init(H5FD_multi_init))

H5_DLL hid_t H5FD_multi_init(void);
H5_DLL herr_t H5Pget_fapl_multi(hid_t fapl_id, H5FD_mem_t* memb_map, hid_t* memb_fapl, char** memb_name,
                                haddr_t* memb_addr, hbool_t* relax);
H5_DLL herr_t H5Pset_fapl_multi(hid_t fapl_id, const H5FD_mem_t* memb_map, const hid_t* memb_fapl,
                                const char* const* memb_name, const haddr_t* memb_addr, hbool_t relax);
H5_DLL herr_t H5Pset_fapl_split(hid_t fapl, const char* meta_ext, hid_t meta_plist_id, const char* raw_ext,
                                hid_t raw_plist_id);

#ifdef __cplusplus
}
#endif

#endif
