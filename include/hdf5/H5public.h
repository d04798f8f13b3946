/* SPDX-License-Identifier: Apache-2.0 */
/* Base types, version and library-wide functions. */
#ifndef H5public_H
#define H5public_H

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "H5api_adpt.h"
#include "H5pubconf.h"
#include "H5version.h"

#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef H5_HAVE_PARALLEL
typedef MPI_Comm H5_mpi_comm_t;
typedef MPI_Info H5_mpi_info_t;
#else
/* Placeholders, so that the parallel functions can be declared without MPI. */
typedef struct H5_mpi_comm_stand_in* H5_mpi_comm_t;
typedef struct H5_mpi_info_stand_in* H5_mpi_info_t;
#endif

/* The version of the HDF5 API that this library implements. H5_VERS_INFO also names the library. */
#define H5_VERS_MAJOR 1
#define H5_VERS_MINOR 14
#define H5_VERS_RELEASE 5
#define H5_VERS_SUBRELEASE ""
#define H5_VERS_STR "1.14.5"
#define H5_VERS_INFO "HDF5 API version: 1.14.5, by Filigree 0.1.0"

#define H5check() H5check_version(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)

#define H5_VERSION_GE(major, minor, release)                                           \
  (H5_VERS_MAJOR > (major) || (H5_VERS_MAJOR == (major) && H5_VERS_MINOR > (minor)) || \
   (H5_VERS_MAJOR == (major) && H5_VERS_MINOR == (minor) && H5_VERS_RELEASE >= (release)))
#define H5_VERSION_LE(major, minor, release)                                           \
  (H5_VERS_MAJOR < (major) || (H5_VERS_MAJOR == (major) && H5_VERS_MINOR < (minor)) || \
   (H5_VERS_MAJOR == (major) && H5_VERS_MINOR == (minor) && H5_VERS_RELEASE <= (release)))

/* The names of environment variables. Programs that run tests set or read them. */
#define HDF5_DRIVER "HDF5_DRIVER"
#define HDF5_DRIVER_CONFIG "HDF5_DRIVER_CONFIG"
#define HDF5_VOL_CONNECTOR "HDF5_VOL_CONNECTOR"
#define HDF5_PLUGIN_PATH "HDF5_PLUGIN_PATH"
#define HDF5_PLUGIN_PRELOAD "HDF5_PLUGIN_PRELOAD"
#define HDF5_USE_FILE_LOCKING "HDF5_USE_FILE_LOCKING"
#define HDF5_NOCLEANUP "HDF5_NOCLEANUP"

/* A prefix for values that are known only after the library is set up. */
#define H5OPEN H5open(),
#define H5CHECK H5check(),

#define H5_LIKELY(expression) __builtin_expect(!!(expression), 1)
#define H5_UNLIKELY(expression) __builtin_expect(!!(expression), 0)

/* Keeps a function-like macro from expanding, so that the function itself is called. */
#define H5_NO_EXPAND(x) (x)

typedef int herr_t; /* negative: failed */
typedef bool hbool_t;
typedef int htri_t; /* positive: yes, zero: no, negative: failed */
typedef uint64_t hsize_t;
typedef int64_t hssize_t;
typedef off_t HDoff_t;
typedef uint64_t haddr_t;

#define H5_SIZEOF_HSIZE_T 8
#define H5_SIZEOF_HSSIZE_T 8
#define H5_SIZEOF_HADDR_T 8
#define HSIZE_UNDEF UINT64_MAX
#define HADDR_UNDEF UINT64_MAX
#define HADDR_MAX (HADDR_UNDEF - 1)
#ifdef H5_HAVE_PARALLEL
#define HADDR_AS_MPI_TYPE MPI_LONG_LONG_INT
#define HSIZE_AS_MPI_TYPE MPI_UINT64_T
#endif

#define PRIdHSIZE PRId64
#define PRIiHSIZE PRIi64
#define PRIoHSIZE PRIo64
#define PRIuHSIZE PRIu64
#define PRIxHSIZE PRIx64
#define PRIXHSIZE PRIX64
#define PRIdHADDR PRId64
#define PRIiHADDR PRIi64
#define PRIoHADDR PRIo64
#define PRIuHADDR PRIu64
#define PRIxHADDR PRIx64
#define PRIXHADDR PRIX64
#define H5_PRINTF_HADDR_FMT "%" PRIuHADDR

typedef enum { H5_ITER_UNKNOWN = -1, H5_ITER_INC, H5_ITER_DEC, H5_ITER_NATIVE, H5_ITER_N } H5_iter_order_t;

/* Return values of iteration callbacks. */
#define H5_ITER_ERROR (-1)
#define H5_ITER_CONT (0)
#define H5_ITER_STOP (1)

typedef enum H5_index_t { H5_INDEX_UNKNOWN = -1, H5_INDEX_NAME, H5_INDEX_CRT_ORDER, H5_INDEX_N } H5_index_t;

typedef struct H5_ih_info_t {
  hsize_t index_size;
  hsize_t heap_size;
} H5_ih_info_t;

/* The section of a structured chunk that a setting applies to. */
typedef enum {
  H5_SECTION_UNKNOWN = -1,
  H5_SECTION_SELECTION,
  H5_SECTION_FIXED,
  H5_SECTION_VL,
  H5_SECTION_NUM
} H5_section_type_t;

typedef void (*H5_atclose_func_t)(void* ctx);

/* Set while the library is set up, and while it is being closed. */
H5_DLLVAR hbool_t H5_libinit_g;
H5_DLLVAR hbool_t H5_libterm_g;

H5_DLL void* H5allocate_memory(size_t size, hbool_t clear);
H5_DLL herr_t H5atclose(H5_atclose_func_t func, void* ctx);
H5_DLL herr_t H5check_version(unsigned majnum, unsigned minnum, unsigned relnum);
H5_DLL herr_t H5close(void);
H5_DLL herr_t H5dont_atexit(void);
H5_DLL herr_t H5free_memory(void* mem);
H5_DLL herr_t H5garbage_collect(void);
H5_DLL herr_t H5get_free_list_sizes(size_t* reg_size, size_t* arr_size, size_t* blk_size, size_t* fac_size);
H5_DLL herr_t H5get_libversion(unsigned* majnum, unsigned* minnum, unsigned* relnum);
H5_DLL herr_t H5is_library_terminating(hbool_t* is_terminating);
H5_DLL herr_t H5is_library_threadsafe(hbool_t* is_ts);
H5_DLL herr_t H5open(void);
H5_DLL void* H5resize_memory(void* mem, size_t size);
H5_DLL herr_t H5set_free_list_limits(int reg_global_lim, int reg_list_lim, int arr_global_lim,
                                     int arr_list_lim, int blk_global_lim, int blk_list_lim);

#ifdef __cplusplus
}
#endif

#endif
