// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of filters: transformations of the bytes of chunks.
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

/// The elements of a chunk. Blocks of a filtered heap have no elements; they count bytes instead.
struct ElementLayout {
  std::size_t element_bytes = 1;
  std::uint64_t elements = 0;  ///< number of elements of a full chunk
};

/// A filter with fixed parameters, which serves all chunks of a dataset.
///
/// *Thread safety*: all members may be called from any thread.
class BoundFilter {
 public:
  virtual ~BoundFilter() = default;

  /// Returns the stored form of `unfiltered`. *Throws* Error if the filter cannot encode these bytes; a
  /// pipeline then skips the filter if it is optional.
  virtual Buffer encode(Bytes unfiltered) const = 0;

  /// The inverse of encode(), for untrusted bytes. Allocates no more than `max_bytes`. *Throws*
  /// Error(corrupt) or Error(truncated) if the bytes are not a result of encode(), or decode to more than
  /// `max_bytes`.
  virtual Buffer decode(Bytes stored, std::size_t max_bytes) const = 0;

  /// The same two with their result in `workspace`, whose memory is reused. Filters whose results are as
  /// large as chunks override them.
  virtual Bytes encode_in(Workspace& workspace, Bytes unfiltered) const {
    return workspace.keep(encode(unfiltered));
  }
  virtual Bytes decode_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const {
    return workspace.keep(decode(stored, max_bytes));
  }

  /// As decode_in(), without comparing a checksum with the data (H5Pset_edc_check). Filters that have one
  /// override it.
  virtual Bytes decode_unverified_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const {
    return decode_in(workspace, stored, max_bytes);
  }

  /// Whether decode() may return more than `max_bytes`. The pipeline ignores what is behind the chunk.
  virtual bool may_decode_more() const { return false; }

  /// Whether an optional filter is skipped if its result is not smaller than the data.
  virtual bool skips_growth() const { return false; }
};

/// A kind of filter; there is one object for each filter id.
///
/// *Thread safety*: all members may be called from any thread.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual std::uint16_t id() const = 0;
  /// The name that HDF5 stores in the file. It is informative only.
  virtual std::string_view name() const = 0;
  /// Checks the parameters ("client data" in the file) once for all chunks and returns the filter with them.
  /// *Throws* Error(corrupt) if they are invalid.
  virtual std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                                  const ElementLayout& layout) const = 0;

  /// Returns the parameters that a new dataset stores. `requested` are the values that a program passes to
  /// H5Pset_filter; the datatype and the chunk supply the rest, as in HDF5. *Throws* Error(invalid_argument)
  /// if the filter cannot be applied to such chunks.
  virtual std::vector<std::uint32_t> prepare(std::span<const std::uint32_t> requested,
                                             const ChunkFacts&) const {
    return {requested.begin(), requested.end()};
  }
};

}  // namespace filigree::filter
