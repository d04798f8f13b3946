// SPDX-License-Identifier: Apache-2.0
//
// A file that injects faults. A test raises `nth` until its scenario passes: then every request has failed
// once.
#pragma once

#include <limits>
#include <mutex>
#include <vector>

#include <filigree/error.hpp>

#include "testing/pass_through_file.hpp"

namespace filigree::testing {

struct Fault {
  enum class On {
    any,    ///< all calls
    read,   ///< reads
    write,  ///< writes, truncations and syncs
  };

  std::uint64_t nth = 0;  ///< calls of the kind that succeed before the one that fails
  On on = On::any;
  ErrorKind kind = ErrorKind::io;
  bool tear = false;         ///< a failing write first stores the first half of its bytes
  bool scatter = false;      ///< a failing write first stores every other 512 bytes of each extent
  bool short_read = false;   ///< a failing read first fills the first half of its bytes
  bool device_dies = false;  ///< every later call fails as well
};

class FaultyFile : public PassThroughFile {
 public:
  using PassThroughFile::PassThroughFile;

  /// Restarts the count, for this fault.
  void arm(const Fault& fault);
  /// Lets all further calls succeed.
  void disarm() { arm({.nth = std::numeric_limits<std::uint64_t>::max()}); }

  /// The number of calls of the kind since arm().
  std::uint64_t calls() const;
  /// Whether the fault has occurred.
  bool struck() const;

 private:
  enum class Kind { read, write, truncate, sync };

  void do_read(std::span<const io::ReadExtent> extents) const override;
  void do_write(std::span<const io::WriteExtent> extents) override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;

  /// The first half of the bytes.
  template <class Extent>
  static std::vector<Extent> first_half(std::span<const Extent> extents);
  /// Counts a call, and returns whether it must fail.
  bool fails(Kind kind) const;
  [[noreturn]] void fail(Kind kind) const;

  mutable std::mutex mutex_;
  mutable Fault fault_{.nth = std::numeric_limits<std::uint64_t>::max()};
  mutable std::uint64_t calls_ = 0;
  mutable bool struck_ = false;
};

}  // namespace filigree::testing
