// SPDX-License-Identifier: Apache-2.0
#include "model/file/stored_superblock.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "format/messages/file_messages.hpp"
#include "io/virtual_file.hpp"
#include "store/file_store.hpp"

namespace filigree::model {
namespace {

constexpr std::size_t largest_superblock_bytes = 128;
constexpr std::byte newest_superblock{3};

}  // namespace

std::optional<SuperblockLocation> find_superblock(const io::VirtualFile& file) {
  const std::uint64_t size = file.end_of_file(io::MemoryType::superblock);
  for (std::uint64_t at = 0; at + format::superblock_signature.size() <= size; at = at == 0 ? 512 : at * 2) {
    Buffer start(std::min<std::uint64_t>(largest_superblock_bytes, size - at));
    file.read(at, start, io::MemoryType::superblock);
    if (as_text(start).starts_with(format::superblock_signature))
      return SuperblockLocation{at, std::move(start)};
    if (at > size / 2) break;
  }
  return std::nullopt;
}

std::uint64_t StoredSuperblock::read(const io::VirtualFile& file, bool ignore_write_mark,
                                     unsigned swmr_read_attempts) {
  const bool is_swmr_reader = swmr_read_attempts > 0;
  for (unsigned failed = 0;; ++failed) {
    torn_ = false;
    try {
      return read_once(file, ignore_write_mark, is_swmr_reader);
    } catch (const Error& error) {
      if (failed + 1 >= swmr_read_attempts || !(torn_ || store::may_be_torn_read(error))) throw;
    }
    store::pause_before_retry(failed);
  }
}

std::uint64_t StoredSuperblock::read_once(const io::VirtualFile& file, bool ignore_write_mark,
                                          bool is_swmr_reader) {
  const std::uint64_t size = file.end_of_file(io::MemoryType::superblock);
  const auto found = find_superblock(file);
  if (!found) {
    throw Error(ErrorKind::not_hdf5, size == 0
                                         ? "the file is empty, so it is not an HDF5 file"
                                         : "not an HDF5 file: it has no HDF5 signature at 0, 512, 1024, ...");
  }
  position_ = found->position;
  constexpr std::size_t version_at = 8;
  if (found->start.size() > version_at && found->start[version_at] > newest_superblock) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("superblock at {}: version {} is newer than this version of Filigree reads (0 to {})",
                    to_string(to_address(position_)), std::to_integer<unsigned>(found->start[version_at]),
                    std::to_integer<unsigned>(newest_superblock)));
  }
  decode(found->start, ignore_write_mark, is_swmr_reader);
  const std::uint64_t base = to_number(fields_.base);
  const std::uint64_t end = fields_.end_of_file;
  if (end == ~std::uint64_t{0} || end < base) {
    throw Error(
        ErrorKind::corrupt,
        fmt::format("superblock: its end of file ({:#x}) lies before its base address ({:#x})", end, base));
  }
  return end - base - std::min(end - base, size - position_);
}

void StoredSuperblock::decode(Bytes start, bool ignore_write_mark, bool is_swmr_reader) {
  std::optional<Buffer> mended;
  if (torn_superblock(start)) {
    torn_ = true;
    if (ignore_write_mark) mended = mended_superblock(start);
    if (!mended)
      throw Error(ErrorKind::locked, "the file was not closed: writing its superblock was interrupted");
    start = *mended;
  }
  const std::size_t used = format::decode(fields_, start, {}, to_address(position_));
  stored_.assign(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(used));
  const WriteMark mark = write_mark(fields_);
  const bool is_expected = is_swmr_reader && mark == WriteMark::swmr_writer;
  if (mark != WriteMark::none && !ignore_write_mark && !is_expected)
    throw Error(ErrorKind::locked, not_closed(mark));
  clear_write_mark(fields_);
}

Buffer StoredSuperblock::encode(const store::FileStore& store, const Current& current, WriteMark mark) {
  fields_.base = to_address(position_);
  fields_.end_of_file = position_ + current.end_of_allocation;
  format::Superblock marked = fields_;
  if (mark != WriteMark::none) set_write_mark(marked, mark);
  Buffer bytes = format::encode(marked, fields_.widths);
  if (fields_.version > 1) return bytes;
  if (const auto info = current.driver_info()) {
    const Buffer block = format::encode(format::DriverInfoBlock{info->id, info->info}, store.widths());
    bytes.insert(bytes.end(), block.begin(), block.end());
  }
  return bytes;
}

void StoredSuperblock::write(store::FileStore& store, const Current& current, WriteMark mark) {
  Buffer bytes = encode(store, current, WriteMark::none);
  // An unchanged superblock has no mark, except that of a SWMR writer, which stays between flushes.
  if (!torn_ && bytes == stored_ && mark != WriteMark::swmr_writer) return;
  if (mark != WriteMark::none && !stored_.empty()) {
    bytes = encode(store, current, mark);
    if (!torn_ && bytes == stored_) return;
  }
  const std::size_t own = format::encoded_bytes(fields_, fields_.widths);
  std::vector<io::WriteExtent> extents{{0, Bytes(bytes).first(own), io::MemoryType::superblock}};
  if (own < bytes.size()) {
    extents.push_back(
        {to_number(fields_.driver_info), Bytes(bytes).subspan(own), io::MemoryType::superblock});
  }
  torn_ = true;
  store.write_raw(to_address(0), extents);
  torn_ = false;
  stored_ = std::move(bytes);
}

void StoredSuperblock::add_mark(store::FileStore& store) {
  if (stored_.empty()) return;  // a new file without a superblock needs no mark
  const Buffer marked = with_write_mark(stored_);
  if (!torn_ && std::ranges::equal(marked, Bytes(stored_).first(marked.size()))) return;
  torn_ = true;
  store.file().write(position_, marked, io::MemoryType::superblock);
  torn_ = false;
  std::ranges::copy(marked, stored_.begin());
}

WriteMark StoredSuperblock::stored_mark() const {
  format::Superblock stored;
  format::decode(stored, stored_, {}, to_address(position_));
  return write_mark(stored);
}

DriverInfo StoredSuperblock::read_driver_info_block(store::FileStore& store) {
  const Buffer bytes = store.read_up_to(fields_.driver_info, 4096, "driver info block");
  format::DriverInfoBlock block;
  const std::size_t used = format::decode(block, bytes, store.widths(), fields_.driver_info);
  stored_.insert(stored_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(used));
  return {std::move(block.id), std::move(block.info)};
}

}  // namespace filigree::model
