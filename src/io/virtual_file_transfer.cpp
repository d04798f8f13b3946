// SPDX-License-Identifier: Apache-2.0
//
// The path of a request from the public functions of VirtualFile to its driver:
//
//  1. read() and write() check bounds and access (check()), once, at the top of the stack of drivers.
//  2. Within a concurrent section of the thread the request is started and waited for at the section's
//     end. Otherwise a single extent goes straight to step 5.
//  3. Coalescer plans the request: extents in the order of their offsets, close ones merged, in batches.
//     Overlapping writes are not planned: they are done one by one, in their order.
//  4. For each batch, merged writes are copied into the staging buffer before, merged reads out of it
//     after the driver's call. A merged write with gaps first reads the gaps from the file and writes
//     them back, under the exclusive lock of the terminal driver (write_lock_); all other writes hold
//     that lock shared. While asynchronous writes are in flight (pending_writes_), gaps are not written
//     back: the batch is divided. A file with a communicator has no write gaps at all, and needs no lock.
//  5. forward() and launch() hand extents to the driver. A request that exceeds its capabilities
//     (vector_extents, request_bytes) is divided into vectors (lower()). A driver that wraps another one
//     calls forward() on it, so that steps 1 to 4 are not repeated.
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {
namespace {

template <class Extent>
using FileFor = std::conditional_t<std::is_same_v<Extent, ReadExtent>, const VirtualFile, VirtualFile>;

void reserve_staging(Buffer& staging, std::uint64_t bytes) {
  if (staging.size() < bytes) staging.resize(bytes);
}

template <class Extent>
bool fits(const DriverCapabilities& can, std::span<const Extent> extents) {
  if (extents.size() > can.vector_extents) return false;
  if (can.request_bytes == std::numeric_limits<std::uint64_t>::max()) return true;
  std::uint64_t bytes = 0;
  for (const Extent& e : extents) {
    if (e.memory().size() > can.request_bytes - bytes) return false;
    bytes += e.memory().size();
  }
  return true;
}

/// Divides `extents` into vectors that the driver accepts, and passes each to `use`.
template <class Extent, class Use>
void lower(const DriverCapabilities& can, std::span<const Extent> extents, Use use) {
  const std::size_t most_extents = std::clamp<std::size_t>(can.vector_extents, 1, 4096);
  const std::uint64_t most_bytes = std::max<std::uint64_t>(1, can.request_bytes);
  std::vector<Extent> vector;
  std::uint64_t bytes = 0;
  const auto flush_vector = [&] {
    if (!vector.empty()) use(std::move(vector));
    vector = {};
    bytes = 0;
  };
  for (const Extent& e : extents) {
    for (std::uint64_t done = 0; done < e.memory().size();) {
      if (vector.size() == most_extents || bytes == most_bytes) flush_vector();
      const std::uint64_t taken = std::min(e.memory().size() - done, most_bytes - bytes);
      vector.push_back(part_of(e, done, taken));
      bytes += taken;
      done += taken;
    }
  }
  flush_vector();
}

/// A divided request in flight, with its vectors.
template <class Extent>
class LoweredRequest : public PendingSet {
 public:
  template <class Start>
  void start(std::vector<Extent> vector, Start start_vector) {
    vectors_.push_back(std::move(vector));
    try {
      add(start_vector(std::span<const Extent>(vectors_.back())));
    } catch (...) {
      add_current_failure();
    }
  }
  // Requests in flight are destroyed before the extents that they point to.
  ~LoweredRequest() override { drop(); }

 private:
  std::vector<std::vector<Extent>> vectors_;
};

class CompletedRequest : public Pending {
  void wait() override {}
};

}  // namespace

void VirtualFile::forward(const VirtualFile& to, std::span<const ReadExtent> extents) {
  if (fits(to.capabilities(), extents)) return to.do_read(extents);
  if (const std::unique_ptr<Pending> pending = to.launch(extents)) pending->wait();
}

void VirtualFile::forward(VirtualFile& to, std::span<const WriteExtent> extents) {
  if (fits(to.capabilities(), extents)) return to.do_write(extents);
  if (const std::unique_ptr<Pending> pending = to.launch(extents)) pending->wait();
}

std::unique_ptr<Pending> VirtualFile::launch(std::span<const ReadExtent> extents) const {
  const DriverCapabilities& can = capabilities();
  if (fits(can, extents)) {
    if (can.concurrent) return do_start_read(extents);
    do_read(extents);
    return nullptr;
  }
  if (!can.concurrent) {
    lower(can, extents, [&](const std::vector<ReadExtent>& vector) { do_read(vector); });
    return nullptr;
  }
  auto request = std::make_unique<LoweredRequest<ReadExtent>>();
  lower(can, extents, [&](std::vector<ReadExtent> vector) {
    request->start(std::move(vector), [this](std::span<const ReadExtent> v) { return do_start_read(v); });
  });
  return request;
}

std::unique_ptr<Pending> VirtualFile::launch(std::span<const WriteExtent> extents) {
  const DriverCapabilities& can = capabilities();
  if (fits(can, extents)) {
    if (can.concurrent) return do_start_write(extents);
    do_write(extents);
    return nullptr;
  }
  if (!can.concurrent) {
    lower(can, extents, [&](const std::vector<WriteExtent>& vector) { do_write(vector); });
    return nullptr;
  }
  auto request = std::make_unique<LoweredRequest<WriteExtent>>();
  lower(can, extents, [&](std::vector<WriteExtent> vector) {
    request->start(std::move(vector), [this](std::span<const WriteExtent> v) { return do_start_write(v); });
  });
  return request;
}

/// A planned request, batch after batch; the first batch is in flight when start() returns.
template <class Extent>
class Transfer : public Pending {
 public:
  Transfer(FileFor<Extent>& file, std::span<const Extent> extents, std::uint64_t gap_bytes, bool copy)
      : file_(file), plan_(extents, file.capabilities().coalescing, gap_bytes, copy) {}

  void start() {
    if (!plan_.next(batch_)) return;
    reserve_staging(staging_, batch_.staging_bytes);
    if constexpr (std::is_same_v<Extent, WriteExtent>) plan_.copy_staged(batch_, staging_);
    vector_ = plan_.driver_extents(batch_, staging_);
    in_flight_ = file_.launch(vector_);
  }

  bool overlapping() const { return plan_.overlapping(); }

  void wait() override {
    while (!batch_.requests.empty()) {
      if (const std::unique_ptr<Pending> pending = std::move(in_flight_)) pending->wait();
      if constexpr (std::is_same_v<Extent, ReadExtent>) plan_.copy_staged(batch_, staging_);
      start();
    }
  }

 private:
  FileFor<Extent>& file_;
  Coalescer<Extent> plan_;
  CoalescedBatch batch_;
  Buffer staging_;
  std::vector<Extent> vector_;
  std::unique_ptr<Pending> in_flight_;  // last, so that it is destroyed first
};

/// An asynchronous write. While it exists, no other write writes gaps back.
class PendingWrite : public Pending {
 public:
  PendingWrite(VirtualFile& file, std::span<const WriteExtent> extents)
      : presence_(file.terminal()), transfer_(file, extents, 0, true) {}
  bool overlapping() const { return transfer_.overlapping(); }
  void start() { transfer_.start(); }
  void wait() override { transfer_.wait(); }

 private:
  struct Presence {
    explicit Presence(const VirtualFile& terminal) : counter(terminal.pending_writes_) {
      const SharedLock shared(terminal.write_lock_);
      ++counter;
    }
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    ~Presence() { --counter; }
    std::atomic<int>& counter;
  };

  Presence presence_;
  Transfer<WriteExtent> transfer_;  // after presence_, so that it is destroyed first
};

std::unique_ptr<Pending> VirtualFile::start_checked(std::span<const ReadExtent> extents) const {
  const DriverCapabilities& can = capabilities();
  auto transfer =
      std::make_unique<Transfer<ReadExtent>>(*this, extents, can.coalescing.read_gap_bytes, can.concurrent);
  transfer->start();
  if (can.concurrent) return transfer;
  transfer->wait();
  return std::make_unique<CompletedRequest>();
}

std::unique_ptr<Pending> VirtualFile::start_checked(std::span<const WriteExtent> extents) {
  if (!capabilities().concurrent || extents.empty()) {
    write_now(extents);
    return std::make_unique<CompletedRequest>();
  }
  auto pending = std::make_unique<PendingWrite>(*this, extents);
  if (pending->overlapping()) {
    pending.reset();
    write_now(extents);
    return std::make_unique<CompletedRequest>();
  }
  pending->start();
  return pending;
}

void VirtualFile::write_now(std::span<const WriteExtent> extents) {
  const CoalescingLimits& limits = capabilities().coalescing;
  // A gap may hold what another process is writing. Without gaps, there is nothing to lock: a file on top of
  // this one may have come here before, and a thread must not take the lock twice.
  const bool has_members = communicator() != nullptr;
  const auto with_lock = [&](auto write) {
    if (has_members) return write();
    const SharedLock shared(terminal().write_lock_);
    write();
  };
  if (extents.size() == 1 || limits.merged_bytes == 0) return with_lock([&] { forward(*this, extents); });
  Coalescer<WriteExtent> plan(extents, limits, has_members ? 0 : limits.write_gap_bytes);
  if (plan.overlapping()) {
    return with_lock([&] {
      for (const WriteExtent& e : extents) forward(*this, std::span(&e, 1));
    });
  }
  Buffer staging;
  for (CoalescedBatch batch; plan.next(batch);) {
    if (batch.has_gaps) {
      write_around_gaps(plan, batch, staging);
    } else {
      with_lock([&] { write_batch(plan, batch, staging); });
    }
  }
}

void VirtualFile::write_batch(Coalescer<WriteExtent>& plan, const CoalescedBatch& batch, Buffer& staging) {
  reserve_staging(staging, batch.staging_bytes);
  plan.copy_staged(batch, staging);
  forward(*this, plan.driver_extents(batch, staging));
}

void VirtualFile::write_around_gaps(Coalescer<WriteExtent>& plan, CoalescedBatch& batch, Buffer& staging) {
  const ExclusiveLock exclusive(terminal().write_lock_);
  if (terminal().pending_writes_.load() != 0) return write_batch(plan, plan.without_gaps(batch), staging);
  reserve_staging(staging, batch.staging_bytes);
  const std::uint64_t end = size();
  std::vector<ReadExtent> around;
  for (const CoalescedBatch::Request& r : batch.requests) {
    if (!r.has_gaps) continue;
    const MutableBytes memory = MutableBytes(staging).subspan(r.staged, r.bytes);
    const std::uint64_t held = std::min(r.bytes, end > r.offset ? end - r.offset : 0);
    std::fill(memory.begin() + static_cast<std::ptrdiff_t>(held), memory.end(), std::byte{0});
    if (held > 0) around.push_back({r.offset, memory.first(held), MemoryType::unspecified});
  }
  if (!around.empty()) forward(std::as_const(*this), around);
  write_batch(plan, batch, staging);
}

}  // namespace filigree::io
