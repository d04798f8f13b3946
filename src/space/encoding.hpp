// SPDX-License-Identifier: Apache-2.0
//
// Selections and dataspaces as bytes: stock's encodings, the smallest one, and the one for sparse chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/dataspace.hpp"
#include "format/selections/selection.hpp"
#include "space/frame.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"
#include "space/unlimited_slab.hpp"

namespace filigree::space {

/// Releases of stock HDF5 that brought encodings of their own.
enum class Release : std::uint8_t { earliest, v18, v110, v112, v114, latest = v114 };

/// What is written is no older than `low` asks for, and is understood by `high`.
struct ReleaseBounds {
  Release low = Release::earliest;
  Release high = Release::latest;
};

/// The encoding that stock chooses. Blocks stand in its order. Throws Error(limit) for what `high` has no
/// encoding for, and for blocks too many for the version that `low` asks for.
format::EncodedSelection hdf5_encoding(const Selection& selection, const ReleaseBounds& bounds = {});
format::EncodedSelection hdf5_encoding(const UnlimitedSlab& slab, const ReleaseBounds& bounds = {});

/// The encoding of the fewest bytes that visits the same elements in the same order: scattered elements of a
/// set become points, points in ascending order may become a hyperslab.
format::EncodedSelection smallest_encoding(const Selection& selection);

/// The frame of an extent; an empty one for the null extent.
Frame frame_of(const format::DataspaceMessage& extent);

/// An extent and a selection of its elements, as H5Sencode returns them. Dimensions are written in
/// `length_bytes` each: stock always writes 8, and reads 2 and 4 too.
Buffer encode_dataspace(const format::DataspaceMessage& extent, const format::EncodedSelection& selection,
                        std::uint8_t length_bytes = 8);

/// How the elements that a sparse chunk defines are written, always in row-major order.
enum class DefinedEncoding : std::uint8_t {
  standard,  ///< as stock 1.10 writes and reads
  compact,   ///< in the versions of 1.12, with the narrowest numbers
  smallest,  ///< like compact, with narrow dimensions too, and points where they take fewer bytes
};
Buffer encode_defined(const Frame& chunk, const RunSet& defined, DefinedEncoding form);

struct DecodeOptions {
  /// A few bytes can describe any number of runs: more than these, and more than there are blocks, are
  /// refused with Error(limit).
  std::uint64_t runs_at_most = std::uint64_t{1} << 24;
  Address where = Address::undefined;  ///< for messages
};

struct DecodedSelection {
  Selection selection;                     ///< of nothing when it is unlimited
  std::optional<UnlimitedSlab> unlimited;  ///< to be clipped
  std::size_t bytes = 0;                   ///< that it took; others may follow
};

/// Throws Error(corrupt or truncated) for bytes that are no selection of `frame`, naming what lies beyond it.
DecodedSelection decode_selection(Bytes bytes, const Frame& frame, const DecodeOptions& options = {});
/// As above, for one that is part of another structure.
DecodedSelection decode_selection(const format::EncodedSelection& encoded, const Frame& frame,
                                  const DecodeOptions& options = {});

struct DecodedDataspace {
  format::DataspaceMessage extent;
  DecodedSelection selection;
  std::size_t bytes = 0;
};
DecodedDataspace decode_dataspace(Bytes bytes, const DecodeOptions& options = {});

/// The elements that a sparse chunk defines, in the order of their values; any encoding, any maximum extent.
Selection decode_defined(Bytes bytes, const Frame& chunk, const DecodeOptions& options = {});

}  // namespace filigree::space
