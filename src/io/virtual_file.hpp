// SPDX-License-Identifier: Apache-2.0
//
// A file as random-access bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <filigree/communicator.hpp>

#include "base/bytes.hpp"
#include "base/mutex.hpp"
#include "io/coalescer.hpp"
#include "io/extent.hpp"
#include "io/pending.hpp"

namespace filigree::io {

class ConcurrentSections;

using filigree::CtlCall;
using filigree::CtlRoute;
using filigree::CtlUnknown;
namespace ctl_op = filigree::ctl_op;
using filigree::DriverCapabilities;
using filigree::DriverInfo;
using filigree::DriverOpenMode;
using filigree::largest_file_bytes;
using filigree::LockKind;

/// The addresses of one memory type.
struct AddressRange {
  std::uint64_t first = 0;
  std::uint64_t end = largest_file_bytes;
};

/// Random-access bytes. A driver implements the private part.
///
/// Drivers stack: a driver that wraps another one names it by next(); one without next() is terminal. Small
/// extents are merged once, above the whole stack, within the limits that the terminal driver declares.
///
/// *Thread safety*: no call moves a cursor. Reads, and writes that do not overlap, may run on any number of
/// threads. *Requires*: the caller serialises overlapping writes. *Throws*: Errors that name the file and the
/// reason of the system.
class VirtualFile {
 public:
  VirtualFile();
  VirtualFile(const VirtualFile&) = delete;
  VirtualFile& operator=(const VirtualFile&) = delete;
  virtual ~VirtualFile();

  /// Fills every extent. *Throws*: Error(truncated) if one extends beyond the end of the file.
  void read(std::span<const ReadExtent> extents) const;
  void read(std::uint64_t offset, MutableBytes into, MemoryType type = MemoryType::unspecified) const;

  /// Writes every extent. The file grows where needed; bytes between its old end and an extent read as zero.
  /// Of overlapping extents, the later one wins. *Throws*: after a failure some extents may have been
  /// written.
  void write(std::span<const WriteExtent> extents);
  void write(std::uint64_t offset, Bytes from, MemoryType type = MemoryType::unspecified);

  /// Transfers selected elements, all pieces as one request. A driver that accepts selections receives them
  /// unchanged; for others they are expanded into extents, a bounded number at a time.
  void read_selections(std::span<const SelectionRead> pieces, MemoryType type = MemoryType::raw) const;
  void write_selections(std::span<const SelectionWrite> pieces, MemoryType type = MemoryType::raw);

  /// Requests of all members of communicator() at once. Every member calls, some with nothing. A driver that
  /// cannot do them receives independent requests. *Requires*: no member writes bytes that another one reads
  /// or writes. *Throws*: on all members, what one of them throws.
  void read_collective(std::span<const ReadExtent> extents) const;
  void write_collective(std::span<const WriteExtent> extents);
  void read_selections_collective(std::span<const SelectionRead> pieces,
                                  MemoryType type = MemoryType::raw) const;
  void write_selections_collective(std::span<const SelectionWrite> pieces, MemoryType type = MemoryType::raw);

  /// Start a read() or write(); drivers without concurrency complete it in the call. *Requires*: the buffers
  /// live until the request ends, the extents only until the call returns. The thread that started a request
  /// waits for it.
  [[nodiscard]] std::unique_ptr<Pending> start_read(std::span<const ReadExtent> extents) const;
  [[nodiscard]] std::unique_ptr<Pending> start_write(std::span<const WriteExtent> extents);

  /// Truncates the file, or extends it with zeros.
  void truncate(std::uint64_t bytes);
  /// Makes all written bytes durable (fsync).
  void sync() { do_sync(); }

  /// Locks the file against other processes until unlock() or the destructor, without waiting. Drivers
  /// without locks do nothing. *Throws*: Error(locked) if another process holds a conflicting lock.
  void lock(LockKind kind) { do_lock(kind); }
  void unlock() { do_unlock(); }

  /// Performs an operation; false if its code is unknown and ignored.
  bool ctl(const CtlCall& call);

  virtual std::uint64_t size() const = 0;
  /// The name of the file in error messages.
  virtual const std::string& name() const = 0;
  virtual bool writable() const = 0;
  virtual const DriverCapabilities& capabilities() const;
  /// The wrapped file; null for a terminal driver.
  virtual VirtualFile* next() const { return nullptr; }

  /// Where bytes of `type` may be allocated. Drivers with several files have several ranges.
  virtual AddressRange addresses(MemoryType type) const;
  /// Where the bytes in the range of `type` end at present.
  virtual std::uint64_t end_of_file(MemoryType type) const;
  /// Where the allocated part of the range of `type` ends; the end of the file until it is set. It has no
  /// effect by itself: truncate_to_allocation() gives the files this size.
  virtual std::uint64_t allocation_end(MemoryType type) const;
  virtual void set_allocation_end(MemoryType type, std::uint64_t end);
  void truncate_to_allocation();

  // What a driver does besides moving bytes. A file that wraps another one forwards these to it.

  /// The descriptor of the file, if it is one file of the system.
  virtual std::optional<int> descriptor() const;
  /// The driver information that the file must store; `used` are the address ranges in use. Nothing for
  /// drivers of one file.
  virtual std::optional<DriverInfo> driver_info(std::span<const AddressRange> used) const;
  /// Checks the driver information that a file has stored, and takes over where each member ends. Returns
  /// false if the file needs another driver. *Throws*: Error(invalid_argument) when the driver divides the
  /// file differently, Error(truncated) when a member has lost bytes.
  virtual bool accept_driver_info(const DriverInfo& stored);
  /// Whether files of this driver always store driver information.
  virtual bool requires_driver_info() const;
  /// Space of a driver whose capabilities say `allocates`; as FileDriver::allocate(), extend() and release().
  virtual std::uint64_t allocate(MemoryType type, std::uint64_t bytes);
  virtual void extend_allocation(MemoryType type, std::uint64_t end);
  virtual void release_allocation(std::uint64_t offset, std::uint64_t bytes);
  /// Ends the use of the file; errors that the destructor would drop are thrown. Most drivers do nothing.
  virtual void close();
  /// The processes that use the file together; null for a file of one process. Then no write gaps are written
  /// back: they may be another process's.
  virtual std::shared_ptr<Communicator> communicator() const;
  /// Ends the use of the file without waiting for other members, in place of close().
  virtual void abandon();

 protected:
  /// For drivers that wrap another one: forward without the checks and the merging, which are done at the
  /// top.
  static void forward(const VirtualFile& to, std::span<const ReadExtent> extents);
  static void forward(VirtualFile& to, std::span<const WriteExtent> extents);
  static std::unique_ptr<Pending> forward_start(const VirtualFile& to, std::span<const ReadExtent> extents);
  static std::unique_ptr<Pending> forward_start(VirtualFile& to, std::span<const WriteExtent> extents);
  static bool forward_reaches(const VirtualFile& to, std::uint64_t bytes) { return to.reaches(bytes); }
  static bool forward_collective(const VirtualFile& to, std::span<const ReadExtent> extents) {
    return to.do_read_collective(extents);
  }
  static bool forward_collective(VirtualFile& to, std::span<const WriteExtent> extents) {
    return to.do_write_collective(extents);
  }
  static void forward_truncate(VirtualFile& to, std::uint64_t bytes) { to.do_truncate(bytes); }
  static void forward_truncate_to_allocation(VirtualFile& to) { to.do_truncate_to_allocation(); }

 private:
  template <class Extent>
  friend class Transfer;
  friend class PendingWrite;
  friend class ConcurrentSection;

  /// Whether the file has at least `bytes` bytes. A driver with a slow size() remembers a lower bound.
  virtual bool reaches(std::uint64_t bytes) const { return bytes <= size(); }
  virtual void do_read(std::span<const ReadExtent>) const = 0;
  virtual void do_write(std::span<const WriteExtent>) = 0;
  /// Called if capabilities() say `concurrent`. Extents and buffers live until the result is destroyed. Null
  /// if the request is complete.
  virtual std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent>) const;
  virtual std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent>);
  /// Called if capabilities() say `selections`, without checks. Returns false, with nothing done, to decline.
  virtual bool do_read_selections(std::span<const SelectionRead>, MemoryType) const { return false; }
  virtual bool do_write_selections(std::span<const SelectionWrite>, MemoryType) { return false; }
  /// Collective requests. Return false, on all members and with nothing done, to receive independent ones.
  virtual bool do_read_collective(std::span<const ReadExtent>) const { return false; }
  virtual bool do_write_collective(std::span<const WriteExtent>) { return false; }
  /// Called if capabilities() say `selections`.
  virtual bool do_read_selections_collective(std::span<const SelectionRead>, MemoryType) const {
    return false;
  }
  virtual bool do_write_selections_collective(std::span<const SelectionWrite>, MemoryType) { return false; }
  virtual void do_truncate(std::uint64_t bytes) = 0;
  virtual void do_truncate_to_allocation();
  virtual void do_sync() = 0;
  virtual void do_lock(LockKind) {}
  virtual void do_unlock() {}
  /// Performs an operation; false if its code is unknown here.
  virtual bool do_ctl(const CtlCall&) { return false; }

  void check(std::span<const ReadExtent> extents) const;
  void check(std::span<const WriteExtent> extents) const;
  void require_writable() const;
  const VirtualFile& terminal() const;
  std::unique_ptr<Pending> launch(std::span<const ReadExtent> extents) const;
  std::unique_ptr<Pending> launch(std::span<const WriteExtent> extents);
  std::unique_ptr<Pending> start_checked(std::span<const ReadExtent> extents) const;
  std::unique_ptr<Pending> start_checked(std::span<const WriteExtent> extents);
  void write_now(std::span<const WriteExtent> extents);
  void write_around_gaps(Coalescer<WriteExtent>& plan, CoalescedBatch& batch, Buffer& staging);
  void write_batch(Coalescer<WriteExtent>& plan, const CoalescedBatch& batch, Buffer& staging);

  std::unique_ptr<ConcurrentSections> sections_;
  std::atomic<std::uint64_t> allocation_end_;
  /// Used in terminal drivers: a write that reads and writes back gaps holds it exclusively, other writes
  /// hold it shared.
  mutable SharedMutex write_lock_;
  mutable std::atomic<int> pending_writes_{0};  ///< in flight: no gaps are written back meanwhile
};

/// A concurrent section of a file, from construction to finish(): requests of this thread in between may run
/// concurrently. Buffers of reads are filled, and those of writes may be reused, after finish(). Sections
/// nest.
class ConcurrentSection {
 public:
  explicit ConcurrentSection(VirtualFile& file);
  /// Waits as finish() does, but drops errors.
  ~ConcurrentSection();
  ConcurrentSection(const ConcurrentSection&) = delete;
  ConcurrentSection& operator=(const ConcurrentSection&) = delete;
  /// Waits for all requests of the section. *Throws*: all their failures as one Error.
  void finish();

 private:
  VirtualFile* file_;
};

}  // namespace filigree::io
