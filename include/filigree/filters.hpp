// SPDX-License-Identifier: Apache-2.0
//
// What chunks pass through on their way to the file.
#pragma once

#include <cstdint>
#include <vector>

#include <filigree/export.hpp>

namespace filigree {

/// A filter by its registered number. Parameters are those one gives to H5Pset_filter; what a filter has to
/// know of datatype and chunk is added when the dataset is made.
struct FilterChoice {
  std::uint16_t id = 0;
  std::vector<std::uint32_t> parameters;
  bool optional = false;  ///< chunks that it cannot serve are stored without it
};

namespace filters {

inline FilterChoice deflate(unsigned level = 6) { return {1, {level}, true}; }
inline FilterChoice shuffle() { return {2, {}, true}; }
inline FilterChoice fletcher32() { return {3, {}, false}; }
inline FilterChoice nbit() { return {5, {}, true}; }
/// Integers in as few bits as they need: `bits`, or 0 to find out.
inline FilterChoice scale_offset(unsigned bits = 0) { return {6, {2, bits}, true}; }
/// Floating-point numbers rounded to so many decimals.
inline FilterChoice decimals(unsigned digits) { return {6, {0, digits}, true}; }
/// The selection of a sparse chunk, in about as few bits as its entropy; of no use for values.
inline FilterChoice packed_selection() { return {500, {}, true}; }
inline FilterChoice lzf() { return {32000, {}, true}; }
inline FilterChoice lz4() { return {32004, {}, true}; }
inline FilterChoice zstd(unsigned level = 3) { return {32015, {level}, true}; }
inline FilterChoice bitshuffle_lz4() { return {32008, {0, 2}, true}; }

}  // namespace filters
}  // namespace filigree
