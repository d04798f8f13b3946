// SPDX-License-Identifier: Apache-2.0
//
// A file in members of equal size, as HDF5's family driver stores it.
#pragma once

#include <string_view>

#include "base/mutex.hpp"
#include "io/family/name_pattern.hpp"
#include "io/multi/routed_file.hpp"

namespace filigree::io {

struct FamilyOptions {
  /// The size of every member but the last; 0 takes the size of the first member, which must exist then.
  std::uint64_t member_bytes = 100u << 20;
  /// The largest number of members, so that a corrupt address does not fill a folder with files.
  std::uint64_t max_members = 65536;
  MemberOpener open_member = posix_members();
};

/// Byte `a` is byte `a` mod member_bytes of member `a` / member_bytes. All members before the last one that
/// has bytes are full. *Throws*: reading from a shorter one throws Error(truncated).
class FamilyFile : public RoutedFile {
 public:
  FamilyFile(const std::string& pattern, DriverOpenMode mode, FamilyOptions options = {});

  std::uint64_t size() const override;
  std::uint64_t member_bytes() const { return member_bytes_; }
  std::optional<DriverInfo> driver_info(std::span<const AddressRange> used) const override;
  bool accept_driver_info(const DriverInfo& stored) override;
  /// The number of members, including empty ones at the end.
  std::size_t members() const;

 private:
  MemberLocation find_member(std::uint64_t address) const override;
  void create_members(std::uint64_t end) override;
  bool reaches(std::uint64_t bytes) const override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  void do_lock(LockKind kind) override;
  void do_unlock() override;

  void open_members(DriverOpenMode mode) FILIGREE_REQUIRES(mutex_);
  void add_member() FILIGREE_REQUIRES(mutex_);
  std::vector<VirtualFile*> all_members() const;

  const NumberedName name_of_;
  const FamilyOptions options_;
  std::uint64_t member_bytes_ = 0;
  mutable SharedMutex mutex_;  ///< guards members_; the members themselves do not move
  std::vector<std::unique_ptr<VirtualFile>> members_ FILIGREE_GUARDED_BY(mutex_);
};

/// Throws Error(invalid_argument): `source` names a size of members other than the assumed one.
[[noreturn]] void refuse_member_bytes(std::string_view source, std::uint64_t actual, std::uint64_t assumed);

/// `pattern` as in "name-%05d.h5"; `member_bytes` 0 takes the size of the first member.
std::unique_ptr<FamilyFile> open_family(const std::string& pattern, std::uint64_t member_bytes,
                                        DriverOpenMode mode);

}  // namespace filigree::io
