// SPDX-License-Identifier: Apache-2.0
//
// What all users of MPI in this folder share: errors, and handles that free themselves.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <mpi.h>

namespace filigree::mpi {

/// Throws: Error(io) with MPI's text unless `code` is MPI_SUCCESS.
void check(int code, std::string_view function);

/// Whether MPI can be called: after MPI_Init and before MPI_Finalize.
bool is_usable();
/// *Throws*: Error(closed) after MPI_Finalize.
void require_usable();

/// Most bytes of one call, because counts of MPI are ints.
inline constexpr std::size_t most_bytes = std::size_t{1} << 30;
/// Most bytes of this rank in one request to MPI-IO: the hint "filigree_request_bytes", or most_bytes. As MPI
/// does with hints, other values than numbers from 1 to most_bytes are ignored.
std::size_t most_request_bytes(MPI_Info hints);

/// A derived datatype, committed.
class Type {
 public:
  explicit Type(MPI_Datatype made) : made_(made) { check(MPI_Type_commit(&made_), "MPI_Type_commit"); }
  ~Type() { MPI_Type_free(&made_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  MPI_Datatype get() const { return made_; }

 private:
  MPI_Datatype made_;
};

}  // namespace filigree::mpi
