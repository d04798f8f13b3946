// SPDX-License-Identifier: Apache-2.0
//
// The configuration of HDF5's metadata cache (H5Pset_mdc_config, H5Fset_mdc_config). It is checked, stored
// and returned; Filigree's own metadata cache follows AccessOptions.
#pragma once

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// Returns HDF5's default, whose fractions are rounded to float.
H5AC_cache_config_t default_mdc_config();
/// *Throws* NestedFailure for configurations that HDF5 refuses.
void check_mdc_config(const H5AC_cache_config_t* config);

/// Returns HDF5's default for the cache image: none is written.
H5AC_cache_image_config_t default_mdc_image_config();
/// *Throws* Failure for configurations that HDF5 refuses.
void check_mdc_image_config(const H5AC_cache_image_config_t* config);

/// Returns the configuration of an open file: the last one set, that of its access property list, or the
/// default.
H5AC_cache_config_t mdc_config_of(const OpenFile& open);
/// Sets the configuration of an open file. *Throws* NestedFailure.
void set_mdc_config(const OpenFile& open, const H5AC_cache_config_t* given);
/// Applies the access property list to a file that was just opened. *Throws* NestedFailure.
void start_mdc(const OpenFile& open);

}  // namespace filigree::capi
