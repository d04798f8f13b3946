// SPDX-License-Identifier: Apache-2.0
//
// What the ranges of a walk say of the space of a file: overlaps, and bytes that nothing uses.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <filigree/file.hpp>

#include "base/checksum.hpp"
#include "format/heaps/global_heap.hpp"
#include "format/object_header/object_header.hpp"
#include "model/check/file_walk.hpp"
#include "model/file/file.hpp"
#include "store/heaps/global_heap.hpp"

namespace filigree::model {
namespace {

constexpr std::size_t most_gaps = 1'000'000;
constexpr std::uint64_t most_searched_bytes = std::uint64_t{256} << 20;
constexpr std::uint64_t piece_bytes = 1u << 20;
constexpr std::uint64_t most_verified_bytes = 1u << 20;
constexpr std::string_view collection_signature = "GCOL";

/// Returns the position of the signature from `from` on; the size of `bytes` if there is none.
std::size_t find_signature(Bytes bytes, std::string_view signature, std::size_t from) {
  if (from >= bytes.size()) return bytes.size();
  const Bytes rest = bytes.subspan(from);
  const void* found = memmem(rest.data(), rest.size(), signature.data(), signature.size());
  return found == nullptr
             ? bytes.size()
             : from + static_cast<std::size_t>(static_cast<const std::byte*>(found) - rest.data());
}

}  // namespace

void FileWalk::report_overlaps() {
  space_.for_each_overlap([&](const UsedRange& first, const UsedRange& second) {
    set_owner(second.owner);
    const std::uint64_t bytes = std::min(first.end(), second.end()) - second.at;
    const std::string owner = path(first.owner);
    find(Severity::damage, structures_[second.structure], to_address(second.at), bytes,
         fmt::format("{} at {}: {} of its bytes overlap {} at {}{}", structures_[second.structure],
                     to_string(to_address(second.at)), bytes, structures_[first.structure],
                     to_string(to_address(first.at)), owner.empty() ? "" : " of " + owner));
  });
  set_owner(the_file);
}

void FileWalk::examine_space() {
  for (const FreeSection& section : file_.free_sections()) {
    use("free section", to_address(section.address), section.bytes);
    report_.free_bytes += section.bytes;
  }
  space_.finish();
  if (!space_.is_complete()) {
    return find(Severity::information, "file", Address{0}, 0,
                "has too many separate structures and chunks: overlaps and unused space were not looked for");
  }
  report_overlaps();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
  for (const store::FilePart& part : store_.parts()) {
    // A writer may have allocated space beyond the end that the superblock had.
    const std::uint64_t begin = part.first;
    const std::uint64_t end = std::max(part.end, store_.space().allocated_until(to_address(begin)));
    report_.used_bytes += end - std::min(begin, end);
    space_.for_each_gap(begin, end, [&](std::uint64_t at, std::uint64_t bytes) {
      if (gaps.size() < most_gaps) gaps.emplace_back(at, bytes);
    });
  }
  for (const auto& [at, bytes] : gaps) search_gap(at, bytes);
  report_.used_bytes -= std::min(report_.used_bytes, report_.unused_bytes + report_.free_bytes);
}

/// Returns the size of the collection at an address; 0 if there is none that ends at `end` or before.
std::uint64_t FileWalk::collection_size(std::uint64_t at, std::uint64_t end) const {
  const std::uint64_t header_bytes = format::global_heap_header_bytes(widths());
  if (end - at < header_bytes) return 0;
  try {
    const Buffer start = store_.read(to_address(at), header_bytes, "unused space");
    const auto header = format::decode<format::GlobalHeapHeader>(start, widths(), to_address(at));
    if (header.collection_bytes > end - at || header.collection_bytes < format::least_collection_bytes)
      return 0;
    // Collections of more than this have one long object, of which nothing can be verified.
    if (header.collection_bytes > most_verified_bytes) return header.collection_bytes;
    return file_.global_heap().collection(to_address(at))->bytes();
  } catch (const Error&) {
    return 0;  // bytes that look like a collection
  }
}

/// Only elements lead to most collections of the global heap. So one that lies in a gap is in use, unless all
/// elements were looked at. HDF5 itself forgets values that were overwritten, which is no fault of the file.
void FileWalk::search_gap(std::uint64_t at, std::uint64_t bytes) {
  const std::uint64_t end = at + bytes;
  std::uint64_t start = at;  // of what nothing is known of
  while (at < end && searched_bytes_ < most_searched_bytes) {
    const std::uint64_t count = std::min(piece_bytes, end - at);
    Buffer piece;
    if (!guarded("file", to_address(at), [&] { piece = store_.read(to_address(at), count, "unused space"); }))
      break;
    searched_bytes_ += count;
    const std::size_t found = find_signature(piece, collection_signature, 0);
    if (found == piece.size()) {
      if (at + count >= end) break;
      at += count - collection_signature.size();
      continue;
    }
    const std::uint64_t here = at + found;
    const std::uint64_t size = collection_size(here, end);
    if (size == 0) {
      at = here + 1;
      continue;
    }
    if (here > start) report_gap(start, here - start);
    if (options_.data && elements_are_known) {
      report_.unused_bytes += size;
      find(Severity::unused, format::GlobalHeapHeader::structure, to_address(here), size,
           fmt::format("{} bytes at {} are a collection that no element refers to", size,
                       to_string(to_address(here))));
    }
    ++report_.structures;
    start = at = here + size;
  }
  if (end > start) report_gap(start, end - start);
}

void FileWalk::report_gap(std::uint64_t at, std::uint64_t bytes) {
  report_.unused_bytes += bytes;
  const bool is_leak = persists_free_space && !has_damage_;
  const Severity severity = is_leak ? Severity::leak : Severity::unused;
  const std::string where = to_string(to_address(at));
  find(severity, "file", to_address(at), bytes,
       fmt::format("{} bytes at {} are not used{}", bytes, where,
                   is_leak ? ", and no free-space manager has them" : ""));
  search_headers(at, bytes, severity);
}

void FileWalk::search_headers(std::uint64_t at, std::uint64_t bytes, Severity severity) {
  if (bytes > piece_bytes) bytes = piece_bytes;
  Buffer piece;
  if (!guarded("file", to_address(at), [&] { piece = store_.read(to_address(at), bytes, "unused space"); }))
    return;
  const Bytes all(piece);
  for (std::size_t i = find_signature(all, format::object_header_signature, 0); i < all.size();
       i = find_signature(all, format::object_header_signature, i + 1)) {
    format::ObjectHeaderPrefixV2 prefix;
    try {
      const std::uint64_t used = format::decode(prefix, all.subspan(i), widths());
      if (prefix.area_bytes > all.size() - i - used || all.size() - i - used - prefix.area_bytes < 4)
        continue;
      const std::size_t summed = static_cast<std::size_t>(used + prefix.area_bytes);
      if (!checksum_holds(static_cast<std::uint32_t>(load_word(all.data() + i + summed, 4)),
                          lookup3(all.subspan(i, summed))))
        continue;
      find(severity, "object header", to_address(at + i), summed + 4,
           fmt::format("object header at {}: nothing leads to it", to_string(to_address(at + i))));
    } catch (const Error&) {
      continue;
    }
  }
}

}  // namespace filigree::model
