// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <array>
#include <string>

#include <filigree/error.hpp>

namespace filigree::mpi {

void check(int code, std::string_view function) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(ErrorKind::io,
              std::string(function) + ": " + std::string(text.data(), static_cast<std::size_t>(length)));
}

bool is_usable() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

}  // namespace filigree::mpi
