// SPDX-License-Identifier: Apache-2.0
//
// Byte transforms on chunks: what a filter is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/workspace.hpp"
#include "filter/facts.hpp"

namespace filigree::filter {

/// What a chunk is made of. A block without elements (of a filtered heap) counts bytes.
struct ElementLayout {
  std::size_t element_bytes = 1;
  std::uint64_t elements = 0;  ///< of a whole chunk
};

/// A filter with its parameters settled. Serves every chunk, on any thread.
class BoundFilter {
 public:
  virtual ~BoundFilter() = default;

  /// What is stored for `plain`. Throws Error when the filter cannot serve these bytes; a pipeline
  /// then stores the chunk without it where it is optional.
  virtual Buffer encode(Bytes plain) const = 0;

  /// The inverse, of untrusted bytes. Throws Error(corrupt) or Error(truncated) when they are not
  /// something `encode` makes, or stand for more than `max_bytes`; never allocates beyond that.
  virtual Buffer decode(Bytes stored, std::size_t max_bytes) const = 0;

  /// The same two with results in `room`, whose memory is used again: worth their own code where results are
  /// as large as chunks.
  virtual Bytes encode_in(Workspace& room, Bytes plain) const { return room.keep(encode(plain)); }
  virtual Bytes decode_in(Workspace& room, Bytes stored, std::size_t max_bytes) const {
    return room.keep(decode(stored, max_bytes));
  }

  /// Whether a result that is not smaller than the data is better left out where the filter is optional.
  virtual bool skips_growth() const { return false; }
};

/// A kind of filter, one object per id. Every call may run on any thread.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual std::uint16_t id() const = 0;
  /// What stock HDF5 calls it in the file; a comment there.
  virtual std::string_view name() const = 0;
  /// Checks the parameters ("client data" in the file) against the chunk, once for all chunks.
  virtual std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                                  const ElementLayout& layout) const = 0;

  /// What a new dataset stores as parameters when its creator asks for `wanted`, as stock HDF5 derives it
  /// from datatype and chunk. Throws Error(invalid_argument) when the filter cannot serve such chunks.
  virtual std::vector<std::uint32_t> prepare(std::span<const std::uint32_t> wanted, const ChunkFacts&) const {
    return {wanted.begin(), wanted.end()};
  }
};

}  // namespace filigree::filter
