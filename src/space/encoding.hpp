// SPDX-License-Identifier: Apache-2.0
//
// Encoding of selections and dataspaces: the encodings that HDF5 chooses, the smallest one, and those of
// sparse chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/messages/dataspace.hpp"
#include "format/selections/selection.hpp"
#include "space/frame.hpp"
#include "space/huge_selection.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"
#include "space/unlimited_slab.hpp"

namespace filigree::space {

/// The releases of HDF5 that introduced encodings.
enum class Release : std::uint8_t { earliest, v18, v110, v112, v114, v200, latest = v114 };

/// Library version bounds: `low` demands at least its encodings, and `high` must be able to read the result.
struct ReleaseBounds {
  Release low = Release::earliest;
  Release high = Release::latest;
};

/// The encoding that HDF5 chooses, with its order of blocks. *Throws* Error(limit) if `high` has no encoding
/// for the selection, or if there are more blocks than the version for `low` can hold.
format::EncodedSelection hdf5_encoding(const Selection& selection, const ReleaseBounds& bounds = {});
format::EncodedSelection hdf5_encoding(const UnlimitedSlab& slab, const ReleaseBounds& bounds = {});
format::EncodedSelection hdf5_encoding(const HugeSelection& selection, const ReleaseBounds& bounds = {});

/// The encoding of the fewest bytes with the same elements in the same order. Scattered elements of a set
/// become points, and ascending points may become a hyperslab.
format::EncodedSelection smallest_encoding(const Selection& selection);

/// The frame of an extent, which is empty for a null dataspace.
Frame frame_of(const format::DataspaceMessage& extent);

/// An extent and a selection as H5Sencode returns them. Every dimension takes `length_bytes`: HDF5 always
/// writes 8, and also reads 2 and 4.
Buffer encode_dataspace(const format::DataspaceMessage& extent, const format::EncodedSelection& selection,
                        std::uint8_t length_bytes = 8);

/// The encodings of the defined elements of a sparse chunk, which are always in row-major order.
enum class DefinedEncoding : std::uint8_t {
  standard,  ///< as HDF5 1.10 writes and reads
  compact,   ///< with the versions of HDF5 1.12 and the narrowest numbers
  smallest,  ///< like compact, with narrow dimensions, and points if they take fewer bytes
};
/// Encodes the elements that a sparse chunk defines.
Buffer encode_defined(const Frame& chunk, const RunSet& defined, DefinedEncoding form);

/// Limits and context for decoding.
struct DecodeOptions {
  /// A few bytes can describe any number of runs. More runs than this, and more than there are blocks, are
  /// rejected with Error(limit).
  std::uint64_t runs_at_most = std::uint64_t{1} << 24;
  Address where = Address::undefined;  ///< address of the bytes, for error messages
  /// For decode_dataspace(): the selection may exceed the extent. Its frame then contains both.
  bool may_exceed_extent = false;
};

/// A decoded selection.
struct DecodedSelection {
  Selection selection;                     ///< empty if the selection is unlimited
  std::optional<UnlimitedSlab> unlimited;  ///< the unlimited selection, which the caller clips
  /// The selection in an extent of 2^64 elements or more, unless it selects all; for decode_dataspace().
  std::optional<HugeSelection> huge;
  std::size_t bytes = 0;  ///< size of the encoding; other bytes may follow
};

/// *Throws* Error(corrupt) or Error(truncated) if the bytes are not a selection of `frame`, naming elements
/// outside.
DecodedSelection decode_selection(Bytes bytes, const Frame& frame, const DecodeOptions& options = {});
/// The same for a selection that is part of another structure.
DecodedSelection decode_selection(const format::EncodedSelection& encoded, const Frame& frame,
                                  const DecodeOptions& options = {});

/// A decoded dataspace with its selection.
struct DecodedDataspace {
  format::DataspaceMessage extent;
  DecodedSelection selection;
  std::size_t bytes = 0;
};
DecodedDataspace decode_dataspace(Bytes bytes, const DecodeOptions& options = {});

/// The elements that a sparse chunk defines, in the order of their values. Accepts any encoding and any
/// maximum dimensions.
Selection decode_defined(Bytes bytes, const Frame& chunk, const DecodeOptions& options = {});

}  // namespace filigree::space
