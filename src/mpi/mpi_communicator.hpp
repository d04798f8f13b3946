// SPDX-License-Identifier: Apache-2.0
//
// The ranks of an MPI communicator.
#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include <filigree/communicator.hpp>

namespace filigree::mpi {

/// Owns a duplicate of a communicator, whose errors are returned. Byte strings may have any length.
class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm original);
  ~MpiCommunicator() override;

  MPI_Comm get() const { return comm_; }
  /// Keeps the communicator until MPI_Finalize: freeing it now would wait for other ranks.
  void abandon() { abandoned_ = true; }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_node() const override { return on_this_node_; }
  void all_reduce(std::span<std::uint64_t> values, Reduction how) override;
  std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> bytes) override;
  std::vector<std::vector<std::byte>> exchange(std::span<const std::vector<std::byte>> to) override;
  void broadcast(std::vector<std::byte>& bytes, int from) override;
  void barrier() override;

 private:
  void broadcast_content(std::vector<std::byte>& bytes, int from);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, on_this_node_ = 1;
  bool abandoned_ = false;
};

}  // namespace filigree::mpi
