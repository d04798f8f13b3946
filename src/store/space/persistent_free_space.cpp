// SPDX-License-Identifier: Apache-2.0
#include "store/space/persistent_free_space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "base/context.hpp"
#include "format/codec/codec.hpp"
#include "format/free_space/free_space.hpp"
#include "store/file_store.hpp"

namespace filigree::store {
namespace {

using format::FreeSection;
using format::FreeSpaceHeader;

FreeSpaceHeader file_header(const format::Widths& widths) {
  FreeSpaceHeader header;
  header.client = format::FreeSpaceClient::file;
  header.section_classes = 3;
  header.address_bits = 63;
  header.largest_section = std::min(~std::uint64_t{0} >> 1, widest_word(widths.length_bytes));
  return header;
}

[[noreturn]] void fail(std::string what) {
  throw Error(ErrorKind::corrupt, fmt::format("free-space manager: {}", what));
}

/// A range that the file records. *Throws* when it is below `lowest`, the end of the superblock, or beyond
/// the end.
SpaceRange checked_range(std::uint64_t at, std::uint64_t bytes, std::uint64_t lowest, std::uint64_t end) {
  const auto last = try_add(at, bytes);
  if (bytes == 0 || at < lowest || !last || *last > end) {
    fail(fmt::format("{} bytes at {} lie outside the file's space, {} to {}", bytes,
                     to_string(to_address(at)), lowest, end));
  }
  return {at, bytes};
}

void require_disjoint(const RecordedFreeSpace& all) {
  std::vector<SpaceRange> ranges = all.structures;
  for (const auto& slot : all.sections) ranges.insert(ranges.end(), slot.begin(), slot.end());
  std::sort(ranges.begin(), ranges.end(),
            [](const SpaceRange& a, const SpaceRange& b) { return a.at < b.at; });
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].at < ranges[i - 1].end()) {
      fail(fmt::format("the ranges at {} and {} overlap", to_string(to_address(ranges[i - 1].at)),
                       to_string(to_address(ranges[i].at))));
    }
  }
}

void read_manager(const FileStore& store, Address at, std::size_t slot, std::uint64_t end,
                  RecordedFreeSpace& out) {
  const format::Widths& widths = store.widths();
  const std::uint64_t lowest = 16 + 4u * widths.offset_bytes;  // the smallest superblock
  const std::uint64_t header_bytes = format::encoded_bytes(file_header(widths), widths);
  const Buffer encoded_header = store.read(at, header_bytes, FreeSpaceHeader::structure);
  const auto header = format::decode<FreeSpaceHeader>(encoded_header, widths, at);
  if (header.client != format::FreeSpaceClient::file) fail("it manages a heap, not the file");
  out.structures.push_back(checked_range(to_number(at), header_bytes, lowest, end));
  if (is_valid(header.list)) {
    out.structures.push_back(checked_range(to_number(header.list), header.list_allocated_bytes, lowest, end));
  }
  if (header.serialised_sections == 0) return;
  const Buffer list = store.read(header.list, header.list_bytes, format::FreeSpaceList::structure);
  std::uint64_t total = 0;
  for (const FreeSection& section : format::decode_sections(header, at, list, widths)) {
    out.sections[slot].push_back(checked_range(section.address, section.size, lowest, end));
    total = checked_add(total, section.size, "free space");
  }
  if (total != header.free_bytes)
    fail(fmt::format("its sections hold {} bytes, its header says {}", total, header.free_bytes));
}

}  // namespace

RecordedFreeSpace read_free_space(const FileStore& store, const ManagerAddresses& managers,
                                  std::uint64_t end) {
  RecordedFreeSpace all;
  for (std::size_t slot = 0; slot < managers.size(); ++slot) {
    if (!is_valid(managers[slot])) continue;
    in_context([&] { return fmt::format("reading the file's free space in slot {}", slot); },
               [&] { read_manager(store, managers[slot], slot, end, all); });
  }
  std::sort(all.structures.begin(), all.structures.end(),
            [](const SpaceRange& a, const SpaceRange& b) { return a.at < b.at; });
  require_disjoint(all);
  return all;
}

FreeSpaceManager::FreeSpaceManager(std::size_t slot, std::span<const SpaceRange> sections, bool paged,
                                   const format::Widths& widths)
    : slot_(slot),
      type_(format::file_section::simple),
      sections_(sections.begin(), sections.end()),
      widths_(widths) {
  if (paged) type_ = slot >= first_large_slot ? format::file_section::large : format::file_section::small;
}

std::uint64_t FreeSpaceManager::header_bytes() const {
  return format::encoded_bytes(file_header(widths_), widths_);
}

std::uint64_t FreeSpaceManager::list_bytes() const {
  std::vector<std::uint64_t> sizes;
  for (const SpaceRange& range : sections_) sizes.push_back(range.bytes);
  std::sort(sizes.begin(), sizes.end());
  const auto different = std::unique(sizes.begin(), sizes.end()) - sizes.begin();
  return format::section_list_bytes(file_header(widths_), sections_.size(),
                                    static_cast<std::uint64_t>(different), 0, widths_);
}

void FreeSpaceManager::write(FileStore& store, Address header_at, Address list_at) const {
  FreeSpaceHeader header = file_header(widths_);
  std::vector<FreeSection> stored;
  stored.reserve(sections_.size());
  for (const SpaceRange& range : sections_) {
    stored.push_back({range.at, range.bytes, type_, {}});
    header.free_bytes += range.bytes;
  }
  const Buffer list = format::encode_sections(header, header_at, stored, widths_);
  header.sections = header.serialised_sections = stored.size();
  header.list = list_at;
  header.list_bytes = header.list_allocated_bytes = list.size();
  store.write(list_at, list, io::MemoryType::local_heap);
  store.write(header_at, format::encode(header, widths_), io::MemoryType::object_header);
}

}  // namespace filigree::store
