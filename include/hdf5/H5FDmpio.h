/* SPDX-License-Identifier: Apache-2.0 */
/* The MPI-IO driver: files that MPI processes share. */
#ifndef H5FDmpio_H
#define H5FDmpio_H

#include "H5FDdevelop.h"
#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef H5_HAVE_PARALLEL
#define H5FD_MPIO (H5FDperform_init(H5FD_mpio_init))
#else
#define H5FD_MPIO (H5I_INVALID_HID)
#endif

typedef enum H5FD_mpio_xfer_t { H5FD_MPIO_INDEPENDENT = 0, H5FD_MPIO_COLLECTIVE } H5FD_mpio_xfer_t;

typedef enum H5FD_mpio_chunk_opt_t {
  H5FD_MPIO_CHUNK_DEFAULT = 0,
  H5FD_MPIO_CHUNK_ONE_IO,
  H5FD_MPIO_CHUNK_MULTI_IO
} H5FD_mpio_chunk_opt_t;

typedef enum H5FD_mpio_collective_opt_t {
  H5FD_MPIO_COLLECTIVE_IO = 0,
  H5FD_MPIO_INDIVIDUAL_IO
} H5FD_mpio_collective_opt_t;

H5_DLLVAR hbool_t H5FD_mpi_opt_types_g;

/* Build systems look for these functions, so they exist only where they work. */
#ifdef H5_HAVE_PARALLEL
H5_DLL hid_t H5FD_mpio_init(void);
H5_DLL herr_t H5Pget_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t* xfer_mode);
H5_DLL herr_t H5Pget_fapl_mpio(hid_t fapl_id, H5_mpi_comm_t* comm, H5_mpi_info_t* info);
H5_DLL herr_t H5Pset_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t xfer_mode);
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t opt_mode);
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned num_chunk_per_proc);
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id, unsigned percent_num_proc_per_chunk);
H5_DLL herr_t H5Pset_dxpl_mpio_collective_opt(hid_t dxpl_id, H5FD_mpio_collective_opt_t opt_mode);
H5_DLL herr_t H5Pset_fapl_mpio(hid_t fapl_id, H5_mpi_comm_t comm, H5_mpi_info_t info);
#endif

#ifdef __cplusplus
}
#endif

#endif
