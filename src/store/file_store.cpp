// SPDX-License-Identifier: Apache-2.0
#include "store/file_store.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "io/selection.hpp"
#include "io/user/user_driver_file.hpp"
#include "io/virtual_file.hpp"
#include "store/cache/read_ahead.hpp"

namespace filigree::store {

namespace {

/// Where the bytes of a part end, relative to the base, as the system says.
std::uint64_t seen_end(const io::VirtualFile& file, io::MemoryType type, std::uint64_t base) {
  const std::uint64_t physical = file.end_of_file(type);
  return physical > base ? physical - base : 0;
}

template <class Extent>
std::vector<Extent> shifted(std::span<const Extent> extents, std::uint64_t by) {
  std::vector<Extent> result(extents.begin(), extents.end());
  for (Extent& e : result) {
    e.offset = checked_add(e.offset, by, "an offset of raw data");
    if (e.type == io::MemoryType::unspecified) e.type = io::MemoryType::raw;
  }
  return result;
}

}  // namespace

FileStore::Part::Part(const FilePart& part, std::uint64_t physical, std::unique_ptr<ReadAhead> pages)
    : fixed(part), end_of_file(part.end), physical_end(physical), read_ahead(std::move(pages)) {}

FileStore::Part::~Part() = default;

FileStore::FileStore(std::unique_ptr<io::VirtualFile> file, const Setup& setup, std::unique_ptr<Space> space)
    : file_(std::move(file)),
      widths_(setup.widths),
      base_(setup.base),
      read_ahead_bytes_(setup.read_ahead_bytes),
      swmr_reader_(setup.swmr_read_attempts > 0),
      cache_(setup.cache_bytes),
      raw_block_(swmr_reader_ ? 0 : setup.raw_block_bytes),  // another process may write the file
      gathered_(setup.gathered_bytes),
      space_(std::move(space)) {
  std::vector<FilePart> parts = setup.parts;
  if (parts.empty()) {
    parts.emplace_back();
    parts.back().end = setup.end_of_file;
  }
  for (const FilePart& part : parts) {
    parts_.emplace_back(part, seen_end(*file_, part.type, base_),
                        std::make_unique<ReadAhead>(*file_, part.type, part.first, read_ahead_bytes_));
  }
  cache_.set_attempts(setup.swmr_read_attempts);
}

FileStore::~FileStore() = default;

void FileStore::wrap_file(
    FunctionRef<std::unique_ptr<io::VirtualFile>(std::unique_ptr<io::VirtualFile>)> wrap) {
  file_ = wrap(std::move(file_));
  for (Part& part : parts_) {
    part.read_ahead =
        std::make_unique<ReadAhead>(*file_, part.fixed.type, part.fixed.first, read_ahead_bytes_);
  }
}

void FileStore::write_back() {
  settle();
  file_->ctl({.op = io::ctl_op::write_back, .unknown = io::CtlUnknown::ignore});
}

const std::string& FileStore::name() const { return file_->name(); }

bool FileStore::writable() const { return file_->writable(); }

void FileStore::require_writable(std::string_view doing) const {
  if (!writable())
    throw Error(ErrorKind::read_only,
                fmt::format("cannot {}: '{}' was opened for reading only", doing, name()));
}

FileStore::Part& FileStore::part_at(std::uint64_t at) {
  std::size_t last = 0;
  while (last + 1 < parts_.size() && parts_[last + 1].fixed.first <= at) ++last;
  return parts_[last];
}

std::uint64_t FileStore::available(Address at) const {
  if (!is_valid(at)) return 0;
  const Part& part = part_at(to_number(at));
  // An SWMR writer updates the end in the superblock long after it has written there.
  const std::uint64_t end =
      swmr_reader_ ? physical_end(part) : std::min(part.end_of_file.load(), part.physical_end.load());
  return to_number(at) < end ? end - to_number(at) : 0;
}

void FileStore::require_held(Address at, std::uint64_t bytes, std::string_view what) const {
  if (!is_valid(at)) throw Error(ErrorKind::corrupt, fmt::format("{}: its address is undefined", what));
  const std::uint64_t held = available(at);
  if (bytes > held) {
    throw Error(ErrorKind::truncated, fmt::format("{} at {}: needs {} bytes, but the file holds {} there",
                                                  what, to_string(at), bytes, held));
  }
}

void FileStore::fill(Address at, MutableBytes into) const {
  settle(base_ + to_number(at), into.size());
  if (swmr_reader_) {
    file_->read(base_ + to_number(at), into);
  } else {
    part_at(to_number(at)).read_ahead->read(base_ + to_number(at), into);
  }
  if (!overlay_.empty()) apply_overlay(to_number(at), into);
}

void FileStore::prefetch(std::span<const Address> structures) const {
  if (swmr_reader_ || !file_->capabilities().concurrent) return;
  for (const Part& part : parts_) {
    std::vector<std::uint64_t> offsets;
    for (const Address at : structures)
      if (available(at) > 0 && &part_at(to_number(at)) == &part) offsets.push_back(base_ + to_number(at));
    part.read_ahead->prefetch(offsets);
  }
}

Buffer FileStore::read(Address at, std::uint64_t bytes, std::string_view what) const {
  require_held(at, bytes, what);
  Buffer out(bytes);
  fill(at, out);
  return out;
}

void FileStore::apply_overlay(std::uint64_t at, MutableBytes bytes) const {
  for (const EncodedBlock& block : overlay_) {
    const std::uint64_t start = std::max(at, to_number(block.at));
    const std::uint64_t end = std::min(at + bytes.size(), to_number(block.at) + block.content().size());
    if (start < end)
      std::copy_n(block.content().begin() + (start - to_number(block.at)), end - start,
                  bytes.begin() + (start - at));
  }
}

void FileStore::set_overlay(EncodedBlocks blocks) {
  std::erase_if(blocks,
                [this](const EncodedBlock& block) { return block.content().size() > available(block.at); });
  overlay_ = std::move(blocks);
}

void FileStore::write_overlay() {
  write_blocks(overlay_);
  overlay_.clear();
}

Buffer FileStore::read_up_to(Address at, std::uint64_t most, std::string_view what) const {
  const std::uint64_t held = available(at);
  return read(at, std::max<std::uint64_t>(1, std::min(most, held)), what);
}

Bytes FileStore::read_up_to(Address at, MutableBytes into, std::string_view what) const {
  const auto bytes = std::max<std::uint64_t>(1, std::min<std::uint64_t>(into.size(), available(at)));
  require_held(at, bytes, what);
  fill(at, into.first(bytes));
  return into.first(bytes);
}

void FileStore::read_raw(Address at, std::span<const io::ReadExtent> extents) const {
  const auto absolute = shifted(extents, checked_add(base_, to_number(at), "an offset of raw data"));
  for (const io::ReadExtent& e : absolute) settle(e.offset, e.into.size());
  file_->read(absolute);
}

bool FileStore::read_small(Address at, MutableBytes into) const {
  const io::DriverCapabilities& driver = file_->capabilities();
  if (driver.selections) return false;
  const std::uint64_t held = available(at);
  if (held < into.size()) return false;
  const std::uint64_t offset = base_ + to_number(at);
  if (gathered_.find(offset, into)) return true;
  settle(offset, into.size());  // also brings the block up to date
  const auto load = [this](std::uint64_t from, MutableBytes bytes) {
    settle(from, bytes.size());  // the file may end before what is gathered
    const io::ReadExtent extent{from, bytes, io::MemoryType::raw};
    file_->read(std::span(&extent, 1));
  };
  // A driver that wants no gaps to be read, such as one in memory, wants no surroundings, either.
  if (into.size() > raw_block_.most_bytes() || driver.coalescing.read_gap_bytes == 0) {
    load(offset, into);
  } else {
    raw_block_.read(offset, into, offset + held, load);
  }
  return true;
}

void FileStore::begin_writing() {
  if (writing_.load()) return;
  const MutexLock lock(mark_mutex_);
  if (writing_.load()) return;
  if (mark_) mark_();
  writing_ = true;
}

void FileStore::write_raw(Address at, std::span<const io::WriteExtent> extents) {
  begin_writing();
  const auto absolute = shifted(extents, checked_add(base_, to_number(at), "an offset of raw data"));
  for (const io::WriteExtent& e : absolute) settle(e.offset, e.from.size());
  try {
    file_->write(absolute);
  } catch (...) {  // some of the bytes may be in the file
    for (const io::WriteExtent& e : absolute) raw_block_.invalidate(e.offset, e.from.size());
    throw;
  }
  for (const io::WriteExtent& e : absolute) note_written(e.offset, e.from);
}

/// Drivers above the file, and drivers of the program, see each request as it is made. So do SWMR readers.
bool FileStore::gathers() const {
  if (swmr_writer_) return false;
  if (gathered_.any()) return true;
  return parts_.size() == 1 && file_->next() == nullptr && io::find_user_driver_file(*file_) == nullptr &&
         file_->descriptor().has_value();
}

void FileStore::write_small(Address at, Bytes bytes) {
  if (bytes.size() > gathered_.most_bytes() || !gathers()) return write(at, bytes);
  begin_writing();
  Part& part = part_at(to_number(at));
  gathered_.add(base_ + to_number(at), bytes, base_ + part.physical_end.load(),
                [this](std::uint64_t offset, Bytes all) { write_now(offset, all, io::MemoryType::raw); });
  note_end(part, to_number(at) + bytes.size());
}

void FileStore::settle() const {
  auto* const writer = const_cast<FileStore*>(this);
  gathered_.settle(
      [writer](std::uint64_t offset, Bytes all) { writer->write_now(offset, all, io::MemoryType::raw); });
}

void FileStore::settle(std::uint64_t offset, std::uint64_t bytes) const {
  if (!gathered_.any()) return;
  auto* const writer = const_cast<FileStore*>(this);
  gathered_.settle(offset, bytes, [writer](std::uint64_t from, Bytes all) {
    writer->write_now(from, all, io::MemoryType::raw);
  });
}

bool FileStore::accepts_selections() const { return file_->capabilities().selections; }

void FileStore::read_selections(std::span<const io::SelectionRead> pieces) const {
  settle();
  std::vector<io::SelectionRead> absolute(pieces.begin(), pieces.end());
  for (io::SelectionRead& piece : absolute)
    piece.offset = checked_add(piece.offset, base_, "an offset of raw data");
  file_->read_selections(absolute);
}

void FileStore::write_selections(std::span<const io::SelectionWrite> pieces) {
  begin_writing();
  settle();
  std::vector<io::SelectionWrite> absolute(pieces.begin(), pieces.end());
  for (io::SelectionWrite& piece : absolute)
    piece.offset = checked_add(piece.offset, base_, "an offset of raw data");
  file_->write_selections(absolute);
  for (const io::SelectionWrite& piece : absolute)
    note_written(piece.offset, piece.file.inside().frame().elements() * piece.element_bytes);
}

void FileStore::write(Address at, Bytes bytes, io::MemoryType type) {
  begin_writing();
  settle(base_ + to_number(at), bytes.size());
  write_now(base_ + to_number(at), bytes, type);
}

void FileStore::write_now(std::uint64_t offset, Bytes bytes, io::MemoryType type) {
  try {
    file_->write(offset, bytes, type);
  } catch (...) {
    raw_block_.invalidate(offset, bytes.size());
    throw;
  }
  note_written(offset, bytes);
}

void FileStore::note_written(std::uint64_t offset, std::uint64_t bytes) {
  Part& part = part_at(offset - base_);
  part.read_ahead->invalidate(offset, bytes);
  raw_block_.invalidate(offset, bytes);
  note_end(part, offset - base_ + bytes);
}

void FileStore::note_written(std::uint64_t offset, Bytes bytes) {
  Part& part = part_at(offset - base_);
  part.read_ahead->invalidate(offset, bytes.size());
  raw_block_.write(offset, bytes);
  note_end(part, offset - base_ + bytes.size());
}

void FileStore::note_end(Part& part, std::uint64_t end) {
  for (std::atomic<std::uint64_t>* known : {&part.end_of_file, &part.physical_end}) {
    std::uint64_t before = known->load();
    while (before < end && !known->compare_exchange_weak(before, end)) {
    }
  }
}

void FileStore::write_blocks(const EncodedBlocks& blocks) {
  std::vector<io::WriteExtent> extents;
  extents.reserve(blocks.size());
  for (const EncodedBlock& block : blocks)
    extents.push_back({base_ + to_number(block.at), block.content(), block.type});
  std::ranges::sort(extents, {}, &io::WriteExtent::offset);
  if (!extents.empty()) begin_writing();
  for (const io::WriteExtent& e : extents) settle(e.offset, e.from.size());
  file_->write(extents);
  for (auto e = extents.begin(); e != extents.end();) {
    const std::uint64_t start = e->offset;
    std::uint64_t end = start;
    for (; e != extents.end() && e->offset == end; ++e) end += e->from.size();
    note_written(start, end - start);
  }
}

void FileStore::refresh() {
  cache_.drop_clean();
  settle();
  for (Part& part : parts_) {
    part.physical_end = seen_end(*file_, part.fixed.type, base_);
    part.read_ahead->invalidate(part.fixed.first, part.physical_end);
    raw_block_.invalidate(0, base_ + part.physical_end);
  }
}

std::uint64_t FileStore::physical_end(const Part& part) const {
  settle();
  // All members of a communicator resize the file, or none. They know the same end, because they make the
  // same changes of it, but what the system says may be old on some: as on NFS.
  if (file_->communicator() != nullptr) return part.physical_end.load();
  return seen_end(*file_, part.fixed.type, base_);
}

std::uint64_t FileStore::file_end(Address at) const { return physical_end(part_at(to_number(at))); }

std::uint64_t FileStore::file_bytes() const {
  std::uint64_t sum = 0;
  for (const Part& part : parts_) sum += physical_end(part) - std::min(physical_end(part), part.fixed.first);
  return sum;
}

std::vector<FilePart> FileStore::parts() const {
  std::vector<FilePart> result;
  for (const Part& part : parts_) result.push_back(part.fixed);
  return result;
}

/// Other parts keep their lengths: truncating a driver of several files would cut them as well.
void FileStore::resize(Part& part, std::uint64_t end) {
  begin_writing();
  if (parts_.size() == 1) return file_->truncate(base_ + end);
  for (const Part& each : parts_)
    file_->set_allocation_end(each.fixed.type, &each == &part ? end : physical_end(each));
  file_->truncate_to_allocation();
}

void FileStore::reach(std::uint64_t end) {
  if (end == 0) return;
  Part& part = part_at(end - 1);
  if (physical_end(part) < end) resize(part, end);
  note_written(base_ + end, 0);
}

void FileStore::set_file_end(std::uint64_t bytes) {
  set_end(bytes == 0 ? parts_.front() : part_at(bytes - 1), bytes);
}

void FileStore::set_end(Part& part, std::uint64_t bytes) {
  const std::uint64_t physical = physical_end(part);
  if (physical != bytes) {
    resize(part, bytes);
    if (bytes < physical) {
      part.read_ahead->invalidate(base_ + bytes, physical - bytes);
      raw_block_.invalidate(base_ + bytes, physical - bytes);
    }
  }
  part.end_of_file = bytes;
  part.physical_end = bytes;
}

void FileStore::grow_to_allocation() {
  for (Part& part : parts_) {
    const std::uint64_t end = space_->allocated_until(to_address(part.fixed.first));
    if (physical_end(part) < end) set_end(part, end);
  }
}

void FileStore::shrink_to_allocation() {
  for (Part& part : parts_) {
    const std::uint64_t end = space_->allocated_until(to_address(part.fixed.first));
    if (physical_end(part) > end) set_end(part, end);
  }
}

}  // namespace filigree::store
