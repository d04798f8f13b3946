// SPDX-License-Identifier: Apache-2.0
//
// The processes that use one file together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// How all_reduce() combines the values of all members.
enum class Reduction {
  sum,  ///< modulo 2^64
  min,
  max,
  bitwise_or,
};

/// Processes that open one file together, such as the ranks of an MPI communicator. The library contains
/// none: `<filigree/mpi.hpp>` makes one of an `MPI_Comm`, and a program may derive its own.
///
/// All functions but the first three are collective: every member calls them, in the same order. None of them
/// returns before it has what it needs from the others. *Thread safety*: one thread at a time.
/// *Throws*: Error(io) if members cannot be reached.
class FILIGREE_EXPORT Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator();

  /// The number of this member, from 0 to size() - 1.
  virtual int rank() const = 0;
  /// How many members there are; at least 1.
  virtual int size() const = 0;
  /// How many members, this one included, share the memory of this machine.
  virtual int on_this_node() const = 0;

  /// Combines the values of all members, each position by itself. *Requires*: all pass as many.
  virtual void all_reduce(std::span<std::uint64_t> values, Reduction how) = 0;
  /// Returns the bytes of every member, by rank. They may differ in length.
  virtual std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> bytes) = 0;
  /// Sends `to[r]` to each member r, and returns what each has sent here. *Requires*: size() byte strings.
  virtual std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) = 0;
  /// Gives all members the bytes of the member `from`; the others' are replaced.
  virtual void broadcast(std::vector<std::byte>& bytes, int from) = 0;
  /// Returns when all members have called it.
  virtual void barrier() = 0;
};

}  // namespace filigree
