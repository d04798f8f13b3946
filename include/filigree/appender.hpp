// SPDX-License-Identifier: Apache-2.0
//
// Values that come one after the other, for a dataset that grows with them.
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

/// How the extent follows what is appended.
enum class Growth : std::uint8_t {
  geometric,  ///< by half at a time: it is exact after flush() and close() only, and needs few changes
  exact,      ///< whenever values are written
};

/// How an appender works.
struct AppenderOptions {
  std::optional<std::size_t> dimension;  ///< that grows; none: the first that may
  std::size_t buffer_bytes = 4u << 20;   ///< held back at most; rounded so that whole chunks are written
  Growth growth = Growth::geometric;
};

/// What appenders of all types do. Values come in slices: all elements of one step of the growing dimension,
/// in row-major order. Appends after what the dataset has; nobody else may change its dimensions meanwhile.
class FILIGREE_EXPORT BufferedAppender {
 public:
  BufferedAppender(BufferedAppender&&) noexcept;
  BufferedAppender& operator=(BufferedAppender&&) noexcept;  ///< what was here is closed as if destroyed
  /// Closes, but cannot tell of failures.
  ~BufferedAppender();

  /// Slices of the dataset with all that was appended; a last one that is not complete does not count.
  std::uint64_t length() const;
  /// Elements of one slice.
  std::size_t slice_elements() const;
  /// Writes all complete slices to the dataset and makes its extent exact. After an Error nothing is lost: it
  /// may be called again.
  void flush();
  /// Flushes. Throws Error(invalid_argument) when the last slice is not complete: it can still be completed
  /// then.
  void close();

 protected:
  BufferedAppender(Dataset dataset, const Datatype& memory_type, const AppenderOptions& options);
  void append(const void* values, std::size_t count);

 private:
  struct Impl;
  explicit BufferedAppender(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

///     filigree::Appender<float> log(dataset);
///     for (...) log.append(sensor());
///     log.close();
template <Element T>
class Appender : public BufferedAppender {
  static_assert(std::is_trivially_copyable_v<T>, "values are held back as bytes");

 public:
  /// Throws Error(invalid_argument) for a dataset without a dimension that may grow.
  explicit Appender(Dataset dataset, const AppenderOptions& options = {})
      : BufferedAppender(std::move(dataset), Datatype::memory<T>(), options) {}
  /// Takes all values, even when it throws because some could not be written: flush() tries again.
  void append(std::span<const T> values) { BufferedAppender::append(values.data(), values.size()); }
  /// One value.
  void append(const T& value) { BufferedAppender::append(&value, 1); }
};

}  // namespace filigree
