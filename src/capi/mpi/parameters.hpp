// SPDX-License-Identifier: Apache-2.0
//
// A communicator and hints of MPI, as file access property lists hold them.
#pragma once

#include <filigree/mpi.hpp>

#include "capi/H5FD/mpio.hpp"

namespace filigree::capi::mpi {

/// Owns duplicates. Unlike in HDF5, copies of a list share them, so that copying is not collective.
class Parameters final : public MpioParameters {
 public:
  /// Collective over the communicator. *Throws*: Error.
  Parameters(MPI_Comm communicator, MPI_Info hints);
  ~Parameters() override;

  UserDriver driver(std::shared_ptr<const MpioParameters> self) const override;
  void remove(const std::string& path) const override;
  bool same(const MpioParameters& other) const override;

  /// Duplicates for the program, which frees them. *Throws*: Error.
  MPI_Comm duplicate_communicator() const;
  MPI_Info duplicate_hints() const;

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Info hints_ = MPI_INFO_NULL;
};

/// Whether MPI can be called: after MPI_Init and before MPI_Finalize.
bool is_usable();

/// Closes the library, and so its files, when MPI_Finalize begins. Later calls set it up again, as in HDF5.
void close_at_finalize();

}  // namespace filigree::capi::mpi
