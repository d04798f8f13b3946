// SPDX-License-Identifier: Apache-2.0
//
// A file cut into members of one size, as stock's family driver does.
#pragma once

#include "base/mutex.hpp"
#include "io/family/name_pattern.hpp"
#include "io/multi/routed_file.hpp"

namespace filigree::io {

struct FamilyOptions {
  /// Of every member but the last; 0: as many as the first member has, which must exist then.
  std::uint64_t member_bytes = 100u << 20;
  /// Beyond this a family does not grow, so that an absurd address does not fill a folder with files.
  std::uint64_t max_members = 65536;
  MemberOpener open_member = posix_members();
};

/// Byte `a` is byte `a` mod member_bytes of member `a` / member_bytes. Every member but the last with bytes
/// is full; a shorter one in the middle is damage, and reading there throws Error(truncated).
class FamilyFile : public RoutedFile {
 public:
  FamilyFile(const std::string& pattern, OpenMode mode, FamilyOptions options = {});

  std::uint64_t size() const override;
  std::uint64_t member_bytes() const { return member_bytes_; }
  /// Members there are, empty ones at the end included.
  std::size_t members() const;

 private:
  MemberLocation find_member(std::uint64_t address) const override;
  void create_members(std::uint64_t end) override;
  bool reaches(std::uint64_t bytes) const override;
  void do_truncate(std::uint64_t bytes) override;
  void do_sync() override;
  void do_lock(LockKind kind) override;
  void do_unlock() override;

  void open_members(OpenMode mode) FILIGREE_REQUIRES(mutex_);
  void add_member() FILIGREE_REQUIRES(mutex_);
  std::vector<VirtualFile*> all_members() const;

  const NumberedName name_of_;
  const FamilyOptions options_;
  std::uint64_t member_bytes_ = 0;
  mutable SharedMutex mutex_;  ///< of members_; a member itself stays where it is
  std::vector<std::unique_ptr<VirtualFile>> members_ FILIGREE_GUARDED_BY(mutex_);
};

/// `pattern` as in "name-%05d.h5"; `member_bytes` 0 takes the size of the first member.
std::unique_ptr<FamilyFile> open_family(const std::string& pattern, std::uint64_t member_bytes,
                                        OpenMode mode);

}  // namespace filigree::io
