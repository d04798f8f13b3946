// SPDX-License-Identifier: Apache-2.0
//
// What libfiligree_hdf5 tells libfiligree about itself. libfiligree does not depend on it.
#pragma once

#include <cstdint>

#include <filigree/export.hpp>
#include <filigree/object.hpp>

namespace filigree::api {

/// The library of the C API.
struct CLibrary {
  const void* function;               ///< the address of H5Iis_valid
  Object (*object_of)(std::int64_t);  ///< Throws: Error(invalid_argument)
};

/// Sets the library that runs on this one when it is loaded, and null when it is unloaded.
/// Requires: `library` stays valid until then.
FILIGREE_EXPORT void set_c_library(const CLibrary* library);

}  // namespace filigree::api
