// SPDX-License-Identifier: Apache-2.0
#include "io/uring/uring_ring.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <filigree/error.hpp>

#include "io/system_error.hpp"

namespace filigree::io {

UringPool::~UringPool() { notice_fork(); }

void UringPool::notice_fork() {
  const pid_t now = getpid();
  if (std::exchange(process_, now) == now) return;
  // The parent shares its rings with this child process, which must not use them.
  for (std::unique_ptr<UringRing>& ring : idle_) static_cast<void>(ring.release());
  idle_.clear();
  borrowed_ = 0;
}

std::unique_ptr<UringRing> UringPool::borrow(int* refusal) {
  const MutexLock lock(mutex_);
  notice_fork();
  if (!idle_.empty()) {
    std::unique_ptr<UringRing> ring = std::move(idle_.back());
    idle_.pop_back();
    ++borrowed_;
    return ring;
  }
  if (borrowed_ >= options_.rings) return nullptr;
  auto ring = std::make_unique<UringRing>();
  const unsigned depth = options_.depth == 0 ? 1 : options_.depth;
  if (const int code = options_.setup(depth, &ring->ring); code < 0) {
    if (refusal != nullptr) *refusal = -code;
    return nullptr;
  }
  ring->depth = depth;
  ++borrowed_;
  return ring;
}

void UringPool::give_back(std::unique_ptr<UringRing> ring) {
  const MutexLock lock(mutex_);
  if (borrowed_ > 0) --borrowed_;
  if (ring) idle_.push_back(std::move(ring));
}

UringRequest::UringRequest(UringPool& pool, std::unique_ptr<UringRing> ring, const Target& target)
    : pool_(pool), ring_(std::move(ring)), target_(target) {}

UringRequest::~UringRequest() {
  waiting_.clear();
  while (in_flight_ > 0) {
    reap();
    waiting_.clear();
  }
  pool_.give_back(broken_ ? nullptr : std::move(ring_));
}

void UringRequest::add(std::uint64_t offset, iovec piece, std::size_t max_bytes) {
  while (piece.iov_len > 0) {
    const bool follows =
        !operations_.empty() && operations_.back().offset + operations_.back().bytes == offset;
    const bool extends = follows && operations_.back().bytes < max_bytes &&
                         operations_.back().end_piece - operations_.back().first_piece < IOV_MAX;
    if (!extends) operations_.push_back({offset, 0, pieces_.size(), pieces_.size()});
    UringOperation& operation = operations_.back();
    const std::size_t taken = std::min<std::size_t>(piece.iov_len, max_bytes - operation.bytes);
    pieces_.push_back({piece.iov_base, taken});
    ++operation.end_piece;
    operation.bytes += taken;
    offset += taken;
    piece = {static_cast<char*>(piece.iov_base) + taken, piece.iov_len - taken};
  }
}

void UringRequest::start() {
  waiting_.resize(operations_.size());
  std::iota(waiting_.rbegin(), waiting_.rend(), std::size_t{0});
  submit_more();
}

void UringRequest::wait() {
  while (in_flight_ > 0 || !waiting_.empty()) {
    submit_more();
    if (in_flight_ > 0) reap();
  }
  failures_.rethrow();
}

void UringRequest::submit_more() {
  unsigned queued = 0;
  while (!waiting_.empty() && in_flight_ + queued < ring_->depth) {
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_->ring);
    if (entry == nullptr) break;
    const UringOperation& operation = operations_[waiting_.back()];
    const iovec* const pieces = pieces_.data() + operation.first_piece;
    const auto count = static_cast<unsigned>(operation.end_piece - operation.first_piece);
    const std::uint64_t at = operation.offset + operation.done;
    target_.writing ? io_uring_prep_writev(entry, target_.descriptor, pieces, count, at)
                    : io_uring_prep_readv(entry, target_.descriptor, pieces, count, at);
    io_uring_sqe_set_data64(entry, waiting_.back());
    waiting_.pop_back();
    ++queued;
  }
  in_flight_ += queued;
  // Entries that the kernel does not accept now stay in the ring until the next call.
  if (queued > 0) io_uring_submit(&ring_->ring);
}

void UringRequest::reap() {
  io_uring_cqe* entry = nullptr;
  if (io_uring_peek_cqe(&ring_->ring, &entry) != 0) {
    // Also submits entries that an earlier call left in the ring; otherwise this could wait for them forever.
    const int code = io_uring_submit_and_wait(&ring_->ring, 1);
    if (code < 0 && code != -EINTR && code != -EAGAIN && code != -EBUSY) give_up_unsent(-code);
  }
  while (in_flight_ > 0 && io_uring_peek_cqe(&ring_->ring, &entry) == 0) {
    const auto operation = static_cast<std::size_t>(io_uring_cqe_get_data64(entry));
    const int result = entry->res;
    io_uring_cqe_seen(&ring_->ring, entry);
    --in_flight_;
    finish(operation, result);
  }
}

void UringRequest::give_up_unsent(int code) {
  const unsigned unsent = std::min(in_flight_, io_uring_sq_ready(&ring_->ring));
  if (!std::exchange(broken_, true)) {
    try {
      throw system_error(code, "queue operations on", target_.file);
    } catch (...) {
      failures_.add_current();
    }
  }
  in_flight_ -= unsent;
  waiting_.clear();
  // The kernel completes the operations that it has accepted.
  if (unsent == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void UringRequest::finish(std::size_t index, int result) {
  UringOperation& operation = operations_[index];
  if (result == -EINTR || result == -EAGAIN) {
    waiting_.push_back(index);
  } else if (result <= 0) {
    fail(operation, -result);
  } else {
    operation.done += static_cast<std::uint64_t>(result);
    if (operation.done == operation.bytes) return;
    for (auto left = static_cast<std::size_t>(result); left > 0;) {
      iovec& piece = pieces_[operation.first_piece];
      const std::size_t moved = std::min(left, piece.iov_len);
      piece = {static_cast<char*>(piece.iov_base) + moved, piece.iov_len - moved};
      left -= moved;
      if (piece.iov_len == 0) ++operation.first_piece;
    }
    waiting_.push_back(index);
  }
}

void UringRequest::fail(const UringOperation& operation, int code) {
  const std::string reason = code != 0         ? std::generic_category().message(code)
                             : target_.writing ? "the system wrote nothing"
                                               : "the file ends there";
  const ErrorKind kind = code != 0         ? kind_of_errno(code)
                         : target_.writing ? ErrorKind::io
                                           : ErrorKind::truncated;
  try {
    throw Error(kind, fmt::format("{} {} bytes at offset {} of '{}' failed after {} bytes: {}",
                                  target_.writing ? "writing" : "reading", operation.bytes, operation.offset,
                                  target_.file, operation.done, reason));
  } catch (...) {
    failures_.add_current();
  }
}

}  // namespace filigree::io
