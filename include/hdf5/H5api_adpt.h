/* SPDX-License-Identifier: Apache-2.0 */
/* Declaration specifiers of functions and data of the library. */
#ifndef H5api_adpt_H
#define H5api_adpt_H

#if defined(_WIN32)
#error "this build is for ELF systems"
#endif

#define H5_DLL __attribute__((visibility("default")))
#define H5_DLLVAR extern __attribute__((visibility("default")))
#define H5_HLDLL H5_DLL
#define H5_HLDLLVAR H5_DLLVAR

/* Declaration specifiers of libraries on top of this one. */
#define H5TEST_DLL H5_DLL
#define H5TEST_DLLVAR H5_DLLVAR
#define H5TOOLS_DLL H5_DLL
#define H5TOOLS_DLLVAR H5_DLLVAR
#define H5_DLLCPP H5_DLL
#define H5_DLLCPPVAR H5_DLLVAR
#define H5_HLCPPDLL H5_DLL
#define H5_HLCPPDLLVAR H5_DLLVAR
#define H5_FCDLL H5_DLL
#define H5_FCDLLVAR H5_DLLVAR
#define H5_FCTESTDLL H5_DLL
#define H5_FCTESTDLLVAR H5_DLLVAR
#define HDF5_HL_F90CSTUBDLL H5_DLL
#define HDF5_HL_F90CSTUBDLLVAR H5_DLLVAR

#endif
