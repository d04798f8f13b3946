// SPDX-License-Identifier: Apache-2.0
//
// How functions of this library reach the functions of the same name in libfiligree_hdf5.
#pragma once

#include <dlfcn.h>

/// The function that follows in the order in which the dynamic linker searches: that of libfiligree_hdf5,
/// which this library depends on.
#define FILIGREE_NEXT(function)                                                                   \
  ([] {                                                                                           \
    static const auto found = reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function)); \
    return found;                                                                                 \
  }())
