// SPDX-License-Identifier: Apache-2.0
#include "mpi_communicator.hpp"

#include <algorithm>
#include <cstdint>

#include <filigree/error.hpp>

#include "calls.hpp"

namespace filigree::mpi {
namespace {

constexpr int exchange_tag = 25;

MPI_Op operation(Reduction how) {
  switch (how) {
    case Reduction::sum:
      return MPI_SUM;
    case Reduction::min:
      return MPI_MIN;
    case Reduction::max:
      return MPI_MAX;
    case Reduction::bitwise_or:
      break;
  }
  return MPI_BOR;
}

/// Calls `start(bytes, count)` for parts of a byte string that one call of MPI can move.
template <class Start>
void for_each_part(std::byte* bytes, std::size_t count, Start start) {
  for (std::size_t done = 0; done < count; done += most_bytes)
    start(bytes + done, static_cast<int>(std::min(most_bytes, count - done)));
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm original) {
  if (!is_usable()) throw Error(ErrorKind::invalid_argument, "MPI is not initialised, or it is finalised");
  if (original == MPI_COMM_NULL)
    throw Error(ErrorKind::invalid_argument, "the communicator is MPI_COMM_NULL");
  check(MPI_Comm_dup(original, &comm_), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  MPI_Comm node = MPI_COMM_NULL;
  check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  MPI_Comm_size(node, &on_this_node_);
  MPI_Comm_free(&node);
}

MpiCommunicator::~MpiCommunicator() {
  if (!abandoned_ && is_usable()) MPI_Comm_free(&comm_);
}

void MpiCommunicator::all_reduce(std::span<std::uint64_t> values, Reduction how) {
  require_usable();
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                      operation(how), comm_),
        "MPI_Allreduce");
}

std::vector<std::vector<std::byte>> MpiCommunicator::all_gather(std::span<const std::byte> bytes) {
  require_usable();
  std::uint64_t mine = bytes.size();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(size_));
  check(MPI_Allgather(&mine, 1, MPI_UINT64_T, counts.data(), 1, MPI_UINT64_T, comm_), "MPI_Allgather");
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  std::vector<std::vector<std::byte>> all(counts.size());
  if (total > most_bytes) {
    for (int r = 0; r < size_; ++r) {
      auto& one = all[static_cast<std::size_t>(r)];
      one.resize(counts[static_cast<std::size_t>(r)]);
      if (r == rank_) std::ranges::copy(bytes, one.begin());
      broadcast_content(one, r);
    }
    return all;
  }
  std::vector<int> lengths(counts.begin(), counts.end());
  std::vector<int> starts(counts.size());
  for (std::size_t r = 1; r < starts.size(); ++r) starts[r] = starts[r - 1] + lengths[r - 1];
  std::vector<std::byte> joined(total);
  check(MPI_Allgatherv(bytes.data(), static_cast<int>(mine), MPI_BYTE, joined.data(), lengths.data(),
                       starts.data(), MPI_BYTE, comm_),
        "MPI_Allgatherv");
  for (std::size_t r = 0; r < all.size(); ++r)
    all[r].assign(joined.begin() + starts[r], joined.begin() + starts[r] + lengths[r]);
  return all;
}

std::vector<std::vector<std::byte>> MpiCommunicator::exchange(std::span<const std::vector<std::byte>> to) {
  require_usable();
  const auto members = static_cast<std::size_t>(size_);
  if (to.size() != members)
    throw Error(ErrorKind::invalid_argument, "exchange() needs a byte string per member");
  std::vector<std::uint64_t> sent(members);
  std::vector<std::uint64_t> received(members);
  for (std::size_t r = 0; r < members; ++r) sent[r] = to[r].size();
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, comm_), "MPI_Alltoall");
  std::vector<std::vector<std::byte>> from(members);
  std::vector<MPI_Request> requests;
  for (std::size_t r = 0; r < members; ++r) {
    from[r].resize(received[r]);
    for_each_part(from[r].data(), from[r].size(), [&](std::byte* at, int count) {
      check(
          MPI_Irecv(at, count, MPI_BYTE, static_cast<int>(r), exchange_tag, comm_, &requests.emplace_back()),
          "MPI_Irecv");
    });
  }
  for (std::size_t r = 0; r < members; ++r) {
    for_each_part(const_cast<std::byte*>(to[r].data()), to[r].size(), [&](std::byte* at, int count) {
      check(
          MPI_Isend(at, count, MPI_BYTE, static_cast<int>(r), exchange_tag, comm_, &requests.emplace_back()),
          "MPI_Isend");
    });
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  return from;
}

void MpiCommunicator::broadcast_content(std::vector<std::byte>& bytes, int from) {
  for_each_part(bytes.data(), bytes.size(), [&](std::byte* at, int count) {
    check(MPI_Bcast(at, count, MPI_BYTE, from, comm_), "MPI_Bcast");
  });
}

void MpiCommunicator::broadcast(std::vector<std::byte>& bytes, int from) {
  require_usable();
  std::uint64_t count = bytes.size();
  check(MPI_Bcast(&count, 1, MPI_UINT64_T, from, comm_), "MPI_Bcast");
  bytes.resize(count);
  broadcast_content(bytes, from);
}

void MpiCommunicator::barrier() {
  require_usable();
  check(MPI_Barrier(comm_), "MPI_Barrier");
}

}  // namespace filigree::mpi
