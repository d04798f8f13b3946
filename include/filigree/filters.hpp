// SPDX-License-Identifier: Apache-2.0
//
// Filters: transformations of chunks between memory and file.
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

/// A filter of a pipeline, by its registered number. The parameters are those of H5Pset_filter; parameters
/// that depend on datatype and chunk are added when the dataset is created.
struct FilterChoice {
  std::uint16_t id = 0;
  std::vector<std::uint32_t> parameters;
  bool optional = false;  ///< chunks that the filter cannot encode are stored without it
  std::string name = {};  ///< the name in the file; empty: the name of the registered filter
};

/// A user-defined filter. Its functions throw Error if they cannot process the bytes.
///
/// Thread safety: the functions are called concurrently from any number of threads.
struct UserFilter {
  /// The filter parameters of the dataset.
  using Parameters = std::span<const std::uint32_t>;
  std::uint16_t id = 0;
  std::string name;
  /// Encodes the bytes of a chunk; null if the filter only decodes.
  std::function<std::vector<std::byte>(std::span<const std::byte>, Parameters)> encode;
  /// Decodes stored bytes, which are untrusted. Results over `most_bytes` are rejected.
  std::function<std::vector<std::byte>(std::span<const std::byte>, Parameters, std::size_t most_bytes)>
      decode;
  /// As `decode`, for readers that do not want checksums to be verified; null: as `decode`.
  std::function<std::vector<std::byte>(std::span<const std::byte>, Parameters, std::size_t most_bytes)>
      decode_unverified = nullptr;
  /// Results over `most_bytes` are accepted, as in HDF5, and bytes behind the chunk are ignored.
  bool may_decode_more = false;
};

/// Properties of a filter.
struct FilterDescription {
  std::string name;
  bool encodes = true;
  bool decodes = true;
};

namespace filters {

/// Registers a filter for the process; it replaces the filter with the same number. Open datasets keep the
/// filters they have.
/// Thread safety: this and the following functions may be called from any thread.
FILIGREE_EXPORT void add(UserFilter filter);
/// Unregisters a user-defined filter; a built-in filter with that number is active again. Returns false if
/// there is no user-defined filter with that number.
FILIGREE_EXPORT bool remove(std::uint16_t id);
/// Returns the properties of a filter; empty if it is not registered and the finder does not provide it.
FILIGREE_EXPORT std::optional<FilterDescription> find(std::uint16_t id);
/// Sets a callback that provides filters that are not registered; null removes it.
FILIGREE_EXPORT void set_finder(std::function<std::optional<UserFilter>(std::uint16_t)> finder);

/// DEFLATE, as in gzip; levels 0 to 9.
inline FilterChoice deflate(unsigned level = 6) { return {1, {level}, true}; }
/// Byte shuffle: the first bytes of all elements, then the second ones, and so on. Helps later compression.
inline FilterChoice shuffle() { return {2, {}, true}; }
/// A Fletcher-32 checksum for every chunk.
inline FilterChoice fletcher32() { return {3, {}, false}; }
/// N-bit: stores only the significant bits of the datatype.
inline FilterChoice nbit() { return {5, {}, true}; }
/// Scale-offset for integers with `bits` bits; 0 computes the smallest number.
inline FilterChoice scale_offset(unsigned bits = 0) { return {6, {2, bits}, true}; }
/// Scale-offset for floating-point numbers, rounded to `digits` decimals.
inline FilterChoice decimals(unsigned digits) { return {6, {0, digits}, true}; }
/// Entropy coding for the selection section of sparse chunks; not useful for values.
inline FilterChoice packed_selection() { return {500, {}, true}; }
/// Integers, or floating-point numbers that are integers, in few bits; best for counts.
inline FilterChoice packed_values() { return {501, {}, true}; }
/// LZF, as in h5py: fast.
inline FilterChoice lzf() { return {32000, {}, true}; }
/// LZ4: fast.
inline FilterChoice lz4() { return {32004, {}, true}; }
/// Zstandard; levels 1 to 22.
inline FilterChoice zstd(unsigned level = 3) { return {32015, {level}, true}; }
/// Bit shuffle followed by LZ4.
inline FilterChoice bitshuffle_lz4() { return {32008, {0, 2}, true}; }

}  // namespace filters
}  // namespace filigree
