// SPDX-License-Identifier: Apache-2.0
#include "chunk/dense_format.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::chunk {
namespace {

/// The format counts a chunk's bytes in 32 bits; larger ones are for later layouts.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;

class DenseImage final : public ChunkImage {
 public:
  explicit DenseImage(Buffer held) : bytes(std::move(held)) {}
  DenseImage(const DenseImage&) = default;
  std::size_t memory_bytes() const override { return bytes.size(); }
  Buffer bytes;
};

const DenseImage& dense(const ChunkImage& image) { return static_cast<const DenseImage&>(image); }
DenseImage& dense(ChunkImage& image) { return static_cast<DenseImage&>(image); }

}  // namespace

DenseFormat::DenseFormat(DenseShape shape, filter::Pipeline pipeline)
    : shape_(std::move(shape)), pipeline_(std::move(pipeline)) {
  const std::uint64_t bytes = checked_multiply(shape_.elements, shape_.element_bytes, "the bytes of a chunk");
  if (bytes > most_bytes)
    throw Error(ErrorKind::limit,
                fmt::format("chunks of {} bytes; at most {} are possible", bytes, most_bytes));
  bytes_ = static_cast<std::size_t>(bytes);
}

std::unique_ptr<ChunkImage> DenseFormat::blank() const {
  Buffer bytes(bytes_);
  const std::size_t step = shape_.fill.size();
  if (step != 0 && std::ranges::any_of(shape_.fill, [](std::byte b) { return b != std::byte{0}; })) {
    // Doubles what is there until the chunk is full.
    std::memcpy(bytes.data(), shape_.fill.data(), step);
    for (std::size_t done = step; done < bytes_;) {
      const std::size_t more = std::min(done, bytes_ - done);
      std::memcpy(bytes.data() + done, bytes.data(), more);
      done += more;
    }
  }
  return std::make_unique<DenseImage>(std::move(bytes));
}

std::unique_ptr<ChunkImage> DenseFormat::copy(const ChunkImage& image) const {
  return std::make_unique<DenseImage>(dense(image));
}

std::unique_ptr<ChunkImage> DenseFormat::decode(Bytes stored, std::uint32_t filter_mask, bool whole) const {
  if (!plain(whole)) return std::make_unique<DenseImage>(pipeline_.decode(stored, filter_mask, bytes_));
  if (stored.size() != bytes_) {
    throw Error(ErrorKind::corrupt,
                fmt::format("an unfiltered chunk is stored in {} bytes, not in {}", stored.size(), bytes_));
  }
  return std::make_unique<DenseImage>(Buffer(stored.begin(), stored.end()));
}

StoredChunk DenseFormat::encode(const ChunkImage& image, bool whole) const {
  StoredChunk stored;
  if (plain(whole)) {
    stored.bytes = dense(image).bytes;
  } else {
    stored.bytes = pipeline_.encode(dense(image).bytes, stored.filter_mask);
  }
  return stored;
}

void DenseFormat::read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
                       const Values& values) const {
  const std::byte* const chunk = dense(image).bytes.data();
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply(
        {chunk + run.local * shape_.element_bytes, shape_.element_bytes,
         values.memory + run.memory * values.element_bytes, values.element_bytes, run.length},
        values.context);
  }
}

void DenseFormat::write(ChunkImage& image, std::span<const space::ChunkRun> runs,
                        const Values& values) const {
  std::byte* const chunk = dense(image).bytes.data();
  for (const space::ChunkRun& run : runs) {
    values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                             chunk + run.local * shape_.element_bytes, shape_.element_bytes, run.length},
                            values.context);
  }
}

}  // namespace filigree::chunk
