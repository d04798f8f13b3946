// SPDX-License-Identifier: Apache-2.0
//
// A file of the operating system, with whole requests in flight at once through the kernel's io_uring.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/posix/posix_file.hpp"

struct io_uring;

namespace filigree::io {

class UringPool;

/// Sets up a ring of `depth` entries, or a stand-in that refuses: 0, or a negative error number.
using RingSetup = int (*)(unsigned depth, ::io_uring* ring);
int system_ring_setup(unsigned depth, ::io_uring* ring);

struct UringOptions {
  PosixOptions posix = {};
  unsigned depth = 64;    ///< operations of one request in flight
  std::size_t rings = 8;  ///< requests in flight; more of them at once use plain system calls
  RingSetup setup = system_ring_setup;
};

/// Extents of one request run at once, and so do requests that were started and not yet awaited. Where the
/// kernel refuses rings, it is a PosixFile and says so in refusal().
class UringFile : public PosixFile {
 public:
  UringFile(std::string path, OpenMode mode, const UringOptions& options = {});
  ~UringFile() override;

  /// Why requests do not run at once; nothing when they do.
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
