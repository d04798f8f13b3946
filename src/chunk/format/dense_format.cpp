// SPDX-License-Identifier: Apache-2.0
#include "chunk/format/dense_format.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/block_pool.hpp"
#include "base/checked.hpp"
#include "base/large_pages.hpp"

namespace filigree::chunk {
namespace {

/// The format counts a chunk's bytes in 32 bits; larger ones are for later layouts.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

/// Larger chunks have to be there before memory is taken for them: sizes in a damaged file may be anything.
constexpr std::size_t most_trusted_bytes = std::size_t{16} << 20;

using Block = BlockPool::Block;

/// Its bytes come from a list, or from a block of its own: what is read from the file need not be zero
/// before.
class DenseImage final : public ChunkImage {
 public:
  explicit DenseImage(Buffer held) : list_(std::move(held)), bytes(list_) {}
  DenseImage(Block block, std::size_t size) : block_(std::move(block)), bytes(block_.get(), size) {}
  std::size_t memory_bytes() const override { return bytes.size(); }

 private:
  Buffer list_;
  Block block_;

 public:
  const MutableBytes bytes;
};

std::unique_ptr<DenseImage> make_unset(std::size_t bytes) {
  Block block = BlockPool::shared().allocate(bytes);
  prefer_large_pages(block.get(), bytes);
  return std::make_unique<DenseImage>(std::move(block), bytes);
}

std::unique_ptr<DenseImage> make_zeroed(std::size_t bytes) {
  if (bytes <= BlockPool::most_bytes) {
    auto image = make_unset(bytes);
    std::ranges::fill(image->bytes, std::byte{0});
    return image;
  }
  // Pages of the system are zero already.
  Block block(static_cast<std::byte*>(std::calloc(bytes, 1)));
  if (!block) throw std::bad_alloc();
  prefer_large_pages(block.get(), bytes);
  return std::make_unique<DenseImage>(std::move(block), bytes);
}

std::unique_ptr<DenseImage> make_copy(Bytes bytes) {
  auto image = make_unset(bytes.size());
  if (!bytes.empty()) std::memcpy(image->bytes.data(), bytes.data(), bytes.size());
  return image;
}

const DenseImage& dense(const ChunkImage& image) { return static_cast<const DenseImage&>(image); }
DenseImage& dense(ChunkImage& image) { return static_cast<DenseImage&>(image); }

Buffer copied(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

/// Elements that stand alone, and whose bytes do not change: a call for each of them would take longer than
/// the copy. `Copy` gets the place in the chunk and that in memory.
template <std::size_t element_bytes, class Copy>
void copy_each(std::span<const space::ChunkRun> runs, Copy copy) {
  for (const space::ChunkRun& run : runs) {
    if (run.length == 1) {
      copy(run.chunk_offset * element_bytes, run.memory * element_bytes, element_bytes);
    } else {
      copy(run.chunk_offset * element_bytes, run.memory * element_bytes, run.length * element_bytes);
    }
  }
}

/// Whether there was a loop for elements of this size.
template <class Copy>
bool copy_runs(std::span<const space::ChunkRun> runs, std::size_t element_bytes, Copy copy) {
  switch (element_bytes) {
    case 1:
      return copy_each<1>(runs, copy), true;
    case 2:
      return copy_each<2>(runs, copy), true;
    case 4:
      return copy_each<4>(runs, copy), true;
    case 8:
      return copy_each<8>(runs, copy), true;
    default:
      return false;
  }
}

}  // namespace

DenseFormat::DenseFormat(DenseShape shape, filter::Pipeline pipeline)
    : shape_(std::move(shape)), pipeline_(std::move(pipeline)) {
  const std::uint64_t bytes = checked_multiply(shape_.elements, shape_.element_bytes, "the bytes of a chunk");
  if (bytes > most_bytes)
    throw Error(ErrorKind::limit,
                fmt::format("chunks of {} bytes; at most {} are possible", bytes, most_bytes));
  bytes_ = static_cast<std::size_t>(bytes);
}

/// `elements` is a whole number of elements, not none.
void DenseFormat::fill(MutableBytes elements) const {
  if (shape_.fill.empty()) {
    std::ranges::fill(elements, std::byte{0});
    return;
  }
  // Doubles what is there until all is filled.
  std::ranges::copy(shape_.fill, elements.begin());
  for (std::size_t done = shape_.fill.size(); done < elements.size();) {
    const std::size_t more = std::min(done, elements.size() - done);
    std::memcpy(elements.data() + done, elements.data(), more);
    done += more;
  }
}

std::unique_ptr<ChunkImage> DenseFormat::blank() const {
  if (shape_.fill.empty() || bytes_ == 0) return make_zeroed(bytes_);
  auto image = make_unset(bytes_);
  fill(image->bytes);
  return image;
}

void DenseFormat::erase(ChunkImage& image, const space::RunSet& elements) const {
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    const space::Run run = elements.run(i);
    fill(dense(image).bytes.subspan(run.start * shape_.element_bytes, run.length * shape_.element_bytes));
  }
}

std::unique_ptr<ChunkImage> DenseFormat::copy(const ChunkImage& image) const {
  return make_copy(dense(image).bytes);
}

void DenseFormat::require_plain_size(std::size_t bytes) const {
  if (bytes == bytes_) return;
  throw Error(ErrorKind::corrupt,
              fmt::format("an unfiltered chunk is stored in {} bytes, not in {}", bytes, bytes_));
}

std::unique_ptr<ChunkImage> DenseFormat::decode(Bytes stored, const StoredForm& form, bool whole) const {
  if (plain(whole)) {
    require_plain_size(stored.size());
    return make_copy(stored);
  }
  if (bytes_ <= most_trusted_bytes) {
    auto image = make_unset(bytes_);
    pipeline_.decode_into(stored, form.filter_mask, image->bytes);
    return image;
  }
  Workspace room;
  return make_copy(pipeline_.decode(stored, form.filter_mask, bytes_, room));
}

std::unique_ptr<ChunkImage> DenseFormat::take(Buffer stored, const StoredForm& form, bool whole) const {
  if (!plain(whole)) return decode(stored, form, whole);
  require_plain_size(stored.size());
  return std::make_unique<DenseImage>(std::move(stored));
}

std::unique_ptr<ChunkImage> DenseFormat::make_unread(std::uint64_t stored_bytes, MutableBytes& bytes) const {
  if (stored_bytes != bytes_) return nullptr;
  auto image = make_unset(bytes_);
  bytes = image->bytes;
  return image;
}

StoredChunk DenseFormat::encode(const ChunkImage& image, bool whole) const {
  StoredChunk stored;
  const Bytes bytes = pack(image, whole, stored);
  if (stored.bytes.empty()) stored.bytes = copied(bytes);
  return stored;
}

Bytes DenseFormat::pack(const ChunkImage& image, bool whole, StoredChunk& room) const {
  room = {};
  if (plain(whole)) return dense(image).bytes;
  Workspace result;
  room.bytes = copied(pipeline_.encode(dense(image).bytes, room.form.filter_mask, result));
  return room.bytes;
}

void DenseFormat::read_runs(const std::byte* chunk, std::span<const space::ChunkRun> runs,
                            const Values& values) const {
  const auto copy = [&](std::size_t chunk_offset, std::size_t memory, std::size_t bytes) {
    std::memcpy(values.memory + memory, chunk + chunk_offset, bytes);
  };
  if (values.conversion.traits().copies && copy_runs(runs, shape_.element_bytes, copy)) return;
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply(
        {chunk + run.chunk_offset * shape_.element_bytes, shape_.element_bytes,
         values.memory + run.memory * values.element_bytes, values.element_bytes, run.length},
        values.context);
  }
}

void DenseFormat::write_runs(std::byte* chunk, std::span<const space::ChunkRun> runs,
                             const Values& values) const {
  const auto copy = [&](std::size_t chunk_offset, std::size_t memory, std::size_t bytes) {
    std::memcpy(chunk + chunk_offset, values.memory + memory, bytes);
  };
  if (values.conversion.traits().copies && values.replaced == nullptr &&
      copy_runs(runs, shape_.element_bytes, copy))
    return;
  Buffer before;
  for (const space::ChunkRun& run : runs) {
    const Bytes place(chunk + run.chunk_offset * shape_.element_bytes, run.length * shape_.element_bytes);
    if (values.replaced != nullptr) before.assign(place.begin(), place.end());
    values.conversion.apply(
        {values.memory + run.memory * values.element_bytes, values.element_bytes,
         chunk + run.chunk_offset * shape_.element_bytes, shape_.element_bytes, run.length},
        values.context);
    if (values.replaced != nullptr) (*values.replaced)(before, place);
  }
}

void DenseFormat::read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
                       const Values& values) const {
  read_runs(dense(image).bytes.data(), runs, values);
}

void DenseFormat::write(ChunkImage& image, std::span<const space::ChunkRun> runs,
                        const Values& values) const {
  write_runs(dense(image).bytes.data(), runs, values);
}

void DenseFormat::read_stored(Bytes stored, const StoredForm& form, bool whole,
                              std::span<const space::ChunkRun> runs, const Values& values) const {
  if (plain(whole)) {
    require_plain_size(stored.size());
    return read_runs(stored.data(), runs, values);
  }
  Workspace room;
  read_runs(pipeline_.decode(stored, form.filter_mask, bytes_, room).data(), runs, values);
}

StoredChunk DenseFormat::write_stored(std::span<const space::ChunkRun> runs, const Values& values,
                                      bool whole) const {
  StoredChunk stored;
  if (plain(whole)) {
    stored.bytes.resize(bytes_);
    write_plain(runs, values, whole, stored.bytes);
    return stored;
  }
  Workspace image, result;
  const MutableBytes chunk = image.allocate(bytes_);
  write_plain(runs, values, whole, chunk);
  stored.bytes = copied(pipeline_.encode(chunk, stored.form.filter_mask, result));
  return stored;
}

void DenseFormat::write_plain(std::span<const space::ChunkRun> runs, const Values& values, bool whole,
                              MutableBytes chunk) const {
  // A conversion may leave holes within elements.
  if (!whole || !values.conversion.traits().copies) fill(chunk);
  write_runs(chunk.data(), runs, values);
}

void DenseFormat::for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const {
  see(dense(image).bytes);
}

void DenseFormat::for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const {
  change(dense(image).bytes);
}

}  // namespace filigree::chunk
