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

/// Memory for larger chunks is allocated only after their bytes were decoded: a damaged file may declare any
/// size.
constexpr std::size_t most_trusted_bytes = std::size_t{16} << 20;

using Block = BlockPool::Block;

/// Its bytes are in a vector, or in a block that is not zeroed before the file is read into it.
class DenseDecodedChunk final : public DecodedChunk {
 public:
  explicit DenseDecodedChunk(Buffer held) : list_(std::move(held)), bytes(list_) {}
  DenseDecodedChunk(Block block, std::size_t size) : block_(std::move(block)), bytes(block_.get(), size) {}
  std::size_t memory_bytes() const override { return bytes.size(); }

 private:
  Buffer list_;
  Block block_;

 public:
  const MutableBytes bytes;
};

std::unique_ptr<DenseDecodedChunk> make_unset(std::size_t bytes) {
  Block block = BlockPool::shared().allocate(bytes);
  prefer_large_pages(block.get(), bytes);
  return std::make_unique<DenseDecodedChunk>(std::move(block), bytes);
}

std::unique_ptr<DenseDecodedChunk> make_zeroed(std::size_t bytes) {
  if (bytes <= BlockPool::most_bytes) {
    auto decoded = make_unset(bytes);
    std::ranges::fill(decoded->bytes, std::byte{0});
    return decoded;
  }
  // Fresh pages of the system are zero already.
  Block block(static_cast<std::byte*>(std::calloc(bytes, 1)));
  if (!block) throw std::bad_alloc();
  prefer_large_pages(block.get(), bytes);
  return std::make_unique<DenseDecodedChunk>(std::move(block), bytes);
}

std::unique_ptr<DenseDecodedChunk> make_copy(Bytes bytes) {
  auto decoded = make_unset(bytes.size());
  if (!bytes.empty()) std::memcpy(decoded->bytes.data(), bytes.data(), bytes.size());
  return decoded;
}

const DenseDecodedChunk& dense(const DecodedChunk& decoded) {
  return static_cast<const DenseDecodedChunk&>(decoded);
}
DenseDecodedChunk& dense(DecodedChunk& decoded) { return static_cast<DenseDecodedChunk&>(decoded); }

Buffer copied(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

/// Single elements that need no conversion: a call for each of them would take longer than the copy. `Copy`
/// gets the byte offsets in the chunk and in memory.
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

/// Returns false if there is no loop for elements of this size.
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

/// *Requires*: one or more complete elements.
void DenseFormat::fill(MutableBytes elements) const {
  if (shape_.fill.empty()) {
    std::ranges::fill(elements, std::byte{0});
    return;
  }
  // Doubles the filled part in each step.
  std::ranges::copy(shape_.fill, elements.begin());
  for (std::size_t done = shape_.fill.size(); done < elements.size();) {
    const std::size_t more = std::min(done, elements.size() - done);
    std::memcpy(elements.data() + done, elements.data(), more);
    done += more;
  }
}

std::unique_ptr<DecodedChunk> DenseFormat::blank() const {
  if (shape_.fill.empty() || bytes_ == 0) return make_zeroed(bytes_);
  auto decoded = make_unset(bytes_);
  fill(decoded->bytes);
  return decoded;
}

void DenseFormat::erase(DecodedChunk& decoded, const space::RunSet& elements) const {
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    const space::Run run = elements.run(i);
    fill(dense(decoded).bytes.subspan(run.start * shape_.element_bytes, run.length * shape_.element_bytes));
  }
}

std::unique_ptr<DecodedChunk> DenseFormat::copy(const DecodedChunk& decoded) const {
  return make_copy(dense(decoded).bytes);
}

void DenseFormat::require_unfiltered_size(std::size_t bytes) const {
  if (bytes == bytes_) return;
  throw Error(ErrorKind::corrupt,
              fmt::format("an unfiltered chunk is stored in {} bytes, not in {}", bytes, bytes_));
}

std::unique_ptr<DecodedChunk> DenseFormat::decode(const StoredChunkView& stored) const {
  if (is_unfiltered(stored.edge)) {
    require_unfiltered_size(stored.bytes.size());
    return make_copy(stored.bytes);
  }
  if (bytes_ <= most_trusted_bytes) {
    auto decoded = make_unset(bytes_);
    pipeline_.decode_into(stored.bytes, stored.info.filter_mask, decoded->bytes, stored.info.decoding);
    return decoded;
  }
  Workspace workspace;
  return make_copy(
      pipeline_.decode(stored.bytes, stored.info.filter_mask, bytes_, workspace, stored.info.decoding));
}

std::unique_ptr<DecodedChunk> DenseFormat::adopt(Buffer stored) const {
  require_unfiltered_size(stored.size());
  return std::make_unique<DenseDecodedChunk>(std::move(stored));
}

std::unique_ptr<DecodedChunk> DenseFormat::make_unread(std::uint64_t stored_bytes,
                                                       MutableBytes& bytes) const {
  if (stored_bytes != bytes_) return nullptr;
  auto decoded = make_unset(bytes_);
  bytes = decoded->bytes;
  return decoded;
}

Bytes DenseFormat::stored_bytes(const DecodedChunk& decoded) const { return dense(decoded).bytes; }

StoredChunk DenseFormat::encode(const DecodedChunk& decoded, ChunkEdge edge) const {
  StoredChunk stored;
  if (is_unfiltered(edge)) {
    stored.bytes = copied(dense(decoded).bytes);
    return stored;
  }
  Workspace workspace;
  stored.bytes = copied(pipeline_.encode(dense(decoded).bytes, stored.info.filter_mask, workspace));
  return stored;
}

FormatTraits DenseFormat::traits(std::uint64_t chunk_bytes) const {
  const bool partial_edges_differ = is_unfiltered(ChunkEdge::full) != is_unfiltered(ChunkEdge::partial);
  return {!pipeline_.empty(), partial_edges_differ, chunk_bytes};
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
    const Bytes target(chunk + run.chunk_offset * shape_.element_bytes, run.length * shape_.element_bytes);
    if (values.replaced != nullptr) before.assign(target.begin(), target.end());
    values.conversion.apply(
        {values.memory + run.memory * values.element_bytes, values.element_bytes,
         chunk + run.chunk_offset * shape_.element_bytes, shape_.element_bytes, run.length},
        values.context);
    if (values.replaced != nullptr) (*values.replaced)(before, target);
  }
}

void DenseFormat::read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                       const Values& values) const {
  read_runs(dense(decoded).bytes.data(), runs, values);
}

void DenseFormat::write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                        const Values& values) const {
  write_runs(dense(decoded).bytes.data(), runs, values);
}

void DenseFormat::read_stored(const StoredChunkView& stored, std::span<const space::ChunkRun> runs,
                              const Values& values) const {
  if (is_unfiltered(stored.edge)) {
    require_unfiltered_size(stored.bytes.size());
    return read_runs(stored.bytes.data(), runs, values);
  }
  Workspace workspace;
  read_runs(
      pipeline_.decode(stored.bytes, stored.info.filter_mask, bytes_, workspace, stored.info.decoding).data(),
      runs, values);
}

StoredChunk DenseFormat::write_stored(std::span<const space::ChunkRun> runs, const Values& values,
                                      ChunkEdge edge) const {
  StoredChunk stored;
  if (is_unfiltered(edge)) {
    stored.bytes.resize(bytes_);
    write_unfiltered(runs, values, edge, stored.bytes);
    return stored;
  }
  Workspace elements, encoded;
  const MutableBytes chunk = elements.allocate(bytes_);
  write_unfiltered(runs, values, edge, chunk);
  stored.bytes = copied(pipeline_.encode(chunk, stored.info.filter_mask, encoded));
  return stored;
}

void DenseFormat::write_unfiltered(std::span<const space::ChunkRun> runs, const Values& values,
                                   ChunkEdge edge, MutableBytes chunk) const {
  // A conversion may leave padding inside of elements.
  if (edge == ChunkEdge::partial || !values.conversion.traits().copies) fill(chunk);
  write_runs(chunk.data(), runs, values);
}

void DenseFormat::for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const {
  visit(dense(decoded).bytes);
}

void DenseFormat::for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const {
  change(dense(decoded).bytes);
}

std::unique_ptr<const ChunkFormat> make_dense_format(FormatSetup setup) {
  DenseShape shape;
  shape.element_bytes = setup.type.size;
  shape.elements = setup.chunk_elements();
  shape.fill = std::move(setup.fill.elements);
  shape.filter_partial_edges = setup.filter_partial_edges();
  const filter::ElementLayout layout{shape.element_bytes, shape.elements};
  return std::make_unique<DenseFormat>(std::move(shape), bind_filters(setup.pipeline.filters, layout));
}

}  // namespace filigree::chunk
