// SPDX-License-Identifier: Apache-2.0
#include "store/heaps/heap_free_space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/corrupt.hpp"
#include "store/file_store.hpp"
#include "store/heaps/heap_blocks.hpp"

namespace filigree::store {
namespace {

using format::FreeSection;
using format::FreeSpaceHeader;
using format::HeapSectionData;
namespace heap_section = format::heap_section;

[[noreturn]] void refuse(Address at, std::string_view what) {
  throw_corrupt(FreeSpaceHeader::structure, at, what);
}

}  // namespace

HeapFreeSpace::HeapFreeSpace(const HeapHeaderEntry& heap, const format::Widths& widths)
    : Entry(entry_kind), table_(heap.table), widths_(widths) {
  header_.client = format::FreeSpaceClient::heap;
  header_.address_bits = heap.header.max_bits;
  header_.largest_section = heap.header.max_direct;
}

std::size_t HeapFreeSpace::header_bytes(const format::Widths& widths) {
  return format::encoded_bytes(FreeSpaceHeader{}, widths);
}

std::shared_ptr<HeapFreeSpace> HeapFreeSpace::load(const FileStore& store, Address at,
                                                   const HeapHeaderEntry& heap) {
  auto out = std::make_shared<HeapFreeSpace>(heap, store.widths());
  const Buffer bytes = store.read(at, header_bytes(store.widths()), FreeSpaceHeader::structure);
  const auto stored = format::decode<FreeSpaceHeader>(bytes, store.widths(), at);
  if (stored.client != format::FreeSpaceClient::heap) refuse(at, "manages a file, not a fractal heap");
  if (stored.address_bits != heap.header.max_bits) refuse(at, "has another address space than its heap");
  out->header_ = stored;
  if (stored.serialised_sections > 0) {
    const Buffer list = store.read(stored.list, stored.list_bytes, format::FreeSpaceList::structure);
    for (const FreeSection& section : format::decode_sections(stored, at, list, store.widths())) {
      out->add_stored(section);
    }
  }
  // What remains of the totals belongs to the sections that are stored again unchanged.
  const FreeSpaceHeader modelled = out->header();
  if (modelled.free_bytes > stored.free_bytes || modelled.ghost_sections > stored.ghost_sections) {
    refuse(at, "its totals are less than the sum of its sections");
  }
  out->opaque_bytes_ = stored.free_bytes - modelled.free_bytes;
  out->opaque_ghosts_ = stored.ghost_sections - modelled.ghost_sections;
  // Some files store narrower fields; the list is always written with the widths of this version.
  out->header_.section_classes = std::max<std::uint16_t>(stored.section_classes, 4);
  return out;
}

void HeapFreeSpace::add_stored(const FreeSection& section) {
  if (section.type == heap_section::single) return free(section.address, section.size);
  if (section.type == heap_section::first_row && add_stored_run(section)) return;
  opaque_.push_back(section);
}

bool HeapFreeSpace::add_stored_run(const FreeSection& section) {
  HeapSectionData data;
  data.address_bits = header_.address_bits;
  format::decode(data, Bytes(section.class_data), widths_);
  const HeapRun run{data.block_offset, data.row * table_.width() + data.column, data.entries};
  const std::uint64_t direct_cells = std::uint64_t{table_.direct_rows()} * table_.width();
  if (data.column >= table_.width() || run.cells == 0 || std::uint64_t{run.first} + run.cells > direct_cells)
    return false;
  if (run_offset(run) != section.address) refuse(header_.list, "a section's cells are not at its address");
  add_run(run);
  return true;
}

std::size_t HeapFreeSpace::memory_bytes() const {
  return sizeof *this + holes_.size() * 112 + runs_.size() * 64 + opaque_.size() * sizeof(FreeSection);
}

FreeSpaceHeader HeapFreeSpace::header() const {
  FreeSpaceHeader out = header_;
  out.serialised_sections = holes_.size() + runs_.size() + opaque_.size();
  out.free_bytes = hole_bytes_ + opaque_bytes_;
  out.ghost_sections = opaque_ghosts_;
  for (const auto& [offset, run] : runs_) {
    out.free_bytes += run_bytes(run);
    out.ghost_sections += run_ghosts(run);
  }
  out.sections = out.serialised_sections + out.ghost_sections;
  return out;
}

FreeSection HeapFreeSpace::section_of(const HeapRun& run) const {
  HeapSectionData data;
  data.address_bits = header_.address_bits;
  data.block_offset = run.block_offset;
  data.row = static_cast<std::uint16_t>(run.first / table_.width());
  data.column = static_cast<std::uint16_t>(run.first % table_.width());
  data.entries = static_cast<std::uint16_t>(run.cells);
  return {run_offset(run), table_.block_bytes(data.row) - table_.overhead(), heap_section::first_row,
          format::encode(data, widths_)};
}

std::vector<FreeSection> HeapFreeSpace::sections() const {
  std::vector<FreeSection> out = opaque_;
  out.reserve(opaque_.size() + runs_.size() + holes_.size());
  for (const auto& [offset, run] : runs_) out.push_back(section_of(run));
  for (const auto& [offset, bytes] : holes_) out.push_back({offset, bytes, heap_section::single, {}});
  return out;
}

void HeapFreeSpace::set_aside_runs(FunctionRef<bool(const HeapRun&)> usable) {
  for (auto at = runs_.begin(); at != runs_.end();) {
    const HeapRun& run = at->second;
    if (usable(run)) {
      ++at;
      continue;
    }
    opaque_.push_back(section_of(run));
    opaque_bytes_ += run_bytes(run);
    opaque_ghosts_ += run_ghosts(run);
    at = runs_.erase(at);
  }
}

void HeapFreeSpace::encode(EncodedBlocks& out) const {
  FreeSpaceHeader written = header();
  if (is_valid(written.list)) {
    Buffer list = format::encode_sections(written, address(), sections(), widths_);
    if (list.size() > written.list_allocated_bytes) {
      throw Error(ErrorKind::internal, "free-space section list outgrew its space");
    }
    written.list_bytes = list.size();
    out.push_back({written.list, std::move(list)});
  }
  out.push_back({address(), format::encode(written, widths_)});
}

std::optional<std::uint64_t> HeapFreeSpace::allocate(std::uint64_t bytes) {
  const auto fit = holes_by_size_.lower_bound({bytes, 0});
  if (fit == holes_by_size_.end()) return std::nullopt;
  const auto [hole_bytes, offset] = *fit;
  auto by_size = holes_by_size_.extract(fit);
  auto by_offset = holes_.extract(offset);
  hole_bytes_ -= bytes;
  if (hole_bytes > bytes) {
    by_size.value() = {hole_bytes - bytes, offset + bytes};
    holes_by_size_.insert(std::move(by_size));
    by_offset.key() = offset + bytes;
    by_offset.mapped() = hole_bytes - bytes;
    holes_.insert(std::move(by_offset));
  }
  return offset;
}

void HeapFreeSpace::free(std::uint64_t offset, std::uint64_t bytes) {
  auto next = holes_.lower_bound(offset);
  const bool has_previous = next != holes_.begin();
  const auto previous = has_previous ? std::prev(next) : next;
  if ((next != holes_.end() && next->first < offset + bytes) ||
      (has_previous && previous->first + previous->second > offset)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("fractal heap: bytes {} to {} are partly free already", offset, offset + bytes));
  }
  hole_bytes_ += bytes;
  if (next != holes_.end() && next->first == offset + bytes) {
    bytes += next->second;
    holes_by_size_.erase({next->second, next->first});
    next = holes_.erase(next);
  }
  if (has_previous && previous->first + previous->second == offset) {
    holes_by_size_.erase({previous->second, previous->first});
    previous->second += bytes;
    holes_by_size_.insert({previous->second, previous->first});
    return;
  }
  holes_.emplace_hint(next, offset, bytes);
  holes_by_size_.insert({bytes, offset});
}

std::uint64_t HeapFreeSpace::run_offset(const HeapRun& run) const {
  return run.block_offset + table_.cell_offset(run.first);
}

std::uint64_t HeapFreeSpace::run_bytes(const HeapRun& run) const {
  std::uint64_t bytes = 0;
  for (unsigned row = run.first / table_.width(); row * table_.width() < run.first + run.cells; ++row) {
    bytes += table_.block_bytes(row) - table_.overhead();
  }
  return bytes;
}

unsigned HeapFreeSpace::run_ghosts(const HeapRun& run) const {
  return (run.first + run.cells - 1) / table_.width() - run.first / table_.width();
}

void HeapFreeSpace::add_run(const HeapRun& run) {
  if (!runs_.emplace(run_offset(run), run).second) refuse(header_.list, "two sections have the same address");
}

void HeapFreeSpace::add_freed(HeapRun run) {
  auto next = runs_.lower_bound(run_offset(run));
  if (next != runs_.begin()) {
    const auto before = std::prev(next);
    const HeapRun& left = before->second;
    if (left.block_offset == run.block_offset && left.first + left.cells == run.first &&
        left.cells + run.cells <= HeapRun::most_cells) {
      run = {run.block_offset, left.first, left.cells + run.cells};
      runs_.erase(before);
    }
  }
  if (next != runs_.end()) {
    const HeapRun& right = next->second;
    if (right.block_offset == run.block_offset && run.first + run.cells == right.first &&
        right.cells + run.cells <= HeapRun::most_cells) {
      run.cells += right.cells;
      runs_.erase(next);
    }
  }
  add_run(run);
}

void HeapFreeSpace::cut_runs(std::uint64_t end) {
  for (auto& [offset, run] : runs_) {
    while (run.cells > 0 && run.block_offset + table_.cell_offset(run.first + run.cells - 1) >= end)
      --run.cells;
  }
  std::erase_if(runs_, [](const auto& entry) { return entry.second.cells == 0; });
}

void HeapFreeSpace::take(std::uint64_t offset, std::uint64_t bytes) {
  holes_.erase(offset);
  holes_by_size_.erase({bytes, offset});
  hole_bytes_ -= bytes;
}

std::optional<HeapRun> HeapFreeSpace::allocate_cell(std::uint64_t bytes) {
  auto best = runs_.end();
  unsigned best_cell = 0;
  for (auto at = runs_.begin(); at != runs_.end(); ++at) {
    const HeapRun& run = at->second;
    unsigned row = run.first / table_.width();
    while (table_.block_bytes(row) - table_.overhead() < bytes && row < table_.direct_rows()) ++row;
    const unsigned cell = std::max(run.first, row * table_.width());
    if (cell >= run.first + run.cells) continue;
    if (best == runs_.end() || cell / table_.width() < best_cell / table_.width()) {
      best = at;
      best_cell = cell;
    }
  }
  if (best == runs_.end()) return std::nullopt;
  const HeapRun run = best->second;
  runs_.erase(best);
  if (best_cell > run.first) add_run({run.block_offset, run.first, best_cell - run.first});
  const unsigned end = run.first + run.cells;
  if (best_cell + 1 < end) add_run({run.block_offset, best_cell + 1, end - best_cell - 1});
  return HeapRun{run.block_offset, best_cell, 1};
}

std::vector<HeapRun> HeapFreeSpace::runs() const {
  std::vector<HeapRun> out;
  for (const auto& [offset, run] : runs_) out.push_back(run);
  return out;
}

void HeapFreeSpace::allocate_for_flush(FileStore& store) {
  if (is_valid(header_.list) || empty()) return;
  const std::uint64_t exact = format::encode_sections(header(), address(), sections(), widths_).size();
  header_.list = store.space().allocate(SpaceKind::local_heap, exact);
  header_.list_allocated_bytes = exact;
}

void HeapFreeSpace::release_list(FileStore& store) {
  if (!is_valid(header_.list)) return;
  store.space().release(SpaceKind::local_heap, header_.list, header_.list_allocated_bytes);
  header_.list = Address::undefined;
  header_.list_bytes = header_.list_allocated_bytes = 0;
}

}  // namespace filigree::store
