// SPDX-License-Identifier: Apache-2.0
//
// Plug-ins of filters are where Debian's packages for HDF5 1.10 install them.
#include <hdf5.h>

extern "C" {
H5_DLLVAR const char* filigree_default_plugin_path;
}

/// Programs may ask for the path with their first call, so it is set when the library is loaded.
__attribute__((constructor)) static void set_plugin_path() {
  filigree_default_plugin_path = FILIGREE_PLUGIN_PATH_110;
}
