// SPDX-License-Identifier: Apache-2.0
//
// The shape of data.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// A dimension without upper limit.
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// Nothing (null), one value (scalar), or an array of up to 32 dimensions, slowest first.
class FILIGREE_EXPORT Dataspace {
 public:
  /// One value, an array, or nothing.
  enum class Kind : std::uint8_t { scalar, simple, null };

  Dataspace() = default;
  /// One value.
  static Dataspace scalar() { return {}; }
  /// For datasets and attributes without elements.
  static Dataspace null();
  /// Throws Error for more than 32 dimensions, or a maximum below its dimension.
  static Dataspace simple(std::vector<std::uint64_t> dims, std::vector<std::uint64_t> max_dims = {});

  Kind kind() const { return kind_; }
  /// Empty unless it is simple.
  const std::vector<std::uint64_t>& dims() const& { return dims_; }
  /// Of a temporary, so that a loop over `data.space().dims()` has something to go over.
  std::vector<std::uint64_t> dims() && { return std::move(dims_); }
  /// As dims() where nothing else was given; may hold `unlimited`.
  const std::vector<std::uint64_t>& max_dims() const& { return max_dims_; }
  std::vector<std::uint64_t> max_dims() && { return std::move(max_dims_); }
  /// Throws Error(limit) when the number does not fit in 64 bits.
  std::uint64_t elements() const;
  /// "{10, 20}", "{10/Inf, 20}", "{SCALAR}", "{NULL}".
  std::string text() const;

  friend bool operator==(const Dataspace&, const Dataspace&) = default;

 private:
  Kind kind_ = Kind::scalar;
  std::vector<std::uint64_t> dims_;
  std::vector<std::uint64_t> max_dims_;
};

}  // namespace filigree
