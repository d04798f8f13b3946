// SPDX-License-Identifier: Apache-2.0
#include <filigree/appender.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree {
namespace {

/// The largest chunk that is buffered completely.
constexpr std::uint64_t most_buffered_for_chunks = 64u << 20;
/// The most bytes that one change appends, unless a chunk is larger.
constexpr std::uint64_t most_written_at_once = 64u << 20;

std::size_t growing_dimension(const Dataspace& space, const AppenderOptions& options) {
  const std::size_t rank = space.dims().size();
  const auto grows = [&](std::size_t d) { return space.max_dims()[d] > space.dims()[d]; };
  if (options.dimension) {
    if (*options.dimension < rank) return *options.dimension;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("there is no dimension {}: the dataset has {}", *options.dimension, rank));
  }
  for (std::size_t d = 0; d < rank; ++d)
    if (grows(d)) return d;
  throw Error(ErrorKind::invalid_argument, "nothing can be appended: no dimension of the dataset may grow");
}

}  // namespace

struct BufferedAppender::Impl {
  Impl(Dataset to, const Datatype& type, const AppenderOptions& options)
      : dataset(std::move(to)), memory_type(type) {
    const Dataspace space = dataset.space();
    along = growing_dimension(space, options);
    dims = space.dims();
    written = dims[along];
    value_bytes = type.size();
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (d != along)
        (d < along ? before : after) = checked_multiply(d < along ? before : after, dims[d], "a slice");
    const std::uint64_t elements = checked_multiply(before, after, "a slice");
    if (elements == 0) throw Error(ErrorKind::invalid_argument, "a slice of the dataset has no elements");
    slice_bytes = static_cast<std::size_t>(checked_multiply(elements, value_bytes, "a slice"));
    const auto chunk = dataset.dataset_info().chunk;
    if (!chunk.empty()) chunk_slices = chunk[along];
    block = std::max<std::uint64_t>(1, options.buffer_bytes / slice_bytes);
    const auto chunk_bytes = try_multiply(chunk_slices, slice_bytes);
    if (chunk_bytes &&
        *chunk_bytes <= std::max<std::uint64_t>(most_buffered_for_chunks, options.buffer_bytes))
      block = std::max<std::uint64_t>(1, block / chunk_slices) * chunk_slices;
  }

  /// The number of slices that complete the last chunk of the dataset.
  std::uint64_t slices_to_full_block() const { return block - written % block; }

  void write(const std::byte* slices, std::uint64_t count) {
    if (count == 0) return;
    auto larger = dims;
    larger[along] = checked_add(written, count, "the length of the dataset");
    std::vector<std::uint64_t> start(dims.size(), 0);
    std::vector<std::uint64_t> box = dims;
    start[along] = written;
    box[along] = count;
    std::vector<std::byte> turned;
    if (before > 1) {
      turned = with_slices_inside(slices, count);
      slices = turned.data();
    }
    const auto selection = Selection::box(std::move(start), std::move(box));
    dataset.extend(larger, [&] {
      dataset.write_elements(memory_type, slices, count * (slice_bytes / value_bytes), selection);
    });
    dims = std::move(larger);
    written += count;
  }

  /// Slices are contiguous in the buffer; the box needs their rows interleaved.
  std::vector<std::byte> with_slices_inside(const std::byte* slices, std::uint64_t count) const {
    const std::size_t row = after * value_bytes;
    std::vector<std::byte> turned(count * slice_bytes);
    for (std::uint64_t i = 0; i < count; ++i)
      for (std::uint64_t b = 0; b < before; ++b)
        std::memcpy(&turned[(b * count + i) * row], slices + i * slice_bytes + b * row, row);
    return turned;
  }

  /// Writes the buffer up to the end of its last complete chunk, or all complete slices.
  void spill(bool all) {
    std::uint64_t count = buffer.size() / slice_bytes;
    if (!all) count = count < slices_to_full_block() ? 0 : count - (written + count) % block;
    write(buffer.data(), count);
    buffer.erase(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count * slice_bytes));
  }

  /// Writes values that fill blocks directly from memory of the caller, and returns how many bytes these are.
  /// Large values are several writes, so that the file is not locked for long.
  std::size_t write_blocks(const std::byte* values, std::size_t bytes) {
    const std::uint64_t most = std::max<std::uint64_t>(1, most_written_at_once / slice_bytes / block) * block;
    std::uint64_t slices = bytes / slice_bytes, done = 0;
    slices = slices < slices_to_full_block() ? 0 : slices - (written + slices) % block;
    try {
      while (done < slices) {
        const std::uint64_t count = std::min(slices - done, most - written % block);
        write(values + done * slice_bytes, count);
        done += count;
      }
    } catch (...) {
      buffer.assign(values + done * slice_bytes, values + bytes);
      throw;
    }
    return done * slice_bytes;
  }

  void append(const std::byte* values, std::size_t bytes) {
    if (closed) throw Error(ErrorKind::closed, "the appender has been closed");
    if (buffer.empty()) {
      const std::size_t written_bytes = write_blocks(values, bytes);
      values += written_bytes;
      bytes -= written_bytes;
    }
    buffer.insert(buffer.end(), values, values + bytes);
    if (buffer.size() >= slice_bytes * slices_to_full_block()) spill(false);
  }

  void flush() {
    if (!closed) spill(true);
  }

  void close() {
    if (closed) return;
    flush();
    if (!buffer.empty()) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("the last {} values make no slice: it has {}", buffer.size() / value_bytes,
                              slice_bytes / value_bytes));
    }
    closed = true;
  }

  Dataset dataset;
  Datatype memory_type;
  std::size_t along = 0;
  std::vector<std::uint64_t> dims;  ///< of the dataset now
  std::uint64_t written = 0;        ///< slices of the dataset
  std::uint64_t before = 1;         ///< elements of a slice in the dimensions before the growing one
  std::uint64_t after = 1;          ///< and in those after it
  std::size_t value_bytes = 1;
  std::size_t slice_bytes = 1;
  std::uint64_t chunk_slices = 1;
  std::uint64_t block = 1;  ///< writes end at multiples of so many slices
  std::vector<std::byte> buffer;
  bool closed = false;
};

BufferedAppender::BufferedAppender(Dataset dataset, const Datatype& memory_type,
                                   const AppenderOptions& options)
    : impl_(std::make_unique<Impl>(std::move(dataset), memory_type, options)) {}
BufferedAppender::BufferedAppender(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BufferedAppender::BufferedAppender(BufferedAppender&&) noexcept = default;
BufferedAppender& BufferedAppender::operator=(BufferedAppender&& other) noexcept {
  const BufferedAppender gone(std::exchange(impl_, std::move(other.impl_)));
  return *this;
}

BufferedAppender::~BufferedAppender() {
  if (!impl_) return;
  try {
    impl_->close();
  } catch (...) {  // callers that need the error call close()
  }
}

std::uint64_t BufferedAppender::length() const {
  return impl_->written + impl_->buffer.size() / impl_->slice_bytes;
}
std::size_t BufferedAppender::slice_elements() const { return impl_->slice_bytes / impl_->value_bytes; }
void BufferedAppender::flush() { impl_->flush(); }
void BufferedAppender::close() { impl_->close(); }
void BufferedAppender::append(const void* values, std::size_t count) {
  impl_->append(static_cast<const std::byte*>(values), count * impl_->value_bytes);
}

}  // namespace filigree
