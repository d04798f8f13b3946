// SPDX-License-Identifier: Apache-2.0
//
// How stock's metadata cache is configured: kept and given back; our own cache follows AccessOptions.
#pragma once

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// What stock begins with. Its fractions are rounded to float.
H5AC_cache_config_t default_mdc_config();
/// Throws NestedFailure for what stock's cache could not work with.
void check_mdc_config(const H5AC_cache_config_t* config);

/// Of an open file: as set last, as its access list says, or the default.
H5AC_cache_config_t mdc_config_of(const OpenFile& open);
/// Throws NestedFailure.
void set_mdc_config(const OpenFile& open, const H5AC_cache_config_t* given);
/// Of a file that was just opened, as its access list says. Throws NestedFailure.
void start_mdc(const OpenFile& open);

}  // namespace filigree::capi
