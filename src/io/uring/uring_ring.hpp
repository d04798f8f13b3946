// SPDX-License-Identifier: Apache-2.0
//
// io_uring's rings, and requests that run on them. Part of the io_uring driver.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <liburing.h>
#include <sys/types.h>

#include "base/mutex.hpp"
#include "io/pending.hpp"
#include "io/uring/uring_file.hpp"

namespace filigree::io {

struct UringRing {
  ::io_uring ring{};
  unsigned depth = 0;
  UringRing() = default;
  UringRing(const UringRing&) = delete;
  UringRing& operator=(const UringRing&) = delete;
  ~UringRing() {
    if (depth != 0) io_uring_queue_exit(&ring);
  }
};

/// Rings that requests borrow; created on first use. A child process creates its own rings after a fork.
/// *Thread safety*: yes.
class UringPool {
 public:
  explicit UringPool(const UringOptions& options) : options_(options) {}
  ~UringPool();

  /// Null if all rings are in use, or if the kernel refuses another one; then `refusal` is its error number.
  std::unique_ptr<UringRing> borrow(int* refusal = nullptr);
  /// Returns a ring; null for one that must not be used again.
  void give_back(std::unique_ptr<UringRing> ring);

 private:
  void notice_fork() FILIGREE_REQUIRES(mutex_);

  const UringOptions options_;
  Mutex mutex_;
  pid_t process_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::size_t borrowed_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<UringRing>> idle_ FILIGREE_GUARDED_BY(mutex_);
};

/// Contiguous extents, which one operation transfers.
struct UringOperation {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::size_t first_piece = 0, end_piece = 0;  ///< of the request's pieces that remain
  std::uint64_t done = 0;
};

/// The operations of one request. Failures are collected until all operations have ended.
class UringRequest : public Pending {
 public:
  struct Target {
    int descriptor = -1;
    bool writing = false;
    const std::string& file;
  };
  UringRequest(UringPool& pool, std::unique_ptr<UringRing> ring, const Target& target);
  ~UringRequest() override;

  /// Adds a piece at `offset`. A contiguous piece joins the last operation. *Requires*: before start().
  void add(std::uint64_t offset, iovec piece, std::size_t max_bytes);
  void start();
  void wait() override;

 private:
  void submit_more();
  /// Waits until at least one operation has ended, and records all that have.
  void reap();
  void finish(std::size_t operation, int result);
  void fail(const UringOperation& operation, int code);
  /// The ring has failed: drops operations that the kernel has not accepted.
  void give_up_unsent(int code);

  UringPool& pool_;
  std::unique_ptr<UringRing> ring_;
  const Target target_;
  std::vector<iovec> pieces_;
  std::vector<UringOperation> operations_;
  std::vector<std::size_t> waiting_;  ///< operations to submit, the next one last
  unsigned in_flight_ = 0;
  bool broken_ = false;
  Failures failures_;
};

}  // namespace filigree::io
