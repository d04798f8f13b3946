// SPDX-License-Identifier: Apache-2.0
//
// A file as random-access bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>

#include "base/bytes.hpp"
#include "io/coalescer.hpp"
#include "io/ctl.hpp"
#include "io/extent.hpp"
#include "io/pending.hpp"

namespace filigree::io {

class ConcurrentSections;
struct SelectionRead;
struct SelectionWrite;

/// No file of the system grows beyond this (the largest signed 64-bit offset).
inline constexpr std::uint64_t largest_file_bytes = ~std::uint64_t{0} >> 1;

/// What a driver can do. Whatever it cannot, the layer above it does.
struct Capabilities {
  /// Most extents of one request; 1 for a driver without vector I/O. Longer requests are cut into several.
  std::size_t vector_extents = std::numeric_limits<std::size_t>::max();
  /// Most bytes of one request; longer extents are cut.
  std::uint64_t request_bytes = std::numeric_limits<std::uint64_t>::max();
  /// Where the address space ends.
  std::uint64_t address_end = largest_file_bytes;
  /// Requests can be started and awaited later, and the extents of one request run at once.
  bool concurrent = false;
  /// Takes selections as they are (do_read_selections, do_write_selections), or some of them.
  bool selections = false;
  /// lock() keeps other processes out.
  bool locks = false;
  CoalescingLimits coalescing = {};
};

/// Where bytes of one kind live.
struct AddressRange {
  std::uint64_t first = 0;
  std::uint64_t end = largest_file_bytes;
};

enum class LockKind { shared, exclusive };

/// Random-access bytes. Positionless: no call moves a cursor, so reads may run on any number of
/// threads at once, and so may writes that do not overlap; the caller serialises those that do. A driver
/// implements the private part; failures are Errors that name the file and the system's reason.
///
/// Drivers stack: one that passes requests on names the file behind it by next(), one without is terminal.
/// Small extents are merged once, above the whole stack, within the limits that the terminal driver declares.
class VirtualFile {
 public:
  VirtualFile();
  VirtualFile(const VirtualFile&) = delete;
  VirtualFile& operator=(const VirtualFile&) = delete;
  virtual ~VirtualFile();

  /// Fills every extent, or throws Error(truncated) when one runs past the end of the file.
  void read(std::span<const ReadExtent> extents) const;
  void read(std::uint64_t offset, MutableBytes into, MemoryType type = MemoryType::unspecified) const;

  /// Writes every extent; the file grows where needed, and what lies between its old end and an
  /// extent reads as zero. Of extents that overlap, the later ones win. On failure some extents may have
  /// been written, and the error says so.
  void write(std::span<const WriteExtent> extents);
  void write(std::uint64_t offset, Bytes from, MemoryType type = MemoryType::unspecified);

  /// Elements of selections (io/selection.hpp), all pieces as one request. A driver that takes selections
  /// gets them as they are; for others they become extents, a bounded number at a time.
  void read_selections(std::span<const SelectionRead> pieces, MemoryType type = MemoryType::raw) const;
  void write_selections(std::span<const SelectionWrite> pieces, MemoryType type = MemoryType::raw);

  /// Begin what read() and write() do. Extents may be dropped after the call, the memory they point to must
  /// stay. Drivers without concurrency do everything in the call. Wait on the thread that started.
  [[nodiscard]] std::unique_ptr<Pending> start_read(std::span<const ReadExtent> extents) const;
  [[nodiscard]] std::unique_ptr<Pending> start_write(std::span<const WriteExtent> extents);

  /// Cuts or zero-extends the file.
  void truncate(std::uint64_t bytes);
  /// Asks the system to bring everything to the device.
  void sync() { do_sync(); }

  /// Keeps other processes out until unlock() or the end of this object, without waiting; Error(locked)
  /// when one is in the way. Drivers without locks do nothing.
  void lock(LockKind kind) { do_lock(kind); }
  void unlock() { do_unlock(); }

  /// Runs an operation; false when it was unknown and ignored.
  bool ctl(const CtlCall& call);

  virtual std::uint64_t size() const = 0;
  /// What error messages call this file.
  virtual const std::string& name() const = 0;
  virtual bool writable() const = 0;
  virtual const Capabilities& capabilities() const;
  /// The file that gets what this one is asked; none for a terminal driver.
  virtual VirtualFile* next() const { return nullptr; }

  /// Where bytes of `type` may be allocated. Drivers with several files have several ranges.
  virtual AddressRange addresses(MemoryType type) const;
  /// Where the bytes in the range of `type` end now.
  virtual std::uint64_t end_of_file(MemoryType type) const;
  /// How far the range of `type` is in use by the format. It binds nothing by itself:
  /// truncate_to_allocation() makes the files as long as this says. Until it is set, it is where the file
  /// ends.
  virtual std::uint64_t allocation_end(MemoryType type) const;
  virtual void set_allocation_end(MemoryType type, std::uint64_t end);
  void truncate_to_allocation();

 protected:
  /// For drivers that pass requests on: past the checks and the merging, which were done at the top.
  static void forward(const VirtualFile& to, std::span<const ReadExtent> extents);
  static void forward(VirtualFile& to, std::span<const WriteExtent> extents);
  static std::unique_ptr<Pending> forward_start(const VirtualFile& to, std::span<const ReadExtent> extents);
  static std::unique_ptr<Pending> forward_start(VirtualFile& to, std::span<const WriteExtent> extents);
  static bool forward_reaches(const VirtualFile& to, std::uint64_t bytes) { return to.reaches(bytes); }
  static void forward_truncate(VirtualFile& to, std::uint64_t bytes) { to.do_truncate(bytes); }
  static void forward_truncate_to_allocation(VirtualFile& to) { to.do_truncate_to_allocation(); }

 private:
  template <class Extent>
  friend class Transfer;
  friend class PendingWrite;
  friend class ConcurrentSection;

  /// Whether the file has at least `bytes` bytes; a driver whose size() is slow answers from memory.
  virtual bool reaches(std::uint64_t bytes) const { return bytes <= size(); }
  virtual void do_read(std::span<const ReadExtent>) const = 0;
  virtual void do_write(std::span<const WriteExtent>) = 0;
  /// Called where capabilities() say `concurrent`. Extents and memory stay until the result is gone; null
  /// when everything is done.
  virtual std::unique_ptr<Pending> do_start_read(std::span<const ReadExtent>) const;
  virtual std::unique_ptr<Pending> do_start_write(std::span<const WriteExtent>);
  /// Called where capabilities() say `selections`, nothing checked; false, with nothing done, to decline.
  virtual bool do_read_selections(std::span<const SelectionRead>, MemoryType) const { return false; }
  virtual bool do_write_selections(std::span<const SelectionWrite>, MemoryType) { return false; }
  virtual void do_truncate(std::uint64_t bytes) = 0;
  virtual void do_truncate_to_allocation();
  virtual void do_sync() = 0;
  virtual void do_lock(LockKind) {}
  virtual void do_unlock() {}
  /// Whether the code is known here; then it has been done.
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
  /// Of terminal drivers: writes that read around gaps first hold it alone, all others together.
  mutable std::shared_mutex write_lock_;
  mutable std::atomic<int> pending_writes_{0};  ///< started and not awaited; nothing is written around them
};

/// A concurrent section of a file, from construction to finish(): what this thread asks of the file in
/// between may run at once, and memory of reads is filled, and that of writes free again, after finish().
/// Nests.
class ConcurrentSection {
 public:
  explicit ConcurrentSection(VirtualFile& file);
  /// Waits too, but drops errors.
  ~ConcurrentSection();
  ConcurrentSection(const ConcurrentSection&) = delete;
  ConcurrentSection& operator=(const ConcurrentSection&) = delete;
  /// Throws what went wrong since the beginning, all of it.
  void finish();

 private:
  VirtualFile* file_;
};

}  // namespace filigree::io
