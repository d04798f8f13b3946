// SPDX-License-Identifier: Apache-2.0
#include "io/family/family_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"

namespace filigree::io {

void refuse_member_bytes(std::string_view source, std::uint64_t actual, std::uint64_t assumed) {
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the members of a family: {} {} bytes, but they were taken to have {}", source,
                          actual, assumed));
}

FamilyFile::FamilyFile(const std::string& pattern, DriverOpenMode mode, FamilyOptions options)
    : RoutedFile(pattern, mode != DriverOpenMode::read_only, largest_file_bytes),
      name_of_(pattern),
      options_(std::move(options)),
      member_bytes_(options_.member_bytes) {
  open_members(mode);
  if (members_[0]->capabilities().concurrent) allow_concurrency();
  if (member_bytes_ == 0) member_bytes_ = members_[0]->size();
  if (member_bytes_ == 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the family '{}' needs a member size: its first member is empty", pattern));
  }
  for (const auto& member : members_) {
    if (member->size() <= member_bytes_) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' has {} bytes, more than the {} of a member of its family", member->name(),
                            member->size(), member_bytes_));
  }
}

std::unique_ptr<FamilyFile> open_family(const std::string& pattern, std::uint64_t member_bytes,
                                        DriverOpenMode mode) {
  return std::make_unique<FamilyFile>(pattern, mode, FamilyOptions{.member_bytes = member_bytes});
}

void FamilyFile::open_members(DriverOpenMode mode) {
  members_.push_back(options_.open_member(name_of_(0), mode));
  // A new family empties and reuses members that an older one of the same name has left.
  const DriverOpenMode others =
      mode == DriverOpenMode::read_only ? DriverOpenMode::read_only : DriverOpenMode::read_write;
  for (std::uint64_t number = 1; number < options_.max_members; ++number) {
    try {
      members_.push_back(options_.open_member(name_of_(number), others));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::not_found) return;
      throw;
    }
    if (mode == DriverOpenMode::create_truncate) members_.back()->truncate(0);
    if (mode == DriverOpenMode::create_new && members_.back()->size() > 0) {
      throw Error(ErrorKind::already_exists, fmt::format("cannot create a new family '{}': '{}' exists",
                                                         name(), members_.back()->name()));
    }
  }
}

std::optional<DriverInfo> FamilyFile::driver_info(std::span<const AddressRange>) const {
  const format::FamilyDriverInfo info{member_bytes_};
  return DriverInfo{std::string(format::family_driver_id), format::encode(info, {})};
}

bool FamilyFile::accept_driver_info(const DriverInfo& stored) {
  if (stored.id != format::family_driver_id) return false;
  const auto info = format::decode<format::FamilyDriverInfo>(stored.info, {});
  if (info.member_bytes != member_bytes_)
    refuse_member_bytes("the file says", info.member_bytes, member_bytes_);
  return true;
}

std::vector<VirtualFile*> FamilyFile::all_members() const {
  const SharedLock lock(mutex_);
  std::vector<VirtualFile*> result;
  for (const auto& member : members_) result.push_back(member.get());
  return result;
}

std::size_t FamilyFile::members() const {
  const SharedLock lock(mutex_);
  return members_.size();
}

std::uint64_t FamilyFile::size() const {
  const std::vector<VirtualFile*> members = all_members();
  for (std::size_t i = members.size(); i-- > 0;) {
    if (const std::uint64_t bytes = members[i]->size(); bytes > 0) return i * member_bytes_ + bytes;
  }
  return 0;
}

bool FamilyFile::reaches(std::uint64_t bytes) const {
  if (bytes == 0) return true;
  const std::uint64_t number = (bytes - 1) / member_bytes_;
  const std::vector<VirtualFile*> members = all_members();
  if (number >= members.size()) return false;
  return forward_reaches(*members[number], bytes - number * member_bytes_) || bytes <= size();
}

RoutedFile::MemberLocation FamilyFile::find_member(std::uint64_t address) const {
  const SharedLock lock(mutex_);
  const std::uint64_t number = address / member_bytes_, offset = address % member_bytes_;
  return {members_.at(number).get(), offset, member_bytes_ - offset};
}

void FamilyFile::create_members(std::uint64_t end) {
  const std::uint64_t needed = (end - 1) / member_bytes_ + 1;
  {
    const SharedLock lock(mutex_);
    if (needed == 1) return;
    // Members before the last one are full, except in a family that was truncated and grows again.
    if (needed <= members_.size() && members_[needed - 1]->size() > 0) return;
  }
  if (needed > options_.max_members) {
    throw Error(ErrorKind::limit,
                fmt::format("the family '{}' would need {} members of {} bytes; the limit is {}", name(),
                            needed, member_bytes_, options_.max_members));
  }
  const ExclusiveLock lock(mutex_);
  while (members_.size() < needed) add_member();
  for (std::uint64_t number = needed - 1; number-- > 0;) {
    if (members_[number]->size() == member_bytes_) break;
    members_[number]->truncate(member_bytes_);
  }
}

void FamilyFile::add_member() {
  members_.push_back(options_.open_member(name_of_(members_.size()), DriverOpenMode::create_truncate));
}

void FamilyFile::do_truncate(std::uint64_t bytes) {
  if (bytes > 0) create_members(bytes);
  const std::vector<VirtualFile*> members = all_members();
  for (std::size_t i = members.size(); i-- > 0;) {
    const std::uint64_t first = i * member_bytes_;
    const std::uint64_t wanted = bytes > first ? std::min(member_bytes_, bytes - first) : 0;
    if (members[i]->size() != wanted) members[i]->truncate(wanted);
  }
}

void FamilyFile::do_sync() {
  PendingSet all;
  for (VirtualFile* const member : all_members()) {
    try {
      member->sync();
    } catch (...) {
      all.add_current_failure();
    }
  }
  all.wait();
}

void FamilyFile::do_lock(LockKind kind) {
  for (VirtualFile* const member : all_members()) member->lock(kind);
}

void FamilyFile::do_unlock() {
  for (VirtualFile* const member : all_members()) member->unlock();
}

}  // namespace filigree::io
