// SPDX-License-Identifier: Apache-2.0
#include "store/space/file_space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "store/file_store.hpp"
#include "store/space/aggregated_space.hpp"
#include "store/space/paged_space.hpp"

namespace filigree::store {
namespace {

constexpr std::size_t raw_slot = static_cast<std::size_t>(SpaceKind::raw);

std::unique_ptr<SpacePlan> make_plan(const FileSpaceOptions& options, FileEnd& end, std::uint64_t first) {
  if (options.strategy == SpaceStrategy::paged) return std::make_unique<PagedSpace>(options.page_bytes, end);
  AggregatedSpace::Options plan;
  plan.reuses = options.strategy == SpaceStrategy::fsm_aggregated;
  plan.block_bytes = {options.metadata_block_bytes, options.small_data_block_bytes};
  if (options.strategy == SpaceStrategy::none) plan.block_bytes = {0, 0};
  plan.alignment = options.alignment;
  plan.alignment_threshold = options.alignment_threshold;
  plan.base = options.base;
  // Within its own file a part begins at offset 0, whatever its first address is.
  const std::uint64_t step = std::max<std::uint64_t>(options.alignment, 1);
  if (first > 0) plan.base = step - first % step;
  return std::make_unique<AggregatedSpace>(plan, end);
}

std::uint64_t round_up(std::uint64_t at, std::uint64_t step) { return at + Alignment{step, 0}.gap(at); }

}  // namespace

FileSpace::Region::Region(const FileSpaceOptions& options, const FilePart& from, bool only_part)
    : part(from),
      end(only_part ? FileEnd(from.end, options.base, options.offset_bytes) : FileEnd(from.end, from.limit)),
      plan(make_plan(options, end, from.first)) {
  if (only_part) end.use_allocator(options.allocator.get());
}

namespace {

std::vector<FilePart> one_part(std::uint64_t end) {
  FilePart part;
  part.end = end;
  return {part};
}

template <class Region>
std::vector<std::unique_ptr<Region>> make_regions(const FileSpaceOptions& options,
                                                  const std::vector<FilePart>& parts) {
  const bool only_part = parts.size() == 1;
  if (!only_part && (options.strategy == SpaceStrategy::paged || options.offset_bytes != 8)) {
    throw Error(ErrorKind::unsupported,
                "a driver of several files needs offsets of 8 bytes, and does not support paged file space");
  }
  std::vector<std::unique_ptr<Region>> regions;
  for (const FilePart& part : parts) regions.push_back(std::make_unique<Region>(options, part, only_part));
  return regions;
}

}  // namespace

FileSpace::FileSpace(const FileSpaceOptions& options, std::uint64_t end)
    : FileSpace(options, one_part(end)) {}

FileSpace::FileSpace(const FileSpaceOptions& options, const std::vector<FilePart>& parts)
    : options_(options),
      regions_(make_regions<Region>(options, parts)),
      end_(regions_.front()->end),
      plan_(regions_.front()->plan.get()) {}

FileSpace::~FileSpace() = default;

bool FileSpace::records() const {
  return options_.persist && regions_.size() == 1 &&
         (paged() || options_.strategy == SpaceStrategy::fsm_aggregated);
}

const FileSpace::Region& FileSpace::region_at(std::uint64_t at) const {
  std::size_t last = 0;
  while (last + 1 < regions_.size() && regions_[last + 1]->part.first <= at) ++last;
  return *regions_[last];
}

FileSpace::Region& FileSpace::region_of(SpaceKind kind) {
  for (const auto& region : regions_) {
    if (region->part.holds(kind)) return *region;
  }
  return *regions_.front();
}

SpaceRange FileSpace::checked(const Region& region, Address at, std::uint64_t bytes, std::string_view doing) {
  const auto last = try_add(to_number(at), bytes);
  if (bytes == 0 || !last || *last > region.end.at() || to_number(at) < region.part.first) {
    throw Error(ErrorKind::corrupt, fmt::format("{} {} bytes at {}: the file's space ends at {}", doing,
                                                bytes, to_string(at), region.end.at()));
  }
  const SpaceRange range{to_number(at), bytes};
  if (region.plan->touches_free(range)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{} {} bytes at {}: some of them are free already", doing, bytes, to_string(at)));
  }
  return range;
}

Address FileSpace::allocate(SpaceKind kind, std::uint64_t bytes) {
  if (bytes == 0) throw Error(ErrorKind::internal, "allocating no bytes");
  withdraw_records();
  changed_ = true;
  Region& region = region_of(kind);
  region.end.set_kind(kind);
  return to_address(region.plan->allocate(pool_of(kind), bytes));
}

void FileSpace::release(SpaceKind kind, Address at, std::uint64_t bytes) {
  withdraw_records();
  Region& region = region_of(kind);
  const SpaceRange range = checked(region, at, bytes, "releasing");
  if (keeps_released_) return;
  changed_ = true;
  region.plan->release(pool_of(kind), range);
}

bool FileSpace::try_extend(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) {
  withdraw_records();
  Region& region = region_of(kind);
  const SpaceRange range = checked(region, at, bytes, "extending");
  if (extra == 0) return true;
  changed_ = true;
  region.end.set_kind(kind);
  return region.plan->try_extend(pool_of(kind), range, extra);
}

bool FileSpace::reuses() const {
  return !keeps_released_ && options_.allocator == nullptr &&
         (paged() || options_.strategy == SpaceStrategy::fsm_aggregated);
}

Address FileSpace::shrink(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t kept) {
  if (kept >= bytes) return at;
  if (!reuses()) return Space::shrink(kind, at, bytes, kept);
  release(kind, at, bytes);
  Region& region = region_of(kind);
  return to_address(region.plan->allocate_low(pool_of(kind), kept));
}

void FileSpace::finish() {
  if (saved_) return;
  for (const auto& region : regions_) region->plan->finish();
}

void FileSpace::skip_to(std::uint64_t end) {
  withdraw_records();
  changed_ = true;
  if (end > end_.at()) end_.grow(end - end_.at());
}

FreeSpaceSnapshot FileSpace::sections() const {
  FreeSpaceSnapshot all;
  for (const auto& region : regions_) {
    FreeSpaceSnapshot some = region->plan->snapshot(options_.threshold);
    for (std::size_t slot = 0; slot < all.size(); ++slot)
      all[slot].insert(all[slot].end(), some[slot].begin(), some[slot].end());
  }
  return all;
}

std::uint64_t FileSpace::free_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& region : regions_) sum += region->plan->free_bytes();
  return sum;
}

std::uint64_t FileSpace::lost_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& region : regions_) sum += region->plan->lost_bytes();
  return sum;
}

/// Whether all space from `from` to the end holds free-space managers, except the unused ends of pages.
bool FileSpace::only_records_follow(const RecordedFreeSpace& recorded, std::uint64_t from) const {
  for (const auto& slot : recorded.sections) {
    if (std::any_of(slot.begin(), slot.end(), [&](const SpaceRange& r) { return r.end() > from; }))
      return false;
  }
  const std::uint64_t step = paged() ? options_.page_bytes : 1;
  std::uint64_t covered = from;
  for (const SpaceRange& structure : recorded.structures) {
    if (structure.at < from && structure.end() <= from) continue;
    if (structure.at < covered || structure.at > round_up(covered, step)) return false;
    covered = structure.end();
  }
  return covered == end_.at() || round_up(covered, step) == end_.at();
}

void FileSpace::restore(const FileStore& store, const ManagerAddresses& managers, Address end_before) {
  if (changed_) throw Error(ErrorKind::internal, "restoring free space after space was changed");
  if (regions_.size() > 1) throw Error(ErrorKind::unsupported, "free space of several files is not recorded");
  const RecordedFreeSpace recorded = read_free_space(store, managers, end_.at());
  changed_ = true;
  const bool ends_known = is_valid(end_before) && to_number(end_before) < end_.at();
  if (ends_known && only_records_follow(recorded, to_number(end_before))) end_.set(to_number(end_before));
  for (std::size_t slot = 0; slot < recorded.sections.size(); ++slot) {
    for (const SpaceRange& range : recorded.sections[slot]) plan_->adopt(slot, range);
  }
  for (const SpaceRange& structure : recorded.structures) {
    if (structure.end() <= end_.at()) plan_->release(SpacePool::metadata, structure);
  }
  plan_->finish();
}

SavedFreeSpace FileSpace::save(FileStore& store) {
  withdraw_records();
  finish();
  SavedFreeSpace saved;
  if (!records()) return saved;
  saved_ = true;
  end_before_records_ = end_.at();
  const auto raw = plan_->snapshot(options_.threshold)[raw_slot];
  if (!raw.empty()) store_inside(FreeSpaceManager(raw_slot, raw, paged(), store.widths()), saved, store);
  end_before_records_ = end_.at();
  saved.end_before = to_address(end_before_records_);
  // The managers of metadata and large space cannot be allocated from the space that they record.
  const FreeSpaceSnapshot free = plan_->snapshot(options_.threshold);
  std::vector<FreeSpaceManager> rest;
  for (std::size_t slot = 0; slot < free.size(); ++slot) {
    if (slot != raw_slot && !free[slot].empty()) rest.emplace_back(slot, free[slot], paged(), store.widths());
  }
  store_at_end(rest, saved, store);
  return saved;
}

/// The manager of raw free space is stored in ordinary metadata space. It is omitted if the file cannot grow.
void FileSpace::store_inside(const FreeSpaceManager& manager, SavedFreeSpace& saved, FileStore& store) {
  const auto allocate = [&](std::uint64_t bytes) {
    records_inside_.push_back({plan_->allocate(SpacePool::metadata, bytes), bytes});
    end_before_records_ = end_.at();
    return to_address(records_inside_.back().at);
  };
  Address header = Address::undefined, list = Address::undefined;
  try {
    header = allocate(manager.header_bytes());
    list = allocate(manager.list_bytes());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::limit) throw;
    withdraw_records();
    saved_ = true;
    return;
  }
  plan_->finish();
  end_before_records_ = end_.at();
  manager.write(store, header, list);
  saved.managers[manager.slot()] = header;
}

void FileSpace::store_at_end(const std::vector<FreeSpaceManager>& managers, SavedFreeSpace& saved,
                             FileStore& store) {
  std::uint64_t next = end_.at();
  const auto allocate = [&](std::uint64_t bytes) {
    const std::uint64_t page = options_.page_bytes;
    if (paged() && next % page + bytes > page) next = round_up(next, page);
    next += bytes;
    return to_address(next - bytes);
  };
  std::vector<std::pair<Address, Address>> addresses;
  for (const FreeSpaceManager& manager : managers) {
    const Address header = allocate(manager.header_bytes());
    addresses.emplace_back(header, allocate(manager.list_bytes()));
  }
  if (paged()) next = round_up(next, options_.page_bytes);
  // A file that cannot grow keeps its data, and loses this free space.
  if (next - end_.at() > end_.growth_limit()) return;
  end_.grow(next - end_.at());
  for (std::size_t i = 0; i < managers.size(); ++i) {
    managers[i].write(store, addresses[i].first, addresses[i].second);
    saved.managers[managers[i].slot()] = addresses[i].first;
  }
}

void FileSpace::withdraw_records() {
  if (!saved_) return;
  saved_ = false;
  end_.set(end_before_records_);
  for (const SpaceRange& range : records_inside_) plan_->release(SpacePool::metadata, range);
  records_inside_.clear();
}

}  // namespace filigree::store
