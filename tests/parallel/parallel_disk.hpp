// SPDX-License-Identifier: Apache-2.0
//
// A file in memory that the members of a thread communicator use together.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <filigree/filigree.hpp>

#include "testing/thread_communicator.hpp"

namespace filigree {

/// The bytes that all members see, and what happens to their requests.
struct SharedDisk {
  std::mutex mutex;
  std::vector<std::byte> bytes;
  std::vector<std::uint64_t> reads = std::vector<std::uint64_t>(16), writes = reads;  ///< by rank
  int failing_rank = -1;
  std::uint64_t writes_before_failure = 0;  ///< of that rank
  int forgetful_rank = -1;                  ///< it sees the size of the file as it was opened, as on NFS

  void fail_after(int rank, std::uint64_t more) {
    const std::lock_guard lock(mutex);
    failing_rank = rank;
    writes_before_failure = writes[static_cast<std::size_t>(rank)] + more;
  }
};

/// A driver with a communicator and no collective requests of its own.
class SharedDiskDriver : public FileDriver {
 public:
  SharedDiskDriver(SharedDisk& disk, std::shared_ptr<Communicator> members)
      : disk_(disk), members_(std::move(members)), rank_(static_cast<std::size_t>(members_->rank())) {
    const std::lock_guard lock(disk_.mutex);
    first_size_ = disk_.bytes.size();
  }

  void read(std::span<const ReadExtent> extents) override {
    const std::lock_guard lock(disk_.mutex);
    ++disk_.reads[rank_];
    for (const ReadExtent& e : extents) {
      if (e.offset + e.into.size() > disk_.bytes.size()) throw Error(ErrorKind::truncated, "beyond the end");
      std::memcpy(e.into.data(), disk_.bytes.data() + e.offset, e.into.size());
    }
  }
  void write(std::span<const WriteExtent> extents) override {
    const std::lock_guard lock(disk_.mutex);
    if (static_cast<int>(rank_) == disk_.failing_rank && disk_.writes[rank_] >= disk_.writes_before_failure)
      throw Error(ErrorKind::no_space, "the disk is full");
    ++disk_.writes[rank_];
    for (const WriteExtent& e : extents) {
      disk_.bytes.resize(std::max<std::size_t>(disk_.bytes.size(), e.offset + e.from.size()));
      std::memcpy(disk_.bytes.data() + e.offset, e.from.data(), e.from.size());
    }
  }
  std::uint64_t size() override {
    const std::lock_guard lock(disk_.mutex);
    return static_cast<int>(rank_) == disk_.forgetful_rank ? first_size_ : disk_.bytes.size();
  }
  void truncate(std::uint64_t bytes) override {
    const std::lock_guard lock(disk_.mutex);
    disk_.bytes.resize(bytes);
  }
  /// Waits for the others, as closing a file of MPI-IO does.
  void close() override { members_->barrier(); }
  std::shared_ptr<Communicator> communicator() override { return members_; }

 private:
  SharedDisk& disk_;
  const std::shared_ptr<Communicator> members_;
  const std::size_t rank_;
  std::uint64_t first_size_ = 0;
};

using Ranks = std::shared_ptr<Communicator>;

inline UserDriver driver_on(SharedDisk& disk, const Ranks& members) {
  return {.open = [&disk, members](const DriverOpenRequest&) {
    return std::make_unique<SharedDiskDriver>(disk, members);
  }};
}
inline File create_on(SharedDisk& disk, const Ranks& members, const CreateOptions& options = {},
                      const AccessOptions& access = {}) {
  return create_through(driver_on(disk, members), "parallel.h5", CreateMode::truncate, options, access);
}
inline File open_on(SharedDisk& disk, const Ranks& members, OpenMode mode = OpenMode::read_only,
                    const AccessOptions& access = {}) {
  return open_through(driver_on(disk, members), "parallel.h5", mode, access);
}

inline std::uint64_t rank_of(const Ranks& members) { return static_cast<std::uint64_t>(members->rank()); }
inline std::uint64_t size_of(const Ranks& members) { return static_cast<std::uint64_t>(members->size()); }

inline TransferOptions collective() {
  TransferOptions options;
  options.collective = true;
  return options;
}

}  // namespace filigree
