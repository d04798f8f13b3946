// SPDX-License-Identifier: Apache-2.0
//
// Buffered appending to a dataset with an extensible dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

#include <filigree/dataset.hpp>
#include <filigree/export.hpp>

namespace filigree {

/// Options of an appender.
struct AppenderOptions {
  std::optional<std::size_t> dimension;  ///< the dimension that grows; unset: the first extensible one
  std::size_t buffer_bytes = 4u << 20;   ///< largest buffer; rounded so that full chunks are written
};

/// The part of an appender that does not depend on the element type.
///
/// Values are appended in slices. A slice holds all elements of one step along the growing dimension, in
/// row-major order. The first slice is appended after the existing extent. The extent never includes slices
/// that have not been written, so a flush of the file by another thread, and SWMR readers, see whole slices.
///
/// Requires: nothing else changes the extent of the dataset meanwhile.
/// Thread safety: one thread at a time may use an appender.
class FILIGREE_EXPORT BufferedAppender {
 public:
  BufferedAppender(BufferedAppender&&) noexcept;
  /// Closes the appender that is assigned to, as its destructor would.
  BufferedAppender& operator=(BufferedAppender&&) noexcept;
  /// Closes the appender and ignores failures; call close() to see them.
  ~BufferedAppender();

  /// Returns the number of complete slices of the dataset, buffered ones included.
  std::uint64_t length() const;
  /// Returns the number of elements of one slice.
  std::size_t slice_elements() const;
  /// Writes all complete slices.
  /// Throws: Error if writing fails. Nothing is lost then; flush() may be called again.
  void flush();
  /// Flushes the appender.
  /// Throws: Error(invalid_argument) if the last slice is incomplete; it can still be completed then.
  void close();

 protected:
  BufferedAppender(Dataset dataset, const Datatype& memory_type, const AppenderOptions& options);
  void append(const void* values, std::size_t count);

 private:
  struct Impl;
  explicit BufferedAppender(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Appends values of T to a dataset:
///
///     filigree::Appender<float> log(dataset);
///     for (...) log.append(sensor());
///     log.close();
template <Element T>
class Appender : public BufferedAppender {
  static_assert(std::is_trivially_copyable_v<T>, "values are buffered as bytes");

 public:
  /// Throws: Error(invalid_argument) for a dataset without an extensible dimension.
  explicit Appender(Dataset dataset, const AppenderOptions& options = {})
      : BufferedAppender(std::move(dataset), Datatype::memory<T>(), options) {}
  /// Appends all values.
  /// Throws: Error if writing fails. The values stay in the buffer then, and flush() tries again.
  void append(std::span<const T> values) { BufferedAppender::append(values.data(), values.size()); }
  /// Appends one value.
  void append(const T& value) { BufferedAppender::append(&value, 1); }
};

}  // namespace filigree
