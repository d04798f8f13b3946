// SPDX-License-Identifier: Apache-2.0
//
// The filters of this folder; table.cpp lists them. Each says which parameters a file holds, and what
// prepare() makes them from ("wanted" are the values that a user of stock HDF5 passes to H5Pset_filter).
#pragma once

#include "filter/filter.hpp"

namespace filigree::filter {

/// 1: a zlib stream. Parameter: level 0 to 9.
const Filter& deflate_filter();

/// 2: all first bytes of the elements, then all second bytes, and so on. Parameter: bytes of an element.
/// Wanted: nothing.
const Filter& shuffle_filter();

/// 3: a checksum of four bytes behind the data. No parameters.
const Filter& fletcher32_filter();

/// 4: Rice codes of CCSDS 121. Parameters: options, pixels of a block, bits of a pixel, pixels of a line.
/// Wanted: options (SzipOption), pixels of a block.
const Filter& szip_filter();

/// 5: numbers without their unused bits. Parameters: a description of the type. Wanted: nothing.
const Filter& nbit_filter();

/// 6: the difference to the smallest value, in as few bits as hold it. Parameters: 20, of which prepare()
/// makes all but the first two. Wanted: ScaleKind, and the factor: decimal digits to keep of floating-point
/// numbers, bits of an integer (0: as many as needed).
const Filter& scale_offset_filter();

/// 500: encoded selections near their entropy (packed_selection.hpp). No parameters.
const Filter& packed_selection_filter();

/// 32000: LZF. Parameters: 4, 0x105, bytes of a chunk. Wanted: nothing.
const Filter& lzf_filter();

/// 32001: Blosc 1. Parameters: 2, 2, bytes of an element, bytes of a chunk, level 0 to 9, shuffle (0 none,
/// 1 bytes, 2 bits), codec. Wanted: the same, the first four being ignored; all are optional.
const Filter& blosc_filter();

/// 32004: blocks of LZ4. Parameter: bytes of a block (optional).
const Filter& lz4_filter();

/// 32008: bits of all elements transposed, then LZ4 or Zstandard. Parameters: version (two), bytes of an
/// element, elements of a block (0: chosen), compression (0 none, 2 LZ4, 3 Zstandard), level.
/// Wanted: those after the first three; all are optional.
const Filter& bitshuffle_filter();

/// 32015: a frame of Zstandard. Parameter: level (optional).
const Filter& zstd_filter();

/// Bits of szip's first parameter.
enum SzipOption : std::uint32_t {
  szip_k13 = 1,
  szip_chip = 2,
  szip_entropy = 4,  ///< pixels as they are
  szip_least_first = 8,
  szip_most_first = 16,
  szip_nearest = 32,  ///< differences of neighbours
  szip_raw = 128,
};

/// Scale-offset's first parameter.
enum class ScaleKind : std::uint32_t { decimal = 0, binary = 1, integer = 2 };

}  // namespace filigree::filter
