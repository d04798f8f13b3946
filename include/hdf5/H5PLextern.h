/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that a plugin must define. */
#ifndef H5PLextern_H
#define H5PLextern_H

#include "hdf5.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5PLUGIN_DLL __attribute__((visibility("default")))

H5PLUGIN_DLL H5PL_type_t H5PLget_plugin_type(void);
H5PLUGIN_DLL const void* H5PLget_plugin_info(void);

#ifdef __cplusplus
}
#endif

#endif
