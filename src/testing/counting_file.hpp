// SPDX-License-Identifier: Apache-2.0
//
// A file that counts its requests, for cost tests.
#pragma once

#include <atomic>

#include "testing/pass_through_file.hpp"

namespace filigree::testing {

/// The requests so far. A call has one or more extents.
struct IoCounts {
  std::uint64_t read_calls = 0, read_extents = 0, read_bytes = 0;
  std::uint64_t write_calls = 0, write_extents = 0, write_bytes = 0;
  std::uint64_t truncate_calls = 0, sync_calls = 0;
};

/// Passes all requests on and counts them. A request counts when it is started, whether it succeeds or not.
/// Thread safety: like the wrapped file; counts of concurrent requests are not lost.
class CountingFile : public PassThroughFile {
 public:
  explicit CountingFile(std::unique_ptr<io::VirtualFile> file) : PassThroughFile(std::move(file)) {
    forward_concurrency();
  }
  /// Wraps a file that outlives this one.
  explicit CountingFile(io::VirtualFile& file) : PassThroughFile(file) { forward_concurrency(); }

  /// Returns the requests since construction or the last reset().
  IoCounts counts() const {
    return {reads_.calls,    reads_.extents, reads_.bytes, writes_.calls,
            writes_.extents, writes_.bytes,  truncates_,   syncs_};
  }

  /// Sets all counts to zero. Requires: no request is in progress.
  void reset() {
    for (Tally* tally : {&reads_, &writes_}) tally->calls = tally->extents = tally->bytes = 0;
    truncates_ = syncs_ = 0;
  }

 private:
  /// The requests of one direction.
  struct Tally {
    std::atomic<std::uint64_t> calls{0}, extents{0}, bytes{0};
  };

  template <class Extent>
  static void count(Tally& tally, std::span<const Extent> extents) {
    ++tally.calls;
    tally.extents += extents.size();
    for (const Extent& e : extents) tally.bytes += e.memory().size();
  }

  void do_read(std::span<const io::ReadExtent> extents) const override {
    count(reads_, extents);
    forward(std::as_const(wrapped()), extents);
  }
  void do_write(std::span<const io::WriteExtent> extents) override {
    count(writes_, extents);
    forward(wrapped(), extents);
  }
  std::unique_ptr<io::Pending> do_start_read(std::span<const io::ReadExtent> extents) const override {
    count(reads_, extents);
    return forward_start(std::as_const(wrapped()), extents);
  }
  std::unique_ptr<io::Pending> do_start_write(std::span<const io::WriteExtent> extents) override {
    count(writes_, extents);
    return forward_start(wrapped(), extents);
  }
  void do_truncate(std::uint64_t bytes) override {
    ++truncates_;
    forward_truncate(wrapped(), bytes);
  }
  void do_sync() override {
    ++syncs_;
    wrapped().sync();
  }

  mutable Tally reads_;
  Tally writes_;
  std::atomic<std::uint64_t> truncates_{0}, syncs_{0};
};

}  // namespace filigree::testing
