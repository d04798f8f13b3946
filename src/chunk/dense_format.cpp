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
  Buffer bytes(bytes_);
  if (!shape_.fill.empty() && !bytes.empty()) fill(bytes);
  return std::make_unique<DenseImage>(std::move(bytes));
}

void DenseFormat::erase(ChunkImage& image, const space::RunSet& elements) const {
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    const space::Run run = elements.run(i);
    fill(MutableBytes(dense(image).bytes)
             .subspan(run.start * shape_.element_bytes, run.length * shape_.element_bytes));
  }
}

std::unique_ptr<ChunkImage> DenseFormat::copy(const ChunkImage& image) const {
  return std::make_unique<DenseImage>(dense(image));
}

std::unique_ptr<ChunkImage> DenseFormat::decode(Bytes stored, const StoredForm& form, bool whole) const {
  if (!plain(whole)) return std::make_unique<DenseImage>(pipeline_.decode(stored, form.filter_mask, bytes_));
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
    stored.bytes = pipeline_.encode(dense(image).bytes, stored.form.filter_mask);
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
  Buffer before;
  for (const space::ChunkRun& run : runs) {
    const Bytes place(chunk + run.local * shape_.element_bytes, run.length * shape_.element_bytes);
    if (values.replaced != nullptr) before.assign(place.begin(), place.end());
    values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                             chunk + run.local * shape_.element_bytes, shape_.element_bytes, run.length},
                            values.context);
    if (values.replaced != nullptr) (*values.replaced)(before, place);
  }
}

void DenseFormat::for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const {
  see(dense(image).bytes);
}

void DenseFormat::for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const {
  change(dense(image).bytes);
}

}  // namespace filigree::chunk
