// SPDX-License-Identifier: Apache-2.0
#include "io/multi/multi_file.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"
#include "io/family/name_pattern.hpp"
#include "io/multi/absent_file.hpp"

namespace filigree::io {
namespace {

/// The end of the address space; the largest 64-bit number is the undefined address.
constexpr std::uint64_t address_space_end = ~std::uint64_t{0} - 1;
constexpr std::size_t kinds = 6;

std::size_t file_kind(const MultiLayout& layout, std::size_t kind) {
  const std::size_t mapped = layout.map[kind - 1];
  return mapped == 0 ? kind : mapped;
}

void require_sense(bool holds, const std::string& base, std::string_view what) {
  if (!holds) throw Error(ErrorKind::corrupt, fmt::format("the layout of the file set '{}': {}", base, what));
}

/// The index of the member of each memory type.
std::array<std::size_t, memory_types> members_of_types(const MultiLayout& layout, const std::string& base) {
  std::array<std::size_t, memory_types> result{};
  std::array<std::size_t, kinds + 1> member_of_kind{};
  std::size_t found = 0;
  for (std::size_t kind = 1; kind <= kinds; ++kind) {
    require_sense(layout.map[kind - 1] <= kinds, base, "a kind of data is kept with one that does not exist");
    std::size_t& member = member_of_kind[file_kind(layout, kind)];
    if (member == 0) member = ++found;
    result[kind] = member - 1;
  }
  require_sense(found == layout.members.size(), base, "it has not as many files as its map names");
  result[0] = result[static_cast<std::size_t>(MemoryType::superblock)];
  return result;
}

}  // namespace

MultiLayout MultiLayout::split(std::string metadata, std::string raw) {
  return {.map = {1, 1, 3, 3, 1, 1},
          .members = {{0, std::move(metadata)}, {~std::uint64_t{0} >> 1, std::move(raw)}}};
}

MultiLayout MultiLayout::multi() {
  MultiLayout layout;
  const std::string letters = "sbrglo";
  for (std::size_t i = 0; i < kinds; ++i)
    layout.members.push_back({i * (address_space_end / kinds), fmt::format("%s-{}.h5", letters[i])});
  return layout;
}

std::unique_ptr<MultiFile> open_split(const std::string& base, DriverOpenMode mode) {
  return std::make_unique<MultiFile>(base, MultiLayout::split(), mode);
}

MultiFile::MultiFile(const std::string& base, const MultiLayout& layout, DriverOpenMode mode,
                     const MemberOpener& open_member)
    : RoutedFile(base, mode != DriverOpenMode::read_only, address_space_end),
      layout_(layout),
      of_type_(members_of_types(layout, base)) {
  by_address_.resize(layout.members.size());
  std::iota(by_address_.begin(), by_address_.end(), std::size_t{0});
  const auto first_of = [&](std::size_t member) { return layout.members[member].first; };
  std::sort(by_address_.begin(), by_address_.end(),
            [&](std::size_t a, std::size_t b) { return first_of(a) < first_of(b); });
  require_sense(first_of(by_address_[0]) == 0, base, "no file begins at address 0");
  members_.resize(layout.members.size());
  for (std::size_t i = 0; i < by_address_.size(); ++i) {
    const std::uint64_t first = first_of(by_address_[i]);
    const std::uint64_t end = i + 1 < by_address_.size() ? first_of(by_address_[i + 1]) : address_space_end;
    require_sense(first < end, base, "two files begin at the same address, or one beyond the last");
    members_[by_address_[i]].range = {first, end};
  }
  bool concurrent = true;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].file = open_or_miss(i, mode, open_member);
    concurrent = concurrent && members_[i].file->capabilities().concurrent;
  }
  if (concurrent) allow_concurrency();
}

/// Opens a member. As in HDF5, a set that is opened for reading may lack some, but not the superblock's.
std::unique_ptr<VirtualFile> MultiFile::open_or_miss(std::size_t member, DriverOpenMode mode,
                                                     const MemberOpener& open_member) {
  const std::string path = member_name(layout_.members[member].name_template, name());
  const bool has_superblock = member == of_type_[static_cast<std::size_t>(MemoryType::superblock)];
  if (mode != DriverOpenMode::read_only || has_superblock) return open_member(path, mode);
  try {
    return open_member(path, mode);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    return std::make_unique<AbsentFile>(path);
  }
}

const MultiFile::Member& MultiFile::member_at(std::uint64_t address) const {
  const auto after =
      std::upper_bound(by_address_.begin(), by_address_.end(), address,
                       [&](std::uint64_t a, std::size_t m) { return a < members_[m].range.first; });
  return members_[*(after - 1)];
}

RoutedFile::MemberLocation MultiFile::find_member(std::uint64_t address) const {
  const Member& member = member_at(address);
  return {member.file.get(), address - member.range.first, member.range.end - address};
}

std::uint64_t MultiFile::size() const {
  for (std::size_t i = by_address_.size(); i-- > 0;) {
    const Member& member = members_[by_address_[i]];
    if (const std::uint64_t bytes = member.file->size(); bytes > 0) return member.range.first + bytes;
  }
  return 0;
}

bool MultiFile::reaches(std::uint64_t bytes) const {
  if (bytes == 0) return true;
  const Member& member = member_at(bytes - 1);
  return forward_reaches(*member.file, bytes - member.range.first);
}

AddressRange MultiFile::addresses(MemoryType type) const { return member_of(type).range; }

std::uint64_t MultiFile::end_of_file(MemoryType type) const {
  return member_of(type).range.first + member_of(type).file->size();
}

std::uint64_t MultiFile::allocation_end(MemoryType type) const {
  return member_of(type).range.first + member_of(type).file->allocation_end(type);
}

void MultiFile::set_allocation_end(MemoryType type, std::uint64_t end) {
  const Member& member = member_of(type);
  if (end < member.range.first || end > member.range.end) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}': an end of {} at {} is not in the range {} to {} of its file", name(),
                            to_string(type), end, member.range.first, member.range.end));
  }
  member.file->set_allocation_end(type, end - member.range.first);
}

std::vector<std::uint64_t> MultiFile::allocated_bytes() const {
  std::vector<std::uint64_t> result;
  for (const Member& member : members_)
    result.push_back(member.file->allocation_end(MemoryType::unspecified));
  return result;
}

std::optional<DriverInfo> MultiFile::driver_info(std::span<const AddressRange> used) const {
  format::MultiDriverInfo info;
  info.map = layout_.map;
  for (const MultiLayout::Member& member : layout_.members) {
    const auto range = std::ranges::find(used, member.first, &AddressRange::first);
    const std::uint64_t bytes = range == used.end() ? 0 : range->end - range->first;
    info.members.push_back({member.first, bytes, member.name_template});
  }
  return DriverInfo{std::string(format::multi_driver_id), format::encode(info, {})};
}

bool MultiFile::has_members(const format::MultiDriverInfo& info) const {
  return format::members_of(info.map) == format::members_of(layout_.map) &&
         std::ranges::equal(info.members, layout_.members, {}, &format::MultiDriverMember::start,
                            &MultiLayout::Member::first);
}

bool MultiFile::accept_driver_info(const DriverInfo& stored) {
  if (stored.id != format::multi_driver_id) return false;
  const auto info = format::decode<format::MultiDriverInfo>(stored.info, {});
  if (!has_members(info)) return false;
  // The file says what its members hold: releases of HDF5 differ in where a split file has its global heaps.
  layout_.map = info.map;
  of_type_ = members_of_types(layout_, name());
  for (std::size_t i = 0; i < info.members.size(); ++i) {
    const auto type = static_cast<MemoryType>(format::members_of(info.map)[i]);
    const AddressRange range = addresses(type);
    const std::uint64_t used = info.members[i].allocated_end;
    const std::uint64_t held = end_of_file(type) - range.first;
    if (used > range.end - range.first)
      throw Error(ErrorKind::corrupt, fmt::format("multi driver info: member {} is too long", i));
    const bool absent = dynamic_cast<const AbsentFile*>(member_of(type).file.get()) != nullptr;
    if (used > held && !absent) {
      throw Error(ErrorKind::truncated,
                  fmt::format("the file '{}' of the set is truncated: {} of its bytes are in use, but there "
                              "are only {}",
                              layout_.members[i].name_template, used, held));
    }
    set_allocation_end(type, range.first + used);
  }
  return true;
}

template <class Work>
void MultiFile::for_all(Work work) const {
  PendingSet failures;
  for (const Member& member : members_) {
    try {
      work(member);
    } catch (...) {
      failures.add_current_failure();
    }
  }
  failures.wait();
}

void MultiFile::do_truncate(std::uint64_t bytes) {
  // Members whose range ends before the new end keep their size.
  for_all([&](const Member& member) {
    if (bytes > member.range.end) return;
    const std::uint64_t wanted = bytes > member.range.first ? bytes - member.range.first : 0;
    if (member.file->size() != wanted) member.file->truncate(wanted);
  });
}

void MultiFile::do_truncate_to_allocation() {
  for_all([](const Member& member) { member.file->truncate_to_allocation(); });
}

void MultiFile::do_sync() {
  for_all([](const Member& member) { member.file->sync(); });
}

void MultiFile::do_lock(LockKind kind) {
  for (const Member& member : members_) member.file->lock(kind);
}

void MultiFile::do_unlock() {
  for_all([](const Member& member) { member.file->unlock(); });
}

}  // namespace filigree::io
