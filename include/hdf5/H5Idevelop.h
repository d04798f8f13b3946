/* SPDX-License-Identifier: Apache-2.0 */
/* Identifiers, for authors of connectors. */
#ifndef H5Idevelop_H
#define H5Idevelop_H

#include "H5Ipublic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef herr_t (*H5I_future_realize_func_t)(void* future_object, hid_t* actual_object_id);
typedef herr_t (*H5I_future_discard_func_t)(void* future_object);

H5_DLL hid_t H5Iregister_future(H5I_type_t type, const void* object, H5I_future_realize_func_t realize_cb,
                                H5I_future_discard_func_t discard_cb);

#ifdef __cplusplus
}
#endif

#endif
