// SPDX-License-Identifier: Apache-2.0
#include "store/file_store.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "io/virtual_file.hpp"
#include "store/heap_free_space.hpp"
#include "store/read_ahead.hpp"

namespace filigree::store {

FileStore::FileStore(std::unique_ptr<io::VirtualFile> file, const Setup& setup, std::unique_ptr<Space> space)
    : file_(std::move(file)),
      widths_(setup.widths),
      base_(setup.base),
      end_of_file_(setup.end_of_file),
      physical_end_(file_->size() > setup.base ? file_->size() - setup.base : 0),
      cache_(setup.cache_bytes),
      read_ahead_(std::make_unique<ReadAhead>(*file_, setup.read_ahead_bytes)),
      space_(std::move(space)) {}

FileStore::~FileStore() = default;

const std::string& FileStore::name() const { return file_->name(); }

bool FileStore::writable() const { return file_->writable(); }

void FileStore::require_writable(std::string_view doing) const {
  if (!writable())
    throw Error(ErrorKind::read_only,
                fmt::format("cannot {}: '{}' was opened for reading only", doing, name()));
}

std::uint64_t FileStore::available(Address at) const {
  if (!defined(at) || to_number(at) >= end_of_file_) return 0;
  const std::uint64_t end = std::min(end_of_file_.load(), physical_end_.load());
  return to_number(at) < end ? end - to_number(at) : 0;
}

void FileStore::require_held(Address at, std::uint64_t bytes, std::string_view what) const {
  if (!defined(at)) throw Error(ErrorKind::corrupt, fmt::format("{}: its address is undefined", what));
  const std::uint64_t held = available(at);
  if (bytes > held) {
    throw Error(ErrorKind::truncated, fmt::format("{} at {}: needs {} bytes, but the file holds {} there",
                                                  what, to_string(at), bytes, held));
  }
}

void FileStore::fill(Address at, MutableBytes into) const {
  read_ahead_->read(base_ + to_number(at), into);
  if (!overlay_.empty()) apply_overlay(to_number(at), into);
}

Buffer FileStore::read(Address at, std::uint64_t bytes, std::string_view what) const {
  require_held(at, bytes, what);
  Buffer out(bytes);
  fill(at, out);
  return out;
}

void FileStore::apply_overlay(std::uint64_t at, MutableBytes bytes) const {
  for (const Image& image : overlay_) {
    const std::uint64_t start = std::max(at, to_number(image.at));
    const std::uint64_t end = std::min(at + bytes.size(), to_number(image.at) + image.content().size());
    if (start < end)
      std::copy_n(image.content().begin() + (start - to_number(image.at)), end - start,
                  bytes.begin() + (start - at));
  }
}

void FileStore::set_overlay(Images images) {
  std::erase_if(images, [this](const Image& image) { return image.content().size() > available(image.at); });
  overlay_ = std::move(images);
}

void FileStore::write_overlay() {
  write_images(overlay_);
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

namespace {

template <class Extent>
std::vector<Extent> shifted(std::span<const Extent> extents, std::uint64_t by) {
  std::vector<Extent> result(extents.begin(), extents.end());
  for (Extent& e : result) e.offset = checked_add(e.offset, by, "a position of raw data");
  return result;
}

}  // namespace

void FileStore::read_raw(Address at, std::span<const io::ReadExtent> extents) const {
  file_->read(shifted(extents, checked_add(base_, to_number(at), "a position of raw data")));
}

void FileStore::write_raw(Address at, std::span<const io::WriteExtent> extents) {
  const auto placed = shifted(extents, checked_add(base_, to_number(at), "a position of raw data"));
  file_->write(placed);
  for (const io::WriteExtent& e : placed) {
    read_ahead_->invalidate(e.offset, e.from.size());
    written_to(e.offset - base_ + e.from.size());
  }
}

void FileStore::write(Address at, Bytes bytes) {
  const std::uint64_t offset = base_ + to_number(at);
  file_->write(offset, bytes);
  read_ahead_->invalidate(offset, bytes.size());
  written_to(to_number(at) + bytes.size());
}

void FileStore::written_to(std::uint64_t end) {
  for (std::atomic<std::uint64_t>* known : {&end_of_file_, &physical_end_}) {
    std::uint64_t before = known->load();
    while (before < end && !known->compare_exchange_weak(before, end)) {
    }
  }
}

void FileStore::write_images(const Images& images) {
  std::vector<io::WriteExtent> extents;
  extents.reserve(images.size());
  for (const Image& image : images) extents.push_back({base_ + to_number(image.at), image.content()});
  std::ranges::sort(extents, {}, &io::WriteExtent::offset);
  file_->write(extents);
  if (!extents.empty()) written_to(extents.back().offset - base_ + extents.back().from.size());
  for (auto e = extents.begin(); e != extents.end();) {
    const std::uint64_t start = e->offset;
    std::uint64_t end = start;
    for (; e != extents.end() && e->offset == end; ++e) end += e->from.size();
    read_ahead_->invalidate(start, end - start);
  }
}

void FileStore::settle_metadata() {
  for (Entry* entry : cache_.dirty_entries(EntryKind::free_space))
    static_cast<HeapFreeSpace&>(*entry).settle(*this);
}

void FileStore::flush_metadata() {
  settle_metadata();
  cache_.flush([this](Images& images) { write_images(images); });
}

void FileStore::trim_cache() {
  cache_.trim([this] { flush_metadata(); });
}

std::uint64_t FileStore::file_end() const {
  const std::uint64_t physical = file_->size();
  return physical > base_ ? physical - base_ : 0;
}

void FileStore::reach(std::uint64_t end) {
  if (file_end() < end) file_->truncate(base_ + end);
  written_to(end);
}

void FileStore::set_file_end(std::uint64_t bytes) {
  const std::uint64_t wanted = base_ + bytes;
  const std::uint64_t physical = file_->size();
  if (physical != wanted) {
    file_->truncate(wanted);
    if (wanted < physical) read_ahead_->invalidate(wanted, physical - wanted);
  }
  end_of_file_ = bytes;
  physical_end_ = bytes;
}

}  // namespace filigree::store
