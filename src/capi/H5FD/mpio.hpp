// SPDX-License-Identifier: Apache-2.0
//
// The driver "mpio", which a library for an MPI brings.
//
//  1. libfiligree_hdf5 needs no MPI, and knows neither communicators nor hints.
//  2. libfiligree_hdf5_openmpi and libfiligree_hdf5_mpich (src/capi/mpi) have the functions that exist in
//     parallel builds only. When one of them is loaded, it gives an MpioLibrary to set_mpio_library().
//  3. From then on there is a driver "mpio". Its lists hold an MpioParameters, which opens files.
//
// These declarations are the whole interface between the libraries, which are always of the same version.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <filigree/driver.hpp>
#include <filigree/export.hpp>
#include <filigree/file.hpp>

#include <hdf5.h>

#include "base/function_ref.hpp"

namespace filigree::capi {

/// A communicator and hints, which belong to the object. *Thread safety*: none is needed; it never changes.
class FILIGREE_EXPORT MpioParameters {
 public:
  MpioParameters() = default;
  MpioParameters(const MpioParameters&) = delete;
  MpioParameters& operator=(const MpioParameters&) = delete;
  virtual ~MpioParameters();

  /// The driver of files with this communicator, which keeps `self`. *Throws*: Error(invalid_argument)
  /// outside of MPI_Init and MPI_Finalize.
  virtual UserDriver driver(std::shared_ptr<const MpioParameters> self) const = 0;
  /// Deletes a file. All processes of the communicator call it. *Throws*: Error.
  virtual void remove(const std::string& path) const = 0;
  virtual bool same(const MpioParameters& other) const = 0;
};

/// What the library needs to know of MPI.
class FILIGREE_EXPORT MpioLibrary {
 public:
  MpioLibrary() = default;
  MpioLibrary(const MpioLibrary&) = delete;
  MpioLibrary& operator=(const MpioLibrary&) = delete;
  virtual ~MpioLibrary();

  /// The rank of this process in MPI_COMM_WORLD; nothing outside of MPI_Init and MPI_Finalize.
  virtual std::optional<int> process() const = 0;
  /// Parameters for MPI_COMM_WORLD. Initialises MPI if the program has not. *Throws*: Error.
  virtual std::shared_ptr<const MpioParameters> world() = 0;
  /// The MPI_File of a file, as H5Fget_vfd_handle returns it; null for files of other drivers.
  virtual void* handle(const File& file) const = 0;
  virtual void set_atomicity(const File& file, bool atomic) const = 0;
  virtual bool atomicity(const File& file) const = 0;
};

/// Registers the driver. *Requires*: the library lives until the process ends. One for each process.
FILIGREE_EXPORT void set_mpio_library(MpioLibrary& library);
/// Null unless a library for an MPI is loaded.
MpioLibrary* mpio_library();

// --- What the functions of the libraries for an MPI do. The names of those functions come first. ---

/// Makes the parameters that a list gets, after its id was checked. *Throws*: Error.
using MakeMpioParameters = FunctionRef<std::shared_ptr<const MpioParameters>()>;
/// Receives the parameters of a list; null if it has none.
using TakeMpioParameters = FunctionRef<void(const MpioParameters*)>;

FILIGREE_EXPORT hid_t mpio_driver_id();
/// H5Pset_fapl_mpio, and with `parameters_only` H5Pset_mpi_params. `null` tells of MPI_COMM_NULL.
FILIGREE_EXPORT herr_t set_fapl_mpio(const char* function, hid_t fapl, bool null, bool parameters_only,
                                     MakeMpioParameters make);
/// H5Pget_fapl_mpio, which wants a list with the driver, or H5Pget_mpi_params.
FILIGREE_EXPORT herr_t get_fapl_mpio(const char* function, hid_t fapl, bool parameters_only,
                                     TakeMpioParameters take);
FILIGREE_EXPORT herr_t set_dxpl_mpio(hid_t dxpl, H5FD_mpio_xfer_t mode);
FILIGREE_EXPORT herr_t get_dxpl_mpio(hid_t dxpl, H5FD_mpio_xfer_t* mode);
FILIGREE_EXPORT herr_t set_dxpl_mpio_collective_opt(hid_t dxpl, H5FD_mpio_collective_opt_t opt);
FILIGREE_EXPORT herr_t set_dxpl_mpio_chunk_opt(hid_t dxpl, H5FD_mpio_chunk_opt_t opt);
FILIGREE_EXPORT herr_t set_dxpl_mpio_chunk_opt_num(hid_t dxpl, unsigned chunks);
FILIGREE_EXPORT herr_t set_dxpl_mpio_chunk_opt_ratio(hid_t dxpl, unsigned percent);
FILIGREE_EXPORT herr_t get_mpio_actual_chunk_opt_mode(hid_t dxpl, H5D_mpio_actual_chunk_opt_mode_t* mode);
FILIGREE_EXPORT herr_t get_mpio_actual_io_mode(hid_t dxpl, H5D_mpio_actual_io_mode_t* mode);
FILIGREE_EXPORT herr_t get_mpio_no_collective_cause(hid_t dxpl, std::uint32_t* local, std::uint32_t* global);

}  // namespace filigree::capi
