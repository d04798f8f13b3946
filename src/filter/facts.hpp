// SPDX-License-Identifier: Apache-2.0
//
// What the writer of a dataset tells its filters once, when the dataset is made: the plain facts of the
// datatype and the chunk that stock HDF5's filters turn into parameters ("set_local").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"

namespace filigree::filter {

/// A datatype as filters see it.
struct TypeFacts {
  enum class Kind {
    integer,
    floating,
    array,     ///< `parts` is the type of its elements
    compound,  ///< `parts` are its members
    other,     ///< strings, opaque, enumerations, bit fields, references, variable length, time
  };
  enum class Order { little, big, none };

  Kind kind = Kind::other;
  std::uint32_t bytes = 1;
  Order order = Order::none;         ///< of bytes in a number
  std::uint32_t precision_bits = 0;  ///< of a number; its significant bits
  std::uint32_t offset_bits = 0;     ///< of a number; unused bits below the significant ones
  bool is_signed = false;            ///< of an integer
  std::uint32_t at = 0;              ///< of a member: where it starts in its compound
  std::vector<TypeFacts> parts = {};
};

struct ChunkFacts {
  TypeFacts type;
  std::vector<std::uint64_t> dims;  ///< of a chunk, in elements
  std::optional<Buffer> fill = {};  ///< one element as it is stored; zeros when default, none when undefined

  std::uint64_t elements() const {
    std::uint64_t product = 1;
    for (std::uint64_t dim : dims) product *= dim;
    return product;
  }
};

}  // namespace filigree::filter
