// SPDX-License-Identifier: Apache-2.0
//
// The allocator of one file, with the strategies of H5Pset_file_space_strategy() and persistent free space.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/address.hpp"
#include "store/file_part.hpp"
#include "store/space/persistent_free_space.hpp"
#include "store/space/space.hpp"
#include "store/space/space_plan.hpp"

namespace filigree::store {

/// How space is allocated; the numbers are those of the file space info message.
enum class SpaceStrategy : std::uint8_t {
  fsm_aggregated = 0,  ///< free-space managers, then aggregator blocks
  paged = 1,           ///< free-space managers, then pages
  aggregated = 2,      ///< aggregator blocks; freed space is lost unless it is at the end
  none = 3,            ///< always at the end of the file
};

struct FileSpaceOptions {
  SpaceStrategy strategy = SpaceStrategy::fsm_aggregated;
  bool persist = false;             ///< save() writes free-space managers
  std::uint64_t threshold = 1;      ///< the smallest free section that is recorded, in bytes
  std::uint64_t page_bytes = 4096;  ///< paged
  std::uint64_t metadata_block_bytes = 2048, small_data_block_bytes = 2048;  ///< 0: no block
  /// Allocations of the threshold or more start where base + address is a multiple of `alignment`. Not with
  /// pages.
  std::uint64_t alignment = 1, alignment_threshold = 1;
  std::uint8_t offset_bytes = 8;
  std::uint64_t base = 0;
  /// Allocates new space instead of the end of the file; only for files of one part.
  std::shared_ptr<DriverAllocator> allocator = nullptr;
};

/// The fields of the file space info message after save().
struct SavedFreeSpace {
  ManagerAddresses managers = no_managers();
  /// The end of the file without the managers of metadata and large space, which are stored after everything
  /// else; the next session drops what follows. Undefined when free space does not persist.
  Address end_before = Address::undefined;
};

/// The allocator of a file. In a session on a file with persistent free space, the caller:
///  1. calls restore() before the first change, or never: then space that was freed earlier stays unused;
///  2. writes a file space info message without managers before the first change;
///  3. calls save() at the end, and writes the message with the managers that it returns.
class FileSpace : public Space {
 public:
  FileSpace(const FileSpaceOptions& options, std::uint64_t end);
  /// With several parts free space does not persist. *Throws* Error(unsupported) for the paged strategy.
  FileSpace(const FileSpaceOptions& options, const std::vector<FilePart>& parts);
  ~FileSpace() override;

  Address allocate(SpaceKind kind, std::uint64_t bytes) override;
  /// *Throws* Error(corrupt), changing nothing, when some of the bytes are free already or beyond the end:
  /// two structures of the file contain them.
  void release(SpaceKind kind, Address at, std::uint64_t bytes) override;
  bool try_extend(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) override;
  Address shrink(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t kept) override;
  std::uint64_t end_of_allocation() const override { return main().end.at(); }
  std::uint64_t allocated_until(Address at) const override { return region_at(to_number(at)).end.at(); }
  std::uint64_t page_bytes() const override { return paged() ? options_.page_bytes : 1; }

  /// Stops the reuse of freed space: SWMR readers may still read it.
  void keep_released() { keeps_released_ = true; }

  /// Frees what is left of aggregator blocks and drops free space at the end of the file. For flush and
  /// close.
  void finish();

  /// Adds the free space that the managers of the file record, and the space of these managers. *Requires*
  /// that no space was allocated or freed yet. *Throws* Error(corrupt or truncated), changing nothing, when
  /// they are inconsistent.
  void restore(const FileStore& store, const ManagerAddresses& managers, Address end_before);
  /// Calls finish(), and writes free-space managers when free space persists. A later change withdraws them.
  SavedFreeSpace save(FileStore& store);
  /// Whether no space has changed since save(), so that the message may refer to its managers.
  bool saved() const { return saved_; }

  const FileSpaceOptions& options() const { return options_; }
  /// Moves the end of the allocated space up to `end`. What is skipped stays unused. *Throws* Error(limit).
  void skip_to(std::uint64_t end);
  /// The free sections of this session, by slot.
  FreeSpaceSnapshot sections() const;
  /// Free bytes below the end that this session may allocate again.
  std::uint64_t free_bytes() const;
  /// Bytes below the end that were freed in this session, but are not allocated again.
  std::uint64_t lost_bytes() const;

 private:
  /// A part of the file with an end and a strategy of its own.
  struct Region {
    Region(const FileSpaceOptions& options, const FilePart& part, bool only_part);
    FilePart part;
    FileEnd end;
    std::unique_ptr<SpacePlan> plan;  // after end, which it refers to
  };

  const Region& main() const { return *regions_.front(); }
  const Region& region_at(std::uint64_t at) const;
  Region& region_of(SpaceKind kind);
  bool paged() const { return options_.strategy == SpaceStrategy::paged; }
  bool records() const;
  /// Whether an allocation of the size of freed space always succeeds.
  bool reuses() const;
  static SpaceRange checked(const Region& region, Address at, std::uint64_t bytes, std::string_view doing);
  bool only_records_follow(const RecordedFreeSpace& recorded, std::uint64_t from) const;
  void store_inside(const FreeSpaceManager& manager, SavedFreeSpace& saved, FileStore& store);
  void store_at_end(const std::vector<FreeSpaceManager>& managers, SavedFreeSpace& saved, FileStore& store);
  void withdraw_records();

  FileSpaceOptions options_;
  std::vector<std::unique_ptr<Region>> regions_;  ///< by first address
  FileEnd& end_;                                  ///< of the first one, which holds metadata
  SpacePlan* plan_;                               ///< of the first one
  bool changed_ = false;
  bool keeps_released_ = false;
  bool saved_ = false;
  std::uint64_t end_before_records_ = 0;    ///< with saved_
  std::vector<SpaceRange> records_inside_;  ///< with saved_: metadata allocations of the records
};

}  // namespace filigree::store
