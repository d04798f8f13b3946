// SPDX-License-Identifier: Apache-2.0
#include "io/virtual_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/messages/file_messages.hpp"
#include "io/concurrent_sections.hpp"

namespace filigree::io {
namespace {

constexpr std::uint64_t unset = ~std::uint64_t{0};

bool representable(const VirtualFile& file, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = file.capabilities().address_end;
  return offset <= end && bytes <= end - offset;
}

/// Starts a request of a concurrent section, whose end reports a failure once more.
template <class Start>
void add_to(PendingSet& section, Start start) {
  try {
    section.add(start());
  } catch (...) {
    section.add_current_failure();
    throw;
  }
}

}  // namespace

std::string_view to_string(MemoryType type) noexcept {
  static constexpr std::array<std::string_view, memory_types> names{
      "unspecified", "superblock", "B-tree", "raw data", "global heap", "local heap", "object header"};
  const auto number = static_cast<std::size_t>(type);
  return number < names.size() ? names[number] : "unknown";
}

VirtualFile::VirtualFile() : sections_(std::make_unique<ConcurrentSections>()), allocation_end_(unset) {}
VirtualFile::~VirtualFile() = default;

const DriverCapabilities& VirtualFile::capabilities() const {
  static const DriverCapabilities defaults;
  return defaults;
}

void VirtualFile::check(std::span<const ReadExtent> extents) const {
  for (const ReadExtent& e : extents) {
    if (representable(*this, e.offset, e.into.size()) && reaches(e.offset + e.into.size())) continue;
    throw Error(ErrorKind::truncated,
                fmt::format("'{}': {} bytes at offset {} lie beyond the end of the file ({} bytes)", name(),
                            e.into.size(), e.offset, size()));
  }
}

void VirtualFile::check(std::span<const WriteExtent> extents) const {
  require_writable();
  for (const WriteExtent& e : extents) {
    if (representable(*this, e.offset, e.from.size())) continue;
    throw Error(ErrorKind::limit, fmt::format("'{}': {} bytes at offset {} end beyond the largest file",
                                              name(), e.from.size(), e.offset));
  }
}

void VirtualFile::read(std::span<const ReadExtent> extents) const {
  if (PendingSet* const section = sections_->current())
    return add_to(*section, [&] { return start_read(extents); });
  check(extents);
  if (extents.size() == 1 || capabilities().coalescing.merged_bytes == 0) return forward(*this, extents);
  start_checked(extents)->wait();
}

void VirtualFile::read(std::uint64_t offset, MutableBytes into, MemoryType type) const {
  const ReadExtent extent{offset, into, type};
  read(std::span(&extent, 1));
}

void VirtualFile::write(std::span<const WriteExtent> extents) {
  if (PendingSet* const section = sections_->current())
    return add_to(*section, [&] { return start_write(extents); });
  check(extents);
  write_now(extents);
}

void VirtualFile::write(std::uint64_t offset, Bytes from, MemoryType type) {
  const WriteExtent extent{offset, from, type};
  write(std::span(&extent, 1));
}

std::unique_ptr<Pending> VirtualFile::start_read(std::span<const ReadExtent> extents) const {
  check(extents);
  return start_checked(extents);
}

std::unique_ptr<Pending> VirtualFile::start_write(std::span<const WriteExtent> extents) {
  check(extents);
  return start_checked(extents);
}

std::unique_ptr<Pending> VirtualFile::forward_start(const VirtualFile& to,
                                                    std::span<const ReadExtent> extents) {
  return to.launch(extents);
}

std::unique_ptr<Pending> VirtualFile::forward_start(VirtualFile& to, std::span<const WriteExtent> extents) {
  return to.launch(extents);
}

std::unique_ptr<Pending> VirtualFile::do_start_read(std::span<const ReadExtent> extents) const {
  do_read(extents);
  return nullptr;
}

std::unique_ptr<Pending> VirtualFile::do_start_write(std::span<const WriteExtent> extents) {
  do_write(extents);
  return nullptr;
}

void VirtualFile::truncate(std::uint64_t bytes) {
  require_writable();
  if (!representable(*this, bytes, 0)) {
    throw Error(ErrorKind::limit,
                fmt::format("'{}': a size of {} bytes is beyond the largest file", name(), bytes));
  }
  const ExclusiveLock exclusive(terminal().write_lock_);
  do_truncate(bytes);
}

void VirtualFile::truncate_to_allocation() {
  require_writable();
  const ExclusiveLock exclusive(terminal().write_lock_);
  do_truncate_to_allocation();
}

void VirtualFile::do_truncate_to_allocation() { do_truncate(allocation_end(MemoryType::unspecified)); }

AddressRange VirtualFile::addresses(MemoryType) const { return {0, capabilities().address_end}; }

std::uint64_t VirtualFile::end_of_file(MemoryType) const { return size(); }

std::uint64_t VirtualFile::allocation_end(MemoryType) const {
  const std::uint64_t end = allocation_end_.load(std::memory_order_relaxed);
  return end == unset ? size() : end;
}

void VirtualFile::set_allocation_end(MemoryType, std::uint64_t end) {
  allocation_end_.store(end, std::memory_order_relaxed);
}

std::optional<int> VirtualFile::descriptor() const {
  return next() == nullptr ? std::nullopt : std::as_const(*next()).descriptor();
}

std::optional<DriverInfo> VirtualFile::driver_info(std::span<const AddressRange> used) const {
  return next() == nullptr ? std::nullopt : std::as_const(*next()).driver_info(used);
}

bool VirtualFile::accept_driver_info(const DriverInfo& stored) {
  if (next() != nullptr) return next()->accept_driver_info(stored);
  // Files of a user-defined driver that are whole can be read by others, which leave its information alone.
  return stored.id != format::family_driver_id && stored.id != format::multi_driver_id;
}

bool VirtualFile::requires_driver_info() const {
  return next() != nullptr && std::as_const(*next()).requires_driver_info();
}

std::uint64_t VirtualFile::allocate(MemoryType type, std::uint64_t bytes) {
  if (next() != nullptr) return next()->allocate(type, bytes);
  throw Error(ErrorKind::internal, fmt::format("'{}': the driver does not allocate space", name()));
}

void VirtualFile::extend_allocation(MemoryType type, std::uint64_t end) {
  if (next() != nullptr) next()->extend_allocation(type, end);
}

void VirtualFile::release_allocation(std::uint64_t offset, std::uint64_t bytes) {
  if (next() != nullptr) next()->release_allocation(offset, bytes);
}

void VirtualFile::close() {
  if (next() != nullptr) next()->close();
}

std::shared_ptr<Communicator> VirtualFile::communicator() const {
  return next() == nullptr ? nullptr : std::as_const(*next()).communicator();
}

void VirtualFile::abandon() {
  if (next() != nullptr) next()->abandon();
}

bool VirtualFile::ctl(const CtlCall& call) {
  if (call.op == ctl_op::cobegin) {
    sections_->begin();
    return true;
  }
  if (call.op == ctl_op::coend) {
    // Without concurrency, only failures are recorded, and an end without a beginning has none.
    if (capabilities().concurrent || sections_->current() != nullptr) sections_->end();
    return true;
  }
  if (do_ctl(call)) return true;
  if (call.route == CtlRoute::to_terminal && next() != nullptr) return next()->ctl(call);
  if (call.unknown == CtlUnknown::ignore) return false;
  throw Error(ErrorKind::unsupported,
              fmt::format("'{}': the operation of code {} is unknown to its driver", name(), call.op));
}

void VirtualFile::require_writable() const {
  if (!writable()) throw Error(ErrorKind::read_only, fmt::format("'{}' was opened for reading only", name()));
}

const VirtualFile& VirtualFile::terminal() const {
  const VirtualFile* file = this;
  while (file->next() != nullptr) file = file->next();
  return *file;
}

ConcurrentSection::ConcurrentSection(VirtualFile& file) : file_(&file) { file.ctl({.op = ctl_op::cobegin}); }

ConcurrentSection::~ConcurrentSection() {
  try {
    finish();
  } catch (...) {  // finish() reports errors to callers that need them
  }
}

void ConcurrentSection::finish() {
  if (VirtualFile* const file = std::exchange(file_, nullptr)) file->ctl({.op = ctl_op::coend});
}

}  // namespace filigree::io
