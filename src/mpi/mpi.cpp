// SPDX-License-Identifier: Apache-2.0
#include <filigree/mpi.hpp>

#include <unistd.h>

#include <filigree/driver.hpp>
#include <filigree/error.hpp>

#include "calls.hpp"
#include "mpi_communicator.hpp"
#include "mpi_file_driver.hpp"

namespace filigree::mpi {
namespace {

/// The driver of one call that opens a file.
UserDriver driver_for(const MpiOptions& options) {
  if (!is_usable()) throw Error(ErrorKind::invalid_argument, "MPI is not initialised, or it is finalised");
  if (options.communicator == MPI_COMM_NULL)
    throw Error(ErrorKind::invalid_argument, "the communicator is MPI_COMM_NULL");
  int rank = 0;
  check(MPI_Comm_rank(options.communicator, &rank), "MPI_Comm_rank");
  UserDriver driver;
  driver.name = "mpi";
  driver.open = [options](const DriverOpenRequest& request) {
    return std::make_unique<MpiFileDriver>(request.path, request.mode, options);
  };
  driver.remove = [rank](const std::string& path) {
    if (rank == 0) ::unlink(path.c_str());
  };
  return driver;
}

}  // namespace

File open(const std::string& path, OpenMode mode, const MpiOptions& options, const AccessOptions& access) {
  return open_through(driver_for(options), path, mode, access);
}

File create(const std::string& path, CreateMode mode, const MpiOptions& options,
            const CreateOptions& creation, const AccessOptions& access) {
  return create_through(driver_for(options), path, mode, creation, access);
}

std::shared_ptr<Communicator> make_communicator(MPI_Comm communicator) {
  return std::make_shared<MpiCommunicator>(communicator);
}

}  // namespace filigree::mpi
