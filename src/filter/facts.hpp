// SPDX-License-Identifier: Apache-2.0
//
// The properties of a datatype and a chunk from which filters derive their parameters when a dataset is
// created. HDF5 passes the same information to the "set_local" callback of a filter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The properties of a datatype that matter to filters.
struct TypeFacts {
  enum class Kind {
    integer,
    floating,
    array,     ///< `parts` holds the type of its elements
    compound,  ///< `parts` holds its members
    other,     ///< strings, opaque, enumerations, bit fields, references, variable length, time
  };
  enum class Order { little, big, none };

  Kind kind = Kind::other;
  std::uint32_t bytes = 1;           ///< size of an element
  Order order = Order::none;         ///< byte order of a number
  std::uint32_t precision_bits = 0;  ///< number of significant bits of a number
  std::uint32_t offset_bits = 0;     ///< number of unused bits below the significant ones
  bool is_signed = false;            ///< whether an integer is signed
  bool is_variable = false;          ///< whether elements have variable length
  std::uint32_t at = 0;              ///< byte offset of a member in its compound
  std::vector<TypeFacts> parts = {};
};

/// The properties of the chunks of a dataset.
struct ChunkFacts {
  TypeFacts type;
  std::vector<std::uint64_t> dims;  ///< dimensions of a chunk, in elements
  std::optional<Buffer> fill = {};  ///< one element as stored; zeros if default, unset if undefined

  /// The number of elements of a chunk.
  std::uint64_t elements() const {
    std::uint64_t product = 1;
    for (std::uint64_t dim : dims) product *= dim;
    return product;
  }
};

}  // namespace filigree::filter
