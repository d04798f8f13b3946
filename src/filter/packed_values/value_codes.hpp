// SPDX-License-Identifier: Apache-2.0
//
// The simple encodings of values: equal values, differences from a base with few bits, a table of values with
// an index for each element, and runs. docs/format/packed-values.md specifies the layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/bytes.hpp"
#include "filter/packed_values/group_codes.hpp"
#include "filter/packed_values/value_counts.hpp"

namespace filigree::filter {

/// The encodings, as numbered in the file.
enum class ValueForm : std::uint8_t { stored = 0, equal = 1, packed = 2, table = 3, runs = 4, groups = 5 };

/// The most values of a table that a reader accepts.
inline constexpr std::uint64_t most_table_values = 4096;

/// Values in the smallest of the encodings, without the header of the filter.
struct EncodedValues {
  ValueForm form = ValueForm::stored;
  Buffer bytes = {};
};

/// Returns nothing if no encoding takes fewer than `most_bytes`. *Requires* at least one word, and words of
/// `element_bytes`.
std::optional<EncodedValues> encode_values(std::span<const std::uint64_t> words, unsigned element_bytes,
                                           std::uint64_t most_bytes);

/// Decodes `to.size()` values. *Throws* Error(corrupt) or Error(truncated). *Requires* another form than
/// stored.
template <class T>
void decode_values(ValueForm form, Bytes stored, std::span<T> to);

}  // namespace filigree::filter
