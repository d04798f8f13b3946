// SPDX-License-Identifier: Apache-2.0
//
// Dataspaces: the dimensions of datasets and attributes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// A dimension without an upper limit (H5S_UNLIMITED).
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// A dataspace: null (no element), scalar (one element), or simple (an array of up to 32 dimensions). The
/// first dimension varies slowest.
///
/// Thread safety: const calls may run on any number of threads.
class FILIGREE_EXPORT Dataspace {
 public:
  /// The classes of dataspaces.
  enum class Kind : std::uint8_t { scalar, simple, null };

  /// A scalar dataspace.
  Dataspace() = default;
  /// Returns a dataspace with one element.
  static Dataspace scalar() { return {}; }
  /// Returns a dataspace without elements.
  static Dataspace null();
  /// Returns a dataspace with these dimensions. Without `max_dims` the extent is fixed.
  /// Throws: Error for more than 32 dimensions, or a maximum that is smaller than its dimension.
  static Dataspace simple(std::vector<std::uint64_t> dims, std::vector<std::uint64_t> max_dims = {});

  Kind kind() const { return kind_; }
  /// Returns the current dimensions; empty unless the dataspace is simple.
  const std::vector<std::uint64_t>& dims() const& { return dims_; }
  /// Returns the dimensions by value, so that a loop over `data.space().dims()` is safe.
  std::vector<std::uint64_t> dims() && { return std::move(dims_); }
  /// Returns the maximum dimensions, which may be `unlimited`; the same as dims() for a fixed extent.
  const std::vector<std::uint64_t>& max_dims() const& { return max_dims_; }
  std::vector<std::uint64_t> max_dims() && { return std::move(max_dims_); }
  /// Returns the number of elements.
  /// Throws: Error(limit) if the number does not fit into 64 bits.
  std::uint64_t elements() const;
  /// Returns a description: "{10, 20}", "{10/Inf, 20}", "{SCALAR}", "{NULL}".
  std::string text() const;

  friend bool operator==(const Dataspace&, const Dataspace&) = default;

 private:
  Kind kind_ = Kind::scalar;
  std::vector<std::uint64_t> dims_;
  std::vector<std::uint64_t> max_dims_;
};

}  // namespace filigree
