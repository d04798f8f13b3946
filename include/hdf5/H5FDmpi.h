/* SPDX-License-Identifier: Apache-2.0 */
/* Modes of parallel I/O. */
#ifndef H5FDmpi_H
#define H5FDmpi_H

#include "H5FDmpio.h"

#ifdef __cplusplus
extern "C" {
#endif

#define H5D_ONE_LINK_CHUNK_IO_THRESHOLD 0
#define H5D_MULTI_CHUNK_IO_COL_THRESHOLD 60

#ifdef __cplusplus
}
#endif

#endif
