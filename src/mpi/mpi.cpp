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

MPI_File required_handle(const File& file) {
  require_usable();
  const MPI_File* const found = handle(file);
  if (found == nullptr) throw Error(ErrorKind::invalid_argument, "the file was not opened through MPI");
  return *found;
}

}  // namespace

UserDriver driver(const MpiOptions& options) {
  if (!is_usable()) throw Error(ErrorKind::invalid_argument, "MPI is not initialised, or it is finalised");
  if (options.communicator == MPI_COMM_NULL)
    throw Error(ErrorKind::invalid_argument, "the communicator is MPI_COMM_NULL");
  int rank = 0;
  check(MPI_Comm_rank(options.communicator, &rank), "MPI_Comm_rank");
  UserDriver made;
  made.name = "mpi";
  made.open = [options](const DriverOpenRequest& request) {
    return std::make_unique<MpiFileDriver>(request.path, request.mode, options);
  };
  made.remove = [rank](const std::string& path) {
    if (rank == 0) ::unlink(path.c_str());
  };
  return made;
}

MPI_File* handle(const File& file) {
  auto* const driver = dynamic_cast<MpiFileDriver*>(driver_of(file));
  return driver == nullptr ? nullptr : driver->handle();
}

void set_atomicity(const File& file, bool atomic) {
  check(MPI_File_set_atomicity(required_handle(file), atomic ? 1 : 0), "MPI_File_set_atomicity");
}

bool atomicity(const File& file) {
  int atomic = 0;
  check(MPI_File_get_atomicity(required_handle(file), &atomic), "MPI_File_get_atomicity");
  return atomic != 0;
}

File open(const std::string& path, OpenMode mode, const MpiOptions& options, const AccessOptions& access) {
  return open_through(driver(options), path, mode, access);
}

File create(const std::string& path, CreateMode mode, const MpiOptions& options,
            const CreateOptions& creation, const AccessOptions& access) {
  return create_through(driver(options), path, mode, creation, access);
}

std::shared_ptr<Communicator> make_communicator(MPI_Comm communicator) {
  return std::make_shared<MpiCommunicator>(communicator);
}

}  // namespace filigree::mpi
