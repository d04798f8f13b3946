// SPDX-License-Identifier: Apache-2.0
#include "capi/mpi/parameters.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>

#include <filigree/error.hpp>

namespace filigree::capi::mpi {
namespace {

void check(int code, const char* function) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(ErrorKind::io, std::string(function) + ": " + std::string(text.data(), length));
}

void require_usable() {
  if (!is_usable())
    throw Error(ErrorKind::invalid_argument, "MPI is not initialised, or it is finalised already");
}

std::map<std::string, std::string> pairs_of(MPI_Info hints) {
  std::map<std::string, std::string> pairs;
  int keys = 0;
  if (hints != MPI_INFO_NULL) check(MPI_Info_get_nkeys(hints, &keys), "MPI_Info_get_nkeys");
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int found = 0;
    check(MPI_Info_get_nthkey(hints, i, key.data()), "MPI_Info_get_nthkey");
    check(MPI_Info_get(hints, key.data(), MPI_MAX_INFO_VAL, value.data(), &found), "MPI_Info_get");
    pairs[key.data()] = value.data();
  }
  return pairs;
}

}  // namespace

bool is_usable() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

Parameters::Parameters(MPI_Comm communicator, MPI_Info hints) {
  require_usable();
  close_at_finalize();
  check(MPI_Comm_dup(communicator, &communicator_), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  if (hints == MPI_INFO_NULL) return;
  if (const int code = MPI_Info_dup(hints, &hints_); code != MPI_SUCCESS) {
    MPI_Comm_free(&communicator_);
    check(code, "MPI_Info_dup");
  }
}

Parameters::~Parameters() {
  if (!is_usable()) return;  // MPI_Finalize has freed them
  MPI_Comm_free(&communicator_);
  if (hints_ != MPI_INFO_NULL) MPI_Info_free(&hints_);
}

UserDriver Parameters::driver(std::shared_ptr<const MpioParameters> self) const {
  UserDriver made = filigree::mpi::driver({communicator_, hints_});
  made.open = [self = std::move(self), open = made.open](const DriverOpenRequest& request) {
    return open(request);
  };
  return made;
}

/// All processes know the result.
void Parameters::remove(const std::string& path) const {
  require_usable();
  int rank = 0;
  int error = 0;
  check(MPI_Comm_rank(communicator_, &rank), "MPI_Comm_rank");
  if (rank == 0 && ::unlink(path.c_str()) != 0) error = errno;
  check(MPI_Bcast(&error, 1, MPI_INT, 0, communicator_), "MPI_Bcast");
  if (error != 0) throw Error(ErrorKind::io, "cannot delete '" + path + "': " + std::strerror(error));
}

bool Parameters::same(const MpioParameters& other) const {
  const auto* const parameters = dynamic_cast<const Parameters*>(&other);
  if (parameters == nullptr || !is_usable()) return false;
  int result = MPI_UNEQUAL;
  check(MPI_Comm_compare(communicator_, parameters->communicator_, &result), "MPI_Comm_compare");
  return (result == MPI_IDENT || result == MPI_CONGRUENT) && pairs_of(hints_) == pairs_of(parameters->hints_);
}

MPI_Comm Parameters::duplicate_communicator() const {
  require_usable();
  MPI_Comm made = MPI_COMM_NULL;
  check(MPI_Comm_dup(communicator_, &made), "MPI_Comm_dup");
  return made;
}

MPI_Info Parameters::duplicate_hints() const {
  require_usable();
  MPI_Info made = MPI_INFO_NULL;
  if (hints_ != MPI_INFO_NULL) check(MPI_Info_dup(hints_, &made), "MPI_Info_dup");
  return made;
}

}  // namespace filigree::capi::mpi
