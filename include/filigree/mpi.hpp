// SPDX-License-Identifier: Apache-2.0
//
// Files that the ranks of an MPI communicator write and read together. A program that includes this header
// links libfiligree_mpi_openmpi or libfiligree_mpi_mpich, as its MPI is.
#pragma once

#include <memory>
#include <string>

#include <mpi.h>

#include <filigree/communicator.hpp>
#include <filigree/driver.hpp>
#include <filigree/export.hpp>
#include <filigree/file.hpp>
#include <filigree/options.hpp>

namespace filigree::mpi {

/// How the ranks use a file.
struct MpiOptions {
  /// Its ranks open the file. It is duplicated, and free for other use.
  MPI_Comm communicator = MPI_COMM_WORLD;
  /// Hints for MPI-IO, which are needed only until the file is open.
  MPI_Info info = MPI_INFO_NULL;
};

/// Opens or creates a file together. Every rank calls them with the same arguments, then makes the same
/// changes of groups, datasets and attributes in the same order, and closes the file. Elements are written by
/// any rank, or by all of them with TransferOptions::collective. docs/concepts/parallel.md says what is
/// possible.
///
/// MPI is called on the thread that calls the library only, so MPI_Init is enough.
/// *Throws*: what one rank throws, all throw. Error(diverged) if ranks pass different arguments.
FILIGREE_EXPORT File open(const std::string& path, OpenMode mode = OpenMode::read_only,
                          const MpiOptions& options = {}, const AccessOptions& access = {});
FILIGREE_EXPORT File create(const std::string& path, CreateMode mode = CreateMode::exclusive,
                            const MpiOptions& options = {}, const CreateOptions& creation = {},
                            const AccessOptions& access = {});

/// The driver of such files, for open_through() and AccessOptions::driver. The communicator and the hints
/// must stay valid until the last file is opened through it. *Throws*: Error(invalid_argument) for
/// MPI_COMM_NULL, and before MPI_Init or after MPI_Finalize.
FILIGREE_EXPORT UserDriver driver(const MpiOptions& options = {});

/// The handle under which MPI-IO knows a file that open() or create() returned; null for other files.
/// *Invalidates*: it ends with the file.
FILIGREE_EXPORT MPI_File* handle(const File& file);
/// Whether collective requests that overlap are atomic (MPI_File_set_atomicity). All ranks call
/// set_atomicity() together. Independent requests are system calls, which most file systems serialise by
/// themselves. *Throws*: Error(invalid_argument) for files of one process.
FILIGREE_EXPORT void set_atomicity(const File& file, bool atomic);
FILIGREE_EXPORT bool atomicity(const File& file);

/// A communicator of the library over a duplicate of `communicator`. Collective.
FILIGREE_EXPORT std::shared_ptr<Communicator> make_communicator(MPI_Comm communicator);

}  // namespace filigree::mpi
