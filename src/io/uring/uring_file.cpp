// SPDX-License-Identifier: Apache-2.0
#include "io/uring/uring_file.hpp"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "io/uring/uring_ring.hpp"

namespace filigree::io {
namespace {

iovec piece_of(const ReadExtent& e) { return {e.into.data(), e.into.size()}; }
// iovec serves both directions, so it has no const.
iovec piece_of(const WriteExtent& e) { return {const_cast<std::byte*>(e.from.data()), e.from.size()}; }

/// Whether the extents are contiguous, so that one system call suffices.
template <class Extent>
bool one_run(std::span<const Extent> extents) {
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].offset != extents[i - 1].offset + extents[i - 1].memory().size()) return false;
  }
  return true;
}

}  // namespace

int system_ring_setup(unsigned depth, ::io_uring* ring) { return io_uring_queue_init(depth, ring, 0); }

UringFile::UringFile(std::string path, DriverOpenMode mode, const UringOptions& options)
    : PosixFile(std::move(path), mode, options.posix), pool_(std::make_unique<UringPool>(options)) {
  int code = 0;
  if (std::unique_ptr<UringRing> ring = pool_->borrow(&code)) {
    pool_->give_back(std::move(ring));
    allow_concurrency();
  } else {
    refusal_ = fmt::format("'{}' is read and written without io_uring: {}", name(),
                           code == 0 ? "no rings are allowed" : std::generic_category().message(code));
  }
}

UringFile::~UringFile() = default;

template <class Extent>
std::unique_ptr<Pending> UringFile::start(std::span<const Extent> extents) const {
  std::unique_ptr<UringRing> ring = pool_->borrow();
  if (!ring) return nullptr;
  constexpr bool writing = std::is_same_v<Extent, WriteExtent>;
  auto request = std::make_unique<UringRequest>(*pool_, std::move(ring),
                                                UringRequest::Target{*descriptor(), writing, name()});
  for (const Extent& e : extents) request->add(e.offset, piece_of(e), max_transfer_bytes());
  request->start();
  return request;
}

void UringFile::do_read(std::span<const ReadExtent> extents) const {
  if (!capabilities().concurrent || one_run(extents)) return PosixFile::do_read(extents);
  if (const std::unique_ptr<Pending> pending = do_start_read(extents)) pending->wait();
}

void UringFile::do_write(std::span<const WriteExtent> extents) {
  if (!capabilities().concurrent || one_run(extents)) return PosixFile::do_write(extents);
  if (const std::unique_ptr<Pending> pending = do_start_write(extents)) pending->wait();
}

std::unique_ptr<Pending> UringFile::do_start_read(std::span<const ReadExtent> extents) const {
  std::unique_ptr<Pending> pending = start(extents);
  if (!pending) PosixFile::do_read(extents);
  return pending;
}

std::unique_ptr<Pending> UringFile::do_start_write(std::span<const WriteExtent> extents) {
  std::unique_ptr<Pending> pending = start(extents);
  if (!pending) PosixFile::do_write(extents);
  return pending;
}

}  // namespace filigree::io
