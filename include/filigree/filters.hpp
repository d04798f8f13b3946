// SPDX-License-Identifier: Apache-2.0
//
// What chunks pass through on their way to the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
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

/// A filter of the program. Its functions are called by any number of threads at once; they throw Error when
/// they cannot serve the bytes.
struct UserFilter {
  /// The numbers that the dataset was made with.
  using Parameters = std::span<const std::uint32_t>;
  std::uint16_t id = 0;
  std::string name;
  /// What is stored for bytes of a chunk. None: the filter only reads.
  std::function<std::vector<std::byte>(std::span<const std::byte>, Parameters)> encode;
  /// The inverse, of bytes that anybody may have written. More than `most_bytes` are of no use.
  std::function<std::vector<std::byte>(std::span<const std::byte>, Parameters, std::size_t most_bytes)>
      decode;
};

/// What is known of a filter.
struct FilterDescription {
  std::string name;
  bool encodes = true;
  bool decodes = true;
};

namespace filters {

/// Makes a filter known to the whole process, in place of the one that has its number. Datasets that are open
/// keep those they have.
FILIGREE_EXPORT void add(UserFilter filter);
/// Takes a filter of the program away; false when there is none of that number. One of ours that it stood for
/// is back.
FILIGREE_EXPORT bool remove(std::uint16_t id);
/// Nothing when there is no such filter, and the finder finds none.
FILIGREE_EXPORT std::optional<FilterDescription> find(std::uint16_t id);
/// Who is asked for filters that nobody has added; none: nobody.
FILIGREE_EXPORT void set_finder(std::function<std::optional<UserFilter>(std::uint16_t)> finder);

/// As gzip; levels 0 to 9.
inline FilterChoice deflate(unsigned level = 6) { return {1, {level}, true}; }
/// First bytes of all elements first: for what follows it.
inline FilterChoice shuffle() { return {2, {}, true}; }
/// A checksum for every chunk.
inline FilterChoice fletcher32() { return {3, {}, false}; }
/// Only the bits that the type uses.
inline FilterChoice nbit() { return {5, {}, true}; }
/// Integers in as few bits as they need: `bits`, or 0 to find out.
inline FilterChoice scale_offset(unsigned bits = 0) { return {6, {2, bits}, true}; }
/// Floating-point numbers rounded to so many decimals.
inline FilterChoice decimals(unsigned digits) { return {6, {0, digits}, true}; }
/// The selection of a sparse chunk, in about as few bits as its entropy; of no use for values.
inline FilterChoice packed_selection() { return {500, {}, true}; }
/// Fast; what h5py brings along.
inline FilterChoice lzf() { return {32000, {}, true}; }
/// Fast.
inline FilterChoice lz4() { return {32004, {}, true}; }
/// Levels 1 to 22.
inline FilterChoice zstd(unsigned level = 3) { return {32015, {level}, true}; }
/// First bits of all elements first, then LZ4.
inline FilterChoice bitshuffle_lz4() { return {32008, {0, 2}, true}; }

}  // namespace filters
}  // namespace filigree
