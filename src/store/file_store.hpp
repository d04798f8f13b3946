// SPDX-License-Identifier: Apache-2.0
//
// One open file: its bytes, a cache of its decoded structures, and the allocator of its space. The FileStore
// knows no particular structure; everything else in store/ is built on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"
#include "format/codec/fields.hpp"
#include "store/cache/gathered_writes.hpp"
#include "store/cache/metadata_cache.hpp"
#include "store/cache/raw_block.hpp"
#include "store/file_part.hpp"
#include "store/space/space.hpp"

namespace filigree::io {
class VirtualFile;
}  // namespace filigree::io

namespace filigree::store {

class ReadAhead;

/// Addresses are relative to the base address, which is the offset of the superblock in the file.
///
/// *Thread safety*: functions that are const, and raw reads and writes of different bytes, may run on any
/// number of threads. All other functions require that the caller holds the exclusive lock of the file.
class FileStore {
 public:
  struct Setup {
    format::Widths widths;
    std::uint64_t base = 0;               ///< base address: the file offset of address 0
    std::uint64_t end_of_file = 0;        ///< relative to the base; reads beyond it are refused
    std::vector<FilePart> parts = {};     ///< of a driver with several files; end_of_file is ignored then
    std::size_t cache_bytes = 64u << 20;  ///< budget of the metadata cache
    std::size_t read_ahead_bytes = 32u << 20;  ///< for each part
    std::size_t raw_block_bytes = 64u << 10;   ///< of raw data for small reads; 0: none
    std::size_t gathered_bytes = 64u << 10;    ///< of raw data by small writes; 0: none
    /// Not 0 for an SWMR reader: another process may be writing the file. Then the end of the file is where
    /// its bytes end, nothing is read ahead, and a structure that cannot be decoded is read so many times.
    unsigned swmr_read_attempts = 0;
  };

  FileStore(std::unique_ptr<io::VirtualFile> file, const Setup& setup, std::unique_ptr<Space> space);
  ~FileStore();

  const format::Widths& widths() const { return widths_; }
  const std::string& name() const;
  bool writable() const;
  /// *Throws* Error(read_only), naming the file and what was attempted.
  void require_writable(std::string_view doing) const;

  /// *Thread safety*: see MetadataCache.
  MetadataCache& cache() const { return cache_; }
  Space& space() { return *space_; }
  const Space& space() const { return *space_; }

  /// Reads `bytes` at `at`; `what` names the structure in errors. Allocates no more than the file holds.
  /// *Throws* Error(corrupt) for an undefined address, Error(truncated) when the file ends before the last
  /// byte.
  Buffer read(Address at, std::uint64_t bytes, std::string_view what) const;
  /// Reads up to `most` bytes at `at`: fewer at the end of the file, but at least one. *Throws* as read().
  Buffer read_up_to(Address at, std::uint64_t most, std::string_view what) const;
  /// The same into the caller's buffer; returns the part of it that was filled.
  Bytes read_up_to(Address at, MutableBytes into, std::string_view what) const;
  /// Announces that these structures will be read. Drivers that run many reads concurrently fetch them with
  /// one request.
  void prefetch(std::span<const Address> structures) const;
  /// The number of bytes that the file holds from `at` on.
  std::uint64_t available(Address at) const;

  /// Reads or writes raw data as one request; bypasses the metadata cache and the read-ahead. The offsets of
  /// the extents count from `at`.
  void read_raw(Address at, std::span<const io::ReadExtent> extents) const;
  /// Reads a few bytes of raw data; see RawBlock. Returns false, having done nothing, when the file does not
  /// hold them all, or when the driver is to see selections.
  bool read_small(Address at, MutableBytes into) const;
  void write_raw(Address at, std::span<const io::WriteExtent> extents);
  /// Writes a few bytes of raw data; see GatheredWrites. They may reach the file later, at the latest by
  /// settle() or flush_metadata().
  void write_small(Address at, Bytes bytes);
  /// Writes the raw data of small writes that are not in the file yet.
  void settle() const;
  /// Whether the driver receives selections as they are; for others they are expanded.
  bool accepts_selections() const;
  /// Reads or writes selected elements of arrays as one request. *Requires* that the file holds the arrays,
  /// or that they are allocated.
  void read_selections(std::span<const io::SelectionRead> pieces) const;
  void write_selections(std::span<const io::SelectionWrite> pieces);

  /// Writes bytes that are not cached: raw data and huge objects of fractal heaps.
  void write(Address at, Bytes bytes, io::MemoryType type = io::MemoryType::raw);

  /// Lets dirty structures allocate or free the space that writing them needs. Called before free space is
  /// counted.
  void allocate_for_flush();
  /// Writes all dirty structures, as few coalesced writes. For an SWMR writer, in the order that readers
  /// need: see store/flush.cpp.
  void flush_metadata();
  /// Keeps the metadata cache within its budget; calls `flush` when dirty entries must be written for that.
  /// Called between operations, when no change is half done.
  void trim_cache(FunctionRef<void()> flush);
  void trim_cache() {
    trim_cache([this] { flush_metadata(); });
  }

  /// Makes this an SWMR writer: other processes may read the file from now on. No structure or chunk that
  /// they may know is overwritten by bytes that they could misinterpret.
  void start_swmr_write() { swmr_writer_ = true; }
  bool swmr_writer() const { return swmr_writer_; }
  /// Moves structures that must not be overwritten in place. An SWMR writer calls it before free space is
  /// counted.
  void move_for_swmr_readers();
  /// Drops everything that is cached of a file that another process may have changed.
  void refresh();

  /// Sets a callback for the first change of the file, and for the first one after end_writing(). It marks
  /// the file as open for writing, by writing to the driver itself. When it throws, nothing is changed.
  void on_first_write(std::function<void()> mark) { mark_ = std::move(mark); }
  /// Whether the file was changed since it was opened, or since end_writing().
  bool writing() const { return writing_.load(); }
  /// Marks the file as open for writing, if it is not marked yet.
  void begin_writing() FILIGREE_EXCLUDES(mark_mutex_);
  void end_writing() { writing_ = false; }

  io::VirtualFile& file() const { return *file_; }
  /// Replaces the driver by `wrap(driver)`, which must have the same bytes. *Requires* that nothing was
  /// written yet.
  void wrap_file(FunctionRef<std::unique_ptr<io::VirtualFile>(std::unique_ptr<io::VirtualFile>)> wrap);
  /// Makes drivers that hold bytes back, such as a page buffer, write them to the file.
  void write_back();
  std::uint64_t base() const { return base_; }
  /// Extends the file with zeros if it ends before `end`, relative to the base.
  void reach(std::uint64_t end);
  /// Truncates or extends the file to `bytes` after the base; with several parts, the one that this end is
  /// in.
  void set_file_end(std::uint64_t bytes);
  /// The end, relative to the base, of the part of the file that holds `at`.
  std::uint64_t file_end(Address at = to_address(0)) const;
  /// The same as last seen or written, without asking the system. A writer knows it.
  std::uint64_t known_end(Address at) const { return part_at(to_number(at)).physical_end.load(); }
  /// The bytes of all parts, without those before the base.
  std::uint64_t file_bytes() const;
  /// Extend, or truncate, every part to the end of its allocated space.
  void grow_to_allocation();
  void shrink_to_allocation();
  /// The parts by their first address.
  std::vector<FilePart> parts() const;

  /// Replaces the allocator. *Requires* that nothing was allocated yet.
  void replace_space(std::unique_ptr<Space> space) { space_ = std::move(space); }

  /// Sets newer contents for some addresses, as a metadata cache image has them. Reads see them at once; the
  /// file gets them by write_overlay().
  void set_overlay(EncodedBlocks blocks);
  void write_overlay();

 private:
  /// A part of the file with its current ends, relative to the base. They are atomic because several threads
  /// may write raw data.
  struct Part {
    Part(const FilePart& part, std::uint64_t physical, std::unique_ptr<ReadAhead> pages);
    ~Part();
    FilePart fixed;
    std::atomic<std::uint64_t> end_of_file;  ///< as the superblock says, or as far as was written
    std::atomic<std::uint64_t>
        physical_end;  ///< as last seen: asking the system for every read would be slow
    std::unique_ptr<ReadAhead> read_ahead;
  };

  Part& part_at(std::uint64_t at);
  const Part& part_at(std::uint64_t at) const { return const_cast<FileStore*>(this)->part_at(at); }
  std::uint64_t physical_end(const Part& part) const;
  void resize(Part& part, std::uint64_t end);
  void set_end(Part& part, std::uint64_t end);
  void write_blocks(const EncodedBlocks& blocks);
  /// Notes that bytes at file offset `offset` were written.
  void note_written(std::uint64_t offset, std::uint64_t bytes);
  /// The same for raw data: the block for small reads is updated.
  void note_written(std::uint64_t offset, Bytes bytes);
  void note_end(Part& part, std::uint64_t end);
  /// Writes raw data without a look at what is gathered.
  void write_now(std::uint64_t offset, Bytes bytes, io::MemoryType type);
  /// Makes sure that the file has the bytes of a range, by file offset.
  void settle(std::uint64_t offset, std::uint64_t bytes) const;
  bool gathers() const;
  void apply_overlay(std::uint64_t at, MutableBytes bytes) const;
  void require_held(Address at, std::uint64_t bytes, std::string_view what) const;
  void fill(Address at, MutableBytes into) const;

  std::unique_ptr<io::VirtualFile> file_;
  format::Widths widths_;
  std::uint64_t base_;
  std::size_t read_ahead_bytes_;
  const bool swmr_reader_;
  bool swmr_writer_ = false;
  std::deque<Part> parts_;  ///< by first address
  mutable MetadataCache cache_;
  mutable RawBlock raw_block_;
  mutable GatheredWrites gathered_;
  std::unique_ptr<Space> space_;
  EncodedBlocks overlay_;
  std::function<void()> mark_;
  Mutex mark_mutex_;  ///< held while mark_ runs
  std::atomic<bool> writing_ = false;
};

}  // namespace filigree::store
