// SPDX-License-Identifier: Apache-2.0
//
// Functions that are declared and exported, but not implemented. They fail with an error that names them.
// Each is compiled against its declaration, so a line that differs from the header does not build.
#define FILIGREE_HDF5_SOURCE 1
#include <hdf5.h>
#include <hdf5_hl.h>

#include <H5FDwindows.h>

#include "capi/core/api_call.hpp"

#define FILIGREE_UNAVAILABLE(result, name, parameters, failed, instead) \
  extern "C" H5_DLL result name parameters {                            \
    filigree::capi::unavailable(#name, instead);                        \
    return failed;                                                      \
  }
#define FILIGREE_UNAVAILABLE_VOID(name, parameters, instead) \
  extern "C" H5_DLL void name parameters { filigree::capi::unavailable(#name, instead); }

#include "capi/unavailable/H5.inc"
#include "capi/unavailable/H5A.inc"
#include "capi/unavailable/H5D.inc"
#include "capi/unavailable/H5DO.inc"
#include "capi/unavailable/H5DS.inc"
#include "capi/unavailable/H5E.inc"
#include "capi/unavailable/H5ES.inc"
#include "capi/unavailable/H5F.inc"
#include "capi/unavailable/H5FD.inc"
#include "capi/unavailable/H5G.inc"
#include "capi/unavailable/H5I.inc"
#include "capi/unavailable/H5IM.inc"
#include "capi/unavailable/H5L.inc"
#include "capi/unavailable/H5LD.inc"
#include "capi/unavailable/H5LT.inc"
#include "capi/unavailable/H5M.inc"
#include "capi/unavailable/H5O.inc"
#include "capi/unavailable/H5P.inc"
#include "capi/unavailable/H5PL.inc"
#include "capi/unavailable/H5PT.inc"
#include "capi/unavailable/H5R.inc"
#include "capi/unavailable/H5S.inc"
#include "capi/unavailable/H5T.inc"
#include "capi/unavailable/H5TB.inc"
#include "capi/unavailable/H5TS.inc"
#include "capi/unavailable/H5VL.inc"
#include "capi/unavailable/H5Z.inc"
