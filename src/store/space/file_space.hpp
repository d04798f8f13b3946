// SPDX-License-Identifier: Apache-2.0
//
// The space of one file: who gets which bytes, what is free, and how that outlives the session.
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

/// How space is handed out; the numbers are those of the file space info message.
enum class SpaceStrategy : std::uint8_t {
  fsm_aggregated = 0,  ///< freed space first, then blocks
  paged = 1,           ///< freed space first, then pages
  aggregated = 2,      ///< blocks; freed space is lost unless it stands at an end
  none = 3,            ///< always at the end of the file
};

struct FileSpaceOptions {
  SpaceStrategy strategy = SpaceStrategy::fsm_aggregated;
  bool persist = false;             ///< save() records what is free
  std::uint64_t threshold = 1;      ///< bytes of the smallest range that is recorded
  std::uint64_t page_bytes = 4096;  ///< paged
  std::uint64_t metadata_block_bytes = 2048, small_data_block_bytes = 2048;  ///< 0: no block
  /// Requests of the threshold or more start where base + address is a multiple; not with pages.
  std::uint64_t alignment = 1, alignment_threshold = 1;
  std::uint8_t offset_bytes = 8;
  std::uint64_t base = 0;
  /// Where new space comes from instead of the end; only for files of one part.
  std::shared_ptr<DriverAllocator> allocator = nullptr;
};

/// What the file space info message says after save().
struct SavedFreeSpace {
  ManagerAddresses managers = no_managers();
  /// Where the file would end without the managers of metadata and large space, which stand after everything
  /// else; the next session drops what follows. Undefined when nothing persists.
  Address end_before = Address::undefined;
};

/// Not thread-safe: whoever changes a file is alone with it.
///
/// A session on a file with persistent free space: restore() before the first change (or not at all: then
/// space freed earlier stays unused); save() at the end. From the first change until the next save() the
/// message in the file must say that there are no managers.
class FileSpace : public Space {
 public:
  FileSpace(const FileSpaceOptions& options, std::uint64_t end);
  /// With several parts free space does not outlive the session, and there are no pages: Error(unsupported).
  FileSpace(const FileSpaceOptions& options, const std::vector<FilePart>& parts);
  ~FileSpace() override;

  Address allocate(SpaceKind kind, std::uint64_t bytes) override;
  /// Throws Error(corrupt), changing nothing, when some of the bytes are free already or beyond the end:
  /// then two structures of the file claimed them.
  void release(SpaceKind kind, Address at, std::uint64_t bytes) override;
  bool try_extend(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) override;
  std::uint64_t end_of_allocation() const override { return main().end.at(); }
  std::uint64_t allocated_until(Address at) const override { return region_at(to_number(at)).end.at(); }
  std::uint64_t page_bytes() const override { return paged() ? options_.page_bytes : 1; }

  /// From now on space that is released stays as it is: somebody may still read it.
  void keep_released() { keeps_released_ = true; }

  /// Gives up space that was set aside and cuts free space off the end. For flush and close.
  void finish();

  /// Takes over the free space that the file records, and the space of those records. Throws
  /// Error(corrupt or truncated), changing nothing, when the records cannot be trusted.
  void restore(const FileStore& store, const ManagerAddresses& managers, Address end_before);
  /// finish(), then writes the records of what is free, when they persist. A later change takes them back.
  SavedFreeSpace save(FileStore& store);
  /// Whether the last save() still holds, so that the message may name its managers.
  bool saved() const { return saved_; }

  const FileSpaceOptions& options() const { return options_; }
  /// Bytes below the end that will be handed out again in this session.
  std::uint64_t free_bytes() const;
  /// Bytes below the end that were given back in this session, but are not handed out again.
  std::uint64_t lost_bytes() const;

 private:
  /// Space that ends by itself.
  struct Region {
    Region(const FileSpaceOptions& options, const FilePart& part, bool alone);
    FilePart part;
    FileEnd end;
    std::unique_ptr<SpacePlan> plan;  // after end, which it refers to
  };

  const Region& main() const { return *regions_.front(); }
  const Region& region_at(std::uint64_t at) const;
  Region& region_of(SpaceKind kind);
  bool paged() const { return options_.strategy == SpaceStrategy::paged; }
  bool records() const;
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
