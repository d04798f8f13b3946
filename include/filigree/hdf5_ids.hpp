// SPDX-License-Identifier: Apache-2.0
//
// Objects behind the ids of the HDF5 C API, for programs that use both APIs on the same open file.
//
//     const hid_t id = H5Dopen2(file, "counts", H5P_DEFAULT);
//     const auto object = object_of_id(id, reinterpret_cast<const void*>(&H5Iis_valid));
//     const Dataset counts(object.value());
#pragma once

#include <cstdint>
#include <optional>

#include <filigree/export.hpp>
#include <filigree/object.hpp>

namespace filigree {

/// Returns the object that an id of a group, dataset or committed datatype refers to. The id of a file is
/// that of its root group, the id of an attribute that of its object.
///
/// A process may have loaded several libraries with the HDF5 C API. `function` is the address of H5Iis_valid
/// in the one that made the id. Returns nothing unless that is libfiligree_hdf5, on this libfiligree.
///
/// The object does not keep the file open: after the program has closed its last id in the file, calls fail
/// with Error(closed).
/// Throws: Error(invalid_argument) for an id that is not open, or of something else.
FILIGREE_EXPORT std::optional<Object> object_of_id(std::int64_t id, const void* function);

}  // namespace filigree
