// SPDX-License-Identifier: Apache-2.0
//
// Functions that decode, encode, measure and print any described structure. The templates are instantiated
// once, beside the description (FILIGREE_DESCRIBED in codec_instantiate.hpp), so this header is light.
//
// A described structure T is a plain struct with `static constexpr std::string_view structure`,
// its name in messages. Fields that the bytes need but do not hold (a rank, a record size) are
// members that the caller sets before decoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// Reads `model` from the start of `bytes`, which may be longer than the structure. Returns the number of
/// bytes consumed. *Throws* Error(corrupt) or Error(truncated), naming structure, field, offset and the
/// address `where`.
template <class T>
std::size_t decode(T& model, Bytes bytes, const Widths& widths, Address where = Address::undefined);

template <class T>
T decode(Bytes bytes, const Widths& widths, Address where = Address::undefined) {
  T model;
  decode(model, bytes, widths, where);
  return model;
}

/// The number of bytes that encode() would write.
template <class T>
std::size_t encoded_bytes(const T& model, const Widths& widths);

/// Writes `model` at the start of `out` and zeros to the rest. *Throws* Error(limit) if a value does not fit
/// its field, and Error(internal) if `out` is too small or the model violates a rule.
template <class T>
std::size_t encode(const T& model, MutableBytes out, const Widths& widths);

template <class T>
Buffer encode(const T& model, const Widths& widths) {
  Buffer out(encoded_bytes(model, widths));
  encode(model, MutableBytes(out), widths);
  return out;
}

/// Prints one line per field: offset, name, value.
template <class T>
std::string dump(const T& model, const Widths& widths);

}  // namespace filigree::format
