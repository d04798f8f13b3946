// SPDX-License-Identifier: Apache-2.0
#include "io/multi/routed_file.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace filigree::io {

MemberOpener posix_members(PosixOptions options) {
  return [options](const std::string& path, DriverOpenMode mode) {
    return std::make_unique<PosixFile>(path, mode, options);
  };
}

RoutedFile::RoutedFile(std::string name, bool writable, std::uint64_t address_end)
    : name_(std::move(name)),
      writable_(writable),
      capabilities_{.address_end = address_end, .locks = true, .coalescing = CoalescingLimits::none()} {}

template <class Extent>
std::vector<RoutedFile::MemberRequest<Extent>> RoutedFile::route(std::span<const Extent> extents) const {
  std::vector<MemberRequest<Extent>> parts;
  std::map<VirtualFile*, std::size_t> request_of_member;
  for (const Extent& e : extents) {
    for (std::uint64_t done = 0; done < e.memory().size();) {
      const MemberLocation location = find_member(e.offset + done);
      const std::uint64_t taken = std::min<std::uint64_t>(e.memory().size() - done, location.bytes);
      const auto [known, is_new] = request_of_member.try_emplace(location.member, parts.size());
      if (is_new) parts.push_back({location.member, {}});
      Extent there = part_of(e, done, taken);
      there.offset = location.offset;
      parts[known->second].extents.push_back(there);
      done += taken;
    }
  }
  return parts;
}

void RoutedFile::do_read(std::span<const ReadExtent> extents) const {
  if (const std::unique_ptr<Pending> pending = do_start_read(extents)) pending->wait();
}

std::unique_ptr<Pending> RoutedFile::do_start_read(std::span<const ReadExtent> extents) const {
  const auto parts = route(extents);
  auto all = std::make_unique<PendingSet>();
  for (const MemberRequest<ReadExtent>& part : parts) {
    try {
      all->add(part.member->start_read(part.extents));
    } catch (...) {
      all->add_current_failure();
    }
  }
  return all;
}

void RoutedFile::do_write(std::span<const WriteExtent> extents) {
  std::uint64_t end = 0;
  for (const WriteExtent& e : extents) end = std::max(end, e.from.empty() ? 0 : e.offset + e.from.size());
  if (end > 0) create_members(end);
  const auto parts = route(extents);
  // Only synchronous writes may read and write back gaps, so a request to a single member is synchronous.
  if (parts.size() == 1) return parts[0].member->write(parts[0].extents);
  PendingSet all;
  for (const MemberRequest<WriteExtent>& part : parts) {
    try {
      all.add(part.member->start_write(part.extents));
    } catch (...) {
      all.add_current_failure();
    }
  }
  all.wait();
}

std::unique_ptr<Pending> RoutedFile::do_start_write(std::span<const WriteExtent> extents) {
  std::uint64_t end = 0;
  for (const WriteExtent& e : extents) end = std::max(end, e.from.empty() ? 0 : e.offset + e.from.size());
  if (end > 0) create_members(end);
  const auto parts = route(extents);
  auto all = std::make_unique<PendingSet>();
  for (const MemberRequest<WriteExtent>& part : parts) {
    try {
      all->add(part.member->start_write(part.extents));
    } catch (...) {
      all->add_current_failure();
    }
  }
  return all;
}

}  // namespace filigree::io
