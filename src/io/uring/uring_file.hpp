// SPDX-License-Identifier: Apache-2.0
//
// A file of the operating system, with all extents of a request in flight together through io_uring.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/posix/posix_file.hpp"

struct io_uring;

namespace filigree::io {

class UringPool;

/// Sets up a ring of `depth` entries: 0, or a negative error number. Tests replace it to refuse.
using RingSetup = int (*)(unsigned depth, ::io_uring* ring);
int system_ring_setup(unsigned depth, ::io_uring* ring);

struct UringOptions {
  PosixOptions posix = {};
  unsigned depth = 64;    ///< operations of one request in flight
  std::size_t rings = 8;  ///< requests in flight; further ones use plain system calls
  RingSetup setup = system_ring_setup;
};

/// The extents of one request run concurrently, and so do asynchronous requests. Where the kernel refuses
/// io_uring, it behaves as a PosixFile, and refusal() says why.
class UringFile : public PosixFile {
 public:
  UringFile(std::string path, DriverOpenMode mode, const UringOptions& options = {});
  ~UringFile() override;

  /// Why io_uring is not used; nothing if it is.
  const std::optional<std::string>& refusal() const { return refusal_; }

 private:
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent> extents) const override;
  std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent> extents) override;

  template <class Extent>
  std::unique_ptr<Pending> start(std::span<const Extent> extents) const;

  std::optional<std::string> refusal_;
  std::unique_ptr<UringPool> pool_;
};

}  // namespace filigree::io
