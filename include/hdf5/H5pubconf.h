/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of this build, under the names that programs and build systems check. */
#ifndef H5pubconf_H
#define H5pubconf_H

#define H5_VERSION "1.14.5"
#define H5_PACKAGE "filigree"
#define H5_PACKAGE_NAME "Filigree"
#define H5_PACKAGE_STRING "Filigree 0.1.0 (HDF5 API 1.14.5)"
#define H5_PACKAGE_TARNAME "filigree"
#define H5_PACKAGE_VERSION "1.14.5"

/* Not defined, because this build lacks them: H5_HAVE_PARALLEL, H5_HAVE_DIRECT, H5_HAVE_MIRROR_VFD,
   H5_HAVE_ROS3_VFD, H5_HAVE_LIBHDFS, H5_HAVE_SUBFILING_VFD, H5_HAVE_IOC_VFD, H5_HAVE_MAP_API. Their functions
   are declared nevertheless, and fail. */
#define H5_HAVE_FILTER_DEFLATE 1
#define H5_HAVE_FILTER_SZIP 1
#define H5_HAVE_THREADSAFE 1
#ifndef H5_BUILT_AS_DYNAMIC_LIB
#define H5_BUILT_AS_DYNAMIC_LIB 1
#endif
#define H5_DEFAULT_PLUGINDIR "/usr/local/hdf5/lib/plugin"

#define H5_STDC_HEADERS 1
#define H5_HAVE_DIRENT_H 1
#define H5_HAVE_DLFCN_H 1
#define H5_HAVE_FEATURES_H 1
#define H5_HAVE_INTTYPES_H 1
#define H5_HAVE_STDBOOL_H 1
#define H5_HAVE_STDDEF_H 1
#define H5_HAVE_STDINT_H 1
#define H5_HAVE_STDINT_H_CXX 1
#define H5_HAVE_SYS_STAT_H 1
#define H5_HAVE_SYS_TIME_H 1
#define H5_HAVE_SYS_TYPES_H 1
#define H5_HAVE_UNISTD_H 1
#define H5_PRINTF_LL_WIDTH "ll"

/* Sizes of the C types in bytes. */
#define H5_SIZEOF_BOOL 1
#define H5_SIZEOF_CHAR 1
#define H5_SIZEOF_SHORT __SIZEOF_SHORT__
#define H5_SIZEOF_INT __SIZEOF_INT__
#define H5_SIZEOF_LONG __SIZEOF_LONG__
#define H5_SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define H5_SIZEOF_FLOAT __SIZEOF_FLOAT__
#define H5_SIZEOF_DOUBLE __SIZEOF_DOUBLE__
#define H5_SIZEOF_LONG_DOUBLE __SIZEOF_LONG_DOUBLE__
#define H5_SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define H5_SIZEOF_SSIZE_T __SIZEOF_SIZE_T__
#define H5_SIZEOF_PTRDIFF_T __SIZEOF_PTRDIFF_T__
#define H5_SIZEOF_OFF_T 8
#define H5_SIZEOF_TIME_T 8
#define H5_SIZEOF_INT8_T 1
#define H5_SIZEOF_UINT8_T 1
#define H5_SIZEOF_INT16_T 2
#define H5_SIZEOF_UINT16_T 2
#define H5_SIZEOF_INT32_T 4
#define H5_SIZEOF_UINT32_T 4
#define H5_SIZEOF_INT64_T 8
#define H5_SIZEOF_UINT64_T 8

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define H5_WORDS_BIGENDIAN 1
#endif

#endif
