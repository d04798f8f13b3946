// SPDX-License-Identifier: Apache-2.0
#include "io/posix/posix_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "io/system_error.hpp"

namespace filigree::io {
namespace {

int open_flags(DriverOpenMode mode) {
  switch (mode) {
    case DriverOpenMode::read_only:
      return O_RDONLY;
    case DriverOpenMode::read_write:
      return O_RDWR;
    case DriverOpenMode::create_new:
      return O_RDWR | O_CREAT | O_EXCL;
    // No O_TRUNC: the file is emptied after it is locked.
    case DriverOpenMode::create_truncate:
      return O_RDWR | O_CREAT;
  }
  return O_RDONLY;
}

std::string_view describe(DriverOpenMode mode) {
  switch (mode) {
    case DriverOpenMode::read_only:
      return "open for reading";
    case DriverOpenMode::read_write:
      return "open for reading and writing";
    case DriverOpenMode::create_new:
      return "create new file";
    case DriverOpenMode::create_truncate:
      return "create or truncate";
  }
  return "open";
}

void require_regular(const struct stat& status, DriverOpenMode mode, const std::string& path) {
  if (S_ISREG(status.st_mode)) return;
  const std::string_view what = S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file";
  throw Error(ErrorKind::wrong_type, fmt::format("cannot {} '{}': {}", describe(mode), path, what));
}

constexpr std::size_t max_iovecs = IOV_MAX;

/// The system calls of one direction.
struct ReadCall {
  static constexpr std::string_view verb = "reading";
  static MutableBytes memory(const ReadExtent& e) { return e.into; }
  static ssize_t call(int fd, const iovec* pieces, int count, off_t at) {
    return count == 1 ? pread(fd, pieces->iov_base, pieces->iov_len, at) : preadv(fd, pieces, count, at);
  }
};
struct WriteCall {
  static constexpr std::string_view verb = "writing";
  // iovec serves both directions, so it has no const.
  static MutableBytes memory(const WriteExtent& e) {
    return {const_cast<std::byte*>(e.from.data()), e.from.size()};
  }
  static ssize_t call(int fd, const iovec* pieces, int count, off_t at) {
    return count == 1 ? pwrite(fd, pieces->iov_base, pieces->iov_len, at) : pwritev(fd, pieces, count, at);
  }
};
template <class Extent>
using CallFor = std::conditional_t<std::is_same_v<Extent, ReadExtent>, ReadCall, WriteCall>;

/// The progress of a transfer: everything before byte `done` of extent `index` has been transferred.
template <class Extent>
struct Progress {
  std::span<const Extent> extents;
  std::size_t index = 0;
  std::size_t done = 0;

  std::size_t extent_bytes(std::size_t i) const { return CallFor<Extent>::memory(extents[i]).size(); }

  void advance(std::size_t bytes) {
    done += bytes;
    while (index < extents.size() && done >= extent_bytes(index)) done -= extent_bytes(index++);
  }
  bool finished() const { return index == extents.size(); }
  std::uint64_t offset() const { return extents[index].offset + done; }

  /// Fills `pieces` with contiguous extents, which one system call can transfer. Returns their number.
  int collect(std::array<iovec, max_iovecs>& pieces, std::size_t max_bytes) const {
    std::size_t count = 0, bytes = 0;
    for (std::size_t i = index; i < extents.size() && count < max_iovecs && bytes < max_bytes; ++i) {
      const std::size_t skip = i == index ? done : 0;
      if (extents[i].offset + skip != offset() + bytes) break;
      const MutableBytes memory = CallFor<Extent>::memory(extents[i]).subspan(skip);
      const std::size_t taken = std::min(memory.size(), max_bytes - bytes);
      if (taken == 0) continue;
      pieces[count++] = {memory.data(), taken};
      bytes += taken;
    }
    return static_cast<int>(count);
  }
};

template <class Extent>
[[noreturn]] void throw_transfer_error(const Progress<Extent>& at, const std::string& path, ErrorKind kind,
                                       std::string_view reason) {
  const Extent& extent = at.extents[at.index];
  std::string text =
      fmt::format("{} {} bytes at offset {} of '{}' failed after {} bytes: {}", CallFor<Extent>::verb,
                  at.extent_bytes(at.index), extent.offset, path, at.done, reason);
  if (at.extents.size() > 1) text += fmt::format(" (extent {} of {})", at.index + 1, at.extents.size());
  throw Error(kind, std::move(text));
}

}  // namespace

PosixFile::Descriptor::~Descriptor() {
  if (number >= 0) ::close(number);
}

PosixFile::PosixFile(std::string path, DriverOpenMode mode, const PosixOptions& options)
    : path_(std::move(path)),
      mode_(mode),
      max_transfer_bytes_(std::max<std::size_t>(1, options.max_transfer_bytes)),
      lock_policy_(effective_lock_policy(options.lock)),
      capabilities_{.locks = true, .coalescing = options.coalescing} {
  if (path_.find('\0') != std::string::npos) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the path '{}' contains a zero byte", path_.c_str()));
  }
  struct stat status {};
  // Check before opening as well: opening a pipe would wait for its other end.
  if (stat(path_.c_str(), &status) == 0 && mode != DriverOpenMode::create_new)
    require_regular(status, mode, path_);
  do {
    descriptor_.number = open(path_.c_str(), open_flags(mode) | O_CLOEXEC, 0666);
  } while (descriptor_.number < 0 && errno == EINTR);
  if (descriptor_.number < 0) throw system_error(errno, describe(mode), path_);
  if (fstat(descriptor_.number, &status) != 0) throw system_error(errno, "examine", path_);
  require_regular(status, mode, path_);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  scatter_costs_ = &ScatterCosts::of_device(device_);
  lock_file(descriptor_.number, path_, writable(), lock_policy_);
  // ext4 writes files that were truncated to nothing to the device as soon as they are closed, so empty files
  // are left alone.
  if (mode == DriverOpenMode::create_truncate && size() > 0) do_truncate(0);
}

PosixFile::~PosixFile() = default;

std::uint64_t PosixFile::size() const {
  struct stat status {};
  if (fstat(descriptor_.number, &status) != 0) throw system_error(errno, "find the size of", path_);
  known_bytes_.store(static_cast<std::uint64_t>(status.st_size), std::memory_order_relaxed);
  return static_cast<std::uint64_t>(status.st_size);
}

bool PosixFile::reaches(std::uint64_t bytes) const {
  return bytes <= known_bytes_.load(std::memory_order_relaxed) || bytes <= size();
}

void PosixFile::do_read(std::span<const ReadExtent> extents) const { transfer(extents); }

void PosixFile::do_write(std::span<const WriteExtent> extents) { transfer(extents); }

template <class Extent>
void PosixFile::transfer(std::span<const Extent> extents) const {
  while (const std::size_t scattered = scattered_prefix(extents)) {
    extents = extents.subspan(move_scattered(extents.first(scattered)));
  }
  move_by_calls(extents);
}

/// Transfers some of the first extents and returns how many, by the method that has been cheaper so far.
template <class Extent>
std::size_t PosixFile::move_scattered(std::span<const Extent> extents) const {
  using Clock = std::chrono::steady_clock;
  constexpr bool writing = std::is_same_v<Extent, WriteExtent>;
  const ScatterCosts::Step step = scatter_costs_->next(writing);
  extents = extents.first(std::min(extents.size(), step.most));
  const Clock::time_point begin = Clock::now();
  if (step.way == ScatterCosts::Way::calls || !move_mapped(descriptor_.number, extents))
    move_by_calls(extents);
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  scatter_costs_->record(writing, step.way, extents.size(), static_cast<std::uint64_t>(passed.count()));
  return extents.size();
}

template <class Extent>
void PosixFile::move_by_calls(std::span<const Extent> extents) const {
  std::array<iovec, max_iovecs> pieces;
  Progress<Extent> at{extents};
  for (at.advance(0); !at.finished();) {
    const int count = at.collect(pieces, max_transfer_bytes_);
    const ssize_t moved =
        CallFor<Extent>::call(descriptor_.number, pieces.data(), count, static_cast<off_t>(at.offset()));
    if (moved > 0) {
      at.advance(static_cast<std::size_t>(moved));
    } else if (moved == 0 && std::is_same_v<Extent, ReadExtent>) {
      throw_transfer_error(at, path_, ErrorKind::truncated, fmt::format("the file ends at byte {}", size()));
    } else if (moved == 0) {
      throw_transfer_error(at, path_, ErrorKind::io, "the system wrote nothing");
    } else if (errno != EINTR) {
      const int code = errno;
      throw_transfer_error(at, path_, kind_of_errno(code), std::generic_category().message(code));
    }
  }
}

void PosixFile::do_truncate(std::uint64_t bytes) {
  int result = 0;
  do {
    result = ftruncate(descriptor_.number, static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  if (result != 0) throw system_error(errno, fmt::format("set the size to {} bytes of", bytes), path_);
  known_bytes_.store(bytes, std::memory_order_relaxed);
}

void PosixFile::do_sync() {
  int result = 0;
  do {
    result = fdatasync(descriptor_.number);
  } while (result != 0 && errno == EINTR);
  // Some file systems cannot sync and return EINVAL.
  if (result != 0 && errno != EINVAL) throw system_error(errno, "sync", path_);
}

void PosixFile::do_lock(LockKind kind) {
  // An explicit lock() locks readers as well, even under the policy that only writers lock at open.
  const LockPolicy policy = lock_policy_ == LockPolicy::writers ? LockPolicy::best_effort : lock_policy_;
  lock_file(descriptor_.number, path_, kind == LockKind::exclusive, policy);
}

void PosixFile::do_unlock() { unlock_file(descriptor_.number, path_, lock_policy_); }

bool PosixFile::do_ctl(const CtlCall& call) {
  if (call.op != ctl_op::file_descriptor) return false;
  if (call.result.size() != sizeof descriptor_.number)
    throw Error(ErrorKind::invalid_argument, "the result of the operation file_descriptor is an int");
  std::memcpy(call.result.data(), &descriptor_.number, sizeof descriptor_.number);
  return true;
}

std::optional<FileIdentity> find_file_identity(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

}  // namespace filigree::io
