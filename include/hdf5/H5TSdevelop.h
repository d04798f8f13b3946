/* SPDX-License-Identifier: Apache-2.0 */
/* The global lock of the library. Filigree has none, so these functions succeed at once. */
#ifndef H5TSdevelop_H
#define H5TSdevelop_H

#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

H5_DLL herr_t H5TSmutex_acquire(unsigned int lock_count, hbool_t* acquired);
H5_DLL herr_t H5TSmutex_get_attempt_count(unsigned int* count);
H5_DLL herr_t H5TSmutex_release(unsigned int* lock_count);

#ifdef __cplusplus
}
#endif

#endif
