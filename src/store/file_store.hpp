// SPDX-License-Identifier: Apache-2.0
//
// One open file as bytes with a cache of decoded structures and an account of its space. Knows
// no structure itself; everything else in store/ is built on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/codec/fields.hpp"
#include "store/cache/metadata_cache.hpp"
#include "store/file_part.hpp"
#include "store/space/space.hpp"

namespace filigree::io {
class VirtualFile;
struct ReadExtent;
struct SelectionRead;
struct SelectionWrite;
struct WriteExtent;
}  // namespace filigree::io

namespace filigree::store {

class ReadAhead;

class FileStore {
 public:
  struct Setup {
    format::Widths widths;
    std::uint64_t base = 0;                    ///< file position of address 0
    std::uint64_t end_of_file = 0;             ///< relative to base; reads beyond it are refused
    std::vector<FilePart> parts = {};          ///< where there are several; then end_of_file says nothing
    std::size_t cache_bytes = 64u << 20;       ///< budget of the metadata cache
    std::size_t read_ahead_bytes = 32u << 20;  ///< for each part
    /// Not 0: another process may be writing the file. It has no end but that of its bytes, nothing is read
    /// ahead, and structures get so many attempts to be read.
    unsigned swmr_read_attempts = 0;
  };

  FileStore(std::unique_ptr<io::VirtualFile> file, const Setup& setup, std::unique_ptr<Space> space);
  ~FileStore();

  const format::Widths& widths() const { return widths_; }
  const std::string& name() const;
  bool writable() const;
  /// Throws Error(read_only) naming the file and what was tried.
  void require_writable(std::string_view doing) const;

  /// Thread-safe for looking up; see MetadataCache.
  MetadataCache& cache() const { return cache_; }
  Space& space() { return *space_; }
  const Space& space() const { return *space_; }

  /// `bytes` at `at`. `what` names the structure in errors: corrupt for an undefined address,
  /// truncated when the file ends before it. Allocates nothing that the file does not hold.
  Buffer read(Address at, std::uint64_t bytes, std::string_view what) const;
  /// Up to `most` bytes at `at`, fewer at the end of the file, but at least one.
  Buffer read_up_to(Address at, std::uint64_t most, std::string_view what) const;
  /// The same into the caller's memory; returns the part that was filled.
  Bytes read_up_to(Address at, MutableBytes into, std::string_view what) const;
  /// Those structures are going to be read: drivers that have many reads under way at once fetch them so.
  void prefetch(std::span<const Address> structures) const;
  /// Bytes that the file holds from `at` on.
  std::uint64_t available(Address at) const;

  /// Raw data, past cache and read-ahead, as one request. The extents count from `at`. Thread-safe, also
  /// among writers of different bytes.
  void read_raw(Address at, std::span<const io::ReadExtent> extents) const;
  void write_raw(Address at, std::span<const io::WriteExtent> extents);
  /// Selected elements of an array at `at`, for drivers that take selections: false where they do not. The
  /// offsets of pieces count from `at`; the caller has checked that the file holds the whole array.
  bool read_selections(Address at, io::SelectionRead piece) const;
  bool write_selections(Address at, io::SelectionWrite piece, std::uint64_t array_bytes);

  /// Writes past the cache (raw data, huge objects).
  void write(Address at, Bytes bytes, io::MemoryType type = io::MemoryType::raw);

  /// Lets all dirty structures take or give back the space that writing them will need.
  void allocate_for_flush();
  /// Writes all dirty structures as one vector of coalesced extents; of a file that is followed, in the order
  /// that its readers need.
  void flush_metadata();
  /// Called between operations: keeps the cache within its budget, by `flush` where something is unwritten.
  void trim_cache(FunctionRef<void()> flush);
  void trim_cache() {
    trim_cache([this] { flush_metadata(); });
  }

  /// From now on others may read the file while it is written: no structure and no chunk that they may know
  /// is overwritten with what they could misunderstand.
  void start_swmr_write() { swmr_writer_ = true; }
  bool swmr_writer() const { return swmr_writer_; }
  /// Before flush_metadata() of a file that is followed: structures that cannot be overwritten move.
  void move_for_swmr_readers();
  /// Drops what is known of a file that others may have changed.
  void refresh();

  /// `mark` is called before the file is changed for the first time, and again after end_writing(). It writes
  /// past the store; when it throws, nothing is changed.
  void on_first_write(std::function<void()> mark) { mark_ = std::move(mark); }
  /// Whether the file has been changed since.
  bool writing() const { return writing_.load(); }
  void end_writing() { writing_ = false; }

  io::VirtualFile& file() const { return *file_; }
  /// Puts a driver in front of the file, before anything has been written. It has the same bytes.
  void wrap_file(FunctionRef<std::unique_ptr<io::VirtualFile>(std::unique_ptr<io::VirtualFile>)> wrap);
  /// Has drivers that hold bytes back bring them to the file.
  void write_back();
  std::uint64_t base() const { return base_; }
  /// Lengthens the file with zeros where it ends before `end`, relative to the base.
  void reach(std::uint64_t end);
  /// Cuts or extends the file to `bytes` after the base; only the part that they end in, where there are
  /// several.
  void set_file_end(std::uint64_t bytes);
  /// Where the part of the file that `at` lies in ends, relative to the base.
  std::uint64_t file_end(Address at = to_address(0)) const;
  /// Bytes of all parts, without what stands before the base.
  std::uint64_t file_bytes() const;
  /// Makes every part as long as its allocated space: longer only, or shorter only.
  void grow_to_allocation();
  void shrink_to_allocation();
  /// By first address.
  std::vector<FilePart> parts() const;

  /// Another account of the same file, before anything has been allocated.
  void replace_space(std::unique_ptr<Space> space) { space_ = std::move(space); }

  /// Newer contents of some places, kept apart from the file until write_overlay().
  void set_overlay(EncodedBlocks blocks);
  void write_overlay();

 private:
  /// A part of the file as it is now, relative to the base. Atomic because several threads may write raw
  /// data.
  struct Part {
    Part(const FilePart& part, std::uint64_t physical, std::unique_ptr<ReadAhead> pages);
    ~Part();
    FilePart fixed;
    std::atomic<std::uint64_t> end_of_file;   ///< as the superblock tells or writing made it
    std::atomic<std::uint64_t> physical_end;  ///< as last seen; asking the system at every read is slow
    std::unique_ptr<ReadAhead> read_ahead;
  };

  void begin_writing();
  Part& part_at(std::uint64_t at);
  const Part& part_at(std::uint64_t at) const { return const_cast<FileStore*>(this)->part_at(at); }
  std::uint64_t physical_end(const Part& part) const;
  void resize(Part& part, std::uint64_t end);
  void set_end(Part& part, std::uint64_t end);
  void write_blocks(const EncodedBlocks& blocks);
  void written(std::uint64_t offset, std::uint64_t bytes);
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
  std::unique_ptr<Space> space_;
  EncodedBlocks overlay_;
  std::function<void()> mark_;
  std::mutex mark_mutex_;
  std::atomic<bool> writing_ = false;
};

}  // namespace filigree::store
