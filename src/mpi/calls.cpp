// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <array>
#include <charconv>
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

void require_usable() {
  if (!is_usable()) throw Error(ErrorKind::closed, "MPI is finalised: close files before MPI_Finalize");
}

std::size_t most_request_bytes(MPI_Info hints) {
  std::array<char, MPI_MAX_INFO_VAL + 1> text{};
  int is_given = 0;
  if (hints != MPI_INFO_NULL)
    MPI_Info_get(hints, "filigree_request_bytes", MPI_MAX_INFO_VAL, text.data(), &is_given);
  const std::string_view given(text.data());
  std::size_t bytes = 0;
  const auto [end, failure] = std::from_chars(given.data(), given.data() + given.size(), bytes);
  const bool is_number = is_given != 0 && failure == std::errc() && end == given.data() + given.size();
  return is_number && bytes >= 1 && bytes <= most_bytes ? bytes : most_bytes;
}

}  // namespace filigree::mpi
